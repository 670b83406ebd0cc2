#include "adapter/commands/bake.h"

#include "adapter/commands/shown.h"
#include "adapter/commands/solve.h"
#include "adapter/commands/uv_keys.h"
#include "adapter/guard.h"
#include "adapter/text.h"
#include "host/numbers.h"

#include <maya/MGlobal.h>
#include <maya/MStringArray.h>

#include <filesystem>
#include <set>

namespace sinew::maya {
namespace {

namespace fs = std::filesystem;

/// A word of a job, which itself stands in quotes. A space would end it, and only then it gets quotes of its own, which
/// not every AbcExport has understood.
std::string in_job(const std::string& text) {
    checked_path(text);
    return text.find(' ') == std::string::npos ? text : "\\\"" + text + "\\\"";
}

/// Maya's own exporter writes UVs of every frame with -uvWrite, those of all sets with -writeUVSets; one that is named
/// as a root twice, or lies below another root, is refused (`AbcExport -help`).
std::string export_line(const std::vector<Found>& nodes, const std::string& file, const Range& range) {
    std::string job = "-frameRange " + host::number_text(range.first) + " " + host::number_text(range.last) +
                      " -uvWrite -writeUVSets -worldSpace -dataFormat ogawa";
    std::set<std::string> roots;
    for (const Found& node : nodes) roots.insert(utf8(shown_transform(node).fullPathName()));
    for (const std::string& root : roots)
        for (const std::string& other : roots)
            if (root.compare(0, other.size() + 1, other + "|") == 0)
                throw Problem(root + " is below " + other + ", which AbcExport does not allow: bake them one by one.");
    for (const std::string& root : roots) job += " -root " + in_job(root);
    return "AbcExport -j \"" + job + " -file " + in_job(file) + "\"";
}

void check_folder(const std::string& file) {
    const fs::path folder = fs::u8path(file).parent_path();
    std::error_code failed;
    if (!folder.empty() && !fs::is_directory(folder, failed))
        throw Problem("There is no folder " + folder.u8string() + ": make it, or give another -file.");
}

} // namespace

MSyntax BakeCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-fi", "-file", MSyntax::kString);
    syntax.addFlag("-uk", "-uvKeys", MSyntax::kNoArg);
    syntax.addFlag("-mk", "-mostKeys", MSyntax::kDouble);
    add_range_flags(syntax);
    return syntax;
}

void BakeCommand::run(const MArgDatabase& arguments) {
    const Exact exact;
    const AtBest best;
    const std::vector<Found> nodes = our_nodes(arguments, false);
    const std::optional<std::string> file = text_flag(arguments, "-file");
    edits_ = arguments.isFlagSet("-uvKeys");
    if (edits_ == (file && !file->empty()))
        throw Problem("Give -file the Alembic file to write, or -uvKeys for keys on the UVs.");
    const Range range = range_of(arguments, nodes);
    if (!edits_) return to_file(nodes, range, *file);
    const double most = number_flag(arguments, "-mostKeys").value_or(most_keys);
    if (!(most >= 1 && most <= 1e9)) throw Problem("-mostKeys is a number from 1 to 1000000000.");
    to_keys(nodes, range, static_cast<std::size_t>(most));
}

void BakeCommand::to_keys(const std::vector<Found>& nodes, const Range& range, std::size_t most) {
    solve(nodes, from_start(range, nodes));
    MStringArray made;
    try {
        for (const Found& node : nodes) made.append(maya_text(bake_uv_keys(modifier_, node, range, most)));
    } catch (...) {
        // A failed command leaves the scene as it was.
        modifier_.undoIt();
        throw;
    }
    setResult(made);
}

void BakeCommand::to_file(const std::vector<Found>& nodes, const Range& range, const std::string& file) {
    check_folder(file);
    const std::string line = export_line(nodes, file, range);
    // Frames that are missing would be written as if nothing slid.
    solve(nodes, from_start(range, nodes));
    if (MGlobal::executeCommand("loadPlugin -quiet \"AbcExport\"") != MS::kSuccess)
        throw Problem("Maya's plug-in AbcExport could not be loaded: switch it on in the Plug-in Manager.");
    if (MGlobal::executeCommand(maya_text(line)) != MS::kSuccess)
        throw Problem("AbcExport failed: see above for its reason.");
    MStringArray files;
    files.append(maya_text(file));
    setResult(files);
}

} // namespace sinew::maya
