#pragma once

#include <maya/MFnData.h>
#include <maya/MString.h>

class MFnStringData : public MFnData {
    STANDIN_FUNCTION_SET(MFnStringData, MFn::kStringData)
    MString string(MStatus* ReturnStatus = nullptr) const;
    MStatus set(const MString& newString);
    MObject create(const MString& str, MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
};
