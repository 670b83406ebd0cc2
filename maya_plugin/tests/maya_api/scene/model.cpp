#include "model.h"

#include "world.h"

namespace standin {

namespace {

std::atomic<std::uint64_t> next_id{1};

std::size_t size_of(Store store) {
    switch (store) {
    case Store::Bool: return sizeof(bool);
    case Store::Char: return sizeof(char);
    case Store::Short: return sizeof(short);
    case Store::Int: return sizeof(int);
    case Store::Float: return sizeof(float);
    default: return sizeof(double);
    }
}

} // namespace

UvSet* MeshData::uv_set(const std::string& name) {
    for (UvSet& set : uv_sets)
        if (set.name == name) return &set;
    return nullptr;
}

Attribute::Attribute(MFn::Type type_, std::string name_, std::string brief_)
    : Thing(type_), name(std::move(name_)), brief(std::move(brief_)), id(next_id++) {}

std::shared_ptr<Attribute> NodeType::find(const std::string& wanted) const {
    for (const auto& attribute : attributes)
        if (attribute->name == wanted || attribute->brief == wanted) return attribute;
    return nullptr;
}

bool NodeType::affected(const Attribute* attribute) const {
    for (const auto& pair : affects)
        if (pair.second == attribute) return true;
    return false;
}

Value::Value(const Attribute& of, Value* parent_, bool element_)
    : attribute(&of), parent(parent_), is_element(element_) {
    if (is_array()) return;
    for (const auto& each : of.children) children.push_back(std::make_unique<Value>(*each, this, false));
    if (parent && parent->attribute == of.parent && of.parent && of.parent->tuple())
        at = static_cast<char*>(parent->at) + of.place * size_of(of.store);
    // Children are made before the parent has values, so that only the outermost sets them.
    if (!of.children.empty() && of.tuple())
        for (std::size_t i = 0; i < children.size(); ++i)
            children[i]->at = static_cast<char*>(at) + i * size_of(of.store);
    if (!(of.parent && of.parent->tuple())) reset();
}

Value& Value::element(unsigned int index) {
    auto& found = elements[index];
    if (!found) found = std::make_unique<Value>(*attribute, this, true);
    return *found;
}

void Value::mark(bool clean_) {
    clean = clean_;
    for (auto& each : children) each->mark(clean_);
    for (auto& each : elements) each.second->mark(clean_);
}

bool Value::all_clean() const {
    if (is_array()) {
        for (const auto& each : elements)
            if (!each.second->all_clean()) return false;
        return clean || !elements.empty();
    }
    if (children.empty()) return clean;
    for (const auto& each : children)
        if (!each->all_clean()) return false;
    return true;
}

/// An attribute that nobody has set has its default value (MFnNumericAttribute::setDefault).
void Value::reset() {
    if (is_array()) {
        elements.clear();
        return;
    }
    for (unsigned int i = 0; i < attribute->components; ++i)
        if (attribute->store != Store::Time) set_number(attribute->defaults[i], i);
    if (attribute->store == Store::Time) own.l = attribute->default_ticks;
    if (attribute->store == Store::Matrix) matrix = std::make_unique<MMatrix>(attribute->default_matrix);
    if (attribute->store == Store::Object) data = attribute->default_data;
    if (attribute->store == Store::Text) {
        text.clear();
        if (auto string = std::dynamic_pointer_cast<StringData>(attribute->default_data)) text = string->items;
    }
    for (auto& each : children)
        if (!attribute->tuple()) each->reset();
}

double Value::get_number(unsigned int i) const {
    switch (attribute->store) {
    case Store::Bool: return *static_cast<bool*>(at) ? 1 : 0;
    case Store::Char: return static_cast<char*>(at)[i];
    case Store::Short: return static_cast<short*>(at)[i];
    case Store::Int: return static_cast<int*>(at)[i];
    case Store::Int64: return static_cast<double>(*static_cast<MInt64*>(at));
    case Store::Float: return static_cast<double>(static_cast<float*>(at)[i]);
    case Store::Double: return static_cast<double*>(at)[i];
    case Store::Time: return MTime::standin_of_ticks(own.l, MTime::uiUnit()).value();
    default: return 0;
    }
}

void Value::set_number(double number, unsigned int i) {
    switch (attribute->store) {
    case Store::Bool: *static_cast<bool*>(at) = number != 0; break;
    case Store::Char: static_cast<char*>(at)[i] = static_cast<char>(number); break;
    case Store::Short: static_cast<short*>(at)[i] = static_cast<short>(number); break;
    case Store::Int: static_cast<int*>(at)[i] = static_cast<int>(number); break;
    case Store::Int64: *static_cast<MInt64*>(at) = static_cast<MInt64>(number); break;
    case Store::Float: static_cast<float*>(at)[i] = static_cast<float>(number); break;
    case Store::Double: static_cast<double*>(at)[i] = number; break;
    case Store::Time: own.l = MTime(number, MTime::uiUnit()).standin_ticks(); break;
    default: break;
    }
}

std::shared_ptr<Data> Value::to_data() const {
    if (attribute->store == Store::Text) {
        auto made = std::make_shared<StringData>();
        made->items = text;
        return made;
    }
    if (attribute->store == Store::Matrix) {
        auto made = std::make_shared<MatrixData>();
        made->items = matrix ? *matrix : MMatrix();
        return made;
    }
    if (attribute->tuple()) {
        auto made = std::make_shared<NumericData>();
        for (unsigned int i = 0; i < attribute->components; ++i) made->items.push_back(get_number(i));
        return made;
    }
    return data;
}

bool Value::from_data(const std::shared_ptr<Data>& from) {
    if (attribute->store == Store::Text) {
        auto string = std::dynamic_pointer_cast<StringData>(from);
        if (string) text = string->items;
        return string != nullptr;
    }
    if (attribute->store == Store::Matrix) {
        auto found = std::dynamic_pointer_cast<MatrixData>(from);
        if (found) matrix = std::make_unique<MMatrix>(found->items);
        return found != nullptr;
    }
    if (attribute->tuple()) {
        auto found = std::dynamic_pointer_cast<NumericData>(from);
        if (!found || found->items.size() < attribute->components) return false;
        for (unsigned int i = 0; i < attribute->components; ++i) set_number(found->items[i], i);
        return true;
    }
    if (attribute->store != Store::Object) return false;
    if (from && attribute->data != MFnData::kAny && attribute->data != from->kind) return false;
    data = from;
    return true;
}

void Value::copy_from(const Value& other) {
    if (is_array() && other.is_array()) {
        for (auto i = elements.begin(); i != elements.end();)
            i = other.elements.count(i->first) ? std::next(i) : elements.erase(i);
        for (const auto& each : other.elements) element(each.first).copy_from(*each.second);
        clean = true;
        return;
    }
    if (attribute->store == Store::Time && other.attribute->store == Store::Time) {
        own.l = other.own.l;
    } else if (attribute->store == Store::Matrix) {
        if (auto from = std::dynamic_pointer_cast<MatrixData>(other.to_data()))
            matrix = std::make_unique<MMatrix>(from->items);
    } else if (attribute->store == Store::Text) {
        text = other.text;
    } else if (attribute->store == Store::Object) {
        data = other.to_data();
    } else if (attribute->store != Store::Nothing) {
        const unsigned int count = std::min(attribute->components, other.attribute->components);
        for (unsigned int i = 0; i < count; ++i) set_number(other.get_number(i), i);
    }
    if (attribute->tuple()) {
        mark(true);
        return;
    }
    for (std::size_t i = 0; i < children.size() && i < other.children.size(); ++i)
        children[i]->copy_from(*other.children[i]);
    clean = true;
}

Value& Block::value(const Attribute& top) {
    auto& found = values[&top];
    if (!found) found = std::make_unique<Value>(top, nullptr, false);
    return *found;
}

Value& Block::value(const Path& path) {
    Value* at = nullptr;
    for (const Step& step : path) {
        at = at ? &at->child(step.attribute->place) : &value(*step.attribute);
        if (step.attribute->array && step.index >= 0) at = &at->element(static_cast<unsigned int>(step.index));
        // A child of an array without an index is the same as that of its first element, as MPlug::child has it.
        if (step.attribute->array && step.index < 0 && &step != &path.back()) at = &at->element(0);
    }
    return *at;
}

/// Values that no node computes are those of the normal context; a time of its own is what time1 gives.
Block& Context::block(Node& node) {
    const std::lock_guard<std::mutex> lock(mutex);
    auto& found = blocks[&node];
    if (found) return *found;
    found = std::make_unique<Block>(node, this);
    const std::lock_guard<std::recursive_mutex> steady(node.normal.mutex);
    for (const auto& attribute : node.attributes())
        if (!attribute->parent && !node.computed(attribute.get()) && node.normal.values.count(attribute.get()))
            found->value(*attribute).copy_from(node.normal.value(*attribute));
    const Sources& sources = world().sources;
    for (auto i = sources.lower_bound({&node, {}}); i != sources.end() && i->first.first == &node; ++i)
        found->value(i->first.second).mark(false);
    if (node.kind->name == "time") found->value(*node.find("outTime")).own.l = time.standin_ticks();
    return *found;
}

Node::Node(std::shared_ptr<NodeType> type_, std::string name_)
    : Thing(type_->fn), kind(std::move(type_)), name(std::move(name_)), id(next_id++), normal(*this, nullptr) {}

Node::~Node() = default;

bool Node::has(MFn::Type fn) const {
    return fn == MFn::kBase || fn == MFn::kNamedObject || fn == MFn::kDependencyNode || fn == type ||
           kind->fns.count(fn) > 0;
}

std::shared_ptr<Attribute> Node::find(const std::string& wanted) const {
    for (const auto& attribute : attributes())
        if (attribute->name == wanted || attribute->brief == wanted) return attribute;
    return nullptr;
}

std::vector<std::shared_ptr<Attribute>> Node::attributes() const {
    std::vector<std::shared_ptr<Attribute>> all;
    const std::function<void(const std::shared_ptr<Attribute>&)> add =
        [&](const std::shared_ptr<Attribute>& attribute) {
            all.push_back(attribute);
            for (const auto& child : attribute->children) add(child);
        };
    for (const auto& attribute : kind->attributes)
        if (!attribute->parent) add(attribute);
    for (const auto& attribute : dynamic)
        if (!attribute->parent) add(attribute);
    return all;
}

bool Node::computed(const Attribute* attribute) const {
    for (const Attribute* at = attribute; at; at = at->parent)
        if (kind->affected(at) || named_dirty.count(at)) return true;
    return false;
}

bool operator<(const Step& a, const Step& b) {
    return a.attribute != b.attribute ? a.attribute->id < b.attribute->id : a.index < b.index;
}

Path path_of(const Attribute& attribute) {
    Path path;
    for (const Attribute* at = &attribute; at; at = at->parent) path.insert(path.begin(), Step{at, -1});
    return path;
}

std::string path_name(const Path& path, bool brief) {
    std::string name;
    for (const Step& step : path) {
        // The children of a tuple are named without it: "translateX".
        if (step.attribute->parent && step.attribute->parent->tuple()) name.clear();
        if (!name.empty()) name += '.';
        name += brief ? step.attribute->brief : step.attribute->name;
        if (step.index >= 0) name += '[' + std::to_string(step.index) + ']';
    }
    return name;
}

Path child_of(Path path, const Attribute& child) {
    path.push_back(Step{&child, -1});
    return path;
}

Path element_of(Path path, int index) {
    path.back().index = index;
    return path;
}

bool begins(const Path& path, const Path& start) {
    if (start.size() > path.size()) return false;
    for (std::size_t i = 0; i < start.size(); ++i)
        if (start[i].attribute != path[i].attribute || (start[i].index >= 0 && start[i].index != path[i].index))
            return false;
    return true;
}

Node* node_of(const MObject& object) { return dynamic_cast<Node*>(object.standin_thing().get()); }

MObject object_of(Node& node) { return MObject(std::static_pointer_cast<Thing>(node.shared_from_this())); }

MObject object_of(const Attribute& attribute) {
    return MObject(std::const_pointer_cast<Attribute>(attribute.shared_from_this()));
}

MObject object_of(std::shared_ptr<Thing> thing) { return MObject(std::move(thing)); }

} // namespace standin
