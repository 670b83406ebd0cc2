// sinewCopy: a node's settings and painted maps on another character.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class CopyCommand final : public EditCommand {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
