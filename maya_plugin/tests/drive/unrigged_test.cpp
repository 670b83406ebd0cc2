// Bodies that no deformer of Maya moves: out of a cache, as Alembic's node gives them, or not moving at all.
#include "stage.h"

#include <cstdio>
#include <filesystem>

using namespace sinew::tests;

namespace {

const standin::MeshPlan plan = tube(8, 8);

/// The frames of a slider that was put in by hand, with a body at rest.
std::vector<Uvs> by_hand(const std::vector<float>& rest) {
    Stage stage;
    stage.add_cached_body();
    standin::MeshPlan still = plan;
    still.points = rest;
    stage.scene.create_mesh("still", still);
    stage.scene.create("sinewSkinSlider", "slider");
    stage.scene.set("slider.start_time", first_frame);
    stage.scene.set("slider.uv_set", "map1");
    stage.scene.connect("stillShape.outMesh", "slider.rest");
    stage.scene.disconnect("motion.outMesh", "bodyShape.inMesh");
    stage.scene.connect("motion.outMesh", "slider.in_mesh");
    stage.scene.connect("slider.out_mesh", "bodyShape.inMesh");
    return stage.play();
}

/// What it is in the first frame is its rest, whenever the node is made, and stays so.
void a_cached_body_slides() {
    const std::vector<Uvs> expected = by_hand(bent(plan, first_frame));
    const std::string path = (std::filesystem::temp_directory_path() / "sinew_unrigged.ma").string();
    Stage stage;
    stage.add_cached_body();
    const std::size_t nodes = stage.scene.nodes().size();
    stage.scene.set_time(9);
    const std::string node = stage.create("sinewSkinSlider");
    CHECK_EQUAL(stage.scene.time(), 9.0);
    CHECK_EQUAL(stage.scene.nodes().size(), nodes + 2);
    CHECK(stage.scene.points("bodyShapeRest.outMesh") == bent(plan, first_frame));
    CHECK_EQUAL(stage.scene.number("bodyShapeRest.intermediateObject"), 1.0);
    CHECK(stage.play() == expected);
    CHECK(expected.back() != unslid(plan));
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.nodes().size(), nodes);
    stage.scene.set_time(5);
    CHECK(stage.uvs() == unslid(plan));
    CHECK(stage.scene.redo());
    CHECK_EQUAL(stage.scene.nodes().size(), nodes + 2);
    CHECK(stage.play() == expected);
    stage.scene.save(path);
    stage.scene.open(path);
    CHECK(stage.play() == expected);
    stage.check_faults();
    std::filesystem::remove(path);
}

/// What was made for a node goes with it, unless another node uses it, and comes back with it.
void the_frozen_rest_goes_with_the_node() {
    Stage stage;
    stage.add_cached_body();
    const std::size_t nodes = stage.scene.nodes().size();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> with = stage.play();
    stage.run("sinewRemove " + node);
    CHECK_EQUAL(stage.scene.nodes().size(), nodes);
    CHECK(stage.uvs() == unslid(plan));
    CHECK(stage.scene.undo());
    CHECK(stage.scene.exists("bodyShapeRest"));
    stage.run("sinewSolve");
    CHECK(stage.play() == with);
    CHECK(stage.scene.redo());
    CHECK_EQUAL(stage.scene.nodes().size(), nodes);
    CHECK(stage.scene.undo());
    // Something else uses it; or it is the user's own.
    stage.scene.create_mesh("user", plan);
    stage.scene.connect("bodyShapeRest.outMesh", "userShape.inMesh");
    stage.run("sinewRemove " + node);
    CHECK(stage.scene.exists("bodyShapeRest"));
    const std::string own = stage.run("sinewCreate -type sinewSkinSlider -rest rest bodyShape").at(0);
    stage.run("sinewRemove " + own);
    CHECK(stage.scene.exists("restShape"));
    stage.check_faults();
}

/// A mesh for the body at rest, which is not frozen.
void with_a_mesh_at_rest() {
    const std::vector<Uvs> expected = by_hand(plan.points);
    Stage stage;
    stage.add_cached_body();
    const std::size_t nodes = stage.scene.nodes().size();
    const std::string node = stage.run("sinewCreate -type sinewSkinSlider -rest rest bodyShape").at(0);
    CHECK_EQUAL(stage.scene.nodes().size(), nodes + 1);
    stage.scene.set(node + ".quality", 0);
    CHECK(stage.play() == expected);
    stage.check_faults();
}

void what_does_not_move_is_refused() {
    Stage stage;
    stage.scene.create_mesh("plain", plan);
    stage.refuses("sinewCreate -type sinewSkinSlider plainShape", "plainShape has no history: bind or deform it first");
    // Built, as a cube of Maya is, and not moved by anything.
    stage.scene.create_mesh("built", plan);
    stage.scene.mesh_sequence("builder", plan, {plan.points}, 1);
    stage.scene.disconnect("time1.outTime", "builder.time");
    stage.scene.connect("builder.outMesh", "builtShape.inMesh");
    stage.refuses("sinewCreate -type sinewSkinSlider builtShape", "builtShape does not move");
    stage.add_cached_body();
    stage.refuses("sinewCreate -type sinewSkinning bodyShape", "bodyShape has no undeformed shape in its history");
    stage.refuses("sinewCreate -type sinewSkinSlider -rest nothing bodyShape", "There is no mesh nothing.");
    stage.check_faults();
}

} // namespace

int main() {
    a_cached_body_slides();
    the_frozen_rest_goes_with_the_node();
    with_a_mesh_at_rest();
    what_does_not_move_is_refused();
    return finish();
}
