// sinewCreate: a node on the selected mesh, with everything that it needs connected.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MDagModifier.h>
#include <maya/MObject.h>

#include <memory>

namespace sinew::maya {

class CreateCommand final : public EditCommand {
public:
    static MSyntax make_syntax();
    MStatus undoIt() override;
    MStatus redoIt() override;

protected:
    void run(const MArgDatabase& arguments) override;

private:
    Found create(const MArgDatabase& arguments, const Kind& kind);
    void remove_frozen();

    /// The body at rest that the command made; null where it made none. Without it once it is removed.
    MObject frozen_;
    std::unique_ptr<MDagModifier> removal_;
};

} // namespace sinew::maya
