// Cached Playback: a thread evaluates frames in a context of its own, at the same time as the foreground, and stores
// the attributes that nodes ask for. A frame that is stored is restored when it is visited; an edit drops frames.

#include "world.h"

#include <maya/MEvaluationNode.h>

#include <algorithm>

namespace standin {

namespace {

bool complete(const EvalGraph& graph, const StoredFrame& frame) {
    for (const auto& node : graph.nodes)
        if (node->caches && !frame.values.count(node->node)) return false;
    return true;
}

/// Frames of the range that are not stored. A node that simulates is filled forwards, from the first frame that is
/// missing (MNodeCacheSetupInfo::kSimulationSupport); without one the order is random.
std::vector<MTime::MTick> missing(const EvalGraph& graph, std::mt19937_64& random) {
    World& w = world();
    std::vector<MTime::MTick> frames;
    const MTime step(1.0, w.time_unit);
    for (MTime at = w.first; at <= w.last; at += step) {
        const auto found = w.stored.find(at.standin_ticks());
        if (found == w.stored.end() || !complete(graph, found->second)) frames.push_back(at.standin_ticks());
    }
    const bool simulates =
        std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) { return node->simulates; });
    if (!simulates) std::shuffle(frames.begin(), frames.end(), random);
    return frames;
}

void keep(StoredFrame& frame, const EvalNode& node, Block& block) {
    auto& values = frame.values[node.node];
    for (const Path& path : node.stored) {
        const Value& from = block.value(path);
        auto kept = std::make_shared<Value>(*path.back().attribute, nullptr, path.back().index >= 0);
        kept->copy_from(from);
        values.emplace_back(path, kept);
    }
}

void store(EvalGraph& graph, Context& context, MTime::MTick frame) {
    StoredFrame made;
    for (const auto& node : graph.nodes)
        if (node->caches) keep(made, *node, context.block(*node->node));
    const std::lock_guard<std::mutex> lock(world().cache_mutex);
    world().stored[frame] = std::move(made);
    world().cache_done.notify_all();
}

/// Before a simulating node goes on, what is stored of the frame before is put back (MNodeCacheSetupInfo).
void resume(EvalGraph& graph, Context& context, MTime::MTick before) {
    const auto found = world().stored.find(before);
    if (found == world().stored.end()) return;
    for (const auto& node : graph.nodes) {
        const auto values = found->second.values.find(node->node);
        if (!node->simulates || values == found->second.values.end()) continue;
        for (const auto& each : values->second) context.block(*node->node).value(each.first).copy_from(*each.second);
    }
}

void fill() {
    World& w = world();
    std::mt19937_64 random(7);
    std::shared_ptr<Context> context;
    while (!w.cache_stop) {
        if (w.edit_waits) {
            std::this_thread::yield();
            continue;
        }
        std::shared_lock<std::shared_mutex> steady(w.edit_mutex);
        MTime::MTick frame = 0;
        {
            std::unique_lock<std::mutex> lock(w.cache_mutex);
            // The graph is made by the main thread; until it is the one of now there is nothing to do here.
            const bool ready = w.graph && w.graph_edit == w.edits && w.graph->refused.empty() && w.background_context &&
                               w.background_context->edit == w.edits;
            const std::vector<MTime::MTick> todo = ready ? missing(*w.graph, random) : std::vector<MTime::MTick>();
            if (todo.empty()) {
                steady.unlock();
                w.cache_done.notify_all();
                w.cache_wake.wait_for(lock, std::chrono::milliseconds(2));
                continue;
            }
            frame = todo.front();
            context = w.background_context;
            resume(*w.graph, *context, frame - MTime(1.0, w.time_unit).standin_ticks());
        }
        context->time = MTime::standin_of_ticks(frame, w.time_unit);
        const auto clock = find_node("time1");
        Value& now = context->block(*clock).value(*clock->find("outTime"));
        now.own.l = frame;
        now.mark(true);
        evaluate_frame(*w.graph, context.get(), {}, 1, random);
        store(*w.graph, *context, frame);
    }
}

} // namespace

void make_background_context() {
    World& w = world();
    w.background_context = std::make_shared<Context>(w.now);
    w.background_context->edit = w.edits;
    for (const auto& node : w.nodes) w.background_context->block(*node);
}

void start_cache() {
    World& w = world();
    if (w.background.joinable()) return;
    make_background_context();
    w.cache_stop = false;
    w.background = std::thread(fill);
}

void stop_cache() {
    World& w = world();
    if (!w.background.joinable()) return;
    {
        const std::lock_guard<std::mutex> lock(w.cache_mutex);
        w.cache_stop = true;
    }
    w.cache_wake.notify_all();
    w.background.join();
    w.background_context.reset();
    w.stored.clear();
}

/// Each node on the way says which frames of its outputs a change of some frames of an input changes
/// (MPxNode::transformInvalidationRange).
void forget_frames(const std::vector<PlugKey>& changed, MTime first, MTime last) {
    World& w = world();
    if (!w.caching || w.stored.empty()) return;
    std::map<Node*, MTimeRange> ranges;
    std::vector<std::pair<PlugKey, MTimeRange>> todo;
    for (const PlugKey& key : changed) todo.emplace_back(key, MTimeRange(first, last));
    std::set<std::pair<Node*, Path>> seen;
    while (!todo.empty()) {
        const auto [key, range] = todo.back();
        todo.pop_back();
        Node& node = *key.first;
        const MTimeRange out = node.user->transformInvalidationRange(to_plug(key), range);
        const auto before = ranges.find(&node);
        const MTimeRange all = before == ranges.end() ? out : before->second | out;
        if (!seen.insert({&node, key.second}).second && before != ranges.end() && before->second == all) continue;
        ranges[&node] = all;
        for (const auto& each : dependents({key}))
            if (each.first != &node)
                for (const Path& path : each.second) {
                    const PlugKey* source = source_of({each.first, path});
                    const bool direct = source && source->first == &node;
                    if (direct || each.first->parent == &node) todo.emplace_back(PlugKey{each.first, path}, all);
                }
    }
    const std::lock_guard<std::mutex> lock(w.cache_mutex);
    for (auto& frame : w.stored)
        for (const auto& each : ranges)
            if (each.second.contains(MTime::standin_of_ticks(frame.first, w.time_unit)))
                frame.second.values.erase(each.first);
}

/// Frames are stored when they are shown, too, if they are not there yet (cacheEvaluator in Maya's command reference:
/// -cacheFillMode "syncAsync" stores during playback and in the background).
void store_shown(EvalGraph& graph, MTime time, const std::set<Node*>& restored) {
    World& w = world();
    const std::lock_guard<std::mutex> lock(w.cache_mutex);
    StoredFrame& frame = w.stored[time.standin_ticks()];
    // The background has stored it meanwhile: a frame is from one evaluation.
    for (const auto& each : frame.values)
        if (restored.count(each.first) == 0) return;
    for (const auto& node : graph.nodes) {
        const auto is_clean = [&](const Path& path) { return node->node->normal.value(path).all_clean(); };
        if (!node->caches || frame.values.count(node->node) > 0) continue;
        if (std::any_of(node->stored.begin(), node->stored.end(), is_clean)) keep(frame, *node, node->node->normal);
    }
}

/// Drops everything that is stored, as cacheEvaluator -flushCache "destroy" does (Maya's command reference), once the
/// background is between two frames.
void flush_cache() {
    const Edit edit;
    const std::lock_guard<std::mutex> lock(world().cache_mutex);
    world().stored.clear();
    world().cache_wake.notify_all();
}

/// Values of stored nodes are put into the normal context, and postEvaluation says kEvaluatedDirectly.
std::set<Node*> restore_frame(EvalGraph& graph, MTime time) {
    World& w = world();
    std::set<Node*> restored;
    std::vector<EvalNode*> done;
    {
        const std::lock_guard<std::mutex> lock(w.cache_mutex);
        const auto found = w.stored.find(time.standin_ticks());
        if (found == w.stored.end()) return restored;
        for (const auto& node : graph.nodes) {
            const auto values = found->second.values.find(node->node);
            if (!node->caches || values == found->second.values.end()) continue;
            const std::lock_guard<std::recursive_mutex> steady(node->node->normal.mutex);
            for (const Path& path : node->dirty) mark_plug(node->node->normal, path, false);
            for (const auto& each : values->second) {
                Value& value = node->node->normal.value(each.first);
                value.copy_from(*each.second);
                value.mark(true);
            }
            restored.insert(node->node);
            ++node->node->restores;
            done.push_back(node.get());
        }
    }
    for (EvalNode* node : done)
        node->node->user->postEvaluation(MDGContext(), MEvaluationNode(node), MPxNode::kEvaluatedDirectly);
    return restored;
}

} // namespace standin
