// The pictures of maya_plugin/README.md: what the viewport shows of real results, drawn from the same primitives.
//
//     pictures RAISED BENT FONT FOLDER
//
// RAISED and BENT are files of human.py, FONT is src/drawing/font.rs. pictures.sh makes them and turns the PPM files
// into PNG.
#include "../host/scenes.h"
#include "host/drawing/draw.h"
#include "host/drawing/shapes.h"
#include "raster.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace sinew;
using namespace sinew::host;
using namespace sinew::tests;

namespace {

struct Human {
    std::vector<float> points, uvs;
    std::vector<std::uint32_t> sizes, corners, corner_uvs;
    std::vector<std::string> joints;
    std::vector<std::int32_t> parents;
    std::vector<double> rest;
    std::vector<std::uint32_t> counts, influences;
    std::vector<double> weights;
    /// Of each frame, for row vectors.
    std::vector<std::vector<double>> frames;

    explicit Human(const std::string& path);
    SinewMesh mesh() const {
        SinewMesh made{};
        made.struct_size = sizeof made;
        made.positions = array<const float>({points.data(), points.size()}, 3);
        made.face_sizes = sizes.data();
        made.face_count = sizes.size();
        made.corner_vertices = corners.data();
        made.corner_count = corners.size();
        made.uvs = array<const float>({uvs.data(), uvs.size()}, 2);
        made.corner_uvs = corner_uvs.data();
        return made;
    }
};

Human::Human(const std::string& path) {
    std::ifstream file(path);
    std::size_t vertices = 0, faces = 0, all_uvs = 0, all_joints = 0, all_frames = 0;
    if (!(file >> vertices >> faces >> all_uvs >> all_joints >> all_frames))
        throw std::runtime_error(path + " is no file of human.py");
    points.resize(3 * vertices);
    for (float& number : points) file >> number;
    uvs.resize(2 * all_uvs);
    for (float& number : uvs) file >> number;
    for (std::size_t face = 0; face < faces; ++face) {
        file >> sizes.emplace_back();
        for (std::uint32_t k = 0; k < sizes.back(); ++k) file >> corners.emplace_back() >> corner_uvs.emplace_back();
    }
    for (std::size_t joint = 0; joint < all_joints; ++joint) {
        double x = 0, y = 0, z = 0;
        file >> joints.emplace_back() >> parents.emplace_back() >> x >> y >> z;
        rest.insert(rest.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1});
    }
    for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
        file >> counts.emplace_back();
        for (std::uint32_t k = 0; k < counts.back(); ++k) file >> influences.emplace_back() >> weights.emplace_back();
    }
    for (std::size_t frame = 0; frame < all_frames; ++frame) {
        std::vector<double>& matrices = frames.emplace_back(rest);
        for (std::size_t joint = 0; joint < all_joints; ++joint) {
            double* matrix = &matrices[16 * joint];
            // Rotations for column vectors are the other way round.
            for (std::size_t row = 0; row < 3; ++row)
                for (std::size_t column = 0; column < 3; ++column) file >> matrix[4 * column + row];
            file >> matrix[12] >> matrix[13] >> matrix[14];
        }
    }
    if (!file) throw std::runtime_error(path + " ends too early");
}

/// A node in Maya's units, played frame by frame.
struct Player {
    Context context;
    Node node;
    std::string id;

    explicit Player(const char* node_id) : node(context, node_id), id(node_id) {
        node.set_space(metres_per_unit, SINEW_UP_Y);
        node.set_row_vectors(true);
    }
    std::vector<double> numbers(const char* port, std::uint32_t components) const {
        return node.output<double>(port, components);
    }
    /// What some drawable outputs need.
    Outputs outputs(const std::vector<Drawable>& chosen) const {
        Outputs found;
        for (const SinewNodeInfo& info : nodes()) {
            if (id != info.id) continue;
            for (const SinewPortInfo& port : ports(info))
                for (const Drawable& one : chosen)
                    for (const std::string& needed : one.ports())
                        if (port.direction == SINEW_OUTPUT && needed == port.id)
                            found.numbers[port.id] = node.output<double>(port.id, port.components);
        }
        return found;
    }
};

std::vector<Drawable> chosen(const std::string& node, const std::string& names) {
    std::vector<std::string> unknown;
    std::vector<Drawable> found = choose(drawables(plan_of_node(node)), names, unknown);
    if (!unknown.empty()) throw std::runtime_error("there is no " + unknown.front());
    return found;
}

Picture shown(const Player& player, const std::string& names, const MeshView* body, const DrawOptions& options) {
    const std::vector<Drawable> all = chosen(player.id, names);
    Picture made = draw(all, player.outputs(all), body, options);
    for (const std::string& problem : made.problems) throw std::runtime_error(problem);
    return made;
}

void set_skinning(Node& node, const Human& human) {
    node.set_array("points", human.points, 3);
    node.set_array("rest_joints", human.rest, 16);
    node.set_array("influence_counts", human.counts, 1);
    node.set_array("influence_joints", human.influences, 1);
    node.set_array("influence_weights", human.weights, 1);
    node.set("method", "dual_quaternion");
}

std::vector<float> floats(const std::vector<double>& from) { return {from.begin(), from.end()}; }

constexpr Colour skin{0.80F, 0.62F, 0.53F, 1};

/// A body without a map.
Picture body_picture(const Human& human, const std::vector<float>& points) {
    Drawable body;
    body.title = "Body";
    body.form = Form::Body;
    const MeshView view{points, human.sizes, human.corners, {}, {}};
    Picture made = draw({body}, {}, &view, {});
    for (Triangles& one : made.triangles) std::fill(one.colours.begin(), one.colours.end(), skin);
    return made;
}

constexpr double fps = 24;

void stretch(const Human& human, const Letters& letters, const std::string& folder) {
    Player pose("skinning");
    set_skinning(pose.node, human);
    Player slider("skin_slider");
    slider.node.set_mesh("rest", human.mesh());
    std::vector<float> points;
    for (std::size_t frame = 0; frame < human.frames.size(); ++frame) {
        pose.node.set_array("joints", human.frames[frame], 16);
        pose.node.step(static_cast<std::int64_t>(frame), double(frame) / fps);
        points = floats(pose.numbers("points", 3));
        slider.node.set_array("points", points, 3);
        slider.node.step(static_cast<std::int64_t>(frame), double(frame) / fps);
    }
    const MeshView body{points, human.sizes, human.corners, {}, {}};
    DrawOptions options;
    options.range = Range{1, 1.5};
    const Picture map = shown(slider, "out_stretch", &body, options);
    const Camera camera{{60, 165, 330}, {10, 138, 0}, 106};
    Canvas canvas(640, 560, camera);
    canvas.draw(map);
    canvas.develop();
    canvas.legend(letters, map.legends.at(0), 28, 60, 180);
    canvas.save(folder + "/stretch.ppm");
}

/// How hard a muscle of a finger pulls, as a fraction of its strength: one finger is lifted, the others bend.
double pull(std::size_t finger, std::size_t muscle) {
    // Interossei, deep and superficial flexor, extensor, lumbrical.
    constexpr double lifted[] = {0, 0, 0, 0, 0.035, 0.01}, bent[] = {0, 0, 0.004, 0.003, 0.002, 0.002};
    return (finger == 1 ? lifted : bent)[muscle];
}

constexpr Colour bone{0.87F, 0.84F, 0.76F, 1};

/// The bones of a hand in place of the meshes that an animator has there: from each body to the next, if it lies ahead
/// on its x axis, and a last one of the usual length.
Picture bones_picture(const std::vector<double>& matrices) {
    constexpr double radius = 0.33, last = 1.7;
    Picture made;
    Triangles& tubes = made.triangles.emplace_back();
    for (std::size_t i = 0; i < matrices.size(); i += 16) {
        const Point3 along{matrices[i], matrices[i + 1], matrices[i + 2]};
        const Point3 from{matrices[i + 12], matrices[i + 13], matrices[i + 14]};
        Point3 to = from + last * along;
        double radius_here = 0.7 * radius;
        if (i + 16 < matrices.size()) {
            const Point3 next{matrices[i + 28], matrices[i + 29], matrices[i + 30]};
            const Point3 way = next - from;
            if (dot(unit(way), along) > 0.95) {
                to = next;
                radius_here = radius;
            }
        }
        const std::vector<Point3> line{from, 0.15 * to + 0.85 * from, 0.85 * to + 0.15 * from, to};
        add_tube(tubes, line, radius_here, Per::Vertex, [](std::size_t) { return bone; });
    }
    return made;
}

void tendons(const Letters& letters, const std::string& folder) {
    Player hand("strand");
    hand.node.set("source", "hand");
    hand.node.set("bands", true);
    const std::size_t muscles = hand.node.expected_count("activations"), each = muscles / 4;
    constexpr int frames = 18;
    for (int frame = 0; frame <= frames; ++frame) {
        std::vector<double> activations(muscles, 0);
        // The muscles of a finger follow each other.
        for (std::size_t i = 0; i < muscles; ++i) activations[i] = pull(i / each, i % each) * frame / frames;
        hand.node.set_array("activations", activations, 1);
        hand.node.step(frame, frame / fps);
    }
    DrawOptions options;
    options.range = Range{0, 4};
    const Picture strands = shown(hand, "out_tensions", nullptr, options);
    const Camera camera{{-9, 17, 28}, {-1.7, -2.0, -2.4}, 18.5};
    Canvas canvas(720, 420, camera);
    canvas.draw(bones_picture(hand.numbers("body_matrices", 16)));
    canvas.draw(strands);
    canvas.develop();
    canvas.legend(letters, strands.legends.at(0), 28, 310, 92);
    canvas.save(folder + "/tendons.ppm");
}

void muscles(const Human& human, const Letters& letters, const std::string& folder) {
    Player body("muscle_skin");
    const SinewMesh mesh = human.mesh();
    const SinewArray rest = array<const double>({human.rest.data(), human.rest.size()}, 16);
    Rig rig(human.joints, rest, metres_per_unit, SINEW_UP_Y, true, &mesh);
    rig.set_parents(human.parents);
    const MuscleSet set = MuscleSet::fit(rig);
    std::string names;
    for (const std::string& joint : human.joints) names += (names.empty() ? "" : ",") + joint;
    set_skinning(body.node, human);
    body.node.set("muscles", set.text());
    body.node.set("joint_names", names);
    body.node.set_mesh("mesh", mesh);
    // Held at the end until everything rests.
    for (std::size_t frame = 0; frame < 2 * human.frames.size(); ++frame) {
        body.node.set_array("joints", human.frames[std::min(frame, human.frames.size() - 1)], 16);
        body.node.step(static_cast<std::int64_t>(frame), double(frame) / fps);
    }
    const std::vector<float> points = floats(body.numbers("points", 3));
    DrawOptions options;
    const Picture plain_muscles = shown(body, "muscles_mesh", nullptr, options);
    const Picture outside = body_picture(human, points);
    const Camera camera{{70, 160, 330}, {10, 126, 0}, 88};
    Canvas skin_view(400, 460, camera), muscle_view(400, 460, camera), both(800, 460, camera);
    skin_view.draw(outside);
    muscle_view.draw(plain_muscles);
    muscle_view.veil(outside, 0.22);
    both.paste(skin_view, 0, 0);
    both.paste(muscle_view, 400, 0);
    both.develop();
    both.write(letters, "Skin", 20, 20, 2);
    both.write(letters, "Muscles", 420, 20, 2);
    both.save(folder + "/muscles.ppm");
}

} // namespace

int main(int count, char** words) {
    if (count < 5) {
        std::cerr << "usage: pictures RAISED BENT FONT FOLDER [PICTURE]\n";
        return 2;
    }
    try {
        const Letters letters(words[3]);
        const std::string folder = words[4], only = count > 5 ? words[5] : "";
        if (only.empty() || only == "tendons") tendons(letters, folder);
        if (only.empty() || only == "stretch") stretch(Human(words[1]), letters, folder);
        if (only.empty() || only == "muscles") muscles(Human(words[2]), letters, folder);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
