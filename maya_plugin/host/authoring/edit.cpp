#include "host/authoring/edit.h"

#include "host/description.h"

#include <algorithm>
#include <filesystem>
#include <locale>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

namespace sinew::host {
namespace {

namespace fs = std::filesystem;

/// Paths are UTF-8, as texts of the host are.
fs::path path_of(const std::string& text) { return fs::u8path(text); }

/// The numbers that a text consists of; nothing if it has other words.
std::optional<std::vector<double>> numbers_in(const std::string& text) {
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    std::vector<double> found;
    for (double number = 0; stream >> number;) found.push_back(number);
    if (!stream.eof() || found.empty()) return std::nullopt;
    return found;
}

const Json* child_schema(const Json& schema, const std::string& kind) {
    if (schema.at("name").text() == kind) return &schema;
    for (const Json& child : schema.at("children").items())
        if (const Json* found = child_schema(child.at("element"), kind)) return found;
    return nullptr;
}

const Json* attribute_schema(const Json& schema, const std::string& attribute) {
    for (const Json& one : schema.at("attributes").items())
        if (one.at("name").text() == attribute) return &one;
    return nullptr;
}

bool refers_to(const Json& attribute, const std::string& kind) {
    const Json* kinds = attribute.find("refers_to");
    if (!kinds) return false;
    const auto& items = kinds->items();
    return std::any_of(items.begin(), items.end(), [&](const Json& one) { return one.text() == kind; });
}

std::string attribute_of(const Json& element, const std::string& name) {
    return element.at("attributes").text_or_empty(name);
}

/// What to call an element: by its name, or by the point that it ties.
std::string title_of(const Json& element) {
    const std::string name = attribute_of(element, "name"), point = attribute_of(element, "point");
    const std::string& kind = element.at("element").text();
    if (!name.empty()) return kind + " " + name;
    return point.empty() ? kind : kind + " of " + point;
}

Document::Element id_of(const Json& element) { return static_cast<Document::Element>(element.at("id").number()); }

/// An element that names another one, and the attribute in which it does.
struct Reference {
    Json element;
    std::string attribute;
    bool required = false;
};

std::optional<Reference> find_reference(const Json& element, const Json& schema, const std::string& kind,
                                        const std::string& name) {
    if (const Json* known = child_schema(schema, element.at("element").text()))
        for (const Json& attribute : known->at("attributes").items())
            if (refers_to(attribute, kind) && attribute_of(element, attribute.at("name").text()) == name)
                return Reference{element, attribute.at("name").text(), attribute.at("required").flag()};
    for (const Json& child : element.at("children").items())
        if (auto found = find_reference(child, schema, kind, name)) return found;
    return std::nullopt;
}

std::uint32_t first_choice(std::uint64_t choices) {
    std::uint32_t first = 0;
    while (first < 63 && (choices >> first & 1U) == 0) ++first;
    return first;
}

/// All that nodes of the library take.
const std::vector<Holder>& holders() {
    static const std::vector<Holder> all = [] {
        std::vector<Holder> found;
        for (const SinewNodeInfo& node : nodes())
            for (const SinewParamInfo& param : params(node))
                if (param.document[0] != '\0')
                    found.push_back(
                        {param.document, node.id, param.id, param.shown_with, first_choice(param.shown_choices)});
        return found;
    }();
    return all;
}

const Holder& holder_of_type(const std::string& type) {
    for (const Holder& one : holders())
        if (one.type == type) return one;
    throw std::invalid_argument("No node of the library takes a " + type +
                                ": install a library that is as new as the plug-in.");
}

} // namespace

const Holder* holder_of(const std::string& node) {
    for (const Holder& one : holders())
        if (one.node == node) return &one;
    return nullptr;
}

const Holder& scene_holder() {
    static const Holder& holder = holder_of_type("strand_scene");
    return holder;
}

const Holder& muscles_holder() {
    static const Holder& holder = holder_of_type("muscle_set");
    return holder;
}

std::uint32_t choice_of(const std::string& node, const std::string& param, const std::string& choice) {
    for (const SinewNodeInfo& info : nodes()) {
        if (info.id != node) continue;
        const std::vector<SinewParamInfo> known = params(info);
        for (std::uint32_t k = 0; k < known.size(); ++k) {
            if (known[k].id != param) continue;
            const std::vector<SinewChoiceInfo> all = choices(info, k);
            for (std::uint32_t index = 0; index < all.size(); ++index)
                if (all[index].id == choice) return index;
        }
    }
    throw std::invalid_argument("The library has no choice " + choice + " of " + param + " of " + node + ".");
}

Origins Origins::parse(const std::string& text) {
    Origins made;
    if (text.empty()) return made;
    const Json whole = Json::parse(text);
    for (const Json& one : whole.items()) {
        const Json::Items& words = one.items();
        if (words.size() != 3) throw JsonError("An origin of an element needs a kind, a name and an object.");
        made.set(words[0].text(), words[1].text(), words[2].text());
    }
    return made;
}

std::string Origins::text() const {
    if (objects_.empty()) return {};
    std::string text;
    for (const auto& [element, object] : objects_) {
        text += text.empty() ? "[[" : ",\n[";
        text += quoted(element.first) + "," + quoted(element.second) + "," + quoted(object) + "]";
    }
    return text + "]";
}

void Origins::set(const std::string& kind, const std::string& name, const std::string& object) {
    if (!object.empty()) objects_[{kind, name}] = object;
}

std::string Origins::find(const std::string& kind, const std::string& name) const {
    const auto found = objects_.find({kind, name});
    return found == objects_.end() ? std::string() : found->second;
}

void Origins::rename(const std::string& kind, const std::string& name, const std::string& to) {
    const std::string object = find(kind, name);
    remove(kind, name);
    set(kind, to, object);
}

void Origins::remove(const std::string& kind, const std::string& name) { objects_.erase({kind, name}); }

Origins Origins::mirrored(const std::function<std::string(const std::string&)>& other) const {
    Origins made;
    for (const auto& [element, object] : objects_)
        made.set(element.first, mirrored_name(element.second), other(object));
    return made;
}

bool is_path(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] != '<';
}

Document open_document(const Holder& holder, const std::string& text, const Space& space) {
    const bool empty = text.find_first_not_of(" \t\r\n") == std::string::npos;
    if (empty) return {holder.type.c_str(), space.metres_per_unit, space.up_axis};
    Document document = is_path(text) ? Document::load(text) : Document::parse(text);
    const std::string type = Json::parse(document.describe(document.root())).at("element").text();
    if (type != holder.type)
        throw std::invalid_argument("The document is a " + type + ", but this node takes a " + holder.type + ".");
    document.set_space(space.metres_per_unit, space.up_axis);
    return document;
}

std::string document_text(const Holder& holder, const std::string& text) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return {};
    return is_path(text) ? open_document(holder, text, Space{}).text() : text;
}

std::string mirrored_name(const std::string& name) {
    std::string found;
    detail::fill(found, name.c_str(), sinew_mirrored_name);
    return found;
}

Editing::Editing(const Holder& holder, const Stored& before, const Space& space)
    : holder_(holder), space_(space), document_(open_document(holder, before.text, space)),
      origins_(Origins::parse(before.origins)), schema_(Json::parse(describe_document(holder.type.c_str()))) {
    if (is_path(before.text)) name_whole_paths(path_of(before.text).parent_path().u8string());
}

void Editing::name_whole_paths(const std::string& folder) {
    const auto name = [&](const auto& self, const Json& element) -> void {
        const std::string file = attribute_of(element, "file");
        if (!file.empty() && path_of(file).is_relative()) {
            const fs::path whole = fs::absolute(path_of(folder) / path_of(file)).lexically_normal();
            document_.set_text(id_of(element), "file", whole.generic_u8string());
        }
        for (const Json& child : element.at("children").items()) self(self, child);
    };
    name(name, read());
}

Stored Editing::after() {
    if (unsaved_)
        throw std::invalid_argument("The mirror images of the scene's meshes need files: say into which file it is "
                                    "saved.");
    return {document_.text(), origins_.text()};
}

Stored Editing::save(const std::string& path) {
    document_.save(path);
    unsaved_ = false;
    return {path, origins_.text()};
}

std::vector<std::string> Editing::names(const std::string& kind) const {
    std::vector<std::string> found;
    for (const Element element : document_.list(document_.root(), kind.c_str()))
        found.push_back(document_.text_of(element, "name"));
    return found;
}

bool Editing::has(const std::string& kind, const std::string& name) const {
    const std::vector<std::string> known = names(kind);
    return std::find(known.begin(), known.end(), name) != known.end();
}

Editing::Element Editing::find(const std::string& kind, const std::string& name) const {
    schema(kind);
    const std::vector<Element> all = document_.list(document_.root(), kind.c_str());
    for (const Element element : all)
        if (document_.text_of(element, "name") == name) return element;
    const std::string known = listed(names(kind));
    throw std::invalid_argument("There is no " + kind + " \"" + name + "\": " +
                                (known.empty() ? "the document has none." : "there are " + known + "."));
}

std::string Editing::free_name(const std::string& like, const std::vector<std::string>& kinds) const {
    std::set<std::string> taken;
    for (const std::string& kind : kinds)
        for (std::string& name : names(kind)) taken.insert(std::move(name));
    std::string name = like;
    for (int k = 2; taken.count(name) > 0; ++k) name = like + " " + std::to_string(k);
    return name;
}

Editing::Element Editing::add(const std::string& kind, const std::string& name, const std::string& object) {
    if (has(kind, name))
        throw std::invalid_argument("There is a " + kind + " \"" + name + "\" already: take another name.");
    const Element element = document_.add(document_.root(), kind.c_str());
    document_.set_text(element, "name", name);
    origins_.set(kind, name, object);
    return element;
}

const Json& Editing::schema(const std::string& kind) const {
    if (const Json* found = child_schema(schema_, kind)) return *found;
    throw std::invalid_argument("A " + std::string(holder_.type) + " has no elements \"" + kind + "\".");
}

void Editing::set(Element element, const std::string& kind, const std::string& attribute, const std::string& value) {
    const Json* known = attribute_schema(schema(kind), attribute);
    if (!known) {
        std::vector<std::string> names;
        for (const Json& one : schema(kind).at("attributes").items()) names.push_back(one.at("name").text());
        throw std::invalid_argument("A " + kind + " has no \"" + attribute + "\": it has " + listed(names) + ".");
    }
    if (value.empty()) return document_.clear(element, attribute.c_str());
    const std::string& type = known->at("type").text();
    const bool measured = type == "number" || type == "vector" || type == "turn" || type == "range";
    // Other forms, such as "free" or "xyz 90 0 30", the library reads itself.
    if (const auto numbers = measured ? numbers_in(value) : std::nullopt)
        document_.set_numbers(element, attribute.c_str(), *numbers);
    else document_.set_text(element, attribute.c_str(), value);
}

void Editing::set_number(Element element, const char* attribute, double value) {
    document_.set_numbers(element, attribute, {&value, 1});
}

void Editing::set_point(Element element, const char* attribute, const Vector& point) {
    document_.set_numbers(element, attribute, point);
}

std::uint32_t Editing::rename(const std::string& kind, const std::string& name, const std::string& to) {
    const std::uint32_t followed = document_.rename(find(kind, name), to);
    origins_.rename(kind, name, to);
    return followed;
}

std::vector<std::string> Editing::remove(const std::string& kind, const std::string& name) {
    document_.remove(find(kind, name));
    origins_.remove(kind, name);
    std::vector<std::string> touched;
    // Looked for anew after each: what goes with one element may be another one of them.
    while (const std::optional<Reference> one = find_reference(read(), schema_, kind, name)) {
        const Element element = id_of(one->element);
        const std::string& other = one->element.at("element").text();
        const std::string other_name = attribute_of(one->element, "name");
        touched.push_back(title_of(one->element));
        if (!one->required) document_.clear(element, one->attribute.c_str());
        else if (other_name.empty()) document_.remove(element);
        else
            for (std::string& more : remove(other, other_name)) touched.push_back(std::move(more));
    }
    return touched;
}

bool Editing::has_meshes() const {
    const auto look = [](const auto& self, const Json& element) -> bool {
        const auto& children = element.at("children").items();
        return element.at("element").text() == "shape" ||
               std::any_of(children.begin(), children.end(), [&](const Json& child) { return self(self, child); });
    };
    return look(look, read());
}

std::string counted(std::size_t count, const std::string& one, const std::string& several) {
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace sinew::host
