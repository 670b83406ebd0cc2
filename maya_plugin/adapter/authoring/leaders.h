// The joints that lead bodies of a scene, connected to its node.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/tendon.h"

#include <maya/MMatrix.h>

#include <optional>
#include <vector>

namespace sinew::maya {

/// A body's matrix before its joint's, where the axes of both differ: what takes a place in the body's axes to the
/// joint's as they are now. Nothing if the joint is not where the body is as modelled.
std::optional<MMatrix> offset_of(const host::Axes& body, const MDagPath& joint);

/// Connects what leads each body, in the order in which the node takes their matrices, and nothing else. A joint that
/// is scaled, or has other axes than its body, as on the other side of a mirrored scene, leads through a multMatrix,
/// which keeps the body's axes to the joint's as they are now. Warns of bodies that nothing leads.
void connect_leaders(MDGModifier& modifier, const Found& node, const std::vector<host::Led>& led, host::Done& done);

} // namespace sinew::maya
