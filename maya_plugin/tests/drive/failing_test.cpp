// Data blocks that give nothing: no exception leaves an entry point, the log and the status say what failed, the body
// passes through, and afterwards everything works as before. And the log waits while the host holds locks of its own.
#include "stage.h"

#include <maya/MFnAttribute.h>
#include <maya/MFnDependencyNode.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

using namespace sinew::tests;

namespace {

std::vector<std::string> attributes_of(const MObject& node) {
    std::vector<std::string> names;
    const MFnDependencyNode dependency(node);
    for (unsigned i = 0; i < dependency.attributeCount(); ++i)
        names.emplace_back(MFnAttribute(dependency.attribute(i)).name().asUTF8());
    return names;
}

bool said_an_error(const Stage& stage) {
    const std::vector<standin::Said> said = stage.scene.said();
    return std::any_of(said.begin(), said.end(), [](const standin::Said& one) { return one.level <= 1; });
}

constexpr std::array<double, 3> frames{5, 17, 1};

/// Everything that a shape shows of a frame.
using Shown = std::pair<std::vector<float>, Uvs>;

Shown shown(const Stage& stage) { return {stage.scene.points("bodyShape"), stage.uvs()}; }

std::vector<Shown> shown_of_all(Stage& stage) {
    std::vector<Shown> all;
    for (const double frame : frames) {
        stage.scene.set_time(frame);
        all.push_back(shown(stage));
    }
    return all;
}

struct Expected {
    std::string type;
    /// What every frame reads, so that none can be computed without it.
    std::set<std::string> read;
    /// Through which the body itself comes or goes: without them nothing can be shown.
    std::set<std::string> body;
};

const std::vector<Expected>& expected_of_types() {
    static const std::vector<Expected> all{
        {"sinewSkinSlider",
         {"current_time", "start_time", "in_mesh", "uv_set", "frame_memory", "young", "mode", "zeta"},
         {"in_mesh", "out_mesh"}},
        {"sinewSkinning",
         {"current_time", "start_time", "frame_memory", "envelope"},
         {"input", "inputGeometry", "outputGeometry"}},
    };
    return all;
}

void fails(Stage& stage, const std::string& node, const std::string& name, const Expected& expected,
           const std::vector<Shown>& computed, const std::vector<Shown>& passed) {
    const std::string what = expected.type + "." + name;
    const bool read = expected.read.count(name) > 0;
    stage.scene.forget();
    stage.scene.fail_input(node, name);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        stage.scene.set_time(frames[i]);
        const Shown now = shown(stage);
        if (expected.body.count(name) > 0) continue;
        if (now != passed[i] && (read || now != computed[i]))
            fail(__FILE__, __LINE__, "the body does not pass through while " + what + " fails");
        if (read && stage.scene.text(node + ".status").empty())
            fail(__FILE__, __LINE__, "the status says nothing while " + what + " fails");
    }
    stage.scene.idle();
    if (read && !said_an_error(stage)) fail(__FILE__, __LINE__, "nobody was told that " + what + " failed");
    stage.scene.fail_nothing();
}

void each_input_fails(const Expected& expected, standin::Evaluation mode) {
    Stage stage;
    stage.scene.set_evaluation(mode, 4);
    stage.add_skinned_body();
    const std::string node = stage.create(expected.type);
    stage.play();
    const std::vector<Shown> before = shown_of_all(stage);
    stage.scene.set(node + ".nodeState", 1);
    const std::vector<Shown> passed = shown_of_all(stage);
    stage.scene.set(node + ".nodeState", 0);
    stage.run("sinewSolve " + node);
    CHECK(shown_of_all(stage) == before);
    stage.scene.idle();
    for (const std::string& name : attributes_of(stage.scene.node(node)))
        fails(stage, node, name, expected, before, passed);
    // What was read again and again while it failed has done no harm.
    stage.run("sinewSolve " + node);
    CHECK(shown_of_all(stage) == before);
    stage.check_faults();
}

/// A set of UVs that is not there: the body is as it comes in, and one sentence says what to do.
void a_wrong_uv_set() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    const std::vector<float> points = stage.scene.points("bodyShape");
    CHECK(before.back() != unslid(tube(8, 8)));
    stage.scene.forget();
    stage.scene.set(node + ".uv_set", "nothing");
    CHECK(stage.uvs() == unslid(tube(8, 8)));
    CHECK(stage.scene.points("bodyShape") == points);
    CHECK_EQUAL(stage.scene.text(node + ".status"),
                std::string("Frame 24: The mesh has no UV set \"nothing\": choose one of its own in uv_set."));
    stage.scene.idle();
    CHECK(said_an_error(stage));
    // The frame is named once, by the node, or by the command where the node does not.
    const auto solving = [&](const std::string& text) {
        stage.scene.forget();
        CHECK(stage.scene.command("sinewSolve " + node) != MS::kSuccess);
        const std::vector<standin::Said> said = stage.scene.said();
        CHECK(std::any_of(said.begin(), said.end(), [&](const standin::Said& one) { return one.text == text; }));
        for (const standin::Said& one : said) CHECK(one.text.find("frame 1: Frame 1") == std::string::npos);
    };
    solving(node + ": Frame 1: The mesh has no UV set \"nothing\": choose one of its own in uv_set.");
    stage.scene.set(node + ".uv_set", "map1");
    stage.scene.set(node + ".nodeState", 1);
    solving(node + ", frame 1: The node is set to have no effect.");
    stage.scene.set(node + ".nodeState", 0);
    stage.run("sinewSolve " + node);
    CHECK(stage.play() == before);
    stage.check_faults();
}

/// What a command cannot do without it asks for first: an evaluation that never comes could not say why.
void nothing_is_connected() {
    for (const auto& [source, input, sentence] :
         {std::array<std::string, 3>{"time1.outTime", "current_time", "current_time is not connected"},
          std::array<std::string, 3>{"", "in_mesh", "Nothing is connected to in_mesh"}}) {
        Stage stage;
        stage.add_skinned_body();
        const std::string node = stage.create("sinewSkinSlider");
        const std::string from =
            source.empty() ? std::string(stage.scene.plug(node + "." + input).source().name().asUTF8()) : source;
        stage.scene.disconnect(from, node + "." + input);
        for (const std::string line : {"sinewSolve ", "sinewExportJob -folder /tmp/sinew_drive_unconnected "}) {
            stage.scene.forget();
            CHECK(stage.scene.command(line + node) != MS::kSuccess);
            const std::vector<standin::Said> said = stage.scene.said();
            CHECK(std::any_of(said.begin(), said.end(), [&text = sentence](const standin::Said& one) {
                return one.level == 0 && one.text.find(text) != std::string::npos;
            }));
        }
        CHECK(stage.run("sinewCheck " + node).at(0).find(sentence) != std::string::npos);
    }
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
        CHECK(!stage.scene.text(node + ".status").empty());
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
    for (const Expected& expected : expected_of_types())
        for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Parallel})
            each_input_fails(expected, mode);
    everything_fails();
    a_wrong_uv_set();
    nothing_is_connected();
    log_waits_for_the_host();
    a_check_selects_the_vertex();
    return finish();
}
