#include "host/authoring/faults.h"

#include <algorithm>
#include <map>

namespace sinew::host {
namespace {

/// An element with what is around it.
struct Around {
    Json element;
    const Around* parent = nullptr;
    std::size_t index = 0;

    std::string text(const char* attribute) const { return element.at("attributes").text_or_empty(attribute); }
    std::string kind() const { return element.at("element").text(); }
    std::string path() const { return parent ? parent->path() + "/" + kind() : kind(); }
};

using Elements = std::map<std::int64_t, Around>;

void collect(Elements& found, const Json& element, const Around* parent, std::size_t index) {
    const auto id = static_cast<std::int64_t>(element.at("id").number());
    const Around& here = found[id] = Around{element, parent, index};
    std::map<std::string, std::size_t> counts;
    for (const Json& child : element.at("children").items())
        collect(found, child, &here, ++counts[child.at("element").text()]);
}

/// What made an element, the point that it ties, or what it belongs to.
std::string object_of(const Around* element, const Origins& origins) {
    static constexpr std::pair<const char*, const char*> ties[] = {{"point", "point"}, {"first", "point"},
                                                                   {"strand", "strand"}, {"child", "body"},
                                                                   {"on", "body"}, {"body", "body"}};
    for (; element; element = element->parent) {
        const std::string own = origins.find(element->kind(), element->text("name"));
        if (!own.empty()) return own;
        for (const auto& [attribute, kind] : ties)
            if (const std::string object = origins.find(kind, element->text(attribute)); !object.empty()) return object;
    }
    return {};
}

void describe(Fault& fault, const Elements& elements, const Origins& origins) {
    const auto found = elements.find(fault.element);
    if (found == elements.end()) return;
    const Around& element = found->second;
    fault.kind = element.kind();
    fault.name = element.text("name");
    fault.object = object_of(&element, origins);
    if (!element.parent || !element.parent->parent) return;
    // A part of something that has a name: the node of a strand, the axis of a joint.
    fault.part = fault.kind + " " + (fault.name.empty() ? std::to_string(element.index) : fault.name);
    fault.index = element.index;
    fault.name = element.parent->text("name");
    fault.kind = element.parent->kind();
}

/// What the library says when it builds the scene and looks at its first moment.
void try_scene(std::vector<Fault>& found, const std::string& text, const Space& space) {
    try {
        const Holder& holder = scene_holder();
        Node node(Context(ContextOptions{1, true, {}, {}}), holder.node.c_str());
        node.set_space(space.metres_per_unit, space.up_axis);
        if (!holder.chosen_by.empty()) node.set_choice(holder.chosen_by.c_str(), holder.choice);
        node.set(holder.param.c_str(), text);
        node.set_choice("first_frame", choice_of(holder.node, "first_frame", "start"));
        node.step(0, 0);
    } catch (const Error& error) {
        Fault fault;
        fault.weight = "error";
        fault.line = std::max<std::int64_t>(error.place().line, 0);
        fault.message = error.what();
        found.push_back(fault);
    }
}

/// The element of a line: of several, the one whose path the message names, or the last.
void find_by_line(Fault& fault, const Elements& elements) {
    if (fault.line == 0) return;
    bool named = false;
    for (const auto& [id, one] : elements) {
        if (static_cast<std::int64_t>(one.element.at("line").number()) != fault.line || named) continue;
        fault.element = id;
        named = fault.message.find("element " + one.path() + ",") != std::string::npos;
    }
}

} // namespace

std::string Fault::sentence() const {
    std::string text = kind;
    if (!name.empty()) text += " \"" + name + "\"";
    if (!part.empty()) text += ", " + part;
    text += (text.empty() ? "" : ": ") + message;
    if (text.back() != '.') text += '.';
    return text;
}

std::vector<Fault> faults(const Holder& holder, const Stored& stored, const Space& space) {
    std::vector<Fault> found;
    if (stored.text.empty()) return found;
    try {
        const Document document = open_document(holder, stored.text, space);
        const Origins origins = Origins::parse(stored.origins);
        Elements elements;
        collect(elements, Json::parse(document.read(document.root())), nullptr, 0);
        const Json report = Json::parse(document.faults());
        for (const Json& one : report.at("faults").items()) {
            Fault fault;
            fault.weight = one.at("weight").text();
            if (!one.at("element").is_null()) fault.element = static_cast<std::int64_t>(one.at("element").number());
            fault.path = one.text_or_empty("path");
            fault.attribute = one.text_or_empty("attribute");
            fault.line = static_cast<std::int64_t>(one.at("line").number());
            fault.message = one.at("message").text();
            found.push_back(std::move(fault));
        }
        const auto is_error = [](const Fault& fault) { return fault.is_error(); };
        if (&holder == &scene_holder() && std::none_of(found.begin(), found.end(), is_error)) {
            const std::size_t before = found.size();
            try_scene(found, stored.text, space);
            for (std::size_t k = before; k < found.size(); ++k) find_by_line(found[k], elements);
        }
        for (Fault& fault : found) describe(fault, elements, origins);
        std::stable_partition(found.begin(), found.end(), is_error);
    } catch (const Error& error) {
        Fault fault;
        fault.weight = "unreadable";
        fault.line = std::max<std::int64_t>(error.place().line, 0);
        fault.message = error.what();
        found.push_back(std::move(fault));
    }
    return found;
}

} // namespace sinew::host
