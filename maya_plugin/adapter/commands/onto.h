// Results of a job in the place of the node that they are of.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

/// Lets a body show the UVs, or the points, of an imported mesh in place of those of a node: with its other UV sets,
/// materials and tags, and switchable (adapter/commands/baked.h). `shape` shows the body. Gives the name of what stands
/// for the node.
std::string put_mesh_onto(MDGModifier& modifier, const Found& node, const MDagPath& shape, const MObject& mesh);

} // namespace sinew::maya
