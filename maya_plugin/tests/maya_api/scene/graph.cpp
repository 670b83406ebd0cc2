// Connections, and what becomes dirty when something changes.

#include "world.h"

namespace standin {

namespace {

/// Calls for each connection at, above or below a plug.
template <class Map, class Call> void near(const Map& map, const PlugKey& key, Call call) {
    for (auto i = map.lower_bound({key.first, {}}); i != map.end() && i->first.first == key.first; ++i)
        if (begins(i->first.second, key.second) || begins(key.second, i->first.second)) call(*i);
}

void mark(Value& value, const Path& path, std::size_t from, bool clean) {
    if (from < path.size() && path[from].attribute->array && !value.is_element) {
        if (path[from].index >= 0) {
            const auto found = value.elements.find(static_cast<unsigned int>(path[from].index));
            if (found != value.elements.end()) mark(*found->second, path, from, clean);
        } else {
            value.clean = clean;
            for (auto& each : value.elements) mark(*each.second, path, from, clean);
        }
        return;
    }
    if (from + 1 >= path.size()) value.mark(clean);
    else mark(value.child(path[from + 1].attribute->place), path, from + 1, clean);
}

class Walk {
public:
    explicit Walk(bool tells) : tells_(tells) {}

    DirtySet found;

    void add(Node& node, const Path& path) {
        if (found[&node].insert(path).second) todo_.emplace_back(&node, path);
    }

    void go(const std::vector<PlugKey>& changed) {
        for (const PlugKey& key : changed) {
            visit(key);
            while (!todo_.empty()) {
                const PlugKey next = todo_.back();
                todo_.pop_back();
                visit(next);
            }
        }
    }

private:
    void visit(const PlugKey& key) {
        Node& node = *key.first;
        near(world().destinations, key, [&](const auto& out) {
            for (const PlugKey& to : out.second) add(*to.first, to.second);
        });
        for (const auto& pair : node.kind->affects)
            if (touches(*pair.first, key.second)) add(node, path_of(*pair.second));
        // MPxNode::setDependentsDirty is called for each plug that becomes dirty, and names others.
        if (tells_ && node.user) {
            MPlugArray others;
            node.user->setDependentsDirty(to_plug(key), others);
            for (const MPlug& plug : others) {
                if (plug.standin_node().get() != &node) {
                    fault("setDependentsDirty of " + node.name + " named a plug of another node");
                    continue;
                }
                node.named_dirty.insert(plug.standin_path().back().attribute);
                add(node, plug.standin_path());
            }
        }
        // What is below a transform moves with it.
        if (node.kind->dag && key.second.front().attribute->name == "worldMatrix")
            for (const auto& child : node.children) add(*child, path_of(*child->find("parentMatrix")));
    }

    /// Whether a change of the plug is one of the attribute: of itself, of a compound it is in, or of a child.
    static bool touches(const Attribute& attribute, const Path& path) {
        for (const Step& step : path)
            if (step.attribute == &attribute) return true;
        for (const Attribute* at = attribute.parent; at; at = at->parent)
            if (at == path.back().attribute) return true;
        return false;
    }

    bool tells_;
    std::vector<PlugKey> todo_;
};

void each_prefix(const Path& path, const std::function<bool(const Path&)>& call) {
    for (std::size_t n = 1; n <= path.size(); ++n) {
        Path start(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(n));
        if (start.back().index >= 0 && call(element_of(start, -1))) return;
        if (call(start)) return;
    }
}

} // namespace

void mark_plug(Block& block, const Path& path, bool clean) {
    const std::lock_guard<std::recursive_mutex> lock(block.mutex);
    const auto top = block.values.find(path.front().attribute);
    if (top != block.values.end()) mark(*top->second, path, 0, clean);
}

/// The elements of an array that exist: with a value, or with a connection.
std::vector<int> indices_of(Block& block, const Path& array) {
    std::set<int> found;
    const std::size_t at = array.size() - 1;
    const auto look = [&](const PlugKey& key) {
        if (key.second.size() > at && begins(key.second, array) && key.second[at].index >= 0)
            found.insert(key.second[at].index);
    };
    near(world().sources, {block.node, array}, [&](const auto& each) { look(each.first); });
    near(world().destinations, {block.node, array}, [&](const auto& each) { look(each.first); });
    const std::lock_guard<std::recursive_mutex> lock(block.mutex);
    for (const auto& each : block.value(array).elements) found.insert(static_cast<int>(each.first));
    return std::vector<int>(found.begin(), found.end());
}

std::vector<int> indices_of(Node& node, const Path& array) { return indices_of(node.normal, array); }

const PlugKey* source_of(const PlugKey& destination) {
    const auto found = world().sources.find(destination);
    return found == world().sources.end() ? nullptr : &found->second;
}

DirtySet dependents(const std::vector<PlugKey>& changed, bool tells) {
    Walk walk(tells);
    walk.go(changed);
    return std::move(walk.found);
}

void make_dirty(const std::vector<PlugKey>& changed) {
    for (auto& each : dependents(changed)) {
        Node& node = *each.first;
        for (const Path& path : each.second) mark_plug(node.normal, path, false);
        call_back("dirty", &node);
        for (const Path& path : each.second) call_back("dirty plug", &node, to_plug({&node, path}));
    }
}

namespace {

/// A source is readable, a destination writable, both are connectable, and numbers do not go where a mesh is expected.
bool fit(const Attribute& source, const Attribute& destination) {
    if (!source.readable || !source.connectable || !destination.writable || !destination.connectable) return false;
    if (source.type == MFn::kMessageAttribute || destination.type == MFn::kMessageAttribute)
        return source.type == destination.type;
    const auto kind = [](const Attribute& a) {
        if (a.store == Store::Matrix || a.data == MFnData::kMatrix) return 2;
        if (a.store == Store::Text) return 3;
        if (a.store == Store::Object) return 4;
        return a.store == Store::Nothing ? 5 : 1;
    };
    if (kind(source) != kind(destination)) return false;
    if (kind(source) == 4)
        return source.data == destination.data || source.data == MFnData::kAny || destination.data == MFnData::kAny;
    if (kind(source) == 5) return source.children.size() == destination.children.size();
    return source.components == destination.components || source.components == 1;
}

bool legal(const PlugKey& mine, const PlugKey& other, bool as_source) {
    bool is_legal = true;
    if (!mine.first->user) return true;
    MStatus status = mine.first->user->legalConnection(to_plug(mine), to_plug(other), as_source, is_legal);
    return status == MStatus::kUnknownParameter || is_legal;
}

} // namespace

/// A destination has one source; a second connection to it fails, as connectAttr without -force does.
MStatus connect(const PlugKey& source, const PlugKey& destination) {
    if (!fit(*source.second.back().attribute, *destination.second.back().attribute)) return MStatus::kInvalidParameter;
    bool taken = false;
    each_prefix(destination.second,
                [&](const Path& path) { return taken = source_of({destination.first, path}) != nullptr; });
    if (taken || destination.first->locked || destination.first->locked_plugs.count(destination.second))
        return MStatus::kFailure;
    if (!legal(source, destination, true) || !legal(destination, source, false)) return MStatus::kFailure;
    const Edit edit;
    world().sources.emplace(destination, source);
    world().destinations[source].insert(destination);
    if (destination.first->referenced) destination.first->edits.insert(destination.second);
    destination.first->normal.value(destination.second).mark(false);
    source.first->user->connectionMade(to_plug(source), to_plug(destination), true);
    destination.first->user->connectionMade(to_plug(destination), to_plug(source), false);
    make_dirty({source});
    call_back("connection", nullptr, to_plug(source), to_plug(destination), "", 1);
    call_back("attribute changed", destination.first, to_plug(destination), to_plug(source), "", 0x01 | 0x800);
    forget_frames({destination}, MTime::standin_of_ticks(INT64_MIN / 2, MTime::k24FPS),
                  MTime::standin_of_ticks(INT64_MAX / 2, MTime::k24FPS));
    return MStatus();
}

/// The destination keeps the last value, goes back to its default, or is deleted from its array, as the attribute says
/// (MFnAttribute::setDisconnectBehavior).
MStatus disconnect(const PlugKey& source, const PlugKey& destination) {
    const PlugKey* found = source_of(destination);
    if (!found || found->first != source.first || !(found->second == source.second)) return MStatus::kFailure;
    const Edit edit;
    world().sources.erase(destination);
    world().destinations[source].erase(destination);
    if (world().destinations[source].empty()) world().destinations.erase(source);
    const Attribute& attribute = *destination.second.back().attribute;
    Value& value = destination.first->normal.value(destination.second);
    value.mark(true);
    if (attribute.disconnect == MFnAttribute::kReset) value.reset();
    if (attribute.disconnect == MFnAttribute::kDelete && attribute.array && destination.second.back().index >= 0)
        destination.first->normal.value(element_of(destination.second, -1))
            .elements.erase(static_cast<unsigned int>(destination.second.back().index));
    source.first->user->connectionBroken(to_plug(source), to_plug(destination), true);
    destination.first->user->connectionBroken(to_plug(destination), to_plug(source), false);
    make_dirty({destination});
    call_back("connection", nullptr, to_plug(source), to_plug(destination), "", 0);
    call_back("attribute changed", destination.first, to_plug(destination), to_plug(source), "", 0x02 | 0x800);
    forget_frames({destination}, MTime::standin_of_ticks(INT64_MIN / 2, MTime::k24FPS),
                  MTime::standin_of_ticks(INT64_MAX / 2, MTime::k24FPS));
    return MStatus();
}

} // namespace standin
