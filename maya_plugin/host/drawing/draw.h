// From a frame's results to what a viewport is given.
#pragma once

#include "../session.h"
#include "drawable.h"
#include "primitives.h"

#include <optional>

namespace sinew::host {

struct DrawOptions {
    /// The ends of the colour scale; without, those of what is shown.
    std::optional<Range> range;
    /// Which number of an output that has several for each item, from 0.
    std::uint32_t component = 0;
    /// In pixels.
    double line_width = 2, point_size = 5;
    bool wireframe = false;
    /// Vectors are so many times as long; without units of length, the longest is twice as long as an edge of the mesh.
    double vector_scale = 1;
    /// Whether transforms are for row vectors, as a session's are that was made so.
    bool row_vectors = true;
    /// The name of the host's unit of length, for legends.
    std::string length_unit = "cm";
};

/// Draws outputs of a frame. `body`: the host's mesh, in the space of the node's places; null if there is none. What
/// cannot be drawn, since it is empty, has numbers that are none, or does not fit together, is left out and reported.
Picture draw(const std::vector<Drawable>& chosen, const Outputs& outputs, const MeshView* body,
             const DrawOptions& options);

} // namespace sinew::host
