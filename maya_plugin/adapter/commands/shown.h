// Where a body goes through a node, and which shape shows it.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MPlug.h>

namespace sinew::maya {

/// Where the body goes into a node, and comes out of it.
MPlug body_input(const Found& node);
MPlug body_output(const Found& node);
/// The mesh shape that a node's body goes to, over other nodes in between; invalid where there is none.
MDagPath shown_shape(const Found& node);
/// Its transform; throws a Problem where there is none.
MDagPath shown_transform(const Found& node);

} // namespace sinew::maya
