// What happens when the time changes: the graph of what is animated, and its evaluation in random topological order.

#include "world.h"

#include <maya/MCacheSchema.h>
#include <maya/MEvaluationNode.h>
#include <maya/MEvaluationNodeIterator.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>

#include <algorithm>

using namespace standin;

namespace {

struct Disabling : MNodeCacheDisablingInfo {
    std::string reason() const {
        return std::string(reason_.asUTF8()) + (mitigation_.isEmpty() ? "" : " ") + mitigation_.asUTF8();
    }
};
struct Setup : MNodeCacheSetupInfo {};
struct Schema : MCacheSchema {};

bool same_attribute(const Path& path, const MObject& attribute) {
    for (const Step& step : path)
        if (object_of(*step.attribute) == attribute) return true;
    auto wanted = as<Attribute>(attribute);
    for (const Attribute* at = wanted ? wanted->parent : nullptr; at; at = at->parent)
        if (at == path.back().attribute) return true;
    return false;
}

} // namespace

MEvaluationNodeIterator MEvaluationNode::iterator(MStatus* s) const { return MEvaluationNodeIterator(*this, s); }
int MEvaluationNode::parentCount() const { return static_cast<int>(node_->parents.size()); }
MEvaluationNode MEvaluationNode::parent(int i) const {
    return MEvaluationNode(node_->parents[static_cast<std::size_t>(i)]);
}
int MEvaluationNode::childCount() const { return static_cast<int>(node_->children.size()); }
MEvaluationNode MEvaluationNode::child(int i) const {
    return MEvaluationNode(node_->children[static_cast<std::size_t>(i)]);
}
/// Whether the attribute, or a part of it, is animated.
bool MEvaluationNode::dirtyPlugExists(const MObject& attribute, MStatus* s) const {
    return give(std::any_of(node_->dirty.begin(), node_->dirty.end(),
                            [&](const Path& p) { return same_attribute(p, attribute); }),
                s);
}
MPlug MEvaluationNode::dirtyPlug(const MObject& attribute, MStatus* s) const {
    for (const Path& path : node_->dirty)
        if (same_attribute(path, attribute)) return give(to_plug({node_->node, path}), s);
    return give(MPlug(), s, MStatus::kFailure);
}
MObject MEvaluationNode::dependencyNode(MStatus* s) const { return give(object_of(*node_->node), s); }
MDataBlock MEvaluationNode::datablock(MStatus* s) const {
    return give(MDataBlock(&block_in(*node_->node, current_context())), s);
}
MEvaluationNodeIterator::MEvaluationNodeIterator(const MEvaluationNode& node, MStatus* s)
    : node_(node.standin_eval_node()) {
    if (s) *s = MStatus();
}
MPlug MEvaluationNodeIterator::plug() { return to_plug({node_->node, node_->dirty[at_]}); }
bool MEvaluationNodeIterator::isDone() const { return at_ >= node_->dirty.size(); }
void MEvaluationNodeIterator::next() { ++at_; }
void MEvaluationNodeIterator::reset() { at_ = 0; }

void MNodeCacheSetupInfo::setPreference(PreferenceFlag, bool wants) { wants_ = wants; }
bool MNodeCacheSetupInfo::getPreference(PreferenceFlag) const { return wants_; }
void MNodeCacheSetupInfo::setRequirement(RequirementFlag, bool simulation) { simulation_ = simulation; }
bool MNodeCacheSetupInfo::getRequirement(RequirementFlag) const { return simulation_; }
void MNodeCacheDisablingInfo::setCacheDisabled(bool disabled) { disabled_ = disabled; }
bool MNodeCacheDisablingInfo::getCacheDisabled() const { return disabled_; }
void MNodeCacheDisablingInfo::setReason(const MString& reason) { reason_ = reason; }
void MNodeCacheDisablingInfo::setMitigation(const MString& text) { mitigation_ = text; }
void MNodeCacheDisablingInfo::reset() { disabled_ = false, reason_.clear(), mitigation_.clear(); }
MStatus MCacheSchema::add(const MObject& attribute) { return attributes_.standin_attributes.append(attribute); }

namespace standin {

namespace {

/// A node computes what is read by others or drawn: outputs with a connection, and all of a shape.
bool evaluated(const EvalNode& node, const Path& path) {
    if (!node.node->computed(path.back().attribute)) return false;
    if (node.node->kind->dag) return true;
    for (auto i = world().destinations.lower_bound({node.node, {}});
         i != world().destinations.end() && i->first.first == node.node; ++i)
        if (begins(i->first.second, path) || begins(path, i->first.second)) return true;
    return false;
}

/// Cached Playback asks nodes in the graph what they want stored (MPxNode::getCacheSetup, configCache). Without a word
/// from the node, meshes are stored: they are what is drawn.
void ask_for_caching(EvalGraph& graph, EvalNode& node) {
    const MEvaluationNode handle(&node);
    Disabling disabling;
    Setup setup;
    MObjectArray monitored;
    node.node->user->getCacheSetup(handle, disabling, setup, monitored);
    node.caches = setup.getPreference(MNodeCacheSetupInfo::kWantToCacheByDefault) || node.node->kind->name == "mesh";
    node.simulates = setup.getRequirement(MNodeCacheSetupInfo::kSimulationSupport);
    if (disabling.getCacheDisabled() && graph.refused.empty())
        graph.refused = node.node->name + ": " + disabling.reason();
    for (const MObject& each : monitored)
        if (auto attribute = as<Attribute>(each)) graph.monitored.insert({node.node, attribute.get()});
    if (!node.caches) return;
    Schema schema;
    node.node->user->configCache(handle, schema);
    for (const Path& path : node.dirty)
        if (evaluated(node, path)) node.stored.push_back(path);
    for (const MObject& each : schema.attributes())
        if (auto attribute = as<Attribute>(each)) node.stored.push_back(path_of(*attribute));
}

} // namespace

namespace {

/// A graph of what changes, with the ways between.
std::unique_ptr<EvalGraph> graph_of(const DirtySet& changes) {
    auto graph = std::make_unique<EvalGraph>();
    for (const auto& each : changes) {
        auto node = std::make_unique<EvalNode>();
        node->node = each.first;
        node->dirty.assign(each.second.begin(), each.second.end());
        graph->of[each.first] = node.get();
        graph->nodes.push_back(std::move(node));
    }
    const auto link = [&](Node* from, Node* to) {
        const auto a = graph->of.find(from), b = graph->of.find(to);
        if (from == to || a == graph->of.end() || b == graph->of.end()) return;
        if (std::find(a->second->children.begin(), a->second->children.end(), b->second) != a->second->children.end())
            return;
        a->second->children.push_back(b->second);
        b->second->parents.push_back(a->second);
    };
    for (const auto& each : world().sources) link(each.second.first, each.first.first);
    for (const auto& node : world().nodes)
        for (const auto& child : node->children) link(node.get(), child.get());
    return graph;
}

} // namespace

/// Made anew after each edit of the scene, from everything that depends on the time.
EvalGraph& evaluation_graph() {
    World& w = world();
    if (w.graph && w.graph_edit == w.edits) return *w.graph;
    // The background looks at the graph, and must not while it is made.
    const Edit edit;
    const auto clock = find_node("time1");
    w.graph = graph_of(dependents({{clock.get(), path_of(*clock->find("outTime"))}}));
    for (auto& node : w.graph->nodes) ask_for_caching(*w.graph, *node);
    w.graph_edit = w.edits;
    if (w.caching) make_background_context();
    return *w.graph;
}

namespace {

/// Nodes that are ready are taken in random order by several threads, as their scheduling types allow.
class Scheduler {
public:
    Scheduler(EvalGraph& graph, Context* context, const std::set<Node*>& restored, std::mt19937_64& random)
        : context_(context), random_(random) {
        make_groups(graph);
        std::set<EvalNode*> needed;
        // What is only needed by nodes whose values came out of the cache is not evaluated.
        const std::function<void(EvalNode*)> need = [&](EvalNode* node) {
            if (restored.count(node->node) || !needed.insert(node).second) return;
            for (EvalNode* parent : node->parents) need(parent);
        };
        for (auto& node : graph.nodes)
            if (node->children.empty() || node->node->kind->shape) need(node.get());
        for (EvalNode* node : needed) {
            std::size_t waits = 0;
            for (EvalNode* parent : node->parents) waits += needed.count(parent);
            waiting_[node] = waits;
            if (waits == 0) ready_.push_back(node);
        }
        left_ = needed.size();
    }

    void run(unsigned int threads) {
        std::vector<std::thread> others;
        for (unsigned int i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
        work();
        for (std::thread& thread : others) thread.join();
    }

private:
    bool allowed(const EvalNode* node) const {
        const auto type = node->node->user->schedulingType();
        if (untrusted_running_ > 0) return false;
        if (type == MPxNode::kUntrusted) return running_.empty();
        if (type == MPxNode::kGloballySerial) return globally_serial_running_ == 0;
        if (type != MPxNode::kSerial) return true;
        return std::none_of(running_.begin(), running_.end(), [&](const EvalNode* other) {
            return groups_.count(other) && groups_.at(other) == groups_.at(node);
        });
    }

    /// Serial nodes that are connected to each other make a group, of which one runs at a time.
    void make_groups(EvalGraph& graph) {
        const auto serial = [](const EvalNode* node) { return node->node->user->schedulingType() == MPxNode::kSerial; };
        std::size_t next = 0;
        for (auto& start : graph.nodes) {
            if (!serial(start.get()) || groups_.count(start.get())) continue;
            std::vector<const EvalNode*> todo{start.get()};
            groups_[start.get()] = next;
            while (!todo.empty()) {
                const EvalNode* node = todo.back();
                todo.pop_back();
                for (const auto* side : {&node->parents, &node->children})
                    for (const EvalNode* other : *side)
                        if (serial(other) && groups_.emplace(other, next).second) todo.push_back(other);
            }
            ++next;
        }
    }

    EvalNode* take(std::unique_lock<std::mutex>& lock) {
        for (;;) {
            if (left_ == 0) return nullptr;
            std::vector<std::size_t> could;
            for (std::size_t i = 0; i < ready_.size(); ++i)
                if (allowed(ready_[i])) could.push_back(i);
            if (!could.empty()) {
                const std::size_t chosen = could[random_() % could.size()];
                EvalNode* node = ready_[chosen];
                ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(chosen));
                return node;
            }
            if (running_.empty() && ready_.empty()) {
                // A cycle: nothing can be ready any more.
                fault("Animated nodes depend on each other in a cycle.");
                left_ = 0;
                wake_.notify_all();
                return nullptr;
            }
            wake_.wait(lock);
        }
    }

    void work() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (EvalNode* node = take(lock)) {
            const auto type = node->node->user->schedulingType();
            untrusted_running_ += type == MPxNode::kUntrusted ? 1U : 0U;
            globally_serial_running_ += type == MPxNode::kGloballySerial ? 1U : 0U;
            running_.insert(node);
            lock.unlock();
            run_node(*node);
            lock.lock();
            untrusted_running_ -= type == MPxNode::kUntrusted ? 1U : 0U;
            globally_serial_running_ -= type == MPxNode::kGloballySerial ? 1U : 0U;
            running_.erase(node);
            if (left_ > 0) --left_;
            for (EvalNode* child : node->children) {
                const auto found = waiting_.find(child);
                if (found != waiting_.end() && --found->second == 0) ready_.push_back(child);
            }
            wake_.notify_all();
        }
        wake_.notify_all();
    }

    /// preEvaluation just before the node, on the thread that evaluates it, and postEvaluation after it.
    void run_node(EvalNode& node) {
        const std::shared_ptr<Context> context = context_ ? context_->shared_from_this() : nullptr;
        set_current_context(context);
        const MDGContext shown(context);
        const MEvaluationNode handle(&node);
        try {
            node.node->user->preEvaluation(shown, handle);
            Block& block = block_in(*node.node, context_);
            for (const Path& path : node.dirty)
                if (evaluated(node, path)) evaluate(block, path);
            node.node->user->postEvaluation(shown, handle, MPxNode::kEvaluatedIndirectly);
        } catch (...) {
            fault("An exception left the evaluation of " + node.node->name + ".");
        }
        set_current_context(nullptr);
    }

    Context* context_;
    std::mt19937_64& random_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<EvalNode*> ready_;
    std::map<EvalNode*, std::size_t> waiting_;
    std::set<EvalNode*> running_;
    std::map<const EvalNode*, std::size_t> groups_;
    std::size_t left_ = 0;
    unsigned int untrusted_running_ = 0, globally_serial_running_ = 0;
};

} // namespace

/// Plugs of the graph are made dirty at once: setDependentsDirty is not called while the evaluation manager is on.
void evaluate_frame(EvalGraph& graph, Context* context, const std::set<Node*>& restored, unsigned int threads,
                    std::mt19937_64& random) {
    for (auto& node : graph.nodes) {
        if (restored.count(node->node)) continue;
        for (const Path& path : node->dirty) mark_plug(block_in(*node->node, context), path, false);
    }
    Scheduler(graph, context, restored, random).run(threads);
}

void time_changed() {
    World& w = world();
    const auto clock = find_node("time1");
    {
        const std::lock_guard<std::recursive_mutex> lock(clock->normal.mutex);
        Value& value = clock->normal.value(*clock->find("outTime"));
        value.own.l = w.now.standin_ticks();
        value.mark(true);
    }
    if (w.mode == Evaluation::Dg) {
        make_dirty({{clock.get(), path_of(*clock->find("outTime"))}});
    } else {
        EvalGraph& graph = evaluation_graph();
        const std::set<Node*> restored = w.caching ? restore_frame(graph, w.now) : std::set<Node*>();
        evaluate_frame(graph, nullptr, restored, w.mode == Evaluation::Parallel ? w.threads : 1, w.random);
        if (w.caching) store_shown(graph, w.now, restored);
    }
    call_back("time changed", nullptr);
}

/// A step of a manipulator that moves what is in the graph: the graph tells what depends on it, which is evaluated at the
/// same time; nothing is marked one by one (evaluationManager -manipulation in Maya's command reference).
void drag(const MPlug& plug, double value) {
    World& w = world();
    Node& node = *plug.standin_node();
    if (w.mode == Evaluation::Dg || w.caching || !evaluation_graph().of.count(&node))
        throw std::runtime_error(plug_name(key_of(plug)) + " is not in the graph, or frames are being stored.");
    Value& dragged = node.normal.value(plug.standin_path());
    dragged.set_number(value);
    dragged.mark(true);
    const auto graph = graph_of(dependents({key_of(plug)}, false));
    evaluate_frame(*graph, nullptr, {}, w.mode == Evaluation::Parallel ? w.threads : 1, w.random);
}

} // namespace standin
