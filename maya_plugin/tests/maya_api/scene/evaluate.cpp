// Values on demand: a dirty plug is pulled through its connection, or computed by its node.

#include "world.h"

namespace standin {

namespace {

thread_local std::shared_ptr<Context> current;
thread_local std::vector<std::pair<Block*, Path>> computing_now;

/// Calls the node's compute for a plug (MPxNode::compute): it is to answer kUnknownParameter for what it does not know,
/// and to mark as clean what it has computed; what it leaves dirty is computed again.
MStatus compute(Block& block, const Path& path) {
    Node& node = *block.node;
    for (const auto& each : computing_now)
        if (each.first == &block && each.second == path) {
            fault("The plug " + plug_name({&node, path}) + " depends on itself.");
            return MStatus::kFailure;
        }
    computing_now.emplace_back(&block, path);
    const std::shared_ptr<Context> before = current;
    current = block.context ? block.context->shared_from_this() : nullptr;
    ++node.computes;
    MStatus status;
    try {
        const MPlug plug = to_plug({&node, path});
        MDataBlock data(&block);
        status = node.user->compute(plug, data);
        if (status == MStatus::kUnknownParameter && node.kind->fallback)
            status = node.kind->fallback(*node.user, plug, data);
    } catch (...) {
        fault("An exception left compute of " + node.name + ".");
        status = MStatus::kFailure;
    }
    current = before;
    computing_now.pop_back();
    return status;
}

/// The connection of a plug or of what it is a part of; false if there is none.
bool pull_connection(Block& block, const Path& path) {
    for (std::size_t n = 1; n <= path.size(); ++n) {
        Path start(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(n));
        for (int whole = start.back().index >= 0 ? 1 : 0; whole >= 0; --whole) {
            const Path at = whole ? element_of(start, -1) : start;
            const PlugKey* source = source_of({block.node, at});
            if (!source) continue;
            Value& value = block.value(at);
            if (value.all_clean()) return true;
            Block& from = block_in(*source->first, block.context);
            evaluate(from, source->second);
            value.copy_from(from.value(source->second));
            value.mark(true);
            return true;
        }
    }
    return false;
}

} // namespace

Context* current_context() { return current.get(); }
std::shared_ptr<Context> current_context_owner() { return current; }
void set_current_context(std::shared_ptr<Context> context) { current = std::move(context); }
bool computing() { return !computing_now.empty(); }

Block& block_in(Node& node, Context* context) {
    if (!context) return node.normal;
    const std::uint64_t edits = world().edits;
    if (context->edit != edits) {
        const std::lock_guard<std::mutex> lock(context->mutex);
        context->blocks.clear();
        context->edit = edits;
    }
    return context->block(node);
}

MStatus evaluate(Block& block, const Path& path) {
    const std::lock_guard<std::recursive_mutex> lock(block.mutex);
    if (pull_connection(block, path)) return MStatus();
    const Attribute& attribute = *path.back().attribute;
    const bool computed = block.node->computed(&attribute);
    Value* value = &block.value(path);
    if (value->is_array()) {
        const std::vector<int> indices = indices_of(block, path);
        if (indices.empty() && computed && !value->clean) return compute(block, path);
        for (int index : indices) evaluate(block, element_of(path, index));
        return MStatus();
    }
    if (attribute.compound() && !attribute.tuple() && !computed) {
        for (const auto& child : attribute.children) evaluate(block, child_of(path, *child));
        return MStatus();
    }
    if (attribute.tuple())
        for (const auto& child : attribute.children) pull_connection(block, child_of(path, *child));
    if (value->all_clean()) return MStatus();
    if (computed) return compute(block, path);
    value->mark(true);
    return MStatus();
}

/// The value of an internal attribute is the node's own affair (MPxNode::getInternalValue).
Value& pulled(const MPlug& plug) {
    Block& block = block_in(*plug.standin_node(), current_context());
    evaluate(block, plug.standin_path());
    Value& value = block.value(plug.standin_path());
    MDataHandle handle(&value, &block);
    if (value.attribute->internal) plug.standin_node()->user->getInternalValue(plug, handle);
    return value;
}

MStatus failing_status(const Block& block, const Path& path) {
    for (const auto& each : world().failing) {
        if (each.node != block.node->name) continue;
        if (each.attribute.empty()) return each.status;
        for (const Step& step : path)
            if (step.attribute->name == each.attribute) return each.status;
    }
    return MStatus();
}

MStatus set_value(const MPlug& plug, const std::function<bool(Value&)>& change) {
    if (plug.isNull()) return MStatus::kInvalidParameter;
    Node& node = *plug.standin_node();
    const Path& path = plug.standin_path();
    if (computing()) fault("The plug " + plug_name(key_of(plug)) + " was set while nodes are computing.");
    for (std::size_t n = 1; n <= path.size(); ++n) {
        const Path start(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(n));
        if (node.locked || node.locked_plugs.count(start) || source_of({&node, start})) return MStatus::kFailure;
    }
    const Edit edit;
    Value& value = node.normal.value(path);
    MDataHandle handle(&value, &node.normal);
    if (!change(value)) return MStatus::kInvalidParameter;
    value.mark(true);
    if (path.back().attribute->internal) node.user->setInternalValue(plug, handle);
    if (node.referenced) node.edits.insert(path);
    make_dirty({key_of(plug)});
    call_back("attribute changed", &node, plug, MPlug(), "", 0x08);
    forget_frames({key_of(plug)}, MTime::standin_of_ticks(INT64_MIN / 2, MTime::k24FPS),
                  MTime::standin_of_ticks(INT64_MAX / 2, MTime::k24FPS));
    return MStatus();
}

Edit::Edit() {
    World& w = world();
    if (std::this_thread::get_id() != w.main_thread) {
        fault("The scene was changed from a thread that is not the main one.");
        return;
    }
    if (w.edit_depth++ > 0) return;
    w.edit_waits = true;
    w.edit_mutex.lock();
    w.edit_waits = false;
    ++w.edits;
}

Edit::~Edit() {
    World& w = world();
    if (std::this_thread::get_id() != w.main_thread || --w.edit_depth > 0) return;
    w.edit_mutex.unlock();
    w.cache_wake.notify_all();
}

} // namespace standin
