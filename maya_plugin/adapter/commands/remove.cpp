#include "adapter/commands/remove.h"

#include "adapter/commands/body.h"
#include "adapter/commands/removal.h"
#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MStringArray.h>

namespace sinew::maya {

MSyntax RemoveCommand::make_syntax() { return object_syntax(false); }

void RemoveCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, false);
    for (const Found& node : nodes)
        if (!has_body(*node.kind)) throw Problem(node.name + " has no body: delete it by Maya's own command.");
    MStringArray names;
    try {
        for (const Found& node : nodes) {
            take_out_of_body(modifier_, node);
            // Nothing else may wait in a modifier when a node is deleted (MDGModifier::deleteNode).
            apply();
            ensure(modifier_.deleteNode(node.node), "delete " + node.name);
            apply();
            names.append(maya_text(node.name));
        }
    } catch (...) {
        modifier_.undoIt();
        throw;
    }
    setResult(names);
}

} // namespace sinew::maya
