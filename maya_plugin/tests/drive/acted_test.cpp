// Faces that act: what deformers before the skin cluster do, the skin does, too; only what bones do slides.
#include "stage.h"

#include <algorithm>
#include <cmath>

using namespace sinew::tests;

namespace {

/// A tube whose rings in the middle are drawn upwards, along its own surface.
standin::MeshPlan raised() {
    standin::MeshPlan mesh = tube(8, 8);
    const double height = double{*std::max_element(mesh.points.begin(), mesh.points.end())};
    for (std::size_t i = 1; i < mesh.points.size(); i += 3) {
        const double up = double{mesh.points[i]} / height;
        mesh.points[i] += static_cast<float>(0.15 * height * std::pow(std::sin(3.14159265358979 * up), 2));
    }
    return mesh;
}

void add_body(Stage& stage, bool bends) {
    stage.add_joints_and_mesh();
    stage.add_shape(raised());
    stage.bind();
    if (!bends) stage.scene.key("knee.rotateZ", {{8, 0}, {16, 0}, {24, 0}});
}

/// How far the UVs of a frame are from those at rest.
double slid(const Uvs& uvs) {
    const Uvs rest = unslid(tube(8, 8));
    double most = 0;
    for (std::size_t i = 0; i < uvs.size(); ++i) most = std::max(most, std::abs(double{uvs[i]} - double{rest[i]}));
    return most;
}

void shapes_carry_their_skin() {
    Stage stage;
    add_body(stage, false);
    const std::string node = stage.create("sinewSkinSlider");
    CHECK_EQUAL(stage.source(node + ".acted"), std::string("shapes.outputGeometry[0]"));
    for (const Uvs& uvs : stage.play()) CHECK(slid(uvs) < 1e-6);
    CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    // Without it, they slide as if bones had moved them.
    stage.scene.disconnect("shapes.outputGeometry[0]", node + ".acted");
    CHECK(slid(stage.play()[11]) > 0.005);
    stage.check_faults();
}

/// Bones slide the skin all the same, and edits of shapes are seen.
void bones_slide_it() {
    std::vector<std::vector<Uvs>> shown;
    for (const bool edits : {false, true}) {
        Stage stage;
        add_body(stage, true);
        const std::string node = stage.create("sinewSkinSlider");
        if (edits) stage.scene.key("shapes.weight[0]", {{12, 0.5}});
        shown.push_back(stage.play());
        CHECK(slid(shown.back()[7]) > 0.002);
        if (!edits) {
            stage.scene.key("shapes.weight[0]", {{12, 0.5}});
            shown.push_back(stage.play());
        }
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
        stage.check_faults();
    }
    CHECK(shown[0] != shown[1]);
    CHECK(shown[1] == shown[2]);
}

/// Whatever skins the body, and from wherever it was first.
void what_skins_does_not_matter() {
    for (const bool first : {false, true}) {
        Stage stage;
        add_body(stage, true);
        std::string node = first ? stage.create("sinewSkinSlider") : std::string();
        stage.create("sinewMuscleSkin");
        if (!first) node = stage.create("sinewSkinSlider");
        CHECK_EQUAL(stage.source(node + ".acted"), std::string("shapes.outputGeometry[0]"));
    }
}

void without_shapes_nothing_acts() {
    Stage stage;
    stage.add_skinned_body();
    CHECK_EQUAL(stage.source(stage.create("sinewSkinSlider") + ".acted"), std::string());
}

/// Of another mesh than the body: the sentence names the input.
void another_mesh_is_refused() {
    Stage stage;
    add_body(stage, true);
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.create_mesh("other", tube(6, 8));
    stage.scene.disconnect("shapes.outputGeometry[0]", node + ".acted");
    stage.scene.connect("otherShape.outMesh", node + ".acted");
    stage.scene.set_time(1);
    CHECK(slid(stage.uvs()) == 0);
    CHECK(stage.scene.text(node + ".status").find("port acted") != std::string::npos);
}

} // namespace

int main() {
    shapes_carry_their_skin();
    bones_slide_it();
    what_skins_does_not_matter();
    without_shapes_nothing_acts();
    another_mesh_is_refused();
    return finish();
}
