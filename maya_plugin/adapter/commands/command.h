// What all commands have in common: one sentence where they fail, log lines shown, undo by modifiers.
#pragma once

#include "adapter/hosted.h"
#include "adapter/state.h"

#include <maya/MArgDatabase.h>
#include <maya/MDGModifier.h>
#include <maya/MDagPath.h>
#include <maya/MPxCommand.h>
#include <maya/MSelectionList.h>
#include <maya/MString.h>
#include <maya/MSyntax.h>

#include <optional>
#include <string>
#include <vector>

namespace sinew::maya {

class Command : public MPxCommand {
public:
    MStatus doIt(const MArgList& arguments) final;

protected:
    virtual void run(const MArgDatabase& arguments) = 0;
};

/// A command whose changes are in one modifier.
class EditCommand : public Command {
public:
    bool isUndoable() const override { return !queries_; }
    MStatus undoIt() override;
    MStatus redoIt() override;

protected:
    /// Carries out what the modifier has collected.
    void apply();
    bool queries_ = false;
    MDGModifier modifier_;
};

/// A node of ours in the scene.
struct Found {
    MObject node;
    std::string name;
    const Kind* kind = nullptr;
    CoreHolder* holder = nullptr;

    Core& core() const { return holder->core(); }
};

/// What a node is to us; none where it is not ours.
std::optional<Found> ours(const MObject& node);
/// Those of our nodes that are named or selected; without any, all of the scene where that is allowed.
std::vector<Found> our_nodes(const MArgDatabase& arguments, bool or_all);
/// The paths of all meshes that are named or selected, each once; that of the first; that of a name.
std::vector<MDagPath> all_meshes(const MArgDatabase& arguments);
MDagPath one_mesh(const MArgDatabase& arguments);
MDagPath mesh_named(const std::string& name);

/// A flag's value, where it is given.
std::optional<double> number_flag(const MArgDatabase& arguments, const char* flag);
std::optional<std::string> text_flag(const MArgDatabase& arguments, const char* flag);

/// A path that is to stand within quotes in a line of MEL for Maya's Alembic; throws a Problem where it cannot.
std::string checked_path(const std::string& path);

/// A syntax for objects by name or selection.
MSyntax object_syntax(bool query);

template <class T> void* create_command() {
    try {
        return new T;
    } catch (...) {
        return nullptr;
    }
}

} // namespace sinew::maya
