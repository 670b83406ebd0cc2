#include "adapter/commands/creation.h"

#include "adapter/commands/history.h"
#include "adapter/commands/shown.h"
#include "adapter/guard.h"
#include "adapter/time_connection.h"

#include <maya/MAnimControl.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMesh.h>
#include <maya/MGlobal.h>

#include <algorithm>

namespace sinew::maya {
namespace {

/// Lets the body go through the node on its way to the shape that shows it, so that the rest of its history, and what
/// refers to the shape, stays as it is.
void insert(MDGModifier& modifier, const Found& made, const History& history) {
    const MPlug& from = made.kind->body_is_rest ? history.rest_in_world : history.deformed;
    ensure(modifier.disconnect(history.deformed, history.shown), "insert the node");
    ensure(modifier.connect(from, body_input(made)), "insert the node");
    ensure(modifier.connect(body_output(made), history.shown), "insert the node");
}

/// A mesh that the node compares with that of the body.
bool is_rest(const Held& held) {
    return held.plan->holds == host::Holds::Mesh && held.plan->of == host::Of::Input && held.plan->still;
}

/// Meshes of the body at rest come from the undeformed shape.
void connect_rest(MDGModifier& modifier, const Found& made, const History& history) {
    for (const Held& held : made.kind->held)
        if (is_rest(held))
            ensure(modifier.connect(history.rest, MPlug(made.node, held.object)), "connect the body at rest");
}

void connect_skin(MDGModifier& modifier, const Found& made, const History& history) {
    const SkinArrays& skin = made.kind->skin;
    if (!skin.exist() || history.skin.isNull()) return;
    const MFnDependencyNode cluster(history.skin);
    const auto connect = [&](const char* from, const MObject& to) {
        MStatus status;
        const MPlug source = cluster.findPlug(from, true, &status);
        ensure(status, std::string("find the skin cluster's ") + from);
        ensure(modifier.connect(source, MPlug(made.node, to)), std::string("connect the skin cluster's ") + from);
    };
    connect("matrix", skin.joints->object);
    connect("bindPreMatrix", skin.bind);
    connect("geomMatrix", skin.bound);
    connect("weightList", skin.weight_list);
}

/// UVs slide, but nobody sees it on a mesh that has none.
void warn_without_uvs(const Found& made, const MFnMesh& mesh) {
    const std::vector<Held>& held = made.kind->held;
    if (mesh.numUVs() > 0 || std::none_of(held.begin(), held.end(), &is_rest)) return;
    MGlobal::displayWarning(mesh.name() + " has no UVs, so that no texture slides with " + made.name.c_str() +
                            ": undo, give the undeformed mesh UVs, and add the node again.");
}

void set_values(MDGModifier& modifier, const Found& made, const MDagPath& shape) {
    const Kind& kind = *made.kind;
    ensure(modifier.newPlugValueMTime(MPlug(made.node, kind.start), MAnimControl::minTime()), "set start_time");
    if (kind.uv_set.isNull() || shape.node().isNull()) return;
    const MFnMesh mesh(shape);
    warn_without_uvs(made, mesh);
    const MString set = mesh.currentUVSetName();
    if (set.length() > 0) ensure(modifier.newPlugValueString(MPlug(made.node, kind.uv_set), set), "set uv_set");
}

void connect_all(MDGModifier& modifier, const Found& made, const MDagPath& shape, const MObject& rest) {
    ensure(modifier.connect(scene_time(), MPlug(made.node, made.kind->time)), "connect the scene's time");
    if (has_body(*made.kind)) {
        const History history = find_history(shape, rest);
        insert(modifier, made, history);
        connect_rest(modifier, made, history);
        connect_skin(modifier, made, history);
    }
    set_values(modifier, made, shape);
}

} // namespace

bool has_body(const Kind& kind) { return kind.plan.shape != host::Shape::Values; }

Found create_node_on(MDGModifier& modifier, const Kind& kind, const MDagPath& shape, const MObject& rest) {
    // Whether Maya tells of a new node when it is planned or when it is made.
    const TimeByHand by_hand;
    MStatus status;
    const MObject node = modifier.createNode(kind.id, &status);
    ensure(status, "create the node");
    ensure(modifier.doIt(), "carry out the command");
    try {
        const std::optional<Found> made = ours(node);
        if (!made) throw Problem("The new node is not one of this plug-in's.");
        connect_all(modifier, *made, shape, rest);
        ensure(modifier.doIt(), "carry out the command");
        return *made;
    } catch (...) {
        // A failed command leaves the scene as it was.
        modifier.undoIt();
        throw;
    }
}

} // namespace sinew::maya
