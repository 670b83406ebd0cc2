// The plug-in's commands. scripts/sinew_maya/plugin.py lists their flags, which are as permanent as attributes' names.
#pragma once

#include <maya/MSyntax.h>

#include <vector>

namespace sinew::maya {

struct CommandEntry {
    const char* name;
    void* (*create)();
    MSyntax (*syntax)();
};

const std::vector<CommandEntry>& commands();

} // namespace sinew::maya
