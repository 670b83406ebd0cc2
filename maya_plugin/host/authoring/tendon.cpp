#include "host/authoring/tendon.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace sinew::host {
namespace {

using Element = Editing::Element;

const std::vector<std::string> muscle_kinds{"muscle", "reel", "hill"};

Axes place_of(Editing& edit, Element element) {
    const std::optional<Axes> found = edit.document().place(element);
    if (!found) throw std::invalid_argument("An element has no place.");
    return *found;
}

std::vector<Led> bodies_of(Editing& edit, bool led) {
    std::vector<Led> found;
    for (const Element body : edit.document().list(edit.document().root(), "body")) {
        if ((edit.document().text_of(body, "mode") == "led") != led) continue;
        const std::string name = edit.document().text_of(body, "name");
        found.push_back({name, edit.origins().find("body", name), place_of(edit, body)});
    }
    return found;
}

/// Where a body ends in its own axes: twice as far as its centre of mass, as that of a rod; at its origin without one.
Vector end_of(Editing& edit, Element body) {
    const std::vector<Element> inertia = edit.document().list(body, "inertia");
    if (inertia.empty()) return {0, 0, 0};
    const std::vector<double> centre = edit.document().numbers(inertia.front(), "centre");
    return centre.size() == 3 ? Vector{2 * centre[0], 2 * centre[1], 2 * centre[2]} : Vector{0, 0, 0};
}

/// How far a point is from a body: from a cuboid, from the corners of a mesh, or from a line along the bone.
double to_body(Editing& edit, Element body, const Vector& point) {
    const Axes axes = place_of(edit, body);
    const Vector inside = into(axes, point);
    if (const auto cuboid = edit.document().list(body, "cuboid"); !cuboid.empty()) {
        const std::vector<double> size = edit.document().numbers(cuboid.front(), "size");
        Vector beyond{0, 0, 0};
        for (std::size_t k = 0; k < size.size() && k < 3; ++k)
            beyond[k] = std::max(0.0, std::abs(inside[k]) - size[k] / 2);
        return length(beyond);
    }
    if (const auto shape = edit.document().list(body, "shape"); !shape.empty()) {
        const SinewMesh mesh = edit.document().mesh(shape.front());
        const auto* at = static_cast<const double*>(mesh.positions.data);
        double found = std::numeric_limits<double>::infinity();
        for (std::uint64_t k = 0; k < mesh.positions.count; ++k, at += 3)
            found = std::min(found, length(Vector{at[0], at[1], at[2]} - inside));
        return found;
    }
    return to_segment(inside, {0, 0, 0}, end_of(edit, body));
}

/// Gives a new element the numbers with which the library begins it.
void begin(Editing& edit, Element element, const std::string& numbers) {
    const Json found = Json::parse(numbers);
    for (const auto& [attribute, values] : found.members())
        edit.document().set_numbers(element, attribute.c_str(), values.numbers());
}

/// Where a bone ends, in its own axes; at its origin where nothing says.
Vector end_of(const std::vector<Bone>& bones, const std::vector<Axes>& axes, std::size_t which) {
    if (bones[which].end) return into(axes[which], *bones[which].end);
    for (std::size_t k = 0; k < bones.size(); ++k)
        if (bones[k].parent == static_cast<int>(which)) return into(axes[which], origin(axes[k]));
    if (bones[which].parent < 0) return {0, 0, 0};
    const auto parent = static_cast<std::size_t>(bones[which].parent);
    // As long as its parent, and in the same direction.
    return into(axes[which], origin(axes[which]) + (origin(axes[which]) - origin(axes[parent])));
}

void add_joint(Editing& edit, const Bone& bone, const std::string& parent, const std::string& child, const Axes& axes,
               const std::vector<Motion>& motions) {
    const std::string name = edit.free_name(child + " joint", {"joint"});
    const Element joint = edit.add("joint", name, bone.placed.object);
    edit.document().set_text(joint, "parent", parent);
    edit.document().set_text(joint, "child", child);
    edit.document().set_place(joint, axes);
    static const std::vector<Motion> rotations{{"turn_x", ""}, {"turn_y", ""}, {"turn_z", ""}};
    for (const Motion& motion : motions.empty() ? rotations : motions) {
        const Element axis = edit.document().add(joint, "axis");
        edit.document().set_text(axis, "name", motion.name);
        if (!motion.range.empty()) edit.set(axis, "axis", "may", motion.range);
    }
}

/// The size of the scene with these points.
double size_with(Editing& edit, std::vector<Vector> points) {
    for (const Element body : edit.document().list(edit.document().root(), "body")) {
        const Axes axes = place_of(edit, body);
        points.push_back(origin(axes));
        points.push_back(out_of(axes, end_of(edit, body)));
    }
    return extent(points);
}

/// A name of a point of a strand.
std::string point_name(const std::string& strand, std::size_t index) {
    return strand + " " + std::to_string(index + 1);
}

std::string check_carrier(const Editing& edit, const std::string& name) {
    if (name != "world" && name != "free") edit.find("body", name);
    return name;
}

/// Which body carries which point.
std::vector<std::string> carriers_of(Editing& edit, const Route& route) {
    std::vector<std::string> found;
    const std::size_t count = route.points.size(), given = route.carriers.size();
    if (given > 1 && given != count)
        throw std::invalid_argument("There are " + counted(count, "point", "points") + ", but " +
                                    counted(given, "body", "bodies") + ": name one for each, one for all, or none.");
    for (std::size_t k = 0; k < count; ++k) {
        if (given > 0) found.push_back(check_carrier(edit, route.carriers[given > 1 ? k : 0]));
        else {
            const std::string nearest = nearest_body(edit, route.points[k]);
            found.push_back(nearest.empty() ? "world" : nearest);
        }
    }
    return found;
}

std::vector<Element> nodes_of(Editing& edit, const std::string& strand) {
    return edit.document().list(edit.find("strand", strand), "node");
}

std::vector<std::string> points_of(Editing& edit, const std::string& strand) {
    std::vector<std::string> found;
    for (const Element node : nodes_of(edit, strand)) found.push_back(edit.document().text_of(node, "point"));
    return found;
}

/// Refuses what lacks something that it must have, in the library's words.
void check_readable(Editing& edit, Element element, const std::string& title) {
    const Json report = Json::parse(edit.document().faults());
    for (const Json& fault : report.at("faults").items()) {
        const Json& about = fault.at("element");
        if (fault.at("weight").text() == "unreadable" && !about.is_null() &&
            static_cast<Element>(about.number()) == element)
            throw std::invalid_argument(title + " was not added: " + fault.at("message").text());
    }
}

} // namespace

Done add_bodies(Editing& edit, const std::vector<Bone>& bones, Lead lead, const std::vector<Motion>& motions) {
    if (bones.empty()) throw std::invalid_argument("Select the joints that bodies are made from.");
    std::vector<Axes> axes;
    for (const Bone& bone : bones) axes.push_back(axes_of(bone.placed, edit.space().row_vectors));
    std::vector<std::string> names;
    std::size_t led = 0;
    for (std::size_t k = 0; k < bones.size(); ++k) {
        const Bone& bone = bones[k];
        if (bone.parent >= static_cast<int>(k))
            throw std::invalid_argument(bone.placed.name + " comes before its parent: give parents first.");
        names.push_back(edit.free_name(bone.placed.name, {"body"}));
        const bool moved = lead == Lead::Roots && bone.parent >= 0;
        const Element body = edit.add("body", names[k], bone.placed.object);
        edit.document().set_place(body, axes[k]);
        // A body is free unless it says otherwise.
        if (!moved) edit.document().set_text(body, "mode", lead == Lead::Nothing ? "held" : "led");
        led += !moved && lead != Lead::Nothing;
        const Vector end = end_of(bones, axes, k);
        if (length(end) > 0)
            begin(edit, edit.document().add(body, "inertia"), rod_inertia(end, edit.space().metres_per_unit));
        else if (moved)
            throw std::invalid_argument(bone.placed.name + " lies where its parent does, so that it has no length: " +
                                        "select the joint at its end as well.");
        if (moved) add_joint(edit, bone, names[static_cast<std::size_t>(bone.parent)], names[k], axes[k], motions);
    }
    return {counted(bones.size(), "body was added", "bodies were added") + ", " + std::to_string(led) +
                " of them led by joints: " + listed(names) + ".",
            {}};
}

std::string nearest_body(Editing& edit, const Vector& point) {
    std::string nearest;
    double distance = std::numeric_limits<double>::infinity();
    for (const Element body : edit.document().list(edit.document().root(), "body")) {
        const double found = to_body(edit, body, point);
        // Of several that are equally far, the first of the scene.
        if (!(found < distance)) continue;
        distance = found;
        nearest = edit.document().text_of(body, "name");
    }
    return nearest;
}

Done draw_strand(Editing& edit, const Route& route) {
    if (route.points.size() < 2) throw std::invalid_argument(route.name + " needs at least two points.");
    const std::vector<std::string> carriers = carriers_of(edit, route);
    const std::string name = edit.free_name(route.name, {"strand"});
    const double size = size_with(edit, route.points);
    std::vector<std::string> points;
    for (std::size_t k = 0; k < route.points.size(); ++k) {
        points.push_back(edit.free_name(point_name(name, k), {"point"}));
        const std::string object = k < route.point_objects.size() ? route.point_objects[k] : "";
        const Element point = edit.add("point", points[k], object);
        edit.set_point(point, "at", route.points[k]);
        if (carriers[k] != "free") edit.document().set_text(point, "on", carriers[k]);
    }
    const Element strand = edit.add("strand", name, route.object);
    begin(edit, strand, starting_numbers("strand", size));
    if (route.radius > 0) edit.set_number(strand, "radius", route.radius);
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Element node = edit.document().add(strand, "node");
        edit.document().set_text(node, "point", points[k]);
        const bool inside = k > 0 && k + 1 < points.size();
        edit.document().set_text(node, "kind", inside ? "eulerian" : "lagrangian");
    }
    return {"The tendon " + name + " was drawn through " + counted(points.size(), "point", "points") + ", on " +
                listed(carriers) + ".",
            {}};
}

Done add_part(Editing& edit, const std::string& kind, const std::string& name, const Placed* placed,
              const Settings& settings) {
    const auto& attributes = edit.schema(kind).at("attributes").items();
    const auto takes = [&](const char* attribute) {
        return std::any_of(attributes.begin(), attributes.end(),
                           [&](const Json& one) { return one.at("name").text() == attribute; });
    };
    const std::string wanted = !name.empty() ? name : placed ? placed->name : kind;
    const bool pulls = std::find(muscle_kinds.begin(), muscle_kinds.end(), kind) != muscle_kinds.end();
    const std::string free = edit.free_name(wanted, pulls ? muscle_kinds : std::vector<std::string>{kind});
    const bool named = takes("name");
    const Element element = named ? edit.add(kind, free, placed ? placed->object : "")
                                  : edit.document().add(edit.document().root(), kind.c_str());
    if (placed && takes("at")) edit.document().set_place(element, axes_of(*placed, edit.space().row_vectors));
    for (const auto& [attribute, value] : settings) edit.set(element, kind, attribute, value);
    const std::string title = "The " + kind + (named ? " " + free : "");
    check_readable(edit, element, title);
    return {title + " was added.", {}};
}

Done tie_to_plane(Editing& edit, const std::string& strand, std::size_t point, const std::string& plane) {
    const std::vector<std::string> points = points_of(edit, strand);
    if (point >= points.size())
        throw std::invalid_argument("The tendon " + strand + " has " + counted(points.size(), "point", "points") +
                                    ", counted from 0: there is no point " + std::to_string(point) + ".");
    const std::string& name = points[point];
    const Element given = edit.find("plane", plane);
    edit.document().clear(edit.find("point", name), "on");
    const bool wraps = !edit.document().text_of(given, "bone").empty();
    for (const char* tie : {"in_plane", "off_bone"}) {
        if (!wraps && std::string(tie) == "off_bone") continue;
        const Element made = edit.document().add(edit.document().root(), tie);
        edit.document().set_text(made, "point", name);
        edit.document().set_text(made, "plane", plane);
    }
    return {name + " stays in the plane " + plane + (wraps ? " and out of its bone." : "."), {}};
}

Done add_reel(Editing& edit, const std::string& name, const std::string& strand, const std::string& end,
              double strength) {
    const std::vector<Element> nodes = nodes_of(edit, strand);
    const std::string wanted = edit.free_name(name, muscle_kinds);
    const Element reel = edit.add("reel", wanted, "");
    edit.document().set_text(reel, "strand", strand);
    edit.document().set_text(reel, "end", end);
    begin(edit, reel, starting_numbers("reel", strength));
    // Material runs through the end at which it is reeled in.
    if (!nodes.empty()) edit.document().set_text(end == "last" ? nodes.back() : nodes.front(), "kind", "eulerian");
    return {"The muscle " + wanted + " pulls at the " + end + " end of " + strand + ".", {}};
}

Done set_values(Editing& edit, const std::string& kind, const std::string& name, const Settings& settings) {
    const Element element = edit.find(kind, name);
    std::vector<std::string> said;
    for (const auto& [attribute, value] : settings) {
        edit.set(element, kind, attribute, value);
        said.push_back(attribute + (value.empty() ? " is left out" : " is " + value));
    }
    return {"Of " + kind + " " + name + ": " + listed(said) + ".", {}};
}

Done rename_part(Editing& edit, const std::string& kind, const std::string& name, const std::string& to) {
    const std::uint32_t followed = edit.rename(kind, name, to);
    return {"The " + kind + " " + name + " is called " + to + " now, also in " +
                counted(followed, "other place", "other places") + ".",
            {}};
}

Done remove_part(Editing& edit, const std::string& kind, const std::string& name) {
    const std::vector<std::string> points = kind == "strand" ? points_of(edit, name) : std::vector<std::string>{};
    std::vector<std::string> touched = edit.remove(kind, name);
    std::set<std::string> shared;
    for (const std::string& strand : edit.names("strand"))
        for (const std::string& point : points_of(edit, strand)) shared.insert(point);
    for (const std::string& point : points) {
        if (shared.count(point) > 0 || !edit.has("point", point)) continue;
        touched.push_back("point " + point);
        for (std::string& more : edit.remove("point", point)) touched.push_back(std::move(more));
    }
    Done done{"The " + kind + " " + name + " was removed.", {}};
    if (!touched.empty()) done.warnings.push_back("With it went or changed: " + listed(touched) + ".");
    return done;
}

Done mirror_scene(Editing& edit, std::uint32_t axis, const std::function<std::string(const std::string&)>& other) {
    const std::uint32_t count = edit.document().mirror(axis);
    if (edit.has_meshes()) edit.made_meshes();
    edit.origins() = edit.origins().mirrored(other);
    const Json report = Json::parse(edit.document().faults());
    Done done{"The scene is that of the other side now: " + counted(count, "part was", "parts were") + " mirrored.",
              {}};
    for (const Json& warning : report.at("warnings").items()) done.warnings.push_back(warning.text());
    return done;
}

std::vector<Led> led_bodies(Editing& edit) { return bodies_of(edit, true); }

std::vector<Led> moved_bodies(Editing& edit) {
    std::vector<Led> found = bodies_of(edit, false);
    found.erase(std::remove_if(found.begin(), found.end(), [](const Led& one) { return one.object.empty(); }),
                found.end());
    return found;
}

} // namespace sinew::host
