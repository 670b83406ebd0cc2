#include "adapter/commands/inputs.h"

#include "adapter/guard.h"

#include <maya/MPlug.h>

namespace sinew::maya {

std::vector<std::string> unconnected_inputs(const Found& node) {
    std::vector<std::string> sentences;
    if (!node.kind->in_mesh.isNull() && MPlug(node.node, node.kind->in_mesh).source().isNull())
        sentences.emplace_back("Nothing is connected to in_mesh: connect the body's mesh.");
    if (MPlug(node.node, node.kind->time).source().isNull())
        sentences.emplace_back("current_time is not connected: connect the scene's time (time1.outTime).");
    return sentences;
}

void require_inputs(const std::vector<Found>& nodes) {
    for (const Found& node : nodes)
        for (const std::string& sentence : unconnected_inputs(node)) throw Problem(node.name + ": " + sentence);
}

} // namespace sinew::maya
