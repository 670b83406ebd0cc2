// A scene of the stand-in in which the plug-in is loaded, with a body that moves.
#pragma once

#include "../host/check.h"
#include "../maya_api/scene.h"

#include <maya/MMatrix.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::tests {

/// Numbers of a frame that must agree to the last bit.
using Uvs = std::vector<float>;

/// A tube along y, open at its ends, with a seam in its UVs.
standin::MeshPlan tube(int rings, int around);
/// One of 8 by 8, half as wide again in one direction.
standin::MeshPlan wide_tube();
/// The tube bent to an arc, more in later frames.
std::vector<float> bent(const standin::MeshPlan& tube, double frame);

/// A muscle from one joint of the tube to the other, where the joints are at rest, as a text for `muscles`; its joints are
/// `foot,knee`.
std::string one_muscle(const MMatrix& place = MMatrix());

constexpr double first_frame = 1, last_frame = 24;

struct Stage {
    Stage();

    standin::Scene scene;

    /// A tube that a skin cluster bends: `body`, `bodyShape`, joints `foot` and `knee`, which is keyed.
    void add_skinned_body(int rings = 8, int around = 8);
    /// The same in two steps: `body`, and joints under `rig`, which may be moved; then the skin cluster and the keys.
    void add_joints_and_mesh(int rings = 8, int around = 8);
    void bind(int rings = 8, int around = 8);
    /// A blendShape `shapes` behind what deforms the body so far, whose only weight has keys.
    void add_shape(const standin::MeshPlan& target);
    /// A tube whose frames come from a file: a rest shape `restShape`, the motion `motion`, the shown shape
    /// `bodyShape`.
    void add_cached_body(int rings = 8, int around = 8);

    /// Runs a command; fails the test if it fails. Its results.
    std::vector<std::string> run(const std::string& line);
    /// That a command fails with a sentence that has these words, and leaves the scene as it was. `errors`: how many
    /// are said, where the host has its own to add.
    void refuses(const std::string& line, const std::string& words, std::size_t errors = 1);
    /// What a plug is connected to, by name; empty for nothing.
    std::string source(const std::string& plug) const;
    /// Creates a node on bodyShape by sinewCreate; its name.
    std::string create(const std::string& type);

    Uvs uvs() const { return scene.corner_uvs("bodyShape"); }
    /// The UVs of each frame of the range, in order.
    std::vector<Uvs> play();
    /// No message of the plug-in's to the host where the host does not allow it, and nothing else that it forbids.
    void check_faults();
};

/// All of a file.
std::string text_of(const std::filesystem::path& path);

/// What the UVs are where nothing is computed.
Uvs unslid(const standin::MeshPlan& tube);

} // namespace sinew::tests
