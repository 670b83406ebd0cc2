// Deformers: what the library computes is what the shape shows, as far as envelope, weights and tags let it.
#include "stage.h"

#include <sinew/sinew.hpp>

#include <algorithm>
#include <cmath>
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

/// A muscle from one joint of the tube to the other.
std::string one_muscle() {
    std::vector<double> rest(32, 0.0);
    for (std::size_t k = 0; k < 4; ++k) rest[5 * k] = rest[16 + 5 * k] = 1;
    rest[16 + 13] = 8;
    const sinew::Rig rig({"foot", "knee"}, sinew::array<double>({rest.data(), rest.size()}, 16), 0.01, SINEW_UP_Y,
                         true);
    sinew::MuscleSet set;
    set.add(rig, "flexor", "foot", "knee", 2.0);
    return set.text();
}

struct Shown {
    std::vector<float> body, muscles;
    bool operator==(const Shown& other) const { return body == other.body && muscles == other.muscles; }
};

Shown look(Stage& stage, const std::string& node, double frame) {
    stage.scene.set_time(frame);
    return {stage.scene.points("bodyShape"), stage.scene.points(node + ".muscles_mesh")};
}

std::string add_muscles(Stage& stage) {
    stage.add_skinned_body();
    const std::string node = stage.create("sinewMuscleSkin");
    stage.scene.set(node + ".joint_names", "foot,knee");
    stage.scene.set(node + ".muscles", one_muscle());
    stage.scene.set(node + ".jiggle", 1.5);
    stage.scene.key("foot.rotateX", {{1, 0}, {5, 0.6}, {9, -0.6}, {24, 0.5}});
    return node;
}

/// Muscles jiggle: each frame follows from those before it, in whatever order they are looked at.
void muscles_jiggle_in_any_order(standin::Evaluation mode) {
    std::vector<Shown> played;
    {
        Stage stage;
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
    const std::string node = add_muscles(stage);
    stage.run("sinewSolve " + node);
    std::mt19937 random(17);
    for (int i = 0; i < 60; ++i) {
        const double frame = first_frame + static_cast<double>(random() % 24);
        CHECK(look(stage, node, frame) == played[static_cast<std::size_t>(frame - first_frame)]);
    }
    stage.check_faults();
}

} // namespace

int main() {
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Parallel}) muscles_jiggle_in_any_order(mode);
    skins_as_the_cluster_does();
    the_envelope_scales_it();
    weights_follow_the_cluster();
    return finish();
}
