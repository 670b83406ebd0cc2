// The joints that lead bodies of a scene, connected to its node.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/tendon.h"

#include <vector>

namespace sinew::maya {

/// Connects what leads each body, in the order in which the node takes their matrices, and nothing else. A joint that
/// is scaled, or has other axes than its body, as on the other side of a mirrored scene, leads through a multMatrix,
/// which keeps the body's axes to the joint's as they are now. Warns of bodies that nothing leads.
void connect_leaders(MDGModifier& modifier, const Found& node, const std::vector<host::Led>& led, host::Done& done);

} // namespace sinew::maya
