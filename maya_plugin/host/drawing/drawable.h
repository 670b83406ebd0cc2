// What of a node's outputs can be drawn in a viewport, and how: decided by what its ports hold, never by names.
#pragma once

#include "../plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::host {

enum class Form {
    Mesh,    ///< triangles of a mesh that the node makes
    Body,    ///< triangles of the host's body, for a map on it
    Curves,  ///< tubes, or lines where there is no radius
    Points,  ///< dots
    Triads,  ///< three short lines for each transform
    Vectors, ///< a line from each vertex of a mesh
};

/// To what of a shape each of the numbers that colour it belongs.
enum class Per {
    Nothing, ///< one colour for all
    Vertex,  ///< vertices of a mesh, nodes of curves, points
    Face,
    Corner,
    Curve,
    Segment, ///< what lies between a node of a curve and the next
    Owner,   ///< what the vertices of a mesh belong to, such as muscles
};

/// An output as it is drawn. Texts are empty for what it has not; ports are ids.
struct Drawable {
    /// The name of the host's attribute, by which users choose it.
    std::string name;
    std::string title, unit, quantity;
    Form form = Form::Points;
    /// The places: of points, nodes, vertices, or transforms. None for what is on the host's body.
    std::string points;
    /// Of meshes that the node makes.
    std::string face_sizes, face_vertices;
    /// Of curves: how many nodes each has, and how thick it is.
    std::string counts, radii;
    /// The numbers that colour it, or the vectors.
    std::string values;
    std::uint32_t components = 1;
    Per per = Per::Nothing;
    /// Whether the numbers say which part something belongs to, such as an island: each has a colour of its own.
    bool are_parts = false;
    /// For Per::Owner: which item each vertex belongs to.
    std::string owners;

    bool needs_body() const { return points.empty(); }
    /// The ids of all outputs that it needs.
    std::vector<std::string> ports() const;
};

/// Everything that can be drawn of a node, in the order of its outputs.
std::vector<Drawable> drawables(const Plan& plan);

/// What a user's list of names (between spaces or commas) chooses. An empty list chooses meshes that the node makes,
/// and curves; without any, its first map of one number, or else the first that can be drawn. Names of something else
/// end up in `unknown`.
std::vector<Drawable> choose(const std::vector<Drawable>& all, const std::string& names,
                             std::vector<std::string>& unknown);

} // namespace sinew::host
