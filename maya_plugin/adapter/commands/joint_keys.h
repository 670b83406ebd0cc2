// Keys on joints that tendons move, from the results of a job.
#pragma once

#include "adapter/commands/command.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::maya {

/// Gives the joints of a node's bones that tendons move keys in every frame of the results; gives their names. Throws a
/// Problem where a joint cannot take them.
std::vector<std::string> key_joints(MDGModifier& modifier, const Found& node, const std::filesystem::path& results);

} // namespace sinew::maya
