#include "adapter/commands/import_results.h"

#include "adapter/guard.h"

#include <maya/MFn.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnMesh.h>
#include <maya/MGlobal.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace sinew::maya {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
        if (entry.path().extension() == extension) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// The Alembic file that a path means: itself, or the only one in the folder of a job or of its results.
fs::path alembic_file(const fs::path& path) {
    std::error_code failed;
    const std::string name = path.u8string();
    if (!fs::exists(path, failed)) throw Problem("There is no file or folder " + name + ".");
    if (!fs::is_directory(path, failed)) {
        if (path.extension() == ".abc") return path;
        throw Problem(name + " is no Alembic file: choose one that ends in .abc, or the folder of the job.");
    }
    // A job writes there, see host::Job.
    const fs::path inner = path / "results";
    const fs::path folder = fs::is_directory(inner, failed) ? inner : path;
    const std::vector<fs::path> found = files_in(folder, ".abc");
    if (found.size() > 1)
        throw Problem(folder.u8string() + " has several Alembic files: choose one of them, not the folder.");
    if (found.size() == 1) return found.front();
    if (files_in(folder, ".pc2").empty() && files_in(folder, ".csv").empty())
        throw Problem(folder.u8string() + " has no results: compute the job with `sinew run` first.");
    throw Problem(folder.u8string() + " has point caches or tables, which no command of Maya reads: only "
                                      "a job that writes an Alembic file can be imported.");
}

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

} // namespace

MSyntax ImportResultsCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-f", "-folder", MSyntax::kString);
    return syntax;
}

void ImportResultsCommand::run(const MArgDatabase& arguments) {
    body_ = one_mesh(arguments);
    const std::optional<std::string> path = text_flag(arguments, "-folder");
    if (!path || path->empty())
        throw Problem("Give -folder the folder of the job, or the Alembic file of its results.");
    file_ = alembic_file(fs::u8path(*path)).generic_u8string();
    bring();
    setResult(made_);
}

/// Results get a transform of their own below that of the body, in whose space a slider's job is. Maya's importer makes
/// a mesh with UVs of every frame, and a node that reads them.
void ImportResultsCommand::bring() {
    made_.clear();
    if (MGlobal::executeCommand("loadPlugin -quiet \"AbcImport\"") != MS::kSuccess)
        throw Problem("Maya's plug-in AbcImport could not be loaded: switch it on in the Plug-in Manager.");
    try {
        import_below();
    } catch (...) {
        remove();
        throw;
    }
}

void ImportResultsCommand::import_below() {
    MDagPath above = body_;
    above.pop();
    MString group;
    const std::string parent = above.fullPathName().asUTF8();
    const std::string name = fs::u8path(file_).stem().u8string() + "_results";
    const std::string create =
        "createNode \"transform\" -skipSelect -name " + in_quotes(name) + " -parent " + in_quotes(parent);
    ensure(MGlobal::executeCommand(create.c_str(), group), "make a transform for the results");
    made_.append(group);
    // Without -connect, files are imported beside what is there, and below the node of -reparent; the result is the
    // name of the AlembicNode (the help of AbcImport, `AbcImport -help`).
    MString reader;
    const std::string line =
        "AbcImport -mode \"import\" -reparent " + in_quotes(group.asUTF8()) + " " + in_quotes(file_);
    if (MGlobal::executeCommand(line.c_str(), reader) != MS::kSuccess)
        throw Problem("AbcImport failed: see above for its reason.");
    if (reader.length() > 0) made_.append(reader);
    std::vector<MObject> meshes;
    add_meshes(meshes, node_named(group));
    if (meshes.empty()) throw Problem(file_ + " has no mesh.");
    const int expected = MFnMesh(body_).numVertices();
    for (const MObject& mesh : meshes)
        if (const int found = MFnMesh(mesh).numVertices(); found != expected)
            throw Problem(file_ + " has a mesh of " + std::to_string(found) + " vertices, and the selected one has " +
                          std::to_string(expected) + ": select the body that the job was exported from.");
}

/// AbcImport cannot be undone, so that what it made is deleted, and made again by a redo.
void ImportResultsCommand::remove() {
    for (unsigned i = made_.length(); i > 0; --i)
        MGlobal::executeCommand(("delete " + in_quotes(made_[i - 1].asUTF8())).c_str());
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
