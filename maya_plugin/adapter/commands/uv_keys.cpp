// polyTweakUV is the node that Maya itself makes when somebody moves UVs: it adds `uvTweak[i]` to UV i of its set
// (polyTweakUV in Maya's node reference). Nodes and curves are all Maya's, so that the scene plays without Sinew.
#include "adapter/commands/uv_keys.h"

#include "adapter/commands/baked.h"
#include "adapter/commands/shown.h"
#include "adapter/guard.h"
#include "adapter/meshes.h"
#include "adapter/plugs.h"
#include "adapter/text.h"
#include "host/uv_tracks.h"

#include <maya/MDoubleArray.h>
#include <maya/MFloatArray.h>
#include <maya/MFnAnimCurve.h>
#include <maya/MFnMesh.h>
#include <maya/MIntArray.h>
#include <maya/MTimeArray.h>

namespace sinew::maya {
namespace {

struct MeshUvs {
    MFloatArray u, v;
    MIntArray counts, ids;
};

MeshUvs uvs_of(const MObject& mesh, const MString& set) {
    MeshUvs found;
    MStatus status;
    const MFnMesh functions(mesh, &status);
    ensure(status, "read a mesh");
    ensure(functions.getUVs(found.u, found.v, &set), "read the UVs of a mesh");
    ensure(functions.getAssignedUVs(found.counts, found.ids, &set), "read which UVs corners have");
    return found;
}

MObject mesh_at(const MPlug& plug) {
    MStatus status;
    const MObject mesh = plug.asMObject(&status);
    ensure(status, "evaluate " + utf8(plug.name()));
    return mesh;
}

/// The UVs of the current frame, on the way into the node and out of it.
host::UvFrame frame_of(const Found& node, MString& set) {
    const MObject in = mesh_at(body_input(node)), out = mesh_at(body_output(node));
    set = uv_set_of(in, MPlug(node.node, node.kind->uv_set).asString());
    const MeshUvs before = uvs_of(in, set), after = uvs_of(out, set);
    host::UvFrame found;
    found.u.assign(before.u.begin(), before.u.end());
    found.v.assign(before.v.begin(), before.v.end());
    found.corner_uvs.assign(before.ids.begin(), before.ids.end());
    for (unsigned corner = 0; corner < after.ids.length(); ++corner) {
        const auto id = static_cast<unsigned>(after.ids[corner]);
        found.slid.push_back(after.u[id]);
        found.slid.push_back(after.v[id]);
    }
    return found;
}

void add_keys(MDGModifier& modifier, const MPlug& tweaks, const host::UvTrack& track) {
    MTimeArray times;
    MDoubleArray values;
    for (const host::UvKey& key : track.keys) {
        times.append(time_of(key.frame));
        values.append(double{key.offset});
    }
    const MPlug plug = tweaks.elementByLogicalIndex(track.uv).child(track.axis);
    MStatus status;
    MFnAnimCurve curve;
    curve.create(plug, MFnAnimCurve::kAnimCurveTU, &modifier, &status);
    ensure(status, "make a curve for map[" + std::to_string(track.uv) + "]");
    const auto straight = MFnAnimCurve::kTangentLinear;
    ensure(curve.addKeys(&times, &values, straight, straight), "set keys of map[" + std::to_string(track.uv) + "]");
}

/// The node with the keys, on the mesh that goes into ours.
MPlug make_tweak(MDGModifier& modifier, const Found& node, const MString& set) {
    MStatus status;
    const MObject tweak = modifier.createNode("polyTweakUV", &status);
    ensure(status, "make a polyTweakUV");
    ensure(modifier.renameNode(tweak, maya_text(node.name + "_keys")), "name the keys");
    ensure(modifier.newPlugValueString(plug_of(tweak, "uvSetName"), set), "choose the UV set");
    ensure(modifier.connect(body_input(node).source(), plug_of(tweak, "inputPolymesh")), "connect the body");
    ensure(modifier.doIt(), "make a polyTweakUV");
    return plug_of(tweak, "output");
}

} // namespace

std::string bake_uv_keys(MDGModifier& modifier, const Found& node, const Range& range, std::size_t most) {
    if (node.kind->plan.uvs_out.empty())
        throw Problem(node.name + " slides no UVs: -uvKeys is for nodes that do. Bake it to Alembic with -file.");
    if (body_input(node).source().isNull()) throw Problem("Nothing is connected to " + node.name + ".in_mesh.");
    host::UvTracks tracks(frames_in(range), most);
    MString set;
    play(range, "Reading UVs", [&](double frame) {
        try {
            tracks.add(frame, frame_of(node, set));
        } catch (const std::runtime_error& error) {
            throw Problem(node.name + ": " + error.what());
        }
    });
    const MPlug output = make_tweak(modifier, node, set), tweaks = plug_of(output.node(), "uvTweak");
    for (const host::UvTrack& track : tracks.tracks()) add_keys(modifier, tweaks, track);
    replace(modifier, node, output);
    ensure(modifier.doIt(), "put the keys in the place of " + node.name);
    return utf8(MFnDependencyNode(output.node()).name());
}

} // namespace sinew::maya
