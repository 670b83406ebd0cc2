#include "draw.h"

#include "shapes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::host {

namespace {

/// A frame with what it is drawn on.
struct Scene {
    const Outputs& outputs;
    const MeshView* body;
    const DrawOptions& options;
    /// How large everything is that lies somewhere, for sizes of what has none.
    double size = 0;
};

std::vector<double> numbers_of(const Scene& scene, const std::string& port) {
    std::vector<double> found;
    if (const auto numbers = scene.outputs.numbers.find(port); numbers != scene.outputs.numbers.end()) {
        found = numbers->second;
    } else if (const auto wholes = scene.outputs.integers.find(port); wholes != scene.outputs.integers.end()) {
        found.assign(wholes->second.begin(), wholes->second.end());
    }
    if (found.empty()) throw NotDrawn("it has nothing in this frame");
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!std::isfinite(found[i]))
            throw NotDrawn("its value " + std::to_string(i) + " (counted from 0) is not a number");
    return found;
}

std::vector<std::uint32_t> wholes_of(const Scene& scene, const std::string& port) {
    std::vector<std::uint32_t> found;
    for (const double number : numbers_of(scene, port)) {
        if (number < 0 || number > double{UINT32_MAX}) throw NotDrawn("it has an index that does not exist");
        found.push_back(static_cast<std::uint32_t>(number));
    }
    return found;
}

std::vector<Point3> places_of(const Scene& scene, const std::string& port) {
    const std::vector<double> numbers = numbers_of(scene, port);
    std::vector<Point3> found(numbers.size() / 3);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    return found;
}

Surface surface_of(const Scene& scene) {
    if (!scene.body || scene.body->points.size() == 0)
        throw NotDrawn("it lies on the body, and no body is connected to this view");
    const MeshView& body = *scene.body;
    Surface made;
    for (std::size_t i = 0; i + 2 < body.points.size(); i += 3) {
        made.points.push_back({double{body.points[i]}, double{body.points[i + 1]}, double{body.points[i + 2]}});
    }
    made.face_sizes.assign(body.face_sizes.begin(), body.face_sizes.end());
    made.face_vertices.assign(body.face_vertices.begin(), body.face_vertices.end());
    return made;
}

Surface surface_of(const Scene& scene, const Drawable& of) {
    if (of.needs_body()) return surface_of(scene);
    Surface made;
    made.points = places_of(scene, of.points);
    if (of.face_sizes.empty()) return made;
    made.face_sizes = wholes_of(scene, of.face_sizes);
    made.face_vertices = wholes_of(scene, of.face_vertices);
    return made;
}

/// One number of each item.
std::vector<double> component_of(const Scene& scene, const Drawable& of) {
    const std::uint32_t component = scene.options.component;
    if (component >= of.components) {
        throw NotDrawn("it has " + std::to_string(of.components) + " numbers for each item, and number " +
                       std::to_string(component) + " is asked for: they count from 0");
    }
    const std::vector<double> all = numbers_of(scene, of.values);
    std::vector<double> found;
    for (std::size_t i = component; i < all.size(); i += of.components) found.push_back(all[i]);
    return found;
}

void expect(std::size_t found, std::size_t expected, const char* of) {
    if (found == expected) return;
    throw NotDrawn("it has " + std::to_string(found) + " items, and there are " + std::to_string(expected) + " " + of);
}

/// The scale of numbers, with its legend.
Range scale_of(const Scene& scene, const Drawable& of, Span<const double> values, Picture& picture) {
    const Range range = scene.options.range ? *scene.options.range : *range_of(values);
    const bool is_length = of.unit.empty() && (of.quantity == "length" || of.quantity == "displacement");
    picture.legends.push_back(legend_of(of.title, is_length ? scene.options.length_unit : of.unit, range));
    return range;
}

/// Numbers that stand for others: those of the items that vertices belong to.
std::vector<double> by_owner(const Scene& scene, const Drawable& of, const std::vector<double>& values) {
    std::vector<double> found;
    for (const std::uint32_t owner : wholes_of(scene, of.owners)) {
        if (owner >= values.size()) throw NotDrawn("a vertex belongs to an item that does not exist");
        found.push_back(values[owner]);
    }
    return found;
}

/// The colours of the vertices, faces or corners of a mesh.
ColourOf surface_colours(const Scene& scene, const Drawable& of, const Surface& surface, Picture& picture) {
    if (of.per == Per::Nothing) return [](std::size_t) { return flesh; };
    std::vector<double> values = component_of(scene, of);
    const Range range = of.are_parts ? Range{} : scale_of(scene, of, values, picture);
    if (of.per == Per::Owner) values = by_owner(scene, of, values);
    if (of.per == Per::Face) expect(values.size(), surface.face_sizes.size(), "faces");
    else if (of.per == Per::Corner) expect(values.size(), surface.face_vertices.size(), "corners");
    else expect(values.size(), surface.points.size(), "vertices");
    if (of.are_parts)
        return [values](std::size_t i) { return colour_of_part(static_cast<std::uint32_t>(values[i])); };
    return [values, range](std::size_t i) { return colour_of(values[i], range); };
}

void draw_surface(const Scene& scene, const Drawable& of, Picture& picture) {
    const Surface surface = surface_of(scene, of);
    check_surface(surface);
    // A map lies on the body that the host draws.
    constexpr double share = 1e-3;
    const double lift = of.form == Form::Body ? share * scene.size : 0;
    const Per per = of.per == Per::Owner ? Per::Vertex : of.per;
    picture.triangles.push_back(triangles_of(surface, per, surface_colours(scene, of, surface, picture), lift));
    if (!scene.options.wireframe) return;
    Lines lines;
    lines.width = 1;
    add_edges(lines, surface, edges);
    picture.lines.push_back(std::move(lines));
}

/// The colours of curves: of the nodes of each, of what lies between them, or of the curve.
struct CurveColours {
    Per per = Per::Nothing;
    std::vector<double> values;
    Range range;

    /// Of a curve, whose first node is one of all.
    ColourOf of(std::size_t curve, std::size_t first) const {
        return [this, curve, first](std::size_t i) {
            switch (per) {
            case Per::Vertex: return colour_of(values[first + i], range);
            // Each curve has one fewer of them than nodes.
            case Per::Segment: return colour_of(values[first - curve + i], range);
            case Per::Curve: return colour_of(values[curve], range);
            default: return plain;
            }
        };
    }
};

CurveColours curve_colours(const Scene& scene, const Drawable& of, std::size_t curves, std::size_t nodes,
                           Picture& picture) {
    CurveColours made;
    made.per = of.per;
    if (of.per == Per::Nothing) return made;
    made.values = component_of(scene, of);
    if (of.per == Per::Vertex) expect(made.values.size(), nodes, "nodes");
    if (of.per == Per::Curve) expect(made.values.size(), curves, "curves");
    if (of.per == Per::Segment) expect(made.values.size(), nodes - curves, "segments");
    made.range = scale_of(scene, of, made.values, picture);
    return made;
}

void draw_curves(const Scene& scene, const Drawable& of, Picture& picture) {
    const std::vector<Point3> points = places_of(scene, of.points);
    const std::vector<std::uint32_t> counts = wholes_of(scene, of.counts);
    const std::uint64_t nodes = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    expect(points.size(), nodes, "nodes in all curves");
    if (std::find(counts.begin(), counts.end(), 0U) != counts.end()) throw NotDrawn("a curve has no nodes");
    std::vector<double> radii(counts.size(), 0);
    if (!of.radii.empty()) radii = numbers_of(scene, of.radii);
    expect(radii.size(), counts.size(), "curves");
    const CurveColours colours = curve_colours(scene, of, counts.size(), points.size(), picture);
    Triangles tubes;
    Lines lines;
    lines.width = scene.options.line_width;
    std::size_t first = 0;
    for (std::size_t curve = 0; curve < counts.size(); ++curve) {
        const auto from = points.begin() + static_cast<std::ptrdiff_t>(first);
        const std::vector<Point3> one(from, from + static_cast<std::ptrdiff_t>(counts[curve]));
        const ColourOf colour = colours.of(curve, first);
        const Per per = of.per == Per::Segment ? Per::Segment : Per::Vertex;
        if (one.size() > 1 && radii[curve] > 0) add_tube(tubes, one, radii[curve], per, colour);
        else add_line(lines, one, per, colour);
        first += counts[curve];
    }
    if (!tubes.points.empty()) picture.triangles.push_back(std::move(tubes));
    if (!lines.points.empty()) picture.lines.push_back(std::move(lines));
}

void draw_points(const Scene& scene, const Drawable& of, Picture& picture) {
    Dots dots;
    dots.size = scene.options.point_size;
    dots.points = places_of(scene, of.points);
    if (of.per == Per::Nothing) {
        dots.colours.assign(dots.points.size(), plain);
    } else {
        const std::vector<double> values = component_of(scene, of);
        expect(values.size(), dots.points.size(), "points");
        const Range range = scale_of(scene, of, values, picture);
        for (const double value : values) dots.colours.push_back(colour_of(value, range));
    }
    picture.dots.push_back(std::move(dots));
}

/// Rows of an axis, or the origin as row 3: of matrices for row vectors, the rows as they are.
Point3 row_of(const double* matrix, std::size_t row, bool row_vectors) {
    const auto at = [&](std::size_t k) { return row_vectors ? matrix[4 * row + k] : matrix[4 * k + row]; };
    return {at(0), at(1), at(2)};
}

void draw_axes(const Scene& scene, const Drawable& of, Picture& picture) {
    constexpr Colour colours[] = {{0.9F, 0.15F, 0.15F, 1}, {0.2F, 0.7F, 0.2F, 1}, {0.2F, 0.35F, 0.95F, 1}};
    // One alone in the scene is as long as the host's unit.
    constexpr double share = 0.03;
    const double size = scene.size > 0 ? share * scene.size : 1;
    const std::vector<double> matrices = numbers_of(scene, of.points);
    Lines lines;
    lines.width = scene.options.line_width;
    for (std::size_t i = 0; i + 15 < matrices.size(); i += 16) {
        const Point3 origin = row_of(&matrices[i], 3, scene.options.row_vectors);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Point3 along = unit(row_of(&matrices[i], axis, scene.options.row_vectors));
            lines.add(origin, origin + size * along, colours[axis]);
        }
    }
    picture.lines.push_back(std::move(lines));
}

void draw_vectors(const Scene& scene, const Drawable& of, Picture& picture) {
    const Surface surface = surface_of(scene, of);
    check_surface(surface);
    const std::vector<Point3> vectors = places_of(scene, of.values);
    expect(vectors.size(), surface.points.size(), "vertices");
    std::vector<double> sizes;
    for (const Point3& vector : vectors) sizes.push_back(length(vector));
    const Range range = scale_of(scene, of, sizes, picture);
    double scale = scene.options.vector_scale;
    const double longest = *std::max_element(sizes.begin(), sizes.end());
    // What is no length in the scene is made as long as it can be told apart.
    if (of.quantity != "displacement") scale *= longest > 0 ? 2 * edge_length(surface) / longest : 0;
    Lines lines;
    lines.width = scene.options.line_width;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        if (sizes[i] > 0)
            lines.add(surface.points[i], surface.points[i] + scale * vectors[i], colour_of(sizes[i], range));
    }
    picture.lines.push_back(std::move(lines));
}

/// Where everything lies that has places of its own.
double size_of(const Scene& scene, const std::vector<Drawable>& chosen) {
    Box box;
    const auto add = [&](const Point3& point) {
        if (std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z)) box.add(point);
    };
    if (scene.body) {
        const Span<const float> points = scene.body->points;
        for (std::size_t i = 0; i + 2 < points.size(); i += 3) add({points[i], points[i + 1], points[i + 2]});
    }
    for (const Drawable& one : chosen) {
        const auto found = scene.outputs.numbers.find(one.points);
        if (found == scene.outputs.numbers.end()) continue;
        const std::vector<double>& numbers = found->second;
        if (one.form == Form::Triads) {
            for (std::size_t i = 0; i + 15 < numbers.size(); i += 16)
                add(row_of(&numbers[i], 3, scene.options.row_vectors));
        } else {
            for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) add({numbers[i], numbers[i + 1], numbers[i + 2]});
        }
    }
    return box.is_empty ? 0 : box.diagonal();
}

void draw_one(const Scene& scene, const Drawable& of, Picture& picture) {
    switch (of.form) {
    case Form::Mesh:
    case Form::Body: return draw_surface(scene, of, picture);
    case Form::Curves: return draw_curves(scene, of, picture);
    case Form::Points: return draw_points(scene, of, picture);
    case Form::Triads: return draw_axes(scene, of, picture);
    case Form::Vectors: return draw_vectors(scene, of, picture);
    }
}

template <class Shape> void move_to(std::vector<Shape>& to, std::vector<Shape>& from, Box* box) {
    for (Shape& shape : from) {
        if constexpr (!std::is_same_v<Shape, Legend>)
            for (const Point3& point : shape.points) box->add(point);
        to.push_back(std::move(shape));
    }
}

} // namespace

Picture draw(const std::vector<Drawable>& chosen, const Outputs& outputs, const MeshView* body,
             const DrawOptions& options) {
    Scene scene{outputs, body, options, 0};
    scene.size = size_of(scene, chosen);
    Picture picture;
    for (const Drawable& one : chosen) {
        // What fails half-way leaves nothing behind.
        Picture part;
        try {
            draw_one(scene, one, part);
        } catch (const NotDrawn& why) {
            picture.problems.push_back(one.title + " is not drawn: " + why.what() + ".");
            continue;
        }
        move_to(picture.triangles, part.triangles, &picture.box);
        move_to(picture.lines, part.lines, &picture.box);
        move_to(picture.dots, part.dots, &picture.box);
        move_to(picture.legends, part.legends, nullptr);
    }
    return picture;
}

} // namespace sinew::host
