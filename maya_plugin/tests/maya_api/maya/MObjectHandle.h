#pragma once

#include <maya/MObject.h>

/// A handle that can be asked whether its object still exists.
class MObjectHandle {
public:
    MObjectHandle() = default;
    MObjectHandle(const MObject& object) : object_(object) {}
    MObject object() const { return isAlive() ? object_ : MObject(); }
    const MObject& objectRef() const { return object_; }
    unsigned int hashCode() const { return objectHashCode(object_); }
    /// Exists and is part of the scene: false once the node is deleted, true again after undo.
    bool isValid() const;
    /// Exists in memory, also where it can come back only by undo.
    bool isAlive() const { return !object_.isNull(); }
    bool operator==(const MObject& object) const { return object_ == object; }
    bool operator==(const MObjectHandle& other) const { return object_ == other.object_; }
    bool operator!=(const MObject& object) const { return object_ != object; }
    bool operator!=(const MObjectHandle& other) const { return object_ != other.object_; }
    static unsigned int objectHashCode(const MObject&);

private:
    MObject object_;
};
