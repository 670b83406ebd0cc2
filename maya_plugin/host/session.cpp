#include "session.h"

#include "digest.h"
#include "numbers.h"
#include "player.h"
#include "timeline.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>

namespace sinew::host {

namespace {

constexpr std::uint64_t default_memory = std::uint64_t{1} << 30;
/// Frames of nodes without a state follow from nothing but their inputs, so that only the last few are worth keeping.
constexpr std::size_t most_without_state = 8;

Digest digest_of(const PortValue& given) {
    Digester made;
    made.text(given.port);
    if (const auto* mesh = std::get_if<MeshView>(&given.value)) {
        made.text("mesh").values(mesh->points).values(mesh->face_sizes).values(mesh->face_vertices);
        made.values(mesh->uvs).values(mesh->corner_uvs);
    } else {
        made.text("array").array(std::get<SinewArray>(given.value));
    }
    return made.finish();
}

void add_param(Digester& made, const ParamValue& given) {
    made.text(given.param);
    if (const auto* text = std::get_if<std::string>(&given.value)) {
        made.text("text").text(*text);
    } else {
        made.text("number").number(std::get<double>(given.value));
    }
}

/// Adds when a file was last changed, and its size; nothing if there is no such file.
void add_file(Digester& made, const std::string& path) {
    // A parameter may also hold the text of a file, which is no path.
    if (path.empty() || path.find('\n') != std::string::npos) return;
    std::error_code missing;
    const std::filesystem::path file = std::filesystem::u8path(path);
    const auto changed = std::filesystem::last_write_time(file, missing);
    if (missing) return;
    const auto size = std::filesystem::file_size(file, missing);
    if (missing) return;
    made.text(path).number(static_cast<std::uint64_t>(changed.time_since_epoch().count()));
    made.number(static_cast<std::uint64_t>(size));
}

/// Frames as the user knows them: "1-20, 24".
std::string ranges_text(const std::vector<std::int64_t>& frames, const Clock& clock) {
    std::string text;
    for (std::size_t i = 0; i < frames.size();) {
        std::size_t last = i;
        while (last + 1 < frames.size() && frames[last + 1] == frames[last] + 1) ++last;
        const double first = clock.shown(frames[i]);
        text += (text.empty() ? "" : ", ") + frame_text(first);
        if (last > i) text += (first < 0 ? " to " : "-") + frame_text(clock.shown(frames[last]));
        i = last + 1;
    }
    return text;
}

/// The number of a moment as the user knows it.
std::string moment_text(const Clock& clock, const Moment& moment) {
    const double past = (moment.seconds - clock.of_frame(moment.frame).seconds) * clock.frames_per_second;
    return frame_text(clock.shown(moment.frame) + (moment.between ? past : 0));
}

/// The library's messages begin with the place, and name the frame where they know it.
std::string sentence(std::string message, bool names_frame, const Clock& clock, const Moment& moment) {
    if (!names_frame) {
        message = "Frame " + moment_text(clock, moment) + ": " + message;
    } else if (!message.empty()) {
        message[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(message[0])));
    }
    if (message.empty() || message.back() != '.') message += '.';
    return message;
}

bool has_all(const Outputs& outputs, const std::vector<std::string>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& port) {
        return outputs.numbers.count(port) + outputs.integers.count(port) > 0;
    });
}

/// Of all that a preview follows from.
Digest preview_key(const Request& request, const Moment& moment, const Outdated& from) {
    Digester made;
    made.digest(request.root).digest(request.mark).digest(from.before.link).number(moment.seconds);
    return made.finish();
}

Answer failed(std::string message) {
    Answer answer;
    answer.found = Found::Failed;
    answer.message = std::move(message);
    return answer;
}

} // namespace

std::uint64_t Outputs::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [port, values] : numbers) sum += port.size() + values.size() * sizeof values[0];
    for (const auto& [port, values] : integers) sum += port.size() + values.size() * sizeof values[0];
    return sum;
}

/// Locks: `computing` is held while the node steps; `state` only for moments, never while anything else is called; and
/// `hearing` likewise. What the library calls while it steps takes `hearing` and the log's own lock alone, so that it
/// waits for no lock of the host or of who asks for a frame.
struct Session::Inside {
    Inside(const Plan& plan, const Space& space, LogQueue& queue);

    Answer evaluate(const Given& given, const Clock& clock, const Moment& moment,
                    const std::vector<std::string>& wanted, bool may_preview);
    Request request_of(const Given& given, const Clock& clock) const;
    std::optional<Answer> look_up(const Request& request, const Moment& moment, const std::vector<std::string>& wanted,
                                  bool may_preview);
    Answer compute(const Request& request, const Moment& moment, const std::vector<std::string>& wanted,
                   bool may_preview);
    Answer preview(const Request& request, const Moment& moment, const std::vector<std::string>& wanted);
    std::optional<Answer> shown(const Request& request, const Moment& moment, const std::vector<std::string>& wanted);
    Answer shown_as(const Entry& entry, const Outdated& from, const Request& request, const Moment& moment);
    Answer failure(SinewStatus status, const std::string& message, const Request& request, const Moment& moment,
                   const std::optional<Before>& before);
    Answer missing_before(const Request& request, std::int64_t next, const std::string& why);
    bool follows(const Moment& moment) const { return stateful && next_of(moment) > 0; }
    /// The frame that a moment is, or before which it is.
    static std::int64_t next_of(const Moment& moment) { return moment.frame + (moment.between ? 1 : 0); }
    Listeners listeners();

    const std::string id;
    const bool stateful;
    const Space space;
    std::set<std::string> file_params;
    LogQueue& log;

    std::mutex computing;
    Player player;
    std::atomic<bool> stopped{false};

    mutable std::mutex state;
    Timeline timeline;
    /// That of the last request.
    Digest root;
    std::string report;

    std::mutex hearing;
    std::string name;
    std::shared_ptr<const std::function<bool(double, const char*)>> progress;
};

Session::Inside::Inside(const Plan& plan, const Space& in_space, LogQueue& queue)
    : id(plan.id), stateful(plan.stateful), space(in_space), log(queue),
      player(plan.id, plan.stateful, in_space, [this] { return listeners(); }),
      timeline(default_memory, stateful ? std::numeric_limits<std::size_t>::max() : most_without_state),
      name(plan.title) {
    for (const Attribute& attribute : plan.attributes) {
        if (attribute.of == Of::Param && attribute.is_file) file_params.insert(attribute.id);
    }
}

Listeners Session::Inside::listeners() {
    Listeners made;
    made.log = [this](int level, const char* message) {
        LogLine line{level, {}, message};
        {
            const std::lock_guard<std::mutex> lock(hearing);
            line.node = name;
        }
        log.push(std::move(line));
    };
    made.progress = [this](double done, const char* task) {
        if (stopped) return false;
        std::unique_lock<std::mutex> lock(hearing);
        const auto heard = progress;
        lock.unlock();
        return !heard || (*heard)(done, task);
    };
    return made;
}

Request Session::Inside::request_of(const Given& given, const Clock& clock) const {
    Request request;
    request.clock = clock;
    request.up_axis = given.up_axis.value_or(space.up_axis);
    Digester root_of, mark_of, files;
    root_of.text(id).text(sinew_version_string());
    root_of.number(space.metres_per_unit).number(static_cast<std::uint64_t>(request.up_axis));
    root_of.number(std::uint64_t{space.row_vectors});
    root_of.number(clock.of_frame(0).seconds).number(clock.frames_per_second);
    const auto add = [&](Digester& made, const std::vector<PortValue>& values, const std::vector<ParamValue>& params) {
        for (const PortValue& value : values) {
            const Digest digest = digest_of(value);
            request.ports.emplace_back(&value, digest);
            made.digest(digest);
        }
        for (const ParamValue& param : params) {
            request.params.push_back(&param);
            add_param(made, param);
            const auto* text = std::get_if<std::string>(&param.value);
            if (text && file_params.count(param.param) > 0) add_file(files, *text);
        }
    };
    add(root_of, given.still, given.still_params);
    add(mark_of, given.moving, given.params);
    // Nodes read their files anew in each step.
    request.root = root_of.digest(files.finish()).finish();
    request.mark = mark_of.finish();
    return request;
}

Answer Session::Inside::evaluate(const Given& given, const Clock& clock, const Moment& moment,
                                 const std::vector<std::string>& wanted, bool may_preview) {
    for (const std::string& port : wanted) {
        if (!player.has_output(port)) return failed("The node " + id + " has no output " + port + ".");
    }
    const Request request = request_of(given, clock);
    if (const std::optional<Answer> found = look_up(request, moment, wanted, may_preview)) return *found;
    const std::lock_guard<std::mutex> lock(computing);
    // Another thread may have computed it meanwhile.
    if (const std::optional<Answer> found = look_up(request, moment, wanted, may_preview)) return *found;
    return compute(request, moment, wanted, may_preview);
}

/// What can be answered without a step: the frame, a preview, or what is missing; nothing if the step can be made.
std::optional<Answer> Session::Inside::look_up(const Request& request, const Moment& moment,
                                               const std::vector<std::string>& wanted, bool may_preview) {
    const std::lock_guard<std::mutex> lock(state);
    root = request.root;
    if (!moment.between) {
        const Entry* entry = timeline.get(request.root, moment.frame, request.mark, follows(moment));
        if (entry && entry->outputs && has_all(*entry->outputs, wanted)) {
            Answer answer;
            answer.found = Found::Computed;
            answer.outputs = entry->outputs;
            return answer;
        }
    }
    if (!follows(moment) || timeline.before(request.root, next_of(moment))) return {};
    if (may_preview) return shown(request, moment, wanted);
    return missing_before(request, next_of(moment), "");
}

/// `state` is locked.
Answer Session::Inside::missing_before(const Request& request, std::int64_t next, const std::string& why) {
    Answer answer;
    answer.found = Found::Missing;
    const auto nearest = timeline.nearest(request.root, next);
    // Frames at or before the start follow from no other.
    answer.first_missing = std::max<std::int64_t>(0, nearest.value_or(-1) + 1);
    answer.last_missing = next - 1;
    const std::string first = frame_text(request.clock.shown(answer.first_missing));
    const std::string last = frame_text(request.clock.shown(answer.last_missing));
    answer.message = why + (first == last ? "Frame " + first + " has" : "Frames " + first + " to " + last + " have") +
                     " to be computed first.";
    return answer;
}

/// `computing` is locked.
Answer Session::Inside::compute(const Request& request, const Moment& moment, const std::vector<std::string>& wanted,
                                bool may_preview) {
    std::optional<Before> before;
    std::set<std::string> ports(wanted.begin(), wanted.end());
    {
        std::unique_lock<std::mutex> lock(state);
        if (follows(moment)) {
            before = timeline.before(request.root, next_of(moment));
            if (!before && !may_preview) return missing_before(request, next_of(moment), "");
            if (!before) {
                lock.unlock();
                return preview(request, moment, wanted);
            }
        }
        // Who asked for the frame before may ask for other outputs, and is to find them.
        const Entry* entry = moment.between ? nullptr
                                            : timeline.get(request.root, moment.frame, request.mark, follows(moment));
        if (entry && entry->outputs) {
            for (const auto& [port, values] : entry->outputs->numbers) ports.insert(port);
            for (const auto& [port, values] : entry->outputs->integers) ports.insert(port);
        }
    }
    stopped = false;
    Stepped stepped;
    try {
        stepped = player.step(request, moment, before, {ports.begin(), ports.end()}, !moment.between);
    } catch (const Error& error) {
        const std::string message = sentence(error.what(), error.place().frame >= 0, request.clock, moment);
        return failure(error.status(), message, request, moment, before);
    } catch (const std::invalid_argument& error) {
        const std::string message = sentence(error.what(), false, request.clock, moment);
        return failure(SINEW_INVALID_ARGUMENT, message, request, moment, before);
    }
    Answer answer;
    answer.found = Found::Computed;
    answer.outputs = stepped.outputs;
    answer.stepped = true;
    const std::lock_guard<std::mutex> lock(state);
    report = std::move(stepped.report);
    if (!moment.between) {
        const Digest from = before ? before->link : request.root;
        const Digest link = timeline.put(request.root, moment.frame, from, request.mark,
                                         {stepped.outputs, std::move(stepped.state), {}}, follows(moment));
        player.is_at(link);
    }
    return answer;
}

/// What is kept of a preview, or that nothing can be shown; nothing if a step has to be made. `state` is locked.
std::optional<Answer> Session::Inside::shown(const Request& request, const Moment& moment,
                                             const std::vector<std::string>& wanted) {
    const std::vector<Outdated> states = timeline.outdated_before(request.root, next_of(moment));
    for (const Outdated& from : states) {
        const bool is_next = !moment.between && from.same_root && from.frame + 1 == moment.frame;
        const Entry* entry = is_next ? timeline.after(from.before, moment.frame, request.mark) : nullptr;
        if (!entry) entry = timeline.preview(preview_key(request, moment, from));
        if (!entry || (entry->outputs && !has_all(*entry->outputs, wanted))) return {};
        if (entry->outputs) return shown_as(*entry, from, request, moment);
    }
    return missing_before(request, next_of(moment), "");
}

/// `state` is locked.
Answer Session::Inside::shown_as(const Entry& entry, const Outdated& from, const Request& request,
                                 const Moment& moment) {
    const char* const how = from.valid       ? ""
                            : from.same_root ? " as it was before an edit of the motion"
                                             : " as it was computed with other settings";
    Answer answer = missing_before(request, next_of(moment),
                                   "Preview: one step on from frame " + frame_text(request.clock.shown(from.frame)) +
                                       how + ". ");
    answer.found = Found::Preview;
    answer.outputs = entry.outputs;
    return answer;
}

/// A step from a state that does not fit what the node has now gives none; another may fit. `computing` is locked.
Answer Session::Inside::preview(const Request& request, const Moment& moment, const std::vector<std::string>& wanted) {
    std::unique_lock<std::mutex> lock(state);
    const std::vector<Outdated> states = timeline.outdated_before(request.root, next_of(moment));
    lock.unlock();
    stopped = false;
    for (const Outdated& from : states) {
        Entry entry;
        try {
            entry.outputs = player.step(request, moment, from.before, wanted, false).outputs;
        } catch (const Error& error) {
            if (error.status() == SINEW_INTERNAL) player.discard();
            entry.failure = error.what();
            if (error.status() == SINEW_CANCELLED) break;
        } catch (const std::invalid_argument& error) {
            entry.failure = error.what();
        }
        lock.lock();
        timeline.put_preview(preview_key(request, moment, from), entry);
        if (entry.outputs) {
            Answer answer = shown_as(entry, from, request, moment);
            answer.stepped = true;
            return answer;
        }
        lock.unlock();
    }
    lock.lock();
    return missing_before(request, next_of(moment), "");
}

/// `computing` is locked.
Answer Session::Inside::failure(SinewStatus status, const std::string& message, const Request& request,
                                const Moment& moment, const std::optional<Before>& before) {
    // A node with a bug refuses all further calls.
    if (status == SINEW_INTERNAL) player.discard();
    const std::lock_guard<std::mutex> lock(state);
    if (status == SINEW_OUT_OF_ORDER) {
        // The states are of another mesh or scene than the node has now.
        timeline.clear();
        return missing_before(request, next_of(moment), message + " ");
    }
    const bool is_settled = status != SINEW_CANCELLED && status != SINEW_INTERNAL;
    if (is_settled && before && !moment.between) {
        timeline.put(request.root, moment.frame, before->link, request.mark, {nullptr, before->state, message}, true);
    }
    return failed(message);
}

Session::Session(const Plan& plan, double metres_per_unit, std::int32_t up_axis, bool row_vectors, LogQueue& log)
    : inside_(std::make_unique<Inside>(plan, Space{metres_per_unit, up_axis, row_vectors}, log)) {}

Session::~Session() {
    cancel();
    const std::lock_guard<std::mutex> lock(inside_->computing);
}

Answer Session::evaluate(const Given& given, const Clock& clock, const Moment& moment,
                         const std::vector<std::string>& wanted, bool may_preview) {
    try {
        return inside_->evaluate(given, clock, moment, wanted, may_preview);
    } catch (const std::exception& error) {
        return failed(sentence(error.what(), false, clock, moment));
    } catch (...) {
        return failed(sentence("an unknown error", false, clock, moment));
    }
}

void Session::distrust(std::int64_t first) {
    const std::lock_guard<std::mutex> lock(inside_->state);
    inside_->timeline.distrust(first);
}

void Session::distrust() {
    const std::lock_guard<std::mutex> lock(inside_->state);
    inside_->timeline.distrust();
}

void Session::clear() {
    const std::lock_guard<std::mutex> lock(inside_->state);
    inside_->timeline.clear();
}

void Session::set_memory(std::uint64_t bytes) {
    const std::lock_guard<std::mutex> lock(inside_->state);
    inside_->timeline.set_limit(bytes);
}

std::uint64_t Session::memory_needed(std::int64_t last) const {
    const std::lock_guard<std::mutex> lock(inside_->state);
    if (!inside_->timeline.is_short() || last < 0) return 0;
    return inside_->timeline.largest() * (static_cast<std::uint64_t>(last) + 1);
}

std::int64_t Session::first_needed(std::int64_t frame) const {
    const std::lock_guard<std::mutex> lock(inside_->state);
    const auto nearest = inside_->timeline.nearest(inside_->root, frame);
    return std::min(frame, std::max<std::int64_t>(0, nearest.value_or(-1) + 1));
}

std::uint64_t Session::memory_used() const {
    const std::lock_guard<std::mutex> lock(inside_->state);
    return inside_->timeline.used();
}

std::string Session::kept(const Clock& clock) const {
    const std::lock_guard<std::mutex> lock(inside_->state);
    return ranges_text(inside_->timeline.frames(inside_->root), clock);
}

std::string Session::missing(const Clock& clock, const Moment& moment) const {
    const std::lock_guard<std::mutex> lock(inside_->state);
    const auto nearest = inside_->timeline.nearest(inside_->root, moment.frame + 1);
    const bool stands_alone = !inside_->stateful || moment.frame < 0;
    std::int64_t first = std::max<std::int64_t>(0, nearest.value_or(-1) + 1);
    if (stands_alone) first = nearest == moment.frame || moment.between ? moment.frame + 1 : moment.frame;
    std::vector<std::int64_t> frames;
    for (std::int64_t frame = first; frame <= moment.frame; ++frame) frames.push_back(frame);
    return ranges_text(frames, clock);
}

std::string Session::report() const {
    const std::lock_guard<std::mutex> lock(inside_->state);
    return inside_->report;
}

void Session::cancel() { inside_->stopped = true; }

void Session::listen(std::function<bool(double, const char*)> progress) {
    auto heard = std::make_shared<const std::function<bool(double, const char*)>>(std::move(progress));
    const std::lock_guard<std::mutex> lock(inside_->hearing);
    inside_->progress = *heard ? std::move(heard) : nullptr;
}

void Session::set_name(const std::string& name) {
    const std::lock_guard<std::mutex> lock(inside_->hearing);
    inside_->name = name;
}

} // namespace sinew::host
