// A history is followed from the shape back by geometry alone: what else flows into a deformer, such as targets, drivers
// and joints, belongs to other bodies.
#include "adapter/commands/history.h"

#include "adapter/commands/body.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"

#include <maya/MDGContext.h>
#include <maya/MDGContextGuard.h>
#include <maya/MFn.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMesh.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MItDependencyGraph.h>
#include <maya/MPlugArray.h>
#include <maya/MPxGeometryFilter.h>

namespace sinew::maya {
namespace {

/// The attribute of a mesh that was made as a body at rest.
constexpr const char* frozen_mark = "sinewRest";

struct Chain {
    std::vector<Link> links;
    /// The shape at rest; null where the history has none.
    MObject rest;
    /// Why it could not be followed further, as a sentence.
    std::string fork;
};

/// The connected inputs of a node that take a mesh.
std::vector<MPlug> mesh_inputs(const MObject& node) {
    MPlugArray connected;
    MFnDependencyNode(node).getConnections(connected);
    std::vector<MPlug> found;
    for (unsigned i = 0; i < connected.length(); ++i) {
        const MPlug plug = connected[i];
        if (plug.isDestination() && MFnAttribute(plug.attribute()).accepts(MFnData::kMesh)) found.push_back(plug);
    }
    return found;
}

/// Of several, the one that all nodes which change polygons have for the mesh that they change (polyModifier in Maya's
/// node reference); null if none is that.
MPlug main_input(const std::vector<MPlug>& inputs) {
    for (const MPlug& plug : inputs)
        if (plug.partialName(false, false, false, false, false, true) == "inputPolymesh") return plug;
    return inputs.size() == 1 ? inputs.front() : MPlug();
}

/// By which plug a node takes what it gives by `out`; null where it takes none. A deformer gives by outputGeometry[i]
/// what it takes by input[i].inputGeometry (geometryFilter in Maya's node reference).
MPlug input_for(const MPlug& out, std::string& fork) {
    const MObject node = out.node();
    if (const std::optional<Found> own = ours(node))
        return has_body(*own->kind) && out == body_output(*own) ? body_input(*own) : MPlug();
    if (node.hasFn(MFn::kGeometryFilt))
        return out.attribute() == MPxGeometryFilter::outputGeom ? deformer_input(node, out.logicalIndex()) : MPlug();
    const std::vector<MPlug> inputs = mesh_inputs(node);
    MPlug found = main_input(inputs);
    if (found.isNull() && !inputs.empty()) {
        fork = utf8(MFnDependencyNode(node).name()) + " puts several meshes together (";
        for (const MPlug& plug : inputs) fork += (&plug == &inputs.front() ? "" : ", ") + utf8(plug.name());
        fork += ")";
    }
    return found;
}

bool is_below(const MObject& shape, const MObject& transform) {
    const MFnDagNode dag(shape);
    for (unsigned i = 0; i < dag.parentCount(); ++i)
        if (dag.parent(i) == transform) return true;
    return false;
}

/// The undeformed shape as the deformers know it, from that which comes first (originalGeometry in Maya's manual,
/// "Original Geometry", since 2022).
MObject original_of(const std::vector<Link>& links) {
    for (auto link = links.rbegin(); link != links.rend(); ++link) {
        MStatus status;
        const MObject node = link->out.node();
        const MPlug all = MFnDependencyNode(node).findPlug("originalGeometry", true, &status);
        if (!status || !link->out.isElement()) continue;
        const MObject source = all.elementByLogicalIndex(link->out.logicalIndex()).source().node();
        if (source.hasFn(MFn::kMesh)) return source;
    }
    return MObject::kNullObj;
}

/// Whether anything of a type is upstream of a plug, whatever it depends on.
bool depends_on(const MPlug& plug, MFn::Type type) {
    MPlug root = plug;
    MStatus status;
    MItDependencyGraph nodes(root, type, MItDependencyGraph::kUpstream, MItDependencyGraph::kBreadthFirst,
                             MItDependencyGraph::kNodeLevel, &status);
    return status && !nodes.isDone();
}

/// Whether anything upstream follows the time: it is connected to it, or has keys.
bool follows_time(const MPlug& plug) {
    return !plug.source().isNull() && (depends_on(plug, MFn::kTime) || depends_on(plug, MFn::kAnimCurve));
}

/// Deformers keep the undeformed shape below the transform of the one that they deform, as an intermediate object. A
/// mesh that shows another one is on the way to that one's; it is a body at rest itself where nothing moves it.
Chain follow(const MDagPath& shape) {
    Chain chain;
    const MObject transform = shape.transform();
    MObject last;
    for (MPlug out = plug_of(shape.node(), "inMesh").source(); !out.isNull();) {
        const MObject node = out.node();
        if (node.hasFn(MFn::kMesh)) {
            last = node;
            if (MFnDagNode(node).isIntermediateObject() && is_below(node, transform)) {
                chain.rest = node;
                return chain;
            }
        }
        const MPlug in = input_for(out, chain.fork);
        chain.links.push_back({in, out});
        out = in.isNull() ? MPlug() : in.source();
    }
    chain.rest = original_of(chain.links);
    if (chain.rest.isNull() && chain.fork.empty() && !last.isNull() && !follows_time(plug_of(last, "inMesh")))
        chain.rest = last;
    return chain;
}

Skin skin_of(const std::vector<Link>& links, const MPlug& shown) {
    MPlug after = shown;
    for (const Link& link : links) {
        if (link.out.node().hasFn(MFn::kSkinClusterFilter))
            return {link.out.node(), link.out.logicalIndex(), link.in.source(), link.out, after};
        after = link.in;
    }
    return {};
}

/// Every node of ours needs the body at rest with the vertices of the one that moves.
void check_vertices(const MObject& rest, const MDagPath& shape) {
    MStatus status;
    const int at_rest = MFnMesh(rest).numVertices(&status);
    ensure(status, "count the vertices of the body at rest");
    const int now = MFnMesh(shape.node()).numVertices(&status);
    ensure(status, "count the vertices of " + utf8(shape.partialPathName()));
    if (at_rest == now) return;
    throw Problem(utf8(shape.partialPathName()) + " has " + std::to_string(now) + " vertices, and its " +
                  "body at rest, " + utf8(MFnDependencyNode(rest).name()) + ", has " + std::to_string(at_rest) +
                  ": delete what changes them after it is deformed, or give sinewCreate another mesh with -rest.");
}

} // namespace

bool is_cached(const MDagPath& shape) {
    const MPlug shown = plug_of(shape.node(), "inMesh");
    const Chain chain = follow(shape);
    return !chain.links.empty() && chain.rest.isNull() && chain.fork.empty() && follows_time(shown);
}

MObject freeze(const MDagPath& shape, const MTime& at) {
    const std::string name = utf8(shape.partialPathName());
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
    made.setName(MFnDependencyNode(shape.node()).name() + "Rest");
    ensure(plug_of(frozen, "intermediateObject").setBool(true), "hide the body at rest");
    MFnNumericAttribute mark;
    ensure(made.addAttribute(mark.create(frozen_mark, frozen_mark, MFnNumericData::kBoolean, 1)),
           "mark the body at rest");
    return frozen;
}

bool is_frozen(const MObject& mesh) {
    return !mesh.isNull() && MFnDependencyNode(mesh).hasAttribute(frozen_mark);
}

History find_history(const MDagPath& shape, const MObject& rest) {
    const std::string name = utf8(shape.partialPathName());
    History history;
    history.shown = plug_of(shape.node(), "inMesh");
    history.deformed = history.shown.source();
    if (history.deformed.isNull())
        throw Problem(name + " has no history: bind or deform it first, since a body that does not move has nothing to " +
                      "slide over. Keys on its vertices come after all history: export it to Alembic, and import that.");
    const Chain chain = follow(shape);
    const MObject original = rest.isNull() ? chain.rest : rest;
    if (original.isNull() && !chain.fork.empty())
        throw Problem("In the history of " + name + ", " + chain.fork + ", so that its undeformed shape cannot be told: " +
                      "give sinewCreate one with -rest.");
    if (original.isNull() && !follows_time(history.shown))
        throw Problem(name + " does not move, since nothing in its history deforms it or has keys: bind, deform or "
                             "animate it first.");
    if (original.isNull())
        throw Problem(name + " has no undeformed shape in its history, which the body at rest is read from: give "
                             "sinewCreate one with -rest.");
    check_vertices(original, shape);
    history.rest = plug_of(original, "outMesh");
    history.links = chain.links;
    history.skin = skin_of(chain.links, history.shown);
    return history;
}

MPlug before_bones(const History& history) {
    for (const Link& link : history.links) {
        const std::optional<Found> own = ours(link.out.node());
        if (link.out.node().hasFn(MFn::kSkinClusterFilter) || (own && own->kind->skin.exist())) return link.in.source();
    }
    return MPlug();
}

std::vector<Found> ours_in(const History& history) {
    std::vector<Found> found;
    for (const Link& link : history.links)
        if (const std::optional<Found> one = ours(link.out.node())) found.push_back(*one);
    return found;
}

} // namespace sinew::maya
