// The character of a muscle skin: the joints of its skin cluster at their bind pose, and the body at rest.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/muscles.h"

namespace sinew::maya {

/// The attribute of a joint in which a user says what it does, such as "forearm.L".
constexpr const char* role_attribute = "sinewRole";

/// Throws a Problem if the node has no skin cluster.
host::Character character_of(const Found& node);

} // namespace sinew::maya
