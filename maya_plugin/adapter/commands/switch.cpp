#include "adapter/commands/switch.h"

#include "adapter/commands/baked.h"
#include "adapter/commands/shown.h"
#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MFnDependencyNode.h>

namespace sinew::maya {
namespace {

std::string node_name(const MPlug& plug) { return utf8(MFnDependencyNode(plug.node()).name()); }

/// The node that is named or selected, or the one behind the body.
Found node_to_switch(const MArgDatabase& arguments) {
    MSelectionList objects;
    arguments.getObjects(objects);
    MObject object;
    if (objects.length() > 0 && objects.getDependNode(0, object) == MS::kSuccess)
        if (const std::optional<Found> found = ours(object)) return *found;
    const MDagPath mesh = one_mesh(arguments);
    std::string others;
    std::vector<Found> found;
    for (const Found& node : nodes_behind(mesh))
        if (!baked_outputs(node).empty()) found.push_back(node);
    for (const Found& node : found) others += (others.empty() ? "" : ", ") + node.name;
    if (found.empty())
        throw Problem(utf8(mesh.partialPathName()) +
                      " has no node of Sinew with a baked result: bake it, or import a job's results with -onto.");
    if (found.size() > 1) throw Problem("Name one of its nodes: " + others + ".");
    return found.front();
}

/// All that the body can show: the node first.
std::vector<MPlug> choices_of(const Found& node) {
    std::vector<MPlug> all = baked_outputs(node);
    if (all.empty())
        throw Problem(node.name + " has no baked result: bake it, or import a job's results with -onto.");
    all.insert(all.begin(), body_output(node));
    return all;
}

/// What is shown next: what is named, or the other one.
MPlug wanted(const std::vector<MPlug>& choices, const MPlug& shown, const std::optional<std::string>& name) {
    std::string list;
    for (const MPlug& choice : choices) {
        if (name && node_name(choice) == *name) return choice;
        if (!name && choices.size() == 2 && !(choice == shown)) return choice;
        list += (list.empty() ? "" : ", ") + node_name(choice);
    }
    throw Problem("Give -to one of: " + list + ".");
}

} // namespace

MSyntax SwitchCommand::make_syntax() {
    MSyntax syntax = object_syntax(true);
    syntax.addFlag("-to", "-toNode", MSyntax::kString);
    return syntax;
}

void SwitchCommand::run(const MArgDatabase& arguments) {
    queries_ = arguments.isQuery();
    const Found node = node_to_switch(arguments);
    const std::vector<MPlug> choices = choices_of(node);
    MPlug shown;
    for (const MPlug& choice : choices)
        if (is_shown(choice)) shown = choice;
    if (shown.isNull()) throw Problem(node.name + " and what stands for it are shown by no mesh.");
    if (queries_) {
        setResult(maya_text(node_name(shown)));
        return;
    }
    const MPlug next = wanted(choices, shown, text_flag(arguments, "-toNode"));
    if (!(next == shown)) switch_readers(modifier_, shown, next);
    apply();
    setResult(maya_text(node_name(next)));
}

} // namespace sinew::maya
