#include "adapter/state.h"

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

void flush_log() {
    for (const host::LogLine& line : state().log.take()) {
        const MString text((line.node + ": " + line.text).c_str());
        if (line.level == 0) MGlobal::displayError(text);
        else if (line.level == 1) MGlobal::displayWarning(text);
        else MGlobal::displayInfo(text);
    }
}

} // namespace sinew::maya
