// A node that is deleted or removed leaves the body as it was before; and what is not to be stacked is refused.
#include "stage.h"

#include <algorithm>
#include <cmath>

using namespace sinew::tests;

namespace {

struct Shown {
    std::vector<std::vector<float>> points;
    std::vector<Uvs> uvs;
    bool operator==(const Shown& other) const { return points == other.points && uvs == other.uvs; }
};

Shown look(Stage& stage) {
    Shown shown;
    for (double frame = first_frame; frame <= last_frame; ++frame) {
        stage.scene.set_time(frame);
        shown.points.push_back(stage.scene.points("bodyShape"));
        shown.uvs.push_back(stage.uvs());
    }
    return shown;
}

/// By Maya's own command and by ours; undone and done again.
void gone_without_a_trace(const std::string& type, const std::string& remove) {
    Stage stage;
    stage.add_skinned_body();
    stage.scene.deform("deltaMush", "bodyShape", "mush");
    const Shown before = look(stage);
    const std::string node = stage.create(type);
    if (type == "sinewMuscleSkin") {
        stage.scene.set(node + ".joint_names", "foot,knee");
        stage.scene.set(node + ".muscles", one_muscle());
    }
    stage.run("sinewSolve");
    const Shown with = look(stage);
    stage.run(remove + " " + node);
    CHECK(!stage.scene.exists(node));
    CHECK(look(stage) == before);
    CHECK_EQUAL(stage.source("mush.input[0].inputGeometry"), std::string("skinCluster1.outputGeometry[0]"));
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), std::string("mush.outputGeometry[0]"));
    CHECK(stage.scene.undo());
    CHECK(stage.scene.exists(node));
    stage.run("sinewSolve");
    CHECK(look(stage) == with);
    CHECK(stage.scene.redo());
    CHECK(look(stage) == before);
    stage.check_faults();
}

/// A deformer that was put before the node since then comes before the skin cluster.
void what_came_since_stays() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinning");
    stage.scene.create("deltaMush", "mush");
    stage.scene.disconnect("bodyShapeOrig.worldMesh[0]", node + ".input[0].inputGeometry");
    stage.scene.connect("bodyShapeOrig.worldMesh[0]", "mush.input[0].inputGeometry");
    stage.scene.connect("mush.outputGeometry[0]", node + ".input[0].inputGeometry");
    const Shown with = look(stage);
    stage.run("sinewRemove " + node);
    CHECK_EQUAL(stage.source("skinCluster1.input[0].inputGeometry"), std::string("mush.outputGeometry[0]"));
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), std::string("skinCluster1.outputGeometry[0]"));
    const Shown without = look(stage);
    for (std::size_t i = 0; i < with.points.size(); ++i)
        for (std::size_t k = 0; k < with.points[i].size(); ++k)
            CHECK(std::abs(with.points[i][k] - without.points[i][k]) < 1e-4F);
    CHECK(stage.scene.undo());
    CHECK(look(stage) == with);
    stage.check_faults();
}

/// Several at once, in one step of undo.
void all_of_a_body() {
    Stage stage;
    stage.add_skinned_body();
    const Shown before = look(stage);
    for (const char* first : {"sinewSkinSlider1 sinewMuscleSkin1", "sinewMuscleSkin1 sinewSkinSlider1"}) {
        stage.create("sinewSkinSlider");
        stage.create("sinewMuscleSkin");
        CHECK_EQUAL(stage.run(std::string("sinewRemove ") + first).size(), std::size_t{2});
        CHECK(look(stage) == before);
        CHECK(stage.scene.undo());
        CHECK(stage.scene.exists("sinewSkinSlider1") && stage.scene.exists("sinewMuscleSkin1"));
        CHECK(stage.scene.redo());
        CHECK(look(stage) == before);
    }
    stage.check_faults();
}

void nothing_is_stacked() {
    Stage stage;
    stage.add_skinned_body();
    const std::string slider = stage.create("sinewSkinSlider"), muscles = stage.create("sinewMuscleSkin");
    stage.refuses("sinewCreate -type sinewSkinSlider bodyShape", "bodyShape has " + slider + " already");
    stage.refuses("sinewCreate -type sinewMuscleSkin body", "bodyShape has " + muscles + " already");
    stage.refuses("sinewCreate -type sinewSkinning bodyShape", "bodyShape is skinned by " + muscles + " already");
    stage.refuses("sinewCopy -toMesh bodyShape " + slider, slider + " is on bodyShape itself");
    stage.refuses("sinewRemove foot", "Select a node of Sinew");
    stage.scene.create("sinewStrand", "tendons");
    stage.refuses("sinewRemove tendons", "tendons has no body");
    stage.run("sinewCreate -force -type sinewSkinSlider bodyShape");
    CHECK_EQUAL(stage.source("sinewSkinSlider2.in_mesh"), slider + ".out_mesh");
    stage.check_faults();
}

/// All selected bodies get one, or none does, in one step of undo; and the frame in which the motion begins is said.
void one_for_each_body() {
    Stage stage;
    stage.add_skinned_body();
    stage.scene.create_mesh("second", tube(3, 8));
    stage.refuses("sinewCreate -type sinewSkinSlider body second", "secondShape has no history");
    stage.scene.skin("secondShape", {"foot"}, std::vector<double>(32, 1.0));
    const std::size_t nodes = stage.scene.nodes().size();
    const std::vector<std::string> made = stage.run("sinewCreate -type sinewSkinSlider body bodyShape second");
    CHECK_EQUAL(made.size(), std::size_t{2});
    const std::vector<standin::Said> said = stage.scene.said();
    CHECK_EQUAL(std::count_if(said.begin(), said.end(),
                              [](const auto& one) {
                                  return one.level == 2 && one.text.find("begins at frame 1, where the time slider "
                                                                         "does") != std::string::npos;
                              }),
                2);
    CHECK_EQUAL(stage.source("secondShape.inMesh"), made.at(1) + ".out_mesh");
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.nodes().size(), nodes);
    CHECK_EQUAL(stage.source("bodyShape.inMesh"), std::string("skinCluster1.outputGeometry[0]"));
    CHECK_EQUAL(stage.source("secondShape.inMesh"), std::string("skinCluster2.outputGeometry[0]"));
    CHECK(stage.scene.redo());
    CHECK_EQUAL(stage.source("secondShape.inMesh"), made.at(1) + ".out_mesh");
    stage.check_faults();
}

} // namespace

int main() {
    for (const char* type : {"sinewSkinSlider", "sinewMuscleSkin", "sinewSkinning"})
        for (const char* remove : {"delete", "sinewRemove"}) gone_without_a_trace(type, remove);
    what_came_since_stays();
    all_of_a_body();
    nothing_is_stacked();
    one_for_each_body();
    return finish();
}
