#include "adapter/commands/creation.h"

#include "adapter/commands/history.h"
#include "adapter/commands/skin_settings.h"
#include "adapter/guard.h"
#include "adapter/text.h"
#include "adapter/time_connection.h"

#include <maya/MAnimControl.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMesh.h>
#include <maya/MGlobal.h>

#include <algorithm>

namespace sinew::maya {
namespace {

/// Whether the node takes the place of the body's skin cluster.
bool skins(const Kind& kind, const History& history) {
    return kind.body_is_rest && kind.skin.exist() && !history.skin.cluster.isNull();
}

/// Lets the body go through the node. What skins takes the place of the skin cluster, between the deformers before and
/// after it; everything else comes last, before the shape that shows it.
void insert(MDGModifier& modifier, const Found& made, const History& history) {
    const bool in_place = skins(*made.kind, history);
    const MPlug& out = in_place ? history.skin.out : history.deformed;
    const MPlug& to = in_place ? history.skin.after : history.shown;
    ensure(modifier.disconnect(out, to), "insert the node");
    ensure(modifier.connect(in_place ? history.skin.before : out, body_input(made)), "insert the node");
    ensure(modifier.connect(body_output(made), to), "insert the node");
}

/// A mesh that the node compares with that of the body.
bool is_rest(const Held& held) {
    return held.plan->holds == host::Holds::Mesh && held.plan->of == host::Of::Input && held.plan->still;
}

/// Meshes of the body at rest come from the undeformed shape; so does what Maya's deformers know of it, since 2022.
void connect_rest(MDGModifier& modifier, const Found& made, const History& history) {
    for (const Held& held : made.kind->held)
        if (is_rest(held))
            ensure(modifier.connect(history.rest, MPlug(made.node, held.object)), "connect the body at rest");
    MStatus status;
    const MPlug original = MFnDependencyNode(made.node).findPlug("originalGeometry", true, &status);
    if (made.kind->deforms() && status)
        ensure(modifier.connect(history.rest, original.elementByLogicalIndex(0)), "connect the original geometry");
}

/// Before bones move it, the body is as deformers before those leave it, shapes above all; without any it is at rest.
void connect_acted(MDGModifier& modifier, const Found& made, const History& history) {
    const MPlug before = before_bones(history);
    if (before.isNull() || before.node().hasFn(MFn::kMesh)) return;
    for (const Held& held : made.kind->held)
        if (held.plan->holds == host::Holds::Points)
            ensure(modifier.connect(before, MPlug(made.node, held.object)), "connect the body before bones move it");
}

/// UVs slide, but nobody sees it on a mesh that has none.
void warn_without_uvs(const Found& made, const MFnMesh& mesh) {
    const std::vector<Held>& held = made.kind->held;
    if (mesh.numUVs() > 0 || std::none_of(held.begin(), held.end(), &is_rest)) return;
    MGlobal::displayWarning(mesh.name() + " has no UVs, so that no texture slides with " + maya_text(made.name) +
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

/// Live frames need not be exact.
void set_quality(MDGModifier& modifier, const Found& made) {
    for (const Held& held : made.kind->held) {
        if (held.plan->of != host::Of::Param || held.plan->id != quality) continue;
        const std::vector<host::Choice>& choices = held.plan->choices;
        for (std::size_t i = 0; i < choices.size(); ++i)
            if (choices[i].id == "normal")
                ensure(modifier.newPlugValueShort(MPlug(made.node, held.object), static_cast<short>(i)),
                       "set the quality");
    }
}

void connect_all(MDGModifier& modifier, const Found& made, const MDagPath& shape, const History& history) {
    ensure(modifier.connect(scene_time(), MPlug(made.node, made.kind->time)), "connect the scene's time");
    if (has_body(*made.kind)) {
        insert(modifier, made, history);
        connect_rest(modifier, made, history);
        connect_acted(modifier, made, history);
        for (const std::string& warning : take_skin(modifier, made, history.skin))
            MPxCommand::displayWarning(maya_text(made.name + ": " + warning));
    }
    set_values(modifier, made, shape);
    set_quality(modifier, made);
}

/// A second node of a type is stacked on the first, and so is one that skins on another that does.
void refuse_second(const Kind& kind, const MDagPath& shape, const History& history) {
    const std::string name = utf8(shape.partialPathName());
    for (const Found& other : ours_in(history)) {
        if (other.kind == &kind)
            throw Problem(name + " has " + other.name + " already: remove that first, or use sinewCreate -force.");
        if (kind.skin.exist() && other.kind->skin.exist())
            throw Problem(name + " is skinned by " + other.name + " already: remove that first.");
    }
}

History history_for(const Kind& kind, const Wish& wish) {
    if (!has_body(kind)) return {};
    History history = find_history(wish.shape, wish.rest);
    if (!wish.again) refuse_second(kind, wish.shape, history);
    return history;
}

} // namespace

Found create_node_on(MDGModifier& modifier, const Kind& kind, const Wish& wish) {
    try {
        const History history = history_for(kind, wish);
        // Whether Maya tells of a new node when it is planned or when it is made.
        const TimeByHand by_hand;
        MStatus status;
        const MObject node = modifier.createNode(kind.id, &status);
        ensure(status, "create the node");
        ensure(modifier.doIt(), "carry out the command");
        const std::optional<Found> made = ours(node);
        if (!made) throw Problem("The new node is not one of this plug-in's.");
        connect_all(modifier, *made, wish.shape, history);
        ensure(modifier.doIt(), "carry out the command");
        return *made;
    } catch (...) {
        // A failed command leaves the scene as it was.
        modifier.undoIt();
        throw;
    }
}

MObject frozen_rest(const Found& node) {
    for (const Held& held : node.kind->held) {
        if (!is_rest(held)) continue;
        const MObject mesh = MPlug(node.node, held.object).source().node();
        if (is_frozen(mesh)) return mesh;
    }
    return MObject::kNullObj;
}

} // namespace sinew::maya
