// The scene behind the driver, and what evaluates it.
#pragma once

#include "../scene.h"
#include "model.h"

#include <maya/MCommandResult.h>
#include <maya/MDGModifier.h>
#include <maya/MMessage.h>
#include <maya/MPlugin.h>
#include <maya/MSelectionList.h>

#include <condition_variable>
#include <functional>
#include <random>
#include <set>
#include <shared_mutex>
#include <thread>

class MPxCommand;

namespace standin {

typedef std::pair<Node*, Path> PlugKey;
struct PlugLess {
    bool operator()(const PlugKey& a, const PlugKey& b) const {
        return a.first->id != b.first->id ? a.first->id < b.first->id : a.second < b.second;
    }
};
typedef std::map<PlugKey, PlugKey, PlugLess> Sources;
typedef std::map<PlugKey, std::set<PlugKey, PlugLess>, PlugLess> Destinations;

struct EvalNode {
    Node* node = nullptr;
    std::vector<Path> dirty;
    std::vector<EvalNode*> parents, children;
    /// What the node asked of Cached Playback.
    bool caches = false, simulates = false;
    std::vector<Path> stored;
};

struct EvalGraph {
    std::vector<std::unique_ptr<EvalNode>> nodes;
    std::map<Node*, EvalNode*> of;
    /// Why frames cannot be stored, if a node says so.
    std::string refused;
    std::set<std::pair<Node*, const Attribute*>> monitored;
};

struct PluginThing;

struct Plugin {
    std::string name, path, vendor, version;
    void* library = nullptr;
    MStatus (*uninitialize)(MObject) = nullptr;
    std::shared_ptr<PluginThing> thing;
};

struct PluginThing : Thing {
    PluginThing() : Thing(MFn::kPlugin) {}
    Plugin* plugin = nullptr;
};

struct CommandType {
    std::string plugin;
    MCreatorFunction creator = nullptr;
    MCreateSyntaxFunction syntax = nullptr;
};

struct Callback {
    MCallbackId id = 0;
    /// Which event, and for which node (null: all).
    std::string event;
    Node* node = nullptr;
    std::function<void(const MObject&, const MPlug&, const MPlug&, const std::string&, int)> call;
};

struct Undo {
    std::string name;
    std::function<bool()> undo, redo;
};

/// Frames that Cached Playback has stored.
struct StoredFrame {
    std::map<Node*, std::vector<std::pair<Path, std::shared_ptr<Value>>>> values;
};

struct World {
    World();
    ~World();

    // Types, nodes, connections. Everything that changes them is an Edit.
    std::map<std::string, std::shared_ptr<NodeType>> types;
    std::vector<std::shared_ptr<Node>> nodes;
    Sources sources;
    Destinations destinations;
    std::vector<std::unique_ptr<Plugin>> plugins;
    std::map<std::string, CommandType> command_types;
    /// The plug-in that is being loaded, and the type whose attributes are being made.
    Plugin* loading = nullptr;
    NodeType* making = nullptr;

    // Time and evaluation.
    MTime now{1.0, MTime::k24FPS}, first{1.0, MTime::k24FPS}, last{24.0, MTime::k24FPS};
    std::atomic<bool> z_up{false}, batch{false};
    MTime::Unit time_unit = MTime::k24FPS;
    Evaluation mode = Evaluation::Dg;
    unsigned int threads = 4;
    std::mt19937_64 random{1};
    std::atomic<std::uint64_t> edits{1};
    std::unique_ptr<EvalGraph> graph;
    std::uint64_t graph_edit = 0;
    std::shared_mutex edit_mutex;
    unsigned int edit_depth = 0;
    std::atomic<bool> edit_waits{false};
    std::thread::id main_thread = std::this_thread::get_id();

    // Cached Playback.
    bool caching = false;
    std::thread background;
    std::shared_ptr<Context> background_context;
    std::mutex cache_mutex;
    std::condition_variable cache_wake, cache_done;
    std::map<MTime::MTick, StoredFrame> stored;
    std::atomic<bool> cache_stop{false};

    // Commands and files.
    std::vector<Undo> undo_stack, redo_stack;
    bool undoing = false, redoing = false;
    unsigned int command_depth = 0;
    MCommandResult result;
    std::map<std::string, std::function<std::string(const std::string&)>> answers;
    std::set<std::string> failing_commands;
    MSelectionList selection;
    std::vector<std::function<void()>> idle_tasks;
    unsigned int escape_after = 0xffffffffU, escape_asked = 0;
    std::map<std::string, std::string> option_vars;
    bool reading_file = false;

    // What happened.
    std::mutex record_mutex;
    std::vector<Said> said;
    std::vector<std::string> executed, faults, progress;
    std::atomic<unsigned int> busy{0};
    std::vector<Callback> callbacks;
    /// What those who heard of a deletion have added to it.
    std::vector<std::shared_ptr<MDGModifier>> deleting;
    MCallbackId next_callback = 1;
    struct Failing {
        std::string node, attribute;
        MStatus::MStatusCode status;
    };
    std::vector<Failing> failing;
};

World& world();
bool has_world();
void set_world(World* world);

/// While it lives the scene is changed; the background evaluates nothing, and what it has stored is looked through.
class Edit {
public:
    Edit();
    ~Edit();
    Edit(const Edit&) = delete;
    Edit& operator=(const Edit&) = delete;
};

// record.cpp
void fault(const std::string& sentence);
void say(int level, const std::string& text);
void call_back(const std::string& event, Node* node, const MPlug& plug = MPlug(), const MPlug& other = MPlug(),
               const std::string& text = "", int number = 0);
MCallbackId add_callback(Callback callback);

// types.cpp
void register_builtin_types();
std::shared_ptr<NodeType> type_named(const std::string& name);
std::shared_ptr<NodeType> type_with_id(unsigned int id);
void inherit(NodeType& type, MPxNode::Type kind);
/// Attributes that every node of a kind has.
void add_dag_attributes(NodeType& type);
void add_filter_attributes(NodeType& type);
MStatus filter_compute(MPxNode& node, const MPlug& plug, MDataBlock& block);

// nodes.cpp
std::shared_ptr<Node> make_node(const std::shared_ptr<NodeType>& type, const std::string& name, Node* parent);
void add_to_scene(const std::shared_ptr<Node>& node, Node* parent);
/// Takes the node and those below it out, with their connections; gives back what brings them back.
std::function<void()> take_out(Node& node);
/// The same as a user's deletion.
std::function<void()> delete_node(Node& node, bool rewires);
std::shared_ptr<Node> find_node(const std::string& name);
std::string rename_node(Node& node, const std::string& name);
std::string free_name(const std::string& wanted);
bool find_plug(const std::string& name, MPlug& plug);
/// The part after the name of the node, which may begin with a child of a compound.
bool find_plug(Node& node, const std::string& path, Path& found);
std::string plug_name(const PlugKey& key);
MPlug to_plug(const PlugKey& key);
PlugKey key_of(const MPlug& plug);

// graph.cpp
MStatus connect(const PlugKey& source, const PlugKey& destination);
MStatus disconnect(const PlugKey& source, const PlugKey& destination);
const PlugKey* source_of(const PlugKey& destination);
std::vector<int> indices_of(Block& block, const Path& array);
std::vector<int> indices_of(Node& node, const Path& array);
void mark_plug(Block& block, const Path& path, bool clean);
typedef std::map<Node*, std::set<Path>> DirtySet;
/// Everything that changes when these plugs change; whether nodes are told so by setDependentsDirty.
DirtySet dependents(const std::vector<PlugKey>& changed, bool tells = true);
void make_dirty(const std::vector<PlugKey>& changed);

// evaluate.cpp
Block& block_in(Node& node, Context* context);
/// Brings a plug up to date in its block.
MStatus evaluate(Block& block, const Path& path);
Context* current_context();
void set_current_context(std::shared_ptr<Context> context);
std::shared_ptr<Context> current_context_owner();
bool computing();
/// The value of a plug in the current context, up to date.
Value& pulled(const MPlug& plug);
/// An edit of a value by who is no node: refused if the plug is locked or has a source.
MStatus set_value(const MPlug& plug, const std::function<bool(Value&)>& change);
/// Whether reading this attribute of this node is to fail, and how.
MStatus failing_status(const Block& block, const Path& path);

// manager.cpp
EvalGraph& evaluation_graph();
void evaluate_frame(EvalGraph& graph, Context* context, const std::set<Node*>& restored, unsigned int threads,
                    std::mt19937_64& random);
void time_changed();
void drag(const MPlug& plug, double value);

// cache.cpp
void start_cache();
/// Values that no node computes, for the background: made while nothing is evaluated, so that foreground and background
/// do not wait for each other later.
void make_background_context();
void stop_cache();
void forget_frames(const std::vector<PlugKey>& changed, MTime first, MTime last);
void store_shown(EvalGraph& graph, MTime time, const std::set<Node*>& restored);
void flush_cache();
std::set<Node*> restore_frame(EvalGraph& graph, MTime time);

// commands.cpp
MStatus run_command(const std::string& line, bool undo);
std::vector<std::string> words_of(const std::string& line);
void push_undo(Undo undo);
void undoable(const std::string& name, const std::function<std::function<void()>()>& change);

// draw.cpp, plugin.cpp
std::vector<Drawing> draw_all();
std::string load_entry(const std::string& name, const std::string& path, void* library, MStatus (*initialize)(MObject),
                       MStatus (*uninitialize)(MObject));
std::string load_module(const std::string& path);
std::string unload(const std::string& name_or_path);

// file.cpp
void write_scene(const std::string& path);
void read_scene(const std::string& path, const std::string& space);

} // namespace standin
