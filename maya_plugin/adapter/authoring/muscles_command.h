// sinewMuscles: the muscles of a muscle skin, made, changed, mirrored, copied and tested on its joints and its body.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/muscles.h"

namespace sinew::maya {

class MusclesCommand final : public EditCommand {
public:
    static MSyntax make_syntax();

protected:
    void run(const MArgDatabase& arguments) override;

private:
    void query(const Found& node, const MArgDatabase& arguments);
    void change(const Found& node, const MArgDatabase& arguments);
    /// Stores a set, with the names of the joints that it refers to.
    void finish(const Found& node, const std::string& text, const host::Character& character);
};

} // namespace sinew::maya
