#pragma once

#include <maya/MFnData.h>
#include <maya/MPointArray.h>

class MFnPointArrayData : public MFnData {
    STANDIN_FUNCTION_SET(MFnPointArrayData, MFn::kPointArrayData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    const MPoint& operator[](unsigned int index) const;
    MPoint& operator[](unsigned int index);
    MStatus set(MPoint& element, unsigned int index);
    MStatus copyTo(MPointArray&) const;
    MStatus set(const MPointArray& newArray);
    MPointArray array(MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MPointArray& in, MStatus* ReturnStatus = nullptr);
};
