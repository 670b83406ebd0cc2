#include "character.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>

namespace sinew::tests {
namespace {

const char* const axes[] = {"X", "Y", "Z"};

void read_numbers(std::istream& in, double (&to)[3]) {
    for (double& number : to) in >> number;
}

CharacterJoint read_joint(std::istream& in) {
    CharacterJoint joint;
    in >> joint.name >> joint.parent;
    read_numbers(in, joint.place);
    read_numbers(in, joint.orientation);
    read_numbers(in, joint.turn);
    return joint;
}

Part read_part(std::istream& in) {
    Part part;
    std::size_t points = 0, uvs = 0, faces = 0;
    in >> part.name >> points >> uvs >> faces;
    part.mesh.points.resize(3 * points);
    for (float& number : part.mesh.points) in >> number;
    part.mesh.u.resize(uvs);
    part.mesh.v.resize(uvs);
    for (std::size_t i = 0; i < uvs; ++i) in >> part.mesh.u[i] >> part.mesh.v[i];
    for (std::size_t face = 0; face < faces && in; ++face) {
        int corners = 0, vertex = 0, uv = 0;
        in >> corners;
        part.mesh.face_sizes.push_back(corners);
        for (int i = 0; i < corners && in >> vertex >> uv; ++i) {
            part.mesh.face_vertices.push_back(vertex);
            if (uvs > 0) part.mesh.corner_uvs.push_back(uv);
        }
    }
    part.influences.resize(points);
    for (auto& of_vertex : part.influences) {
        std::size_t count = 0;
        in >> count;
        of_vertex.resize(in ? count : 0);
        for (auto& held : of_vertex) in >> held.first >> held.second;
    }
    return part;
}

/// The joints that hold a vertex of the part, and its weights by their places among these.
std::string bind(Stage& stage, const Character& character, const Part& part) {
    std::map<unsigned, unsigned> places;
    for (const auto& of_vertex : part.influences)
        for (const auto& held : of_vertex) places.emplace(held.first, 0);
    std::vector<std::string> names;
    for (auto& place : places) {
        place.second = static_cast<unsigned>(names.size());
        names.push_back(character.joints[place.first].name);
    }
    auto influences = part.influences;
    for (auto& of_vertex : influences)
        for (auto& held : of_vertex) held.first = places.at(held.first);
    return stage.scene.skin(part.name + "Shape", names, influences);
}

} // namespace

double Character::size() const {
    float low = INFINITY, high = -INFINITY;
    for (const float number : parts.front().mesh.points) {
        low = std::min(low, number);
        high = std::max(high, number);
    }
    return scale * (double{high} - double{low});
}

Character read_character(const std::filesystem::path& file) {
    std::ifstream in(file);
    Character character;
    std::size_t joints = 0, parts = 0;
    read_numbers(in, character.turned);
    in >> character.scale >> joints >> parts;
    for (std::size_t i = 0; i < joints && in; ++i) character.joints.push_back(read_joint(in));
    for (std::size_t i = 0; i < parts && in; ++i) character.parts.push_back(read_part(in));
    if (!in) throw std::runtime_error(file.string() + " is missing or broken: run tests/characters/write.py");
    return character;
}

void add_character(Stage& stage, const Character& character, double last) {
    standin::Scene& scene = stage.scene;
    scene.create("transform", "character");
    for (std::size_t k = 0; k < 3; ++k) {
        scene.set(std::string("character.rotate") + axes[k], character.turned[k]);
        scene.set(std::string("character.scale") + axes[k], character.scale);
    }
    for (const CharacterJoint& joint : character.joints) {
        const std::string above =
            joint.parent < 0 ? "character" : character.joints[static_cast<std::size_t>(joint.parent)].name;
        scene.create("joint", joint.name, above);
        for (std::size_t k = 0; k < 3; ++k) {
            scene.set(joint.name + ".translate" + axes[k], joint.place[k]);
            scene.set(joint.name + ".jointOrient" + axes[k], joint.orientation[k]);
        }
    }
    for (const Part& part : character.parts) {
        scene.create_mesh(part.name, part.mesh, "character");
        bind(stage, character, part);
    }
    for (const CharacterJoint& joint : character.joints)
        for (std::size_t k = 0; k < 3; ++k)
            if (std::abs(joint.turn[k]) > 1e-6)
                scene.key(joint.name + ".rotate" + axes[k], {{first_frame, 0}, {last, joint.turn[k]}});
}

} // namespace sinew::tests
