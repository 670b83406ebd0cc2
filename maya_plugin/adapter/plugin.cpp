// Loading and unloading: types of nodes from the library's descriptors, commands, the log, the menu.
#include "adapter/commands/commands.h"
#include "adapter/drawing/drawing.h"
#include "adapter/guard.h"
#include "adapter/slots.h"
#include "adapter/state.h"
#include "adapter/text.h"
#include "adapter/time_connection.h"
#include "adapter/type_ids.h"

#include <maya/MAnimControl.h>
#include <maya/MAnimMessage.h>
#include <maya/MCallbackIdArray.h>
#include <maya/MDGMessage.h>
#include <maya/MFnPlugin.h>
#include <maya/MGlobal.h>
#include <maya/MMessage.h>
#include <maya/MObjectArray.h>
#include <maya/MSceneMessage.h>
#include <maya/MTimerMessage.h>

#ifndef SINEW_PLUGIN_VERSION
#define SINEW_PLUGIN_VERSION "0.0"
#endif

namespace sinew::maya {
namespace {

MCallbackIdArray callbacks;

/// How often what waits for the main thread is done, in seconds.
constexpr float period = 0.25F;

void see_range() { state().range_end = MAnimControl::maxTime().as(MTime::kSeconds); }

void look_after(float, float, void*) {
    flush_log();
    settle_edits();
    refresh_cache();
    see_range();
}
// Timers need an idle interface; a batch render has none, but goes through frames.
void time_changed(MTime&, void*) {
    flush_log();
    see_range();
}
// Not only when the timer asks: a script may go on to another time at once.
void curves_edited(MObjectArray&, void*) { settle_edits(); }

void show_log_at_end(void*) { flush_log(); }

void listen() {
    MStatus status;
    const MCallbackId timer = MTimerMessage::addTimerCallback(period, &look_after, nullptr, &status);
    // A Maya without a window may have no timers: then lines are shown when the time changes, and at the end.
    if (status) callbacks.append(timer);
    callbacks.append(MSceneMessage::addCallback(MSceneMessage::kMayaExiting, &show_log_at_end, nullptr, &status));
    ensure(status, "hear of Maya's end");
    callbacks.append(MDGMessage::addTimeChangeCallback(&time_changed, nullptr, &status));
    ensure(status, "hear of changes of the time");
    callbacks.append(MAnimMessage::addAnimCurveEditedCallback(&curves_edited, nullptr, &status));
    ensure(status, "hear of edited keys");
    for (Kind& kind : state().kinds) {
        callbacks.append(
            MDGMessage::addNodeAddedCallback(&connect_time, kind.plan.type_name.c_str(), &kind, &status));
        ensure(status, "hear of new nodes");
    }
}

void prepare_kinds() {
    state().kinds.clear();
    for (host::Plan& plan : host::plans()) {
        if (plan.number >= block_size)
            throw Problem(plan.type_name + " has a number outside of this plug-in's type ids.");
        Kind& kind = state().kinds.emplace_back();
        kind.id = MTypeId(block + plan.number);
        kind.plan = std::move(plan);
    }
    if (state().kinds.size() > slots)
        throw Problem("This library has more types of nodes than this plug-in can register: install a newer plug-in.");
}

void register_nodes(MFnPlugin& plugin) {
    for (std::size_t i = 0; i < state().kinds.size(); ++i) {
        const Kind& kind = state().kinds[i];
        const Slot& slot = slot_table.at(i);
        ensure(plugin.registerNode(kind.plan.type_name.c_str(), kind.id, slot.create, slot.initialize,
                                   kind.deforms() ? MPxNode::kDeformerNode : MPxNode::kDependNode),
               "register " + kind.plan.type_name);
    }
}

/// Takes back whatever is registered; what was not, Maya refuses, which is right while loading failed half-way.
MStatus deregister(MFnPlugin& plugin) {
    MStatus worst = MS::kSuccess;
    if (callbacks.length() > 0) MMessage::removeCallbacks(callbacks);
    callbacks.clear();
    if (const MStatus status = deregister_drawing(plugin); !status) worst = status;
    for (const CommandEntry& command : commands())
        if (const MStatus status = plugin.deregisterCommand(command.name); !status) worst = status;
    for (const Kind& kind : state().kinds)
        if (const MStatus status = plugin.deregisterNode(kind.id); !status) worst = status;
    return worst;
}

bool has_interface() { return MGlobal::mayaState() == MGlobal::kInteractive; }

/// The scripts are a part of their own; without them the nodes and commands work all the same.
void call_scripts(const char* function) {
    if (!has_interface()) return;
    const MString command = MString("import sinew_maya; sinew_maya.") + function + "()";
    if (MGlobal::executePythonCommand(command) != MS::kSuccess)
        MGlobal::displayWarning(
            "Sinew's menu is not there: its scripts folder is not in Maya's Python path. Install the "
            "whole archive, whose .mod file adds it.");
}

MStatus load(MFnPlugin& plugin) {
    sinew::check_version();
    prepare_kinds();
    try {
        register_nodes(plugin);
        for (const CommandEntry& command : commands())
            ensure(plugin.registerCommand(command.name, command.create, command.syntax),
                   std::string("register ") + command.name);
        register_drawing(plugin);
        listen();
        see_range();
    } catch (...) {
        deregister(plugin);
        throw;
    }
    call_scripts("load");
    return MS::kSuccess;
}

/// The one place where a plug-in may speak at once: nothing is evaluated while it is loaded.
template <class Body> MStatus spoken(Body body) noexcept {
    try {
        return body();
    } catch (const std::exception& error) {
        MGlobal::displayError(maya_text(std::string("Sinew: ") + error.what()));
    } catch (...) {
        MGlobal::displayError("Sinew: an unknown error stopped the plug-in.");
    }
    return MS::kFailure;
}

} // namespace
} // namespace sinew::maya

MStatus initializePlugin(MObject object) {
    return sinew::maya::spoken([&] {
        MFnPlugin plugin(object, "Sinew", SINEW_PLUGIN_VERSION, "Any");
        return sinew::maya::load(plugin);
    });
}

MStatus uninitializePlugin(MObject object) {
    return sinew::maya::spoken([&] {
        MFnPlugin plugin(object);
        sinew::maya::call_scripts("unload");
        const MStatus status = sinew::maya::deregister(plugin);
        sinew::maya::flush_log();
        return status;
    });
}
