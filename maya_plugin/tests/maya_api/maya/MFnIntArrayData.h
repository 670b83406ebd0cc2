#pragma once

#include <maya/MFnData.h>
#include <maya/MIntArray.h>

class MFnIntArrayData : public MFnData {
    STANDIN_FUNCTION_SET(MFnIntArrayData, MFn::kIntArrayData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    int operator[](unsigned int index) const;
    int& operator[](unsigned int index);
    MStatus set(int element, unsigned int index);
    MStatus copyTo(MIntArray&) const;
    MStatus set(const MIntArray& newArray);
    MIntArray array(MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MIntArray& in, MStatus* ReturnStatus = nullptr);
};
