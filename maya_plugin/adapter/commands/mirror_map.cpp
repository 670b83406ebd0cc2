#include "adapter/commands/mirror_map.h"

#include "adapter/commands/maps.h"
#include "adapter/guard.h"
#include "adapter/text.h"
#include "host/mirror.h"

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

} // namespace

MSyntax MirrorMapCommand::make_syntax() {
    MSyntax syntax = object_syntax(false);
    syntax.addFlag("-map", "-mapName", MSyntax::kString);
    return syntax;
}

void MirrorMapCommand::run(const MArgDatabase& arguments) {
    const std::vector<Found> nodes = our_nodes(arguments, false);
    if (nodes.size() != 1) throw Problem("Select one node of Sinew.");
    const Held& map = map_of(nodes.front(), arguments);
    const Gathered gathered = nodes.front().holder->gather();
    const std::vector<float> points = body_points(gathered);
    std::vector<float> before = painted_values(gathered, map);
    if (before.empty()) before.assign(points.size() / 3, static_cast<float>(map.plan->default_value));
    std::vector<float> after = before;
    const host::Partners partners = host::mirror_partners(points);
    const std::size_t changed = host::mirror_map(after, points, partners);
    write_map(modifier_, nodes.front(), map, gathered.geometry, before, after);
    apply();
    if (partners.without > 0)
        displayWarning(maya_text(std::to_string(partners.without) +
                                 " vertices have no partner on the other side of x = 0 and keep their values."));
    setResult(static_cast<int>(changed));
}

} // namespace sinew::maya
