// Modifiers: changes that are planned, done together, and undone in the opposite order.

#include "world.h"

#include <maya/MDagModifier.h>
#include <maya/MFnDagNode.h>
#include <maya/MGlobal.h>

using namespace standin;

MDGModifier::MDGModifier() = default;
MDGModifier::~MDGModifier() = default;
MDagModifier::~MDagModifier() = default;

/// The node exists at once, outside of the scene until doIt (MDGModifier::createNode).
MObject MDGModifier::plan_node(const std::string& type_name, const MObject& parent, bool dag, MStatus* status) {
    const auto type = type_named(type_name);
    if (!type || type->dag != dag) return give(MObject(), status, MStatus::kInvalidParameter);
    const bool with_transform = type->shape && parent.isNull();
    std::shared_ptr<Node> above, node;
    if (with_transform) above = make_node(type_named("transform"), "", nullptr);
    node = make_node(type, with_transform ? above->name + "Shape" : "", with_transform ? above.get() : node_of(parent));
    if (!node) return give(MObject(), status, MStatus::kFailure);
    const auto top = with_transform ? above : node;
    auto back = std::make_shared<std::function<void()>>(take_out(*top));
    plan([top, back]() -> std::function<void()> {
        (*back)();
        return [top, back] { *back = take_out(*top); };
    });
    return give(object_of(*top), status);
}

MObject MDGModifier::createNode(const MTypeId& id, MStatus* s) {
    const auto type = type_with_id(id.id());
    return type ? plan_node(type->name, MObject(), false, s) : give(MObject(), s, MStatus::kInvalidParameter);
}
MObject MDGModifier::createNode(const MString& type, MStatus* s) {
    return plan_node(type.asUTF8(), MObject(), false, s);
}
MObject MDagModifier::createNode(const MTypeId& id, const MObject& parent, MStatus* s) {
    const auto type = type_with_id(id.id());
    return type ? plan_node(type->name, parent, true, s) : give(MObject(), s, MStatus::kInvalidParameter);
}
MObject MDagModifier::createNode(const MString& type, const MObject& parent, MStatus* s) {
    return plan_node(type.asUTF8(), parent, true, s);
}
MStatus MDGModifier::deleteNode(const MObject& object) {
    Node* node = node_of(object);
    if (!node) return MStatus::kInvalidParameter;
    const auto keep = std::static_pointer_cast<Node>(node->shared_from_this());
    plan([keep]() -> std::function<void()> {
        return keep->in_scene && !keep->locked ? delete_node(*keep, false) : std::function<void()>();
    });
    return MStatus();
}
MStatus MDGModifier::deleteNode(const MObject& node, bool) { return deleteNode(node); }
MStatus MDGModifier::renameNode(const MObject& object, const MString& name) {
    Node* node = node_of(object);
    if (!node) return MStatus::kInvalidParameter;
    const auto keep = std::static_pointer_cast<Node>(node->shared_from_this());
    plan([keep, to = std::string(name.asUTF8())]() -> std::function<void()> {
        const std::string before = keep->name;
        rename_node(*keep, to);
        return [keep, before] { rename_node(*keep, before); };
    });
    return MStatus();
}
MStatus MDGModifier::connect(const MObject& source, const MObject& from, const MObject& destination,
                             const MObject& to) {
    return connect(MPlug(source, from), MPlug(destination, to));
}
MStatus MDGModifier::disconnect(const MObject& source, const MObject& from, const MObject& destination,
                                const MObject& to) {
    return disconnect(MPlug(source, from), MPlug(destination, to));
}
MStatus MDGModifier::connect(const MPlug& source, const MPlug& destination) {
    if (source.isNull() || destination.isNull()) return MStatus::kInvalidParameter;
    plan([source, destination]() -> std::function<void()> {
        if (!standin::connect(key_of(source), key_of(destination))) return {};
        return [source, destination] { standin::disconnect(key_of(source), key_of(destination)); };
    });
    return MStatus();
}
MStatus MDGModifier::disconnect(const MPlug& source, const MPlug& destination) {
    if (source.isNull() || destination.isNull()) return MStatus::kInvalidParameter;
    plan([source, destination]() -> std::function<void()> {
        if (!standin::disconnect(key_of(source), key_of(destination))) return {};
        return [source, destination] { standin::connect(key_of(source), key_of(destination)); };
    });
    return MStatus();
}
MStatus MDGModifier::addAttribute(const MObject& node, const MObject& attribute) {
    plan([node, attribute]() -> std::function<void()> {
        if (!MFnDependencyNode(node).addAttribute(attribute)) return {};
        return [node, attribute] { MFnDependencyNode(node).removeAttribute(attribute); };
    });
    return MStatus();
}
MStatus MDGModifier::removeAttribute(const MObject& node, const MObject& attribute) {
    plan([node, attribute]() -> std::function<void()> {
        if (!MFnDependencyNode(node).removeAttribute(attribute)) return {};
        return [node, attribute] { MFnDependencyNode(node).addAttribute(attribute); };
    });
    return MStatus();
}
/// What a command does is undone with the modifier.
MStatus MDGModifier::commandToExecute(const MString& command) {
    plan([text = std::string(command.asUTF8())]() -> std::function<void()> {
        const std::size_t before = world().undo_stack.size();
        if (!run_command(text, true)) return {};
        auto steps = std::make_shared<std::vector<Undo>>(
            world().undo_stack.begin() + static_cast<std::ptrdiff_t>(before), world().undo_stack.end());
        world().undo_stack.resize(before);
        return [steps] {
            for (auto i = steps->rbegin(); i != steps->rend(); ++i) i->undo();
        };
    });
    return MStatus();
}
MStatus MDGModifier::pythonCommandToExecute(const MString& command) {
    plan([command]() -> std::function<void()> {
        MGlobal::executePythonCommand(command);
        return [] {};
    });
    return MStatus();
}

namespace {

/// Sets a plug; what undoes it puts the old value back.
std::function<std::function<void()>()> setter(const MPlug& plug, std::function<MStatus(MPlug&)> set) {
    return [plug, set]() -> std::function<void()> {
        const PlugKey key = key_of(plug);
        auto before = std::make_shared<Value>(*key.second.back().attribute, nullptr, true);
        before->copy_from(key.first->normal.value(key.second));
        MPlug to = plug;
        if (!set(to)) return {};
        return [plug, before] {
            set_value(plug, [&](Value& value) {
                value.copy_from(*before);
                return true;
            });
        };
    };
}

MStatus known(const MPlug& plug) { return plug.isNull() ? MStatus::kInvalidParameter : MStatus::kSuccess; }

} // namespace

MStatus MDGModifier::newPlugValue(const MPlug& p, MObject& v) {
    plan(setter(p, [v](MPlug& to) { return to.setMObject(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueBool(const MPlug& p, bool v) {
    plan(setter(p, [v](MPlug& to) { return to.setBool(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueDouble(const MPlug& p, double v) {
    plan(setter(p, [v](MPlug& to) { return to.setDouble(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueFloat(const MPlug& p, float v) {
    plan(setter(p, [v](MPlug& to) { return to.setFloat(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueInt(const MPlug& p, int v) {
    plan(setter(p, [v](MPlug& to) { return to.setInt(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueShort(const MPlug& p, short v) {
    plan(setter(p, [v](MPlug& to) { return to.setShort(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueMAngle(const MPlug& p, const MAngle& v) {
    plan(setter(p, [v](MPlug& to) { return to.setMAngle(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueMDistance(const MPlug& p, const MDistance& v) {
    plan(setter(p, [v](MPlug& to) { return to.setMDistance(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueMTime(const MPlug& p, const MTime& v) {
    plan(setter(p, [v](MPlug& to) { return to.setMTime(v); }));
    return known(p);
}
MStatus MDGModifier::newPlugValueString(const MPlug& p, const MString& v) {
    plan(setter(p, [v](MPlug& to) { return to.setString(v); }));
    return known(p);
}

MStatus MDGModifier::removeMultiInstance(const MPlug& plug, bool) {
    if (!plug.isElement()) return MStatus::kInvalidParameter;
    plan([plug]() -> std::function<void()> {
        const Edit edit;
        const PlugKey key = key_of(plug);
        if (const PlugKey* source = source_of(key)) standin::disconnect(*source, key);
        key.first->normal.value(element_of(key.second, -1))
            .elements.erase(static_cast<unsigned int>(key.second.back().index));
        make_dirty({key});
        return [] {};
    });
    return MStatus();
}

/// Does what was planned since the last doIt. After an undoIt, the same again.
MStatus MDGModifier::doIt() {
    std::vector<Change> changes = planned_.empty() && undo_.empty() ? done_ : planned_;
    if (planned_.empty() && !undo_.empty()) return MStatus();
    const bool again = planned_.empty();
    planned_.clear();
    for (Change& change : changes) {
        std::function<void()> back = change();
        if (!back) return MStatus::kFailure;
        undo_.push_back(std::move(back));
        if (!again) done_.push_back(change);
    }
    return MStatus();
}
/// Undoes everything that was done, in the opposite order.
MStatus MDGModifier::undoIt() {
    for (auto i = undo_.rbegin(); i != undo_.rend(); ++i) (*i)();
    undo_.clear();
    return MStatus();
}

MStatus MDagModifier::reparentNode(const MObject& object, const MObject& parent) {
    Node* node = node_of(object);
    if (!node || node_of(parent) == node) return MStatus::kInvalidParameter;
    const auto keep = std::static_pointer_cast<Node>(node->shared_from_this());
    const auto move = [keep](Node* to) {
        const Edit edit;
        if (keep->parent) {
            auto& from = keep->parent->children;
            for (auto i = from.begin(); i != from.end(); ++i)
                if (*i == keep) {
                    from.erase(i);
                    break;
                }
        }
        keep->parent = to;
        if (to) to->children.push_back(keep);
        make_dirty({{keep.get(), path_of(*keep->find("parentMatrix"))}});
    };
    plan([keep, move, parent]() -> std::function<void()> {
        Node* before = keep->parent;
        move(node_of(parent));
        return [before, move] { move(before); };
    });
    return MStatus();
}
