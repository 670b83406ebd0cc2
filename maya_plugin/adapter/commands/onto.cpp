// polyTransfer takes the UV sets or the vertices of another mesh of the same topology, transformGeometry moves a mesh
// by a matrix (both in Maya's node reference).
#include "adapter/commands/onto.h"

#include "adapter/commands/baked.h"
#include "adapter/commands/shown.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"

#include <maya/MFnAttribute.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMatrixData.h>
#include <maya/MFnMesh.h>
#include <maya/MIntArray.h>
#include <maya/MMatrix.h>

#include <algorithm>

namespace sinew::maya {
namespace {

MObject create(MDGModifier& modifier, const char* type) {
    MStatus status;
    const MObject made = modifier.createNode(type, &status);
    ensure(status, std::string("make a ") + type);
    ensure(modifier.doIt(), std::string("make a ") + type);
    return made;
}

void connect(MDGModifier& modifier, const MPlug& from, const MPlug& to) {
    ensure(modifier.connect(from, to), "connect " + utf8(to.name()));
}

void check_same_faces(const MObject& one, const MObject& other) {
    const auto faces = [](const MObject& mesh) {
        std::pair<MIntArray, MIntArray> found;
        ensure(MFnMesh(mesh).getVertices(found.first, found.second), "read the faces of a mesh");
        return found;
    };
    const auto same = [](const MIntArray& a, const MIntArray& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    const auto [sizes, vertices] = faces(one);
    const auto [other_sizes, other_vertices] = faces(other);
    if (!same(sizes, other_sizes) || !same(vertices, other_vertices))
        throw Problem("The results have other faces than the body: export the job again.");
}

/// What goes into the node, in the space of the mesh.
MPlug body_of(const Found& node) {
    const MPlug source = body_input(node).source();
    if (source.isNull()) throw Problem("No body is connected to " + node.name + ".");
    const bool in_world = MFnAttribute(source.attribute()).name() == "worldMesh";
    return in_world ? plug_of(source.node(), "outMesh") : source;
}

/// A mesh that goes through a node; the matrix by which it is moved is the node's `transform`.
MObject moved(MDGModifier& modifier, const MPlug& mesh) {
    const MObject made = create(modifier, "transformGeometry");
    connect(modifier, mesh, plug_of(made, "inputGeometry"));
    return made;
}

/// Alembic files of jobs have y up, whatever the scene has.
MPlug with_axes_of_scene(MDGModifier& modifier, const MPlug& mesh) {
    if (up_axis() != SINEW_UP_Z) return mesh;
    const double rows[4][4] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, -1, 0, 0}, {0, 0, 0, 1}};
    MStatus status;
    MObject turn = MFnMatrixData().create(MMatrix(rows), &status);
    ensure(status, "make a matrix");
    const MObject made = moved(modifier, mesh);
    ensure(modifier.newPlugValue(plug_of(made, "transform"), turn), "turn the results");
    return plug_of(made, "outputGeometry");
}

/// The results in the space of the mesh: jobs of nodes that work in the world have them there.
MPlug results_of(MDGModifier& modifier, const Found& node, const MDagPath& shape, const MObject& mesh) {
    const MPlug out = with_axes_of_scene(modifier, plug_of(mesh, "outMesh"));
    if (!node.kind->in_world()) return out;
    const MObject made = moved(modifier, out);
    const MPlug inverse = plug_of(shape.node(), "worldInverseMatrix").elementByLogicalIndex(0);
    connect(modifier, inverse, plug_of(made, "transform"));
    return plug_of(made, "outputGeometry");
}

} // namespace

std::string put_mesh_onto(MDGModifier& modifier, const Found& node, const MDagPath& shape, const MObject& mesh) {
    check_same_faces(shape.node(), mesh);
    const MPlug body = body_of(node), results = results_of(modifier, node, shape, mesh);
    const MObject transfer = create(modifier, "polyTransfer");
    const bool points = node.kind->plan.uvs_out.empty();
    ensure(modifier.renameNode(transfer, maya_text(node.name + "_results")), "name the results");
    ensure(modifier.newPlugValueBool(plug_of(transfer, "uvSets"), !points), "choose what is taken");
    ensure(modifier.newPlugValueBool(plug_of(transfer, "vertices"), points), "choose what is taken");
    connect(modifier, body, plug_of(transfer, "inputPolymesh"));
    connect(modifier, results, plug_of(transfer, "otherPoly"));
    replace(modifier, node, plug_of(transfer, "output"));
    ensure(modifier.doIt(), "put the results in the place of " + node.name);
    return utf8(MFnDependencyNode(transfer).name());
}

} // namespace sinew::maya
