// Where a body comes from: the body at rest and the skin cluster are found by the geometry that flows into its shape,
// whatever else the rig depends on; and where that cannot be told, the command refuses.
#include "stage.h"

using namespace sinew::tests;

namespace {

/// A second tube with a skin cluster of its own; the joints of the first depend on it, as in a ribbon or a rivet.
void add_ribbon(Stage& stage) {
    stage.scene.create_mesh("ribbon", tube(3, 8));
    stage.scene.create("joint", "hook");
    stage.scene.skin("ribbonShape", {"hook"}, std::vector<double>(32, 1.0));
    const std::vector<std::string> made = stage.run("sinewCreate -type sinewMuscleSkin ribbonShape");
    stage.scene.connect(made.at(0) + ".out_muscle_lengths[0]", "foot.scaleX");
}

void joints_may_depend_on_another_body() {
    Stage stage;
    stage.add_skinned_body();
    add_ribbon(stage);
    CHECK_EQUAL(stage.source("ribbonShape.inMesh"), std::string("sinewMuscleSkin1.outputGeometry[0]"));
    const std::string slider = stage.create("sinewSkinSlider");
    CHECK_EQUAL(stage.source(slider + ".rest"), std::string("bodyShapeOrig.outMesh"));
    const std::string skinning = stage.create("sinewSkinning");
    CHECK_EQUAL(stage.source(skinning + ".input[0].inputGeometry"), std::string("bodyShapeOrig.worldMesh[0]"));
    CHECK_EQUAL(stage.source(skinning + ".originalGeometry[0]"), std::string("bodyShapeOrig.outMesh"));
    CHECK_EQUAL(stage.source(skinning + ".joints"), std::string("skinCluster1.matrix"));
    CHECK_EQUAL(stage.source(skinning + ".skin_weight_list"), std::string("skinCluster1.weightList"));
    CHECK_EQUAL(stage.source("sinewMuscleSkin1.joints"), std::string("skinCluster2.matrix"));
    stage.check_faults();
}

/// A target that is a body itself, with a skin cluster and an undeformed shape of its own.
void a_target_is_another_body() {
    Stage stage;
    stage.add_joints_and_mesh();
    standin::MeshPlan wide = tube(8, 8);
    for (std::size_t i = 0; i < wide.points.size(); i += 3) wide.points[i] *= 2;
    stage.scene.create_mesh("wide", wide);
    stage.scene.create("joint", "handle");
    stage.scene.skin("wideShape", {"handle"}, std::vector<double>(72, 1.0));
    stage.scene.deform("blendShape", "bodyShape", "shapes");
    stage.scene.connect("wideShape.outMesh",
                        "shapes.inputTarget[0].inputTargetGroup[0].inputTargetItem[6000].inputGeomTarget");
    stage.scene.set("shapes.weight[0]", 0.5);
    stage.bind();
    const std::string slider = stage.create("sinewSkinSlider");
    CHECK_EQUAL(stage.source(slider + ".rest"), std::string("bodyShapeOrig.outMesh"));
    const std::string skinning = stage.create("sinewSkinning");
    CHECK_EQUAL(stage.source(skinning + ".joints"), std::string("skinCluster2.matrix"));
    CHECK_EQUAL(stage.source(skinning + ".originalGeometry[0]"), std::string("bodyShapeOrig.outMesh"));
    stage.check_faults();
}

/// As scenes from before Maya 2022 have them, with a group and a tweak between.
void a_long_chain_is_followed() {
    Stage stage;
    stage.add_joints_and_mesh();
    stage.scene.deform("tweak", "bodyShape", "tweaks");
    stage.scene.deform("blendShape", "bodyShape", "shapes");
    stage.bind();
    stage.scene.create("groupParts", "parts");
    stage.scene.disconnect("shapes.outputGeometry[0]", "skinCluster1.input[0].inputGeometry");
    stage.scene.connect("shapes.outputGeometry[0]", "parts.inputGeometry");
    stage.scene.connect("parts.outputGeometry", "skinCluster1.input[0].inputGeometry");
    stage.scene.deform("deltaMush", "bodyShape", "mush");
    stage.scene.create("polyTransfer", "uvs");
    stage.scene.create_mesh("layout", tube(8, 8));
    stage.scene.disconnect("mush.outputGeometry[0]", "bodyShape.inMesh");
    stage.scene.connect("mush.outputGeometry[0]", "uvs.inputPolymesh");
    stage.scene.connect("layoutShape.outMesh", "uvs.otherPoly");
    stage.scene.connect("uvs.output", "bodyShape.inMesh");
    const std::string slider = stage.create("sinewSkinSlider");
    CHECK_EQUAL(stage.source(slider + ".rest"), std::string("bodyShapeOrig.outMesh"));
    CHECK_EQUAL(stage.source(slider + ".in_mesh"), std::string("uvs.output"));
    const std::string skinning = stage.create("sinewSkinning");
    CHECK_EQUAL(stage.source(skinning + ".input[0].inputGeometry"), std::string("parts.outputGeometry"));
    CHECK_EQUAL(stage.source("mush.input[0].inputGeometry"), skinning + ".outputGeometry[0]");
    CHECK_EQUAL(stage.source(skinning + ".joints"), std::string("skinCluster1.matrix"));
    stage.check_faults();
}

/// A deformer has several bodies, each with a shape of its own; and its original geometry is known where the way to it
/// is not.
void each_geometry_of_a_deformer_is_its_own() {
    Stage stage;
    stage.add_skinned_body();
    stage.scene.deform("deltaMush", "bodyShape", "mush");
    stage.scene.create_mesh("other", tube(3, 8));
    stage.scene.create_mesh("ribbon", tube(3, 8));
    stage.scene.create_mesh("kept", tube(3, 8));
    stage.scene.create("polyUnite", "joined");
    stage.scene.connect("keptShape.outMesh", "joined.inputPoly[0]");
    stage.scene.connect("ribbonShape.outMesh", "joined.inputPoly[1]");
    stage.scene.connect("joined.output", "mush.input[3].inputGeometry");
    stage.scene.connect("mush.outputGeometry[3]", "otherShape.inMesh");
    stage.refuses("sinewCreate -type sinewSkinSlider otherShape",
            "In the history of otherShape, joined puts several meshes together (joined.inputPoly[0], "
            "joined.inputPoly[1]), so that its undeformed shape cannot be told");
    stage.scene.disconnect("ribbonShape.outMesh", "joined.inputPoly[1]");
    const std::string slider = stage.run("sinewCreate -type sinewSkinSlider otherShape").at(0);
    CHECK_EQUAL(stage.source(slider + ".rest"), std::string("keptShape.outMesh"));
    // Normal: for working.
    CHECK_EQUAL(stage.scene.number(slider + ".quality"), 1.0);
    CHECK(stage.scene.undo());
    stage.scene.connect("ribbonShape.outMesh", "joined.inputPoly[1]");
    stage.scene.connect("keptShape.outMesh", "mush.originalGeometry[3]");
    stage.refuses("sinewCreate -type sinewSkinSlider otherShape", "otherShape has 64 vertices, and its body at rest, "
                                                                   "keptShape, has 32");
    stage.check_faults();
}

void another_number_of_vertices_is_refused() {
    Stage stage;
    stage.add_skinned_body();
    stage.scene.create_mesh("cage", tube(3, 8));
    stage.refuses("sinewCreate -type sinewSkinSlider -rest cage bodyShape",
            "bodyShape has 72 vertices, and its body at rest, cageShape, has 32");
    stage.check_faults();
}

/// A mesh that shows another's has that one's body at rest.
void a_mesh_may_show_another() {
    Stage stage;
    stage.add_skinned_body();
    stage.scene.create_mesh("render", tube(8, 8));
    stage.scene.connect("bodyShape.outMesh", "renderShape.inMesh");
    CHECK_EQUAL(stage.source(stage.run("sinewCreate -type sinewSkinSlider renderShape").at(0) + ".rest"),
                std::string("bodyShapeOrig.outMesh"));
    stage.check_faults();
}

} // namespace

int main() {
    joints_may_depend_on_another_body();
    a_target_is_another_body();
    a_long_chain_is_followed();
    each_geometry_of_a_deformer_is_its_own();
    another_number_of_vertices_is_refused();
    a_mesh_may_show_another();
    return finish();
}
