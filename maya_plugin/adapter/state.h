// What the plug-in holds while it is loaded.
#pragma once

#include "adapter/kind.h"
#include "host/log.h"

#include <atomic>
#include <mutex>
#include <set>
#include <vector>

namespace sinew::maya {

class Core;

struct State {
    /// Registered types by slot. Nodes keep references, so it does not change while the plug-in is loaded.
    std::vector<Kind> kinds;
    host::LogQueue log;

    /// Those of all nodes.
    std::set<Core*> cores;
    std::mutex cores_mutex;
    /// The end of the time slider, in seconds, as it was last seen on the main thread.
    std::atomic<double> range_end{0};
    /// How many commands are at work that need frames, and no previews of them.
    std::atomic<int> exact{0};
    /// How many commands are at work that need exact frames, whatever the quality of those that are shown is.
    std::atomic<int> best{0};
    /// Whether Cached Playback may have stored frames without an answer which have one now.
    std::atomic<bool> cache_is_stale{false};

    const Kind* find(const std::string& type_name) const;
};

State& state();

// Only on Maya's main thread, outside of evaluation:

/// Shows waiting log lines in the Script Editor.
void flush_log();
/// Drops what Cached Playback has stored, if it is stale.
void refresh_cache();
/// Drops it in any case.
void drop_cache();
/// Lets all nodes see which edits reached them so far.
void settle_edits();

} // namespace sinew::maya
