#include "adapter/commands/body.h"

#include <maya/MPxGeometryFilter.h>

namespace sinew::maya {

bool has_body(const Kind& kind) { return kind.plan.shape != host::Shape::Values; }

MPlug body_input(const Found& node) {
    if (node.kind->deforms()) return deformer_input(node.node, 0);
    return {node.node, node.kind->in_mesh};
}

MPlug body_output(const Found& node) {
    if (node.kind->deforms()) return deformer_output(node.node, 0);
    return {node.node, node.kind->out_mesh};
}

MPlug deformer_input(const MObject& deformer, unsigned geometry) {
    return MPlug(deformer, MPxGeometryFilter::input).elementByLogicalIndex(geometry).child(MPxGeometryFilter::inputGeom);
}

MPlug deformer_output(const MObject& deformer, unsigned geometry) {
    return MPlug(deformer, MPxGeometryFilter::outputGeom).elementByLogicalIndex(geometry);
}

} // namespace sinew::maya
