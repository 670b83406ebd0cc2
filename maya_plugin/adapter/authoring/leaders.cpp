#include "adapter/authoring/leaders.h"

#include "adapter/authoring/documents.h"
#include "adapter/authoring/objects.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MFnMatrixData.h>
#include <maya/MIntArray.h>
#include <maya/MMatrix.h>
#include <maya/MPlugArray.h>

#include <algorithm>

namespace sinew::maya {
namespace {

/// Axes that differ by no more than this are the same: what single precision leaves.
constexpr double same_axes = 1e-6;
/// How far a joint may be from its body, as a part of their distance from the origin and as centimetres.
constexpr double same_place = 1e-3;

constexpr const char* offset_type = "multMatrix";

MPlug world_of(const MObject& joint) { return plug_of(joint, "worldMatrix").elementByLogicalIndex(0); }

bool is_offset(const MObject& node) { return MFnDependencyNode(node).typeName() == offset_type; }

/// The joint behind a matrix, also through an offset; null without one.
MObject joint_behind(const MPlug& source) {
    if (source.isNull()) return MObject::kNullObj;
    if (!is_offset(source.node())) return source.node();
    const MPlug led = plug_of(source.node(), "matrixIn").elementByLogicalIndex(1).source();
    return led.isNull() ? MObject::kNullObj : led.node();
}

MMatrix matrix_of(const host::Axes& axes) {
    const host::Matrix numbers = host::matrix_of(axes, maya_space().row_vectors);
    MMatrix found;
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) found(row, column) = numbers[4 * row + column];
    return found;
}

/// A node that gives the place of a body whose axes are at an offset to its joint's.
MPlug make_offset(MDGModifier& modifier, const MMatrix& offset, const MPlug& world) {
    MStatus status;
    const MObject node = modifier.createNode(MString(offset_type), &status);
    ensure(status, std::string("make a ") + offset_type + " (its plug-in matrixNodes must be loaded)");
    ensure(modifier.doIt(), std::string("make a ") + offset_type);
    MObject data = MFnMatrixData().create(offset, &status);
    ensure(status, "make a matrix");
    const MPlug in = plug_of(node, "matrixIn");
    ensure(modifier.newPlugValue(in.elementByLogicalIndex(0), data), "set a body's offset");
    ensure(modifier.connect(world, in.elementByLogicalIndex(1)), "connect a joint to its body's offset");
    return plug_of(node, "matrixSum");
}

/// What is to lead a body from now on; null, with a warning, where nothing can.
MPlug make_leader(MDGModifier& modifier, const host::Led& led, host::Done& done) {
    MDagPath path;
    const MObject joint = node_of(led.object);
    if (joint.isNull() || MDagPath::getAPathTo(joint, path) != MS::kSuccess) {
        done.warnings.push_back("Nothing leads the body " + led.body + ": connect a matrix to led_matrices.");
        return {};
    }
    const std::optional<MMatrix> offset = offset_of(led.place, path);
    if (!offset) {
        done.warnings.push_back("The body " + led.body + " is not where " + short_name(path) + " is, so that it does " +
                                "not lead it: go to the pose in which the scene was drawn, and repeat the command.");
        return {};
    }
    if (*offset == MMatrix::identity) return world_of(joint);
    return make_offset(modifier, *offset, world_of(joint));
}

/// Disconnects an element and, where it was all that an offset was for, deletes that. Disconnecting and deleting have
/// to be carried out one after the other (Maya's help, "MDGModifier").
void disconnect(MDGModifier& modifier, const MPlug& source, const MPlug& element) {
    ensure(modifier.disconnect(source, element), "disconnect " + utf8(element.name()));
    MPlugArray all;
    source.destinations(all);
    if (!is_offset(source.node()) || all.length() != 1) return;
    const std::string what = "delete an offset that nothing needs any longer";
    ensure(modifier.doIt(), what);
    ensure(modifier.deleteNode(source.node()), what);
    ensure(modifier.doIt(), what);
}

} // namespace

std::optional<MMatrix> offset_of(const host::Axes& body, const MDagPath& joint) {
    const MMatrix world = joint.inclusiveMatrix(), offset = matrix_of(body) * world.inverse();
    if (offset.isEquivalent(MMatrix(), same_axes)) return MMatrix();
    using host::operator-;
    const host::Vector at = host::origin(body), is_at{world(3, 0), world(3, 1), world(3, 2)};
    if (host::length(at - is_at) > same_place * std::max(1.0, host::length(at))) return std::nullopt;
    return offset;
}

void connect_leaders(MDGModifier& modifier, const Found& node, const std::vector<host::Led>& led, host::Done& done) {
    const MPlug matrices = port_plug(node, "led_matrices");
    MIntArray indices;
    MPlug(matrices).getExistingArrayAttributeIndices(indices);
    std::vector<MPlug> now;
    for (unsigned k = 0; k < indices.length(); ++k)
        now.push_back(matrices.elementByLogicalIndex(static_cast<unsigned>(indices[k])).source());

    std::vector<MPlug> wanted;
    for (const host::Led& one : led) {
        const MObject joint = node_of(one.object);
        const auto leads = [&](const MPlug& source) { return !joint.isNull() && joint_behind(source) == joint; };
        const auto found = std::find_if(now.begin(), now.end(), leads);
        wanted.push_back(found != now.end() ? *found : make_leader(modifier, one, done));
    }
    for (unsigned k = 0; k < indices.length(); ++k) {
        const auto index = static_cast<std::size_t>(indices[k]);
        const MPlug element = matrices.elementByLogicalIndex(static_cast<unsigned>(index));
        const bool stays = index < wanted.size() && wanted[index] == now[k];
        // One that moves to another body keeps its offset.
        const bool is_wanted = std::find(wanted.begin(), wanted.end(), now[k]) != wanted.end();
        if (!now[k].isNull() && !stays) {
            if (is_wanted) ensure(modifier.disconnect(now[k], element), "disconnect a body's joint");
            else disconnect(modifier, now[k], element);
        }
        if (index >= wanted.size()) ensure(modifier.removeMultiInstance(element, true), "remove a led body's matrix");
    }
    for (unsigned k = 0; k < wanted.size(); ++k) {
        const MPlug element = matrices.elementByLogicalIndex(k);
        if (!wanted[k].isNull() && !(element.source() == wanted[k]))
            ensure(modifier.connect(wanted[k], element), "connect a joint to " + utf8(element.name()));
    }
}

} // namespace sinew::maya
