// From the library's results to Maya's data blocks.
#pragma once

#include "adapter/kind.h"
#include "host/session.h"

#include <maya/MDataBlock.h>

namespace sinew::maya {

/// Writes an output of the plan; with no results, an empty one.
void write_output(const Kind& kind, MDataBlock& data, const Held& held, const host::Outputs* results);
/// The ids of the ports that an output needs: its own, or those of the parts of a mesh or of curves.
void add_ports(const Kind& kind, const Held& held, std::vector<std::string>& ports);

} // namespace sinew::maya
