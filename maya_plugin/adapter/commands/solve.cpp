#include "adapter/commands/solve.h"

#include "adapter/commands/playing.h"

namespace sinew::maya {

MSyntax SolveCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    add_range_flags(syntax);
    return syntax;
}

void SolveCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, true);
    std::uint64_t before = 0, after = 0;
    for (const Found& node : nodes) before += node.core->steps();
    // What was edited while nothing was evaluated is found, too; frames that still hold are not computed again.
    for (const Found& node : nodes) node.core->session().distrust();
    play(nodes, range_of(arguments, nodes), "Solving", [&](double) {});
    for (const Found& node : nodes) after += node.core->steps();
    setResult(static_cast<int>(after - before));
}

} // namespace sinew::maya
