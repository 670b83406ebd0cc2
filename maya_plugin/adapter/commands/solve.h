// sinewSolve: computes all frames of nodes, in order, with progress and Esc.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

struct Range;

/// Lets nodes compute all frames of a range, with progress and Esc; gives how many were not there yet.
std::uint64_t solve(const std::vector<Found>& nodes, const Range& range);

class SolveCommand final : public Command {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
