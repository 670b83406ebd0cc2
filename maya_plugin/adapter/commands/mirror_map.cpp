#include "adapter/commands/mirror_map.h"

#include "adapter/guard.h"
#include "host/mirror.h"

#include <maya/MPlug.h>

namespace sinew::maya {
namespace {

const Held& map_of(const Found& node, const MArgDatabase& arguments) {
    const std::optional<std::string> name = text_flag(arguments, "-map");
    std::string list;
    for (const Held& held : node.kind->held) {
        if (held.plan->holds != host::Holds::Map) continue;
        if (name && *name == held.plan->name) return held;
        list += (list.empty() ? "" : ", ") + held.plan->name;
    }
    throw Problem(list.empty() ? node.name + " has no painted maps." : "Give -map one of: " + list + ".");
}

/// The body at rest as the node reads it; of nodes without one, the body as it is.
std::vector<float> points_of(const Gathered& gathered) {
    for (const host::PortValue& value : gathered.given.still)
        if (const auto* mesh = std::get_if<host::MeshView>(&value.value)) return {mesh->points.begin(), mesh->points.end()};
    for (const std::vector<host::PortValue>* values : {&gathered.given.still, &gathered.given.moving})
        for (const host::PortValue& value : *values) {
            const auto* array = std::get_if<SinewArray>(&value.value);
            if (!array || array->components != 3 || array->element != SINEW_F32) continue;
            const auto* from = static_cast<const float*>(array->data);
            return {from, from + 3 * array->count};
        }
    throw Problem("The node has no body yet: connect its mesh.");
}

/// The painted values; those that nobody painted have the default.
std::vector<float> values_of(const Gathered& gathered, const Held& map, std::size_t vertices) {
    for (const host::PortValue& value : gathered.given.still) {
        if (value.port != map.plan->id) continue;
        const auto& array = std::get<SinewArray>(value.value);
        const auto* from = static_cast<const float*>(array.data);
        return {from, from + array.count};
    }
    return std::vector<float>(vertices, static_cast<float>(map.plan->default_value));
}

} // namespace

MSyntax MirrorMapCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-m", "-map", MSyntax::kString);
    return syntax;
}

void MirrorMapCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, false);
    if (nodes.size() != 1) throw Problem("Select one node of Sinew.");
    const Held& map = map_of(nodes.front(), arguments);
    const Gathered gathered = nodes.front().holder->gather();
    const std::vector<float> points = points_of(gathered);
    const std::vector<float> before = values_of(gathered, map, points.size() / 3);
    std::vector<float> after = before;
    const host::Partners partners = host::mirror_partners(points);
    const std::size_t changed = host::mirror_map(after, points, partners);
    MPlug maps(nodes.front().node, nodes.front().kind->maps);
    MObject attribute = map.object;
    MPlug painted = maps.elementByLogicalIndex(gathered.geometry).child(attribute);
    for (std::size_t vertex = 0; vertex < after.size(); ++vertex)
        if (after[vertex] != before[vertex])
            ensure(modifier_.newPlugValueFloat(painted.elementByLogicalIndex(static_cast<unsigned>(vertex)), after[vertex]),
                   "write the map");
    apply();
    if (partners.without > 0)
        displayWarning((std::to_string(partners.without) + " vertices have no partner on the other side of x = 0 and keep " +
                        "their values.")
                           .c_str());
    setResult(static_cast<int>(changed));
}

} // namespace sinew::maya
