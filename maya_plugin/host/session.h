// A node of the library behind a node of the host: which frames it has, and from what it computes others. Whatever the
// host asks for in whatever order and from whatever thread, a frame is what playing from the first one gives, to the
// last bit, or it is said to be missing.
#pragma once

#include "clock.h"
#include "log.h"
#include "plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinew::host {

/// A view of a mesh in the host's memory.
struct MeshView {
    Span<const float> points;                 ///< three per vertex
    Span<const std::uint32_t> face_sizes;     ///< corners of each face
    Span<const std::uint32_t> face_vertices;  ///< the vertex of each corner
    Span<const float> uvs;                    ///< two per UV; empty if there are none
    Span<const std::uint32_t> corner_uvs;     ///< the UV of each corner
};

/// What the host gives to an input: a view of its memory, which is read during the call.
struct PortValue {
    std::string port;
    std::variant<SinewArray, MeshView> value;
};

/// The value of a parameter: a number (a choice by its index, on and off as 1 and 0) or a text.
struct ParamValue {
    std::string param;
    std::variant<double, std::string> value;
};

/// Everything that a frame follows from. `still` and `still_params` are what no frame has of its own: they must be
/// there in every call, and an edit of them concerns all frames at once, as its undo does. Of what moves, the session
/// sees only the frame that it is asked for: edits elsewhere need `distrust`. A parameter that is in neither list has
/// its default, and the one that holds the frame rate has that of the clock.
struct Given {
    std::vector<PortValue> still, moving;
    std::vector<ParamValue> still_params, params;
    /// Which axis points up now, where that is not the session's: a user may change it.
    std::optional<std::int32_t> up_axis;
};

/// The results of a frame, by port.
struct Outputs {
    std::map<std::string, std::vector<double>> numbers;
    std::map<std::string, std::vector<std::uint32_t>> integers;
    std::uint64_t bytes() const;
};

enum class Found {
    /// The frame, as playing gives it.
    Computed,
    /// A step from a state that the frame does not follow from, for someone who waits for the frame: not what playing
    /// gives. `message` says from what, and what has to be computed; nothing ever goes on from it.
    Preview,
    /// No frame: those from `first_missing` to `last_missing` have to be computed first, as `message` says.
    Missing,
    /// No frame: `message` says what is wrong.
    Failed,
};

struct Answer {
    Found found = Found::Missing;
    /// There for a frame and for a preview.
    std::shared_ptr<const Outputs> outputs;
    std::string message;
    std::int64_t first_missing = 0, last_missing = 0;
    /// Whether it was computed by this call.
    bool stepped = false;
};

/// A node of the library with its frames. Every function may be called from any thread; those that compute wait for
/// each other.
class Session {
public:
    /// `name` gives the name of the host's node for log lines.
    Session(const Plan& plan, double metres_per_unit, std::int32_t up_axis, bool row_vectors, LogQueue& log);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// The frame at a moment: found, or computed from the state of the frame before. `wanted`: ids of outputs.
    /// `may_preview`: in place of a frame that is missing comes a step from the nearest state before it, if there is one,
    /// whatever that follows from. It is made once for the same inputs.
    Answer evaluate(const Given& given, const Clock& clock, const Moment& moment,
                    const std::vector<std::string>& wanted, bool may_preview = false);

    /// What moves was edited somewhere in these frames: they and all later ones are to be proved again, without being
    /// computed again where nothing has changed.
    void distrust(std::int64_t first);
    /// Everything is to be proved again.
    void distrust();
    void clear();

    /// The first frame that has to be computed so that one can be: the one after the last valid frame before it, or the
    /// first of the motion.
    std::int64_t first_needed(std::int64_t frame) const;

    void set_memory(std::uint64_t bytes);
    /// How much memory the frames from the first to `last` take, where some that were valid had to go for others; 0
    /// where all that were computed fit.
    std::uint64_t memory_needed(std::int64_t last) const;
    std::uint64_t memory_used() const;
    /// The frames that are known to be valid, as text for users: "1-20, 24"; in the host's numbers.
    std::string kept(const Clock& clock) const;
    /// Which frames have to be computed so that a moment can be shown, with its own one; in the same form.
    std::string missing(const Clock& clock, const Moment& moment) const;
    /// The report of the last good step, as JSON.
    std::string report() const;
    /// Stops a running step, which then has failed; nothing is kept of it.
    void cancel();
    /// Hears how far a step is, on any thread; returning false stops it. It must not evaluate.
    void listen(std::function<bool(double, const char*)> progress);
    /// The name of the host's node in log lines.
    void set_name(const std::string& name);

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

} // namespace sinew::host
