#include "adapter/commands/history.h"

#include "adapter/guard.h"
#include "adapter/plugs.h"

#include <maya/MFn.h>
#include <maya/MFnDependencyNode.h>
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

} // namespace

History find_history(const MDagPath& shape) {
    History history;
    history.shown = plug_of(shape.node(), "inMesh");
    history.deformed = history.shown.source();
    if (history.deformed.isNull())
        throw Problem(std::string(shape.partialPathName().asChar()) +
                      " has no history: bind or deform it first, since " +
                      "a body that does not move has nothing to slide over.");
    const MObject original = upstream(history.shown, MFn::kMesh);
    if (original.isNull())
        throw Problem(std::string(shape.partialPathName().asChar()) +
                      " has no undeformed shape in its history, which " +
                      "the body at rest is read from: deform it by Maya's deformers, or connect `rest` by hand.");
    history.rest = plug_of(original, "outMesh");
    history.rest_in_world = plug_of(original, "worldMesh").elementByLogicalIndex(0);
    history.skin = upstream(history.shown, MFn::kSkinClusterFilter);
    return history;
}

} // namespace sinew::maya
