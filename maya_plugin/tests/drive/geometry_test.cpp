// What travels with a mesh comes out of the slider as it went in: materials by face, sets and tags hang on it, and so
// do deformers that come after it.
#include "stage.h"

#include <maya/MFnGeometryData.h>
#include <maya/MFnSingleIndexedComponent.h>

using namespace sinew::tests;

namespace {

constexpr unsigned red = 7, blue = 8;

MObject faces(std::initializer_list<int> which) {
    MFnSingleIndexedComponent made;
    const MObject component = made.create(MFn::kMeshPolygonComponent);
    for (const int face : which) made.addElement(face);
    return component;
}

/// Groups as Maya makes them for materials by face, in the data of a shape without history.
void give_materials(Stage& stage, const std::string& shape) {
    const MPlug plug = stage.scene.plug(shape + ".inMesh");
    MFnGeometryData data(plug.asMObject());
    for (const auto& [id, which] : {std::pair<unsigned, MObject>{red, faces({0, 1, 2})}, {blue, faces({3, 4})}}) {
        MObject component = which;
        CHECK_EQUAL(data.addObjectGroup(id), MS::kSuccess);
        CHECK_EQUAL(data.setObjectGroupComponent(id, component), MS::kSuccess);
    }
    stage.scene.tag(shape, "left", {0, 1, 2, 3});
}

void materials_tags_and_the_matrix_stay() {
    Stage stage;
    stage.add_joints_and_mesh();
    stage.scene.set("body.translateX", 30);
    stage.bind();
    give_materials(stage, "bodyShapeOrig");
    const std::string node = stage.create("sinewSkinSlider");
    const MPlug came = stage.scene.plug(node + ".in_mesh").source();
    bool slid = false;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
        slid = slid || stage.uvs() != unslid(tube(8, 8));
        const MFnGeometryData data(stage.scene.plug(node + ".out_mesh").asMObject());
        CHECK(data.hasObjectGroup(red));
        CHECK(data.hasObjectGroup(blue));
        CHECK(data.hasComponentTag("left"));
        MMatrix matrix;
        CHECK_EQUAL(data.getMatrix(matrix), MS::kSuccess);
        CHECK(matrix == stage.scene.matrix("body.worldMatrix[0]"));
        // What came in is not written to.
        CHECK(stage.scene.corner_uvs(came.name().asUTF8()) == unslid(tube(8, 8)));
    }
    CHECK(slid);
    stage.check_faults();
}

} // namespace

int main() {
    materials_tags_and_the_matrix_stay();
    return finish();
}
