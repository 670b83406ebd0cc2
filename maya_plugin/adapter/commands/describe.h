// sinewDescribe: what types of nodes there are, as JSON for the scripts (scripts/sinew_maya/description.py).
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class DescribeCommand final : public Command {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
