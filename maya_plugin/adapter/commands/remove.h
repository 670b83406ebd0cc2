// sinewRemove: a node of ours is taken from its body, which is then as it was before, and what was made for it goes.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MDagModifier.h>

#include <vector>

namespace sinew::maya {

class RemoveCommand final : public EditCommand {
public:
    static MSyntax make_syntax();
    MStatus undoIt() override;
    MStatus redoIt() override;

protected:
    void run(const MArgDatabase& arguments) override;

private:
    void take_out(const Found& node);
    void remove_unused(const std::vector<MObject>& rests);

    /// Removes bodies at rest that were made for the nodes, after these.
    MDagModifier rests_;
};

} // namespace sinew::maya
