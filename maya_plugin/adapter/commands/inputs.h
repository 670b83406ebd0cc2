// Whether what a node cannot do without is connected.
#pragma once

#include "adapter/commands/command.h"

#include <string>
#include <vector>

namespace sinew::maya {

/// A sentence for each input that the node cannot do without, and to which nothing is connected.
std::vector<std::string> unconnected_inputs(const Found& node);

/// Throws the first of these sentences: a command that goes through frames would fail in one of them, and could not say
/// why.
void require_inputs(const std::vector<Found>& nodes);

} // namespace sinew::maya
