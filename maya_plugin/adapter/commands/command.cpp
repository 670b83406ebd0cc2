#include "adapter/commands/command.h"

#include "adapter/guard.h"
#include "adapter/text.h"
#include "adapter/time_connection.h"

#include <maya/MFn.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MStringArray.h>

#include <algorithm>

namespace sinew::maya {
namespace {

/// What goes wrong in a command is said at once: commands run on Maya's main thread.
template <class Body> MStatus spoken(Body body) noexcept {
    MStatus result = MS::kFailure;
    try {
        body();
        result = MS::kSuccess;
    } catch (const std::exception& error) {
        MPxCommand::displayError(maya_text(error.what()));
    } catch (...) {
        MPxCommand::displayError("An unknown error stopped the command.");
    }
    try {
        flush_log();
    } catch (...) {
    }
    return result;
}

void add_if_ours(std::vector<Found>& found, const MObject& node) {
    if (const std::optional<Found> one = ours(node)) found.push_back(*one);
}

/// The mesh of a path, or that which a transform shows.
MDagPath shown_mesh(const MDagPath& path) {
    if (path.hasFn(MFn::kMesh) && path.node().hasFn(MFn::kMesh)) return path;
    // Beside the shape that is shown there are intermediate ones, which deformers keep.
    unsigned count = 0;
    path.numberOfShapesDirectlyBelow(count);
    for (unsigned i = 0; i < count; ++i) {
        MDagPath shape = path;
        shape.extendToShapeDirectlyBelow(i);
        if (shape.node().hasFn(MFn::kMesh) && !MFnDagNode(shape).isIntermediateObject()) return shape;
    }
    throw Problem(utf8(path.partialPathName()) + " is no polygon mesh: select one.");
}

} // namespace

MStatus Command::doIt(const MArgList& arguments) {
    return spoken([&] {
        MStatus status;
        const MArgDatabase parsed(syntax(), arguments, &status);
        if (!status) throw Problem("The command has no such flags: see its help.");
        run(parsed);
    });
}

MStatus EditCommand::undoIt() {
    return spoken([&] { ensure(modifier_.undoIt(), "undo the command"); });
}

MStatus EditCommand::redoIt() {
    return spoken([&] {
        const TimeByHand by_hand;
        ensure(modifier_.doIt(), "do the command again");
    });
}

void EditCommand::apply() {
    const TimeByHand by_hand;
    ensure(modifier_.doIt(), "carry out the command");
}

std::optional<Found> ours(const MObject& node) {
    MStatus status;
    const MFnDependencyNode dependency(node, &status);
    if (!status) return std::nullopt;
    const Kind* kind = state().find(utf8(dependency.typeName()));
    if (!kind) return std::nullopt;
    auto* holder = dynamic_cast<CoreHolder*>(dependency.userNode());
    if (!holder) return std::nullopt;
    return Found{node, utf8(dependency.name()), kind, holder};
}

std::vector<Found> our_nodes(const MArgDatabase& arguments, bool or_all) {
    std::vector<Found> found;
    MSelectionList objects;
    arguments.getObjects(objects);
    for (unsigned i = 0; i < objects.length(); ++i) {
        MObject node;
        if (objects.getDependNode(i, node) == MS::kSuccess) add_if_ours(found, node);
    }
    if (found.empty() && or_all)
        for (MItDependencyNodes all(MFn::kInvalid); !all.isDone(); all.next()) add_if_ours(found, all.thisNode());
    if (found.empty()) throw Problem("Select a node of Sinew, or name one.");
    return found;
}

MDagPath one_mesh(const MArgDatabase& arguments) {
    MSelectionList objects;
    arguments.getObjects(objects);
    MDagPath path;
    if (objects.length() == 0 || objects.getDagPath(0, path) != MS::kSuccess) throw Problem("Select one polygon mesh.");
    return shown_mesh(path);
}

std::vector<MDagPath> all_meshes(const MArgDatabase& arguments) {
    MSelectionList objects;
    arguments.getObjects(objects);
    std::vector<MDagPath> found;
    for (unsigned i = 0; i < objects.length(); ++i) {
        MDagPath path;
        MStringArray names;
        objects.getSelectionStrings(i, names);
        if (objects.getDagPath(i, path) != MS::kSuccess)
            throw Problem((names.length() > 0 ? utf8(names[0]) : "What is selected") +
                          " is no polygon mesh: select one.");
        const MDagPath shape = shown_mesh(path);
        if (std::find(found.begin(), found.end(), shape) == found.end()) found.push_back(shape);
    }
    if (found.empty()) throw Problem("Select a polygon mesh.");
    return found;
}

MDagPath mesh_named(const std::string& name) {
    MSelectionList objects;
    MDagPath path;
    if (objects.add(maya_text(name)) != MS::kSuccess || objects.getDagPath(0, path) != MS::kSuccess)
        throw Problem("There is no mesh " + name + ".");
    return shown_mesh(path);
}

std::optional<double> number_flag(const MArgDatabase& arguments, const char* flag) {
    double value = 0;
    if (!arguments.isFlagSet(flag) || arguments.getFlagArgument(flag, 0, value) != MS::kSuccess) return std::nullopt;
    return value;
}

std::optional<std::string> text_flag(const MArgDatabase& arguments, const char* flag) {
    MString value;
    if (!arguments.isFlagSet(flag) || arguments.getFlagArgument(flag, 0, value) != MS::kSuccess) return std::nullopt;
    return utf8(value);
}

std::string checked_path(const std::string& path) {
    if (path.find_first_of("\"\n") != std::string::npos)
        throw Problem("The path " + path + " has characters that Maya's Alembic cannot take.");
    return path;
}

MSyntax object_syntax(bool query) {
    MSyntax syntax;
    syntax.setObjectType(MSyntax::kSelectionList);
    syntax.useSelectionAsDefault(true);
    syntax.enableQuery(query);
    return syntax;
}

} // namespace sinew::maya
