// sinewCheck: what is wrong with nodes, as JSON for the scripts.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class CheckCommand final : public Command {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
