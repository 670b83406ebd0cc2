#include "adapter/authoring/document_faults.h"

#include "adapter/authoring/documents.h"
#include "adapter/authoring/objects.h"
#include "host/authoring/faults.h"

namespace sinew::maya {

std::vector<DocumentFault> document_faults(const Found& node) {
    std::vector<DocumentFault> found;
    const host::Holder* holder = host::holder_of(node.kind->plan.id);
    if (!holder) return found;
    for (const host::Fault& fault : host::faults(*holder, stored_of(node), maya_space())) {
        DocumentFault one{(fault.is_error() ? "" : "Warning: ") + fault.sentence(), fault.is_error(), {}};
        if (const std::string object = selectable(fault.object); !object.empty()) one.components.push_back(object);
        found.push_back(std::move(one));
    }
    return found;
}

} // namespace sinew::maya
