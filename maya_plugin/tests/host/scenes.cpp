#include "scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace sinew::tests {

namespace {

constexpr double full_turn = 6.283185307179586;

using Matrix = std::array<double, 16>;

/// Joints for row vectors: one at the foot of the tube, one at its middle, turned about z.
std::vector<double> joints(double middle, double turn) {
    const Matrix foot{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const Matrix bent{std::cos(turn), std::sin(turn), 0, 0, -std::sin(turn), std::cos(turn), 0, 0, 0, 0, 1, 0, 0,
                      middle, 0, 1};
    std::vector<double> both(foot.begin(), foot.end());
    both.insert(both.end(), bent.begin(), bent.end());
    return both;
}

/// The tube bent to an arc.
std::vector<float> bent(const Tube& tube, double curvature) {
    std::vector<float> points = tube.points;
    for (std::size_t i = 0; i < points.size(); i += 3) {
        const double x = points[i], y = points[i + 1], turn = curvature * y;
        const double along = curvature == 0 ? y : std::sin(turn) / curvature;
        const double aside = curvature == 0 ? 0 : (1 - std::cos(turn)) / curvature;
        points[i] = static_cast<float>(aside + x * std::cos(turn));
        points[i + 1] = static_cast<float>(along - x * std::sin(turn));
    }
    return points;
}

double swing(double frame) { return std::sin(frame * 0.35) * 0.5 + frame * 0.01; }

/// What the jiggling scene has beside its motion.
struct Arm {
    explicit Arm(const Tube& in_tube) : tube(in_tube), rest(joints(tube.height() / 2, 0)) {
        for (std::size_t v = 0; v < tube.vertices(); ++v) {
            const double up = tube.points[3 * v + 1] / tube.height();
            counts.push_back(2);
            influences.insert(influences.end(), {0, 1});
            weights.insert(weights.end(), {1 - up, up});
        }
        const SinewArray matrices = array<const double>({rest.data(), rest.size()}, 16);
        const Rig rig({"foot", "middle"}, matrices, metres_per_unit, SINEW_UP_Y, true);
        MuscleSet set;
        set.add(rig, "flexor", "foot", "middle", 2.0);
        muscles = set.text();
    }

    Tube tube;
    std::vector<double> rest, weights;
    std::vector<std::uint32_t> counts, influences;
    std::string muscles;
};

template <class T>
host::PortValue given_array(const char* port, const std::vector<T>& values, std::uint32_t components) {
    return {port, array<const T>({values.data(), values.size()}, components)};
}

void set_port(Node& node, const host::PortValue& given) {
    if (const auto* view = std::get_if<host::MeshView>(&given.value)) {
        SinewMesh mesh{};
        mesh.struct_size = sizeof mesh;
        mesh.positions = array<const float>(view->points, 3);
        mesh.face_sizes = view->face_sizes.data();
        mesh.face_count = view->face_sizes.size();
        mesh.corner_vertices = view->face_vertices.data();
        mesh.corner_count = view->face_vertices.size();
        mesh.uvs = array<const float>(view->uvs, 2);
        mesh.corner_uvs = view->corner_uvs.data();
        return node.set_mesh(given.port.c_str(), mesh);
    }
    node.set_array(given.port.c_str(), std::get<SinewArray>(given.value));
}

/// A number of a scene is that of a real parameter or the index of a choice.
void set_param(Node& node, const host::Plan& plan, const host::ParamValue& given) {
    const char* id = given.param.c_str();
    if (const auto* text = std::get_if<std::string>(&given.value)) return node.set(id, *text);
    const double number = std::get<double>(given.value);
    const host::Attribute* attribute = plan.find(given.param);
    if (attribute && attribute->holds == host::Holds::Choice) {
        return node.set_choice(id, static_cast<std::uint32_t>(number));
    }
    node.set(id, number);
}

Outputs read(const Node& node, const Scene& scene) {
    Outputs outputs;
    for (const SinewNodeInfo& info : nodes()) {
        if (scene.node != info.id) continue;
        for (const SinewPortInfo& port : ports(info)) {
            const auto wanted = std::find(scene.outputs.begin(), scene.outputs.end(), port.id);
            if (port.direction != SINEW_OUTPUT || wanted == scene.outputs.end()) continue;
            if (port.whole) {
                outputs.integers[port.id] = node.output<std::uint32_t>(port.id, port.components);
            } else {
                outputs.numbers[port.id] = node.output<double>(port.id, port.components);
            }
        }
    }
    return outputs;
}

} // namespace

Tube::Tube(std::uint32_t rings, std::uint32_t around) {
    for (std::uint32_t ring = 0; ring <= rings; ++ring) {
        for (std::uint32_t i = 0; i < around; ++i) {
            const double turn = full_turn * i / around;
            points.insert(points.end(), {static_cast<float>(5 * std::cos(turn)), 2.0F * static_cast<float>(ring),
                                         static_cast<float>(5 * std::sin(turn))});
        }
        for (std::uint32_t i = 0; i <= around; ++i) {
            uvs.insert(uvs.end(), {static_cast<float>(i) / static_cast<float>(around),
                                   static_cast<float>(ring) / static_cast<float>(rings)});
        }
    }
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
        for (std::uint32_t i = 0; i < around; ++i) {
            const std::uint32_t next = (i + 1) % around, low = ring * around, high = low + around;
            face_sizes.push_back(4);
            face_vertices.insert(face_vertices.end(), {low + i, low + next, high + next, high + i});
            const std::uint32_t uv = ring * (around + 1) + i, above = uv + around + 1;
            corner_uvs.insert(corner_uvs.end(), {uv, uv + 1, above + 1, above});
        }
    }
}

host::MeshView Tube::view() const {
    return {points, face_sizes, face_vertices, uvs, corner_uvs};
}

Scene sliding() {
    const auto tube = std::make_shared<const Tube>(8, 8);
    const auto fixed = std::make_shared<std::vector<float>>(tube->vertices(), 0.0F);
    for (std::size_t i = 0; i < 8; ++i) (*fixed)[i] = 1;
    return {"skin_slider", {"uvs", "slid_points", "skin_faces"}, [tube, fixed](double number) {
                auto frame = std::make_unique<Frame>();
                frame->points = bent(*tube, 0.04 * swing(number));
                frame->given.still = {{"rest", tube->view()}, given_array("fixed", *fixed, 1)};
                frame->given.still_params = {{"young", 20000.0}};
                frame->given.moving = {given_array("points", frame->points, 3)};
                frame->given.params = {{"zeta", 0.5}};
                return frame;
            }};
}

Scene jiggling() {
    const auto arm = std::make_shared<const Arm>(Tube(8, 8));
    return {"muscle_skin", {"points", "muscle_points", "muscle_face_sizes"}, [arm](double number) {
                auto frame = std::make_unique<Frame>();
                frame->matrices = joints(arm->tube.height() / 2, swing(number));
                frame->given.still = {{"mesh", arm->tube.view()},
                                      given_array("rest_joints", arm->rest, 16),
                                      given_array("influence_counts", arm->counts, 1),
                                      given_array("influence_joints", arm->influences, 1),
                                      given_array("influence_weights", arm->weights, 1)};
                frame->given.still_params = {{"muscles", arm->muscles}, {"joint_names", std::string("foot,middle")}};
                frame->given.moving = {given_array("points", arm->tube.points, 3),
                                       given_array("joints", frame->matrices, 16)};
                frame->given.params = {{"jiggle", 1.5}};
                return frame;
            }};
}

const host::Plan& plan_of_node(const std::string& id) {
    static const std::vector<host::Plan> all = host::plans();
    for (const host::Plan& plan : all) {
        if (plan.id == id) return plan;
    }
    throw std::invalid_argument("no node " + id);
}

Played play(const Scene& scene, const host::Clock& clock, std::int64_t last) {
    const Context context;
    Node node(context, scene.node.c_str());
    node.set_space(metres_per_unit, SINEW_UP_Y);
    node.set_row_vectors(true);
    node.set_lean(true);
    node.set_restart(false);
    // As a job has it: frames have numbers from 0 seconds on.
    const double first = std::round(clock.start_seconds * clock.frames_per_second);
    const auto seconds = [&](std::int64_t number) {
        return (first + static_cast<double>(number)) / clock.frames_per_second;
    };
    node.set_start(seconds(0));
    for (const SinewNodeInfo& info : nodes()) {
        if (scene.node != info.id) continue;
        for (const SinewParamInfo& param : params(info)) {
            if (param.id == std::string("fps")) node.set("fps", clock.frames_per_second);
        }
    }
    const host::Plan& plan = plan_of_node(scene.node);
    Played played;
    for (std::int64_t number = 0; number <= last; ++number) {
        const auto frame = scene.frame(static_cast<double>(number));
        try {
            for (const auto& given : frame->given.still) set_port(node, given);
            for (const auto& given : frame->given.moving) set_port(node, given);
            for (const auto& given : frame->given.still_params) set_param(node, plan, given);
            for (const auto& given : frame->given.params) set_param(node, plan, given);
            node.step(number, seconds(number));
            played.push_back(read(node, scene));
        } catch (const Error&) {
            played.emplace_back();
        }
    }
    return played;
}

bool same_bits(const Outputs& one, const Outputs& other) {
    const auto same = [](const auto& a, const auto& b) {
        if (a.size() != b.size()) return false;
        for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y) {
            const auto& [port, values] = *x;
            if (port != y->first || values.size() != y->second.size()) return false;
            const std::size_t bytes = values.size() * sizeof values[0];
            if (bytes > 0 && std::memcmp(values.data(), y->second.data(), bytes) != 0) return false;
        }
        return true;
    };
    return same(one.numbers, other.numbers) && same(one.integers, other.integers);
}

} // namespace sinew::tests
