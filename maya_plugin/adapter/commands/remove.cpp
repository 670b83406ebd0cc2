#include "adapter/commands/remove.h"

#include "adapter/commands/body.h"
#include "adapter/commands/creation.h"
#include "adapter/commands/removal.h"
#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MPlugArray.h>
#include <maya/MStringArray.h>

#include <algorithm>

namespace sinew::maya {
namespace {

bool feeds_something(const MObject& node) {
    MPlugArray plugs;
    MFnDependencyNode(node).getConnections(plugs);
    for (unsigned i = 0; i < plugs.length(); ++i)
        if (plugs[i].isSource()) return true;
    return false;
}

} // namespace

MSyntax RemoveCommand::make_syntax() { return object_syntax(false); }

void RemoveCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, false);
    for (const Found& node : nodes)
        if (!has_body(*node.kind)) throw Problem(node.name + " has no body: delete it by Maya's own command.");
    MStringArray names;
    std::vector<MObject> rests;
    try {
        for (const Found& node : nodes) {
            const MObject rest = frozen_rest(node);
            if (!rest.isNull() && std::find(rests.begin(), rests.end(), rest) == rests.end()) rests.push_back(rest);
            take_out(node);
            names.append(maya_text(node.name));
        }
        remove_unused(rests);
    } catch (...) {
        modifier_.undoIt();
        throw;
    }
    setResult(names);
}

void RemoveCommand::take_out(const Found& node) {
    take_out_of_body(modifier_, node);
    // Nothing else may wait in a modifier when a node is deleted (MDGModifier::deleteNode).
    apply();
    ensure(modifier_.deleteNode(node.node), "delete " + node.name);
    apply();
}

void RemoveCommand::remove_unused(const std::vector<MObject>& rests) {
    for (const MObject& rest : rests)
        if (!feeds_something(rest)) ensure(rests_.deleteNode(rest, false), "remove the body at rest");
    ensure(rests_.doIt(), "remove the body at rest");
}

MStatus RemoveCommand::undoIt() {
    if (const MStatus status = rests_.undoIt(); !status) return status;
    return EditCommand::undoIt();
}

MStatus RemoveCommand::redoIt() {
    if (const MStatus status = EditCommand::redoIt(); !status) return status;
    return rests_.doIt();
}

} // namespace sinew::maya
