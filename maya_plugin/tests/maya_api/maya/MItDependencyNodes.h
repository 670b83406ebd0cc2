#pragma once

#include <maya/MObjectArray.h>

class MItDependencyNodes {
public:
    MItDependencyNodes(MFn::Type filter = MFn::kInvalid, MStatus* ReturnStatus = nullptr);
    MStatus reset(MFn::Type filter = MFn::kInvalid);
    MObject thisNode(MStatus* ReturnStatus = nullptr) const;
    MStatus next();
    bool isDone(MStatus* ReturnStatus = nullptr) const;

private:
    MObjectArray nodes_;
    unsigned int at_ = 0;
};
