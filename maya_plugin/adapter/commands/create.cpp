#include "adapter/commands/create.h"

#include "adapter/commands/creation.h"
#include "adapter/commands/history.h"
#include "adapter/guard.h"
#include "adapter/text.h"
#include "host/numbers.h"

#include <maya/MAnimControl.h>
#include <maya/MStringArray.h>

namespace sinew::maya {
namespace {

std::string type_list() {
    std::string list;
    for (const Kind& kind : state().kinds) list += (list.empty() ? "" : ", ") + kind.plan.type_name;
    return list;
}

/// The meshes to make a node on; for nodes without a body one path that leads nowhere.
std::vector<MDagPath> bodies(const MArgDatabase& arguments, const Kind& kind) {
    if (!has_body(kind)) return {MDagPath()};
    std::vector<MDagPath> found = all_meshes(arguments);
    if (found.size() > 1 && arguments.isFlagSet("-rest"))
        throw Problem("-rest is the body at rest of one mesh: select one.");
    return found;
}

/// In which frame the motion begins is not to be seen otherwise, and a motion need not begin where the slider does.
void say_start(const Found& made) {
    if (!made.kind->plan.stateful) return;
    const MTime start = MPlug(made.node, made.kind->start).asMTime();
    MPxCommand::displayInfo(maya_text(made.name + ": the motion begins at frame " +
                                      host::frame_text(start.as(MTime::uiUnit())) +
                                      ", where the time slider does. Set start_time if it begins elsewhere."));
}

} // namespace

MSyntax CreateCommand::make_syntax() {
    MSyntax syntax = object_syntax(true);
    syntax.addFlag("-t", "-type", MSyntax::kString);
    syntax.addFlag("-r", "-rest", MSyntax::kString);
    syntax.addFlag("-f", "-force", MSyntax::kNoArg);
    return syntax;
}

/// A body that comes out of a cache has no undeformed shape: what it is in the first frame is kept as one.
Found CreateCommand::create(const MArgDatabase& arguments, const Kind& kind, const MDagPath& shape) {
    const std::optional<std::string> named = text_flag(arguments, "-rest");
    Wish wish{shape, MObject::kNullObj, arguments.isFlagSet("-force")};
    if (named) {
        wish.rest = mesh_named(*named).node();
    } else if (has_body(kind) && !kind.body_is_rest && is_cached(shape)) {
        wish.rest = freeze(shape, MAnimControl::minTime());
        frozen_.push_back(wish.rest);
    }
    return create_node_on(modifier_, kind, wish);
}

void CreateCommand::remove_frozen() {
    if (frozen_.empty()) return;
    removal_ = std::make_unique<MDagModifier>();
    for (const MObject& shape : frozen_) ensure(removal_->deleteNode(shape, false), "remove the body at rest");
    ensure(removal_->doIt(), "remove the body at rest");
}

MStatus CreateCommand::undoIt() {
    const MStatus status = EditCommand::undoIt();
    return status ? guarded(MStatus(MS::kFailure), "undoing", [] { return std::string("sinewCreate"); }, [&] {
        remove_frozen();
        return MStatus(MS::kSuccess);
    }) : status;
}

MStatus CreateCommand::redoIt() {
    if (removal_)
        if (const MStatus status = removal_->undoIt(); !status) return status;
    return EditCommand::redoIt();
}

void CreateCommand::run(const MArgDatabase& arguments) {
    queries_ = arguments.isQuery();
    MStringArray names;
    if (queries_) {
        // Which types there are.
        for (const Kind& kind : state().kinds) names.append(maya_text(kind.plan.type_name));
        setResult(names);
        return;
    }
    const std::optional<std::string> type = text_flag(arguments, "-type");
    const Kind* kind = type ? state().find(*type) : nullptr;
    if (!kind) throw Problem("Give -type one of: " + type_list() + ".");
    std::vector<Found> made;
    try {
        for (const MDagPath& shape : bodies(arguments, *kind)) made.push_back(create(arguments, *kind, shape));
    } catch (...) {
        remove_frozen();
        throw;
    }
    for (const Found& one : made) {
        say_start(one);
        names.append(maya_text(one.name));
    }
    setResult(names);
}

} // namespace sinew::maya
