#include "adapter/core.h"

#include "adapter/guard.h"
#include "adapter/outputs.h"

#include <maya/MGlobal.h>
#include <maya/MPxNode.h>
#include <maya/MTime.h>

#include <algorithm>
#include <limits>

namespace sinew::maya {
namespace {

constexpr std::uint64_t megabyte = 1 << 20;

/// The end of time. MTime's greatest value would overflow when ranges are joined.
MTime last_time() {
    constexpr auto ticks = std::numeric_limits<MTime::MTick>::max() / 2;
    return {static_cast<double>(ticks) / static_cast<double>(MTime::ticksPerSecond()), MTime::kSeconds};
}


} // namespace

double frame_rate() { return MTime(1, MTime::kSeconds).as(MTime::uiUnit()); }

std::int32_t up_axis() { return MGlobal::isZAxisUp() ? SINEW_UP_Z : SINEW_UP_Y; }

bool passes_through(MDataBlock& data) {
    // nodeState: 0 is Normal, 1 is HasNoEffect; a node that does not deform has to honour it itself.
    return input(data, MPxNode::state, "nodeState").asShort() == 1;
}

Core::Core(const Kind& kind) : kind_(kind), wanted_(kind.outputs), fed_(kind.params) { restart(); }

void Core::restart() {
    session_ = std::make_unique<host::Session>(kind_.plan, metres_per_unit, up_axis(), true, state().log);
    still_dirty_ = true;
}

host::Clock Core::clock() const { return {start_seconds_, frame_rate()}; }

// What does not move is read again only when Maya has marked some of it as dirty since: weights of 40,000 vertices are
// far more elements than everything else together. No lock is held while Maya is asked: its threads take other work
// while they wait, which may be this node in another context.
std::shared_ptr<const Values> Core::still(MDataBlock& data, const Body& body) {
    const bool again = still_dirty_.exchange(false);
    if (!again) {
        const std::lock_guard<std::mutex> lock(still_mutex_);
        if (still_) return still_;
    }
    try {
        std::shared_ptr<const Values> read = read_still(kind_, data, body);
        const std::lock_guard<std::mutex> lock(still_mutex_);
        still_ = read;
        return read;
    } catch (...) {
        still_dirty_ = true;
        throw;
    }
}

/// Inputs that became dirty while the time did not were edited: when the time changes, everything that is animated
/// becomes dirty with it. In which frames, only Cached Playback says (see `invalidated`); without it, every frame is to
/// be proved again. An edit is missed here if nobody looks between it and the next change of the time; sinewSolve, from
/// which everything is baked and exported, does not rely on this.
void Core::distrust_edits(MDataBlock& data) {
    if (!data.context().isNormal()) return;
    const bool time = time_dirty_.exchange(false), inputs = input_dirty_.exchange(false);
    const bool known = range_known_.exchange(false);
    if (inputs && !time && !known) session_->distrust();
}

std::vector<std::string> Core::wanted() const {
    std::vector<std::string> ports;
    for (const std::string* port : {&kind_.plan.points_out, &kind_.plan.uvs_out})
        if (!port->empty()) ports.push_back(*port);
    for (const Held& held : kind_.held)
        if (held.plan->is_output() && wanted_[held.output]) add_ports(kind_, held, ports);
    return ports;
}

Gathered Core::gather(MDataBlock& data, const Body& body) {
    Gathered found;
    found.geometry = body.geometry;
    const double seconds = input(data, kind_.time, host::OwnNames::time).asTime().as(MTime::kSeconds);
    const double start = input(data, kind_.start, host::OwnNames::start).asTime().as(MTime::kSeconds);
    found.clock = {start, frame_rate()};
    found.moment = found.clock.at(seconds);
    found.still = still(data, body);
    read_moving(found.moving, kind_, data, body);
    found.given.up_axis = up_axis();
    found.given.still = found.still->ports;
    found.given.moving = found.moving.ports;
    for (const Held& held : kind_.held) {
        if (held.plan->of != host::Of::Param) continue;
        (fed_[held.param] ? found.given.params : found.given.still_params).push_back(read_param(data, held));
    }
    return found;
}

host::Answer Core::evaluate(MDataBlock& data, const Body& body, const std::string& name) {
    const Gathered found = gather(data, body);
    start_seconds_ = found.clock.start_seconds;
    distrust_edits(data);
    const int memory = input(data, kind_.memory, host::OwnNames::memory).asInt();
    session_->set_memory(megabyte * static_cast<std::uint64_t>(std::max(memory, 1)));
    session_->set_name(name);
    host::Answer answer = session_->evaluate(found.given, found.clock, found.moment, wanted());
    if (answer.stepped) ++steps_;
    return answer;
}

void Core::say(MDataBlock& data, const MObject& attribute, const char* name, const std::string& text) {
    MDataHandle handle = output(data, attribute, name);
    handle.setString(MString(text.c_str()));
    handle.setClean();
}

void Core::write(MDataBlock& data, const host::Answer& answer) {
    const host::Outputs* results = answer.found == host::Found::Computed ? answer.outputs.get() : nullptr;
    for (const Held& held : kind_.held)
        if (held.plan->is_output() && wanted_[held.output]) write_output(kind_, data, held, results);
    const host::Clock clock = this->clock();
    const double seconds = input(data, kind_.time, host::OwnNames::time).asTime().as(MTime::kSeconds);
    say(data, kind_.status, host::OwnNames::status, answer.found == host::Found::Computed ? "" : answer.message);
    say(data, kind_.missing, host::OwnNames::missing, session_->missing(clock, clock.at(seconds)));
    say(data, kind_.kept, host::OwnNames::kept, session_->kept(clock));
}

void Core::want(const MPlug& plug) {
    if (const Held* held = kind_.output(plug)) wanted_[held->output] = true;
}

void Core::connected(const MPlug& plug, bool as_source, bool is) {
    if (as_source) {
        // If something else still asks for the output, that makes it wanted again.
        if (const Held* held = kind_.output(plug)) wanted_[held->output] = is;
    } else if (const Held* held = kind_.param(plug.attribute())) {
        fed_[held->param] = is;
    }
}

/// Whether each frame may have another value of an attribute. What does not move, and a parameter that nothing is
/// connected to, is the same in all frames, so that the session sees by itself that it was edited.
bool Core::moves(const MObject& attribute) const {
    if (const Held* held = kind_.param(attribute)) return fed_[held->param];
    return !kind_.is_still(attribute);
}

void Core::dirty(const MObject& attribute) {
    if (attribute == kind_.time) time_dirty_ = true;
    if (!kind_.feeds(attribute)) return;
    if (kind_.is_still(attribute)) still_dirty_ = true;
    if (moves(attribute)) input_dirty_ = true;
}

// While the evaluation manager plays, Maya marks nothing as dirty one by one; what it is about to evaluate is listed
// here (MPxNode::preEvaluation in the Maya C++ API reference; "Maya 2016 parallel evaluation and new APIs", Autodesk).
// The list of a node that follows the time always has the time; one that has it not is of a manipulator: of an edit.
void Core::prepare(const MDGContext& context, const MEvaluationNode& node) {
    const bool plays = node.dirtyPlugExists(kind_.time);
    for (const MObject& attribute : kind_.inputs()) {
        if (!node.dirtyPlugExists(attribute)) continue;
        if (kind_.is_still(attribute)) still_dirty_ = true;
        if (!plays && context.isNormal() && moves(attribute)) input_dirty_ = true;
    }
}

// Frames follow from each other, so that Maya has to fill its cache in order and to drop later frames after an edit:
// simulation support (MNodeCacheSetupInfo in the Maya C++ API reference, and its example simplePhysicsEngine).
void Core::cache_setup(MNodeCacheSetupInfo& setup) const {
    if (kind_.plan.stateful) setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
    setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
}

// A frame that Maya restores has to show what it showed: everything computed. The state from which later frames go on
// is in the session, by frame, and need not be restored.
void Core::cache_schema(const MEvaluationNode& node, MCacheSchema& schema) const {
    std::vector<MObject> shown{kind_.status, kind_.missing, kind_.kept};
    if (const MObject body = kind_.body_output(); !body.isNull()) shown.push_back(body);
    for (const Held& held : kind_.held)
        if (held.plan->is_output()) shown.push_back(held.object);
    for (const MObject& attribute : shown)
        if (node.dirtyPlugExists(attribute)) schema.add(attribute);
}

// Maya has to drop exactly what the session does: a frame that only one of them drops is not computed again, and later
// ones have nothing to follow from.
MTimeRange Core::invalidated(const MTimeRange& range) {
    if (!kind_.plan.stateful || range.empty()) return range;
    const host::Clock scene = clock();
    const host::Moment edited = scene.at(range.bounds().min.as(MTime::kSeconds));
    const std::int64_t first = edited.frame + (edited.between ? 1 : 0);
    session_->distrust(first);
    range_known_ = true;
    return range | MTimeRange(MTime(scene.of_frame(first).seconds, MTime::kSeconds), last_time());
}

} // namespace sinew::maya
