// What is edited, and what is computed again because of it.
#include "stage.h"

#include <functional>

using namespace sinew::tests;

namespace {

std::size_t solve(Stage& stage, const std::string& node) {
    const std::vector<std::string> results = stage.run("sinewSolve " + node);
    return results.empty() ? 0 : static_cast<std::size_t>(std::stoul(results.front()));
}

/// The frames of a scene that is made as `edit` leaves it, and played once: the truth about edits.
std::vector<Uvs> made_so(const std::function<void(Stage&, const std::string&)>& edit) {
    Stage stage;
    stage.add_skinned_body();
    edit(stage, stage.create("sinewSkinSlider"));
    return stage.play();
}

/// Skin with inertia, in which the frames before live on. (At rest, skin hardly remembers how it came there.)
std::string with_inertia(Stage& stage) {
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set(node + ".mode", 1);
    return node;
}

/// Only frames from the edited one on are computed again, and the frames are those of a scene made so at once.
void a_parameter_is_keyed_at_frame_20() {
    const std::vector<Uvs> expected = made_so([](Stage& stage, const std::string& node) {
        stage.scene.key(node + ".zeta", {{1, 1}, {19, 1}, {20, 0.25}, {24, 1}});
    });
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.key(node + ".zeta", {{1, 1}, {19, 1}, {24, 1}});
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    CHECK_EQUAL(solve(stage, node), std::size_t{0});
    const std::vector<Uvs> before = stage.play();
    stage.scene.set_time(20);
    stage.scene.key(node + ".zeta", {{20, 0.25}});
    CHECK_EQUAL(solve(stage, node), std::size_t{5});
    CHECK(stage.play() == expected);
    CHECK(expected.back() != before.back());
    stage.check_faults();
}

bool is_preview(const Stage& stage, const std::string& node) {
    return stage.scene.text(node + ".status").find("Preview: ") == 0;
}

/// The pose is edited while the user looks at a later frame: nothing that followed from the old one is shown.
void the_motion_is_edited_upstream() {
    const auto edit = [](Stage& stage) { stage.scene.key("knee.rotateZ", {{8, 1.4}, {24, 0.2}}); };
    const std::vector<Uvs> expected = made_so([&](Stage& stage, const std::string&) { edit(stage); });
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    CHECK(stage.scene.text(node + ".status").empty());
    edit(stage);
    stage.scene.refresh();
    CHECK(is_preview(stage, node));
    CHECK(stage.uvs() != before.back() && stage.uvs() != unslid(tube(8, 8)));
    solve(stage, node);
    CHECK(stage.play() == expected);
    CHECK(expected.back() != before.back());
    stage.check_faults();
}

/// The motion is edited in frames before the one that is shown, which itself stays as it was.
void earlier_frames_are_edited() {
    const auto edit = [](Stage& stage) { stage.scene.key("knee.rotateZ", {{12, 1.0}}); };
    const std::vector<Uvs> expected = made_so([&](Stage& stage, const std::string& node) {
        stage.scene.set(node + ".mode", 1);
        edit(stage);
    });
    Stage stage;
    stage.add_skinned_body();
    const std::string node = with_inertia(stage);
    const std::vector<Uvs> before = stage.play();
    CHECK_EQUAL(stage.scene.time(), last_frame);
    edit(stage);
    stage.scene.refresh();
    // That of before follows from other frames, and is said to.
    CHECK(before.back() != expected.back());
    CHECK(is_preview(stage, node));
    CHECK_EQUAL(solve(stage, node), std::size_t{24 - 8});
    CHECK(stage.play() == expected);
}

/// An edit, and another time before anyone has looked: nothing is shown as computed that followed from other frames.
void edited_before_the_time_changes(standin::Evaluation mode, const std::function<void(Stage&)>& edit) {
    const std::vector<Uvs> expected = made_so([&](Stage& stage, const std::string& node) {
        stage.scene.set(node + ".mode", 1);
        edit(stage);
    });
    Stage stage;
    stage.scene.set_evaluation(mode, 4);
    stage.add_skinned_body();
    const std::string node = with_inertia(stage);
    const std::vector<Uvs> before = stage.play();
    edit(stage);
    stage.scene.set_time(22);
    CHECK(before[21] != expected[21]);
    CHECK(is_preview(stage, node));
    solve(stage, node);
    CHECK(stage.play() == expected);
}

/// An edit that reached the node before anybody looked at the last time, so that no one tells it. Solving finds it, and
/// does not build on what followed from other frames.
void an_edit_that_nobody_saw() {
    const auto edit = [](Stage& stage) { stage.scene.set("foot.scaleX", 1.3); };
    const std::vector<Uvs> expected = made_so([&](Stage& stage, const std::string&) { edit(stage); });
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.play();
    edit(stage);
    stage.scene.set_time(23);
    // The command steps back to the frame, and asks for nothing but what is exact.
    stage.scene.forget();
    CHECK(stage.scene.command("sinewSolve -startFrame 22 " + node) != MS::kSuccess);
    for (const standin::Said& said : stage.scene.said()) CHECK(said.text.find("Preview") == std::string::npos);
    solve(stage, node);
    CHECK(stage.play() == expected);
}

/// An edit and its undo: the frames of before are valid again without being computed.
void an_edit_is_undone() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    stage.scene.set(node + ".young", 12000);
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    CHECK(stage.play() != before);
    stage.scene.set(node + ".young", 30000);
    CHECK(stage.play() == before);
    CHECK_EQUAL(solve(stage, node), std::size_t{0});
}

/// A manipulator while the evaluation manager plays: nothing is marked as dirty, only listed.
void a_joint_is_dragged() {
    const std::vector<Uvs> expected = made_so([](Stage& stage, const std::string&) {
        stage.scene.set("knee.rotateX", 0.4);
    });
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    CHECK(stage.scene.text(node + ".status").empty());
    stage.scene.drag("knee.rotateX", 0.4);
    CHECK(is_preview(stage, node));
    CHECK(stage.uvs() != before.back());
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    CHECK(stage.play() == expected);
    stage.check_faults();
}

/// A painted map that a control of the rig drives, which is dragged.
void a_map_follows_a_control() {
    const auto holds = [](const std::string& node, int vertex) {
        return node + ".painted_maps[0].hold[" + std::to_string(vertex) + "]";
    };
    const std::vector<Uvs> expected = made_so([&](Stage& stage, const std::string& node) {
        for (int vertex = 24; vertex < 32; ++vertex) stage.scene.set(holds(node, vertex), 1);
    });
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.create("transform", "control");
    stage.scene.key("control.translateX", {{1, 0}, {24, 1}});
    for (int vertex = 24; vertex < 32; ++vertex) stage.scene.connect("control.translateY", holds(node, vertex));
    const std::vector<Uvs> before = stage.play();
    CHECK(stage.scene.text(node + ".status").empty());
    CHECK(before.back() != expected.back());
    stage.scene.drag("control.translateY", 1);
    CHECK(is_preview(stage, node));
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    CHECK(stage.play() == expected);
    stage.check_faults();
}

/// Where nothing is connected to a parameter any more, it is the same in all frames again: an edit and its undo find the
/// frames of before.
void keys_of_a_parameter_are_deleted() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.key(node + ".young", {{1, 30000}, {24, 20000}});
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    stage.scene.set_time(1);
    stage.scene.disconnect(stage.source(node + ".young"), node + ".young");
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    const std::vector<Uvs> before = stage.play();
    stage.scene.set(node + ".young", 12000);
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    CHECK(stage.play() != before);
    stage.scene.set(node + ".young", 30000);
    CHECK_EQUAL(solve(stage, node), std::size_t{0});
    CHECK(stage.play() == before);
}

void has_no_effect() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    stage.scene.set(node + ".nodeState", 1);
    CHECK(stage.uvs() == unslid(tube(8, 8)));
    stage.scene.set(node + ".nodeState", 0);
    CHECK(stage.uvs() == before.back());
    stage.check_faults();
}

/// A node by hand between the motion and the shape.
void connect_slider(Stage& stage, const std::string& node) {
    stage.scene.create("sinewSkinSlider", node);
    stage.scene.set(node + ".start_time", 1);
    stage.scene.connect("restShape.outMesh", node + ".rest");
    stage.scene.connect("motion.outMesh", node + ".in_mesh");
    stage.scene.disconnect("motion.outMesh", "bodyShape.inMesh");
    stage.scene.connect(node + ".out_mesh", "bodyShape.inMesh");
}

/// A body with other vertices and faces comes in.
void topology_changes_upstream() {
    const std::string node = "slider";
    std::vector<Uvs> expected;
    {
        Stage stage;
        stage.add_cached_body(10, 12);
        connect_slider(stage, node);
        expected = stage.play();
    }
    Stage stage;
    stage.add_cached_body();
    connect_slider(stage, node);
    stage.play();
    CHECK(stage.scene.text(node + ".status").empty());
    const standin::MeshPlan other = tube(10, 12);
    stage.scene.create_mesh("rest2", other);
    std::vector<std::vector<float>> frames;
    for (double frame = first_frame; frame <= last_frame; ++frame) frames.push_back(bent(other, frame));
    stage.scene.mesh_sequence("motion2", other, frames, first_frame);
    // Only the motion at first: the rest does not fit, which is said, and the body passes through.
    stage.scene.disconnect("motion.outMesh", node + ".in_mesh");
    stage.scene.connect("motion2.outMesh", node + ".in_mesh");
    stage.scene.set_time(1);
    CHECK(!stage.scene.text(node + ".status").empty());
    CHECK(stage.uvs() == unslid(other));
    stage.scene.disconnect("restShape.outMesh", node + ".rest");
    stage.scene.connect("rest2Shape.outMesh", node + ".rest");
    CHECK(stage.play() == expected);
    CHECK(expected.back() != unslid(other));
    stage.check_faults();
}

} // namespace

int main() {
    a_parameter_is_keyed_at_frame_20();
    the_motion_is_edited_upstream();
    earlier_frames_are_edited();
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Parallel}) {
        edited_before_the_time_changes(mode, [](Stage& stage) { stage.scene.key("knee.rotateZ", {{12, 1.0}}); });
        edited_before_the_time_changes(mode, [](Stage& stage) {
            stage.scene.set("foot.scaleX", 1.3);
            stage.scene.idle();
        });
    }
    an_edit_that_nobody_saw();
    a_joint_is_dragged();
    a_map_follows_a_control();
    keys_of_a_parameter_are_deleted();
    has_no_effect();
    an_edit_is_undone();
    topology_changes_upstream();
    return finish();
}
