// Plugs of nodes that are Maya's own.
#pragma once

#include "adapter/guard.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MPlug.h>

namespace sinew::maya {

/// Throws a sentence if there is none of that name.
inline MPlug plug_of(const MObject& node, const char* name) {
    MStatus status;
    const MPlug plug = MFnDependencyNode(node).findPlug(name, true, &status);
    ensure(status, std::string("find ") + name);
    return plug;
}

} // namespace sinew::maya
