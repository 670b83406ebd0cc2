// The shapes of which pictures are made.
#pragma once

#include "draw.h"

#include <functional>
#include <stdexcept>

namespace sinew::host {

/// Why an output is not drawn.
struct NotDrawn : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The red of muscles, for shapes without numbers; and that of what is no flesh.
constexpr Colour flesh{0.71F, 0.25F, 0.22F, 1};
constexpr Colour plain{0.85F, 0.74F, 0.55F, 1};
constexpr Colour edges{0.08F, 0.08F, 0.1F, 1};

/// A mesh with places of its own.
struct Surface {
    std::vector<Point3> points;
    std::vector<std::uint32_t> face_sizes, face_vertices;
};

/// Throws NotDrawn unless every corner is one of the vertices, and faces have as many corners as there are.
void check_surface(const Surface& surface);
/// Means of the normals around each vertex, larger faces counting more.
std::vector<Point3> normals_of(const Surface& surface);
/// The mean length of the edges; 0 without any.
double edge_length(const Surface& surface);
/// Every edge once.
void add_edges(Lines& lines, const Surface& surface, const Colour& colour);

/// Colours by the number of the element.
using ColourOf = std::function<Colour(std::size_t)>;

/// The triangles of a mesh, whose colours are those of vertices, faces or corners (`per`). Places move outwards by
/// `lift`, so that what lies on another mesh is seen.
Triangles triangles_of(const Surface& surface, Per per, const ColourOf& colour, double lift);

/// A tube around a curve of two places or more, whose colours are those of its nodes (Per::Vertex) or of what lies
/// between them (Per::Segment), counted from 0 along the curve.
void add_tube(Triangles& to, const std::vector<Point3>& nodes, double radius, Per per, const ColourOf& colour);
/// The same as lines.
void add_line(Lines& to, const std::vector<Point3>& nodes, Per per, const ColourOf& colour);

} // namespace sinew::host
