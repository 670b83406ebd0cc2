// sinewTendon: draws tendons and all that they run along into the scene of a node of strands.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/tendon.h"

namespace sinew::maya {

class TendonCommand final : public EditCommand {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;

private:
    void query(const MArgDatabase& arguments);
    Found node_for(const MArgDatabase& arguments);
    void edit(const Found& node, const MArgDatabase& arguments);
    /// Stores what was edited, with the joints that lead bodies connected.
    void finish(const Found& node, const host::Stored& stored, host::Editing& edit, host::Done& done);
};

} // namespace sinew::maya
