// Sinew for C++17: RAII handles, views of the caller's memory, exceptions. Header-only on top of sinew.h, so that no C++
// ABI crosses the library boundary. A complete program: examples/cpp/skinning.cpp.
//
// Threads, ownership and errors follow the rules at the top of sinew.h; an error code becomes a sinew::Error.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201703L
#error "sinew.hpp needs C++17: compile with -std=c++17 or /std:c++17"
#endif

#include <sinew/sinew.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew {

/// What a failed call throws: the message, the status and the place.
class Error : public std::runtime_error {
public:
    Error(SinewStatus status, const char* message, const SinewPlace& place)
        : std::runtime_error(message), status_(status), place_(place), port_(text(place.port)), param_(text(place.param)) {
        // These live until the next error of the thread only.
        place_.port = place_.param = nullptr;
    }

    /// One of the SINEW_ codes.
    SinewStatus status() const noexcept { return status_; }
    /// Frame, vertex, face, joint, line; -1 where unknown.
    const SinewPlace& place() const noexcept { return place_; }
    /// The id of the port or the parameter, empty where unknown.
    const std::string& port() const noexcept { return port_; }
    const std::string& param() const noexcept { return param_; }

private:
    static const char* text(const char* text) { return text ? text : ""; }

    SinewStatus status_;
    SinewPlace place_;
    std::string port_, param_;
};

/// Throws the error of the last call on this thread, unless `status` is SINEW_OK.
inline void check(SinewStatus status) {
    if (status == SINEW_OK) return;
    SinewPlace place{};
    place.struct_size = sizeof place;
    sinew_last_error_place(&place);
    throw Error(status, sinew_last_error_message(), place);
}

/// Throws unless the loaded library supports programs compiled with this header. A plug-in calls it first.
inline void check_version() { check(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR)); }

/// A view of `size` contiguous items of T, like C++20's std::span.
template <class T> class Span {
public:
    constexpr Span() noexcept = default;
    constexpr Span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /// Any container with data() and size(): std::vector, std::array, std::span.
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C&>().data()), T*>>>
    constexpr Span(C&& container) : data_(container.data()), size_(container.size()) {}

    constexpr T* data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr T* begin() const noexcept { return data_; }
    constexpr T* end() const noexcept { return data_ + size_; }
    constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

namespace detail {
template <class T> constexpr std::int32_t element() {
    using U = std::remove_const_t<T>;
    // Integer types count by their size; long long and size_t are too large.
    static_assert(std::is_same_v<U, float> || std::is_same_v<U, double> ||
                      (std::is_integral_v<U> && sizeof(U) == 4 && !std::is_same_v<U, bool>),
                  "arrays hold float, double or 32-bit integers");
    if (std::is_same_v<U, float>) return SINEW_F32;
    if (std::is_same_v<U, double>) return SINEW_F64;
    return std::is_signed_v<U> ? SINEW_I32 : SINEW_U32;
}

/// Calls a byte-returning function twice: first for the size, then for the bytes themselves.
template <class Bytes, class Handle, class Call> void fill(Bytes& bytes, Handle* handle, Call call) {
    std::uint64_t needed = 0;
    check(call(handle, nullptr, 0, &needed));
    bytes.resize(static_cast<std::size_t>(needed));
    check(call(handle, reinterpret_cast<std::uint8_t*>(bytes.data()), needed, &needed));
}

inline void check_multiple(std::size_t size, std::uint32_t components) {
    if (components == 0 || size % components != 0) throw std::invalid_argument("sinew: the size of the array is not a multiple of its components");
}
} // namespace detail

/// An array to read: packed items of `components` numbers.
template <class T> SinewArray array(Span<const T> values, std::uint32_t components) {
    detail::check_multiple(values.size(), components);
    return {sizeof(SinewArray), detail::element<T>(), components, 0, values.data(), values.size() / components, 0};
}

/// An array to write: packed items of `components` numbers.
template <class T> SinewArrayMut array_mut(Span<T> values, std::uint32_t components) {
    detail::check_multiple(values.size(), components);
    return {sizeof(SinewArrayMut), detail::element<T>(), components, 0, values.data(), values.size() / components, 0};
}

/// An array to read whose items are `stride` bytes apart, as in an array of structs.
template <class T>
SinewArray strided(const T* first, std::size_t count, std::uint32_t components, std::size_t stride) {
    return {sizeof(SinewArray), detail::element<T>(), components, 0, first, count, stride};
}

/// An array to write whose items are `stride` bytes apart; the bytes between them are not touched.
template <class T>
SinewArrayMut strided_mut(T* first, std::size_t count, std::uint32_t components, std::size_t stride) {
    return {sizeof(SinewArrayMut), detail::element<T>(), components, 0, first, count, stride};
}

/// The callbacks of a step. May be called from any thread; exceptions are swallowed; one in `progress` stops the step.
struct Listeners {
    /// Level 1 is a warning, 2 information, 3 details.
    std::function<void(int level, const char* message)> log;
    /// `done` from 0 to 1; return false to stop the step.
    std::function<bool(double done, const char* task)> progress;
};

/// How to create a context.
struct ContextOptions {
    /// 0: one per core. Results do not depend on it.
    std::uint32_t threads = 0;
    /// Steps run on the thread that calls them and start no other.
    bool on_calling_thread = false;
    /// Level 1 is a warning, 2 information, 3 details. May be called from any thread.
    std::function<void(int level, const char* message)> log;
    /// `done` from 0 to 1; return false to stop the step. May be called from any thread.
    std::function<bool(double done, const char* task)> progress;
};

/// The threads and callbacks shared by nodes. Nodes created from it keep it alive.
class Context {
public:
    explicit Context(ContextOptions options = {}) : state_(std::make_shared<State>(std::move(options))) {
        SinewContextConfig config{};
        config.struct_size = sizeof config;
        config.threads = state_->options.threads;
        config.flags = state_->options.on_calling_thread ? SINEW_ON_CALLING_THREAD : 0;
        config.log_user = config.progress_user = state_.get();
        if (state_->options.log) config.log = &State::on_log;
        if (state_->options.progress) config.progress = &State::on_progress;
        check(sinew_context_create(&config, &state_->handle));
    }

private:
    friend class Document;
    friend class Job;
    friend class MuscleSet;
    friend class Node;
    struct State {
        explicit State(ContextOptions o) : options(std::move(o)) {}
        State(const State&) = delete;
        State& operator=(const State&) = delete;
        ~State() { sinew_context_destroy(handle); }

        // Exceptions must not pass through C: a callback that throws is treated as one that asks to stop.
        static void on_log(void* user, std::int32_t level, const char* message) noexcept {
            try {
                static_cast<State*>(user)->options.log(level, message);
            } catch (...) {
            }
        }
        static std::int32_t on_progress(void* user, double done, const char* task) noexcept {
            try {
                return static_cast<State*>(user)->options.progress(done, task) ? 0 : 1;
            } catch (...) {
                return 1;
            }
        }

        ContextOptions options;
        SinewContext* handle = nullptr;
    };
    std::shared_ptr<State> state_;
};

/// A mesh that a node has made: three numbers per vertex, the number of corners of each face, the vertex of each corner.
struct OutputMesh {
    std::vector<double> points;
    std::vector<std::uint32_t> face_sizes;
    std::vector<std::uint32_t> face_vertices;
};

/// A node. Move-only; one call at a time, except cancel().
class Node {
public:
    Node(const Context& context, const char* id) : state_(context.state_) {
        SinewNode* node = nullptr;
        check(sinew_node_create(state_->handle, id, &node));
        node_.reset(node);
    }

    void set_space(double metres_per_unit, std::int32_t up_axis) {
        check(sinew_node_set_space(node_.get(), metres_per_unit, up_axis));
    }

    /// Whether this host's matrices are for row vectors, as in Maya.
    void set_row_vectors(bool rows) { check(sinew_node_set_row_vectors(node_.get(), rows)); }
    /// Sets callbacks for this node's steps, in place of those of its context.
    void listen(Listeners listeners) {
        auto made = std::make_unique<Listeners>(std::move(listeners));
        SinewNodeCallbacks callbacks{};
        callbacks.struct_size = sizeof callbacks;
        callbacks.user = made.get();
        if (made->log) callbacks.log = &Node::on_log;
        if (made->progress) callbacks.progress = &Node::on_progress;
        check(sinew_node_set_callbacks(node_.get(), &callbacks));
        listeners_ = std::move(made);
    }

    void set(const char* param, bool value) { check(sinew_node_set_bool(node_.get(), param, value)); }
    /// Any integer. One beyond int64_t is clamped to its maximum, which is outside the range of every parameter.
    template <class I, class = std::enable_if_t<std::is_integral_v<I> && !std::is_same_v<I, bool>>>
    void set(const char* param, I value) {
        constexpr auto most = static_cast<std::uintmax_t>(INT64_MAX);
        const bool large = value > 0 && static_cast<std::uintmax_t>(value) > most;
        check(sinew_node_set_int(node_.get(), param, large ? INT64_MAX : static_cast<std::int64_t>(value)));
    }
    void set(const char* param, float value) { set(param, static_cast<double>(value)); }
    void set(const char* param, double value) { check(sinew_node_set_real(node_.get(), param, value)); }
    /// A choice by its index.
    void set_choice(const char* param, std::uint32_t index) { check(sinew_node_set_choice(node_.get(), param, index)); }
    void set(const char* param, const char* value) { check(sinew_node_set_text(node_.get(), param, value)); }
    void set(const char* param, const std::string& value) { set(param, value.c_str()); }

    double number(const char* param) const {
        double value = 0;
        check(sinew_node_get_number(node_.get(), param, &value));
        return value;
    }
    std::string choice(const char* param) const {
        const char* id = nullptr;
        check(sinew_node_get_choice(node_.get(), param, &id));
        return id;
    }
    std::string text(const char* param) const {
        std::string value;
        fill(value, [param](SinewNode* node, std::uint8_t* buffer, std::uint64_t size, std::uint64_t* needed) {
            return sinew_node_get_text(node, param, buffer, size, needed);
        });
        return value;
    }

    void set_array(const char* port, const SinewArray& array) { check(sinew_node_set_array(node_.get(), port, &array)); }
    /// A container or C array of packed items with `components` numbers each.
    template <class C> void set_array(const char* port, const C& values, std::uint32_t components) {
        using T = std::remove_reference_t<decltype(*std::data(values))>;
        set_array(port, array<std::remove_const_t<T>>({std::data(values), std::size(values)}, components));
    }
    void set_mesh(const char* port, const SinewMesh& mesh) { check(sinew_node_set_mesh(node_.get(), port, &mesh)); }
    void clear_input(const char* port) { check(sinew_node_clear_input(node_.get(), port)); }

    bool is_set(const char* port) const {
        std::int32_t set = 0;
        check(sinew_node_input_is_set(node_.get(), port, &set));
        return set != 0;
    }

    /// A whole frame in one call: {"points", array} in, {"uvs", array} out. Returns a SINEW_HISTORY value.
    std::int32_t run(std::int64_t frame, double seconds, const std::vector<std::pair<const char*, SinewArray>>& in,
                     const std::vector<std::pair<const char*, SinewArrayMut>>& out) {
        std::vector<SinewPortArray> inputs;
        std::vector<SinewPortArrayMut> outputs;
        for (const auto& [port, array] : in) inputs.push_back({sizeof(SinewPortArray), 0, port, &array});
        for (const auto& [port, array] : out) outputs.push_back({sizeof(SinewPortArrayMut), 0, port, &array});
        std::int32_t history = SINEW_HISTORY_NONE;
        check(sinew_node_run(node_.get(), frame, seconds, inputs.data(), static_cast<std::uint32_t>(inputs.size()),
                             outputs.data(), static_cast<std::uint32_t>(outputs.size()), &history));
        return history;
    }

    /// Discards the state; the next frame is the first.
    void reset() { check(sinew_node_reset(node_.get())); }
    /// When the motion starts, in seconds.
    void set_start(double seconds) { check(sinew_node_set_start(node_.get(), 1, seconds)); }
    void clear_start() { check(sinew_node_set_start(node_.get(), 0, 0)); }
    /// Whether a frame without a state to continue from restarts; otherwise it fails with SINEW_OUT_OF_ORDER.
    void set_restart(bool allowed) { check(sinew_node_set_restart(node_.get(), allowed)); }
    /// Whether playback and continuing from lean states give the same bits; see sinew_node_set_lean.
    void set_lean(bool lean) { check(sinew_node_set_lean(node_.get(), lean)); }
    /// How the last good step continued the one before: a SINEW_HISTORY value.
    std::int32_t history() const {
        std::int32_t value = 0;
        check(sinew_node_history(node_.get(), &value));
        return value;
    }

    void step(std::int64_t frame, double seconds) { check(sinew_node_step(node_.get(), frame, seconds)); }
    void deform(std::int64_t frame, double seconds, const SinewArray& in, const SinewArrayMut& out) {
        check(sinew_node_deform(node_.get(), frame, seconds, &in, &out));
    }
    /// In place: packed points, float or double.
    template <class T> void deform(std::int64_t frame, double seconds, Span<T> points) {
        deform(frame, seconds, array<T>({points.data(), points.size()}, 3), array_mut<T>(points, 3));
    }

    std::size_t output_count(const char* port) const {
        std::uint64_t count = 0;
        check(sinew_node_output_count(node_.get(), port, &count));
        return static_cast<std::size_t>(count);
    }
    /// Whether an output will be read after the next steps: one that will not may stay empty, which saves its time.
    void want_output(const char* port, bool wanted) { check(sinew_node_want_output(node_.get(), port, wanted ? 1 : 0)); }
    /// The number of items that an output will have after a step with the inputs and parameters as they are now.
    std::size_t expected_count(const char* port) const {
        std::uint64_t count = 0;
        check(sinew_node_expected_count(node_.get(), port, &count));
        return static_cast<std::size_t>(count);
    }
    void read_output(const char* port, const SinewArrayMut& array) const {
        check(sinew_node_read_output(node_.get(), port, &array));
    }

    /// All items of an output, packed, with `components` numbers each.
    template <class T> std::vector<T> output(const char* port, std::uint32_t components) const {
        std::vector<T> values(output_count(port) * components);
        read_output(port, array_mut<T>({values.data(), values.size()}, components));
        return values;
    }

    /// A mesh that the node makes, as it was after the last good step.
    OutputMesh output_mesh(const SinewMeshInfo& mesh) const {
        return {output<double>(mesh.points, 3), output<std::uint32_t>(mesh.face_sizes, 1), output<std::uint32_t>(mesh.face_vertices, 1)};
    }

    /// The last good step's report as JSON.
    std::string report() const {
        std::string text;
        fill(text, sinew_node_report);
        return text;
    }
    std::vector<std::uint8_t> save_state() const {
        std::vector<std::uint8_t> bytes;
        fill(bytes, sinew_node_save_state);
        return bytes;
    }
    /// The minimum that the next frame needs; see sinew_node_save_lean_state.
    std::vector<std::uint8_t> save_lean_state() {
        std::vector<std::uint8_t> bytes;
        fill(bytes, sinew_node_save_lean_state);
        return bytes;
    }
    void load_state(Span<const std::uint8_t> bytes) {
        check(sinew_node_load_state(node_.get(), bytes.data(), bytes.size()));
    }

    /// Stops the running step; from any thread. A call just before a step is lost; a `progress` that returns false is not.
    void cancel() const { check(sinew_node_cancel(node_.get())); }

    SinewNode* handle() const noexcept { return node_.get(); }

private:
    template <class Bytes, class Call> void fill(Bytes& bytes, Call call) const {
        detail::fill(bytes, node_.get(), call);
    }

    struct Destroy {
        void operator()(SinewNode* node) const noexcept { sinew_node_destroy(node); }
    };
    // Exceptions must not pass through C: a callback that throws is treated as one that asks to stop.
    static void on_log(void* user, std::uint64_t, std::int32_t level, const char* message) noexcept {
        try {
            static_cast<Listeners*>(user)->log(level, message);
        } catch (...) {
        }
    }
    static std::int32_t on_progress(void* user, std::uint64_t, double done, const char* task) noexcept {
        try {
            return static_cast<Listeners*>(user)->progress(done, task) ? 0 : 1;
        } catch (...) {
            return 1;
        }
    }

    std::shared_ptr<Context::State> state_; // the callbacks must outlive the node
    std::unique_ptr<Listeners> listeners_;
    std::unique_ptr<SinewNode, Destroy> node_;
};

/// A character at rest: `joints` matrices of 16 numbers, and a skin or none. The arrays must outlive it.
class Rig {
public:
    Rig(std::vector<std::string> names, const SinewArray& rest_joints, double metres_per_unit, std::int32_t up_axis,
        bool row_vectors = false, const SinewMesh* skin = nullptr)
        : names_(std::move(names)) {
        for (const std::string& name : names_) pointers_.push_back(name.c_str());
        rig_ = {sizeof(SinewRig), up_axis, metres_per_unit, row_vectors, static_cast<std::uint32_t>(names_.size()),
                pointers_.data(), rest_joints, skin, nullptr, nullptr};
    }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    /// The index of each joint's parent, -1 for a root.
    void set_parents(std::vector<std::int32_t> parents) {
        if (parents.size() != names_.size()) throw std::invalid_argument("a rig needs a parent for each joint");
        parents_ = std::move(parents);
        rig_.joint_parents = parents_.data();
    }
    /// The role of each joint, such as "forearm.L"; an empty text where it is to be found.
    void set_roles(std::vector<std::string> roles) {
        if (roles.size() != names_.size()) throw std::invalid_argument("a rig needs a role, or an empty one, for each joint");
        roles_ = std::move(roles);
        role_pointers_.clear();
        for (const std::string& role : roles_) role_pointers_.push_back(role.c_str());
        rig_.joint_roles = role_pointers_.data();
    }
    /// What the joints do, as JSON.
    std::string roles() const {
        std::string text;
        detail::fill(text, &rig_, sinew_rig_roles);
        return text;
    }

    const SinewRig* get() const noexcept { return &rig_; }

private:
    std::vector<std::string> names_;
    std::vector<const char*> pointers_;
    std::vector<std::int32_t> parents_;
    std::vector<std::string> roles_;
    std::vector<const char*> role_pointers_;
    SinewRig rig_{};
};

/// A muscle set; its text goes to the parameter "muscles" of the node "muscle_skin". Move-only; one call at a time.
class MuscleSet {
public:
    /// From XML; an empty set from an empty text.
    explicit MuscleSet(const std::string& xml = {}) {
        SinewMuscles* made = nullptr;
        check(sinew_muscles_create(xml.c_str(), &made));
        muscles_.reset(made);
    }
    /// Fits the muscles of a plan (by default that of a human) to a rig, under its skin.
    static MuscleSet fit(const Rig& rig, const char* plan = nullptr) {
        SinewMuscles* made = nullptr;
        check(sinew_muscles_fit(plan, rig.get(), &made));
        return MuscleSet(made);
    }

    /// Lets the calls that follow use the threads and callbacks of a context, which the set keeps.
    void use(const Context& context) {
        check(sinew_muscles_set_context(muscles_.get(), context.state_->handle));
        state_ = context.state_;
    }
    /// Asks the running call to stop, from any thread: it throws an error with SINEW_CANCELLED.
    void cancel() const { check(sinew_muscles_cancel(muscles_.get())); }
    /// Replaces what the set holds by the muscles of a plan (by default that of a human) on a rig.
    void place(const Rig& rig, const char* plan = nullptr) { check(sinew_muscles_place(muscles_.get(), plan, rig.get())); }
    /// The default weights: a row for each vertex of the rig's skin, a column for each of so many muscles.
    std::vector<double> weights(const Rig& rig, std::size_t vertices, std::uint32_t muscles, std::uint32_t nearest = 4, double reach = 1,
                                std::uint32_t smooth = 6) {
        std::vector<double> found(vertices * muscles);
        const auto out = array_mut<double>(found, muscles);
        check(sinew_muscles_weights(muscles_.get(), rig.get(), nearest, reach, smooth, &out));
        return found;
    }

    /// A straight muscle from one joint to another; with size 0 it is fitted to the skin.
    void add(const Rig& rig, const std::string& name, const std::string& origin, const std::string& insertion, double size = 0) {
        check(sinew_muscles_add(muscles_.get(), rig.get(), name.c_str(), origin.c_str(), insertion.c_str(), nullptr, nullptr, size));
    }
    void remove(const std::string& name) { check(sinew_muscles_remove(muscles_.get(), name.c_str())); }
    /// Adds what is missing on the other side; returns the number of parts added.
    std::uint32_t mirror(std::uint32_t axis = 0) {
        std::uint32_t added = 0;
        check(sinew_muscles_mirror(muscles_.get(), axis, &added));
        return added;
    }
    /// The same on a rig, wherever it stands and however it is turned.
    std::uint32_t mirror(const Rig& rig) {
        std::uint32_t added = 0;
        check(sinew_muscles_mirror_on(muscles_.get(), rig.get(), &added));
        return added;
    }
    void copy(const Rig& from, const Rig& to) { check(sinew_muscles_copy(muscles_.get(), from.get(), to.get())); }
    /// Turns every joint through its range of motion; returns the number of problems, which are the first warnings of report().
    /// `push` is that of push_muscles and push_bones of the node, which are 0 by default.
    std::uint32_t range(const Rig& rig, double push = 1, double degrees = 0, const char* plan = nullptr) {
        std::uint32_t problems = 0;
        check(sinew_muscles_range(muscles_.get(), rig.get(), plan, push, degrees, &problems));
        return problems;
    }

    std::string text() const { return read(sinew_muscles_text); }
    /// What it holds, and the warnings of the last change, as JSON.
    std::string report() const { return read(sinew_muscles_report); }

    SinewMuscles* handle() const noexcept { return muscles_.get(); }

private:
    explicit MuscleSet(SinewMuscles* made) : muscles_(made) {}
    template <class Call> std::string read(Call call) const {
        std::string text;
        detail::fill(text, muscles_.get(), call);
        return text;
    }

    struct Destroy {
        void operator()(SinewMuscles* muscles) const noexcept { sinew_muscles_destroy(muscles); }
    };
    std::shared_ptr<Context::State> state_; // its callbacks must live as long as the set
    std::unique_ptr<SinewMuscles, Destroy> muscles_;
};

/// An authored document: a strand scene, a muscle set or a plan. What nobody changes keeps its bytes. Move-only; one call at a time.
class Document {
public:
    /// The number of an element.
    using Element = std::uint32_t;

    /// An empty one, in the host's unit and axes.
    Document(const char* type, double metres_per_unit, std::int32_t up_axis) {
        check(sinew_document_create(type, metres_per_unit, up_axis, out()));
    }
    static Document parse(const std::string& xml) {
        Document made;
        check(sinew_document_parse(xml.c_str(), made.out()));
        return made;
    }
    static Document load(const std::string& path) {
        Document made;
        check(sinew_document_load(path.c_str(), made.out()));
        return made;
    }
    void save(const std::string& path) { check(sinew_document_save(handle(), path.c_str())); }
    std::string text() const { return read(sinew_document_text); }

    /// The unit and axes of numbers from now on; until then, the document's own.
    void set_space(double metres_per_unit, std::int32_t up_axis) { check(sinew_document_set_space(handle(), metres_per_unit, up_axis)); }

    Element root() const { return list(SINEW_NO_ELEMENT).at(0); }
    /// The elements in another one, or those of one name.
    std::vector<Element> list(Element element, const char* name = nullptr) const {
        std::uint64_t count = 0;
        check(sinew_document_list(handle(), element, name, nullptr, 0, &count));
        std::vector<Element> found(static_cast<std::size_t>(count));
        if (count > 0) check(sinew_document_list(handle(), element, name, found.data(), count, &count));
        return found;
    }
    /// What an element is, as JSON.
    std::string describe(Element element) const {
        return read([element](SinewDocument* document, std::uint8_t* buffer, std::uint64_t size, std::uint64_t* needed) {
            return sinew_document_element(document, element, buffer, size, needed);
        });
    }

    /// The text of an attribute; empty if it is left out.
    std::string text_of(Element element, const char* attribute) const {
        return read([=](SinewDocument* document, std::uint8_t* buffer, std::uint64_t size, std::uint64_t* needed) {
            return sinew_document_get_text(document, element, attribute, buffer, size, needed, nullptr);
        });
    }
    void set_text(Element element, const char* attribute, const std::string& value) {
        check(sinew_document_set_text(handle(), element, attribute, value.c_str()));
    }
    /// Leaves an attribute out.
    void clear(Element element, const char* attribute) { check(sinew_document_set_text(handle(), element, attribute, nullptr)); }
    /// The numbers of an attribute or of its default; none if it has neither.
    std::vector<double> numbers(Element element, const char* attribute) const {
        std::array<double, 16> found{};
        std::uint64_t count = 0;
        check(sinew_document_get_numbers(handle(), element, attribute, found.data(), found.size(), &count));
        return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    void set_numbers(Element element, const char* attribute, Span<const double> numbers) {
        check(sinew_document_set_numbers(handle(), element, attribute, numbers.data(), numbers.size()));
    }

    /// Adds an element: behind `after`, or where elements of its kind belong.
    Element add(Element element, const char* name, Element after = SINEW_NO_ELEMENT) {
        Element added = 0;
        check(sinew_document_add(handle(), element, name, after, &added));
        return added;
    }
    void remove(Element element) { check(sinew_document_remove(handle(), element)); }
    /// Renames an element, also where others name it; returns how many attributes followed.
    std::uint32_t rename(Element element, const std::string& name) {
        std::uint32_t followed = 0;
        check(sinew_document_rename(handle(), element, name.c_str(), &followed));
        return followed;
    }

    /// An element with all that it contains, with its numbers and places in the host's world, as JSON.
    std::string read(Element element) const {
        return read([element](SinewDocument* document, std::uint8_t* buffer, std::uint64_t size, std::uint64_t* needed) {
            return sinew_document_read(document, element, buffer, size, needed);
        });
    }
    /// The axes at which an attribute such as "at" places an element in the host's world, row by row; none if it is left out.
    std::optional<std::array<double, 16>> place(Element element, const char* attribute = "at") const {
        std::array<double, 16> axes{};
        std::int32_t is_there = 0;
        check(sinew_document_get_place(handle(), element, attribute, axes.data(), &is_there));
        return is_there ? std::optional(axes) : std::nullopt;
    }
    /// Puts an element somewhere in the host's world.
    void set_place(Element element, const std::array<double, 16>& axes, const char* attribute = "at") {
        check(sinew_document_set_place(handle(), element, attribute, axes.data()));
    }

    /// The mesh that a shape names; its arrays belong to the document until the next call.
    SinewMesh mesh(Element shape) {
        SinewMesh found{};
        found.struct_size = sizeof found;
        check(sinew_document_mesh(handle(), shape, &found));
        return found;
    }
    /// Gives a shape a mesh, which save() writes to its file.
    void set_mesh(Element shape, const SinewMesh& mesh) { check(sinew_document_set_mesh(handle(), shape, &mesh)); }
    /// What save() writes to the file of a mesh that was set.
    std::string mesh_file(Element shape) const {
        return read([shape](SinewDocument* document, std::uint8_t* buffer, std::uint64_t size, std::uint64_t* needed) {
            return sinew_document_mesh_file(document, shape, buffer, size, needed);
        });
    }
    /// Where the joints of the animations that lead bodies are at rest, as JSON; reads their files.
    std::string joints() { return read(sinew_document_joints); }
    /// Where one of them is at rest, for a document whose files are elsewhere.
    void set_joint(const std::string& name, const std::array<double, 16>& axes) {
        check(sinew_document_set_joint(handle(), name.c_str(), axes.data()));
    }
    /// The element of a muscle; those that one element stood for become elements of their own.
    Element single(const std::string& muscle) {
        Element found = 0;
        check(sinew_document_single(handle(), muscle.c_str(), &found));
        return found;
    }

    /// Lets the calls that mirror, copy, expand or check use the threads and callbacks of a context, which the document keeps.
    void use(const Context& context) {
        check(sinew_document_set_context(handle(), context.state_->handle));
        state_ = context.state_;
    }
    /// Asks the running call to stop, from any thread: it throws an error with SINEW_CANCELLED.
    void cancel() const { check(sinew_document_cancel(handle())); }

    /// Makes an element of each muscle that stands for several; returns how many were added.
    std::uint32_t expand() {
        std::uint32_t added = 0;
        check(sinew_document_expand(handle(), &added));
        return added;
    }
    /// Mirrors at the plane perpendicular to an axis of the host's space; returns how many parts were added.
    std::uint32_t mirror(std::uint32_t axis = 0) {
        std::uint32_t added = 0;
        check(sinew_document_mirror(handle(), axis, nullptr, &added));
        return added;
    }
    /// Mirrors a muscle set between the sides of a rig.
    std::uint32_t mirror(const Rig& rig) {
        std::uint32_t added = 0;
        check(sinew_document_mirror(handle(), 0, rig.get(), &added));
        return added;
    }
    void copy(const Rig& from, const Rig& to) { check(sinew_document_copy(handle(), from.get(), to.get())); }

    /// All that is wrong with it, and the warnings of the last call that mirrored, copied or expanded it, as JSON.
    std::string faults() const { return read(sinew_document_check); }

    SinewDocument* handle() const noexcept { return document_.get(); }

private:
    Document() = default;
    template <class Call> std::string read(Call call) const {
        std::string text;
        detail::fill(text, document_.get(), call);
        return text;
    }
    /// Takes the handle that a call writes.
    struct Out {
        Document& document;
        SinewDocument* made = nullptr;
        ~Out() {
            if (made) document.document_.reset(made);
        }
        operator SinewDocument**() noexcept { return &made; }
    };
    Out out() noexcept { return Out{*this}; }

    struct Destroy {
        void operator()(SinewDocument* document) const noexcept { sinew_document_destroy(document); }
    };
    // Outlives the document, which calls its callbacks.
    std::shared_ptr<Context::State> state_;
    std::unique_ptr<SinewDocument, Destroy> document_;
};

/// The elements and attributes that a type of document may have, as JSON.
inline std::string describe_document(const char* type) {
    std::string text;
    detail::fill(text, type, sinew_document_describe);
    return text;
}

/// The numbers with which hosts begin an element that users draw, as JSON: of a "strand" in a scene of a size, or of a
/// "reel", "muscle" or "hill" of a strength in N; 0 stands for 100.
inline std::string starting_numbers(const char* element, double measure) {
    std::string text;
    detail::fill(text, element, [measure](const char* of, std::uint8_t* buffer, std::uint64_t size, std::uint64_t* needed) {
        return sinew_starting_numbers(of, measure, buffer, size, needed);
    });
    return text;
}

/// Those of the "inertia" of a bone without a shape, as JSON: a rod from the body's origin to an end in its own axes.
/// `density` is in kg/m^3; 0 stands for that of bone.
inline std::string rod_inertia(const std::array<double, 3>& end, double metres_per_unit, double density = 0) {
    std::string text;
    detail::fill(text, end.data(), [=](const double* at, std::uint8_t* buffer, std::uint64_t size, std::uint64_t* needed) {
        return sinew_rod_inertia(at, metres_per_unit, density, buffer, size, needed);
    });
    return text;
}

/// What a job runs, and how: the options of `sinew run`.
struct JobOptions {
    /// The path of the scene file.
    std::string scene;
    /// The folder to write into; empty for that of the scene.
    std::string folder;
    /// "solve", "images", "caches" or "page"; empty for everything.
    std::string only;
    /// Such as "1-48" or "1,5,9"; empty for all.
    std::string frames;
    /// NAME=VALUE, or NODE.NAME=VALUE if the scene has several nodes.
    std::vector<std::string> settings;
    /// Start over, even if an earlier run could be resumed.
    bool restart = false;
    /// Keep the results of the nodes for jobs with other images.
    bool keep = false;
    /// Check everything, and write nothing.
    bool dry_run = false;
};

/// A scene from its files to all its outputs, as `sinew run` makes them, with the threads and callbacks of a context. Move-only;
/// one call at a time, except cancel().
class Job {
public:
    Job(const Context& context, const JobOptions& options) : state_(context.state_) {
        const auto given = [](const std::string& text) { return text.empty() ? nullptr : text.c_str(); };
        std::vector<const char*> settings;
        for (const std::string& setting : options.settings) settings.push_back(setting.c_str());
        SinewJobConfig config{};
        config.struct_size = sizeof config;
        config.flags = (options.restart ? SINEW_JOB_RESTART : 0u) | (options.keep ? SINEW_JOB_KEEP : 0u) |
                       (options.dry_run ? SINEW_JOB_DRY_RUN : 0u);
        config.scene = options.scene.c_str();
        config.folder = given(options.folder);
        config.only = given(options.only);
        config.frames = given(options.frames);
        config.settings = settings.data();
        config.setting_count = static_cast<std::uint32_t>(settings.size());
        SinewJob* job = nullptr;
        check(sinew_job_create(state_->handle, &config, &job));
        job_.reset(job);
    }

    /// Computes and writes what earlier runs have left to do. Throws if frames failed or are wrong, too; then everything is
    /// written, and there is a report.
    void run() { check(sinew_job_run(job_.get())); }
    /// What the last run reports, as JSON; "{}" where there is nothing.
    std::string report() const {
        std::string text;
        detail::fill(text, job_.get(), sinew_job_report);
        return text;
    }
    /// Asks run() to stop, from any thread: it throws an error with SINEW_CANCELLED, and the next run resumes.
    void cancel() const { check(sinew_job_cancel(job_.get())); }

    SinewJob* handle() const noexcept { return job_.get(); }

private:
    struct Destroy {
        void operator()(SinewJob* job) const noexcept { sinew_job_destroy(job); }
    };
    // Outlives the job, which calls its callbacks.
    std::shared_ptr<Context::State> state_;
    std::unique_ptr<SinewJob, Destroy> job_;
};

/// The nodes of the library, in its order.
inline std::vector<SinewNodeInfo> nodes() {
    std::vector<SinewNodeInfo> all(sinew_node_count());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i].struct_size = sizeof all[i];
        check(sinew_node_info(i, &all[i]));
    }
    return all;
}

/// The meshes of a node.
inline std::vector<SinewMeshInfo> meshes(const SinewNodeInfo& node) {
    std::vector<SinewMeshInfo> all(node.mesh_count);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i].struct_size = sizeof all[i];
        check(sinew_mesh_info(node.id, i, &all[i]));
    }
    return all;
}

/// Whether an input or a parameter may change an output of a node.
inline bool affects(const char* node, const char* from, const char* output) {
    std::int32_t found = 0;
    check(sinew_affects(node, from, output, &found));
    return found != 0;
}

/// The ports of a node.
inline std::vector<SinewPortInfo> ports(const SinewNodeInfo& node) {
    std::vector<SinewPortInfo> all(node.port_count);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i].struct_size = sizeof all[i];
        check(sinew_port_info(node.id, i, &all[i]));
    }
    return all;
}

/// The parameters of a node.
inline std::vector<SinewParamInfo> params(const SinewNodeInfo& node) {
    std::vector<SinewParamInfo> all(node.param_count);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i].struct_size = sizeof all[i];
        check(sinew_param_info(node.id, i, &all[i]));
    }
    return all;
}

/// The choices of a parameter; `index` is the parameter's in params().
inline std::vector<SinewChoiceInfo> choices(const SinewNodeInfo& node, std::uint32_t index) {
    SinewParamInfo param{};
    param.struct_size = sizeof param;
    check(sinew_param_info(node.id, index, &param));
    std::vector<SinewChoiceInfo> all(param.choice_count);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i].struct_size = sizeof all[i];
        check(sinew_choice_info(node.id, index, i, &all[i]));
    }
    return all;
}

} // namespace sinew
