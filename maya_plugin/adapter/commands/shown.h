// Which shape shows the body of a node.
#pragma once

#include "adapter/commands/body.h"

namespace sinew::maya {

/// The mesh shape that a node's body goes to, over other nodes in between; invalid where there is none.
MDagPath shown_shape(const Found& node);
/// Its transform; throws a Problem where there is none.
MDagPath shown_transform(const Found& node);

} // namespace sinew::maya
