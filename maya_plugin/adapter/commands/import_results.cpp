#include "adapter/commands/import_results.h"

#include "adapter/commands/baked.h"
#include "adapter/commands/joint_keys.h"
#include "adapter/commands/onto.h"
#include "adapter/commands/results.h"
#include "adapter/commands/shown.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"

#include <maya/MAngle.h>
#include <maya/MFn.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnMesh.h>
#include <maya/MGlobal.h>

namespace sinew::maya {
namespace {

namespace fs = std::filesystem;

void add_meshes(std::vector<MObject>& meshes, const MObject& node) {
    const MFnDagNode dag(node);
    for (unsigned i = 0; i < dag.childCount(); ++i) {
        const MObject child = dag.child(i);
        if (child.hasFn(MFn::kMesh)) meshes.push_back(child);
        else add_meshes(meshes, child);
    }
}

MObject node_named(const MString& name) {
    MSelectionList list;
    MObject node;
    ensure(list.add(name), "find what was imported");
    ensure(list.getDependNode(0, node), "find what was imported");
    return node;
}

std::string in_quotes(const std::string& text) { return "\"" + checked_path(text) + "\""; }

/// Runs a line of MEL, whose result is a name.
bool execute(const std::string& line, MString& result) {
    return MGlobal::executeCommand(maya_text(line), result) == MS::kSuccess;
}

} // namespace

MSyntax ImportResultsCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-f", "-folder", MSyntax::kString);
    syntax.addFlag("-on", "-onto", MSyntax::kNoArg);
    return syntax;
}

void ImportResultsCommand::run(const MArgDatabase& arguments) {
    const std::optional<std::string> path = text_flag(arguments, "-folder");
    if (!path || path->empty())
        throw Problem("Give -folder the folder of the job, or the Alembic file of its results.");
    file_ = alembic_file(fs::u8path(*path)).generic_u8string();
    onto_ = arguments.isFlagSet("-onto");
    choose(arguments);
    bring();
    setResult(made_);
}

/// A node of ours, or a mesh, whose node the results may be of.
void ImportResultsCommand::choose(const MArgDatabase& arguments) {
    MSelectionList objects;
    arguments.getObjects(objects);
    MObject object;
    if (objects.length() > 0 && objects.getDependNode(0, object) == MS::kSuccess) node_ = ours(object);
    if (node_) {
        body_ = shown_shape(*node_);
        return;
    }
    body_ = one_mesh(arguments);
    const std::vector<Found> nodes = nodes_behind(body_);
    if (onto_ || !nodes.empty()) node_ = node_of_results(nodes, fs::u8path(file_));
}

void ImportResultsCommand::bring() {
    imported_.clear();
    made_.clear();
    if (MGlobal::executeCommand("loadPlugin -quiet \"AbcImport\"") != MS::kSuccess)
        throw Problem("Maya's plug-in AbcImport could not be loaded: switch it on in the Plug-in Manager.");
    try {
        import_group();
        if (onto_) put_onto();
    } catch (...) {
        remove();
        throw;
    }
}

/// Results get a transform of their own: in whose space they are, below that of the body, or in the world. Maya's
/// importer makes shapes with what they are in every frame, and a node that reads them.
void ImportResultsCommand::import_group() {
    MString group;
    const std::string name = fs::u8path(file_).stem().u8string() + "_results";
    std::string create = "createNode \"transform\" -skipSelect -name " + in_quotes(name);
    const bool in_world = node_ && (node_->kind->in_world() || !body_.isValid());
    if (!in_world) {
        MDagPath above = body_;
        above.pop();
        create += " -parent " + in_quotes(utf8(above.fullPathName()));
    }
    if (!execute(create, group)) throw Problem("Maya could not make a transform for the results.");
    imported_.append(group);
    // Alembic files of jobs have y up, whatever the scene has.
    if (up_axis() == SINEW_UP_Z) MPlug(plug_of(node_named(group), "rotateX")).setMAngle(MAngle(90, MAngle::kDegrees));
    // Without -connect, files are imported beside what is there, and below the node of -reparent; the result is the
    // name of the AlembicNode (the help of AbcImport, `AbcImport -help`).
    MString reader;
    if (!execute("AbcImport -mode \"import\" -reparent " + in_quotes(utf8(group)) + " " + in_quotes(file_), reader))
        throw Problem("AbcImport failed: see above for its reason.");
    if (reader.length() > 0) imported_.append(reader);
    made_ = imported_;
    if (!body_.isValid()) return;
    std::vector<MObject> meshes;
    add_meshes(meshes, node_named(group));
    if (meshes.empty()) throw Problem(file_ + " has no mesh.");
    const int expected = MFnMesh(body_).numVertices();
    for (const MObject& mesh : meshes)
        if (const int found = MFnMesh(mesh).numVertices(); found != expected)
            throw Problem(file_ + " has a mesh of " + std::to_string(found) + " vertices, and the selected one has " +
                          std::to_string(expected) + ": select the body that the job was exported from.");
}

/// The body shows the results; of a node of tendons, the joints that they move get keys.
void ImportResultsCommand::put_onto() {
    edits_ = std::make_unique<MDGModifier>();
    if (!body_.isValid()) {
        for (const std::string& joint : key_joints(*edits_, *node_, fs::u8path(file_).parent_path()))
            made_.append(maya_text(joint));
        return;
    }
    const MObject group = node_named(imported_[0]);
    std::vector<MObject> meshes;
    add_meshes(meshes, group);
    if (meshes.size() != 1) throw Problem(file_ + " has several meshes: -onto needs one.");
    ensure(edits_->newPlugValueBool(plug_of(group, "visibility"), false), "hide what was imported");
    made_.append(maya_text(put_mesh_onto(*edits_, *node_, body_, meshes.front())));
}

/// AbcImport cannot be undone, so that what it made is deleted, and made again by a redo.
void ImportResultsCommand::remove() {
    if (edits_) edits_->undoIt();
    edits_.reset();
    MString nothing;
    for (unsigned i = imported_.length(); i > 0; --i)
        execute("delete " + in_quotes(utf8(imported_[i - 1])), nothing);
    imported_.clear();
    made_.clear();
}

MStatus ImportResultsCommand::undoIt() {
    return guarded(MStatus(MS::kFailure), "undoing", [] { return std::string("sinewImportResults"); }, [this] {
        remove();
        return MStatus(MS::kSuccess);
    });
}

MStatus ImportResultsCommand::redoIt() {
    return guarded(MStatus(MS::kFailure), "doing again", [] { return std::string("sinewImportResults"); }, [this] {
        bring();
        return MStatus(MS::kSuccess);
    });
}

} // namespace sinew::maya
