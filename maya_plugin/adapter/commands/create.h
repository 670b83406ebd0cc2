// sinewCreate: a node on the selected mesh, with everything that it needs connected.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class CreateCommand final : public EditCommand {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
