// What is edited, and what is computed again because of it.
#include "stage.h"

using namespace sinew::tests;

namespace {

std::size_t solve(Stage& stage, const std::string& node) {
    const std::vector<std::string> results = stage.run("sinewSolve " + node);
    return results.empty() ? 0 : static_cast<std::size_t>(std::stoul(results.front()));
}

/// Only frames from the edited one on are computed again, and the frames are those of a scene made so at once.
void a_parameter_is_keyed_at_frame_20() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.key(node + ".zeta", {{1, 1}, {19, 1}, {24, 1}});
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    CHECK_EQUAL(solve(stage, node), std::size_t{0});
    stage.scene.set_time(20);
    stage.scene.key(node + ".zeta", {{20, 0.25}});
    CHECK_EQUAL(solve(stage, node), std::size_t{5});

    Stage other;
    other.add_skinned_body();
    const std::string fresh = other.create("sinewSkinSlider");
    other.scene.key(fresh + ".zeta", {{1, 1}, {19, 1}, {20, 0.25}, {24, 1}});
    CHECK(stage.play() == other.play());
    stage.check_faults();
}

/// The pose is edited while the user looks at a later frame: nothing that followed from the old one is shown.
void the_motion_is_edited_upstream() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    CHECK(stage.scene.text(node + ".status").empty());
    stage.scene.key("knee.rotateZ", {{8, 1.4}, {24, 0.2}});
    stage.scene.refresh();
    CHECK(stage.uvs() == unslid(tube(8, 8)));
    CHECK(!stage.scene.text(node + ".status").empty());
    solve(stage, node);
    Stage other;
    other.add_skinned_body();
    other.scene.key("knee.rotateZ", {{8, 1.4}, {24, 0.2}});
    other.create("sinewSkinSlider");
    const std::vector<Uvs> after = other.play();
    CHECK(after.back() != before.back());
    CHECK(stage.play() == after);
}

/// An edit and its undo: the frames of before are valid again without being computed.
void an_edit_is_undone() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    stage.scene.set(node + ".young", 12000);
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    stage.scene.set(node + ".young", 30000);
    CHECK(stage.play() == before);
    CHECK_EQUAL(solve(stage, node), std::size_t{0});
}

void connect_slider(Stage& stage, const std::string& node, const std::string& rest, const std::string& motion) {
    stage.scene.connect(rest + ".outMesh", node + ".rest");
    stage.scene.connect(motion + ".outMesh", node + ".in_mesh");
}

/// A body with other vertices and faces comes in.
void topology_changes_upstream() {
    const auto add_other = [](Stage& stage) {
        const standin::MeshPlan other = tube(10, 12);
        stage.scene.create_mesh("rest2", other);
        std::vector<std::vector<float>> frames;
        for (double frame = first_frame; frame <= last_frame; ++frame) frames.push_back(bent(other, frame));
        stage.scene.mesh_sequence("motion2", other, frames, first_frame);
    };
    Stage stage;
    stage.add_cached_body();
    add_other(stage);
    const std::string node = "slider";
    stage.scene.create("sinewSkinSlider", node);
    stage.scene.set(node + ".start_time", 1);
    connect_slider(stage, node, "restShape", "motion");
    stage.scene.disconnect("motion.outMesh", "bodyShape.inMesh");
    stage.scene.connect(node + ".out_mesh", "bodyShape.inMesh");
    stage.play();
    CHECK(stage.scene.text(node + ".status").empty());
    // Only the motion at first: the rest does not fit, which is said, and the body passes through.
    stage.scene.disconnect("motion.outMesh", node + ".in_mesh");
    stage.scene.connect("motion2.outMesh", node + ".in_mesh");
    stage.scene.set_time(1);
    CHECK(!stage.scene.text(node + ".status").empty());
    CHECK(stage.uvs() == unslid(tube(10, 12)));
    stage.scene.disconnect("restShape.outMesh", node + ".rest");
    stage.scene.connect("rest2Shape.outMesh", node + ".rest");
    const std::vector<Uvs> after = stage.play();

    Stage other;
    other.add_cached_body(10, 12);
    other.scene.create("sinewSkinSlider", node);
    other.scene.set(node + ".start_time", 1);
    connect_slider(other, node, "restShape", "motion");
    other.scene.disconnect("motion.outMesh", "bodyShape.inMesh");
    other.scene.connect(node + ".out_mesh", "bodyShape.inMesh");
    CHECK(after == other.play());
    CHECK(after.back() != unslid(tube(10, 12)));
    stage.check_faults();
}

} // namespace

int main() {
    a_parameter_is_keyed_at_frame_20();
    the_motion_is_edited_upstream();
    an_edit_is_undone();
    topology_changes_upstream();
    return finish();
}
