#include "clock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace sinew::host {

namespace {
/// How far a time may be from a frame to be that frame: a nanosecond, and far away from 0 what rounding alone makes.
double tolerance(double seconds, double start) {
    constexpr double nanosecond = 1e-9;
    return std::max(nanosecond, 4 * std::numeric_limits<double>::epsilon() * (std::abs(seconds) + std::abs(start)));
}
} // namespace

Moment Clock::at(double seconds) const {
    const double position = seconds * frames_per_second - first();
    // Beyond this, doubles no longer tell frames apart.
    constexpr double farthest = 9007199254740992.0;
    if (!(std::abs(position) < farthest)) throw std::out_of_range("The time is not a number, or too far away.");
    const Moment nearest = of_frame(std::llround(position));
    if (std::abs(nearest.seconds - seconds) <= tolerance(seconds, start_seconds)) return nearest;
    return {static_cast<std::int64_t>(std::floor(position)), seconds, true};
}

Moment Clock::of_frame(std::int64_t frame) const {
    // Jobs divide the number of a frame by the rate; any other way round differs in the last bits.
    return {frame, shown(frame) / frames_per_second, false};
}

double Clock::shown(std::int64_t frame) const { return first() + static_cast<double>(frame); }

double Clock::first() const {
    const double number = start_seconds * frames_per_second;
    // A start that the host rounded is on a frame all the same.
    const double whole = std::round(number), near = tolerance(start_seconds, start_seconds) * frames_per_second;
    return std::abs(number - whole) <= near ? whole : std::ceil(number);
}

} // namespace sinew::host
