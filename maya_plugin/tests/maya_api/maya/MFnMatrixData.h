#pragma once

#include <maya/MFnData.h>
#include <maya/MMatrix.h>
#include <maya/MTransformationMatrix.h>

class MFnMatrixData : public MFnData {
    STANDIN_FUNCTION_SET(MFnMatrixData, MFn::kMatrixData)
    bool isTransformation(MStatus* ReturnStatus = nullptr) const;
    MTransformationMatrix transformation(MStatus* ReturnStatus = nullptr) const;
    const MMatrix& matrix(MStatus* ReturnStatus = nullptr) const;
    MStatus set(const MMatrix& matrix);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MMatrix&, MStatus* ReturnStatus = nullptr);
};
