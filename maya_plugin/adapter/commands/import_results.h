// sinewImportResults: what `sinew run` computed of a job, on the body in Maya.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MStringArray.h>

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
    void bring();
    void import_below();
    void remove();

    MDagPath body_;
    std::string file_;
    /// What was made: the transform above the results, and the node that reads the file.
    MStringArray made_;
};

} // namespace sinew::maya
