// Deformers: what the library computes is what the shape shows, as far as envelope, weights and tags let it.
#include "stage.h"

#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace sinew::tests;

namespace {

double apart(const std::vector<float>& a, const std::vector<float>& b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    return most;
}

/// The library's linear skinning through the joints and weights of a skin cluster is that of the skin cluster.
void skins_as_the_cluster_does() {
    Stage stage;
    stage.add_skinned_body();
    std::vector<std::vector<float>> skinned;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        skinned.push_back(stage.scene.points("bodyShape"));
    }
    CHECK(apart(skinned.front(), skinned.back()) > 1);
    const std::string node = stage.create("sinewSkinning");
    stage.scene.set(node + ".method", 0);
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        const double off = apart(stage.scene.points("bodyShape"),
                                 skinned[static_cast<std::size_t>(frame - first_frame)]);
        if (off > 1e-4)
            fail(__FILE__, __LINE__, "frame " + std::to_string(frame) + " is off by " + std::to_string(off) + " cm");
    }
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    stage.check_faults();
}

/// Half of the envelope is half of the way; no envelope, and a node without effect, are none of it.
void the_envelope_scales_it() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinning");
    stage.scene.set_time(8);
    const std::vector<float> rest = tube(8, 8).points, full = stage.scene.points("bodyShape");
    CHECK(apart(rest, full) > 1);
    stage.scene.set(node + ".envelope", 0.5);
    const std::vector<float> half = stage.scene.points("bodyShape");
    std::vector<float> between;
    for (std::size_t i = 0; i < rest.size(); ++i) between.push_back((rest[i] + full[i]) / 2);
    CHECK(apart(half, between) < 1e-4);
    stage.scene.set(node + ".envelope", 0);
    CHECK(stage.scene.points("bodyShape") == rest);
    stage.scene.set(node + ".envelope", 1);
    constexpr std::size_t held = 65;
    stage.scene.set(node + ".weightList[0].weights[" + std::to_string(held) + "]", 0);
    const std::vector<float> without = stage.scene.points("bodyShape");
    CHECK(rest[3 * held] != full[3 * held]);
    for (std::size_t i = 0; i < full.size(); ++i) CHECK_EQUAL(without[i], i / 3 == held ? rest[i] : full[i]);
    stage.scene.set(node + ".nodeState", 1);
    CHECK(stage.scene.points("bodyShape") == rest);
    stage.check_faults();
}

/// A weight that is painted on the skin cluster reaches the node through the connection of the whole array.
void weights_follow_the_cluster() {
    Stage stage;
    stage.add_skinned_body();
    const std::string cluster = stage.scene.nodes("skinCluster").at(0);
    const std::string node = stage.create("sinewSkinning");
    stage.scene.set_time(8);
    const std::vector<float> before = stage.scene.points("bodyShape");
    const std::string vertex = cluster + ".weightList[70].weights";
    stage.scene.set(vertex + "[0]", 1);
    stage.scene.set(vertex + "[1]", 0);
    const std::vector<float> after = stage.scene.points("bodyShape");
    // The joint turns about z.
    for (std::size_t i = 0; i < before.size(); ++i) CHECK_EQUAL(after[i] == before[i], i / 3 != 70 || i % 3 == 2);
    stage.check_faults();
}

/// Three metres away, turned by 50 degrees about y, and scaled.
struct Place {
    double scale = 1;
    MMatrix matrix() const {
        const double turn = 50 * 3.14159265358979323846 / 180, c = scale * std::cos(turn), s = scale * std::sin(turn);
        const double rows[4][4] = {{c, 0, -s, 0}, {0, scale, 0, 0}, {s, 0, c, 0}, {300, 0, 0, 1}};
        return MMatrix(rows);
    }
};

/// Puts a transform there.
void put(Stage& stage, const std::string& transform, const Place& place) {
    stage.scene.set(transform + ".translateX", 300);
    stage.scene.set(transform + ".rotateY", 50 * 3.14159265358979323846 / 180);
    for (const char* axis : {"X", "Y", "Z"}) stage.scene.set(transform + ".scale" + axis, place.scale);
}

/// The tube's mesh and joints under transforms of their own, which are moved to the place before they are bound to each
/// other, or after it.
void add_placed_body(Stage& stage, const Place& place, bool before) {
    stage.add_joints_and_mesh();
    const auto move = [&] {
        put(stage, "body", place);
        put(stage, "rig", place);
    };
    if (before) move();
    stage.bind();
    if (!before) move();
}

std::vector<float> moved(const std::vector<float>& points, const MMatrix& matrix) {
    std::vector<float> found;
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
        const MPoint place = MPoint(double{points[i]}, double{points[i + 1]}, double{points[i + 2]}) * matrix;
        for (unsigned k = 0; k < 3; ++k) found.push_back(static_cast<float>(place[k]));
    }
    return found;
}

/// In its own space, a body that was moved with its joints is skinned as at the origin. A skin cluster agrees where the
/// body was moved before it was bound; afterwards it moves the mesh twice, unless the transform stays where it was.
void skins_where_the_body_is(bool before) {
    const Place place{2};
    std::vector<std::vector<float>> at_origin, by_cluster;
    {
        Stage stage;
        stage.add_skinned_body();
        for (double frame = first_frame; frame <= last_frame; ++frame) {
            stage.scene.set_time(frame);
            at_origin.push_back(stage.scene.points("bodyShape"));
        }
    }
    Stage stage;
    add_placed_body(stage, place, before);
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        by_cluster.push_back(stage.scene.points("bodyShape"));
    }
    const std::string node = stage.create("sinewSkinning");
    stage.scene.set(node + ".method", 0);
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        const auto i = static_cast<std::size_t>(frame - first_frame);
        const std::vector<float> shown = stage.scene.points("bodyShape");
        CHECK(apart(shown, at_origin[i]) < 1e-3);
        CHECK_EQUAL(apart(shown, by_cluster[i]) < 1e-3, before);
    }
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    stage.check_faults();
}

/// A body that is flat has no space to go back to: it stays as it is, and the node says so.
void a_flat_body_passes_through() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinning");
    stage.scene.set_time(8);
    stage.scene.set("body.scaleX", 0);
    CHECK(stage.scene.points("bodyShape") == tube(8, 8).points);
    CHECK(stage.scene.text(node + ".status").find("flat in the world") != std::string::npos);
    stage.scene.set("body.scaleX", 1);
    CHECK(apart(stage.scene.points("bodyShape"), tube(8, 8).points) > 1);
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    const std::string cluster = stage.scene.nodes("skinCluster").at(0);
    MMatrix flat;
    flat(1, 1) = 0;
    stage.scene.set(cluster + ".geomMatrix", flat);
    for (const float number : stage.scene.points("bodyShape")) CHECK(std::isfinite(number));
    stage.scene.idle();
    const auto said = stage.scene.said();
    CHECK(std::any_of(said.begin(), said.end(), [](const standin::Said& line) {
        return line.text.find("The body at rest is flat in the world") != std::string::npos;
    }));
    stage.check_faults();
}

struct Shown {
    std::vector<float> body, muscles;
    bool operator==(const Shown& other) const { return body == other.body && muscles == other.muscles; }
};

Shown look(Stage& stage, const std::string& node, double frame) {
    stage.scene.set_time(frame);
    return {stage.scene.points("bodyShape"), stage.scene.points(node + ".muscles_mesh")};
}

std::string add_muscles(Stage& stage, const MMatrix& place = MMatrix()) {
    const std::string node = stage.create("sinewMuscleSkin");
    stage.scene.set(node + ".joint_names", "foot,knee");
    stage.scene.set(node + ".muscles", one_muscle(place));
    stage.scene.set(node + ".jiggle", 1.5);
    stage.scene.key("foot.rotateX", {{1, 0}, {5, 0.6}, {9, -0.6}, {24, 0.5}});
    return node;
}

/// Muscles jiggle: each frame follows from those before it, in whatever order they are looked at.
void muscles_jiggle_in_any_order(standin::Evaluation mode) {
    std::vector<Shown> played;
    {
        Stage stage;
        stage.add_skinned_body();
        const std::string node = add_muscles(stage);
        for (double frame = first_frame; frame <= last_frame; ++frame) {
            played.push_back(look(stage, node, frame));
            CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
        }
        CHECK(!played.front().muscles.empty());
        CHECK(apart(played[5].muscles, played[12].muscles) > 0.1);
    }
    Stage stage;
    stage.scene.set_evaluation(mode, 4);
    stage.add_skinned_body();
    const std::string node = add_muscles(stage);
    stage.run("sinewSolve " + node);
    std::mt19937 random(17);
    for (int i = 0; i < 60; ++i) {
        const double frame = first_frame + static_cast<double>(random() % 24);
        CHECK(look(stage, node, frame) == played[static_cast<std::size_t>(frame - first_frame)]);
    }
    stage.check_faults();
}

/// Frames of a muscle skin where it is; `place` is the identity, or where everything is.
std::vector<Shown> play_muscles(const Place* place) {
    Stage stage;
    if (place) add_placed_body(stage, *place, true);
    else stage.add_skinned_body();
    const std::string node = add_muscles(stage, place ? place->matrix() : MMatrix());
    std::vector<Shown> frames;
    for (double frame = first_frame; frame <= last_frame; ++frame) frames.push_back(look(stage, node, frame));
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    stage.check_faults();
    return frames;
}

/// What a deformer shows where only some vertices are its own, at a frame, from what came in and what it computed.
struct Partly {
    Stage& stage;
    const std::string node;
    const std::vector<float> rest, full;

    /// `share`: how far a vertex goes.
    void check(const std::string& what, const std::function<double(std::size_t)>& share) {
        const std::vector<float> shown = stage.scene.points("bodyShape");
        double most = 0;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            const double by = share(i / 3), expected = (1 - by) * double{rest[i]} + by * double{full[i]};
            // What does not move, and what moves all the way, is exact.
            if (by == 0 || by == 1) CHECK_EQUAL(shown[i], by == 0 ? rest[i] : full[i]);
            most = std::max(most, std::abs(double{shown[i]} - expected));
        }
        if (!(most < 1e-4)) fail(__FILE__, __LINE__, node + ", " + what + ": off by " + std::to_string(most) + " cm");
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    }
};

/// A component tag says which vertices move; what is painted, a falloff and the envelope are multiplied, and none of them
/// changes what is computed.
void only_some_vertices_move(const std::string& type) {
    Stage stage;
    stage.add_skinned_body();
    std::vector<int> high;
    for (int vertex = 30; vertex < 72; ++vertex) high.push_back(vertex);
    stage.scene.tag("bodyShape", "high", high);
    const std::string node = type == "sinewMuscleSkin" ? add_muscles(stage) : stage.create(type);
    for (double frame = first_frame; frame <= 8; ++frame) stage.scene.set_time(frame);
    Partly partly{stage, node, tube(8, 8).points, stage.scene.points("bodyShape")};
    CHECK(apart(partly.rest, partly.full) > 1);
    const auto tagged = [](std::size_t vertex) { return vertex >= 30 ? 1.0 : 0.0; };
    stage.scene.set(node + ".input[0].componentTagExpression", std::string("high"));
    partly.check("tag", tagged);
    stage.scene.create("componentFalloff", "falloff");
    stage.scene.set("falloff.weightLayers[0].weights[64]", 0.25);
    stage.scene.set("falloff.weightLayers[0].weights[20]", 0.25);
    stage.scene.connect("falloff.outputWeightFunction[0]", node + ".weightFunction[0]");
    const auto falling = [&](std::size_t vertex) { return tagged(vertex) * (vertex == 64 ? 0.25 : 1); };
    partly.check("tag and falloff", falling);
    stage.scene.set("falloff.weightLayers[0].weights[64]", 0.5);
    stage.scene.set(node + ".weightList[0].weights[64]", 0.5);
    stage.scene.set(node + ".weightList[0].weights[65]", 0);
    const auto painted = [&](std::size_t vertex) {
        return falling(vertex) * (vertex == 65 ? 0 : 1);
    };
    partly.check("tag, falloff and paint", painted);
    for (const double envelope : {0.5, 0.0, 1.0}) {
        stage.scene.set(node + ".envelope", envelope);
        partly.check("envelope", [&](std::size_t vertex) { return envelope * painted(vertex); });
    }
    stage.scene.set(node + ".input[0].componentTagExpression", std::string("*"));
    partly.check("all again", [](std::size_t vertex) {
        return vertex == 20 || vertex == 64 ? 0.25 : vertex == 65 ? 0.0 : 1.0;
    });
    stage.check_faults();
}

/// An envelope that is keyed blends each frame by its own value, and frames are computed as without it.
void the_envelope_is_animated() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = add_muscles(stage);
    std::vector<std::vector<float>> full;
    for (double frame = first_frame; frame <= 12; ++frame) full.push_back(look(stage, node, frame).body);
    stage.scene.key(node + ".envelope", {{1, 0}, {5, 1}, {9, 0.5}, {24, 0.5}});
    for (const double frame : {9.0, 1.0, 3.0, 5.0, 12.0}) {
        stage.scene.set_time(frame);
        Partly partly{stage, node, tube(8, 8).points, full[static_cast<std::size_t>(frame - first_frame)]};
        const double envelope = frame == 1 ? 0 : frame == 3 ? 0.5 : frame == 5 ? 1 : 0.5;
        partly.check("frame " + std::to_string(frame), [&](std::size_t) { return envelope; });
    }
    stage.check_faults();
}

/// The skin is where it is at the origin, in the space of its mesh; muscles are where they are in the world.
void muscles_are_where_the_body_is() {
    const Place place;
    const std::vector<Shown> at_origin = play_muscles(nullptr), there = play_muscles(&place);
    for (std::size_t i = 0; i < there.size(); ++i) {
        CHECK(!there[i].muscles.empty());
        CHECK(apart(there[i].body, at_origin[i].body) < 1e-2);
        CHECK(apart(there[i].muscles, moved(at_origin[i].muscles, place.matrix())) < 1e-2);
    }
}

/// The slider takes the body at rest and in motion in the space of the mesh, and its gravity pulls down there: a body
/// that lies on its side slides as it does upright, bit for bit.
void the_slider_works_in_the_meshs_space() {
    std::vector<std::vector<Uvs>> played;
    for (const double gravity : {0.0, 9.81}) {
        for (const double turn : {0.0, 1.5}) {
            Stage stage;
            stage.add_skinned_body();
            const std::string node = stage.create("sinewSkinSlider");
            stage.scene.set(node + ".mode", 1);
            stage.scene.set(node + ".gravity", gravity);
            stage.scene.set("body.rotateZ", turn);
            stage.scene.set("body.scaleX", turn == 0 ? 1 : 2);
            played.push_back(stage.play());
            CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
            stage.check_faults();
        }
    }
    CHECK(played[0] == played[1]);
    CHECK(played[2] == played[3]);
    CHECK(played[0] != played[2]);
}

/// Points of a scene in which y is up as those of one in which z is.
std::vector<float> z_up(std::vector<float> points) {
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
        const float y = points[i + 1];
        points[i + 1] = -points[i + 2];
        points[i + 2] = y;
    }
    return points;
}

/// A slider between a rest shape and frames from a file.
std::string slide_frames(Stage& stage, bool turned) {
    standin::MeshPlan mesh = tube(8, 8);
    std::vector<std::vector<float>> frames;
    for (double frame = first_frame; frame <= last_frame; ++frame)
        frames.push_back(turned ? z_up(bent(mesh, frame)) : bent(mesh, frame));
    if (turned) mesh.points = z_up(mesh.points);
    stage.scene.create_mesh("rest", mesh);
    stage.scene.create_mesh("body", mesh);
    stage.scene.mesh_sequence("motion", mesh, frames, first_frame);
    stage.scene.create("sinewSkinSlider", "slider");
    stage.scene.set("slider.start_time", 1);
    stage.scene.connect("restShape.outMesh", "slider.rest");
    stage.scene.connect("motion.outMesh", "slider.in_mesh");
    stage.scene.connect("slider.out_mesh", "bodyShape.inMesh");
    return "slider";
}

/// What pulls down pulls along z in a scene where z is up, whenever the user chose that: the same body with its axes
/// turned slides the same way there.
void the_up_axis_is_the_scenes() {
    const auto play = [](bool z_first, bool z_then, bool turned) {
        Stage stage;
        stage.scene.set_z_up(z_first);
        const std::string node = slide_frames(stage, turned);
        stage.scene.set(node + ".mode", 1);
        stage.scene.set(node + ".gravity", 9.81);
        std::vector<Uvs> frames = stage.play();
        if (z_then != z_first) {
            stage.scene.set_z_up(z_then);
            frames = stage.play();
        }
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
        stage.check_faults();
        return frames;
    };
    const std::vector<Uvs> y = play(false, false, false);
    CHECK(play(true, true, false) != y);
    CHECK(play(false, true, false) == play(true, true, false));
    const std::vector<Uvs> z = play(true, true, true);
    double most = 0;
    for (std::size_t i = 0; i < y.size(); ++i) most = std::max(most, apart(y[i], z[i]));
    CHECK(most < 1e-5);
}

} // namespace

int main() {
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Parallel}) muscles_jiggle_in_any_order(mode);
    skins_as_the_cluster_does();
    the_envelope_scales_it();
    for (const char* type : {"sinewSkinning", "sinewMuscleSkin"}) only_some_vertices_move(type);
    the_envelope_is_animated();
    weights_follow_the_cluster();
    for (const bool before : {true, false}) skins_where_the_body_is(before);
    a_flat_body_passes_through();
    muscles_are_where_the_body_is();
    the_slider_works_in_the_meshs_space();
    the_up_axis_is_the_scenes();
    return finish();
}
