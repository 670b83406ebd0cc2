// A joint's matrix is its scale, rotation, orientation and translation in this order, before that of its parent
// (joint in Maya's node reference). Scales and orientations stay; rotations and translations get keys.
#include "adapter/commands/joint_keys.h"

#include "adapter/authoring/documents.h"
#include "adapter/authoring/leaders.h"
#include "adapter/authoring/objects.h"
#include "adapter/commands/playing.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"
#include "host/authoring/tendon.h"
#include "host/bones.h"

#include <maya/MDoubleArray.h>
#include <maya/MFnAnimCurve.h>
#include <maya/MTimeArray.h>

#include <algorithm>
#include <cmath>

namespace sinew::maya {
namespace {

namespace fs = std::filesystem;

/// How far what keys can say may be from a result: single precision of a scene of some metres, in centimetres.
constexpr double close = 1e-4;

struct Joint {
    MDagPath path;
    MMatrix offset;
    const std::vector<host::RowMatrix>* bones = nullptr;
    /// The nearest joint above that gets keys, too; -1 for none.
    int above = -1;
    host::Angles angles{};
    MMatrix world;
    MDoubleArray values[6];
};

MMatrix to_maya(const host::RowMatrix& numbers) {
    MMatrix made;
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) made(row, column) = numbers[4 * row + column];
    return made;
}

host::RowMatrix to_host(const MMatrix& matrix) {
    host::RowMatrix made{};
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) made[4 * row + column] = matrix(row, column);
    return made;
}

std::string name_of(const Joint& joint) { return utf8(joint.path.partialPathName()); }

host::Angles triple_of(const MObject& node, const char* name) {
    const MPlug plug = plug_of(node, name);
    return {plug.child(0).asDouble(), plug.child(1).asDouble(), plug.child(2).asDouble()};
}

const std::array<unsigned, 3>& order_of(const MObject& node) {
    return host::rotate_orders.at(static_cast<std::size_t>(plug_of(node, "rotateOrder").asShort()));
}

/// The table of the bones' matrices: that of the one output of transforms.
fs::path table_of(const Found& node, const fs::path& results) {
    for (const host::Attribute& attribute : node.kind->plan.attributes)
        if (attribute.of == host::Of::Output && attribute.quantity == "transform")
            return results / (attribute.name + ".csv");
    throw Problem(node.name + " moves no bones: -onto has nothing to put its results onto.");
}

/// The joints that tendons move, parents first.
std::vector<Joint> joints_of(const Found& node, const host::BoneFrames& bones) {
    host::Editing edit(host::scene_holder(), stored_of(node), maya_space());
    std::vector<Joint> found;
    for (const host::Led& body : host::moved_bodies(edit)) {
        Joint joint;
        const MObject object = node_of(body.object);
        if (object.isNull() || MDagPath::getAPathTo(object, joint.path) != MS::kSuccess) continue;
        const auto matrices = bones.matrices.find(body.body);
        if (matrices == bones.matrices.end())
            throw Problem("The results have no bone " + body.body + ": export the job of " + node.name + " again.");
        const std::optional<MMatrix> offset = offset_of(body.place, joint.path);
        if (!offset)
            throw Problem(name_of(joint) + " is not where its bone was drawn: go to the frame in which it is, or " +
                          "delete its keys, and import again.");
        joint.offset = *offset;
        joint.bones = &matrices->second;
        found.push_back(joint);
    }
    if (found.empty()) throw Problem("No joint of this scene is moved by the tendons of " + node.name + ".");
    std::stable_sort(found.begin(), found.end(),
                     [](const Joint& one, const Joint& other) { return one.path.length() < other.path.length(); });
    return found;
}

int joint_above(const std::vector<Joint>& joints, const MDagPath& path) {
    for (MDagPath above = path; above.length() > 1;) {
        above.pop();
        for (std::size_t k = 0; k < joints.size(); ++k)
            if (joints[k].path == above) return static_cast<int>(k);
    }
    return -1;
}

void check_free(const Joint& joint) {
    for (const char* name : {"translate", "rotate"}) {
        const MPlug all = plug_of(joint.path.node(), name);
        for (unsigned axis = 0; axis < 3; ++axis) {
            const MPlug plug = all.child(axis);
            if (plug.isDestination() || all.isDestination() || plug.isFreeToChange() != MPlug::kFreeToChange)
                throw Problem(utf8(plug.name()) + " is animated, connected or locked: free it, so " +
                              "that it can take the results.");
        }
    }
}

/// Where the results of a frame have a joint, as what keys can say of it. The scene is at that frame.
void add_frame(std::vector<Joint>& joints, Joint& joint, std::size_t frame) {
    const MObject node = joint.path.node();
    joint.world = joint.offset.inverse() * to_maya((*joint.bones)[frame]);
    MMatrix parent = joint.path.exclusiveMatrix();
    if (joint.above >= 0) {
        const Joint& above = joints[static_cast<std::size_t>(joint.above)];
        parent = parent * above.path.inclusiveMatrix().inverse() * above.world;
    }
    const MMatrix local = joint.world * parent.inverse();
    const host::Angles scale = triple_of(node, "scale");
    const MMatrix orient = to_maya(host::rotation_of(triple_of(node, "jointOrient"), host::rotate_orders[0]));
    MMatrix scaled, rotation = local;
    for (unsigned row = 0; row < 3; ++row) {
        scaled(row, row) = scale[row];
        for (unsigned column = 0; column < 3; ++column) rotation(row, column) /= scale[row];
    }
    for (unsigned column = 0; column < 3; ++column) rotation(3, column) = 0;
    rotation = rotation * orient.inverse();
    joint.angles = host::angles_of(to_host(rotation), order_of(node), joint.angles);
    MMatrix said = scaled * to_maya(host::rotation_of(joint.angles, order_of(node))) * orient;
    for (unsigned axis = 0; axis < 3; ++axis) {
        said(3, axis) = local(3, axis);
        joint.values[axis].append(local(3, axis));
        joint.values[3 + axis].append(joint.angles[axis]);
    }
    if (!said.isEquivalent(local, close))
        throw Problem(name_of(joint) + " cannot take the results: it, or a joint above it, is scaled. Freeze scales.");
}

void add_keys(MDGModifier& modifier, const Joint& joint, MTimeArray& times) {
    for (unsigned k = 0; k < 6; ++k) {
        const MPlug plug = plug_of(joint.path.node(), k < 3 ? "translate" : "rotate").child(k % 3);
        // An undo gives the joint back where it was, not where its keys had it last.
        ensure(modifier.newPlugValueDouble(plug, plug.asDouble()), "keep a joint's pose");
        MStatus status;
        MFnAnimCurve curve;
        curve.create(plug, k < 3 ? MFnAnimCurve::kAnimCurveTL : MFnAnimCurve::kAnimCurveTA, &modifier, &status);
        ensure(status, "make a curve for " + utf8(plug.name()));
        MDoubleArray values = joint.values[k];
        const auto straight = MFnAnimCurve::kTangentLinear;
        ensure(curve.addKeys(&times, &values, straight, straight), "set keys of " + utf8(plug.name()));
    }
}

} // namespace

std::vector<std::string> key_joints(MDGModifier& modifier, const Found& node, const fs::path& results) {
    const host::BoneFrames bones = host::read_bones(table_of(node, results));
    std::vector<Joint> joints = joints_of(node, bones);
    for (Joint& joint : joints) {
        check_free(joint);
        joint.above = joint_above(joints, joint.path);
        joint.angles = triple_of(joint.path.node(), "rotate");
    }
    MTimeArray times;
    const Range range{static_cast<double>(bones.frames.front()), static_cast<double>(bones.frames.back())};
    play(range, "Keying joints", [&](double frame) {
        const auto place = static_cast<std::size_t>(std::llround(frame - range.first));
        times.append(time_of(frame));
        for (Joint& joint : joints) add_frame(joints, joint, place);
    });
    std::vector<std::string> names;
    for (const Joint& joint : joints) {
        add_keys(modifier, joint, times);
        names.push_back(name_of(joint));
    }
    ensure(modifier.doIt(), "key the joints");
    return names;
}

} // namespace sinew::maya
