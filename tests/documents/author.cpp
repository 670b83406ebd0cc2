// Authors, checks, mirrors and saves a finger and a muscle set through documents alone: author FOLDER
#include <sinew/sinew.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void expect(bool condition, int line) {
    if (!condition) {
        std::fprintf(stderr, "line %d\n", line);
        std::exit(1);
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

using Axes = std::array<double, 16>;
using Element = sinew::Document::Element;

static Axes at(double x, double y, double z) { return {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1}; }

// A closed box from 0 to its length along x, in centimetres with z up.
static void box(sinew::Document& scene, Element shape, double length) {
    std::vector<double> points;
    for (double x : {0.0, length})
        for (double y : {-0.4, 0.4})
            for (double z : {-0.3, 0.3}) points.insert(points.end(), {x, y, z});
    const std::array<std::uint32_t, 6> sizes{4, 4, 4, 4, 4, 4};
    const std::array<std::uint32_t, 24> corners{0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3};
    SinewMesh mesh{};
    mesh.struct_size = sizeof mesh;
    mesh.positions = sinew::array<double>(points, 3);
    mesh.uvs.struct_size = sizeof mesh.uvs;
    mesh.face_sizes = sizes.data();
    mesh.face_count = sizes.size();
    mesh.corner_vertices = corners.data();
    mesh.corner_count = corners.size();
    scene.set_mesh(shape, mesh);
    const SinewMesh again = scene.mesh(shape);
    const double* first = static_cast<const double*>(again.positions.data);
    EXPECT(again.positions.count == 8 && again.face_count == 6 && std::abs(first[1] + 0.4) < 1e-12 && std::abs(first[2] + 0.3) < 1e-12);
}

static void finger(const std::string& folder) {
    // In metres with y up, as its author of the file wants it; numbers are those of a host with z up in centimetres.
    sinew::Document scene("strand_scene", 1, SINEW_UP_Y);
    scene.set_space(0.01, SINEW_UP_Z);
    const auto named = [&](const char* element, const std::string& name) {
        const Element made = scene.add(scene.root(), element);
        scene.set_text(made, "name", name);
        return made;
    };
    const auto bone = [&](const std::string& name, double x, double length, const char* mode) {
        const Element body = named("body", name);
        scene.set_text(body, "mode", mode);
        scene.set_place(body, at(x, 0, 100));
        const Element shape = scene.add(body, "shape");
        scene.set_text(shape, "file", name + ".obj");
        box(scene, shape, length);
        return body;
    };
    bone("Metacarpal_L", 0, 6, "held");
    const Element middle = bone("Proximal_L", 6, 4, "free");
    const Element joint = named("joint", "MCP_L");
    scene.set_text(joint, "parent", "Metacarpal_L");
    scene.set_text(joint, "child", "Proximal_L");
    scene.set_place(joint, at(6, 0, 100));
    const Element axis = scene.add(joint, "axis");
    scene.set_text(axis, "name", "turn_y");
    scene.set_numbers(axis, "may", std::array<double, 2>{-20, 90});
    scene.set_numbers(axis, "damping", std::array<double, 1>{0.01});
    const auto point = [&](const char* name, const char* on, double x, double z) {
        const Element made = named("point", name);
        scene.set_text(made, "on", on);
        scene.set_place(made, at(x, 0, z));
        return made;
    };
    point("origin_L", "Metacarpal_L", 1, 99.5);
    const Element end = point("insertion_L", "Proximal_L", 7, 99.5);
    const Element strand = named("strand", "Flexor_L");
    scene.set_text(strand, "stiffness", "100");
    scene.set_numbers(strand, "radius", std::array<double, 1>{0.1});
    for (const char* name : {"origin_L", "insertion_L"}) scene.set_text(scene.add(strand, "node"), "point", name);
    EXPECT(scene.faults() == "{\"faults\":[],\"warnings\":[]}");
    EXPECT(scene.text_of(end, "at") == "0.07 0.995 0" && scene.text_of(strand, "radius") == "0.001");

    // Where it is in the axes of its bone, it is in the world.
    scene.set_space(1, SINEW_UP_Y);
    scene.set_text(end, "in", "Proximal_L");
    scene.set_text(end, "at", "0.01 -0.005 0");
    const auto place = scene.place(end);
    EXPECT(place && std::abs((*place)[3] - 0.07) < 1e-12 && std::abs((*place)[7] - 0.995) < 1e-12);
    scene.set_place(end, *place);
    EXPECT(scene.text_of(end, "in").empty() && scene.text_of(end, "at") == "0.07 0.995 0");
    EXPECT(!scene.place(joint, "at")->empty() && scene.read(middle).find("\"places\":{\"at\":[1.0,0.0,0.0,0.06") != std::string::npos);

    EXPECT(scene.mesh_file(scene.list(middle, "shape")[0]).rfind("v 0 ", 0) == 0);
    scene.save(folder + "/finger.xml");
    scene.mirror(0);
    EXPECT(scene.text().find("\"Proximal_R\"") != std::string::npos && (*scene.place(end))[3] < 0);
    EXPECT(scene.faults() == "{\"faults\":[],\"warnings\":[]}");
    scene.save(folder + "/mirrored.xml");
}

static void muscles(const std::string& folder) {
    sinew::Document set("muscle_set", 0.01, SINEW_UP_Y);
    const Element sheet = set.add(set.root(), "muscle");
    set.set_text(sheet, "name", "fan_L");
    set.set_text(sheet, "origin_joint", "arm_L");
    set.set_text(sheet, "insertion_joint", "hand_L");
    set.set_text(sheet, "count", "3");
    set.set_numbers(sheet, "origin", std::array<double, 3>{20, 140, 0});
    set.set_numbers(sheet, "origin_to", std::array<double, 3>{20, 142, 0});
    set.set_numbers(sheet, "insertion", std::array<double, 3>{60, 140, 2});
    set.set_numbers(sheet, "size", std::array<double, 1>{2});
    EXPECT(set.faults() == "{\"faults\":[],\"warnings\":[]}");
    set.set_space(1, SINEW_UP_Z);
    set.set_numbers(set.single("fan_L.2"), "size", std::array<double, 1>{0.03});
    EXPECT(set.list(set.root(), "muscle").size() == 3 && set.text_of(set.single("fan_L.2"), "size") == "3");
    int heard = 0;
    sinew::ContextOptions options;
    options.on_calling_thread = true;
    options.progress = [&heard](double, const char*) -> bool {
        ++heard;
        throw 1;
    };
    const std::string before = set.text();
    set.use(sinew::Context(options));
    bool stopped = false;
    try {
        set.mirror(0);
    } catch (const sinew::Error& error) {
        stopped = error.status() == SINEW_CANCELLED;
    }
    EXPECT(stopped && heard == 1 && set.text() == before);
    set.use(sinew::Context());
    EXPECT(set.mirror(0) == 3 && set.list(set.root(), "muscle").size() == 6);
    set.cancel(); // Nothing runs: nothing happens.
    EXPECT(set.faults() == "{\"faults\":[],\"warnings\":[]}");
    set.save(folder + "/muscles.xml");
}

int main(int, char** arguments) {
    sinew::check_version();
    finger(arguments[1]);
    muscles(arguments[1]);
    std::puts("authored");
}
