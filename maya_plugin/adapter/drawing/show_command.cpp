#include "adapter/drawing/show_command.h"

#include "adapter/drawing/view_node.h"
#include "adapter/guard.h"
#include "host/drawing/drawable.h"

#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MItDependencyGraph.h>
#include <maya/MPxGeometryFilter.h>
#include <maya/MStringArray.h>

#include <algorithm>

namespace sinew::maya {
namespace {

/// The body as the node gives it; null for nodes without a body.
MPlug body_plug(const Found& shown) {
    const MObject output = shown.kind->body_output();
    if (output.isNull()) return {};
    MPlug plug(shown.node, output);
    return shown.kind->deforms() ? plug.elementByLogicalIndex(0) : plug;
}

/// The transform of the shape in which the body ends up: places of the node are in its space. Null is the world.
MObject transform_of(MPlug body) {
    if (body.isNull()) return MObject::kNullObj;
    MStatus status;
    MItDependencyGraph graph(body, MFn::kMesh, MItDependencyGraph::kDownstream, MItDependencyGraph::kDepthFirst,
                             MItDependencyGraph::kNodeLevel, &status);
    for (; status && !graph.isDone(); graph.next()) {
        const MFnDagNode shape(graph.currentItem());
        if (shape.isIntermediateObject() || shape.parentCount() == 0) continue;
        return shape.parent(0);
    }
    return MObject::kNullObj;
}

} // namespace

MSyntax ShowCommand::make_syntax() {
    MSyntax syntax = object_syntax(true);
    syntax.addFlag("-o", "-outputs", MSyntax::kString);
    return syntax;
}

void ShowCommand::run(const MArgDatabase& arguments) {
    queries_ = arguments.isQuery();
    const std::vector<Found> nodes = our_nodes(arguments, false);
    if (nodes.size() > 1) throw Problem("Select one node of Sinew, not several: each view shows one.");
    const Found& shown = nodes.front();
    const std::vector<host::Drawable> all = host::drawables(shown.kind->plan);
    if (queries_) {
        MStringArray names;
        for (const host::Drawable& one : all) names.append(one.name.c_str());
        setResult(names);
        return;
    }
    const std::string outputs = text_flag(arguments, "-outputs").value_or("");
    std::vector<std::string> unknown;
    if (all.empty()) throw Problem(shown.kind->plan.title + " has nothing that can be drawn.");
    host::choose(all, outputs, unknown);
    if (!unknown.empty())
        throw Problem(shown.name + " has no output " + unknown.front() + " that can be drawn: ask sinewShow -query.");
    create(shown, outputs);
}

void ShowCommand::create(const Found& shown, const std::string& outputs) {
    MStatus status;
    const MObject transform = nodes_.createNode("transform", transform_of(body_plug(shown)), &status);
    ensure(status, "create the view's transform");
    view_ = nodes_.createNode(ViewNode::id(), transform, &status);
    ensure(status, "create the view");
    const std::string name = shown.name + "_view";
    ensure(nodes_.renameNode(transform, name.c_str()), "name the view");
    ensure(nodes_.renameNode(view_, (name + "Shape").c_str()), "name the view");
    ensure(nodes_.doIt(), "create the view");
    try {
        connect(shown, outputs);
    } catch (...) {
        // What was begun is taken back: a failed command leaves the scene as it was.
        links_.undoIt();
        nodes_.undoIt();
        throw;
    }
    MStringArray names;
    names.append(MFnDependencyNode(view_).name());
    setResult(names);
}

/// Connects the node, and all outputs that it could be asked to show: what is connected is computed in every frame, so
/// only what is shown.
void ShowCommand::connect(const Found& shown, const std::string& outputs) {
    const ViewNode::Attributes& at = ViewNode::attributes();
    std::vector<std::string> unknown;
    const auto chosen = host::choose(host::drawables(shown.kind->plan), outputs, unknown);
    ensure(links_.newPlugValueString(MPlug(view_, at.show), outputs.c_str()), "set what is shown");
    const MPlug message = MFnDependencyNode(shown.node).findPlug("message", true);
    ensure(links_.connect(message, MPlug(view_, at.node)), "connect the node to the view");
    std::vector<const Held*> connected;
    bool needs_body = false;
    for (const host::Drawable& one : chosen) {
        needs_body = needs_body || one.needs_body();
        for (const Held* held : needed(*shown.kind, one)) {
            if (std::find(connected.begin(), connected.end(), held) != connected.end()) continue;
            connected.push_back(held);
            ensure(links_.connect(MPlug(shown.node, held->object), feed_of(at.feeds, view_, *held)),
                   "connect " + held->plan->name + " to the view");
        }
    }
    const MPlug body = body_plug(shown);
    if (needs_body && !body.isNull())
        ensure(links_.connect(body, MPlug(view_, at.body)), "connect the body to the view");
    ensure(links_.doIt(), "connect the view");
}

MStatus ShowCommand::undoIt() {
    return guarded(MStatus(MS::kFailure), "undoing", [] { return std::string(command_name); }, [this] {
        ensure(links_.undoIt(), "undo sinewShow");
        ensure(nodes_.undoIt(), "undo sinewShow");
        return MStatus(MS::kSuccess);
    });
}

MStatus ShowCommand::redoIt() {
    return guarded(MStatus(MS::kFailure), "doing again", [] { return std::string(command_name); }, [this] {
        ensure(nodes_.doIt(), "do sinewShow again");
        ensure(links_.doIt(), "do sinewShow again");
        return MStatus(MS::kSuccess);
    });
}

} // namespace sinew::maya
