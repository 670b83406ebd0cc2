#include "adapter/commands/shown.h"

#include "adapter/guard.h"

#include <maya/MFn.h>
#include <maya/MFnDagNode.h>
#include <maya/MItDependencyGraph.h>

namespace sinew::maya {

MDagPath shown_shape(const Found& node) {
    MDagPath path;
    if (node.kind->body_output().isNull()) return path;
    MPlug root(node.node, node.kind->body_output());
    MStatus status;
    MItDependencyGraph nodes(root, MFn::kMesh, MItDependencyGraph::kDownstream, MItDependencyGraph::kBreadthFirst,
                             MItDependencyGraph::kNodeLevel, &status);
    for (; status && !nodes.isDone(); nodes.next()) {
        const MFnDagNode shape(nodes.currentItem());
        if (!shape.isIntermediateObject() && shape.getPath(path) == MS::kSuccess) return path;
    }
    return path;
}

MDagPath shown_transform(const Found& node) {
    MDagPath path = shown_shape(node);
    if (!path.isValid()) throw Problem(node.name + " is shown by no mesh: connect it to one.");
    path.pop();
    return path;
}

} // namespace sinew::maya
