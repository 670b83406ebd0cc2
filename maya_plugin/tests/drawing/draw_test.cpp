// Pictures of frames: colours and legends, what cannot be drawn, boxes, and scenes that are elsewhere or larger.
#include "../host/check.h"
#include "../host/scenes.h"
#include "host/drawing/draw.h"
#include "host/drawing/shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sinew;
using namespace sinew::host;
using namespace sinew::tests;

namespace {

std::vector<Drawable> chosen(const std::string& node, const std::string& names) {
    std::vector<std::string> unknown;
    std::vector<Drawable> found = choose(drawables(plan_of_node(node)), names, unknown);
    CHECK(unknown.empty());
    return found;
}

std::string all_names(const std::string& node) {
    std::string names;
    for (const Drawable& one : drawables(plan_of_node(node))) names += one.name + " ";
    return names;
}

const Colour first{68 / 255.0F, 1 / 255.0F, 84 / 255.0F, 1}, last{253 / 255.0F, 231 / 255.0F, 37 / 255.0F, 1};

/// The lightness that people see (CIE L*), from sRGB.
double lightness(const Colour& colour) {
    const auto linear = [](float value) {
        const double v = value;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

void colours() {
    CHECK(colour_at(0) == first);
    CHECK(colour_at(1) == last);
    CHECK(colour_at(-5) == first);
    CHECK(colour_at(5) == last);
    CHECK(colour_of(3, {3, 7}) == first);
    CHECK(colour_of(7, {3, 7}) == last);
    CHECK(colour_of(5, {3, 7}) == colour_at(0.5));
    CHECK(colour_of(3, {3, 3}) == first);
    // Equal steps look equal: each is as much lighter as the others, to a third.
    const double whole = lightness(last) - lightness(first);
    for (int i = 0; i < 16; ++i) {
        const double step = lightness(colour_at((i + 1) / 16.0)) - lightness(colour_at(i / 16.0));
        CHECK(step > whole / 16 * 0.67 && step < whole / 16 * 1.33);
    }
    const std::vector<double> values{4, -2, 9, 0};
    CHECK_EQUAL(range_of(values)->low, -2.0);
    CHECK_EQUAL(range_of(values)->high, 9.0);
    CHECK(!range_of(std::vector<double>{}));
}

/// Each part has a colour of its own, and what belongs to none is grey.
void parts() {
    for (std::uint32_t a = 0; a < 12; ++a) {
        for (std::uint32_t b = 0; b < a; ++b) {
            const Colour one = colour_of_part(a), other = colour_of_part(b);
            const float off = std::max({std::abs(one.red - other.red), std::abs(one.green - other.green),
                                        std::abs(one.blue - other.blue)});
            CHECK(off > 0.05F);
        }
    }
    CHECK(colour_of_part(SINEW_NO_ELEMENT) == (Colour{0.5F, 0.5F, 0.5F, 1}));
}

void legends() {
    const Legend legend = legend_of("Tension", "N", {-1, 3});
    CHECK_EQUAL(legend.title, "Tension (N)");
    CHECK_EQUAL(legend.marks.size(), std::size_t{5});
    CHECK_EQUAL(legend.marks.front().text, "-1");
    CHECK_EQUAL(legend.marks.front().place, 0.0);
    CHECK_EQUAL(legend.marks[2].text, "1");
    CHECK_EQUAL(legend.marks.back().text, "3");
    CHECK_EQUAL(legend.marks.back().place, 1.0);
    CHECK_EQUAL(legend_of("Stretch", "", {1, 1.25}).title, "Stretch");
    CHECK_EQUAL(legend_of("Stretch", "", {1, 1.25}).marks[1].text, "1.06");
}

/// Two strands, of three and two nodes.
Outputs strands() {
    Outputs made;
    made.numbers["strand_points"] = {0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 5, 0, 3, 5};
    made.integers["strand_counts"] = {3, 2};
    made.numbers["strand_radii"] = {0.1, 0.25};
    made.numbers["tensions"] = {2, 6, 4};
    made.numbers["body_matrices"] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 7, 8, 9, 1};
    return made;
}

double distance_to_line(const Point3& p, const Point3& a, const Point3& b) {
    return length(cross(p - a, b - a)) / length(b - a);
}

void curves_as_tubes() {
    const Picture picture = draw(chosen("strand", "out_tensions"), strands(), nullptr, {});
    CHECK(picture.problems.empty());
    CHECK_EQUAL(picture.triangles.size(), std::size_t{1});
    const Triangles& tubes = picture.triangles.at(0);
    CHECK_EQUAL(picture.legends.at(0).title, "Tensions (N)");
    CHECK_EQUAL(picture.legends.at(0).marks.front().text, "2");
    CHECK_EQUAL(picture.legends.at(0).marks.back().text, "6");
    // Each piece has the colour of its tension, and its vertices are a radius away from it.
    const Point3 a{0, 0, 0}, b{1, 0, 0}, c{2, 1, 0}, d{0, 0, 5}, e{0, 3, 5};
    std::size_t low = 0, middle = 0, high = 0;
    for (std::size_t i = 0; i < tubes.points.size(); ++i) {
        const Point3& p = tubes.points[i];
        double off = 0, radius = 0.1;
        if (tubes.colours[i] == first && ++low) off = distance_to_line(p, a, b);
        else if (tubes.colours[i] == last && ++high) off = distance_to_line(p, b, c);
        else if (tubes.colours[i] == colour_at(0.5) && ++middle) off = distance_to_line(p, d, e), radius = 0.25;
        else CHECK(false);
        // The middle of a cap lies on the curve.
        CHECK(off < 1e-12 || std::abs(off - radius) < 1e-12);
    }
    CHECK(low > 0 && middle > 0 && high > 0);
    // Triangles look outwards.
    for (std::size_t i = 0; i < tubes.vertices.size(); i += 3) {
        const auto at = [&](std::size_t k) { return tubes.points[tubes.vertices[i + k]]; };
        const Point3 normal = cross(at(1) - at(0), at(2) - at(0));
        CHECK(dot(normal, tubes.normals[tubes.vertices[i]]) > 0);
    }
}

void curves_without_radius_are_lines() {
    Outputs outputs = strands();
    outputs.numbers["strand_radii"] = {0, 0};
    DrawOptions options;
    options.line_width = 3;
    options.range = Range{0, 4};
    const Picture picture = draw(chosen("strand", "out_tensions"), outputs, nullptr, options);
    CHECK(picture.triangles.empty());
    const Lines& lines = picture.lines.at(0);
    CHECK_EQUAL(lines.width, 3.0);
    CHECK_EQUAL(lines.points.size(), std::size_t{6});
    CHECK(lines.colours[0] == colour_at(0.5) && lines.colours[1] == colour_at(0.5));
    // Beyond the fixed range: the end.
    CHECK(lines.colours[2] == last && lines.colours[4] == last);
    CHECK_EQUAL(picture.legends.at(0).marks.back().text, "4");
}

void axes_of_transforms() {
    DrawOptions options;
    const Picture rows = draw(chosen("strand", "out_body_matrices"), strands(), nullptr, options);
    const Lines& lines = rows.lines.at(0);
    CHECK_EQUAL(lines.points.size(), std::size_t{6});
    CHECK_EQUAL(lines.points[0].x, 7.0);
    CHECK_EQUAL(lines.points[0].z, 9.0);
    // The first row is the x axis, without its scale.
    CHECK_EQUAL(lines.points[1].x, 7.0);
    CHECK_EQUAL(lines.points[1].y, 9.0);
    options.row_vectors = false;
    Outputs columns;
    columns.numbers["body_matrices"] = {0, -2, 0, 7, 2, 0, 0, 8, 0, 0, 2, 9, 0, 0, 0, 1};
    const Picture same = draw(chosen("strand", "out_body_matrices"), columns, nullptr, options);
    for (std::size_t i = 0; i < 6; ++i) CHECK_EQUAL(length(same.lines.at(0).points[i] - lines.points[i]), 0.0);
}

/// A body of two faces, a square and a triangle beside it.
struct Card {
    std::vector<float> points{0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 4, 1, 0};
    std::vector<std::uint32_t> sizes{4, 3}, corners{0, 1, 2, 3, 1, 4, 2};

    MeshView view() const { return {points, sizes, corners, {}, {}}; }
};

void maps_on_the_body() {
    const Card card;
    const MeshView body = card.view();
    Outputs outputs;
    outputs.numbers["slide_distance"] = {1, 2, 3, 4, 5};
    const Picture picture = draw(chosen("skin_slider", "out_slide_distance"), outputs, &body, {});
    const Triangles& mesh = picture.triangles.at(0);
    CHECK_EQUAL(mesh.points.size(), std::size_t{5});
    CHECK_EQUAL(mesh.vertices.size(), std::size_t{9});
    CHECK(mesh.colours[0] == first && mesh.colours[4] == last && mesh.colours[2] == colour_at(0.5));
    // Just outside of the body.
    for (std::size_t i = 0; i < 5; ++i) CHECK(mesh.points[i].z > 0 && mesh.points[i].z < 0.01);
    CHECK_EQUAL(picture.legends.at(0).title, "Slide Distance (cm)");
    // The same of faces: sharp borders.
    Outputs faces;
    faces.numbers["stretch"] = {1, 3};
    const Picture flat = draw(chosen("charts", "out_stretch"), faces, &body, {});
    CHECK_EQUAL(flat.triangles.at(0).points.size(), std::size_t{7});
    CHECK(flat.triangles.at(0).colours[3] == first && flat.triangles.at(0).colours[4] == last);
    // Islands are no measure: no legend, and none for what is in no island.
    Outputs islands;
    islands.integers["charts"] = {7, SINEW_NO_ELEMENT};
    const Picture parted = draw(chosen("charts", ""), islands, &body, {});
    CHECK(parted.legends.empty());
    CHECK(parted.triangles.at(0).colours[0] == colour_of_part(7));
    CHECK(parted.triangles.at(0).colours[4] == colour_of_part(SINEW_NO_ELEMENT));
    // The second of two numbers.
    Outputs both;
    both.numbers["stretch"] = {9, 1, 9, 2, 9, 3, 9, 4, 9, 5};
    DrawOptions options;
    options.component = 1;
    options.wireframe = true;
    const Picture second = draw(chosen("skin_slider", "out_stretch"), both, &body, options);
    CHECK(second.triangles.at(0).colours == mesh.colours);
    // Six edges: the one between the faces counts once.
    CHECK_EQUAL(second.lines.at(0).points.size(), std::size_t{12});
    options.component = 2;
    const Picture third = draw(chosen("skin_slider", "out_stretch"), both, &body, options);
    CHECK(third.triangles.empty());
    CHECK_EQUAL(third.problems.size(), std::size_t{1});
}

void vectors_from_the_body() {
    const Card card;
    const MeshView body = card.view();
    Outputs outputs;
    outputs.numbers["slide_vector"] = {0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 2};
    DrawOptions options;
    options.vector_scale = 2;
    const Picture picture = draw(chosen("skin_slider", "out_slide_vector"), outputs, &body, options);
    const Lines& lines = picture.lines.at(0);
    // Nothing where nothing slides; twice as long as it is.
    CHECK_EQUAL(lines.points.size(), std::size_t{6});
    CHECK_EQUAL(lines.points[1].z, 2.0);
    CHECK_EQUAL(lines.points[3].y, 8.0);
    CHECK(lines.colours[2] == last);
    // What is no length fits the mesh: the longest is twice the mean edge.
    outputs.numbers["load"] = {0, 0, 500, 0, 0, 0, 0, 0, 1000, 0, 0, 0, 0, 0, 0};
    const Picture load = draw(chosen("skin_slider", "out_load"), outputs, &body, {});
    const double mean = (2 + 2 + 2 + 2 + 2 * std::sqrt(5.0)) / 6;
    CHECK(std::abs(load.lines.at(0).points[3].z - 2 * mean) < 1e-12);
}

void muscles_by_what_they_are() {
    Outputs outputs;
    outputs.numbers["muscle_points"] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0};
    outputs.integers["muscle_face_sizes"] = {3, 3};
    outputs.integers["muscle_face_vertices"] = {0, 1, 2, 3, 4, 5};
    outputs.integers["muscle_numbers"] = {1, 1, 1, 0, 0, 0};
    outputs.numbers["muscle_tensions"] = {10, 20};
    const Picture plain_mesh = draw(chosen("muscle_skin", ""), outputs, nullptr, {});
    CHECK(plain_mesh.legends.empty());
    CHECK(plain_mesh.triangles.at(0).colours[0] == flesh);
    const Picture picture = draw(chosen("muscle_skin", "out_muscle_tensions"), outputs, nullptr, {});
    const Triangles& mesh = picture.triangles.at(0);
    CHECK(mesh.colours[0] == last && mesh.colours[2] == last && mesh.colours[3] == first);
    CHECK_EQUAL(mesh.normals[0].z, 1.0);
}

/// One problem, a sentence with the title; nothing drawn.
void check_refused(const char* node, const char* name, const Outputs& outputs, const MeshView* body,
                   const std::string& part) {
    const Picture picture = draw(chosen(node, name), outputs, body, {});
    CHECK(picture.triangles.empty() && picture.lines.empty() && picture.dots.empty() && picture.legends.empty());
    CHECK(picture.box.is_empty);
    CHECK_EQUAL(picture.problems.size(), std::size_t{1});
    const std::string problem = picture.problems.empty() ? "" : picture.problems[0];
    CHECK(problem.find(" is not drawn: ") != std::string::npos && problem.back() == '.');
    if (problem.find(part) == std::string::npos) CHECK_EQUAL(problem, part);
}

void what_cannot_be_drawn() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Outputs outputs = strands();
    outputs.numbers["tensions"][1] = nan;
    check_refused("strand", "out_tensions", outputs, nullptr, "value 1 (counted from 0) is not a number");
    outputs = strands();
    outputs.numbers["strand_points"][4] = std::numeric_limits<double>::infinity();
    check_refused("strand", "out_strand_points", outputs, nullptr, "is not a number");
    outputs = strands();
    outputs.numbers["strand_points"].clear();
    check_refused("strand", "out_strand_points", outputs, nullptr, "has nothing in this frame");
    outputs = strands();
    outputs.integers["strand_counts"] = {3, 3};
    check_refused("strand", "out_strand_points", outputs, nullptr, "5 items, and there are 6 nodes");
    outputs.integers["strand_counts"] = {5, 0};
    check_refused("strand", "out_strand_points", outputs, nullptr, "no nodes");
    outputs = strands();
    outputs.numbers["tensions"].push_back(1);
    check_refused("strand", "out_tensions", outputs, nullptr, "4 items, and there are 3 segments");
    check_refused("strand", "out_tensions", {}, nullptr, "has nothing in this frame");
    Outputs map;
    map.numbers["slide_distance"] = {1, 2, 3, 4, 5};
    check_refused("skin_slider", "out_slide_distance", map, nullptr, "no body is connected");
    Card card;
    map.numbers["slide_distance"].pop_back();
    MeshView body = card.view();
    check_refused("skin_slider", "out_slide_distance", map, &body, "4 items, and there are 5 vertices");
    map.numbers["slide_distance"].push_back(5);
    card.corners[0] = 99;
    body = card.view();
    check_refused("skin_slider", "out_slide_distance", map, &body, "vertex that does not exist");
    card.corners.pop_back();
    body = card.view();
    check_refused("skin_slider", "out_slide_distance", map, &body, "do not fit together");
    // One that cannot be drawn keeps none of the others back.
    outputs = strands();
    outputs.numbers["tensions"][0] = nan;
    const Picture picture = draw(chosen("strand", "out_tensions out_body_matrices"), outputs, nullptr, {});
    CHECK_EQUAL(picture.problems.size(), std::size_t{1});
    CHECK_EQUAL(picture.lines.size(), std::size_t{1});
}

template <class Use> void for_points(const Picture& picture, Use use) {
    for (const Triangles& one : picture.triangles)
        for (const Point3& point : one.points) use(point);
    for (const Lines& one : picture.lines)
        for (const Point3& point : one.points) use(point);
    for (const Dots& one : picture.dots)
        for (const Point3& point : one.points) use(point);
}

/// Every output of a real frame, with the body.
struct Shot {
    std::string node;
    Outputs outputs;
    std::vector<float> points;
    std::vector<std::uint32_t> sizes, corners;

    MeshView body() const { return {points, sizes, corners, {}, {}}; }
    Picture picture() const {
        const MeshView view = body();
        return draw(chosen(node, all_names(node)), outputs, points.empty() ? nullptr : &view, {});
    }
};

Shot played(Scene scene) {
    Shot shot;
    shot.node = scene.node;
    scene.outputs.clear();
    for (const Drawable& one : drawables(plan_of_node(scene.node)))
        for (const std::string& port : one.ports()) scene.outputs.push_back(port);
    const Played frames = play(scene, {0, 24}, 3);
    CHECK(frames.back().has_value());
    if (frames.back()) shot.outputs = *frames.back();
    const Tube tube(8, 8);
    shot.points = tube.points;
    shot.sizes = tube.face_sizes;
    shot.corners = tube.face_vertices;
    return shot;
}

Shot finger() {
    Scene scene;
    scene.node = "strand";
    scene.frame = [](double) { return std::make_unique<Frame>(); };
    Shot shot = played(scene);
    shot.points.clear();
    return shot;
}

/// Larger, then elsewhere: as if the scene were.
Shot moved(Shot shot, double scale, const Point3& by) {
    const double offsets[] = {by.x, by.y, by.z};
    for (std::size_t i = 0; i < shot.points.size(); ++i)
        shot.points[i] = static_cast<float>(scale * double{shot.points[i]} + offsets[i % 3]);
    for (const SinewNodeInfo& node : nodes()) {
        if (shot.node != node.id) continue;
        for (const SinewPortInfo& port : ports(node)) {
            const auto found = shot.outputs.numbers.find(port.id);
            if (port.direction != SINEW_OUTPUT || found == shot.outputs.numbers.end()) continue;
            const std::string quantity = port.quantity;
            for (std::size_t i = 0; i < found->second.size(); ++i) {
                double& value = found->second[i];
                if (quantity == "position") value = scale * value + offsets[i % 3];
                if (quantity == "displacement" || quantity == "length") value *= scale;
                const bool is_origin = quantity == "transform" && i % 16 >= 12 && i % 16 < 15;
                if (is_origin) value = scale * value + offsets[i % 16 - 12];
            }
        }
    }
    return shot;
}

void boxes_and_motion(const Shot& shot) {
    const Picture here = shot.picture();
    for (const std::string& problem : here.problems) {
        // Without riders there is nothing of them.
        if (problem.find("Rider") != 0) CHECK_EQUAL(problem, "");
    }
    CHECK(!here.box.is_empty && here.box.diagonal() > 0);
    Box exact;
    for_points(here, [&](const Point3& point) { exact.add(point); });
    CHECK_EQUAL(length(exact.low - here.box.low), 0.0);
    CHECK_EQUAL(length(exact.high - here.box.high), 0.0);
    const double scale = 4;
    const Point3 by{512, -256, 64};
    const Picture there = moved(shot, scale, by).picture();
    std::vector<Point3> expected, found;
    for_points(here, [&](const Point3& point) { expected.push_back(scale * point + by); });
    for_points(there, [&](const Point3& point) { found.push_back(point); });
    CHECK_EQUAL(found.size(), expected.size());
    double off = 0;
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
        off = std::max(off, length(found[i] - expected[i]));
    // The body is in single precision.
    CHECK(off < 1e-3);
    if (off >= 1e-3) std::cerr << shot.node << ": off by " << off << "\n";
}

void fills_scene_of(const Shot& shot, std::size_t least) {
    const Picture picture = shot.picture();
    std::size_t count = 0;
    for_points(picture, [&](const Point3&) { ++count; });
    CHECK(count > least);
}

} // namespace

int main() {
    colours();
    parts();
    legends();
    curves_as_tubes();
    curves_without_radius_are_lines();
    axes_of_transforms();
    maps_on_the_body();
    vectors_from_the_body();
    muscles_by_what_they_are();
    what_cannot_be_drawn();
    for (const Shot& shot : {played(sliding()), played(jiggling()), finger()}) {
        boxes_and_motion(shot);
        fills_scene_of(shot, 200);
    }
    return finish();
}
