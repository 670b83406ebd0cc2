// sinewImportResults: what `sinew run` computed of a job, beside the body in Maya or in the place of its node.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MStringArray.h>

#include <memory>
#include <string>

namespace sinew::maya {

class ImportResultsCommand final : public Command {
public:
    static MSyntax make_syntax();
    bool isUndoable() const override { return true; }
    MStatus undoIt() override;
    MStatus redoIt() override;

protected:
    void run(const MArgDatabase& arguments) override;

private:
    void choose(const MArgDatabase& arguments);
    void bring();
    void import_group();
    void put_onto();
    void remove();

    /// The mesh that shows the body, and the node whose results they are; either may be missing.
    MDagPath body_;
    std::optional<Found> node_;
    std::string file_;
    bool onto_ = false;
    /// What the importer made: the transform above the results, and the node that reads the file.
    MStringArray imported_, made_;
    /// What puts the results in the node's place.
    std::unique_ptr<MDGModifier> edits_;
};

} // namespace sinew::maya
