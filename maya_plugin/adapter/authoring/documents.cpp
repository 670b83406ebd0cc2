#include "adapter/authoring/documents.h"

#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MArgList.h>
#include <maya/MFnData.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MGlobal.h>

namespace sinew::maya {
namespace {

MPlug held_plug(const Found& node, host::Of of, const std::string& id) {
    for (const Held& held : node.kind->held)
        if (held.plan->of == of && held.plan->id == id) return {node.node, held.object};
    throw Problem(node.name + " has no " + id + ": install a plug-in that is as new as the library.");
}

std::optional<Found> of_type(const MObject& node, const std::string& id) {
    std::optional<Found> found = ours(node);
    return found && found->kind->plan.id == id ? found : std::nullopt;
}

/// The plug of the origins; null where the node has none yet.
MPlug origins_plug(const Found& node) {
    const MFnDependencyNode dependency(node.node);
    return dependency.hasAttribute(origins_attribute) ? dependency.findPlug(origins_attribute, true) : MPlug();
}

void check_writable(const MPlug& plug) {
    if (plug.isFreeToChange() != MPlug::kFreeToChange)
        throw Problem(utf8(plug.name()) + " is locked or connected: free it first.");
}

void set_text(MDGModifier& modifier, const MPlug& plug, const std::string& text) {
    check_writable(plug);
    ensure(modifier.newPlugValueString(plug, maya_text(text)), "set " + utf8(plug.name()));
}

/// Attributes have to be there before they get values.
MPlug add_origins(MDGModifier& modifier, const Found& node) {
    MFnTypedAttribute made;
    MStatus status;
    const MObject attribute =
        made.create(origins_attribute, origins_attribute, MFnData::kString, MObject::kNullObj, &status);
    ensure(status, std::string("make the attribute ") + origins_attribute);
    made.setHidden(true);
    ensure(modifier.addAttribute(node.node, attribute), std::string("add the attribute ") + origins_attribute);
    ensure(modifier.doIt(), std::string("add the attribute ") + origins_attribute);
    return {node.node, attribute};
}

} // namespace

const host::Holder& holder_of(const Found& node) {
    if (const host::Holder* found = host::holder_of(node.kind->plan.id)) return *found;
    throw Problem(node.name + " holds no document: select a node of strands or of muscles.");
}

MPlug param_plug(const Found& node, const std::string& id) { return held_plug(node, host::Of::Param, id); }
MPlug port_plug(const Found& node, const std::string& id) { return held_plug(node, host::Of::Input, id); }

host::Stored stored_of(const Found& node) {
    const MPlug origins = origins_plug(node);
    host::Stored stored{utf8(param_plug(node, holder_of(node).param).asString()), ""};
    if (!origins.isNull()) stored.origins = utf8(origins.asString());
    return stored;
}

void store(MDGModifier& modifier, const Found& node, const host::Stored& stored) {
    const MPlug text = param_plug(node, holder_of(node).param);
    check_writable(text);
    MPlug origins = origins_plug(node);
    if (origins.isNull() && !stored.origins.empty()) origins = add_origins(modifier, node);
    set_text(modifier, text, stored.text);
    if (!origins.isNull()) set_text(modifier, origins, stored.origins);
}

Found node_named(const std::string& name, const std::string& id) {
    MSelectionList list;
    MObject node;
    if (list.add(maya_text(name)) != MS::kSuccess || list.getDependNode(0, node) != MS::kSuccess)
        throw Problem("There is no node " + name + ".");
    if (std::optional<Found> found = of_type(node, id)) return *found;
    throw Problem(name + " is no node of the type " + id + ".");
}

std::optional<Found> given_node(const MArgDatabase& arguments, const std::string& id) {
    if (const std::optional<std::string> name = text_flag(arguments, "-node")) return node_named(*name, id);
    MSelectionList objects;
    arguments.getObjects(objects);
    for (unsigned k = 0; k < objects.length(); ++k) {
        MObject node;
        if (objects.getDependNode(k, node) != MS::kSuccess) continue;
        if (std::optional<Found> found = of_type(node, id)) return found;
    }
    return std::nullopt;
}

std::vector<std::string> words_of(const MArgDatabase& arguments, const char* flag, unsigned words) {
    std::vector<std::string> found;
    for (unsigned k = 0; k < words; ++k) {
        MString word;
        ensure(arguments.getFlagArgument(flag, k, word), std::string("read ") + flag);
        found.push_back(utf8(word));
    }
    return found;
}

std::vector<std::vector<std::string>> uses_of(const MArgDatabase& arguments, const char* flag, unsigned words) {
    std::vector<std::vector<std::string>> found;
    for (unsigned use = 0; use < arguments.numberOfFlagUses(flag); ++use) {
        MArgList list;
        ensure(arguments.getFlagArgumentList(flag, use, list), std::string("read ") + flag);
        std::vector<std::string>& use_words = found.emplace_back();
        for (unsigned k = 0; k < words; ++k) use_words.push_back(utf8(list.asString(k)));
    }
    return found;
}

MStringArray result_of(const Found& node, const host::Done& done) {
    MStringArray result;
    result.append(maya_text(node.name));
    result.append(maya_text(done.sentence));
    for (const std::string& warning : done.warnings) {
        result.append(maya_text(warning));
        MGlobal::displayWarning(maya_text(node.name + ": " + warning));
    }
    return result;
}

} // namespace sinew::maya
