// Painted maps of nodes, for commands.
#pragma once

#include "adapter/commands/command.h"

#include <vector>

namespace sinew::maya {

/// The body at rest as the node reads it; of nodes without one, the body as it is. Three numbers per vertex.
std::vector<float> body_points(const Gathered& gathered);
/// The values of a map; none if nobody painted it.
std::vector<float> painted_values(const Gathered& gathered, const Held& map);
/// Writes those values that differ.
void write_map(MDGModifier& modifier, const Found& node, const Held& map, unsigned geometry,
               const std::vector<float>& before, const std::vector<float>& after);

} // namespace sinew::maya
