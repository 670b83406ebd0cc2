#include "tests/authoring/characters.h"

#include <cmath>
#include <map>
#include <utility>

namespace sinew::tests {
namespace {

/// A rotation about an axis of length 1, row by row for column vectors (Rodrigues).
std::array<Vector, 3> rotation(const Vector& axis, double degrees) {
    const double angle = degrees * 3.14159265358979323846 / 180, c = std::cos(angle), s = std::sin(angle);
    const auto [x, y, z] = axis;
    return {{{c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s},
             {y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s},
             {z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)}}};
}

Vector turned(const std::array<Vector, 3>& by, const Vector& v) {
    return {host::dot(by[0], v), host::dot(by[1], v), host::dot(by[2], v)};
}

} // namespace

Vector Stand::place(const Vector& point) const {
    return (0.01 / metres_per_unit) * (turned(rotation(axis, degrees), point) + by);
}

Matrix Stand::matrix(const Vector& at, double about_z) const {
    const auto own = rotation({0, 0, 1}, about_z), stand = rotation(axis, degrees);
    const Vector origin = place(at);
    Matrix found{};
    for (std::size_t k = 0; k < 3; ++k) {
        const Vector unit = turned(stand, {own[0][k], own[1][k], own[2][k]});
        // Row vectors: the axes are rows, the origin is the last row.
        for (std::size_t n = 0; n < 3; ++n) found[row_vectors ? 4 * k + n : 4 * n + k] = unit[n];
        found[row_vectors ? 12 + k : 4 * k + 3] = origin[k];
    }
    found[15] = 1;
    return found;
}

std::vector<host::Bone> finger_bones(const Stand& stand) {
    const char* names[] = {"index_metacarpal_L", "index_proximal_L", "index_middle_L", "index_distal_L"};
    const double begin[] = {-6, 0, 4.5, 7.2, 9};
    std::vector<host::Bone> bones;
    for (int k = 0; k < 4; ++k) {
        const std::string name = names[k];
        bones.push_back({{name, "object of " + name, stand.matrix({begin[k], 0, 0})}, k - 1, std::nullopt});
    }
    bones.back().end = stand.place({begin[4], 0, 0});
    return bones;
}

host::Stored finger(const Stand& stand) {
    host::Editing edit(host::scene_holder(), {}, stand.space());
    host::add_bodies(edit, finger_bones(stand), host::Lead::Roots, {{"turn_z", "-95 10"}});
    host::Route flexor{"flexor_L", "object of flexor", {}, {}, {}, 0.1 * 0.01 / stand.metres_per_unit};
    for (const double x : {-5.0, -0.8, 0.8, 3.8, 5.2, 6.7, 7.7, 8.4}) {
        flexor.points.push_back(stand.place({x, -0.6, 0}));
        flexor.point_objects.push_back("object of flexor.cv[" + std::to_string(flexor.points.size() - 1) + "]");
    }
    host::draw_strand(edit, flexor);
    host::Route extensor{"extensor_L", "object of extensor", {}, {}, {}, flexor.radius};
    for (const double x : {-5.0, -0.6, 0.6, 4.0, 5.0, 6.8}) extensor.points.push_back(stand.place({x, 0.6, 0}));
    host::draw_strand(edit, extensor);
    host::add_reel(edit, "flexor_L", "flexor_L", "first", 20);
    host::add_reel(edit, "extensor_L", "extensor_L", "first", 10);
    return edit.after();
}

namespace {

struct Limb {
    const char *joint, *parent;
    Vector from, to;
    double thick;
};

/// In centimetres, y up, looking along z, left at positive x: a T-pose.
const std::vector<Limb>& limbs() {
    static const std::vector<Limb> all{
        {"hips", "", {0, 95, 0}, {0, 105, 0}, 14},
        {"spine", "hips", {0, 105, 0}, {0, 120, 0}, 13},
        {"chest", "spine", {0, 120, 0}, {0, 152, 0}, 15},
        {"neck", "chest", {0, 145, 0}, {0, 155, 1}, 6},
        {"head", "neck", {0, 155, 1}, {0, 175, 2}, 9},
        {"shoulder_L", "chest", {2, 141, 0}, {16, 143, -2}, 6},
        {"upper_arm_L", "shoulder_L", {16, 143, -2}, {43, 143, -2}, 5},
        {"forearm_L", "upper_arm_L", {43, 143, -2}, {68, 143, -1}, 4},
        {"hand_L", "forearm_L", {68, 143, -1}, {84, 143, 0}, 3.5},
        {"thigh_L", "hips", {9, 92, 0}, {10, 49, 0}, 8},
        {"shin_L", "thigh_L", {10, 49, 0}, {10, 8, -3}, 5.5},
        {"foot_L", "shin_L", {10, 8, -3}, {11, 2, 12}, 4},
        {"toes_L", "foot_L", {11, 2, 12}, {11, 2, 18}, 3},
        {"shoulder_R", "chest", {-2, 141, 0}, {-16, 143, -2}, 6},
        {"upper_arm_R", "shoulder_R", {-16, 143, -2}, {-43, 143, -2}, 5},
        {"forearm_R", "upper_arm_R", {-43, 143, -2}, {-68, 143, -1}, 4},
        {"hand_R", "forearm_R", {-68, 143, -1}, {-84, 143, 0}, 3.5},
        {"thigh_R", "hips", {-9, 92, 0}, {-10, 49, 0}, 8},
        {"shin_R", "thigh_R", {-10, 49, 0}, {-10, 8, -3}, 5.5},
        {"foot_R", "shin_R", {-10, 8, -3}, {-11, 2, 12}, 4},
        {"toes_R", "foot_R", {-11, 2, 12}, {-11, 2, 18}, 3},
    };
    return all;
}

/// A box around a line, with a crack that a hair would not go through: separate closed boxes are those of a robot, which
/// has no muscles.
void add_box(host::Character& to, const Stand& stand, Vector from, Vector end, double thick) {
    const auto first = static_cast<std::uint32_t>(to.points.size() / 3);
    const Vector along = end - from;
    std::size_t main = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(along[k]) > std::abs(along[main])) main = k;
    // So that its faces look outwards.
    if (along[main] < 0) std::swap(from, end);
    for (int corner = 0; corner < 8; ++corner) {
        Vector at = corner & 4 ? end : from;
        at[(main + 1) % 3] += corner & 1 ? thick : -thick;
        at[(main + 2) % 3] += corner & 2 ? thick : -thick;
        for (const double x : stand.place(at)) to.points.push_back(static_cast<float>(x));
    }
    Vector crack = from;
    crack[(main + 1) % 3] -= 0.99 * thick;
    crack[(main + 2) % 3] -= 0.99 * thick;
    for (const double x : stand.place(crack)) to.points.push_back(static_cast<float>(x));
    const std::uint32_t faces[6][4] = {{8, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& face : faces) {
        to.face_sizes.push_back(4);
        for (const std::uint32_t corner : face) to.face_vertices.push_back(first + corner);
    }
}

} // namespace

host::Character human(const Stand& stand, double tall) {
    host::Character made;
    std::map<std::string, std::int32_t> index{{"", -1}};
    for (const Limb& limb : limbs()) {
        index.emplace(limb.joint, static_cast<std::int32_t>(made.joints.size()));
        made.joints.emplace_back(limb.joint);
        made.parents.push_back(index.at(limb.parent));
        const Matrix matrix = stand.matrix(tall * limb.from);
        made.rest.insert(made.rest.end(), matrix.begin(), matrix.end());
        add_box(made, stand, tall * limb.from, tall * limb.to, tall * limb.thick);
    }
    return made;
}

} // namespace sinew::tests
