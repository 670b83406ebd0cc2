#include "adapter/commands/export_job.h"

#include "adapter/commands/inputs.h"
#include "adapter/commands/playing.h"
#include "adapter/commands/shown.h"
#include "adapter/guard.h"
#include "adapter/meshes.h"
#include "adapter/text.h"
#include "host/job.h"

#include <cmath>
#include <filesystem>

namespace sinew::maya {
namespace {

/// A job begins where the motion does: earlier frames are no part of it, and later ones follow from the first.
Range range_of_job(const MArgDatabase& arguments, const Found& node) {
    Range range = whole_frames(range_of(arguments, {node}));
    if (!node.kind->plan.stateful) return range;
    range.first = clock_of(node).shown(0);
    if (range.last < range.first)
        throw Problem("The range ends before the motion of " + node.name + " starts, at frame " +
                      std::to_string(std::llround(range.first)) + ": give a later -endFrame, or set start_time.");
    return range;
}

/// The faces and the UVs that the body has on its way to the node.
void set_body(host::Job& job, const Found& node) {
    MStatus status;
    const MObject mesh = body_input(node).asMObject(&status);
    ensure(status, "evaluate what goes into " + node.name);
    if (mesh.isNull()) throw Problem("Nothing is connected to " + node.name + ".input[0].inputGeometry.");
    Values values;
    job.set_body(copy_mesh(values, mesh, uv_set_of(mesh, ""), MMatrix::identity));
}

} // namespace

MSyntax ExportJobCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-f", "-folder", MSyntax::kString);
    add_range_flags(syntax);
    return syntax;
}

void ExportJobCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, false);
    if (nodes.size() != 1) throw Problem("Select one node of Sinew: each has a job of its own.");
    const Found& node = nodes.front();
    const std::optional<std::string> folder = text_flag(arguments, "-folder");
    if (!folder || folder->empty()) throw Problem("Give -folder the folder of the job.");
    const Range range = range_of_job(arguments, node);
    const AtBest best;
    require_inputs(nodes);
    // Whatever was edited, the motion of all frames is read here; nothing is computed.
    host::JobSpace space;
    space.metres_per_unit = metres_per_unit;
    space.z_up = up_axis() == SINEW_UP_Z;
    space.row_vectors = true;
    space.frames_per_second = frame_rate();
    host::Job job(std::filesystem::u8path(*folder), node.kind->plan, node.name, space);
    if (!node.kind->plan.points_out.empty()) set_body(job, node);
    play(range, "Exporting", [&](double frame) {
        const Gathered found = node.holder->gather();
        if (found.moment.between)
            throw Problem("current_time of " + node.name + " lies between frames at frame " +
                          std::to_string(std::lround(frame)) + ": connect the scene's time (time1.outTime).");
        job.add_frame(std::llround(frame), found.given);
    });
    setResult(maya_text(job.finish().u8string()));
}

} // namespace sinew::maya
