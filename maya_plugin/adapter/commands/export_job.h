// sinewExportJob: a folder that `sinew run` computes without Maya.
#pragma once

#include "adapter/commands/command.h"

namespace sinew::maya {

class ExportJobCommand final : public Command {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;
};

} // namespace sinew::maya
