#include "adapter/commands/bake.h"

#include "adapter/commands/playing.h"
#include "adapter/commands/shown.h"
#include "adapter/commands/solve.h"
#include "adapter/guard.h"

#include <maya/MGlobal.h>
#include <maya/MStringArray.h>

#include <cmath>

namespace sinew::maya {
namespace {

/// Maya's own exporter writes UVs of every frame with -uvWrite, those of all sets with -writeUVSets (AbcExport in the
/// command reference).
std::string export_line(const std::vector<Found>& nodes, const std::string& file, const Range& range) {
    std::string job = "-frameRange " + std::to_string(std::lround(range.first)) + " " +
                      std::to_string(std::lround(range.last)) + " -uvWrite -writeUVSets -worldSpace -dataFormat ogawa";
    for (const Found& node : nodes) {
        const MDagPath path = shown_transform(node);
        job += " -root " + checked_path(path.fullPathName().asChar());
    }
    return "AbcExport -j \"" + job + " -file " + checked_path(file) + "\"";
}

} // namespace

MSyntax BakeCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-fi", "-file", MSyntax::kString);
    add_range_flags(syntax);
    return syntax;
}

void BakeCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, false);
    const std::optional<std::string> file = text_flag(arguments, "-file");
    if (!file || file->empty()) throw Problem("Give -file the Alembic file to write.");
    const Range range = range_of(arguments, nodes);
    const std::string line = export_line(nodes, *file, range);
    // Frames that are missing would be written as if nothing slid.
    solve(nodes, range);
    if (MGlobal::executeCommand("loadPlugin -quiet \"AbcExport\"") != MS::kSuccess)
        throw Problem("Maya's plug-in AbcExport could not be loaded: switch it on in the Plug-in Manager.");
    if (MGlobal::executeCommand(line.c_str()) != MS::kSuccess)
        throw Problem("AbcExport failed: see above for its reason.");
    MStringArray files;
    files.append(file->c_str());
    setResult(files);
}

} // namespace sinew::maya
