#include "player.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>

namespace sinew::host {

namespace {

/// One for all nodes while there are any, so that threads that wait for work are not those of each node.
std::shared_ptr<const Context> shared_context() {
    static std::mutex mutex;
    static std::weak_ptr<const Context> shared;
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const Context> context = shared.lock();
    if (!context) shared = context = std::make_shared<const Context>();
    return context;
}

SinewMesh library_mesh(const std::string& port, const MeshView& view) {
    if (view.corner_uvs.size() != 0 && view.corner_uvs.size() != view.face_vertices.size()) {
        throw std::invalid_argument("The mesh of " + port + " has UVs for " + std::to_string(view.corner_uvs.size()) +
                                    " of " + std::to_string(view.face_vertices.size()) +
                                    " corners: give each face UVs, or none.");
    }
    SinewMesh mesh{};
    mesh.struct_size = sizeof mesh;
    mesh.positions = array<const float>(view.points, 3);
    mesh.face_sizes = view.face_sizes.data();
    mesh.face_count = view.face_sizes.size();
    mesh.corner_vertices = view.face_vertices.data();
    mesh.corner_count = view.face_vertices.size();
    mesh.uvs = array<const float>(view.uvs, 2);
    mesh.corner_uvs = view.corner_uvs.size() == 0 ? nullptr : view.corner_uvs.data();
    return mesh;
}

} // namespace

Player::Player(std::string id, bool stateful, const Space& space, std::function<Listeners()> listeners)
    : id_(std::move(id)), stateful_(stateful), space_(space), listeners_(std::move(listeners)) {
    for (const SinewNodeInfo& node : nodes()) {
        if (id_ != node.id) continue;
        for (const SinewPortInfo& port : ports(node)) {
            if (port.direction != SINEW_OUTPUT) continue;
            outputs_[port.id] = {port.components, port.kind == SINEW_PORT_INTS || port.whole != 0};
        }
        for (const SinewParamInfo& param : params(node)) params_[param.id] = param;
    }
}

void Player::create() {
    if (node_) return;
    if (!context_) context_ = shared_context();
    Node node(*context_, id_.c_str());
    node.listen(listeners_());
    node.set_space(space_.metres_per_unit, space_.up_axis);
    node.set_row_vectors(space_.row_vectors);
    node.set_lean(true);
    node.set_restart(false);
    node_ = std::move(node);
}

void Player::discard() {
    node_.reset();
    set_ports_.clear();
    set_params_.clear();
    clock_.reset();
    live_.reset();
}

void Player::set_clock(const Clock& clock) {
    const bool same = clock_ && clock_->start_seconds == clock.start_seconds &&
                      clock_->frames_per_second == clock.frames_per_second;
    if (same) return;
    node_->set_start(clock.of_frame(0).seconds);
    clock_ = clock;
}

void Player::set_param(const SinewParamInfo& info, const std::variant<double, std::string>& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return node_->set(info.id, *text);
    const double number = std::get<double>(value);
    constexpr double most = 9.0e18;
    const bool is_whole = std::abs(number) < most;
    switch (info.kind) {
    case SINEW_PARAM_BOOL: return node_->set(info.id, number != 0);
    case SINEW_PARAM_INT:
        if (is_whole) return node_->set(info.id, static_cast<std::int64_t>(std::llround(number)));
        break;
    case SINEW_PARAM_CHOICE: {
        const bool is_index = number >= 0 && number < std::numeric_limits<std::uint32_t>::max();
        const auto index = is_index ? static_cast<std::uint32_t>(std::lround(number)) : SINEW_NO_ELEMENT;
        return node_->set_choice(info.id, index);
    }
    default: break;
    }
    // What is no number of its kind is refused by the library, with the range.
    node_->set(info.id, number);
}

void Player::set_params(const std::vector<const ParamValue*>& params, const Clock& clock) {
    std::set<std::string> given;
    const auto set = [&](const std::string& id, const std::variant<double, std::string>& value) {
        given.insert(id);
        const auto known = set_params_.find(id);
        if (known != set_params_.end() && known->second == value) return;
        const auto info = params_.find(id);
        if (info == params_.end()) throw std::invalid_argument("The node has no parameter " + id + ".");
        set_param(info->second, value);
        set_params_[id] = value;
    };
    for (const ParamValue* param : params) set(param->param, param->value);
    if (params_.count(frame_rate_param) > 0 && given.count(frame_rate_param) == 0) {
        set(frame_rate_param, clock.frames_per_second);
    }
    for (auto known = set_params_.begin(); known != set_params_.end();) {
        if (given.count(known->first) > 0) {
            ++known;
            continue;
        }
        const SinewParamInfo& info = params_.at(known->first);
        if (info.kind == SINEW_PARAM_TEXT) {
            node_->set(info.id, info.default_text);
        } else {
            set_param(info, info.default_value);
        }
        known = set_params_.erase(known);
    }
}

void Player::set_ports(const Request& request) {
    for (auto known = set_ports_.begin(); known != set_ports_.end();) {
        const auto is_it = [&](const auto& given) { return given.first->port == known->first; };
        if (std::any_of(request.ports.begin(), request.ports.end(), is_it)) {
            ++known;
        } else {
            node_->clear_input(known->first.c_str());
            known = set_ports_.erase(known);
        }
    }
    for (const auto& [value, digest] : request.ports) {
        const auto known = set_ports_.find(value->port);
        if (known != set_ports_.end() && known->second == digest) continue;
        if (const auto* view = std::get_if<MeshView>(&value->value)) {
            node_->set_mesh(value->port.c_str(), library_mesh(value->port, *view));
        } else {
            node_->set_array(value->port.c_str(), std::get<SinewArray>(value->value));
        }
        set_ports_[value->port] = digest;
    }
}

Stepped Player::step(const Request& request, const Moment& moment, const std::optional<Before>& before,
                     const std::vector<std::string>& wanted, bool keeps) {
    if (space_.up_axis != request.up_axis) {
        // The space of a node that has been given arrays stays as it is.
        discard();
        space_.up_axis = request.up_axis;
    }
    create();
    set_clock(request.clock);
    set_params(request.params, request.clock);
    set_ports(request);
    // At or before the start of the clock the node starts afresh by itself.
    if (before && live_ != before->link) {
        live_.reset();
        node_->load_state({before->state->data(), before->state->size()});
        // A step that fails leaves the node there.
        live_ = before->link;
    }
    for (const auto& [port, output] : outputs_)
        node_->want_output(port.c_str(), std::find(wanted.begin(), wanted.end(), port) != wanted.end());
    const auto label = static_cast<std::int64_t>(std::floor(request.clock.shown(moment.frame)));
    node_->step(label, moment.seconds);
    live_.reset();
    Stepped stepped;
    stepped.outputs = read(wanted);
    stepped.report = node_->report();
    if (keeps && stateful_) {
        stepped.state = std::make_shared<const std::vector<std::uint8_t>>(node_->save_lean_state());
    }
    return stepped;
}

std::shared_ptr<const Outputs> Player::read(const std::vector<std::string>& wanted) const {
    auto outputs = std::make_shared<Outputs>();
    for (const std::string& port : wanted) {
        const Output& output = outputs_.at(port);
        if (output.whole) {
            outputs->integers[port] = node_->output<std::uint32_t>(port.c_str(), output.components);
        } else {
            outputs->numbers[port] = node_->output<double>(port.c_str(), output.components);
        }
    }
    return outputs;
}

} // namespace sinew::host
