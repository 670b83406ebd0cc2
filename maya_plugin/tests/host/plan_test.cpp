// Plans: what the host shows of each node of the library, and of nodes that no library has yet.
//
//     host_plan_test attributes.txt [--append]
//
// The file lists the permanent names. With --append, what it lacks is added to it, to be committed with whatever added
// it to the library.
#include "check.h"

#include "host/description.h"
#include "host/plan.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

using namespace sinew;
using namespace sinew::host;

namespace {

/// Attributes of Maya's nodes "node", "geometryFilter" and "weightGeometryFilter" with their short names, as Autodesk's
/// technical documentation of Maya 2024 lists them: a name of ours is a long and a short one.
const std::set<std::string> names_of_maya{
    "message", "msg", "caching", "cch", "frozen", "fzn", "isHistoricallyInteresting", "ihi", "nodeState", "nds",
    "binMembership", "bnm", "blockGPU", "bgp", "componentTagExpression", "envelope", "en", "envelopeWeights", "owt",
    "envelopeWeightsList", "ocw", "fchild1", "f1", "fchild2", "f2", "fchild3", "f3", "function", "f", "groupId", "gi",
    "input", "ip", "inputGeometry", "ig", "map64BitIndices", "map", "originalGeometry", "outputGeometry", "og",
    "weightFunction", "weightList", "wl", "weights", "w"};

std::vector<std::string> lines_of(const std::vector<Plan>& all) {
    std::vector<std::string> lines;
    for (const Plan& plan : all) {
        lines.push_back("type " + plan.id + " " + plan.type_name + " " + std::to_string(plan.number));
        for (const Attribute& attribute : plan.attributes) {
            const bool is_array = attribute.holds == Holds::Numbers || attribute.holds == Holds::Integers;
            const std::string size = is_array ? " " + std::to_string(attribute.components) : "";
            lines.push_back("attribute " + plan.id + " " + attribute.name + " " + name_of(attribute.of) + " " +
                            name_of(attribute.holds) + size);
        }
    }
    return lines;
}

/// What is frozen is as it was, and what is there is frozen.
void names_are_permanent(const std::string& path, bool append) {
    std::ifstream file(path);
    CHECK(file.good());
    std::set<std::string> frozen;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') frozen.insert(line);
    }
    file.close();
    for (const std::string& line : lines_of(plans())) {
        if (frozen.erase(line) > 0) continue;
        if (append) {
            std::ofstream(path, std::ios::app) << line << "\n";
        } else {
            tests::fail(path.c_str(), 0, "\"" + line + "\" is missing: run this with --append if it is new");
        }
    }
    for (const std::string& line : frozen) {
        tests::fail(path.c_str(), 0, "\"" + line + "\" is gone: names are permanent");
    }
}

void every_name_is_free() {
    std::set<std::string> types;
    std::set<std::uint32_t> numbers;
    for (const Plan& plan : plans()) {
        CHECK(types.insert(plan.type_name).second);
        CHECK(numbers.insert(plan.number).second && plan.number >= 1 && plan.number < 64);
        CHECK(plan.type_name.rfind("sinew", 0) == 0);
        std::set<std::string> names(std::begin(OwnNames::all), std::end(OwnNames::all));
        for (const Attribute& attribute : plan.attributes) {
            CHECK(names.insert(attribute.name).second);
            CHECK(names_of_maya.count(attribute.name) == 0);
            CHECK(plan.find(attribute.name) == &attribute);
            for (const std::string& affected : attribute.affects) {
                const Attribute* output = plan.find(affected);
                CHECK(output && output->is_output());
            }
            if (!attribute.shown_with.empty()) {
                const Attribute* decides = plan.find(attribute.shown_with);
                CHECK(decides && decides->holds == Holds::Choice);
                CHECK(decides && attribute.shown_choices >> decides->choices.size() == 0);
            }
            CHECK((attribute.holds == Holds::Choice) == !attribute.choices.empty());
            CHECK(!attribute.title.empty() && !attribute.doc.empty());
        }
        CHECK(plan.find("no_such_attribute") == nullptr);
    }
    for (const char* own : OwnNames::all) CHECK(names_of_maya.count(own) == 0);
}

const Plan& plan_for(const std::vector<Plan>& all, const std::string& id) {
    return *std::find_if(all.begin(), all.end(), [&](const Plan& plan) { return plan.id == id; });
}

bool affects(const Plan& plan, const char* from, const std::string& output) {
    const std::vector<std::string>& list = plan.find(from)->affects;
    return std::find(list.begin(), list.end(), output) != list.end();
}

/// Nodes that exist, as the host's user knows them.
void nodes_of_the_library_have_their_shapes() {
    const std::vector<Plan> all = plans();
    const Plan& slider = plan_for(all, "skin_slider");
    CHECK(slider.shape == Shape::Mesh && slider.stateful);
    CHECK_EQUAL(slider.type_name, "sinewSkinSlider");
    CHECK_EQUAL(slider.points_in + " " + slider.uvs_out + " " + slider.body_mesh, "points uvs ");
    // The body at rest is a mesh of its own; points and UVs go through the host's meshes.
    CHECK(slider.find("rest")->holds == Holds::Mesh && slider.find("rest")->still && slider.find("rest")->required);
    CHECK(!slider.find("points") && !slider.find("out_uvs") && !slider.find("fps"));
    CHECK(slider.find("fixed")->holds == Holds::Map && slider.find("fixed")->still);
    CHECK(slider.find("slide")->holds == Holds::Numbers && slider.find("slide")->components == 3);
    CHECK(slider.find("forces")->holds == Holds::Numbers && !slider.find("forces")->still);
    CHECK(slider.find("rows")->holds == Holds::Integers && slider.find("rows")->components == 2);
    CHECK(slider.find("young")->holds == Holds::Number && slider.find("young")->keyable);
    CHECK_EQUAL(slider.find("young")->unit + " " + slider.find("young")->quantity, "Pa pressure");
    CHECK_EQUAL(slider.find("fung_exponent")->shown_with, "material");
    CHECK_EQUAL(slider.find("fung_exponent")->shown_choices, 4U);
    CHECK(slider.find("young")->affects_geometry && affects(slider, "young", "out_stretch"));
    CHECK(!slider.find("outputs")->affects_geometry && !slider.find("riders")->affects_geometry);
    CHECK(affects(slider, "riders", "out_rider_points") && !affects(slider, "riders", "out_stretch"));
    CHECK(slider.find("out_rider_inside")->holds == Holds::Each);
    CHECK(slider.find("out_rider_matrices")->holds == Holds::Matrices);
    CHECK(slider.find("out_skin_faces")->holds == Holds::Integers);

    const Plan& muscles = plan_for(all, "muscle_skin");
    CHECK(muscles.shape == Shape::Deformer);
    CHECK_EQUAL(muscles.points_in + " " + muscles.points_out + " " + muscles.body_mesh, "points points ");
    CHECK(muscles.find("muscles_mesh")->of == Of::MadeMesh && muscles.find("muscles_mesh")->holds == Holds::Mesh);
    CHECK_EQUAL(muscles.made_meshes.size(), 1U);
    CHECK(affects(muscles, "joints", "muscles_mesh") && !affects(muscles, "fat_map", "out_muscle_lengths"));
    CHECK(muscles.find("activations")->holds == Holds::Each && muscles.find("activations")->keyable);
    CHECK(muscles.find("joints")->holds == Holds::Matrices);
    CHECK_EQUAL(muscles.find("joints")->items, "joint");
    CHECK(muscles.find("muscles")->is_file && muscles.find("muscles")->holds == Holds::Text);
    CHECK(!muscles.find("muscles")->files.empty() && !muscles.find("muscles")->keyable);

    CHECK(plan_for(all, "charts").shape == Shape::Mesh);
    CHECK_EQUAL(plan_for(all, "charts").body_mesh, "mesh");
    CHECK(plan_for(all, "skinning").shape == Shape::Deformer);
    CHECK(plan_for(all, "skinning").find("of_envelope")->id == "envelope");
    const Plan& strand = plan_for(all, "strand");
    CHECK(strand.shape == Shape::Values);
    const Attribute* curves = strand.find("strand_curves");
    CHECK(curves && curves->of == Of::MadeCurves && curves->holds == Holds::Curves);
    CHECK(curves && curves->id + " " + curves->counted_by == "strand_points strand_counts");
    // They change with what moves the nodes, and with what makes others.
    CHECK(affects(strand, "gravity", "strand_curves") && affects(strand, "scene", "strand_curves"));
    CHECK(!affects(strand, "details", "strand_curves"));
    CHECK_EQUAL(strand.find("out_tensions")->between, "strand_points");
    CHECK_EQUAL(strand.find("scene")->document + " " + muscles.find("muscles")->document, "strand_scene muscle_set");
}

SinewPortInfo port(std::int32_t direction, const char* id, const char* quantity, const char* mesh,
                   const char* element) {
    SinewPortInfo made{};
    made.direction = direction;
    made.kind = SINEW_PORT_REALS;
    made.components = quantity == std::string("position") ? 3 : quantity == std::string("uv") ? 2 : 1;
    made.id = made.host_name = id;
    made.title = made.doc = made.unit = made.items = made.group = "";
    made.domain = mesh == std::string() ? "free" : element;
    made.quantity = quantity;
    made.mesh = mesh;
    made.element = element;
    made.counted_by = made.radii = made.between = made.index_of = "";
    return made;
}

SinewPortInfo output(const char* id, const char* host_name, const char* quantity, const char* mesh,
                     const char* element) {
    SinewPortInfo made = port(SINEW_OUTPUT, id, quantity, mesh, element);
    made.host_name = host_name;
    return made;
}

SinewPortInfo mesh_input(const char* id, bool at_rest) {
    SinewPortInfo made = port(SINEW_INPUT, id, "scalar", "body", "vertex");
    made.kind = SINEW_PORT_MESH;
    made.components = 0;
    made.at_rest = at_rest;
    return made;
}

SinewParamInfo param(const char* id, const char* host_name) {
    SinewParamInfo made{};
    made.kind = SINEW_PARAM_REAL;
    made.id = id;
    made.host_name = host_name;
    made.title = made.doc = made.unit = made.group = made.shown_with = made.files = "";
    made.default_text = made.quantity = made.document = "";
    return made;
}

Described made_up(std::vector<SinewPortInfo> ports) {
    Described described;
    described.node.id = "flesh_of_2";
    described.node.title = described.node.doc = "";
    described.node.number = 42;
    described.ports = std::move(ports);
    described.affects = [](const char*, const char*) { return true; };
    return described;
}

Shape shape_with(std::vector<SinewPortInfo> ports) { return plan_of(made_up(std::move(ports))).shape; }

/// The shape follows from the ports, whatever the node is called.
void shapes_follow_from_ports() {
    const SinewPortInfo in = port(SINEW_INPUT, "points", "position", "body", "vertex");
    const SinewPortInfo out = output("points", "out_points", "position", "body", "vertex");
    CHECK(shape_with({in, out}) == Shape::Deformer);
    CHECK(shape_with({in}) == Shape::Values);
    CHECK(shape_with({out}) == Shape::Values);
    CHECK(shape_with({in, output("points", "out_points", "position", "other", "vertex")}) == Shape::Values);
    CHECK(shape_with({in, output("places", "out_places", "position", "body", "vertex")}) == Shape::Values);
    CHECK(shape_with({in, output("points", "out_points", "position", "body", "face")}) == Shape::Values);
    const SinewPortInfo uvs = output("charted", "out_charted", "uv", "body", "corner");
    CHECK(shape_with({in, uvs}) == Shape::Mesh);
    CHECK(shape_with({in, output("charted", "out_charted", "uv", "other", "corner")}) == Shape::Values);
    const SinewPortInfo heat = output("heat", "out_heat", "scalar", "body", "face");
    CHECK(shape_with({mesh_input("mesh", false), heat}) == Shape::Mesh);
    CHECK(shape_with({heat}) == Shape::Values);
    CHECK(shape_with({mesh_input("mesh", false), output("sum", "out_sum", "scalar", "", "")}) == Shape::Values);
    CHECK(shape_with({in, out, uvs}) == Shape::Deformer);
}

void the_geometry_feeds_what_moves() {
    const SinewPortInfo uvs = output("uvs", "out_uvs", "uv", "body", "corner");
    SinewPortInfo places = port(SINEW_INPUT, "places", "position", "body", "vertex");
    const Plan moved = plan_of(made_up({mesh_input("rest", true), places, uvs}));
    CHECK_EQUAL(moved.points_in + " " + moved.body_mesh, "places ");
    CHECK(moved.find("rest") && !moved.find("places"));
    const Plan only_rest = plan_of(made_up({mesh_input("rest", true), uvs}));
    CHECK_EQUAL(only_rest.points_in + " " + only_rest.body_mesh, " rest");
    CHECK(!only_rest.find("rest"));
    const Plan both = plan_of(made_up({mesh_input("rest", true), mesh_input("now", false), uvs}));
    CHECK_EQUAL(both.body_mesh, "now");
    CHECK(both.find("rest") && !both.find("now"));
    const Plan values = plan_of(made_up({mesh_input("now", false)}));
    CHECK(values.body_mesh.empty() && values.find("now"));
}

void a_node_of_a_later_library_appears() {
    SinewPortInfo map = port(SINEW_INPUT, "firmness", "scalar", "body", "vertex");
    map.paintable = map.has_default = map.has_range = 1;
    map.default_value = 0.5;
    map.maximum = 2;
    SinewPortInfo vectors = port(SINEW_INPUT, "grain", "direction", "body", "vertex");
    vectors.paintable = 1;
    vectors.components = 3;
    SinewPortInfo counts = port(SINEW_INPUT, "counts", "scalar", "", "");
    counts.kind = SINEW_PORT_INTS;
    const SinewPortInfo tension = output("tension", "out_tension", "scalar", "", "");
    const SinewPortInfo corners = output("fat_points", "out_fat_points", "position", "fat", "vertex");
    const SinewPortInfo pull = port(SINEW_INPUT, "pull", "scalar", "", "");
    Described described = made_up({map, vectors, counts, pull, tension, corners});
    SinewMeshInfo fat{};
    fat.id = "fat";
    fat.title = fat.doc = "";
    fat.points = "fat_points";
    fat.face_sizes = fat.face_vertices = "fat_faces";
    described.meshes = {fat};
    SinewParamInfo kind = param("kind", "kind"), rate = param("fps", "fps"), depth = param("depth", "of_depth");
    kind.kind = SINEW_PARAM_CHOICE;
    depth.shown_with = "kind";
    depth.shown_choices = 2;
    depth.soft_maximum = 3;
    depth.maximum = 9;
    described.params = {kind, rate, depth};
    SinewChoiceInfo choice{};
    choice.id = "a";
    choice.title = "A";
    choice.doc = "First.";
    described.choices = {{choice, choice}, {}, {}};
    described.affects = [](const char* from, const char* to) {
        return from == std::string("pull") && to == std::string("fat_faces");
    };
    const Plan plan = plan_of(described);
    CHECK_EQUAL(plan.type_name, "sinewFleshOf2");
    CHECK_EQUAL(plan.number, 42U);
    CHECK(plan.find("firmness")->holds == Holds::Map && plan.find("firmness")->has_range);
    CHECK_EQUAL(plan.find("firmness")->default_value, 0.5);
    CHECK(plan.find("grain")->holds == Holds::Numbers && plan.find("grain")->still);
    CHECK(plan.find("counts")->holds == Holds::Integers && !plan.find("counts")->keyable);
    CHECK(plan.find("pull")->holds == Holds::Each && plan.find("pull")->keyable);
    CHECK((plan.find("pull")->affects == std::vector<std::string>{"fat_mesh"}));
    CHECK(plan.find("counts")->affects.empty());
    CHECK(plan.find("out_tension")->holds == Holds::Each && !plan.find("out_tension")->keyable);
    CHECK(plan.find("out_fat_points")->holds == Holds::Numbers);
    CHECK(plan.find("fat_mesh")->of == Of::MadeMesh);
    CHECK_EQUAL(plan.find("fat_mesh")->id, "fat");
    CHECK(!plan.find("fps"));
    CHECK(plan.find("kind")->choices.size() == 2 && plan.find("kind")->choices[1].doc == "First.");
    CHECK_EQUAL(plan.find("of_depth")->shown_with, "kind");
    CHECK_EQUAL(plan.find("of_depth")->soft_maximum, 3.0);
    CHECK_EQUAL(plan.find("of_depth")->maximum, 9.0);
    CHECK(!plan.find("depth"));
}

void names_that_collide_are_refused() {
    const auto with = [](const char* host_name) {
        Described described = made_up({output("fat_points", "out_fat_points", "position", "fat", "vertex")});
        SinewMeshInfo fat{};
        fat.id = "fat";
        fat.title = fat.doc = "";
        fat.points = fat.face_sizes = fat.face_vertices = "fat_points";
        described.meshes = {fat};
        described.params = {param("x", host_name)};
        described.choices = {{}};
        return plan_of(described);
    };
    CHECK(with("x").find("x"));
    for (const char* taken : {"fat_mesh", "out_fat_points", "status", "current_time", "out_mesh"}) {
        CHECK_THROWS(std::invalid_argument, with(taken));
    }
    for (const char* illegal : {"", "2x", "_x", "a b", "a.b", "\xC3\xA4"}) {
        CHECK_THROWS(std::invalid_argument, with(illegal));
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) return 2;
    names_are_permanent(arguments[1], count > 2 && arguments[2] == std::string("--append"));
    every_name_is_free();
    nodes_of_the_library_have_their_shapes();
    shapes_follow_from_ports();
    the_geometry_feeds_what_moves();
    a_node_of_a_later_library_appears();
    names_that_collide_are_refused();
    return tests::finish();
}
