// skinCluster in Maya's node reference: `skinningMethod` is 0 for classic linear, 1 for dual quaternion, 2 for weight
// blended, which `blendWeights` mixes by vertex. `normalizeWeights` says when weights are divided by their sum: 0 never,
// 1 whenever they are edited, 2 while it deforms.
#include "adapter/commands/skin_settings.h"

#include "adapter/commands/body.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MIntArray.h>
#include <maya/MPxGeometryFilter.h>

#include <array>
#include <cmath>

namespace sinew::maya {
namespace {

constexpr std::array<const char*, 3> methods{"linear", "dual_quaternion", "blend_map"};
constexpr short divides_while_deforming = 2;
/// The library's own tolerance for weights that are not normalised.
constexpr double sum_tolerance = 1e-4;

/// The choice between the cluster's methods, in its order; null where the node has none.
const Held* method_of(const Kind& kind) {
    for (const Held& held : kind.held) {
        const std::vector<host::Choice>& choices = held.plan->choices;
        bool same = held.plan->of == host::Of::Param && choices.size() == methods.size();
        for (std::size_t i = 0; same && i < methods.size(); ++i) same = choices[i].id == methods[i];
        if (same) return &held;
    }
    return nullptr;
}

/// The map that mixes the methods: that whose description refers to the third of them.
const Held* blend_of(const Kind& kind) {
    for (const Held& held : kind.held)
        if (held.plan->holds == host::Holds::Map && held.plan->doc.find(methods.back()) != std::string::npos)
            return &held;
    return nullptr;
}

void connect_arrays(MDGModifier& modifier, const Found& made, const MObject& cluster) {
    const SkinArrays& arrays = made.kind->skin;
    const auto connect = [&](const char* from, const MObject& to) {
        ensure(modifier.connect(plug_of(cluster, from), MPlug(made.node, to)),
               std::string("connect the skin cluster's ") + from);
    };
    connect("matrix", arrays.joints->object);
    connect("bindPreMatrix", arrays.bind);
    connect("geomMatrix", arrays.bound);
    connect("weightList", arrays.weight_list);
}

/// The value of one of the cluster's plugs goes to one of ours; where something feeds the cluster's, it feeds ours, too.
template <class Set> void take(MDGModifier& modifier, const MPlug& from, const MPlug& to, Set set) {
    const MPlug source = from.source();
    const MStatus status = source.isNull() ? set() : modifier.connect(source, to);
    ensure(status, "take over " + utf8(from.name()));
}

void take_method(MDGModifier& modifier, const Found& made, const MObject& cluster) {
    const Held* method = method_of(*made.kind);
    if (!method) return;
    const MPlug from = plug_of(cluster, "skinningMethod"), to(made.node, method->object);
    take(modifier, from, to, [&] { return modifier.newPlugValueShort(to, from.asShort()); });
}

/// The elements of an array that there are, by their indices.
template <class Use> void for_elements(MPlug array, Use use) {
    MIntArray indices;
    array.getExistingArrayAttributeIndices(indices);
    for (unsigned i = 0; i < indices.length(); ++i) {
        const auto index = static_cast<unsigned>(indices[i]);
        use(index, array.elementByLogicalIndex(index));
    }
}

void take_blend(MDGModifier& modifier, const Found& made, const MObject& cluster) {
    const Held* blend = blend_of(*made.kind);
    if (!blend) return;
    MObject attribute = blend->object;
    const MPlug map = MPlug(made.node, made.kind->maps).elementByLogicalIndex(0).child(attribute);
    for_elements(plug_of(cluster, "blendWeights"), [&](unsigned vertex, const MPlug& from) {
        const MPlug to = map.elementByLogicalIndex(vertex);
        take(modifier, from, to, [&] { return modifier.newPlugValueFloat(to, from.asFloat()); });
    });
}

/// As far as the cluster deforms, by its envelope and on its component tag, the node does.
void take_reach(MDGModifier& modifier, const Found& made, const Skin& skin) {
    const MPlug envelope(skin.cluster, MPxGeometryFilter::envelope), own(made.node, MPxGeometryFilter::envelope);
    take(modifier, envelope, own, [&] { return modifier.newPlugValueFloat(own, envelope.asFloat()); });
    const auto tag_of = [](const MPlug& in) { return in.parent().child(MPxGeometryFilter::componentTagExpression); };
    const MPlug tag = tag_of(deformer_input(skin.cluster, skin.geometry)), to = tag_of(deformer_input(made.node, 0));
    if (tag.asString().length() > 0)
        take(modifier, tag, to, [&] { return modifier.newPlugValueString(to, tag.asString()); });
}

/// The library divides by the sum of weights, or refuses one that is not 1; the cluster adds up what there is.
std::string wrong_sums(const MObject& cluster) {
    if (plug_of(cluster, "normalizeWeights").asShort() == divides_while_deforming) return {};
    unsigned found = 0, first = 0;
    for_elements(plug_of(cluster, "weightList"), [&](unsigned vertex, const MPlug& element) {
        double sum = 0;
        for_elements(element.child(0), [&](unsigned, const MPlug& weight) { sum += weight.asDouble(); });
        if (sum == 0 || std::abs(sum - 1) <= sum_tolerance) return;
        if (found++ == 0) first = vertex;
    });
    if (found == 0) return {};
    return "The weights of " + std::to_string(found) + (found == 1 ? " vertex do" : " vertices do") +
           " not add up to 1, first those of vertex " + std::to_string(first) + ", and the skin cluster leaves them " +
           "so: the node divides them by their sum, so that these vertices move differently. Normalize the weights, " +
           "or set the cluster's normalizeWeights to Post.";
}

/// Switches of the cluster for which the node has nothing.
std::vector<std::string> missing_settings(const MObject& cluster) {
    std::vector<std::string> found;
    const MFnDependencyNode node(cluster);
    for (const auto& [name, what] : {std::pair{"useComponents", "components of influence objects"},
                                     std::pair{"relativeSpaceMode", "a relative space"}}) {
        MStatus status;
        const MPlug plug = node.findPlug(name, true, &status);
        if (status && plug.asShort() != 0)
            found.push_back(std::string("The skin cluster deforms by ") + what + " (" + name +
                            "), which the node does not know: the skin moves differently.");
    }
    return found;
}

} // namespace

bool is_of_cluster(const Kind& kind, const Held& held) { return &held == method_of(kind) || &held == blend_of(kind); }

std::vector<std::string> take_skin(MDGModifier& modifier, const Found& made, const Skin& skin) {
    if (!made.kind->skin.exist() || skin.cluster.isNull()) return {};
    connect_arrays(modifier, made, skin.cluster);
    take_method(modifier, made, skin.cluster);
    take_blend(modifier, made, skin.cluster);
    take_reach(modifier, made, skin);
    std::vector<std::string> warnings = missing_settings(skin.cluster);
    if (std::string sums = wrong_sums(skin.cluster); !sums.empty()) warnings.push_back(std::move(sums));
    return warnings;
}

} // namespace sinew::maya
