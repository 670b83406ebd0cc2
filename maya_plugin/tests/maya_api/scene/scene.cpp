// The driver: evaluation, commands, files and records.

#include "world.h"

#include <maya/MAnimControl.h>
#include <maya/MGlobal.h>
#include <maya/MPxCommand.h>
#include <maya/MSceneMessage.h>

#include <algorithm>
#include <stdexcept>

namespace standin {

namespace {
World* the_world = nullptr;

std::vector<std::string> texts(const MStringArray& array) {
    std::vector<std::string> all;
    for (const MString& each : array) all.push_back(each.asUTF8());
    return all;
}
} // namespace

World& world() { return *the_world; }
bool has_world() { return the_world != nullptr; }
void set_world(World* world) { the_world = world; }

World::World() = default;
World::~World() = default;

namespace {
void make_standing_nodes() { make_node(type_named("time"), "time1", nullptr)->standing = true; }
} // namespace

Scene::Scene() : world_(std::make_unique<World>()) {
    if (the_world) throw std::runtime_error("There is a scene already.");
    set_world(world_.get());
    MTime::setUIUnit(MTime::k24FPS);
    register_builtin_types();
    make_standing_nodes();
    time_changed();
}

Scene::~Scene() {
    set_caching(false);
    end();
    world_->undo_stack.clear();
    world_->redo_stack.clear();
    while (world_->nodes.size() > 1) take_out(*world_->nodes.back());
    world_->undo_stack.clear();
    while (!world_->plugins.empty())
        if (!unload(world_->plugins.back()->name).empty()) break;
    world_->callbacks.clear();
    world_->graph.reset();
    world_->nodes.clear();
    world_->types.clear();
    set_world(nullptr);
}

std::string Scene::load_plugin(const std::string& module) { return load_module(module); }
std::string Scene::unload_plugin(const std::string& module) { return unload(module); }
std::string Scene::load_plugin(const std::string& name, Entry initialize, Entry uninitialize) {
    return load_entry(name, "", nullptr, initialize, uninitialize);
}
std::vector<std::string> Scene::node_types() const {
    std::vector<std::string> names;
    for (const auto& each : world_->types)
        if (!each.second->plugin.empty()) names.push_back(each.first);
    return names;
}
std::vector<std::string> Scene::commands() const {
    std::vector<std::string> names;
    for (const auto& each : world_->command_types) names.push_back(each.first);
    return names;
}

void Scene::end() { call_back("scene " + std::to_string(MSceneMessage::kMayaExiting), nullptr); }
void Scene::set_z_up(bool z) { world_->z_up = z; }
void Scene::set_batch(bool batch) { world_->batch = batch; }
void Scene::set_frames_per_second(double rate) {
    const std::pair<double, MTime::Unit> known[] = {{15, MTime::k15FPS},
                                                    {24, MTime::k24FPS},
                                                    {25, MTime::k25FPS},
                                                    {30, MTime::k30FPS},
                                                    {48, MTime::k48FPS},
                                                    {50, MTime::k50FPS},
                                                    {60, MTime::k60FPS},
                                                    {120, MTime::k120FPS},
                                                    {24000.0 / 1001, MTime::k23_976FPS},
                                                    {30000.0 / 1001, MTime::k29_97FPS},
                                                    {60000.0 / 1001, MTime::k59_94FPS}};
    for (const auto& each : known)
        if (std::abs(each.first - rate) < 1e-3) {
            const Edit edit;
            MTime::setUIUnit(each.second);
            world_->time_unit = each.second;
            for (MTime* time : {&world_->now, &world_->first, &world_->last}) *time = MTime(time->value(), each.second);
            return;
        }
    throw std::runtime_error("The stand-in has no unit of " + std::to_string(rate) + " frames per second.");
}

void Scene::set_time(double frame) {
    MAnimControl::setCurrentTime(MTime(frame, world_->time_unit));
    refresh();
}
double Scene::time() const { return world_->now.as(world_->time_unit); }
void Scene::set_range(double first, double last) {
    MAnimControl::setMinMaxTime(MTime(first, world_->time_unit), MTime(last, world_->time_unit));
}
void Scene::set_evaluation(Evaluation mode, unsigned int threads) {
    const Edit edit;
    world_->mode = mode;
    world_->threads = threads;
}
void Scene::set_seed(std::uint64_t seed) { world_->random.seed(seed); }

void Scene::refresh() {
    std::vector<PlugKey> visible;
    for (const auto& node : world_->nodes) {
        if (!node->kind->shape || node->normal.value(*node->find("intermediateObject")).get_number() != 0) continue;
        const auto output = node->find("outMesh") ? node->find("outMesh") : node->find("local");
        if (output) visible.emplace_back(node.get(), path_of(*output));
        visible.emplace_back(node.get(), element_of(path_of(*node->find("worldMatrix")), 0));
    }
    std::shuffle(visible.begin(), visible.end(), world_->random);
    for (const PlugKey& key : visible) evaluate(key.first->normal, key.second);
    if (world_->caching) {
        evaluation_graph();
        world_->cache_wake.notify_all();
    }
}

std::vector<Drawing> Scene::draw() { return draw_all(); }

void Scene::set_caching(bool on) {
    if (on == world_->caching) return;
    world_->caching = on;
    if (!on) {
        stop_cache();
        return;
    }
    evaluation_graph();
    start_cache();
}

void Scene::wait_for_cache() {
    World& w = *world_;
    if (!w.caching) throw std::runtime_error("Caching is off.");
    const MTime step(1.0, w.time_unit);
    const auto all_stored = [&] {
        const EvalGraph& graph = evaluation_graph();
        const std::lock_guard<std::mutex> lock(w.cache_mutex);
        bool all = true;
        for (MTime at = w.first; at <= w.last; at += step) {
            const auto found = w.stored.find(at.standin_ticks());
            all = all && found != w.stored.end();
            for (const auto& node : graph.nodes)
                all = all && (!node->caches || found->second.values.count(node->node) > 0);
        }
        return all || !graph.refused.empty();
    };
    for (;;) {
        const bool all = all_stored();
        // A user who waits leaves the host idle; what is done then may drop frames again.
        idle();
        if (all && all_stored()) return;
        std::unique_lock<std::mutex> lock(w.cache_mutex);
        w.cache_wake.notify_all();
        w.cache_done.wait_for(lock, std::chrono::milliseconds(5));
    }
}

std::vector<double> Scene::cached_frames() const {
    World& w = *world_;
    std::vector<double> frames;
    const EvalGraph& graph = evaluation_graph();
    const std::lock_guard<std::mutex> lock(w.cache_mutex);
    for (const auto& each : w.stored) {
        bool all = true;
        for (const auto& node : graph.nodes) all = all && (!node->caches || each.second.values.count(node->node) > 0);
        if (all) frames.push_back(MTime::standin_of_ticks(each.first, w.time_unit).as(w.time_unit));
    }
    return frames;
}
std::string Scene::caching_refused() const { return evaluation_graph().refused; }

MStatus Scene::command(const std::string& line) { return run_command(line, true); }
std::vector<std::string> Scene::results() const { return texts(world_->result.standin_items); }
void Scene::on_command(const std::string& name, std::function<std::string(const std::string&)> answer) {
    world_->answers[name] = std::move(answer);
}
void Scene::fail_command(const std::string& name) { world_->failing_commands.insert(name); }
void Scene::select(const std::vector<std::string>& names) {
    world_->selection.clear();
    for (const std::string& name : names)
        if (!world_->selection.add(standin::text(name)))
            throw std::runtime_error("There is no " + name + " to select.");
    call_back("event SelectionChanged", nullptr);
}
std::vector<std::string> Scene::selection() const {
    MStringArray names;
    world_->selection.getSelectionStrings(names);
    return texts(names);
}
bool Scene::undo() { return run_command("undo", false) == MStatus::kSuccess; }
bool Scene::redo() { return run_command("redo", false) == MStatus::kSuccess; }
std::size_t Scene::undo_length() const { return world_->undo_stack.size(); }
void Scene::press_escape_after(unsigned int questions) {
    world_->escape_after = questions;
    world_->escape_asked = 0;
}
std::vector<std::string> Scene::progress() const { return world_->progress; }
void Scene::idle() {
    for (;;) {
        std::vector<std::function<void()>> tasks;
        {
            const std::lock_guard<std::mutex> lock(world_->record_mutex);
            tasks.swap(world_->idle_tasks);
        }
        if (tasks.empty()) break;
        for (auto& task : tasks) task();
    }
    call_back("event idle", nullptr);
}

void Scene::save(const std::string& path) { write_scene(path); }
void Scene::open(const std::string& path) {
    clear();
    call_back("scene " + std::to_string(MSceneMessage::kBeforeOpen), nullptr);
    const Edit edit;
    read_scene(path, "");
    call_back("scene " + std::to_string(MSceneMessage::kAfterOpen), nullptr);
}
void Scene::clear() {
    call_back("scene " + std::to_string(MSceneMessage::kBeforeNew), nullptr);
    {
        const Edit edit;
        world_->undo_stack.clear();
        world_->redo_stack.clear();
        world_->selection.clear();
        for (const auto& node : std::vector<std::shared_ptr<Node>>(world_->nodes))
            if (node->in_scene && !node->standing) take_out(*node);
        world_->graph.reset();
        const std::lock_guard<std::mutex> lock(world_->cache_mutex);
        world_->stored.clear();
    }
    call_back("scene " + std::to_string(MSceneMessage::kAfterNew), nullptr);
}
void Scene::reference(const std::string& path, const std::string& space) {
    call_back("scene " + std::to_string(MSceneMessage::kBeforeReference), nullptr);
    const Edit edit;
    read_scene(path, space);
    call_back("scene " + std::to_string(MSceneMessage::kAfterReference), nullptr);
}

namespace {
template <class T> std::vector<T> copy(const std::vector<T>& items) {
    const std::lock_guard<std::mutex> lock(world().record_mutex);
    return items;
}
} // namespace

std::vector<Said> Scene::said() const { return copy(world_->said); }
std::vector<std::string> Scene::executed() const { return copy(world_->executed); }
std::vector<std::string> Scene::faults() const { return copy(world_->faults); }
void Scene::forget() {
    const std::lock_guard<std::mutex> lock(world_->record_mutex);
    world_->said.clear();
    world_->executed.clear();
    world_->faults.clear();
    world_->progress.clear();
}
void Scene::fail_input(const std::string& node, const std::string& attribute, MStatus::MStatusCode status) {
    const Edit edit;
    world_->failing.push_back(World::Failing{node, attribute, status});
}
void Scene::fail_nothing() {
    const Edit edit;
    world_->failing.clear();
}
Scene::Busy::Busy() { ++world().busy; }
Scene::Busy::~Busy() { --world().busy; }

} // namespace standin
