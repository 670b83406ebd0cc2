// Every type of node that the library describes: made, evaluated, asked for each of its outputs.
#include "stage.h"

#include <maya/MDoubleArray.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnDoubleArrayData.h>

#include <algorithm>
#include <fstream>

using namespace sinew::tests;

namespace {

std::vector<std::string> types(Stage& stage) {
    std::vector<std::string> found = stage.run("sinewCreate -query");
    CHECK(found.size() >= 5);
    return found;
}

/// Asks for everything that a node gives, at several times.
void ask_for_all(Stage& stage, const std::string& node) {
    const MObject object = stage.scene.node(node);
    const MFnDependencyNode dependency(object);
    for (const double frame : {1.0, 2.0, 3.0, 9.0, 2.0}) {
        stage.scene.set_time(frame);
        for (unsigned i = 0; i < dependency.attributeCount(); ++i) {
            const MFnAttribute attribute(dependency.attribute(i));
            if (attribute.isWritable() || !attribute.parent().isNull() || attribute.isArray()) continue;
            MPlug(object, attribute.object()).asMObject();
        }
    }
    stage.scene.idle();
}

void are_made_by_hand() {
    Stage stage;
    for (const std::string& type : types(stage)) {
        const std::string name = type + "_by_hand";
        stage.scene.create(type, name);
        ask_for_all(stage, name);
        CHECK(stage.scene.exists(name));
        const std::string copy = stage.scene.duplicate(name);
        ask_for_all(stage, copy);
        stage.scene.remove(copy);
    }
    stage.check_faults();
}

void are_made_on_a_body() {
    Stage names;
    const std::vector<std::string> all = types(names);
    names.check_faults();
    names.scene.clear();
    for (const std::string& type : all) {
        names.scene.clear();
        names.add_skinned_body();
        const std::string node = names.create(type);
        ask_for_all(names, node);
        names.scene.set_time(1);
        // All show something at once, a skin of muscles what its joints move.
        CHECK_EQUAL(names.scene.text(node + ".status"), std::string());
        names.check_faults();
    }
}

/// A node with nothing connected says what it lacks, and gives no mesh.
void say_what_they_lack() {
    Stage stage;
    stage.scene.create("sinewSkinSlider", "slider");
    CHECK_EQUAL(stage.scene.text("slider.status"),
                std::string("Frame 1: nothing is connected to in_mesh: connect the body's mesh to it."));
    MStatus status;
    stage.scene.plug("slider.out_mesh").asMObject(&status);
    CHECK(!status);
}

/// What is asked for is computed, though nothing is connected to it.
void give_what_is_asked_for() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    double most = 0;
    for (double frame = 1; frame <= 6; ++frame) {
        stage.scene.set_time(frame);
        const MDoubleArray slides = MFnDoubleArrayData(stage.scene.plug(node + ".out_slide_distance").asMObject()).array();
        CHECK_EQUAL(slides.length(), 72U);
        for (unsigned i = 0; i < slides.length(); ++i) most = std::max(most, slides[i]);
    }
    CHECK(most > 0.01);
    stage.check_faults();
}

/// A finger of the library's own: bodies and strands come out, and move with time.
void strands_come_out() {
    Stage stage;
    const std::string node = stage.run("sinewCreate -type sinewStrand").at(0);
    std::vector<MMatrix> all;
    for (double frame = 1; frame <= 6; ++frame) {
        stage.scene.set_time(frame);
        all.push_back(stage.scene.matrix(node + ".out_body_matrices[1]"));
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    }
    CHECK(!(all.front() == MMatrix::identity));
    for (double frame = 6; frame >= 1; --frame) {
        stage.scene.set_time(frame);
        CHECK(stage.scene.matrix(node + ".out_body_matrices[1]") == all[static_cast<std::size_t>(frame - 1)]);
    }
    stage.check_faults();
}

} // namespace

int main() {
    are_made_by_hand();
    are_made_on_a_body();
    say_what_they_lack();
    give_what_is_asked_for();
    strands_come_out();
    return finish();
}
