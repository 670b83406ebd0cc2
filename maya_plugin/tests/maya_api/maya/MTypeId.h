#pragma once

#include <maya/MStatus.h>

/// The number of a node type. 0 to 0x7ffff is for local use; other blocks are given out by Autodesk.
class MTypeId {
public:
    MTypeId() = default;
    MTypeId(unsigned int id) : id_(id) {}
    MTypeId(unsigned int prefix, unsigned int id) : id_((prefix << 8) | (id & 0xff)) {}
    bool operator==(const MTypeId& other) const { return id_ == other.id_; }
    bool operator!=(const MTypeId& other) const { return id_ != other.id_; }
    unsigned int id(MStatus* ReturnStatus = nullptr) const {
        if (ReturnStatus) *ReturnStatus = MStatus();
        return id_;
    }
    static const char* className() { return "MTypeId"; }

private:
    unsigned int id_ = 0;
};
