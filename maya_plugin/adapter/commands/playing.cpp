#include "adapter/commands/playing.h"

#include "adapter/guard.h"

#include <maya/MAnimControl.h>
#include <maya/MComputation.h>
#include <maya/MPlug.h>
#include <maya/MTime.h>

#include <algorithm>
#include <cmath>

namespace sinew::maya {
namespace {

/// Goes back to the frame at which it was made.
class TimeKept {
public:
    TimeKept() : time_(MAnimControl::currentTime()) {}
    ~TimeKept() { MAnimControl::setCurrentTime(time_); }
    TimeKept(const TimeKept&) = delete;
    TimeKept& operator=(const TimeKept&) = delete;

private:
    MTime time_;
};

/// The bar with its Esc.
class Progress {
public:
    Progress(const char* title, int steps) {
        bar_.beginComputation(true, true);
        bar_.setProgressRange(0, std::max(steps, 1));
        bar_.setProgressStatus(title);
    }
    ~Progress() { bar_.endComputation(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(int step) {
        bar_.setProgress(step);
        if (bar_.isInterruptRequested()) throw Problem("Stopped by Esc; the frames that were computed are kept.");
    }

private:
    MComputation bar_;
};

} // namespace

MTime time_of(double frame) { return {frame, MTime::uiUnit()}; }

host::Clock clock_of(const Found& node) {
    return {MPlug(node.node, node.kind->start).asMTime().as(MTime::kSeconds), frame_rate()};
}

void add_range_flags(MSyntax& syntax) {
    syntax.addFlag("-sf", "-startFrame", MSyntax::kDouble);
    syntax.addFlag("-ef", "-endFrame", MSyntax::kDouble);
}

Range range_of(const MArgDatabase& arguments, const std::vector<Found>& nodes) {
    // After a change of the frame rate the time slider's ends lie between frames.
    const Range slider{MAnimControl::minTime().as(MTime::uiUnit()), MAnimControl::maxTime().as(MTime::uiUnit())};
    Range range = from_start(whole_frames(slider), nodes);
    range.first = number_flag(arguments, "-startFrame").value_or(range.first);
    range.last = number_flag(arguments, "-endFrame").value_or(range.last);
    if (!(range.first <= range.last)) throw Problem("The range of frames is empty: the end is before the start.");
    return range;
}

Range whole_frames(const Range& range) {
    // How far a number may be from that of a frame to be it.
    constexpr double rounding = 1e-6;
    const Range whole{std::ceil(range.first - rounding), std::floor(range.last + rounding)};
    if (!(whole.first <= whole.last)) throw Problem("There is no whole frame in the range: make it longer.");
    return whole;
}

Range from_start(const Range& range, const std::vector<Found>& nodes) {
    Range whole = range;
    for (const Found& node : nodes) {
        if (!node.kind->plan.stateful) continue;
        whole.first = std::min(whole.first, clock_of(node).shown(0));
    }
    return whole;
}

std::size_t frames_in(const Range& range) {
    return static_cast<std::size_t>(std::floor(range.last - range.first)) + 1;
}

void play(const Range& range, const char* title, const std::function<void(double)>& use) {
    const Exact exact;
    const TimeKept kept;
    const int steps = static_cast<int>(frames_in(range));
    Progress progress(title, steps);
    for (int i = 0; i < steps; ++i) {
        const double frame = range.first + i;
        progress.at(i);
        ensure(MAnimControl::setCurrentTime(time_of(frame)), "go to a frame");
        use(frame);
    }
}

} // namespace sinew::maya
