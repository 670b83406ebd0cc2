// A node that takes the place of a skin cluster skins as the cluster does.
#pragma once

#include "adapter/commands/history.h"

namespace sinew::maya {

/// Whether a parameter or a map is one that the node takes from a cluster.
bool is_of_cluster(const Kind& kind, const Held& held);

/// Connects the cluster's joints and weights, and sets what the node has of the cluster's settings: its method, blend
/// weights, envelope and component tag. What is animated is connected instead. Returns a sentence for each setting of
/// the cluster that the node has nothing for.
std::vector<std::string> take_skin(MDGModifier& modifier, const Found& made, const Skin& skin);

} // namespace sinew::maya
