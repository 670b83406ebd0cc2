// Copies of tendons: what an element says, under other names.
#include "host/authoring/tendon.h"

#include <map>
#include <stdexcept>

namespace sinew::host {
namespace {

using Element = Editing::Element;
/// New names of points.
using Renames = std::map<std::string, std::string>;

/// An element and all that it contains, with its texts as they are, but for its name and those of points.
Element duplicate(Editing& edit, const Json& element, Element parent, const Renames& points, const std::string& name) {
    Document& document = edit.document();
    const Element made = document.add(parent, element.at("element").text().c_str());
    for (const auto& [attribute, value] : element.at("attributes").members()) {
        const auto renamed = points.find(value.text());
        if (attribute == "name") continue;
        const bool is_point = attribute == "point" || attribute == "first" || attribute == "second";
        const std::string& text = is_point && renamed != points.end() ? renamed->second : value.text();
        document.set_text(made, attribute.c_str(), text);
    }
    if (!name.empty()) document.set_text(made, "name", name);
    for (const Json& child : element.at("children").items()) duplicate(edit, child, made, points, "");
    return made;
}

/// Whether an element only ties points: such elements have no names that others use.
bool is_tie(const std::string& kind) {
    for (const char* one : {"frame", "link", "on_curve", "in_plane", "off_bone"})
        if (kind == one) return true;
    return false;
}

bool names_one_of(const Json& element, const Renames& points) {
    for (const auto& [attribute, value] : element.at("attributes").members())
        if (attribute != "name" && points.count(value.text()) > 0) return true;
    return false;
}

} // namespace

Done copy_strand(Editing& edit, const std::string& name, const std::string& to, const Vector& offset) {
    Document& document = edit.document();
    const Json strand = edit.read(edit.find("strand", name));
    const std::string made = edit.free_name(to, {"strand"});
    const Element root = document.root();
    Renames points;
    for (const Json& node : strand.at("children").items()) {
        const std::string point = node.at("attributes").text_or_empty("point");
        if (points.count(point) > 0) continue;
        const std::string free = edit.free_name(made + " " + std::to_string(points.size() + 1), {"point"});
        const Element copy = duplicate(edit, edit.read(edit.find("point", point)), root, {}, free);
        points.emplace(point, free);
        if (length(offset) == 0) continue;
        std::optional<Axes> place = document.place(copy);
        if (!place) throw std::invalid_argument("The point " + point + " has no place.");
        for (std::size_t k = 0; k < 3; ++k) (*place)[4 * k + 3] += offset[k];
        document.set_place(copy, *place);
    }
    const Json whole = edit.read();
    for (const Json& element : whole.at("children").items())
        if (is_tie(element.at("element").text()) && names_one_of(element, points))
            duplicate(edit, element, root, points, "");
    duplicate(edit, strand, root, points, made);
    return {"The tendon " + made + " is a copy of " + name + ", with " + counted(points.size(), "point", "points") +
                " of its own.",
            {}};
}

} // namespace sinew::host
