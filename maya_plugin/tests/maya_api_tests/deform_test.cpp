// Deformers, skin clusters, meshes and their UVs.
#include "check.h"
#include "toys.h"

#include <maya/MDagPathArray.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnSingleIndexedComponent.h>
#include <maya/MFnSkinCluster.h>
#include <maya/MPxGeometryFilter.h>
#include <scene.h>

using standin::Scene;

namespace {

standin::MeshPlan square() {
    return {{0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1}, {4}, {0, 1, 2, 3}, {0, 1, 1, 0}, {0, 0, 1, 1}, {0, 1, 2, 3}};
}

struct Deformed : Scene {
    Deformed() {
        load_plugin("toys", toys::initialize, toys::uninitialize);
        create_mesh("body", square());
        name = deform("toyPush", "body");
        toys::Calls::deforms = 0;
    }
    float height(std::size_t vertex) { return points("body")[vertex * 3 + 1]; }
    std::string name;
};

} // namespace

TEST(a_deformer_moves_a_copy_of_what_comes_in) {
    Deformed scene;
    CHECK(scene.height(0) == 1.0F);
    CHECK(scene.points("bodyShapeOrig.outMesh")[1] == 0.0F);
    CHECK(scene.height(2) == 1.0F && toys::Calls::deforms == 1);
    scene.set(scene.name + ".amount", 3);
    CHECK(scene.height(2) == 3.0F && toys::Calls::deforms == 2);
    CHECK_NO_FAULTS(scene);
}

TEST(the_envelope_and_painted_weights_scale_what_a_deformer_does) {
    Deformed scene;
    scene.set(scene.name + ".envelope", 0.5);
    CHECK(scene.height(1) == 0.5F);
    scene.set(scene.name + ".weightList[0].weights[1]", 0.5);
    CHECK(scene.height(1) == 0.25F && scene.height(0) == 0.5F);
    scene.set(scene.name + ".envelope", 0);
    CHECK(scene.height(1) == 0.0F);
}

TEST(a_node_state_of_no_effect_gives_the_geometry_as_it_is) {
    Deformed scene;
    scene.set(scene.name + ".nodeState", 1);
    CHECK(scene.height(1) == 0.0F && toys::Calls::deforms == 0);
}

TEST(a_component_tag_says_which_vertices_are_deformed) {
    Deformed scene;
    scene.tag("body", "side", {1, 3});
    scene.set(scene.name + ".input[0].componentTagExpression", std::string("side"));
    CHECK(scene.height(0) == 0.0F && scene.height(1) == 1.0F && scene.height(3) == 1.0F);
    scene.set(scene.name + ".weightList[0].weights[3]", 0.5);
    CHECK(scene.height(3) == 0.5F && scene.height(1) == 1.0F);
    scene.set(scene.name + ".input[0].componentTagExpression", std::string("nothing"));
    CHECK(scene.height(1) == 0.0F);
}

TEST(a_falloff_scales_what_a_deformer_does_where_it_asks_for_its_weights) {
    Deformed scene;
    scene.create("componentFalloff", "falloff");
    scene.set("falloff.weightLayers[0].weights[2]", 0.5);
    scene.connect("falloff.outputWeightFunction[0]", scene.name + ".weightFunction[0]");
    CHECK(scene.height(2) == 0.5F && scene.height(1) == 1.0F && scene.height(3) == 1.0F);
    scene.set(scene.name + ".weightList[0].weights[2]", 0.5);
    CHECK(scene.height(2) == 0.25F);
    // The envelope is the deformer's own to multiply by: once.
    scene.set(scene.name + ".envelope", 0.5);
    CHECK(scene.height(2) == 0.125F && scene.height(1) == 0.5F);
}

TEST(deformers_follow_each_other) {
    Deformed scene;
    const std::string second = scene.deform("toyPush", "body");
    scene.set(second + ".amount", 10);
    CHECK(scene.height(0) == 11.0F);
    MFnGeometryFilter filter(scene.node(scene.name));
    CHECK(filter.outputShapeAtIndex(0) == scene.node("bodyShape"));
    CHECK(filter.inputShapeAtIndex(0) == scene.node("bodyShapeOrig"));
}

TEST(a_skin_cluster_brings_points_along_with_its_joints) {
    Scene scene;
    scene.create_mesh("body", square());
    scene.create("joint", "left");
    scene.create("joint", "right");
    scene.set("right.translateX", 1);
    const std::string skin = scene.skin("body", {"left", "right"}, {1, 0, 0, 1, 0, 1, 0.5, 0.5});
    CHECK_NEAR(static_cast<double>(scene.points("body")[3]), 1, 1e-6);
    scene.set("right.translateY", 4);
    CHECK_NEAR(static_cast<double>(scene.points("body")[1]), 0, 1e-6);
    CHECK_NEAR(static_cast<double>(scene.points("body")[4]), 4, 1e-6);
    CHECK_NEAR(static_cast<double>(scene.points("body")[10]), 2, 1e-6);
    MFnSkinCluster fn(scene.node(skin));
    MDagPathArray joints;
    CHECK(fn.influenceObjects(joints) == 2 && joints[1].fullPathName() == "|right");
    MFnSingleIndexedComponent component;
    MObject all = component.create(MFn::kMeshVertComponent);
    component.setCompleteData(4);
    MDoubleArray weights;
    unsigned int count = 0;
    MDagPath path;
    CHECK(fn.getWeights(path, all, weights, count) == MS::kSuccess);
    CHECK(count == 2 && weights.length() == 8 && weights[6] == 0.5 && weights[2] == 0);
}

TEST(a_sequence_of_points_follows_the_time) {
    Scene scene;
    standin::MeshPlan plan = square();
    std::vector<float> up = plan.points;
    for (std::size_t i = 1; i < up.size(); i += 3) up[i] = 2;
    const std::string sequence = scene.mesh_sequence("seq", plan, {plan.points, up}, 10);
    scene.create_mesh("body", plan);
    scene.connect(sequence + ".outMesh", "bodyShape.inMesh");
    scene.set_time(10);
    CHECK(scene.points("body")[1] == 0.0F);
    scene.set_time(11);
    CHECK(scene.points("body")[1] == 2.0F);
    CHECK(scene.points_at("body", 10.5)[1] == 1.0F && scene.points("body")[1] == 2.0F);
}

TEST(points_of_a_shape_are_an_edit_and_in_the_world_where_its_transform_is) {
    Scene scene;
    scene.create_mesh("body", square());
    scene.set("body.translateX", 10);
    MDagPath path;
    MDagPath::getAPathTo(scene.node("body"), path);
    CHECK(path.hasFn(MFn::kMesh));
    MFnMesh fn(path);
    MPointArray points;
    CHECK(fn.getPoints(points, MSpace::kWorld) == MS::kSuccess && points[1] == MPoint(11, 0, 0));
    points[1].x = 12;
    CHECK(fn.setPoints(points, MSpace::kWorld) == MS::kSuccess);
    CHECK(scene.points("body")[3] == 2.0F);
    scene.create_mesh("other", square());
    scene.connect("otherShape.outMesh", "bodyShape.inMesh");
    CHECK(fn.setPoints(points) != MS::kSuccess);
}

TEST(uvs_are_a_list_and_an_index_for_each_corner) {
    MFnMeshData data;
    MObject mesh = data.create();
    MFnMesh fn;
    const int counts[] = {4}, connects[] = {0, 1, 2, 3};
    MPointArray points(4);
    points[1] = MPoint(1, 0, 0);
    Scene scene;
    CHECK(!fn.create(4, 1, points, MIntArray(counts, 1), MIntArray(connects, 4), mesh).isNull());
    const float u[] = {0.0F, 1.0F}, v[] = {0.0F, 0.5F};
    const int ids[] = {0, 1, 1, 0}, wrong[] = {0, 1, 2, 0};
    CHECK(fn.setUVs(MFloatArray(u, 2), MFloatArray(v, 2)) == MS::kSuccess);
    CHECK(fn.assignUVs(MIntArray(counts, 1), MIntArray(wrong, 4)) != MS::kSuccess);
    CHECK(fn.assignUVs(MIntArray(counts, 1), MIntArray(ids, 4)) == MS::kSuccess);
    MIntArray got_counts, got_ids;
    fn.getAssignedUVs(got_counts, got_ids);
    CHECK(got_counts.length() == 1 && got_counts[0] == 4 && got_ids[2] == 1);
    CHECK(fn.setUVs(MFloatArray(u, 1), MFloatArray(v, 1)) != MS::kSuccess);
    CHECK(fn.clearUVs() == MS::kSuccess && fn.numUVs() == 0);
    MString name("second");
    CHECK(fn.createUVSetDataMesh(name) == MS::kSuccess && fn.numUVSets() == 2);
    CHECK(fn.setUVs(MFloatArray(u, 2), MFloatArray(v, 2), &name) == MS::kSuccess && fn.numUVs("second") == 2 &&
          fn.numUVs() == 0);
}
