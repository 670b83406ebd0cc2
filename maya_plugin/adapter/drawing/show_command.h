// sinewShow: a view of a node's outputs, with everything connected that it draws; on a view, other outputs in place of
// those that it shows. With -query, the outputs that can be shown.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MDagModifier.h>

namespace sinew::maya {

class ShowCommand final : public Command {
public:
    static constexpr const char* command_name = "sinewShow";
    static MSyntax make_syntax();

    bool isUndoable() const override { return !queries_; }
    MStatus undoIt() override;
    MStatus redoIt() override;

protected:
    void run(const MArgDatabase& arguments) override;

private:
    void create(const Found& shown);
    void connect(const Found& shown, const std::string& outputs);
    void join(const MPlug& from, const MPlug& to, bool connected);

    bool queries_ = false;
    /// The view and its transform come first; what is connected to them is in the second.
    MDagModifier nodes_;
    MDGModifier links_;
    MObject view_;
};

} // namespace sinew::maya
