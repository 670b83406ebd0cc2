// Scenes as text: nodes, values that differ from their defaults, connections, references.

#include "world.h"

#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace standin {

namespace {

void write_data(std::ostream& out, const Data* data) {
    if (const auto* mesh = dynamic_cast<const MeshData*>(data)) {
        const auto list = [&](const auto& items) {
            out << ' ' << items.size();
            for (const auto& each : items) out << ' ' << each;
        };
        out << "mesh";
        list(mesh->points);
        list(mesh->counts);
        list(mesh->connects);
        out << ' ' << mesh->uv_sets.size() << ' ' << std::quoted(mesh->current_uv_set);
        for (const UvSet& set : mesh->uv_sets) {
            out << ' ' << std::quoted(set.name);
            list(set.u);
            list(set.v);
            list(set.counts);
            list(set.ids);
        }
        out << ' ' << mesh->tags.size();
        for (const auto& tag : mesh->tags) {
            out << ' ' << std::quoted(tag.first);
            list(tag.second->elements);
        }
    } else if (const auto* doubles = dynamic_cast<const DoubleArrayData*>(data)) {
        out << "doubles " << doubles->items.length();
        for (double each : doubles->items) out << ' ' << each;
    } else if (const auto* integers = dynamic_cast<const IntArrayData*>(data)) {
        out << "integers " << integers->items.length();
        for (int each : integers->items) out << ' ' << each;
    } else if (const auto* points = dynamic_cast<const PointArrayData*>(data)) {
        out << "points " << points->items.length();
        for (const MPoint& each : points->items) out << ' ' << each.x << ' ' << each.y << ' ' << each.z;
    } else if (const auto* vectors = dynamic_cast<const VectorArrayData*>(data)) {
        out << "vectors " << vectors->items.length();
        for (const MVector& each : vectors->items) out << ' ' << each.x << ' ' << each.y << ' ' << each.z;
    } else if (const auto* curve = dynamic_cast<const CurveData*>(data)) {
        out << "curve " << curve->degree << ' ' << curve->form << ' ' << curve->cvs.length();
        for (const MPoint& each : curve->cvs) out << ' ' << each.x << ' ' << each.y << ' ' << each.z;
        for (double each : curve->knots) out << ' ' << each;
    }
}

template <class T> std::vector<T> read_list(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    std::vector<T> items(count);
    for (T& each : items) in >> each;
    return items;
}

template <class DataType> std::shared_ptr<Data> read_triples(std::istream& in) {
    auto data = std::make_shared<DataType>();
    unsigned int count = 0;
    in >> count;
    data->items.setLength(count);
    for (auto& each : data->items) in >> each.x >> each.y >> each.z;
    return data;
}

std::shared_ptr<Data> read_mesh(std::istream& in) {
    auto mesh = std::make_shared<MeshData>();
    mesh->points = read_list<float>(in);
    mesh->counts = read_list<int>(in);
    mesh->connects = read_list<int>(in);
    std::size_t sets = 0, tags = 0;
    in >> sets >> std::quoted(mesh->current_uv_set);
    mesh->uv_sets.assign(sets, UvSet());
    for (UvSet& set : mesh->uv_sets) {
        in >> std::quoted(set.name);
        set.u = read_list<float>(in);
        set.v = read_list<float>(in);
        set.counts = read_list<int>(in);
        set.ids = read_list<int>(in);
    }
    in >> tags;
    for (std::size_t i = 0; i < tags; ++i) {
        std::string name;
        in >> std::quoted(name);
        mesh->tags[name] = std::make_shared<Component>(MFn::kMeshVertComponent);
        mesh->tags[name]->elements = read_list<int>(in);
    }
    return mesh;
}

std::shared_ptr<Data> read_data(std::istream& in) {
    std::string kind;
    in >> kind;
    if (kind == "mesh") return read_mesh(in);
    if (kind == "points") return read_triples<PointArrayData>(in);
    if (kind == "vectors") return read_triples<VectorArrayData>(in);
    if (kind == "doubles") {
        auto data = std::make_shared<DoubleArrayData>();
        for (double each : read_list<double>(in)) data->items.append(each);
        return data;
    }
    if (kind == "integers") {
        auto data = std::make_shared<IntArrayData>();
        for (int each : read_list<int>(in)) data->items.append(each);
        return data;
    }
    if (kind == "curve") {
        auto curve = std::make_shared<CurveData>();
        unsigned int count = 0;
        in >> curve->degree >> curve->form >> count;
        curve->cvs.setLength(count);
        for (MPoint& each : curve->cvs) in >> each.x >> each.y >> each.z;
        curve->knots.setLength(count + static_cast<unsigned int>(curve->degree) - 1);
        for (double& each : curve->knots) in >> each;
        return curve;
    }
    return nullptr;
}

void write_leaf(std::ostream& out, const Value& value) {
    switch (value.attribute->store) {
    case Store::Text: out << std::quoted(value.text.asUTF8()); break;
    case Store::Time: out << value.own.l; break;
    case Store::Matrix:
        for (unsigned int i = 0; i < 16; ++i) out << (*value.matrix)[i / 4][i % 4] << ' ';
        break;
    case Store::Object: write_data(out, value.data.get()); break;
    default:
        for (unsigned int i = 0; i < value.attribute->components; ++i) out << value.get_number(i) << ' ';
    }
}

void read_leaf(std::istream& in, Value& value) {
    switch (value.attribute->store) {
    case Store::Text: {
        std::string text;
        in >> std::quoted(text);
        value.text = standin::text(text);
        break;
    }
    case Store::Time: in >> value.own.l; break;
    case Store::Matrix:
        for (unsigned int i = 0; i < 16; ++i) in >> (*value.matrix)[i / 4][i % 4];
        break;
    case Store::Object: value.data = read_data(in); break;
    default:
        for (unsigned int i = 0; i < value.attribute->components; ++i) {
            double number = 0;
            in >> number;
            value.set_number(number, i);
        }
    }
}

bool is_default(const Value& value) {
    const Value fresh(*value.attribute, nullptr, true);
    bool same = value.text == fresh.text && value.data == fresh.data;
    if (value.attribute->store == Store::Time) return value.own.l == fresh.own.l;
    if (value.matrix) same = same && *value.matrix == *fresh.matrix;
    for (unsigned int i = 0; i < value.attribute->components; ++i)
        same = same && value.get_number(i) == fresh.get_number(i);
    return same;
}

/// Storable values that differ from their default and have no source; a node may say otherwise (MPxNode::shouldSave).
/// Elements of arrays are written even with the default value: that they exist is saved.
void write_values(std::ostream& out, Node& node, const Value& value, const Path& path, const std::set<Path>* only) {
    if (!value.attribute->storable || node.computed(value.attribute)) return;
    if (value.is_array()) {
        for (const auto& each : value.elements)
            write_values(out, node, *each.second, element_of(path, static_cast<int>(each.first)), only);
        return;
    }
    if (source_of({&node, path})) return;
    if (!value.children.empty() && !value.attribute->tuple()) {
        for (const auto& each : value.children) write_values(out, node, *each, child_of(path, *each->attribute), only);
        return;
    }
    for (const auto& each : value.children)
        if (source_of({&node, child_of(path, *each->attribute)})) {
            for (const auto& one : value.children) write_values(out, node, *one, child_of(path, *one->attribute), only);
            return;
        }
    if (value.attribute->store == Store::Nothing) return;
    bool saving = value.is_element || !is_default(value);
    if (only) saving = only->count(path) > 0;
    else node.user->shouldSave(to_plug({&node, path}), saving);
    if (!saving) return;
    out << "set " << node.name << ' ' << path_name(path) << ' ';
    write_leaf(out, value);
    out << '\n';
}

} // namespace

/// Nodes of referenced files stay in their file; what was set on them here, and connections to them, are written.
void write_scene(const std::string& path) {
    World& w = world();
    call_back("scene " + std::to_string(12), nullptr);
    std::ofstream out(path);
    out.precision(17);
    out << "scene of the stand-in 1\n";
    std::set<std::pair<std::string, std::string>> references;
    for (const auto& node : w.nodes)
        if (node->referenced) references.insert({node->reference_file, node->name.substr(0, node->name.find(':'))});
    for (const auto& each : references) out << "reference " << std::quoted(each.first) << ' ' << each.second << '\n';
    for (const auto& node : w.nodes)
        if (!node->referenced && !node->standing && !node->do_not_write)
            out << "node " << node->kind->name << ' ' << node->name << ' ' << (node->parent ? node->parent->name : "-")
                << '\n';
    for (const auto& node : w.nodes) {
        if (node->standing || node->do_not_write) continue;
        for (const auto& attribute : node->attributes())
            if (!attribute->parent && node->normal.values.count(attribute.get()))
                write_values(out, *node, node->normal.value(*attribute), path_of(*attribute),
                             node->referenced ? &node->edits : nullptr);
    }
    for (const auto& link : w.sources) {
        const Node &from = *link.second.first, &to = *link.first.first;
        if (from.do_not_write || to.do_not_write) continue;
        if (!to.referenced || to.edits.count(link.first.second))
            out << "connect " << plug_name(link.second) << ' ' << plug_name(link.first) << '\n';
    }
    if (!out) throw std::runtime_error("The file " + path + " cannot be written.");
    call_back("scene " + std::to_string(13), nullptr);
}

/// Nodes of a type that no plug-in has registered are left out, as in Maya, which keeps them as "unknown".
void read_scene(const std::string& path, const std::string& space) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("The file " + path + " cannot be read.");
    struct Reading {
        bool before = std::exchange(world().reading_file, true);
        ~Reading() { world().reading_file = before; }
    } const reading;
    const auto full = [&](const std::string& name) {
        return space.empty() || name == "-" || name == "time1" ? name : space + ":" + name;
    };
    const auto full_plug = [&](const std::string& plug) {
        return full(plug.substr(0, plug.find('.'))) + plug.substr(plug.find('.'));
    };
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string what, one, two, three;
        words >> what;
        if (what == "reference") {
            words >> std::quoted(one) >> two;
            read_scene(one, full(two));
        } else if (what == "node") {
            words >> one >> two >> three;
            const auto type = type_named(one);
            if (!type) {
                say(1, "The node " + two + " has the type " + one + ", which no plug-in brings.");
                continue;
            }
            const auto node = make_node(type, full(two), three == "-" ? nullptr : find_node(full(three)).get());
            node->referenced = !space.empty();
            node->reference_file = space.empty() ? "" : path;
        } else if (what == "set") {
            words >> one >> two;
            MPlug plug;
            if (!find_plug(full(one) + "." + two, plug)) continue;
            const bool referenced = plug.standin_node()->edits.count(plug.standin_path()) > 0;
            set_value(plug, [&](Value& value) {
                read_leaf(words, value);
                return true;
            });
            // What the referenced file itself says is no edit.
            if (!space.empty() && !referenced) plug.standin_node()->edits.erase(plug.standin_path());
        } else if (what == "connect") {
            words >> one >> two;
            MPlug from, to;
            if (!find_plug(full_plug(one), from) || !find_plug(full_plug(two), to)) continue;
            if (!connect(key_of(from), key_of(to)))
                say(1, "The file's connection of " + one + " to " + two + " could not be made.");
            if (!space.empty()) to.standin_node()->edits.erase(to.standin_path());
        }
    }
}

} // namespace standin
