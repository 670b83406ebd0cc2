#pragma once

#include <maya/MObject.h>
#include <maya/MStatus.h>

/// The base of function sets: what can be done with an object of a type.
class MFnBase {
public:
    virtual ~MFnBase();
    virtual MFn::Type type() const;
    bool hasObj(MFn::Type) const;
    bool hasObj(const MObject&) const;
    MObject object(MStatus* ReturnStatus = nullptr) const;
    virtual MStatus setObject(const MObject& object);
    MFnBase(const MFnBase&) = delete;
    MFnBase& operator=(const MFnBase&) = delete;

protected:
    MFnBase();
    MObject object_;
};

/// What each function set declares: it is made empty or of an object, and setObject refuses objects of other types.
#define STANDIN_FUNCTION_SET(Class, Fn)                                                                                \
public:                                                                                                                \
    Class() = default;                                                                                                 \
    Class(const MObject& object, MStatus* ReturnStatus = nullptr) {                                                    \
        MStatus made = Class::setObject(object);                                                                       \
        if (ReturnStatus) *ReturnStatus = made;                                                                        \
    }                                                                                                                  \
    MFn::Type type() const override { return Fn; }                                                                     \
    MStatus setObject(const MObject& object) override {                                                                \
        object_ = object.hasFn(Fn) ? object : MObject();                                                               \
        return object_.isNull() ? MStatus(MStatus::kInvalidParameter) : MStatus();                                     \
    }                                                                                                                  \
    static const char* className() { return #Class; }
