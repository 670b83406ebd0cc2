// The plans as JSON, for scripts of the host.
#pragma once

#include "plan.h"

#include <string>
#include <vector>

namespace sinew::host {

/// A text in quotes, as JSON has it.
std::string quoted(const std::string& text);

/// {"nodes": [...]}: the titles, groups, ranges, choices and conditions from which a host's scripts make panels.
std::string description(const std::vector<const Plan*>& plans);

} // namespace sinew::host
