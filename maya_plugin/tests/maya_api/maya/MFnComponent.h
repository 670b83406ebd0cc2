#pragma once

#include <maya/MFnBase.h>

class MFnComponent : public MFnBase {
    STANDIN_FUNCTION_SET(MFnComponent, MFn::kComponent)
    int elementCount(MStatus* ReturnStatus = nullptr) const;
    MFn::Type componentType(MStatus* ReturnStatus = nullptr) const;
    bool isEmpty(MStatus* ReturnStatus = nullptr) const;
    bool isComplete(MStatus* ReturnStatus = nullptr) const;
    MStatus setComplete(bool);
};
