// Times of the host as frames of a motion that begins somewhere.
#pragma once

#include <cstdint>

namespace sinew::host {

/// A point in time. Frame 0 is the first of the motion; one between frames has the number of the frame before it.
struct Moment {
    std::int64_t frame = 0;
    double seconds = 0;
    bool between = false;
};

/// The start of the motion and the rate of the scene. The first frame is the whole one of the host at which the motion
/// starts, or the next one: after a change of the rate a start lies between frames, where no host plays or renders.
struct Clock {
    double start_seconds = 0;
    double frames_per_second = 24;

    /// Moments within a nanosecond of a frame are that frame, whose seconds do not depend on how the host rounds.
    Moment at(double seconds) const;
    Moment of_frame(std::int64_t frame) const;
    /// The number that the host's user sees: the host counts frames from 0 seconds on.
    double shown(std::int64_t frame) const;

private:
    double first() const;
};

} // namespace sinew::host
