// A node on a mesh, with everything that it needs connected.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

/// Creates a node by a modifier, which has been carried out afterwards. `shape`: the mesh that shows the body; unused
/// for nodes without one. `rest`: the shape of the body at rest; null: the undeformed one in the history. On failure
/// everything is taken back.
Found create_node_on(MDGModifier& modifier, const Kind& kind, const MDagPath& shape,
                     const MObject& rest = MObject::kNullObj);

bool has_body(const Kind& kind);

} // namespace sinew::maya
