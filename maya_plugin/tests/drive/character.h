// A skinned character that nobody here made (../characters), built in the stand-in's scene.
#pragma once

#include "stage.h"

#include <filesystem>
#include <utility>

namespace sinew::tests {

struct Part {
    std::string name;
    standin::MeshPlan mesh;
    /// For each vertex the joints, as places in the list of all, and their weights.
    std::vector<std::vector<std::pair<unsigned, double>>> influences;
};

struct CharacterJoint {
    std::string name;
    /// The place of the one above; -1 for none.
    int parent = -1;
    /// Translation, the angles of its orientation, and those that it turns by within the motion.
    double place[3] = {}, orientation[3] = {}, turn[3] = {};
};

struct Character {
    double turned[3] = {}, scale = 1;
    std::vector<CharacterJoint> joints;
    std::vector<Part> parts;
    /// The extent of its first part, in centimetres.
    double size() const;
};

/// Throws where the file is not one of characters/write.py's.
Character read_character(const std::filesystem::path& file);

/// Group, joints, meshes (NAME, NAMEShape) with their skin clusters, and keys from the first frame to `last`. Joints that
/// hold no vertex of a mesh are no influences of it.
void add_character(Stage& stage, const Character& character, double last);

} // namespace sinew::tests
