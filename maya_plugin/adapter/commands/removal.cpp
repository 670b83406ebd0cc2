#include "adapter/commands/removal.h"

#include "adapter/commands/body.h"
#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MIntArray.h>
#include <maya/MPlugArray.h>
#include <maya/MPxGeometryFilter.h>

namespace sinew::maya {
namespace {

/// The skin cluster whose place a node has: that which its weights come from. Null where it has none, or comes after it.
MObject replaced_cluster(const Found& node, const MPlug& before) {
    const SkinArrays& skin = node.kind->skin;
    if (!skin.exist()) return MObject::kNullObj;
    const MObject cluster = MPlug(node.node, skin.weight_list).source().node();
    return cluster.hasFn(MFn::kSkinClusterFilter) && before.node() != cluster ? cluster : MObject::kNullObj;
}

/// Which geometry of the cluster the body is: the one that begins where the body does, or else its first.
unsigned geometry_of(const MObject& cluster, const MPlug& before) {
    MIntArray all;
    MPlug(cluster, MPxGeometryFilter::input).getExistingArrayAttributeIndices(all);
    for (unsigned i = 0; i < all.length(); ++i) {
        const auto geometry = static_cast<unsigned>(all[i]);
        if (deformer_input(cluster, geometry).source().isExactlyEqual(before)) return geometry;
    }
    return all.length() > 0 ? static_cast<unsigned>(all[0]) : 0;
}

/// What gives the body in the node's place. A deformer that came before the node since then comes before the cluster.
MPlug put_cluster_back(MDGModifier& modifier, const MObject& cluster, const MPlug& before) {
    const unsigned geometry = geometry_of(cluster, before);
    const MPlug in = deformer_input(cluster, geometry), source = in.source();
    if (!source.isExactlyEqual(before)) {
        if (!source.isNull()) ensure(modifier.disconnect(source, in), "put the skin cluster back");
        ensure(modifier.connect(before, in), "put the skin cluster back");
    }
    return deformer_output(cluster, geometry);
}

} // namespace

void take_out_of_body(MDGModifier& modifier, const Found& node) {
    const MPlug out = body_output(node), before = body_input(node).source();
    MPlugArray after;
    out.destinations(after);
    if (before.isNull() || after.length() == 0) return;
    const MObject cluster = replaced_cluster(node, before);
    const MPlug from = cluster.isNull() ? before : put_cluster_back(modifier, cluster, before);
    for (unsigned i = 0; i < after.length(); ++i) {
        ensure(modifier.disconnect(out, after[i]), "take the node out");
        ensure(modifier.connect(from, after[i]), "take the node out");
    }
}

void give_place_back(MObject& node, MDGModifier& modifier, void*) {
    guarded(0, "deleting", [&] { return utf8(MFnDependencyNode(node).name()); }, [&] {
        if (const std::optional<Found> found = ours(node); found && has_body(*found->kind))
            take_out_of_body(modifier, *found);
        return 0;
    });
}

} // namespace sinew::maya
