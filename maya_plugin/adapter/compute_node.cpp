#include "adapter/compute_node.h"

#include "adapter/meshes.h"

namespace sinew::maya {

void ComputeNode::read_body(MDataBlock& data, bool, Body& body) const {
    const Kind& kind = core_.kind();
    if (kind.in_mesh.isNull()) return;
    body.mesh = input(data, kind.in_mesh, host::OwnNames::in_mesh).asMesh();
    if (body.mesh.isNull()) throw Problem("nothing is connected to in_mesh: connect the body's mesh to it.");
    if (!kind.uv_set.isNull())
        body.uv_set = uv_set_of(body.mesh, input(data, kind.uv_set, host::OwnNames::uv_set).asString());
}

MDataHandle ComputeNode::out_mesh(MDataBlock& data) const {
    return output(data, core_.kind().out_mesh, host::OwnNames::out_mesh);
}

/// The mesh as it came in.
void ComputeNode::pass_body(MDataBlock& data) const {
    MDataHandle handle = out_mesh(data);
    ensure(handle.copy(input(data, core_.kind().in_mesh, host::OwnNames::in_mesh)), "pass the mesh through");
    handle.setClean();
}

// What comes in belongs to the node before, and is seen by others, so that the UVs are those of a copy. A handle copies
// all that travels with geometry, materials by face, sets, tags and the matrix among it, as deformers do before they
// move points (MPxGeometryFilter in the Maya C++ API reference); a mesh that is copied as a mesh alone may lose it.
bool ComputeNode::slide_body(MDataBlock& data, const Body& body, const host::Answer& answer) const {
    const Kind& kind = core_.kind();
    if (!answer.outputs || kind.plan.uvs_out.empty()) return false;
    const auto uvs = answer.outputs->numbers.find(kind.plan.uvs_out);
    if (uvs == answer.outputs->numbers.end()) return false;
    MDataHandle handle = out_mesh(data);
    ensure(handle.copyWritable(input(data, kind.in_mesh, host::OwnNames::in_mesh)), "copy the mesh");
    write_uvs(handle.asMesh(), body.uv_set, uvs->second);
    handle.setClean();
    return true;
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
        const bool is_body = !kind.out_mesh.isNull() && outermost(plug) == kind.out_mesh;
        if (!kind.output(plug) && !kind.reports(plug) && !is_body) return MStatus(MS::kUnknownParameter);
        core_.want(plug);
        Body at;
        bool slid = false;
        const host::Answer found = frame(data, [&] {
            read_body(data, true, at);
            host::Answer made = answer(data, at);
            slid = !kind.out_mesh.isNull() && slide_body(data, at, made);
            return made;
        });
        core_.write(data, found);
        // Without a mesh there is nothing to show.
        if (at.mesh.isNull()) return MStatus(is_body ? MS::kFailure : MS::kSuccess);
        if (!slid && !kind.out_mesh.isNull()) pass_body(data);
        return MStatus(MS::kSuccess);
    });
}

} // namespace sinew::maya
