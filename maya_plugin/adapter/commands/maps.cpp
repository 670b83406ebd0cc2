#include "adapter/commands/maps.h"

#include "adapter/guard.h"

#include <maya/MPlug.h>

namespace sinew::maya {
namespace {

std::vector<float> floats_of(const SinewArray& array) {
    const auto* from = static_cast<const float*>(array.data);
    return {from, from + array.count * array.components};
}

} // namespace

std::vector<float> body_points(const Gathered& gathered) {
    for (const host::PortValue& value : gathered.given.still)
        if (const auto* mesh = std::get_if<host::MeshView>(&value.value))
            return {mesh->points.begin(), mesh->points.end()};
    for (const std::vector<host::PortValue>* values : {&gathered.given.still, &gathered.given.moving})
        for (const host::PortValue& value : *values) {
            const auto* array = std::get_if<SinewArray>(&value.value);
            if (array && array->components == 3 && array->element == SINEW_F32) return floats_of(*array);
        }
    throw Problem("The node has no body yet: connect its mesh.");
}

std::vector<float> painted_values(const Gathered& gathered, const Held& map) {
    for (const host::PortValue& value : gathered.given.still)
        if (value.port == map.plan->id) return floats_of(std::get<SinewArray>(value.value));
    return {};
}

void write_map(MDGModifier& modifier, const Found& node, const Held& map, unsigned geometry,
               const std::vector<float>& before, const std::vector<float>& after) {
    MObject attribute = map.object;
    const MPlug painted = MPlug(node.node, node.kind->maps).elementByLogicalIndex(geometry).child(attribute);
    for (std::size_t vertex = 0; vertex < after.size(); ++vertex)
        if (after[vertex] != before[vertex])
            ensure(
                modifier.newPlugValueFloat(painted.elementByLogicalIndex(static_cast<unsigned>(vertex)), after[vertex]),
                "write the map " + map.plan->name);
}

} // namespace sinew::maya
