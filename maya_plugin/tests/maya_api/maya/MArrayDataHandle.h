#pragma once

#include <maya/MDataHandle.h>

class MArrayDataBuilder;

/// The elements of an array in a data block, in the order of their logical indices.
class MArrayDataHandle {
public:
    MArrayDataHandle(const MDataHandle& in, MStatus* ReturnStatus = nullptr);
    MDataHandle inputValue(MStatus* ReturnStatus = nullptr);
    MDataHandle outputValue(MStatus* ReturnStatus = nullptr);
    MArrayDataHandle inputArrayValue(MStatus* ReturnStatus = nullptr);
    MArrayDataHandle outputArrayValue(MStatus* ReturnStatus = nullptr);
    MStatus next();
    unsigned int elementCount(MStatus* ReturnStatus = nullptr);
    unsigned int elementIndex(MStatus* ReturnStatus = nullptr);
    MStatus jumpToElement(unsigned int index);
    MStatus jumpToArrayElement(unsigned int position);
    MStatus setClean();
    MStatus setAllClean();
    MArrayDataBuilder builder(MStatus* ReturnStatus = nullptr);
    MStatus set(MArrayDataBuilder& builder);
    static const char* className() { return "MArrayDataHandle"; }

private:
    MDataHandle handle_;
    /// It stands at the first element that is not before this logical index.
    unsigned int index_ = 0;
};
