#pragma once

#include <maya/MFnData.h>
#include <maya/MStringArray.h>

class MFnStringArrayData : public MFnData {
    STANDIN_FUNCTION_SET(MFnStringArrayData, MFn::kStringArrayData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    MStatus copyTo(MStringArray&) const;
    MStatus set(const MStringArray& newArray);
    MStringArray array(MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MStringArray& in, MStatus* ReturnStatus = nullptr);
};
