// Attributes, node types, nodes, and the values that nodes have in each context.
#pragma once

#include "data.h"

#include <maya/MFloatVector.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MPlugin.h>
#include <maya/MPxNode.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace standin {

/// How a value of an attribute is kept.
enum class Store { Nothing, Bool, Char, Short, Int, Int64, Float, Double, Time, Matrix, Text, Object };

struct Attribute : Thing, std::enable_shared_from_this<Attribute> {
    Attribute(MFn::Type type_, std::string name_, std::string brief_);
    bool has(MFn::Type fn) const override { return Thing::has(fn) || fn == MFn::kAttribute; }
    /// Whether it has children that share its numbers.
    bool tuple() const { return store != Store::Nothing && components > 1; }
    bool compound() const { return !children.empty(); }

    std::string name, brief, nice;
    Store store = Store::Nothing;
    unsigned int components = 1;
    MFnNumericData::Type number = MFnNumericData::kInvalid;
    MFnUnitAttribute::Type unit = MFnUnitAttribute::kInvalid;
    MFnData::Type data = MFnData::kInvalid;
    double defaults[4] = {0, 0, 0, 0};
    MTime::MTick default_ticks = 0;
    MMatrix default_matrix;
    std::shared_ptr<Data> default_data;
    std::optional<double> least, most, soft_least, soft_most;
    bool readable = true, writable = true, connectable = true, storable = true, cached = true, array = false,
         index_matters = true, keyable = false, channel_box = false, hidden = false, used_as_color = false,
         used_as_filename = false, world_space = false, affects_world_space = false, affects_appearance = false,
         builder = false, internal = false, dynamic = false;
    MFnAttribute::DisconnectBehavior disconnect = MFnAttribute::kNothing;
    std::set<std::string> categories;
    std::vector<std::pair<short, std::string>> fields;
    std::vector<std::shared_ptr<Attribute>> children;
    /// The compound that it is a child of, and where in it.
    Attribute* parent = nullptr;
    unsigned int place = 0;
    /// In the order in which they were made, for orders that are the same in every run.
    std::uint64_t id;
};

struct NodeType {
    std::string name, classification, plugin;
    unsigned int id = 0;
    MPxNode::Type kind = MPxNode::kDependNode;
    MCreatorFunction creator = nullptr;
    MFn::Type fn = MFn::kDependencyNode;
    std::set<MFn::Type> fns;
    bool dag = false, shape = false;
    std::vector<std::shared_ptr<Attribute>> attributes;
    std::vector<std::pair<const Attribute*, const Attribute*>> affects;
    /// What computes a plug that the node's own compute answered with kUnknownParameter.
    MStatus (*fallback)(MPxNode&, const MPlug&, MDataBlock&) = nullptr;

    std::shared_ptr<Attribute> find(const std::string& name) const;
    bool affected(const Attribute* attribute) const;
};

/// A value in a block: a leaf, the children of a compound, or the elements of an array.
struct Value {
    Value(const Attribute& of, Value* parent_, bool element_);
    Value(const Value&) = delete;
    Value& operator=(const Value&) = delete;
    Value& child(unsigned int place) { return *children[place]; }
    Value& element(unsigned int index);
    void mark(bool clean_);
    bool all_clean() const;
    void reset();
    /// Converts between kinds of numbers, as a connection between them does.
    void copy_from(const Value& other);
    bool is_array() const { return attribute->array && !is_element; }
    double get_number(unsigned int component = 0) const;
    void set_number(double number, unsigned int component = 0);
    std::shared_ptr<Data> to_data() const;
    bool from_data(const std::shared_ptr<Data>& from);

    const Attribute* attribute;
    Value* parent;
    bool is_element;
    /// Only outputs and inputs with a connection ever become dirty in the normal context.
    bool clean = false;
    union Numbers {
        Numbers() : d4{0, 0, 0, 0} {}
        bool b;
        char c;
        short s3[3];
        int i3[3];
        MInt64 l;
        float f3[3];
        double d4[4];
        MVector vector;
        MFloatVector float_vector;
    } own;
    /// Where the numbers are: in the parent, for a child of a tuple.
    void* at = &own;
    std::unique_ptr<MMatrix> matrix;
    MString text;
    std::shared_ptr<Data> data;
    std::vector<std::unique_ptr<Value>> children;
    std::map<unsigned int, std::unique_ptr<Value>> elements;
};

struct Node;

/// The values of a node in a context.
struct Block {
    Block(Node& of, Context* in) : node(&of), context(in) {}
    Value& value(const Attribute& top);
    Value& value(const Path& path);
    Node* node;
    Context* context;
    std::map<const Attribute*, std::unique_ptr<Value>> values;
    /// One compute at a time for a node in a context.
    std::recursive_mutex mutex;
};

/// A context with a time of its own. Blocks are made when they are asked for, and dropped after an edit.
struct Context : std::enable_shared_from_this<Context> {
    explicit Context(MTime when) : time(when) {}
    Block& block(Node& node);
    MTime time;
    std::uint64_t edit = 0;
    std::map<const Node*, std::unique_ptr<Block>> blocks;
    std::mutex mutex;
};

struct Node : Thing, std::enable_shared_from_this<Node> {
    Node(std::shared_ptr<NodeType> type_, std::string name_);
    ~Node() override;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    bool has(MFn::Type fn) const override;
    std::shared_ptr<Attribute> find(const std::string& attribute) const;
    std::vector<std::shared_ptr<Attribute>> attributes() const;
    /// Whether compute is what gives this attribute its value.
    bool computed(const Attribute* attribute) const;

    std::shared_ptr<NodeType> kind;
    std::string name;
    std::uint64_t id;
    std::unique_ptr<MPxNode> user;
    Block normal;
    std::vector<std::shared_ptr<Attribute>> dynamic;
    /// Attributes that setDependentsDirty has ever named.
    std::set<const Attribute*> named_dirty;
    bool in_scene = false, locked = false, do_not_write = false, referenced = false, standing = false;
    std::string reference_file;
    Node* parent = nullptr;
    std::vector<std::shared_ptr<Node>> children;
    std::set<Path> locked_plugs;
    std::map<Path, bool> keyable_plugs, shown_plugs;
    /// Plugs of a referenced node that were set here.
    std::set<Path> edits;
    std::atomic<std::uint64_t> computes{0}, restores{0};
};

inline bool operator==(const Step& a, const Step& b) { return a.attribute == b.attribute && a.index == b.index; }
bool operator<(const Step& a, const Step& b);

/// The path of an attribute of a node; indices are -1.
Path path_of(const Attribute& attribute);
std::string path_name(const Path& path, bool brief = false);
Path child_of(Path path, const Attribute& child);
Path element_of(Path path, int index);
/// Whether `path` begins with `start`, where an array without an index stands for all its elements.
bool begins(const Path& path, const Path& start);

/// The node of an object, or null.
Node* node_of(const MObject& object);
MObject object_of(Node& node);
MObject object_of(const Attribute& attribute);
MObject object_of(std::shared_ptr<Thing> thing);

template <class T> T give(T value, MStatus* status, MStatus is = MStatus()) {
    if (status) *status = is;
    return value;
}

/// Whether there is what a function set works on.
template <class T> MStatus good(const T& something) { return something ? MStatus::kSuccess : MStatus::kFailure; }

} // namespace standin
