// What the library says of the documents that nodes hold, for sinewCheck.
#pragma once

#include "adapter/commands/command.h"

#include <string>
#include <vector>

namespace sinew::maya {

struct DocumentFault {
    std::string text;
    /// Whether the node cannot work with it.
    bool error = false;
    /// What to select: the objects that made what is wrong.
    std::vector<std::string> components;
};

/// None for nodes without a document.
std::vector<DocumentFault> document_faults(const Found& node);

} // namespace sinew::maya
