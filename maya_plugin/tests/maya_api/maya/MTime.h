#pragma once

#include <maya/MStatus.h>

/// A time, kept in whole ticks; the value is that of the unit that it was given in.
class MTime {
public:
    enum Unit {
        kInvalid, kHours, kMinutes, kSeconds, kMilliseconds,
        kGames, k15FPS = kGames, kFilm, k24FPS = kFilm, kPALFrame, k25FPS = kPALFrame, kNTSCFrame, k30FPS = kNTSCFrame,
        kShowScan, k48FPS = kShowScan, kPALField, k50FPS = kPALField, kNTSCField, k60FPS = kNTSCField,
        k2FPS, k3FPS, k4FPS, k5FPS, k6FPS, k8FPS, k10FPS, k12FPS, k16FPS, k20FPS, k40FPS, k75FPS, k80FPS, k100FPS,
        k120FPS, k125FPS, k150FPS, k200FPS, k240FPS, k250FPS, k300FPS, k375FPS, k400FPS, k500FPS, k600FPS, k750FPS,
        k1200FPS, k1500FPS, k2000FPS, k3000FPS, k6000FPS, k23_976FPS, k29_97FPS, k29_97DF, k47_952FPS, k59_94FPS,
        k44100FPS, k48000FPS, k90FPS, k119_88FPS, kUserDef, kLast
    };
    typedef std::int64_t MTick;
    MTime() = default;
    MTime(double time_val, Unit unit = kFilm);
    Unit unit() const { return unit_; }
    double value() const { return as(unit_); }
    MStatus setUnit(Unit new_unit);
    MStatus setValue(double new_value);
    double as(Unit other_unit) const;
    double asUnits(Unit other_unit) const { return as(other_unit); }
    static Unit uiUnit();
    static MStatus setUIUnit(Unit new_unit);
    bool operator==(const MTime& rhs) const { return ticks_ == rhs.ticks_; }
    bool operator!=(const MTime& rhs) const { return ticks_ != rhs.ticks_; }
    bool operator<=(const MTime& rhs) const { return ticks_ <= rhs.ticks_; }
    bool operator>=(const MTime& rhs) const { return ticks_ >= rhs.ticks_; }
    bool operator<(const MTime& rhs) const { return ticks_ < rhs.ticks_; }
    bool operator>(const MTime& rhs) const { return ticks_ > rhs.ticks_; }
    MTime operator+(const MTime& rhs) const;
    MTime operator-(const MTime& rhs) const;
    MTime& operator+=(const MTime& rhs) { return *this = *this + rhs; }
    MTime& operator-=(const MTime& rhs) { return *this = *this - rhs; }
    MTime operator+(double rhs) const { return MTime(value() + rhs, unit_); }
    MTime operator-(double rhs) const { return MTime(value() - rhs, unit_); }
    MTime operator*(double rhs) const { return MTime(value() * rhs, unit_); }
    MTime operator/(double rhs) const { return MTime(value() / rhs, unit_); }
    MTime& operator++() { return *this = *this + 1.0; }
    MTime& operator--() { return *this = *this - 1.0; }
    static MTick ticksPerSecond();

    /// The stand-in's own: the whole number that the time is.
    MTick standin_ticks() const { return ticks_; }
    static MTime standin_of_ticks(MTick ticks, Unit unit);

private:
    MTick ticks_ = 0;
    Unit unit_ = kFilm;
};
