// UVs that slide as keys of Maya's own nodes.
#pragma once

#include "adapter/commands/command.h"
#include "adapter/commands/playing.h"

#include <cstddef>

namespace sinew::maya {

/// How many keys Maya plays without becoming slow, unless a user says otherwise.
constexpr std::size_t most_keys = 1000000;

/// Lets a polyTweakUV with keys show the UVs of a node's body in its place, in the frames of a range; gives its name.
/// Its frames have been computed.
std::string bake_uv_keys(MDGModifier& modifier, const Found& node, const Range& range, std::size_t most);

} // namespace sinew::maya
