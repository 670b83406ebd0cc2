// sinewSolve: computes all frames of nodes, in order, with progress and Esc.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class SolveCommand final : public Command {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
