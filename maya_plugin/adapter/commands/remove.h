// sinewRemove: a node of ours is taken from its body, which is then as it was before.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class RemoveCommand final : public EditCommand {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
