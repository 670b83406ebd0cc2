#pragma once

#include <maya/MFloatArray.h>
#include <maya/MFnData.h>

class MFnFloatArrayData : public MFnData {
    STANDIN_FUNCTION_SET(MFnFloatArrayData, MFn::kFloatArrayData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    float operator[](unsigned int index) const;
    float& operator[](unsigned int index);
    MStatus set(float element, unsigned int index);
    MStatus copyTo(MFloatArray&) const;
    MStatus set(const MFloatArray& newArray);
    MFloatArray array(MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MFloatArray& in, MStatus* ReturnStatus = nullptr);
};
