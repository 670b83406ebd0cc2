// sinewSwitch: a body shows its node, or what stands for it: keys, or what a farm computed.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class SwitchCommand final : public EditCommand {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
