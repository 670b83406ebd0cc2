// A node on a mesh, with everything that it needs connected.
#pragma once

#include "adapter/commands/body.h"
#include "adapter/commands/command.h"

namespace sinew::maya {

/// Where a node goes, and from where it takes the body at rest.
struct Wish {
    /// The mesh that shows the body; unused for nodes without one.
    MDagPath shape;
    /// The shape of the body at rest; null: the undeformed one in the history.
    MObject rest;
    /// Whether a second node of the type is wanted, where the body has one.
    bool again = false;
};

/// Creates a node by a modifier, which has been carried out afterwards. Where the cluster that it takes the place of
/// skins in a way that it does not know, a warning is shown. On failure everything in the modifier is taken back.
Found create_node_on(MDGModifier& modifier, const Kind& kind, const Wish& wish);

/// The mesh that `freeze` made as the body at rest of a node; null if it has another.
MObject frozen_rest(const Found& node);

} // namespace sinew::maya
