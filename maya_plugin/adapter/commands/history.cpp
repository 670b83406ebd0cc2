#include "adapter/commands/history.h"

#include "adapter/guard.h"
#include "adapter/plugs.h"

#include <maya/MDGContext.h>
#include <maya/MDGContextGuard.h>
#include <maya/MFn.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMesh.h>
#include <maya/MItDependencyGraph.h>

namespace sinew::maya {
namespace {

/// The last node of a type upstream of a plug: the first in the order of deformation.
MObject upstream(const MPlug& plug, MFn::Type type) {
    MPlug root = plug;
    MStatus status;
    MItDependencyGraph nodes(root, type, MItDependencyGraph::kUpstream, MItDependencyGraph::kBreadthFirst,
                             MItDependencyGraph::kNodeLevel, &status);
    MObject found = MObject::kNullObj;
    if (!status) return found;
    for (; !nodes.isDone(); nodes.next())
        if (nodes.currentItem() != plug.node()) found = nodes.currentItem();
    return found;
}

/// Whether anything upstream follows the time: it is connected to it, or has keys.
bool follows_time(const MPlug& plug) {
    return !upstream(plug, MFn::kTime).isNull() || !upstream(plug, MFn::kAnimCurve).isNull();
}

} // namespace

bool is_cached(const MDagPath& shape) {
    const MPlug shown = plug_of(shape.node(), "inMesh");
    return !shown.source().isNull() && upstream(shown, MFn::kMesh).isNull() && follows_time(shown);
}

MObject freeze(const MDagPath& shape, const MTime& at) {
    const std::string name = shape.partialPathName().asChar();
    MStatus status;
    MObject mesh;
    {
        const MDGContext context(at);
        const MDGContextGuard guard(context);
        mesh = plug_of(shape.node(), "inMesh").source().asMObject(&status);
    }
    ensure(status, "read " + name + " at the start of the time slider");
    MDagPath above = shape;
    above.pop();
    MFnMesh made;
    const MObject frozen = made.copy(mesh, above.node(), &status);
    ensure(status, "keep the body at rest");
    made.setName((MFnDependencyNode(shape.node()).name().asChar() + std::string("Rest")).c_str());
    ensure(plug_of(frozen, "intermediateObject").setBool(true), "hide the body at rest");
    return frozen;
}

History find_history(const MDagPath& shape, const MObject& rest) {
    const std::string name = shape.partialPathName().asChar();
    History history;
    history.shown = plug_of(shape.node(), "inMesh");
    history.deformed = history.shown.source();
    if (history.deformed.isNull())
        throw Problem(name + " has no history: bind or deform it first, since a body that does not move has nothing to " +
                      "slide over. Keys on its vertices come after all history: export it to Alembic, and import that.");
    const MObject original = rest.isNull() ? upstream(history.shown, MFn::kMesh) : rest;
    if (original.isNull() && !follows_time(history.shown))
        throw Problem(name + " does not move, since nothing in its history deforms it or has keys: bind, deform or "
                             "animate it first.");
    if (original.isNull())
        throw Problem(name + " has no undeformed shape in its history, which the body at rest is read from: give "
                             "sinewCreate one with -rest.");
    history.rest = plug_of(original, "outMesh");
    history.rest_in_world = plug_of(original, "worldMesh").elementByLogicalIndex(0);
    history.skin = upstream(history.shown, MFn::kSkinClusterFilter);
    return history;
}

} // namespace sinew::maya
