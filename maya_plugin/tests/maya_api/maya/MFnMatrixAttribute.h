#pragma once

#include <maya/MFnAttribute.h>
#include <maya/MMatrix.h>

class MFnMatrixAttribute : public MFnAttribute {
    STANDIN_FUNCTION_SET(MFnMatrixAttribute, MFn::kMatrixAttribute)
    enum Type { kFloat, kDouble };
    MObject create(const MString& fullName, const MString& briefName, Type matrixType = kDouble,
                   MStatus* ReturnStatus = nullptr);
    MStatus getDefault(MMatrix& def);
    MStatus setDefault(const MMatrix& def);
};
