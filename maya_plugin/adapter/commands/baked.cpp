#include "adapter/commands/baked.h"

#include "adapter/commands/shown.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"

#include <maya/MFn.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnMessageAttribute.h>
#include <maya/MItDependencyGraph.h>
#include <maya/MPlugArray.h>
#include <maya/MPxNode.h>

namespace sinew::maya {
namespace {

/// The attribute through which a node knows for which of ours it stands. Permanent: scenes have it.
constexpr const char* live_name = "sinewLive";

/// Of a node that stands for another: where its body comes out.
MPlug output_of(const MObject& node) { return plug_of(node, "output"); }

/// Which of our nodes a node stands for; none for any other.
std::optional<Found> live_of(const MObject& node) {
    MStatus status;
    const MPlug plug = MFnDependencyNode(node).findPlug(live_name, true, &status);
    if (!status || plug.source().isNull()) return std::nullopt;
    return ours(plug.source().node());
}

void freeze(MDGModifier& modifier, const MObject& node, bool frozen) {
    ensure(modifier.newPlugValueBool(MPlug(node, MPxNode::frozen), frozen), "freeze a node");
}

bool holds(const std::vector<Found>& all, const Found& one) {
    for (const Found& each : all)
        if (each.node == one.node) return true;
    return false;
}

} // namespace

bool is_shown(const MPlug& output) {
    MPlugArray readers;
    output.destinations(readers);
    return readers.length() > 0;
}

void switch_readers(MDGModifier& modifier, const MPlug& from, const MPlug& to) {
    MPlugArray readers;
    from.destinations(readers);
    if (readers.length() == 0) throw Problem(utf8(from.name()) + " is shown by no mesh.");
    for (unsigned i = 0; i < readers.length(); ++i) {
        ensure(modifier.disconnect(from, readers[i]), "disconnect the body");
        ensure(modifier.connect(to, readers[i]), "connect the body");
    }
    freeze(modifier, from.node(), true);
    freeze(modifier, to.node(), false);
}

void replace(MDGModifier& modifier, const Found& live, const MPlug& output) {
    MFnMessageAttribute message;
    const MObject attribute = message.create(live_name, live_name);
    ensure(modifier.addAttribute(output.node(), attribute), "add an attribute to " + std::string(live_name));
    ensure(modifier.doIt(), "add an attribute");
    ensure(modifier.connect(MPlug(live.node, MPxNode::message), plug_of(output.node(), live_name)),
           "connect " + live.name);
    switch_readers(modifier, body_output(live), output);
}

std::vector<MPlug> baked_outputs(const Found& live) {
    std::vector<MPlug> found;
    MPlugArray readers;
    MPlug(live.node, MPxNode::message).destinations(readers);
    for (unsigned i = 0; i < readers.length(); ++i)
        if (MFnAttribute(readers[i].attribute()).name() == live_name) found.push_back(output_of(readers[i].node()));
    return found;
}

std::vector<Found> nodes_behind(const MDagPath& mesh) {
    std::vector<Found> found;
    MPlug root = plug_of(mesh.node(), "inMesh");
    MStatus status;
    MItDependencyGraph nodes(root, MFn::kInvalid, MItDependencyGraph::kUpstream, MItDependencyGraph::kBreadthFirst,
                             MItDependencyGraph::kNodeLevel, &status);
    for (; status && !nodes.isDone(); nodes.next()) {
        const MObject node = nodes.currentItem();
        std::optional<Found> one = live_of(node);
        if (!one) one = ours(node);
        if (one && !holds(found, *one)) found.push_back(*one);
    }
    return found;
}

} // namespace sinew::maya
