#include "adapter/authoring/tendon_curves.h"

#include "adapter/authoring/documents.h"
#include "adapter/authoring/objects.h"
#include "adapter/guard.h"
#include "adapter/plugs.h"
#include "adapter/text.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MFnIntArrayData.h>

#include <algorithm>
#include <cctype>

namespace sinew::maya {
namespace {

const Held& curves_of(const Found& node) {
    for (const Held& held : node.kind->held)
        if (held.plan->of == host::Of::MadeCurves) return held;
    throw Problem(node.name + " makes no curves.");
}

/// How many curves there are in this frame.
unsigned count_of(const Found& node, const Held& curves) {
    for (const Held& held : node.kind->held) {
        if (held.plan->of != host::Of::Output || held.plan->id != curves.plan->counted_by) continue;
        const MObject counts = MPlug(node.node, held.object).asMObject();
        return counts.isNull() ? 0 : MFnIntArrayData(counts).length();
    }
    return 0;
}

/// A name for a node: letters and digits of another name, which begins with a letter.
std::string legal(std::string name) {
    std::replace_if(name.begin(), name.end(), [](unsigned char c) { return c >= 128 || !std::isalnum(c); }, '_');
    return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) ? "tendon_" + name : name;
}

/// The names of the curves, where the node's document has as many; otherwise their numbers.
std::vector<std::string> names_of(const Found& node, const Held& curves, unsigned count) {
    std::vector<std::string> names;
    if (const host::Stored stored = stored_of(node); !stored.text.empty())
        names = host::Editing(holder_of(node), stored, maya_space()).names(curves.plan->items);
    if (names.size() == count) return names;
    names.clear();
    for (unsigned k = 1; k <= count; ++k) names.push_back(curves.plan->items + std::to_string(k));
    return names;
}

MObject create(MDagModifier& shapes, const char* type, const MObject& parent, const std::string& name) {
    MStatus status;
    const MObject made = shapes.createNode(type, parent, &status);
    ensure(status, std::string("create a ") + type);
    ensure(shapes.renameNode(made, maya_text(name)), "name " + name);
    return made;
}

} // namespace

host::Done add_curve_shapes(MDagModifier& shapes, MDGModifier& links, const Found& node) {
    const Held& curves = curves_of(node);
    const unsigned count = count_of(node, curves);
    if (count == 0)
        throw Problem(node.name + " has no tendons in this frame: draw some, or solve the frame, and repeat this.");
    const std::vector<std::string> names = names_of(node, curves, count);
    const MPlug all(node.node, curves.object);
    MObject group;
    std::vector<std::string> made;
    for (unsigned k = 0; k < count; ++k) {
        const MPlug curve = all.elementByLogicalIndex(k);
        if (curve.isSource()) continue;
        if (group.isNull()) group = create(shapes, "transform", MObject::kNullObj, node.name + "_curves");
        const std::string name = legal(names[k]) + "_curve";
        const MObject place = create(shapes, "transform", group, name);
        const MObject shape = create(shapes, "nurbsCurve", place, name + "Shape");
        ensure(shapes.doIt(), "create curves");
        ensure(links.connect(curve, plug_of(shape, "create")), "connect " + name);
        made.push_back(name);
    }
    if (made.empty()) throw Problem("All tendons of " + node.name + " have curves already.");
    return {host::counted(made.size(), "curve follows", "curves follow") + " the tendons: " + host::listed(made) + ".", {}};
}

} // namespace sinew::maya
