#include "adapter/drawing/show_command.h"

#include "adapter/drawing/view_node.h"
#include "adapter/guard.h"
#include "adapter/text.h"
#include "host/drawing/drawable.h"

#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MItDependencyGraph.h>
#include <maya/MPxGeometryFilter.h>
#include <maya/MStringArray.h>

#include <algorithm>
#include <set>

namespace sinew::maya {
namespace {

/// The body as the node gives it; null for nodes without a body.
MPlug body_plug(const Found& shown) {
    const MObject output = shown.kind->body_output();
    if (output.isNull()) return {};
    MPlug plug(shown.node, output);
    return shown.kind->deforms() ? plug.elementByLogicalIndex(0) : plug;
}

/// The transform of the shape in which the body ends up: places of the node are in its space, unless it works in the
/// world. Null is the world.
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

/// A view that is named or selected, to be changed; null if there is none.
MObject named_view(const MArgDatabase& arguments) {
    MSelectionList objects;
    arguments.getObjects(objects);
    for (unsigned i = 0; i < objects.length(); ++i) {
        MObject node;
        if (objects.getDependNode(i, node) != MS::kSuccess) continue;
        const MFnDependencyNode dependency(node);
        if (dependency.typeId() == ViewNode::id()) return node;
    }
    return MObject::kNullObj;
}

/// The node that a view shows, or without a view the one that is named or selected.
Found shown_by(const MObject& view, const MArgDatabase& arguments) {
    if (view.isNull()) {
        const std::vector<Found> nodes = our_nodes(arguments, false);
        if (nodes.size() > 1) throw Problem("Select one node of Sinew, not several: each view shows one.");
        return nodes.front();
    }
    const MObject node = ViewNode::shown_node(view);
    const std::optional<Found> found = node.isNull() ? std::nullopt : ours(node);
    if (!found) throw Problem("No node of Sinew is connected to this view: select one to make another view.");
    return *found;
}

} // namespace

MSyntax ShowCommand::make_syntax() {
    MSyntax syntax = object_syntax(true);
    syntax.addFlag("-o", "-outputs", MSyntax::kString);
    return syntax;
}

void ShowCommand::run(const MArgDatabase& arguments) {
    queries_ = arguments.isQuery();
    view_ = named_view(arguments);
    const Found shown = shown_by(view_, arguments);
    const std::vector<host::Drawable> all = host::drawables(shown.kind->plan);
    if (queries_) {
        MStringArray names;
        for (const host::Drawable& one : all) names.append(maya_text(one.name));
        setResult(names);
        return;
    }
    const std::string outputs = text_flag(arguments, "-outputs").value_or("");
    std::vector<std::string> unknown;
    if (all.empty()) throw Problem(shown.kind->plan.title + " has nothing that can be drawn.");
    host::choose(all, outputs, unknown);
    if (!unknown.empty())
        throw Problem(shown.name + " has no output " + unknown.front() + " that can be drawn: ask sinewShow -query.");
    try {
        if (view_.isNull()) create(shown);
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

void ShowCommand::create(const Found& shown) {
    MStatus status;
    const MObject place = shown.kind->in_world() ? MObject::kNullObj : transform_of(body_plug(shown));
    const MObject transform = nodes_.createNode("transform", place, &status);
    ensure(status, "create the view's transform");
    view_ = nodes_.createNode(ViewNode::id(), transform, &status);
    ensure(status, "create the view");
    const std::string name = shown.name + "_view";
    ensure(nodes_.renameNode(transform, maya_text(name)), "name the view");
    ensure(nodes_.renameNode(view_, maya_text(name + "Shape")), "name the view");
    ensure(nodes_.doIt(), "create the view");
}

/// Connects the node and what is shown of it, and nothing else: what is connected is computed in every frame.
void ShowCommand::connect(const Found& shown, const std::string& outputs) {
    const ViewNode::Attributes& at = ViewNode::attributes();
    std::vector<std::string> unknown;
    const auto chosen = host::choose(host::drawables(shown.kind->plan), outputs, unknown);
    ensure(links_.newPlugValueString(MPlug(view_, at.show), maya_text(outputs)), "set what is shown");
    join(MFnDependencyNode(shown.node).findPlug("message", true), MPlug(view_, at.node), true);
    join(MPlug(shown.node, shown.kind->status), MPlug(view_, at.status), true);
    std::set<const Held*> wanted;
    for (const host::Drawable& one : chosen)
        for (const Held* held : needed(*shown.kind, one)) wanted.insert(held);
    for (const Held& held : shown.kind->held) {
        if (held.plan->of == host::Of::Output || held.plan->of == host::Of::MadeMesh)
            join(MPlug(shown.node, held.object), feed_of(at.feeds, view_, held), wanted.count(&held) > 0);
    }
    const bool needs_body = std::any_of(chosen.begin(), chosen.end(), [](const auto& one) { return one.needs_body(); });
    const MPlug body = body_plug(shown);
    if (!body.isNull()) join(body, MPlug(view_, at.body), needs_body);
    ensure(links_.doIt(), "connect the view");
}

/// Connects two plugs, or parts them, unless that is so.
void ShowCommand::join(const MPlug& from, const MPlug& to, bool connected) {
    const MPlug now = to.source();
    if (connected == (!now.isNull() && now == from)) return;
    const std::string what = utf8(from.name()) + (connected ? " to" : " from") + " the view";
    if (connected) ensure(links_.connect(from, to), "connect " + what);
    else if (!now.isNull()) ensure(links_.disconnect(now, to), "disconnect " + what);
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
