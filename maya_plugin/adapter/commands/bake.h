// sinewBake: what nodes show, as Alembic.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class BakeCommand final : public Command {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
