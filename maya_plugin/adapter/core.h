// What a deformer and a node with a mesh have in common: a session of the library behind Maya's evaluation.
//
// Maya evaluates in any order, from several threads, in contexts of its own. Nothing here depends on that: a frame
// follows from the data block and from the session, which gives a frame of the same inputs the same bits. What is kept
// beside them only says what has to be read again or proved again.
#pragma once

#include "adapter/state.h"
#include "adapter/values.h"

#include <maya/MCacheSchema.h>
#include <maya/MDGContext.h>
#include <maya/MEvaluationNode.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MPlug.h>
#include <maya/MTimeRange.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

namespace sinew::maya {

/// Maya's unit of length in scenes is always the centimetre, whatever its user sees.
constexpr double metres_per_unit = 0.01;

/// What a frame follows from, with the memory that it is a view of.
struct Gathered {
    host::Clock clock;
    host::Moment moment;
    std::shared_ptr<const Values> still;
    Values moving;
    host::Given given;
    /// Which geometry of a deformer the body is, for its maps.
    unsigned geometry = 0;
};

class Core {
public:
    explicit Core(const Kind& kind);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    const Kind& kind() const { return kind_; }

    /// What a data block gives.
    Gathered gather(MDataBlock& data, const Body& body);
    /// The frame that a data block asks for, with all outputs that anyone wants.
    host::Answer evaluate(MDataBlock& data, const Body& body, const std::string& name);
    /// Writes the outputs of the plan that anyone wants, and `status`, `missing_frames`, `kept_frames`.
    void write(MDataBlock& data, const host::Answer& answer);

    /// What is wrong with a frame, as a sentence that begins with the frame, if its number can be read.
    std::string at_frame(MDataBlock& data, const std::string& problem) const;

    /// Whether a frame is missing and nobody will see it, as there is no window. Once for a run of frames that are
    /// asked for and miss the same ones.
    bool is_missed(const host::Answer& answer);

    /// An output is wanted from now on: it was asked for, or something is connected to it.
    void want(const MPlug& plug);
    /// A connection of an output or an input was made or broken.
    void connected(const MPlug& plug, const MPlug& other, bool as_source, bool is);

    /// Maya marked an attribute as dirty.
    void dirty(const MObject& attribute);
    /// Whatever was marked so far was no change of the time that is still under way; on Maya's main thread.
    void settle_edits();
    /// What Maya is about to evaluate.
    void prepare(const MDGContext& context, const MEvaluationNode& node);
    void cache_setup(const MEvaluationNode& node, MNodeCacheSetupInfo& setup) const;
    void cache_schema(const MEvaluationNode& node, MCacheSchema& schema) const;
    /// A frame follows from all before it: an edit in a range reaches all later times.
    MTimeRange invalidated(const MTimeRange& range);

    host::Session& session() { return *session_; }
    /// How many frames were computed since the node exists.
    std::uint64_t steps() const { return steps_; }
    /// The clock of the last evaluation, for commands and the cache.
    host::Clock clock() const;
    /// What to say where frames from the first to `last` do not fit into the node's memory; empty if they do.
    std::string memory_warning(std::int64_t last) const;
    /// Forgets everything: for a node that is a copy.
    void restart();

private:
    std::shared_ptr<const Values> still(MDataBlock& data, const Body& body);
    void distrust_edits(MDataBlock& data);
    std::vector<std::string> wanted() const;
    bool moves(const MObject& attribute) const;
    void keep_cache_right(const host::Moment& moment, const host::Answer& answer);
    void warn_of_memory(const host::Moment& moment, const std::string& name);
    /// The computed attributes that are evaluated.
    std::vector<MObject> shown(const MEvaluationNode& node) const;
    std::optional<host::Moment> moment(MDataBlock& data) const;
    void say(MDataBlock& data, const MObject& attribute, const char* name, const std::string& text);

    const Kind& kind_;
    std::unique_ptr<host::Session> session_;
    /// Whether deformers move the body before the node skins it: another node than its undeformed shape gives it.
    std::atomic<bool> points_move_{false};
    /// By output, whether it is wanted; by parameter, whether something is connected to it.
    std::vector<std::atomic<bool>> wanted_, fed_;

    std::mutex still_mutex_;
    std::shared_ptr<const Values> still_;
    /// How often what does not move was marked as dirty; and as it was when `still_` was read.
    std::atomic<std::uint64_t> still_edits_{1};
    std::uint64_t still_of_ = 0;
    std::atomic<bool> input_dirty_{false}, time_dirty_{false};
    /// Whether an edit was seen that no evaluation has taken notice of.
    std::atomic<bool> edited_{false};
    /// Whether an edit since the last normal evaluation came with the frames that it reaches.
    std::atomic<bool> range_known_{false};
    /// The first frame that was missing when that was last said; one that cannot be before.
    std::atomic<std::int64_t> missed_from_{-1};
    std::atomic<double> start_seconds_{0};
    std::atomic<std::uint64_t> steps_{0};
    /// In MB, as the node has it; and as it was when its user was warned that it is too small.
    std::atomic<int> memory_{0}, warned_of_memory_{0};

    std::mutex unanswered_mutex_;
    /// Frames that were asked for and could not be given: Cached Playback may have stored what was shown instead.
    std::set<std::int64_t> unanswered_;
};

/// Counts one more command at work for as long as it exists.
template <std::atomic<int> State::*commands> class AtWork {
public:
    AtWork() { ++(state().*commands); }
    ~AtWork() { --(state().*commands); }
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;
};

/// While one exists, nothing is previewed: for commands whose results leave the view.
using Exact = AtWork<&State::exact>;
/// While one exists, frames have the best quality, whatever their nodes are set to: for bakes and jobs.
using AtBest = AtWork<&State::best>;

/// Whether a node is set to pass everything through ("Has No Effect").
bool passes_through(MDataBlock& data);

/// Frames in a second of the scene.
double frame_rate();

/// Which axis of the scene points up (MGlobal::isZAxisUp in the Maya C++ API reference): a preference, which users change
/// at any time, so that every frame asks for it. It is read here from whatever thread evaluates.
std::int32_t up_axis();

} // namespace sinew::maya
