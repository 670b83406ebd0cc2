// sinewBake: what nodes show, as Alembic or as keys of Maya's own nodes.
#pragma once

#include "adapter/commands/command.h"
#include "adapter/commands/playing.h"

namespace sinew::maya {

class BakeCommand final : public EditCommand {
public:
    static MSyntax make_syntax();
    /// A file is not undone.
    bool isUndoable() const override { return edits_; }

protected:
    void run(const MArgDatabase& arguments) override;

private:
    void to_keys(const std::vector<Found>& nodes, const Range& range, std::size_t most);
    void to_file(const std::vector<Found>& nodes, const Range& range, const std::string& file);

    bool edits_ = false;
};

} // namespace sinew::maya
