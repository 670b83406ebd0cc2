#include "stage.h"

#include <sinew/sinew.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

// The plug-in is part of the test program; module_test loads it as Maya does.
MStatus initializePlugin(MObject object);
MStatus uninitializePlugin(MObject object);

namespace sinew::tests {
namespace {

constexpr double full_turn = 6.283185307179586;
constexpr float radius = 5, ring_height = 2;

} // namespace

std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

standin::MeshPlan tube(int rings, int around) {
    standin::MeshPlan made;
    for (int ring = 0; ring <= rings; ++ring) {
        for (int i = 0; i < around; ++i) {
            const double turn = full_turn * i / around;
            made.points.push_back(radius * static_cast<float>(std::cos(turn)));
            made.points.push_back(ring_height * static_cast<float>(ring));
            made.points.push_back(radius * static_cast<float>(std::sin(turn)));
        }
        for (int i = 0; i <= around; ++i) {
            made.u.push_back(static_cast<float>(i) / static_cast<float>(around));
            made.v.push_back(static_cast<float>(ring) / static_cast<float>(rings));
        }
    }
    for (int ring = 0; ring < rings; ++ring) {
        for (int i = 0; i < around; ++i) {
            const int next = (i + 1) % around, low = ring * around, high = low + around;
            made.face_sizes.push_back(4);
            for (const int vertex : {low + i, low + next, high + next, high + i}) made.face_vertices.push_back(vertex);
            const int uv = ring * (around + 1) + i, above = uv + around + 1;
            for (const int corner : {uv, uv + 1, above + 1, above}) made.corner_uvs.push_back(corner);
        }
    }
    return made;
}

std::vector<float> bent(const standin::MeshPlan& tube, double frame) {
    const double curvature = 0.04 * (std::sin(frame * 0.35) * 0.5 + frame * 0.01);
    std::vector<float> points = tube.points;
    for (std::size_t i = 0; i < points.size(); i += 3) {
        const double x = double{points[i]}, y = double{points[i + 1]}, turn = curvature * y;
        const double along = curvature == 0 ? y : std::sin(turn) / curvature;
        const double aside = curvature == 0 ? 0 : (1 - std::cos(turn)) / curvature;
        points[i] = static_cast<float>(aside + x * std::cos(turn));
        points[i + 1] = static_cast<float>(along - x * std::sin(turn));
    }
    return points;
}

std::string one_muscle(const MMatrix& place) {
    MMatrix knee;
    knee(3, 1) = 8;
    knee = knee * place;
    std::vector<double> rest;
    for (const MMatrix& joint : {place, knee})
        for (unsigned i = 0; i < 16; ++i) rest.push_back(joint(i / 4, i % 4));
    const sinew::Rig rig({"foot", "knee"}, sinew::array<double>({rest.data(), rest.size()}, 16), 0.01, SINEW_UP_Y,
                         true);
    sinew::MuscleSet set;
    set.add(rig, "flexor", "foot", "knee", 2.0);
    return set.text();
}

Uvs unslid(const standin::MeshPlan& tube) {
    Uvs uvs;
    for (const int corner : tube.corner_uvs) {
        uvs.push_back(tube.u[static_cast<std::size_t>(corner)]);
        uvs.push_back(tube.v[static_cast<std::size_t>(corner)]);
    }
    return uvs;
}

Stage::Stage() {
    scene.set_range(first_frame, last_frame);
    const std::string wrong = scene.load_plugin("sinew", &initializePlugin, &uninitializePlugin);
    CHECK_EQUAL(wrong, std::string());
}

void Stage::add_skinned_body(int rings, int around) {
    add_joints_and_mesh(rings, around);
    bind(rings, around);
}

void Stage::add_joints_and_mesh(int rings, int around) {
    scene.create_mesh("body", tube(rings, around));
    scene.create("transform", "rig");
    scene.create("joint", "foot", "rig");
    scene.create("joint", "knee", "foot");
    scene.set("knee.translateY", double{ring_height} * rings / 2);
}

void Stage::bind(int rings, int around) {
    const standin::MeshPlan mesh = tube(rings, around);
    const double height = double{ring_height} * rings;
    std::vector<double> weights;
    for (std::size_t i = 1; i < mesh.points.size(); i += 3) {
        const double up = double{mesh.points[i]} / height;
        weights.push_back(1 - up);
        weights.push_back(up);
    }
    scene.skin("bodyShape", {"foot", "knee"}, weights);
    scene.key("knee.rotateZ", {{1, 0}, {8, 0.8}, {16, -0.4}, {24, 0.6}});
}

void Stage::add_shape(const standin::MeshPlan& target) {
    scene.create_mesh("target", target);
    scene.deform("blendShape", "bodyShape", "shapes");
    scene.connect("targetShape.outMesh", "shapes.inputTarget[0].inputTargetGroup[0].inputTargetItem[6000].inputGeomTarget");
    scene.key("shapes.weight[0]", {{1, 0}, {12, 1}, {24, 0.25}});
}

standin::MeshPlan wide_tube() {
    standin::MeshPlan wide = tube(8, 8);
    for (std::size_t i = 0; i < wide.points.size(); i += 3) wide.points[i] *= 1.5F;
    return wide;
}

void Stage::add_cached_body(int rings, int around) {
    const standin::MeshPlan mesh = tube(rings, around);
    scene.create_mesh("rest", mesh);
    scene.create_mesh("body", mesh);
    std::vector<std::vector<float>> frames;
    for (double frame = first_frame; frame <= last_frame; ++frame) frames.push_back(bent(mesh, frame));
    scene.mesh_sequence("motion", mesh, frames, first_frame);
    scene.connect("motion.outMesh", "bodyShape.inMesh");
}

std::vector<std::string> Stage::run(const std::string& line) {
    scene.forget();
    if (scene.command(line) != MS::kSuccess) {
        fail(__FILE__, __LINE__, line + " failed");
        for (const standin::Said& said : scene.said()) std::cerr << "    " << said.text << "\n";
    }
    return scene.results();
}

void Stage::refuses(const std::string& line, const std::string& words, std::size_t errors) {
    const std::vector<std::string> nodes = scene.nodes();
    const std::size_t undos = scene.undo_length();
    scene.forget();
    CHECK(scene.command(line) != MS::kSuccess);
    std::size_t said_errors = 0, fitting = 0;
    std::string all;
    for (const standin::Said& said : scene.said()) {
        said_errors += said.level == 0;
        fitting += said.text.find(words) != std::string::npos;
        all += said.text + "\n";
    }
    if (said_errors != errors || fitting != 1)
        fail(__FILE__, __LINE__, line + " does not say \"" + words + "\" alone: " + all);
    CHECK(scene.nodes() == nodes);
    CHECK_EQUAL(scene.undo_length(), undos);
}

std::string Stage::source(const std::string& plug) const {
    const MPlug found = scene.plug(plug).source();
    return found.isNull() ? std::string() : found.name().asUTF8();
}

std::string Stage::create(const std::string& type) {
    const std::vector<std::string> made = run("sinewCreate -type " + type + " bodyShape");
    if (made.empty()) return {};
    // Bakes and jobs are exact, and so are frames that are compared with them.
    if (type == "sinewSkinSlider") scene.set(made.front() + ".quality", 0);
    return made.front();
}

std::vector<Uvs> Stage::play() {
    std::vector<Uvs> frames;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        scene.set_time(frame);
        frames.push_back(uvs());
    }
    return frames;
}

void Stage::check_faults() {
    for (const std::string& fault : scene.faults()) fail(__FILE__, __LINE__, "the host does not allow it: " + fault);
}

} // namespace sinew::tests
