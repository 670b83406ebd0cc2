#include "adapter/commands/create.h"

#include "adapter/commands/creation.h"
#include "adapter/commands/history.h"
#include "adapter/guard.h"

#include <maya/MAnimControl.h>
#include <maya/MStringArray.h>

namespace sinew::maya {
namespace {

std::string type_list() {
    std::string list;
    for (const Kind& kind : state().kinds) list += (list.empty() ? "" : ", ") + kind.plan.type_name;
    return list;
}

} // namespace

MSyntax CreateCommand::make_syntax() {
    MSyntax syntax = object_syntax(true);
    syntax.addFlag("-t", "-type", MSyntax::kString);
    syntax.addFlag("-r", "-rest", MSyntax::kString);
    return syntax;
}

/// A body that comes out of a cache has no undeformed shape: what it is in the first frame is kept as one.
Found CreateCommand::create(const MArgDatabase& arguments, const Kind& kind) {
    const MDagPath shape = has_body(kind) ? one_mesh(arguments) : MDagPath();
    const std::optional<std::string> named = text_flag(arguments, "-rest");
    MObject rest;
    if (named) rest = mesh_named(*named).node();
    else if (has_body(kind) && !kind.body_is_rest && is_cached(shape))
        rest = frozen_ = freeze(shape, MAnimControl::minTime());
    try {
        return create_node_on(modifier_, kind, shape, rest);
    } catch (...) {
        remove_frozen();
        throw;
    }
}

void CreateCommand::remove_frozen() {
    if (frozen_.isNull()) return;
    removal_ = std::make_unique<MDagModifier>();
    ensure(removal_->deleteNode(frozen_, false), "remove the body at rest");
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
    if (queries_) {
        // Which types there are.
        MStringArray names;
        for (const Kind& kind : state().kinds) names.append(kind.plan.type_name.c_str());
        setResult(names);
        return;
    }
    const std::optional<std::string> type = text_flag(arguments, "-type");
    const Kind* kind = type ? state().find(*type) : nullptr;
    if (!kind) throw Problem("Give -type one of: " + type_list() + ".");
    const Found made = create(arguments, *kind);
    MStringArray names;
    names.append(made.name.c_str());
    setResult(names);
}

} // namespace sinew::maya
