#include "adapter/authoring/character.h"

#include "adapter/authoring/documents.h"
#include "adapter/authoring/objects.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/skin.h"
#include "adapter/text.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MFnMatrixData.h>
#include <maya/MFnMesh.h>
#include <maya/MIntArray.h>
#include <maya/MMatrix.h>

#include <map>

namespace sinew::maya {
namespace {

MObject skin_of(const Found& node) {
    const SkinArrays& skin = node.kind->skin;
    const MPlug source = skin.exist() ? MPlug(node.node, skin.bind).source() : MPlug();
    if (source.isNull())
        throw Problem(node.name + " has no skin cluster, whose joints carry muscles: bind the body, and make " +
                      "the node again.");
    return source.node();
}

MMatrix matrix_of(const MPlug& plug) {
    MStatus status;
    const MObject data = plug.asMObject(&status);
    ensure(status, "read " + utf8(plug.name()));
    return MFnMatrixData(data).matrix();
}

/// The index of the nearest joint above each one that is a joint of the skin cluster, too.
std::vector<std::int32_t> parents_of(const std::vector<MDagPath>& joints) {
    std::vector<std::int32_t> parents;
    for (const MDagPath& joint : joints) {
        std::int32_t parent = -1;
        for (MDagPath above = joint; parent < 0 && above.length() > 1;) {
            above.pop();
            for (std::size_t k = 0; k < joints.size(); ++k)
                if (joints[k].node() == above.node()) parent = static_cast<std::int32_t>(k);
        }
        parents.push_back(parent);
    }
    return parents;
}

std::string role_of(const MDagPath& joint) {
    const MFnDependencyNode node(joint.node());
    return node.hasAttribute(role_attribute) ? utf8(node.findPlug(role_attribute, true).asString()) : "";
}

/// In the order in which the node has the joints: that of their indices in the skin cluster.
void read_joints(host::Character& character, const MObject& skin) {
    MPlug matrices = plug_of(skin, "matrix");
    const MPlug bind = plug_of(skin, "bindPreMatrix");
    MIntArray indices;
    matrices.getExistingArrayAttributeIndices(indices);
    std::vector<MDagPath> joints;
    for (unsigned k = 0; k < indices.length(); ++k) {
        const auto index = static_cast<unsigned>(indices[k]);
        const MPlug source = matrices.elementByLogicalIndex(index).source();
        MDagPath joint;
        if (source.isNull() || MDagPath::getAPathTo(source.node(), joint) != MS::kSuccess)
            throw Problem("Nothing is connected to matrix[" + std::to_string(index) + "] of the skin cluster: remove " +
                          "it there, or connect its joint.");
        joints.push_back(joint);
        character.joints.push_back(short_name(joint));
        character.roles.push_back(role_of(joint));
        append_matrix(character.rest, matrix_of(bind.elementByLogicalIndex(index)).inverse());
    }
    character.parents = parents_of(joints);
}

void read_skin(host::Character& character, const Found& node) {
    for (const Held& held : node.kind->held) {
        if (held.plan->holds != host::Holds::Mesh || held.plan->of != host::Of::Input || !held.plan->still) continue;
        MStatus status;
        const MObject data = MPlug(node.node, held.object).asMObject(&status);
        if (!status || data.isNull()) continue;
        const MFnMesh mesh(data, &status);
        ensure(status, "read the body at rest");
        MIntArray counts, vertices;
        ensure(mesh.getVertices(counts, vertices), "read the faces of the body at rest");
        const float* points = mesh.getRawPoints(&status);
        ensure(status, "read the points of the body at rest");
        character.points.assign(points, points + 3 * mesh.numVertices());
        for (unsigned k = 0; k < counts.length(); ++k)
            character.face_sizes.push_back(static_cast<std::uint32_t>(counts[k]));
        for (unsigned k = 0; k < vertices.length(); ++k)
            character.face_vertices.push_back(static_cast<std::uint32_t>(vertices[k]));
        return;
    }
}

void check_names(const host::Character& character) {
    std::map<std::string, int> counts;
    for (const std::string& joint : character.joints)
        if (++counts[joint] > 1)
            throw Problem("Two joints are called " + joint + ", and muscles know joints by their names: rename one.");
}

} // namespace

host::Character character_of(const Found& node) {
    host::Character character;
    read_joints(character, skin_of(node));
    check_names(character);
    read_skin(character, node);
    return character;
}

} // namespace sinew::maya
