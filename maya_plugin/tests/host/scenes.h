// Small scenes for sessions, and the truth about them: what a node gives that plays them from the first frame on.
#pragma once

#include "host/session.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew::tests {

using host::Given;
using host::Outputs;

/// A tube along y, open at its ends, with a seam in its UVs.
struct Tube {
    Tube(std::uint32_t rings, std::uint32_t around);
    host::MeshView view() const;
    std::size_t vertices() const { return points.size() / 3; }
    float height() const { return points[points.size() - 2]; }

    std::vector<float> points, uvs;
    std::vector<std::uint32_t> face_sizes, face_vertices, corner_uvs;
};

/// What a frame follows from, with its memory.
struct Frame {
    std::vector<float> points;
    std::vector<double> matrices;
    std::shared_ptr<void> keeps;
    Given given;
};

/// A node with its inputs in each frame. What a test changes, it changes in `edit`.
struct Scene {
    std::string node;
    std::vector<std::string> outputs;
    /// In frames from the start; moments between have broken numbers.
    std::function<std::unique_ptr<Frame>(double)> frame;
};

/// Skin that slides over a tube that bends.
Scene sliding();
/// A muscle beneath a tube that bends at its middle, which jiggles.
Scene jiggling();

inline constexpr double metres_per_unit = 0.01;

/// The plan of a node.
const host::Plan& plan_of_node(const std::string& id);

/// A frame as playing gives it: nothing where the node refuses it.
using Played = std::vector<std::optional<Outputs>>;
/// Plays frames 0 to `last` on a node of the library.
Played play(const Scene& scene, const host::Clock& clock, std::int64_t last);

bool same_bits(const Outputs& one, const Outputs& other);

} // namespace sinew::tests
