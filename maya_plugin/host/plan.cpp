#include "plan.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sinew::host {

namespace {

constexpr std::string_view body = "body";

bool is_of_body(const SinewPortInfo& port, std::string_view element) {
    return port.mesh == body && port.element == element;
}

bool are_body_points(const SinewPortInfo& port) {
    return port.kind == SINEW_PORT_REALS && port.quantity == std::string_view("position") && is_of_body(port, "vertex");
}

bool are_body_uvs(const SinewPortInfo& port) {
    return port.direction == SINEW_OUTPUT && port.quantity == std::string_view("uv") && is_of_body(port, "corner");
}

bool is_body_mesh(const SinewPortInfo& port) {
    return port.direction == SINEW_INPUT && port.kind == SINEW_PORT_MESH && port.mesh == body;
}

/// The id of the first port of which something is true; empty if there is none.
template <class Is> std::string first_of(const Described& described, Is is) {
    const auto found = std::find_if(described.ports.begin(), described.ports.end(), is);
    return found == described.ports.end() ? std::string() : found->id;
}

/// The points that a deformer takes and gives have one id, as in sinew_node_deform.
std::string deformed_points(const Described& described, std::int32_t direction) {
    return first_of(described, [&](const SinewPortInfo& port) {
        return port.direction == direction && port.id == std::string_view("points") && are_body_points(port);
    });
}

Shape shape_of(const Described& described) {
    const bool takes = !deformed_points(described, SINEW_INPUT).empty();
    if (takes && !deformed_points(described, SINEW_OUTPUT).empty()) return Shape::Deformer;
    const auto any = [&](auto is) { return !first_of(described, is).empty(); };
    const bool describes_body = any([](const SinewPortInfo& port) {
        return port.direction == SINEW_OUTPUT && port.mesh == body && port.element[0] != '\0';
    });
    return any(are_body_uvs) || (any(is_body_mesh) && describes_body) ? Shape::Mesh : Shape::Values;
}

/// The ports that the host's geometry feeds and takes.
void take_geometry(Plan& plan, const Described& described) {
    if (plan.shape == Shape::Values) return;
    plan.points_in = deformed_points(described, SINEW_INPUT);
    if (plan.shape == Shape::Deformer) {
        plan.points_out = deformed_points(described, SINEW_OUTPUT);
    } else if (plan.points_in.empty()) {
        plan.points_in = first_of(described, [](const SinewPortInfo& port) {
            return port.direction == SINEW_INPUT && are_body_points(port) && !port.at_rest;
        });
    }
    plan.uvs_out = first_of(described, are_body_uvs);
    // The body at rest is another mesh than the one that moves, unless nothing else takes that.
    const bool only_rest = plan.points_in.empty();
    plan.body_mesh = first_of(described, [](const SinewPortInfo& port) { return is_body_mesh(port) && !port.at_rest; });
    if (plan.body_mesh.empty() && only_rest) plan.body_mesh = first_of(described, is_body_mesh);
}

bool is_of_geometry(const Plan& plan, const SinewPortInfo& port) {
    const std::string_view id = port.id;
    if (port.direction == SINEW_INPUT) return id == plan.points_in || id == plan.body_mesh;
    return id == plan.points_out || id == plan.uvs_out;
}

bool is_whole(const SinewPortInfo& port) { return port.kind == SINEW_PORT_INTS || port.whole != 0; }

Holds held(const SinewPortInfo& port) {
    if (port.kind == SINEW_PORT_MESH) return Holds::Mesh;
    if (port.direction == SINEW_INPUT && are_body_points(port)) return Holds::Points;
    if (port.components == 16) return Holds::Matrices;
    if (is_whole(port)) return Holds::Integers;
    if (port.components == 1 && port.paintable && is_of_body(port, "vertex")) return Holds::Map;
    const bool is_free = port.domain == std::string_view("free") && port.mesh[0] == '\0';
    return port.components == 1 && is_free ? Holds::Each : Holds::Numbers;
}

Holds held(const SinewParamInfo& param) {
    switch (param.kind) {
    case SINEW_PARAM_BOOL: return Holds::Switch;
    case SINEW_PARAM_INT: return Holds::Whole;
    case SINEW_PARAM_CHOICE: return Holds::Choice;
    case SINEW_PARAM_TEXT: return Holds::Text;
    default: return Holds::Number;
    }
}

Attribute attribute_of(const SinewPortInfo& port) {
    Attribute made;
    made.name = port.host_name;
    made.id = port.id;
    made.of = port.direction == SINEW_INPUT ? Of::Input : Of::Output;
    made.holds = held(port);
    made.components = port.components;
    made.title = port.title;
    made.doc = port.doc;
    made.group = port.group;
    made.unit = port.unit;
    made.quantity = port.quantity;
    if (port.has_default) made.default_value = port.default_value;
    made.has_range = port.has_range != 0;
    if (made.has_range) {
        made.minimum = made.soft_minimum = port.minimum;
        made.maximum = made.soft_maximum = port.maximum;
    }
    made.required = port.required != 0;
    made.whole = is_whole(port);
    made.still = made.of == Of::Input && (port.at_rest || port.paintable);
    made.keyable = made.of == Of::Input && made.holds == Holds::Each && !made.still;
    made.mesh = port.mesh;
    made.element = port.element;
    // Joints belong to no mesh: they are items of their own.
    const bool is_joint = port.domain == std::string_view("joint");
    made.items = is_joint ? port.domain : port.items;
    made.counted_by = port.counted_by;
    made.radii = port.radii;
    made.between = port.between;
    made.index_of = port.index_of;
    return made;
}

Attribute attribute_of(const SinewParamInfo& param, const std::vector<SinewChoiceInfo>& choices) {
    Attribute made;
    made.name = param.host_name;
    made.id = param.id;
    made.of = Of::Param;
    made.holds = held(param);
    made.title = param.title;
    made.doc = param.doc;
    made.group = param.group;
    made.unit = param.unit;
    made.quantity = param.quantity;
    made.default_value = param.default_value;
    made.default_text = param.default_text;
    made.has_range = made.holds == Holds::Whole || made.holds == Holds::Number;
    if (made.has_range) {
        made.minimum = param.minimum;
        made.maximum = param.maximum;
        made.soft_minimum = param.soft_minimum;
        made.soft_maximum = param.soft_maximum;
    }
    made.whole = made.holds == Holds::Whole;
    made.keyable = param.animatable && made.holds != Holds::Text;
    made.advanced = param.advanced != 0;
    made.is_file = param.is_file != 0;
    made.files = param.files;
    made.document = param.document;
    for (const SinewChoiceInfo& choice : choices) made.choices.push_back({choice.id, choice.title, choice.doc});
    return made;
}

/// `points`: the port with the points of its vertices.
Attribute attribute_of(const SinewMeshInfo& mesh, const SinewPortInfo* points) {
    Attribute made;
    made.name = std::string(mesh.id) + "_mesh";
    made.id = mesh.id;
    made.of = Of::MadeMesh;
    made.holds = Holds::Mesh;
    made.components = 0;
    made.title = mesh.title;
    made.doc = mesh.doc;
    made.mesh = mesh.id;
    if (points) made.group = points->group;
    return made;
}

/// The output of an id; null if there is none.
const SinewPortInfo* output_of(const Described& described, std::string_view id) {
    const auto found = std::find_if(described.ports.begin(), described.ports.end(), [&](const SinewPortInfo& port) {
        return port.direction == SINEW_OUTPUT && port.id == id;
    });
    return found == described.ports.end() ? nullptr : &*found;
}

bool are_nodes_of_curves(const SinewPortInfo& port) {
    return port.direction == SINEW_OUTPUT && port.quantity == std::string_view("position") && port.mesh[0] == '\0' &&
           port.counted_by[0] != '\0';
}

/// Curves through nodes, as a host shows them: called after what they are, which is what the counts have an item for.
Attribute curves_of(const SinewPortInfo& nodes, const SinewPortInfo& counts) {
    Attribute made;
    made.name = counts.items + std::string("_curves");
    std::replace(made.name.begin(), made.name.end(), ' ', '_');
    made.id = nodes.id;
    made.of = Of::MadeCurves;
    made.holds = Holds::Curves;
    made.components = 0;
    made.title = std::string(nodes.title) + " as Curves";
    made.doc = nodes.doc + std::string(" As NURBS curves of degree 1, whose control vertices are the nodes: one for each ") +
               counts.items + ".";
    made.group = nodes.group;
    made.items = counts.items;
    made.counted_by = counts.id;
    return made;
}

void add_params(Plan& plan, const Described& described) {
    std::vector<const SinewParamInfo*> shown;
    for (std::size_t i = 0; i < described.params.size(); ++i) {
        const SinewParamInfo& param = described.params[i];
        if (param.id == std::string_view(frame_rate_param)) continue;
        shown.push_back(&param);
        plan.attributes.push_back(attribute_of(param, described.choices.at(i)));
    }
    const std::size_t first = plan.attributes.size() - shown.size();
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::string_view with = shown[i]->shown_with;
        const auto decides = std::find_if(shown.begin(), shown.end(), [&](auto* param) { return param->id == with; });
        if (decides == shown.end()) continue;
        plan.attributes[first + i].shown_with = (*decides)->host_name;
        plan.attributes[first + i].shown_choices = shown[i]->shown_choices;
    }
}

/// The outputs of which something is made that the host shows as one.
std::vector<std::string> parts_of(const Plan& plan, const Attribute& made) {
    if (made.of == Of::MadeCurves) return {made.id, made.counted_by};
    for (const SinewMeshInfo& mesh : plan.made_meshes)
        if (made.of == Of::MadeMesh && mesh.id == made.id) return {mesh.points, mesh.face_sizes, mesh.face_vertices};
    return {};
}

void add_affects(Plan& plan, const Described& described) {
    for (Attribute& attribute : plan.attributes) {
        if (attribute.is_output()) continue;
        for (const SinewPortInfo& port : described.ports) {
            if (port.direction != SINEW_OUTPUT || !described.affects(attribute.id.c_str(), port.id)) continue;
            if (is_of_geometry(plan, port)) {
                attribute.affects_geometry = true;
            } else {
                attribute.affects.push_back(port.host_name);
            }
        }
        for (const Attribute& made : plan.attributes) {
            const std::vector<std::string> parts = parts_of(plan, made);
            if (std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
                    return described.affects(attribute.id.c_str(), part.c_str());
                }))
                attribute.affects.push_back(made.name);
        }
    }
}

std::string type_name_of(std::string_view id) {
    std::string name = "sinew";
    bool starts_word = true;
    for (const char letter : id) {
        if (letter != '_') {
            name += starts_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
        }
        starts_word = letter == '_';
    }
    return name;
}

bool is_legal(const std::string& name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto is_inside = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_inside);
}

/// Names are permanent, and hosts find attributes by them: a second one of a name would be unreachable.
void check_names(const Plan& plan) {
    std::set<std::string> taken(std::begin(OwnNames::all), std::end(OwnNames::all));
    for (const Attribute& attribute : plan.attributes) {
        if (!is_legal(attribute.name)) {
            throw std::invalid_argument("The node " + plan.id + " has an attribute whose name is not allowed: \"" +
                                        attribute.name + "\".");
        }
        if (!taken.insert(attribute.name).second) {
            throw std::invalid_argument("The node " + plan.id + " would have two attributes of the name \"" +
                                        attribute.name + "\".");
        }
    }
}

} // namespace

const Attribute* Plan::find(const std::string& name) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.name == name; });
    return found == attributes.end() ? nullptr : &*found;
}

Plan plan_of(const Described& described) {
    Plan plan;
    plan.id = described.node.id;
    plan.title = described.node.title;
    plan.doc = described.node.doc;
    plan.type_name = type_name_of(plan.id);
    plan.number = described.node.number;
    plan.stateful = described.node.stateful != 0;
    plan.shape = shape_of(described);
    take_geometry(plan, described);
    for (const SinewPortInfo& port : described.ports) {
        if (port.direction == SINEW_INPUT && !is_of_geometry(plan, port)) plan.attributes.push_back(attribute_of(port));
    }
    add_params(plan, described);
    for (const SinewPortInfo& port : described.ports) {
        if (port.direction == SINEW_OUTPUT && !is_of_geometry(plan, port)) {
            plan.attributes.push_back(attribute_of(port));
        }
    }
    for (const SinewMeshInfo& mesh : described.meshes) {
        if (mesh.points[0] == '\0') continue;
        plan.attributes.push_back(attribute_of(mesh, output_of(described, mesh.points)));
        plan.made_meshes.push_back(mesh);
    }
    for (const SinewPortInfo& port : described.ports) {
        const SinewPortInfo* counts = are_nodes_of_curves(port) ? output_of(described, port.counted_by) : nullptr;
        if (counts) plan.attributes.push_back(curves_of(port, *counts));
    }
    add_affects(plan, described);
    check_names(plan);
    return plan;
}

std::vector<Plan> plans() {
    std::vector<Plan> made;
    for (const SinewNodeInfo& node : nodes()) {
        Described described;
        described.node = node;
        described.ports = ports(node);
        described.params = params(node);
        for (std::uint32_t i = 0; i < described.params.size(); ++i) described.choices.push_back(choices(node, i));
        described.meshes = meshes(node);
        described.affects = [&](const char* from, const char* output) { return affects(node.id, from, output); };
        made.push_back(plan_of(described));
    }
    return made;
}

} // namespace sinew::host
