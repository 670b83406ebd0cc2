#include "adapter/authoring/objects.h"

#include "adapter/core.h"
#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MFn.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MGlobal.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MMatrix.h>
#include <maya/MPointArray.h>
#include <maya/MSelectionList.h>
#include <maya/MUuid.h>

#include <algorithm>

namespace sinew::maya {
namespace {

/// An object of a document is a UUID, and of a curve's point what follows it in a selection.
std::pair<std::string, std::string> split(const std::string& object) {
    const std::size_t dot = object.find('.');
    if (dot == std::string::npos) return {object, ""};
    return {object.substr(0, dot), object.substr(dot)};
}

MDagPath transform_of(MDagPath path) {
    if (!path.node().hasFn(MFn::kTransform)) path.pop();
    return path;
}

host::Vector point_of(const MMatrix& matrix) { return {matrix(3, 0), matrix(3, 1), matrix(3, 2)}; }

/// Where a joint's first child is.
std::optional<host::Vector> end_of(const MDagPath& path) {
    for (unsigned k = 0; k < path.childCount(); ++k) {
        const MObject child = path.child(k);
        MDagPath below;
        if (child.hasFn(MFn::kJoint) && MDagPath::getAPathTo(child, below) == MS::kSuccess)
            return point_of(below.inclusiveMatrix());
    }
    return std::nullopt;
}

bool is_above(const MDagPath& path, const MDagPath& other) {
    for (MDagPath above = other; above.length() > 1;) {
        above.pop();
        if (above.node() == path.node()) return true;
    }
    return false;
}

MObject curve_of(const MDagPath& path) {
    MDagPath shape = path;
    unsigned count = 0;
    shape.numberOfShapesDirectlyBelow(count);
    for (unsigned k = 0; k < count; ++k) {
        MDagPath below = path;
        below.extendToShapeDirectlyBelow(k);
        if (below.node().hasFn(MFn::kNurbsCurve) && !MFnDagNode(below).isIntermediateObject()) return below.node();
    }
    return MObject::kNullObj;
}

} // namespace

host::Space maya_space() { return {metres_per_unit, up_axis(), true}; }

std::vector<MDagPath> given_transforms(const MArgDatabase& arguments) {
    MSelectionList objects;
    arguments.getObjects(objects);
    std::vector<MDagPath> found;
    for (unsigned k = 0; k < objects.length(); ++k) {
        MDagPath path;
        if (objects.getDagPath(k, path) != MS::kSuccess) continue;
        path = transform_of(path);
        const bool known = std::any_of(found.begin(), found.end(), [&](const MDagPath& one) { return one == path; });
        if (!known) found.push_back(path);
    }
    return found;
}

std::string short_name(const MDagPath& path) {
    const std::string name = utf8(MFnDependencyNode(path.node()).name());
    return name.substr(name.find_last_of(":|") + 1);
}

std::string uuid_of(const MObject& node) { return utf8(MFnDependencyNode(node).uuid().asString()); }

MObject node_of(const std::string& uuid) {
    if (uuid.empty()) return MObject::kNullObj;
    for (MItDependencyNodes all(MFn::kTransform); !all.isDone(); all.next())
        if (uuid_of(all.thisNode()) == uuid) return all.thisNode();
    return MObject::kNullObj;
}

host::Placed placed(const MDagPath& path) {
    host::Placed found{short_name(path), uuid_of(path.node()), {}};
    const MMatrix world = path.inclusiveMatrix();
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) found.world[4 * row + column] = world(row, column);
    return found;
}

std::vector<host::Bone> bones_of(std::vector<MDagPath> paths) {
    std::stable_sort(paths.begin(), paths.end(),
                     [](const MDagPath& one, const MDagPath& other) { return one.length() < other.length(); });
    std::vector<host::Bone> bones;
    for (std::size_t k = 0; k < paths.size(); ++k) {
        host::Bone bone{placed(paths[k]), -1, end_of(paths[k])};
        for (std::size_t other = 0; other < k; ++other)
            // The last one found is the deepest.
            if (is_above(paths[other], paths[k])) bone.parent = static_cast<int>(other);
        bones.push_back(std::move(bone));
    }
    return bones;
}

bool is_curve(const MDagPath& path) { return !curve_of(path).isNull(); }

host::Route route_of(const MDagPath& path) {
    MDagPath shape;
    const MObject curve = curve_of(path);
    if (curve.isNull() || MDagPath::getAPathTo(curve, shape) != MS::kSuccess)
        throw Problem(short_name(path) + " is no NURBS curve: select the curve along which the tendon runs.");
    const MFnNurbsCurve points(shape);
    if (points.form() == MFnNurbsCurve::kPeriodic)
        throw Problem(short_name(path) + " is a closed curve, but a tendon has two ends: open the curve.");
    MPointArray cvs;
    ensure(points.getCVs(cvs, MSpace::kWorld), "read the points of " + short_name(path));
    host::Route route{short_name(path), uuid_of(path.node()), {}, {}, {}, 0};
    for (unsigned k = 0; k < cvs.length(); ++k) {
        route.points.push_back({cvs[k].x, cvs[k].y, cvs[k].z});
        route.point_objects.push_back(route.object + ".cv[" + std::to_string(k) + "]");
    }
    return route;
}

std::string selectable(const std::string& object) {
    const auto [uuid, component] = split(object);
    const MObject node = node_of(uuid);
    MDagPath path;
    if (node.isNull() || MDagPath::getAPathTo(node, path) != MS::kSuccess) return {};
    return utf8(path.partialPathName()) + component;
}

std::string other_side(const std::string& object) {
    const auto [uuid, component] = split(object);
    const MObject node = node_of(uuid);
    if (node.isNull()) return {};
    const std::string name = utf8(MFnDependencyNode(node).name()), other = host::mirrored_name(name);
    if (other == name) return object;
    MSelectionList found;
    MObject twin;
    if (found.add(maya_text(other)) != MS::kSuccess || found.length() != 1) return {};
    if (found.getDependNode(0, twin) != MS::kSuccess) return {};
    return uuid_of(twin) + component;
}

} // namespace sinew::maya
