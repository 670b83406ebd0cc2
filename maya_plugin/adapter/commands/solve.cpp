#include "adapter/commands/solve.h"

#include "adapter/commands/inputs.h"
#include "adapter/commands/playing.h"
#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MAnimControl.h>
#include <maya/MGlobal.h>
#include <maya/MPlug.h>

#include <cmath>

namespace sinew::maya {
namespace {

/// What went wrong with a node in a frame; most of what nodes say names the frame already.
Problem problem_of(const Found& node, double frame, const std::string& said) {
    const bool named = said.rfind("Frame", 0) == 0;
    return Problem(node.name + (named ? ": " : ", frame " + std::to_string(std::lround(frame)) + ": ") + said);
}

/// Lets a node compute the frame of the current time; throws what it says, if that is not nothing.
void pull(const Found& node, double frame) {
    // Before its motion starts a node has nothing that later frames follow from.
    if (node.kind->plan.stateful && clock_of(node).at(time_of(frame).as(MTime::kSeconds)).frame < 0) return;
    MStatus status;
    const MString said = MPlug(node.node, node.kind->status).asString(&status);
    ensure(status, "evaluate " + node.name);
    if (said.length() > 0) throw problem_of(node, frame, utf8(said));
    // Where an evaluation failed, plugs may still have the value of before.
    const host::Clock clock = node.core().clock();
    const double seconds = time_of(frame).as(MTime::kSeconds);
    if (node.kind->plan.stateful && !node.core().session().missing(clock, clock.at(seconds)).empty())
        throw problem_of(node, frame, "it could not be evaluated: the Script Editor says why.");
}

std::uint64_t steps_of(const std::vector<Found>& nodes) {
    std::uint64_t sum = 0;
    for (const Found& node : nodes) sum += node.core().steps();
    return sum;
}

void warn_of_memory(const Found& node, const Range& range) {
    const host::Moment last = node.core().clock().at(time_of(range.last).as(MTime::kSeconds));
    const std::string text = node.core().memory_warning(last.frame);
    if (!text.empty()) MGlobal::displayWarning(maya_text(node.name + ": " + text));
}

} // namespace

MSyntax SolveCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    add_range_flags(syntax);
    return syntax;
}

std::uint64_t solve(const std::vector<Found>& nodes, const Range& range) {
    require_inputs(nodes);
    const std::uint64_t before = steps_of(nodes);
    // What was edited while nothing was evaluated is found, too; frames that still hold are not computed again.
    for (const Found& node : nodes) node.core().session().distrust();
    // Stored frames would be shown again in place of those that are to be computed.
    drop_cache();
    play(whole_frames(range), "Solving", [&](double frame) {
        if (state().cache_is_stale) {
            // The background stored the frame before its turn had come.
            drop_cache();
            ensure(MAnimControl::setCurrentTime(time_of(frame)), "go to a frame");
        }
        for (const Found& node : nodes) pull(node, frame);
    });
    // So it may have done with frames after the last one.
    refresh_cache();
    for (const Found& node : nodes) warn_of_memory(node, range);
    return steps_of(nodes) - before;
}

void SolveCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, true);
    setResult(static_cast<int>(solve(nodes, range_of(arguments, nodes))));
}

} // namespace sinew::maya
