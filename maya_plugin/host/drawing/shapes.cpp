#include "shapes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sinew::host {

namespace {

/// Each face's first corner, with its size.
template <class Use> void for_faces(const Surface& surface, Use use) {
    std::size_t first = 0;
    for (std::size_t face = 0; face < surface.face_sizes.size(); ++face) {
        use(face, first, std::size_t{surface.face_sizes[face]});
        first += surface.face_sizes[face];
    }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_of(const Surface& surface) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    found.reserve(surface.face_vertices.size());
    for_faces(surface, [&](std::size_t, std::size_t first, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint32_t a = surface.face_vertices[first + i];
            const std::uint32_t b = surface.face_vertices[first + (i + 1) % size];
            found.emplace_back(std::min(a, b), std::max(a, b));
        }
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace

void check_surface(const Surface& surface) {
    const std::uint64_t corners =
        std::accumulate(surface.face_sizes.begin(), surface.face_sizes.end(), std::uint64_t{0});
    if (corners != surface.face_vertices.size()) throw NotDrawn("its faces and their corners do not fit together");
    for (const std::uint32_t vertex : surface.face_vertices)
        if (vertex >= surface.points.size()) throw NotDrawn("a face has a vertex that does not exist");
}

std::vector<Point3> normals_of(const Surface& surface) {
    std::vector<Point3> normals(surface.points.size());
    for_faces(surface, [&](std::size_t, std::size_t first, std::size_t size) {
        const auto at = [&](std::size_t i) { return surface.points[surface.face_vertices[first + i]]; };
        Point3 area;
        for (std::size_t i = 2; i < size; ++i) area = area + cross(at(i - 1) - at(0), at(i) - at(0));
        for (std::size_t i = 0; i < size; ++i) {
            Point3& normal = normals[surface.face_vertices[first + i]];
            normal = normal + area;
        }
    });
    for (Point3& normal : normals) normal = unit(normal);
    return normals;
}

double edge_length(const Surface& surface) {
    const auto all = edges_of(surface);
    double sum = 0;
    for (const auto& [a, b] : all) sum += length(surface.points[b] - surface.points[a]);
    return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

void add_edges(Lines& lines, const Surface& surface, const Colour& colour) {
    for (const auto& [a, b] : edges_of(surface)) lines.add(surface.points[a], surface.points[b], colour);
}

Triangles triangles_of(const Surface& surface, Per per, const ColourOf& colour, double lift) {
    const std::vector<Point3> normals = normals_of(surface);
    Triangles made;
    const auto add = [&](std::uint32_t vertex, const Colour& its) {
        made.points.push_back(surface.points[vertex] + lift * normals[vertex]);
        made.normals.push_back(normals[vertex]);
        made.colours.push_back(its);
        return static_cast<std::uint32_t>(made.points.size() - 1);
    };
    const bool shared = per == Per::Vertex || per == Per::Nothing;
    if (shared)
        for (std::uint32_t vertex = 0; vertex < surface.points.size(); ++vertex) add(vertex, colour(vertex));
    for_faces(surface, [&](std::size_t face, std::size_t first, std::size_t size) {
        std::vector<std::uint32_t> corners(size);
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint32_t vertex = surface.face_vertices[first + i];
            corners[i] = shared ? vertex : add(vertex, colour(per == Per::Face ? face : first + i));
        }
        for (std::size_t i = 2; i < size; ++i)
            made.vertices.insert(made.vertices.end(), {corners[0], corners[i - 1], corners[i]});
    });
    return made;
}

namespace {

constexpr std::size_t sides = 10;

/// The direction of a curve at a node: between the lines before and after it.
Point3 direction_at(const std::vector<Point3>& nodes, std::size_t i) {
    const Point3 before = i > 0 ? unit(nodes[i] - nodes[i - 1]) : Point3{};
    const Point3 after = i + 1 < nodes.size() ? unit(nodes[i + 1] - nodes[i]) : Point3{};
    return unit(before + after);
}

Point3 any_normal(const Point3& along) {
    const Point3 other = std::abs(along.x) < 0.8 ? Point3{1, 0, 0} : Point3{0, 1, 0};
    return unit(cross(along, other));
}

/// Where a ring of a tube lies: its centre, two directions across, and how the curve bends there.
struct Station {
    Point3 centre, across, up;
    /// Towards which side, and how much wider the ring is on it, so that the tube is as thick in a bend as elsewhere.
    Point3 bend;
    double widening = 0;
};

Station station_at(const std::vector<Point3>& nodes, std::size_t i, const Point3& along, const Point3& across) {
    // A hairpin would have no end.
    constexpr double widest = 1;
    Station made{nodes[i], across, cross(along, across), {}, 0};
    if (i == 0 || i + 1 == nodes.size()) return made;
    const Point3 before = unit(nodes[i] - nodes[i - 1]);
    const double slant = dot(along, before);
    made.bend = unit(before - slant * along);
    made.widening = slant > 0 ? std::min(1 / slant - 1, widest) : widest;
    return made;
}

void add_ring(Triangles& to, const Station& at, double radius, const Colour& colour) {
    constexpr double turn = 6.283185307179586;
    for (std::size_t k = 0; k < sides; ++k) {
        const double angle = turn * static_cast<double>(k) / sides;
        const Point3 out = std::cos(angle) * at.across + std::sin(angle) * at.up;
        to.points.push_back(at.centre + radius * (out + (at.widening * dot(out, at.bend)) * at.bend));
        to.normals.push_back(out);
        to.colours.push_back(colour);
    }
}

/// Joins two rings that begin at vertices.
void join(Triangles& to, std::size_t from, std::size_t next) {
    const auto at = [](std::size_t ring, std::size_t k) { return static_cast<std::uint32_t>(ring + k % sides); };
    for (std::size_t k = 0; k < sides; ++k) {
        to.vertices.insert(to.vertices.end(), {at(from, k), at(from, k + 1), at(next, k + 1)});
        to.vertices.insert(to.vertices.end(), {at(from, k), at(next, k + 1), at(next, k)});
    }
}

/// Closes a tube where it ends; `outwards` leads away from it.
void add_cap(Triangles& to, const Point3& centre, const Point3& outwards, std::size_t ring, bool is_start,
             const Colour& colour) {
    const std::size_t first = to.points.size();
    for (std::size_t k = 0; k < sides; ++k) {
        const Point3 point = to.points[ring + k];
        to.points.push_back(point);
        to.normals.push_back(outwards);
        to.colours.push_back(colour);
    }
    to.points.push_back(centre);
    to.normals.push_back(outwards);
    to.colours.push_back(colour);
    for (std::size_t k = 0; k < sides; ++k) {
        const auto a = static_cast<std::uint32_t>(first + k), b = static_cast<std::uint32_t>(first + (k + 1) % sides);
        const auto middle = static_cast<std::uint32_t>(first + sides);
        if (is_start) to.vertices.insert(to.vertices.end(), {middle, b, a});
        else to.vertices.insert(to.vertices.end(), {middle, a, b});
    }
}

} // namespace

void add_tube(Triangles& to, const std::vector<Point3>& nodes, double radius, Per per, const ColourOf& colour) {
    const std::size_t last = nodes.size() - 1;
    const bool between = per == Per::Segment;
    Point3 across = any_normal(direction_at(nodes, 0));
    std::size_t ring = 0;
    for (std::size_t i = 0; i <= last; ++i) {
        const Point3 along = direction_at(nodes, i);
        // Without turning about the curve: what of the last normal is across the new direction.
        const Point3 carried = across - dot(across, along) * along;
        across = length(carried) > 1e-9 ? unit(carried) : any_normal(along);
        const Station station = station_at(nodes, i, along, across);
        if (i > 0) {
            const Colour its = colour(between ? i - 1 : i);
            const std::size_t end = to.points.size();
            add_ring(to, station, radius, its);
            join(to, ring, end);
            ring = end;
            if (i == last) add_cap(to, nodes[i], along, ring, false, its);
        }
        // What lies between two nodes has one colour: each piece has rings of its own.
        if (i == 0 || (between && i < last)) {
            ring = to.points.size();
            add_ring(to, station, radius, colour(i));
            if (i == 0) add_cap(to, nodes[i], -1.0 * along, ring, true, colour(i));
        }
    }
}

void add_line(Lines& to, const std::vector<Point3>& nodes, Per per, const ColourOf& colour) {
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const bool between = per == Per::Segment;
        to.points.push_back(nodes[i - 1]);
        to.colours.push_back(colour(i - 1));
        to.points.push_back(nodes[i]);
        to.colours.push_back(colour(between ? i - 1 : i));
    }
}

} // namespace sinew::host
