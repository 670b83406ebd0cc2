#include "adapter/core.h"

#include "adapter/guard.h"
#include "adapter/outputs.h"
#include "adapter/text.h"
#include "host/numbers.h"

#include <maya/MFn.h>
#include <maya/MGlobal.h>
#include <maya/MPxGeometryFilter.h>
#include <maya/MPxNode.h>
#include <maya/MTime.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::maya {
namespace {

constexpr std::uint64_t megabyte = 1 << 20;

/// The end of time. MTime's greatest value would overflow when ranges are joined.
MTime last_time() {
    constexpr auto ticks = std::numeric_limits<MTime::MTick>::max() / 2;
    return {static_cast<double>(ticks) / static_cast<double>(MTime::ticksPerSecond()), MTime::kSeconds};
}

/// An animator who edits wants to see something at once. Only the window of an interactive Maya shows previews: what a
/// farm renders and what commands write must be frames, and in other contexts Maya stores what it gets, as frames.
bool may_preview(MDataBlock& data) {
    return data.context().isNormal() && state().exact == 0 && MGlobal::mayaState() == MGlobal::kInteractive;
}

} // namespace

double frame_rate() { return MTime(1, MTime::kSeconds).as(MTime::uiUnit()); }

std::int32_t up_axis() { return MGlobal::isZAxisUp() ? SINEW_UP_Z : SINEW_UP_Y; }

bool passes_through(MDataBlock& data) {
    // nodeState: 0 is Normal, 1 is HasNoEffect; a node that does not deform has to honour it itself.
    return input(data, MPxNode::state, "nodeState").asShort() == 1;
}

Core::Core(const Kind& kind) : kind_(kind), wanted_(kind.outputs), fed_(kind.params) {
    restart();
    const std::lock_guard<std::mutex> lock(state().cores_mutex);
    state().cores.insert(this);
}

Core::~Core() {
    const std::lock_guard<std::mutex> lock(state().cores_mutex);
    state().cores.erase(this);
}

void Core::restart() {
    session_ = std::make_unique<host::Session>(kind_.plan, metres_per_unit, up_axis(), true, state().log);
    ++still_edits_;
}

host::Clock Core::clock() const { return {start_seconds_, frame_rate()}; }

// What does not move is read again only when Maya has marked some of it as dirty since: weights of 40,000 vertices are
// far more elements than everything else together. No lock is held while Maya is asked: its threads take other work
// while they wait, which may be this node in another context.
std::shared_ptr<const Values> Core::still(MDataBlock& data, const Body& body) {
    // What is marked while it is read is read again the next time. Two threads may read the same, but none what is old.
    const std::uint64_t edits = still_edits_;
    {
        const std::lock_guard<std::mutex> lock(still_mutex_);
        if (still_ && still_of_ == edits) return still_;
    }
    std::shared_ptr<const Values> read = read_still(kind_, data, body, points_move_);
    const std::lock_guard<std::mutex> lock(still_mutex_);
    if (still_of_ > edits) return read;
    still_ = read;
    still_of_ = edits;
    return read;
}

/// Inputs that became dirty while the time did not were edited: when the time changes, everything that is animated
/// becomes dirty with it. In which frames, only Cached Playback says (see `invalidated`); without it, every frame is to
/// be proved again. While Maya evaluates on demand (DG), an edit is missed here if the time changes right after it, from
/// a script, or if what was edited was dirty already, as nobody had looked since the time changed; sinewSolve, from
/// which everything is baked and exported, does not rely on this.
void Core::distrust_edits(MDataBlock& data) {
    // What is marked is so in the normal context; the background may come by in the middle of it.
    if (!data.context().isNormal()) return;
    settle_edits();
    time_dirty_ = input_dirty_ = false;
    if (edited_.exchange(false)) session_->distrust();
}

void Core::settle_edits() {
    if (!input_dirty_ || time_dirty_) return;
    input_dirty_ = false;
    if (!range_known_.exchange(false)) edited_ = true;
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
    read_moving(found.moving, kind_, data, body, points_move_);
    found.given.up_axis = up_axis();
    found.given.still = found.still->ports;
    found.given.moving = found.moving.ports;
    for (const Held& held : kind_.held) {
        if (held.plan->of != host::Of::Param) continue;
        const bool best = state().best > 0 && held.plan->id == quality;
        host::ParamValue value = best ? host::ParamValue{held.plan->id, 0.0} : read_param(data, held);
        (fed_[held.param] ? found.given.params : found.given.still_params).push_back(std::move(value));
    }
    return found;
}

host::Answer Core::evaluate(MDataBlock& data, const Body& body, const std::string& name) {
    const Gathered found = gather(data, body);
    start_seconds_ = found.clock.start_seconds;
    distrust_edits(data);
    const int memory = input(data, kind_.memory, host::OwnNames::memory).asInt();
    memory_ = std::max(memory, 1);
    session_->set_memory(megabyte * static_cast<std::uint64_t>(memory_));
    session_->set_name(name);
    host::Answer answer = session_->evaluate(found.given, found.clock, found.moment, wanted(), may_preview(data));
    if (answer.stepped && answer.found == host::Found::Computed) ++steps_;
    keep_cache_right(found.moment, answer);
    if (answer.stepped && state().exact == 0) warn_of_memory(found.moment, name);
    return answer;
}

/// Cached Playback stores what it gets, whether it is a frame, a preview or the body as it came in. It has to be stored
/// anew when the frame can be computed: once the frame before it is there.
void Core::keep_cache_right(const host::Moment& moment, const host::Answer& answer) {
    if (moment.between || answer.found == host::Found::Failed) return;
    const std::lock_guard<std::mutex> lock(unanswered_mutex_);
    if (answer.found == host::Found::Computed) {
        unanswered_.erase(moment.frame);
        if (unanswered_.count(moment.frame + 1) == 0) return;
    } else {
        unanswered_.insert(moment.frame);
        // Another thread may have computed the frame before it meanwhile.
        if (session_->first_needed(moment.frame) != moment.frame) return;
    }
    unanswered_.clear();
    state().cache_is_stale = true;
}

std::string Core::memory_warning(std::int64_t last) const {
    const std::uint64_t needed = session_->memory_needed(last);
    if (needed == 0) return {};
    const host::Clock scene = clock();
    const auto number = [&](std::int64_t frame) { return host::frame_text(scene.shown(frame)); };
    return "Frame Memory is too small: of frames " + number(0) + " to " + number(last) + ", " +
           std::to_string(memory_) + " MB hold " + session_->kept(scene) +
           "; the others have to be computed again before they, or frames after them, can be shown. Set it to " +
           std::to_string(needed / megabyte + 1) + " MB or more.";
}

void Core::warn_of_memory(const host::Moment& moment, const std::string& name) {
    if (warned_of_memory_ == memory_) return;
    const std::string text = memory_warning(std::max(moment.frame, clock().at(state().range_end).frame));
    if (text.empty()) return;
    warned_of_memory_ = memory_.load();
    note(1, name, text);
}

/// The moment that a data block asks for, where its time can be read at all: it may be what failed.
std::optional<host::Moment> Core::moment(MDataBlock& data) const {
    try {
        return clock().at(input(data, kind_.time, host::OwnNames::time).asTime().as(MTime::kSeconds));
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::string Core::at_frame(MDataBlock& data, const std::string& problem) const {
    const std::optional<host::Moment> now = moment(data);
    if (!now) return problem;
    const double frame = now->seconds * clock().frames_per_second;
    const bool whole = std::abs(frame - std::round(frame)) < 1e-6;
    return "Frame " + host::frame_text(whole ? std::round(frame) : frame) + ": " + problem;
}

bool Core::is_missed(const host::Answer& answer) {
    if (MGlobal::mayaState() == MGlobal::kInteractive) return false;
    const bool missing = answer.found == host::Found::Missing;
    const std::int64_t from = missing ? answer.first_missing : -1;
    return missed_from_.exchange(from) != from && missing;
}

void Core::say(MDataBlock& data, const MObject& attribute, const char* name, const std::string& text) {
    MDataHandle handle = output(data, attribute, name);
    handle.setString(maya_text(text));
    handle.setClean();
}

void Core::write(MDataBlock& data, const host::Answer& answer) {
    for (const Held& held : kind_.held)
        if (held.plan->is_output() && wanted_[held.output]) write_output(kind_, data, held, answer.outputs.get());
    say(data, kind_.status, host::OwnNames::status, answer.message);
    const std::optional<host::Moment> now = moment(data);
    say(data, kind_.missing, host::OwnNames::missing, now ? session_->missing(clock(), *now) : std::string());
    say(data, kind_.kept, host::OwnNames::kept, session_->kept(clock()));
}

void Core::want(const MPlug& plug) {
    if (const Held* held = kind_.output(plug)) wanted_[held->output] = true;
}

void Core::connected(const MPlug& plug, const MPlug& other, bool as_source, bool is) {
    if (as_source) {
        // If something else still asks for the output, that makes it wanted again.
        if (const Held* held = kind_.output(plug)) wanted_[held->output] = is;
    } else if (const Held* held = kind_.param(plug.attribute())) {
        fed_[held->param] = is;
    } else if (kind_.deforms() && plug.attribute() == MPxGeometryFilter::inputGeom) {
        points_move_ = is && !other.node().hasFn(MFn::kMesh);
        ++still_edits_;
    }
}

/// Whether each frame may have another value of an attribute. What does not move, and a parameter that nothing is
/// connected to, is the same in all frames, so that the session sees by itself that it was edited.
bool Core::moves(const MObject& attribute) const {
    if (points_move_ && attribute == MPxGeometryFilter::input) return true;
    if (const Held* held = kind_.param(attribute)) return fed_[held->param];
    return !kind_.is_still(attribute);
}

void Core::dirty(const MObject& attribute) {
    if (attribute == kind_.time) time_dirty_ = true;
    if (!kind_.feeds(attribute)) return;
    if (kind_.is_still(attribute)) ++still_edits_;
    if (moves(attribute)) input_dirty_ = true;
}

// While the evaluation manager plays, Maya marks nothing as dirty one by one; what it is about to evaluate is listed
// here (MPxNode::preEvaluation in the Maya C++ API reference; "Maya 2016 parallel evaluation and new APIs", Autodesk).
// The list of a node that follows the time always has the time; one that has it not is of a manipulator: of an edit.
void Core::prepare(const MDGContext& context, const MEvaluationNode& node) {
    const bool plays = node.dirtyPlugExists(kind_.time);
    for (const MObject& attribute : kind_.inputs()) {
        if (!node.dirtyPlugExists(attribute)) continue;
        if (kind_.is_still(attribute)) ++still_edits_;
        if (!plays && context.isNormal() && moves(attribute)) input_dirty_ = true;
    }
}

// Frames follow from each other, so that Maya has to fill its cache in order and to drop later frames after an edit:
// simulation support (MNodeCacheSetupInfo in the Maya C++ API reference, and its example simplePhysicsEngine).
void Core::cache_setup(const MEvaluationNode& node, MNodeCacheSetupInfo& setup) const {
    if (shown(node).empty()) return;
    if (kind_.plan.stateful) setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
    setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
}

// A frame that Maya restores has to show what it showed: everything computed. The state from which later frames go on
// is in the session, by frame, and need not be restored.
void Core::cache_schema(const MEvaluationNode& node, MCacheSchema& schema) const {
    for (const MObject& attribute : shown(node)) schema.add(attribute);
}

std::vector<MObject> Core::shown(const MEvaluationNode& node) const {
    std::vector<MObject> all{kind_.status, kind_.missing, kind_.kept};
    if (const MObject body = kind_.body_output(); !body.isNull()) all.push_back(body);
    for (const Held& held : kind_.held)
        if (held.plan->is_output()) all.push_back(held.object);
    const auto unused = [&](const MObject& attribute) { return !node.dirtyPlugExists(attribute); };
    all.erase(std::remove_if(all.begin(), all.end(), unused), all.end());
    return all;
}

// Maya has to drop exactly what the session does: a frame that only one of them drops is not computed again, and later
// ones have nothing to follow from. So it drops the frames before the edit, too, that the session had no memory for.
MTimeRange Core::invalidated(const MTimeRange& range) {
    if (!kind_.plan.stateful || range.empty()) return range;
    const host::Clock scene = clock();
    const host::Moment edited = scene.at(range.bounds().min.as(MTime::kSeconds));
    const std::int64_t first = edited.frame + (edited.between ? 1 : 0);
    session_->distrust(first);
    range_known_ = true;
    const host::Moment needed = scene.of_frame(session_->first_needed(first));
    return range | MTimeRange(MTime(needed.seconds, MTime::kSeconds), last_time());
}

} // namespace sinew::maya
