// What the plug-in holds while it is loaded.
#pragma once

#include "adapter/kind.h"
#include "host/log.h"

#include <vector>

namespace sinew::maya {

struct State {
    /// Registered types by slot. Nodes keep references, so it does not change while the plug-in is loaded.
    std::vector<Kind> kinds;
    host::LogQueue log;

    const Kind* find(const std::string& type_name) const;
};

State& state();

/// Shows waiting log lines in the Script Editor. Only on Maya's main thread, outside of evaluation.
void flush_log();

} // namespace sinew::maya
