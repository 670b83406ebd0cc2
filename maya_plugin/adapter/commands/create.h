// sinewCreate: a node on each selected mesh, with everything that it needs connected.
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
    Found create(const MArgDatabase& arguments, const Kind& kind, const MDagPath& shape);
    void remove_frozen();

    /// The bodies at rest that the command made. Without them once they are removed.
    std::vector<MObject> frozen_;
    std::unique_ptr<MDagModifier> removal_;
};

} // namespace sinew::maya
