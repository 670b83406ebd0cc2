#pragma once

#include <maya/MStatus.h>

class MDistance {
public:
    enum Unit { kInvalid, kInches, kFeet, kYards, kMiles, kMillimeters, kCentimeters, kKilometers, kMeters, kLast };
    MDistance() = default;
    MDistance(double value, Unit unitSystem = kCentimeters) : value_(value), unit_(unitSystem) {}
    Unit unit() const { return unit_; }
    double value() const { return value_; }
    MStatus setUnit(Unit newUnit);
    MStatus setValue(double newValue);
    double as(Unit newUnit, MStatus* ReturnStatus = nullptr) const;
    double asUnits(Unit newUnit, MStatus* ReturnStatus = nullptr) const { return as(newUnit, ReturnStatus); }
    double asCentimeters() const { return as(kCentimeters); }
    double asMeters() const { return as(kMeters); }
    static Unit uiUnit();
    static MStatus setUIUnit(Unit newUnit);
    static Unit internalUnit() { return kCentimeters; }
    static double internalToUI(double internalValue);
    static double uiToInternal(double uiValue);

private:
    double value_ = 0;
    Unit unit_ = kCentimeters;
};
