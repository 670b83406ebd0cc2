// Frame after frame, as a user plays.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MTime.h>

#include <cstddef>
#include <functional>

namespace sinew::maya {

/// A frame as users number it.
MTime time_of(double frame);

/// First and last frame, in the numbers that users see.
struct Range {
    double first = 0, last = 0;
};

/// Times as frames of a node's motion, as its start is now.
host::Clock clock_of(const Found& node);

/// Adds -startFrame and -endFrame.
void add_range_flags(MSyntax& syntax);
/// The given range; without one the whole frames from where the nodes' motions start to the end of the time slider.
Range range_of(const MArgDatabase& arguments, const std::vector<Found>& nodes);

/// The whole frames in a range: what a motion consists of.
Range whole_frames(const Range& range);
/// The range with all frames before it that its own follow from.
Range from_start(const Range& range, const std::vector<Found>& nodes);
/// How many frames it has.
std::size_t frames_in(const Range& range);

/// Goes to each frame and calls `use`; then goes back to where the time was. Esc ends it with a Problem.
void play(const Range& range, const char* title, const std::function<void(double frame)>& use);

} // namespace sinew::maya
