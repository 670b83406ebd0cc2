// Nodes in the scene: made, named, found, deleted.

#include "world.h"

#include <maya/MPxGeometryFilter.h>

#include <algorithm>
#include <cctype>

namespace standin {

std::string free_name(const std::string& wanted) {
    if (!find_node(wanted)) return wanted;
    std::string stem = wanted;
    while (!stem.empty() && std::isdigit(static_cast<unsigned char>(stem.back()))) stem.pop_back();
    unsigned int n = 1;
    while (find_node(stem + std::to_string(n))) ++n;
    return stem + std::to_string(n);
}

/// By name, or by the path of a DAG node ("|group|joint" or "group|joint").
std::shared_ptr<Node> find_node(const std::string& name) {
    const std::size_t bar = name.rfind('|');
    const std::string leaf = bar == std::string::npos ? name : name.substr(bar + 1);
    for (const auto& node : world().nodes)
        if (node->name == leaf) return node;
    return nullptr;
}

/// The creator is called, and then postConstructor, from which on the node knows its object (MPxNode::postConstructor).
std::shared_ptr<Node> make_node(const std::shared_ptr<NodeType>& type, const std::string& name, Node* parent) {
    auto node = std::make_shared<Node>(type, free_name(name.empty() ? type->name + "1" : name));
    node->user.reset(static_cast<MPxNode*>(type->creator()));
    if (!node->user) return nullptr;
    node->user->standin_node = node.get();
    add_to_scene(node, parent);
    node->user->postConstructor();
    return node;
}

void add_to_scene(const std::shared_ptr<Node>& node, Node* parent) {
    const Edit edit;
    node->in_scene = true;
    node->parent = parent;
    if (parent) parent->children.push_back(node);
    world().nodes.push_back(node);
    if (node->kind->dag) make_dirty({{node.get(), path_of(*node->find("parentMatrix"))}});
    call_back("added", node.get());
}

std::function<void()> take_out(Node& node) {
    const auto keep = std::static_pointer_cast<Node>(node.shared_from_this());
    std::vector<std::function<void()>> back;
    const Edit edit;
    call_back("pre removal", &node);
    for (const auto& child : std::vector<std::shared_ptr<Node>>(node.children)) back.push_back(take_out(*child));
    std::vector<std::pair<PlugKey, PlugKey>> links;
    for (const auto& each : world().sources)
        if (each.first.first == &node || each.second.first == &node) links.emplace_back(each.second, each.first);
    for (const auto& link : links) disconnect(link.first, link.second);
    call_back("removed", &node);
    Node* parent = node.parent;
    if (parent)
        parent->children.erase(std::find(parent->children.begin(), parent->children.end(), keep));
    auto& nodes = world().nodes;
    nodes.erase(std::find(nodes.begin(), nodes.end(), keep));
    node.in_scene = false;
    node.parent = nullptr;
    return [keep, parent, back, links] {
        const Edit again;
        add_to_scene(keep, parent);
        for (auto i = back.rbegin(); i != back.rend(); ++i) (*i)();
        for (const auto& link : links) connect(link.first, link.second);
    };
}

namespace {

/// The output that gives what an input takes: of a deformer that of the same geometry, of other nodes what
/// MPxNode::passThroughToOne names. No node where there is none.
PlugKey passed_on(Node& node, const PlugKey& input) {
    const Path& path = input.second;
    if (node.kind->fns.count(MFn::kGeometryFilt) == 0) return key_of(node.user->passThroughToOne(to_plug(input)));
    if (path.back().attribute != as<Attribute>(MPxGeometryFilter::inputGeom).get()) return {nullptr, {}};
    return {&node, element_of(path_of(*as<Attribute>(MPxGeometryFilter::outputGeom)), path.front().index)};
}

/// What fed a node feeds what the node fed.
std::vector<std::function<void()>> rewire(Node& node) {
    std::vector<std::pair<PlugKey, PlugKey>> inputs;
    for (const auto& each : world().sources)
        if (each.first.first == &node && each.second.first != &node) inputs.emplace_back(each.second, each.first);
    std::vector<std::function<void()>> back;
    for (const auto& input : inputs) {
        const PlugKey source = input.first, out = passed_on(node, input.second);
        if (!out.first) continue;
        const auto fed = world().destinations.find(out);
        if (fed == world().destinations.end()) continue;
        for (const PlugKey& to : std::vector<PlugKey>(fed->second.begin(), fed->second.end())) {
            disconnect(out, to);
            connect(source, to);
            back.push_back([source, out, to] {
                disconnect(source, to);
                connect(out, to);
            });
        }
    }
    return back;
}

void tell_of_deletion(Node& node) {
    call_back("about to delete", &node);
    for (const auto& child : node.children) tell_of_deletion(*child);
}

} // namespace

/// Who listens adds to a modifier, which is carried out before the node goes and undone when it comes back
/// (MNodeMessage::addNodeAboutToDeleteCallback). The command "delete" then connects around the node: a deformer as
/// MPxGeometryFilter has it, another node by MPxNode::passThroughToOne.
std::function<void()> delete_node(Node& node, bool rewires) {
    const auto keep = std::static_pointer_cast<Node>(node.shared_from_this());
    world().deleting.clear();
    tell_of_deletion(*keep);
    const auto modifiers = std::move(world().deleting);
    world().deleting.clear();
    const auto around = rewires ? rewire(*keep) : std::vector<std::function<void()>>();
    const std::function<void()> back = take_out(*keep);
    return [modifiers, around, back] {
        back();
        for (auto i = around.rbegin(); i != around.rend(); ++i) (*i)();
        for (auto i = modifiers.rbegin(); i != modifiers.rend(); ++i) (*i)->undoIt();
    };
}

/// A name that is taken gets a number; who listens hears the old one (MNodeMessage::addNameChangedCallback).
std::string rename_node(Node& node, const std::string& name) {
    const Edit edit;
    const std::string before = node.name;
    node.name.clear();
    node.name = free_name(name);
    call_back("renamed", &node, MPlug(), MPlug(), before);
    return node.name;
}

namespace {

struct Part {
    std::string name;
    int index = -1;
};

bool parts_of(const std::string& text, std::vector<Part>& parts) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t dot = std::min(text.find('.', at), text.size());
        std::string piece = text.substr(at, dot - at);
        Part part;
        const std::size_t open = piece.find('[');
        if (open != std::string::npos) {
            const std::size_t close = piece.find(']', open);
            if (close == std::string::npos) return false;
            part.index = std::atoi(piece.substr(open + 1, close - open - 1).c_str());
            piece = piece.substr(0, open);
        }
        part.name = piece;
        parts.push_back(part);
        at = dot + 1;
    }
    return !parts.empty();
}

} // namespace

bool find_plug(Node& node, const std::string& text, Path& found) {
    std::vector<Part> parts;
    if (!parts_of(text, parts)) return false;
    found.clear();
    for (const Part& part : parts) {
        std::shared_ptr<Attribute> attribute;
        if (found.empty()) {
            attribute = node.find(part.name);
            if (attribute) found = path_of(*attribute);
        } else {
            for (const auto& child : found.back().attribute->children)
                if (child->name == part.name || child->brief == part.name) attribute = child;
            if (attribute) found.push_back(Step{attribute.get(), -1});
        }
        if (!attribute || (part.index >= 0 && !attribute->array)) return false;
        found.back().index = part.index;
    }
    return true;
}

bool find_plug(const std::string& name, MPlug& plug) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return false;
    const auto node = find_node(name.substr(0, dot));
    Path path;
    if (!node || !find_plug(*node, name.substr(dot + 1), path)) return false;
    plug = MPlug(node, path);
    return true;
}

std::string plug_name(const PlugKey& key) { return key.first->name + "." + path_name(key.second); }
MPlug to_plug(const PlugKey& key) {
    return MPlug(std::static_pointer_cast<Node>(key.first->shared_from_this()), key.second);
}
PlugKey key_of(const MPlug& plug) { return {plug.standin_node().get(), plug.standin_path()}; }

} // namespace standin
