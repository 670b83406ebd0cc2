#include "adapter/state.h"

#include "adapter/core.h"
#include "adapter/text.h"

#include <maya/MGlobal.h>
#include <maya/MString.h>

namespace sinew::maya {

State& state() {
    static State only;
    return only;
}

const Kind* State::find(const std::string& type_name) const {
    for (const Kind& kind : kinds)
        if (kind.plan.type_name == type_name) return &kind;
    return nullptr;
}

// Cached Playback keeps what it has stored until something that it depends on is edited; that frames before it were
// computed is none of these (cacheEvaluator in Maya's command reference: -flushCache drops all).
void drop_cache() {
    state().cache_is_stale = false;
    MGlobal::executeCommand("if (`exists cacheEvaluator`) cacheEvaluator -flushCache \"destroy\"");
}

void refresh_cache() {
    if (state().cache_is_stale) drop_cache();
}

void settle_edits() {
    const std::lock_guard<std::mutex> lock(state().cores_mutex);
    for (Core* core : state().cores) core->settle_edits();
}

void flush_log() {
    for (const host::LogLine& line : state().log.take()) {
        const MString text = maya_text(line.node + ": " + line.text);
        if (line.level == 0) MGlobal::displayError(text);
        else if (line.level == 1) MGlobal::displayWarning(text);
        else MGlobal::displayInfo(text);
    }
}

} // namespace sinew::maya
