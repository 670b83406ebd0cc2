// Commands, the undo queue, modifiers, selection, plug-ins.
#include "check.h"
#include "toys.h"

#include <maya/MComputation.h>
#include <maya/MDagModifier.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <scene.h>

#include <algorithm>

using standin::Scene;

namespace {
struct ToyScene : Scene {
    ToyScene() { load_plugin("toys", toys::initialize, toys::uninitialize); }
};
} // namespace

TEST(a_command_is_done_undone_and_redone) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    CHECK(scene.command("toyCommand -number 3.5 a") == MS::kSuccess);
    CHECK(scene.results() == std::vector<std::string>{"a"});
    CHECK(scene.number("a.offset") == 3.5 && scene.undo_length() == 1);
    CHECK(scene.undo() && scene.number("a.offset") == 0);
    CHECK(scene.redo() && scene.number("a.offset") == 3.5);
    CHECK(!scene.redo());
}

TEST(a_query_is_no_edit_and_takes_the_selection) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.set("a.offset", 2);
    scene.select({"a"});
    CHECK(scene.command("toyCommand -query") == MS::kSuccess);
    CHECK(scene.results() == std::vector<std::string>{"2"} && scene.undo_length() == 0);
    scene.select({});
    CHECK(scene.command("toyCommand -query") != MS::kSuccess);
    CHECK(scene.command("toyCommand -unknown 3 a") != MS::kSuccess);
    CHECK(scene.command("toyCommand -number text a") != MS::kSuccess);
}

TEST(commands_of_the_host_are_undoable) {
    ToyScene scene;
    CHECK(scene.command("createNode toyAdder -n one") == MS::kSuccess);
    CHECK(scene.command("createNode toyAdder -n two") == MS::kSuccess);
    CHECK(scene.command("connectAttr one.sum two.offset") == MS::kSuccess);
    CHECK(scene.command("setAttr one.offset 4") == MS::kSuccess);
    CHECK(scene.number("two.sum") == 4);
    CHECK(scene.command("delete one") == MS::kSuccess && !scene.exists("one"));
    CHECK(scene.plug("two.offset").source().isNull());
    CHECK(scene.undo() && scene.exists("one"));
    CHECK(scene.plug("two.offset").source() == scene.plug("one.sum") && scene.number("two.sum") == 4);
    CHECK(scene.undo() && scene.number("two.sum") == 0);
    CHECK(scene.undo() && scene.undo() && scene.undo() && !scene.exists("two"));
    CHECK(scene.executed().front() == "createNode toyAdder -n one");
}

TEST(a_modifier_does_all_and_undoes_all) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    MDagModifier modifier;
    MObject joint = modifier.createNode("joint");
    CHECK(!joint.isNull() && scene.nodes("joint").empty());
    MFnDependencyNode fn(joint);
    modifier.connect(scene.plug("a.sum"), fn.findPlug("translateX", true));
    modifier.newPlugValueDouble(scene.plug("a.offset"), 6);
    modifier.renameNode(joint, "made");
    CHECK(modifier.doIt() == MS::kSuccess);
    CHECK(scene.number("made.translateX") == 6);
    CHECK(modifier.undoIt() == MS::kSuccess && scene.nodes("joint").empty() && scene.number("a.offset") == 0);
    CHECK(modifier.doIt() == MS::kSuccess && scene.number("made.translateX") == 6);
}

TEST(an_unknown_command_is_written_down_and_one_of_the_test_answers) {
    Scene scene;
    CHECK(MGlobal::executeCommand("refreshEditorTemplates") == MS::kSuccess);
    scene.on_command("optionBox", [](const std::string&) { return std::string("chosen"); });
    MString answer;
    CHECK(MGlobal::executeCommand("optionBox -q", answer) == MS::kSuccess && answer == "chosen");
    MGlobal::executeCommandOnIdle("later");
    CHECK(scene.executed().size() == 2);
    scene.idle();
    CHECK(scene.executed().size() == 3 && scene.executed().back() == "later");
}

TEST(a_module_is_loaded_used_and_unloaded) {
    Scene scene;
    CHECK(scene.load_plugin("/nowhere/nothing.so") != "");
    CHECK(scene.load_plugin(TOY_MODULE) == "");
    const std::vector<std::string> types = scene.node_types();
    CHECK(std::count(types.begin(), types.end(), "toyPush") == 1);
    scene.create("toyAdder", "a");
    CHECK(scene.unload_plugin(TOY_MODULE).find("in use by a") != std::string::npos);
    scene.remove("a");
    CHECK(scene.unload_plugin(TOY_MODULE) == "");
    CHECK(scene.node_types().empty() && scene.commands().empty());
    CHECK_NO_FAULTS(scene);
}

TEST(an_override_draws_what_its_node_says) {
    ToyScene scene;
    scene.create("toyDrawn", "line");
    scene.set("lineShape.length", 3);
    const std::vector<standin::Drawing> drawings = scene.draw();
    CHECK(drawings.size() == 1 && drawings[0].node == "lineShape" && drawings[0].drawn.size() == 1);
    CHECK(drawings[0].drawn[0].points[1] == MPoint(0, 3, 0) && drawings[0].drawn[0].color == MColor(1.0F, 0.0F, 0.0F));
    CHECK_NO_FAULTS(scene);
}

TEST(escape_is_seen_by_a_long_computation) {
    Scene scene;
    scene.press_escape_after(2);
    MComputation computation;
    computation.beginComputation(true);
    CHECK(!computation.isInterruptRequested() && !computation.isInterruptRequested() &&
          computation.isInterruptRequested());
    computation.setProgressRange(0, 10);
    computation.setProgress(4);
    computation.endComputation();
    CHECK(scene.progress() == (std::vector<std::string>{"begin", "4 of 10", "end"}));
}
