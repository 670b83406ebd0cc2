// Data blocks that give nothing: no exception leaves an entry point, the log says what failed, and afterwards
// everything works as before. And the log waits while the host holds locks of its own.
#include "stage.h"

#include <maya/MFnAttribute.h>
#include <maya/MFnDependencyNode.h>

#include <algorithm>
#include <limits>

using namespace sinew::tests;

namespace {

std::vector<std::string> attributes_of(const MObject& node) {
    std::vector<std::string> names;
    const MFnDependencyNode dependency(node);
    for (unsigned i = 0; i < dependency.attributeCount(); ++i)
        names.emplace_back(MFnAttribute(dependency.attribute(i)).name().asChar());
    return names;
}

bool said_an_error(const Stage& stage) {
    const std::vector<standin::Said> said = stage.scene.said();
    return std::any_of(said.begin(), said.end(), [](const standin::Said& one) { return one.level <= 1; });
}

/// Whether reading it fails the frame: what a skin slider always reads.
bool always_read(const std::string& name) {
    for (const char* one :
         {"current_time", "start_time", "in_mesh", "uv_set", "frame_memory", "young", "mode", "zeta"})
        if (name == one) return true;
    return false;
}

void each_input_fails(standin::Evaluation mode) {
    Stage stage;
    stage.scene.set_evaluation(mode, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    stage.scene.idle();
    std::size_t reported = 0;
    for (const std::string& name : attributes_of(stage.scene.node(node))) {
        stage.scene.forget();
        stage.scene.fail_input(node, name);
        for (const double frame : {5.0, 17.0, 1.0}) stage.scene.set_time(frame);
        stage.scene.idle();
        if (said_an_error(stage)) ++reported;
        else if (always_read(name)) fail(__FILE__, __LINE__, "nobody was told that " + name + " failed");
        stage.scene.fail_nothing();
    }
    CHECK(reported >= 9);
    // What was read again and again while it failed has done no harm.
    stage.run("sinewSolve " + node);
    CHECK(stage.play() == before);
    stage.check_faults();
}

void everything_fails() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    stage.scene.fail_input(node, "");
    for (const char* line :
         {"sinewSolve ", "sinewExportJob -folder /tmp/sinew_drive_failing ", "sinewMirrorMap -map hold "})
        if (stage.scene.command(line + node) == MS::kSuccess) fail(__FILE__, __LINE__, std::string(line) + "works");
    CHECK_EQUAL(stage.scene.command("sinewCheck " + node), MS::kSuccess);
    stage.scene.fail_nothing();
    stage.run("sinewSolve " + node);
    CHECK(stage.play() == before);
}

/// A message to the host while it evaluates is a fault of the stand-in's; the lines come when the host is idle.
void log_waits_for_the_host() {
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set(node + ".uv_set", "nothing");
    stage.scene.forget();
    {
        const standin::Scene::Busy busy;
        try {
            stage.scene.text(node + ".status");
        } catch (const std::runtime_error&) {
            // It fails, as it should.
        }
    }
    CHECK(!said_an_error(stage));
    stage.scene.idle();
    CHECK(said_an_error(stage));
    stage.check_faults();
}

/// sinewCheck says what is wrong and selects where it is, as a user would.
void a_check_selects_the_vertex() {
    const standin::MeshPlan plan = tube(8, 8);
    std::vector<float> broken = plan.points;
    broken[3 * 7] = std::numeric_limits<float>::quiet_NaN();
    Stage stage;
    stage.scene.create_mesh("rest", plan);
    stage.scene.create_mesh("body", plan);
    stage.scene.mesh_sequence("motion", plan, {plan.points, plan.points, broken}, first_frame);
    stage.scene.connect("motion.outMesh", "bodyShape.inMesh");
    const std::string node = stage.run("sinewCreate -type sinewSkinSlider -rest rest bodyShape").at(0);
    for (double frame = 1; frame <= 2; ++frame) stage.scene.set_time(frame);
    stage.scene.select({"rest"});
    CHECK_EQUAL(stage.run("sinewCheck " + node).at(0), std::string("[]"));
    const std::vector<standin::Said> said = stage.scene.said();
    CHECK(std::any_of(said.begin(), said.end(), [](const auto& one) { return one.text == "Sinew found nothing wrong."; }));
    CHECK(stage.scene.selection() == std::vector<std::string>{"rest"});
    stage.scene.set_time(3);
    const std::string found = stage.run("sinewCheck " + node).at(0);
    CHECK(found.find("vertex 7") != std::string::npos);
    CHECK(stage.scene.selection() == std::vector<std::string>{"bodyShape.vtx[7]"});
    CHECK(said_an_error(stage));
}

} // namespace

int main() {
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Parallel}) each_input_fails(mode);
    everything_fails();
    log_waits_for_the_host();
    a_check_selects_the_vertex();
    return finish();
}
