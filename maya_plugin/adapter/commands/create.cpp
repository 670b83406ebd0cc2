#include "adapter/commands/create.h"

#include "adapter/commands/creation.h"
#include "adapter/guard.h"

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
    return syntax;
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
    const MDagPath shape = has_body(*kind) ? one_mesh(arguments) : MDagPath();
    const Found made = create_node_on(modifier_, *kind, shape);
    MStringArray names;
    names.append(made.name.c_str());
    setResult(names);
}

} // namespace sinew::maya
