#pragma once

#include <maya/MFn.h>
#include <maya/MTypes.h>

/// A handle of a node, an attribute, data or components. Whoever has one does not own what it is about; the stand-in
/// keeps the memory alive all the same, so that a use after deletion can be recorded instead of crashing.
class MObject {
public:
    MObject() = default;
    bool hasFn(MFn::Type fs) const;
    bool isNull() const { return !thing_; }
    MFn::Type apiType() const;
    const char* apiTypeStr() const;
    bool operator==(const MObject& other) const { return thing_ == other.thing_; }
    bool operator!=(const MObject& other) const { return thing_ != other.thing_; }
    static MObject kNullObj;

    /// The stand-in's own.
    explicit MObject(std::shared_ptr<standin::Thing> thing) : thing_(std::move(thing)) {}
    const std::shared_ptr<standin::Thing>& standin_thing() const { return thing_; }

private:
    std::shared_ptr<standin::Thing> thing_;
};
