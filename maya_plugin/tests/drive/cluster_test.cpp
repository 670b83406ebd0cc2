// What skins takes the place of the skin cluster, among the deformers before and after it, and skins as it does.
#include "stage.h"

#include <algorithm>
#include <cmath>

using namespace sinew::tests;

namespace {

typedef std::vector<std::vector<float>> Frames;

double apart(const std::vector<float>& a, const std::vector<float>& b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    return most;
}

double apart(const Frames& a, const Frames& b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, apart(a[i], b[i]));
    return most;
}

Frames play(Stage& stage) {
    Frames frames;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        frames.push_back(stage.scene.points("bodyShape"));
    }
    return frames;
}

/// A node with what it needs; its muscles carry nothing, and the skin is not relaxed.
std::string create(Stage& stage, const std::string& type) {
    const std::string node = stage.create(type);
    if (type != "sinewMuscleSkin") return node;
    stage.scene.set(node + ".joint_names", "foot,knee");
    stage.scene.set(node + ".muscles", one_muscle());
    stage.scene.set(node + ".weight_factor", 0);
    stage.scene.set(node + ".relax", 0);
    return node;
}

std::size_t warnings(Stage& stage, const std::string& text) {
    const std::vector<standin::Said> said = stage.scene.said();
    return static_cast<std::size_t>(std::count_if(said.begin(), said.end(), [&](const standin::Said& one) {
        return one.level == 1 && one.text.find(text) != std::string::npos;
    }));
}

/// A corrective before the skin cluster, whose weight has keys, and a deltaMush after it.
void add_rig(Stage& stage) {
    stage.add_joints_and_mesh();
    stage.add_shape(wide_tube());
    stage.bind();
    stage.scene.deform("deltaMush", "bodyShape", "mush");
}

void other_deformers_stay(const std::string& type) {
    Stage stage;
    add_rig(stage);
    const Frames before = play(stage);
    CHECK(apart(before[0], before[11]) > 1);
    const std::string node = create(stage, type);
    CHECK(apart(play(stage), before) < 1e-4);
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    stage.scene.set("shapes.envelope", 0);
    const Frames without = play(stage);
    CHECK(apart(without, before) > 0.5);
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    stage.scene.set("shapes.envelope", 1);
    CHECK(stage.scene.undo());
    CHECK(play(stage) == before);
    stage.check_faults();
}

/// Muscles follow from frame to frame, and so from the corrective in earlier frames: an edit of it concerns them all.
void an_edit_before_the_cluster_is_noticed() {
    Stage stage;
    add_rig(stage);
    const std::string node = create(stage, "sinewMuscleSkin");
    play(stage);
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    stage.scene.set("shapes.envelope", 0.5);
    stage.scene.points("bodyShape");
    CHECK(stage.scene.text(node + ".status") != std::string());
    stage.run("sinewSolve " + node);
    stage.scene.points("bodyShape");
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    stage.check_faults();
}

struct Shown {
    Frames points;
    std::vector<Uvs> uvs;
};

/// Both clicks of the menu, in either order.
Shown both(const std::string& first, const std::string& second) {
    Stage stage;
    add_rig(stage);
    const Frames before = play(stage);
    stage.scene.set_time(first_frame);
    create(stage, first);
    create(stage, second);
    stage.run("sinewSolve");
    Shown shown{play(stage), stage.play()};
    CHECK(apart(shown.points, before) < 1e-4);
    for (const std::string& type : {first, second})
        CHECK_EQUAL(stage.scene.text(type + "1.status"), std::string());
    CHECK(stage.scene.undo());
    CHECK(stage.scene.undo());
    CHECK(play(stage) == before);
    stage.check_faults();
    return shown;
}

void the_order_of_clicks_does_not_matter() {
    const Shown one = both("sinewSkinSlider", "sinewMuscleSkin"), other = both("sinewMuscleSkin", "sinewSkinSlider");
    CHECK(one.points == other.points);
    CHECK(one.uvs == other.uvs);
    CHECK(one.uvs.back() != unslid(tube(8, 8)));
}

/// A body that a twist collapses, half of it blended.
void add_twisted(Stage& stage, int method, int normalize, double sum) {
    stage.add_skinned_body();
    stage.scene.key("knee.rotateY", {{1, 0}, {24, 2.5}});
    stage.scene.set("skinCluster1.skinningMethod", method);
    stage.scene.set("skinCluster1.normalizeWeights", normalize);
    for (int vertex = 0; vertex < 72; ++vertex) {
        const std::string index = "[" + std::to_string(vertex) + "]", weights = "skinCluster1.weightList" + index + ".weights";
        const double up = vertex / 8 / 8.0;
        stage.scene.set("skinCluster1.blendWeights" + index, vertex % 3 / 2.0);
        stage.scene.set(weights + "[0]", (1 - up) * sum);
        stage.scene.set(weights + "[1]", up * sum);
    }
}

/// What a body shows between "Add Muscle Skin" and its first muscle, which is no fault.
void without_muscles_it_is_skinned_as_before() {
    Stage stage;
    add_rig(stage);
    const Frames by_cluster = play(stage);
    const std::string node = stage.create("sinewMuscleSkin");
    CHECK(apart(play(stage), by_cluster) < 1e-4);
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    CHECK_EQUAL(warnings(stage, node + ": there are no muscles, so joints alone move the skin"), std::size_t{1});
    stage.check_faults();
}

void skins_by_the_clusters_settings() {
    std::vector<Frames> by_method;
    for (int method = 0; method < 3; ++method) {
        for (int normalize = 0; normalize < 3; ++normalize) {
            for (const char* type : {"sinewSkinning", "sinewMuscleSkin"}) {
                Stage stage;
                add_twisted(stage, method, normalize, normalize == 2 ? 0.5 : 1);
                const Frames by_cluster = play(stage);
                const std::string node = create(stage, type);
                const double off = apart(play(stage), by_cluster);
                if (!(off < 1e-4))
                    fail(__FILE__, __LINE__, std::string(type) + ", method " + std::to_string(method) + ", normalize " +
                                                 std::to_string(normalize) + ": " + std::to_string(off) + " cm off");
                CHECK_EQUAL(warnings(stage, "cluster"), std::size_t{0});
                CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
                stage.check_faults();
                by_method.push_back(by_cluster);
            }
        }
    }
    CHECK(apart(by_method[0], by_method[6]) > 0.5);
    CHECK(apart(by_method[6], by_method[12]) > 0.5);
}

/// A method and an envelope with keys are followed; a set one stays the artist's to change.
void animated_settings_are_followed() {
    Stage stage;
    add_twisted(stage, 0, 2, 1);
    stage.scene.key("skinCluster1.skinningMethod", {{1, 0}, {11, 0}, {12, 1}, {24, 1}});
    stage.scene.key("skinCluster1.envelope", {{1, 1}, {24, 0.5}});
    const Frames by_cluster = play(stage);
    stage.create("sinewSkinning");
    CHECK(apart(play(stage), by_cluster) < 1e-4);
    stage.check_faults();
}

/// Sums that the cluster leaves as they are, and what else the node has nothing for, are said once.
void what_is_lacking_is_said() {
    for (const int normalize : {0, 1}) {
        Stage stage;
        add_twisted(stage, 0, normalize, 0.5);
        stage.scene.set("skinCluster1.useComponents", 1);
        const std::string node = stage.create("sinewSkinning");
        CHECK_EQUAL(warnings(stage, node + ": The weights of 72 vertices do not add up to 1, first those of vertex 0"),
                    std::size_t{1});
        CHECK_EQUAL(warnings(stage, "components of influence objects (useComponents)"), std::size_t{1});
        stage.check_faults();
    }
}

/// Only the part of the body that the cluster deforms.
void the_clusters_tag_is_taken() {
    Stage stage;
    stage.add_skinned_body();
    std::vector<int> upper;
    for (int vertex = 36; vertex < 72; ++vertex) upper.push_back(vertex);
    stage.scene.tag("bodyShape", "upper", upper);
    stage.scene.set("skinCluster1.input[0].componentTagExpression", "upper");
    const Frames by_cluster = play(stage);
    const std::string node = stage.create("sinewSkinning");
    CHECK_EQUAL(stage.scene.text(node + ".input[0].componentTagExpression"), std::string("upper"));
    CHECK(apart(play(stage), by_cluster) < 1e-4);
    stage.check_faults();
}

/// A copy is skinned as the body that it is on.
void a_copy_takes_the_targets_method() {
    Stage stage;
    add_twisted(stage, 1, 2, 1);
    const std::string node = stage.create("sinewSkinning");
    stage.scene.create_mesh("second", tube(8, 8));
    stage.scene.skin("secondShape", {"foot"}, std::vector<double>(72, 1.0));
    const std::string copy = stage.run("sinewCopy -toMesh secondShape " + node).at(0);
    CHECK_EQUAL(stage.scene.number(node + ".method"), 1.0);
    CHECK_EQUAL(stage.scene.number(copy + ".method"), 0.0);
    stage.check_faults();
}

} // namespace

int main() {
    for (const char* type : {"sinewSkinning", "sinewMuscleSkin"}) other_deformers_stay(type);
    an_edit_before_the_cluster_is_noticed();
    the_order_of_clicks_does_not_matter();
    without_muscles_it_is_skinned_as_before();
    skins_by_the_clusters_settings();
    animated_settings_are_followed();
    what_is_lacking_is_said();
    the_clusters_tag_is_taken();
    a_copy_takes_the_targets_method();
    return finish();
}
