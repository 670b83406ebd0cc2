// sinewMirrorMap: a painted map from the side of positive x to the other.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class MirrorMapCommand final : public EditCommand {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
