// A body without a node of ours, as it would be if that had never been there.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

/// Plans that who takes the body from the node takes it from the node before; or, where the node stands in the place of
/// a skin cluster, from the cluster, which goes back to that place. The node itself stays, with nothing behind it.
void take_out_of_body(MDGModifier& modifier, const Found& node);

/// The same for a node that is about to be deleted by whatever command (MMessage::MNodeModifierFunction): Maya connects
/// a deleted deformer's input to its output, which would leave a body unskinned.
void give_place_back(MObject& node, MDGModifier& modifier, void*);

} // namespace sinew::maya
