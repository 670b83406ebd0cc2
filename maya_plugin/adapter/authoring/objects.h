// Maya's objects as the host part of authoring knows them: placed, named, and found again by their UUIDs, which stay
// when objects are renamed or move to another parent (Maya's help, "Unique identifiers").
#pragma once

#include "host/authoring/tendon.h"

#include <maya/MArgDatabase.h>
#include <maya/MDagPath.h>
#include <maya/MObject.h>

#include <string>
#include <vector>

namespace sinew::maya {

/// The space of all documents here: Maya's internal unit, whatever the scene's is, and its axes.
host::Space maya_space();

/// Transforms that are named or selected, in that order; for selected shapes theirs.
std::vector<MDagPath> given_transforms(const MArgDatabase& arguments);

/// Of an object: its name without path and namespace, so that documents of all its characters are alike.
std::string short_name(const MDagPath& path);
std::string uuid_of(const MObject& node);
/// The node of a UUID; null if the scene has none.
MObject node_of(const std::string& uuid);

/// A transform as it is at the current time.
host::Placed placed(const MDagPath& path);
/// Joints, or other transforms, parents first; each hangs on the nearest one above it that is given, too.
std::vector<host::Bone> bones_of(std::vector<MDagPath> paths);
/// A curve's CVs in the world. Throws a Problem if the transform has no open NURBS curve.
host::Route route_of(const MDagPath& path);
bool is_curve(const MDagPath& path);

/// What is to be selected for an object of a document: "curve1.cv[3]"; empty if it is not in the scene.
std::string selectable(const std::string& object);
/// The object on the other side, by its name; empty without one.
std::string other_side(const std::string& object);

} // namespace sinew::maya
