// sinewMuscles: the muscles of a muscle skin, made, changed, mirrored, copied and tested on its joints and its body.
//
//     sinewMuscles -fitHuman | -plan PATH                          those of a human, or of a plan, in place of all
//     sinewMuscles -addMuscle [-name N] [-size R] joint joint [locator locator]
//     sinewMuscles -mirror                                         adds what is missing on the other side
//     sinewMuscles -toNode NODE                                    copies all to the character of another muscle skin
//     sinewMuscles -name N -remove | -rename NEW
//     sinewMuscles -name N -setValue ATTRIBUTE VALUE               -name may be given several times
//     sinewMuscles -physique ID
//     sinewMuscles -q                                              names
//     sinewMuscles -q -numbers N | -physiques | -testRange [-push P] [-degrees D] [-plan PATH]
//
// The node is that of -node or a selected one. Numbers are in centimetres. Esc stops what takes long. Edits return the
// node, what was done, and warnings. A joint does what its text attribute sinewRole says, such as "forearm.L"; without
// one, what the library finds.
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
