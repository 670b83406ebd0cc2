#pragma once

#include <maya/MStatus.h>

class MAngle {
public:
    enum Unit { kInvalid, kRadians, kDegrees, kAngMinutes, kAngSeconds, kLast };
    MAngle() = default;
    MAngle(double value, Unit u = kRadians) : value_(value), unit_(u) {}
    Unit unit() const { return unit_; }
    double value() const { return value_; }
    MStatus setUnit(Unit newUnit);
    MStatus setValue(double newValue);
    double as(Unit otherUnit, MStatus* ReturnStatus = nullptr) const;
    double asUnits(Unit otherUnit, MStatus* ReturnStatus = nullptr) const { return as(otherUnit, ReturnStatus); }
    double asRadians() const { return as(kRadians); }
    double asDegrees() const { return as(kDegrees); }
    static Unit uiUnit();
    static MStatus setUIUnit(Unit newUnit);
    static Unit internalUnit() { return kRadians; }
    static double internalToUI(double internalValue);
    static double uiToInternal(double uiValue);

private:
    double value_ = 0;
    Unit unit_ = kRadians;
};
