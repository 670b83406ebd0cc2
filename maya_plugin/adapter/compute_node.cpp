#include "adapter/compute_node.h"

#include "adapter/meshes.h"

namespace sinew::maya {

Body ComputeNode::body(MDataBlock& data, bool) const {
    Body found;
    const Kind& kind = core_.kind();
    if (kind.in_mesh.isNull()) return found;
    found.mesh = input(data, kind.in_mesh, host::OwnNames::in_mesh).asMesh();
    if (found.mesh.isNull()) throw Problem("nothing is connected to in_mesh: connect the body's mesh to it.");
    if (!kind.uv_set.isNull())
        found.uv_set = uv_set_of(found.mesh, input(data, kind.uv_set, host::OwnNames::uv_set).asString());
    return found;
}

/// The mesh as it came in, or a copy with other UVs: what comes in belongs to the node before, and is seen by others.
void ComputeNode::pass_body(MDataBlock& data, const Body& body, const host::Answer& answer) {
    const Kind& kind = core_.kind();
    if (kind.out_mesh.isNull()) return;
    MObject shown = body.mesh;
    if (answer.outputs && !kind.plan.uvs_out.empty()) {
        const auto uvs = answer.outputs->numbers.find(kind.plan.uvs_out);
        if (uvs != answer.outputs->numbers.end()) {
            shown = copy_of(body.mesh);
            write_uvs(shown, body.uv_set, uvs->second);
        }
    }
    MDataHandle handle = output(data, kind.out_mesh, host::OwnNames::out_mesh);
    ensure(handle.setMObject(shown), "pass the mesh through");
    handle.setClean();
}

MPlug ComputeNode::passThroughToOne(const MPlug& plug) const {
    const Kind& kind = core_.kind();
    return guarded(MPlug(), "passing through", [this] { return name_text(); }, [&] {
        const MObject attribute = plug.attribute();
        if (attribute.isNull() || (attribute != kind.in_mesh && attribute != kind.out_mesh)) return MPlug();
        return MPlug(thisMObject(), attribute == kind.in_mesh ? kind.out_mesh : kind.in_mesh);
    });
}

MStatus ComputeNode::compute(const MPlug& plug, MDataBlock& data) {
    return safely("computing", [&] {
        const Kind& kind = core_.kind();
        if (!kind.output(plug) && !kind.reports(plug) && outermost(plug) != kind.out_mesh)
            return MStatus(MS::kUnknownParameter);
        core_.want(plug);
        const Body at = body(data, true);
        const host::Answer found = answer(data, at);
        pass_body(data, at, found);
        core_.write(data, found);
        return MStatus(MS::kSuccess);
    });
}

} // namespace sinew::maya
