// The plans as JSON, for scripts of the host.
#pragma once

#include "plan.h"

#include <string>
#include <vector>

namespace sinew::host {

/// A text in quotes, as JSON has it.
std::string quoted(const std::string& text);

/// The words of the description for what an attribute belongs to, and how the host holds it. Permanent.
const char* name_of(Of of);
const char* name_of(Holds holds);

/// {"nodes": [...]}: the titles, groups, ranges, choices and conditions from which a host's scripts make panels.
std::string description(const std::vector<const Plan*>& plans);

} // namespace sinew::host
