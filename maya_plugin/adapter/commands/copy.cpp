#include "adapter/commands/copy.h"

#include "adapter/commands/creation.h"
#include "adapter/commands/history.h"
#include "adapter/commands/maps.h"
#include "adapter/commands/skin_settings.h"
#include "adapter/guard.h"
#include "adapter/text.h"
#include "host/transfer.h"

#include <maya/MPlug.h>
#include <maya/MStringArray.h>

namespace sinew::maya {
namespace {

/// The value of a parameter as it is now; what animates it stays with the original.
void copy_param(MDGModifier& modifier, const Found& from, const Found& to, const Held& held) {
    const MPlug source(from.node, held.object), target(to.node, held.object);
    const auto done = [&](const MStatus& status) { ensure(status, "copy " + held.plan->name); };
    switch (held.plan->holds) {
    case host::Holds::Switch: return done(modifier.newPlugValueBool(target, source.asBool()));
    case host::Holds::Whole: return done(modifier.newPlugValueInt(target, source.asInt()));
    case host::Holds::Choice: return done(modifier.newPlugValueShort(target, source.asShort()));
    case host::Holds::Text: return done(modifier.newPlugValueString(target, source.asString()));
    default: return done(modifier.newPlugValueDouble(target, source.asDouble()));
    }
}

/// How the target is skinned is its skin cluster's affair, where it has one.
bool is_targets(const Found& to, const Held& held) {
    return to.kind->skin.exist() && is_of_cluster(*to.kind, held) &&
           !MPlug(to.node, to.kind->skin.weight_list).source().isNull();
}

void copy_maps(MDGModifier& modifier, const Found& from, const Found& to) {
    const Gathered there = from.holder->gather(), here = to.holder->gather();
    const std::vector<float> points = body_points(here);
    const std::vector<std::size_t> nearest = host::nearest_vertices(body_points(there), points);
    for (const Held& held : from.kind->held) {
        if (held.plan->holds != host::Holds::Map || is_targets(to, held)) continue;
        const std::vector<float> painted = painted_values(there, held);
        if (painted.empty()) continue;
        const std::vector<float> before(nearest.size(), static_cast<float>(held.plan->default_value));
        std::vector<float> after = before;
        for (std::size_t vertex = 0; vertex < after.size(); ++vertex) after[vertex] = painted.at(nearest[vertex]);
        write_map(modifier, to, held, here.geometry, before, after);
    }
}

MDagPath target_mesh(const MArgDatabase& arguments, const Found& from) {
    const std::optional<std::string> name = text_flag(arguments, "-to");
    if (!name) throw Problem("Give -toMesh the mesh that gets a copy.");
    MDagPath shape = mesh_named(*name);
    for (const Found& there : ours_in(find_history(shape, MObject::kNullObj)))
        if (there.node == from.node) throw Problem(from.name + " is on " + *name + " itself: give -toMesh another mesh.");
    return shape;
}

} // namespace

MSyntax CopyCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-to", "-toMesh", MSyntax::kString);
    return syntax;
}

void CopyCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, false);
    if (nodes.size() != 1) throw Problem("Select one node of Sinew.");
    const Found& from = nodes.front();
    if (!has_body(*from.kind)) throw Problem(from.name + " has no body: duplicate it by Maya's own command.");
    const Found to = create_node_on(modifier_, *from.kind, {target_mesh(arguments, from), MObject::kNullObj, false});
    try {
        for (const Held& held : from.kind->held)
            if (held.plan->of == host::Of::Param && !is_targets(to, held)) copy_param(modifier_, from, to, held);
        if (!from.kind->maps.isNull()) copy_maps(modifier_, from, to);
        apply();
    } catch (...) {
        modifier_.undoIt();
        throw;
    }
    MStringArray names;
    names.append(maya_text(to.name));
    setResult(names);
}

} // namespace sinew::maya
