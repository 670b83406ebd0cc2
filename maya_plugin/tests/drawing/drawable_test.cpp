// What of a node can be drawn: found by what its ports hold, for every node of the library and for made-up ones.
#include "../host/check.h"
#include "../host/scenes.h"
#include "host/drawing/drawable.h"

#include <deque>
#include <sstream>

using namespace sinew;
using namespace sinew::host;
using namespace sinew::tests;

namespace {

const char* text(Form form) {
    const char* const all[] = {"mesh", "body", "curves", "points", "axes", "vectors"};
    return all[static_cast<int>(form)];
}

const char* text(Per per) {
    const char* const all[] = {"nothing", "vertex", "face", "corner", "curve", "segment", "owner"};
    return all[static_cast<int>(per)];
}

/// A line for each: its name, how it is drawn, what each number belongs to, the outputs that it needs.
std::string list(const std::vector<Drawable>& all) {
    std::ostringstream lines;
    for (const Drawable& one : all) {
        lines << one.name << ": " << text(one.form) << " per " << text(one.per) << ":";
        for (const std::string& port : one.ports()) lines << " " << port;
        lines << "\n";
    }
    return lines.str();
}

void library_nodes() {
    CHECK_EQUAL(list(drawables(plan_of_node("charts"))), "out_charts: body per face: charts\n"
                                                         "out_borders: body per corner: borders\n"
                                                         "out_stretch: body per face: stretch\n");
    CHECK_EQUAL(list(drawables(plan_of_node("skinning"))), "");
    const std::string muscles = "muscle_points muscle_face_sizes muscle_face_vertices";
    CHECK_EQUAL(list(drawables(plan_of_node("muscle_skin"))),
                "out_carried: body per vertex: carried\n"
                "out_muscle_numbers: mesh per vertex: " + muscles + " muscle_numbers\n"
                "out_ring_matrices: axes per nothing: ring_matrices\n"
                "out_muscle_lengths: mesh per owner: " + muscles + " muscle_lengths muscle_numbers\n"
                "out_muscle_tensions: mesh per owner: " + muscles + " muscle_tensions muscle_numbers\n"
                "muscles_mesh: mesh per nothing: " + muscles + "\n");
    CHECK_EQUAL(list(drawables(plan_of_node("skin_slider"))),
                "out_skin_points: points per nothing: skin_points\n"
                "out_skin_weights: body per vertex: skin_weights\n"
                "out_slid_points: points per nothing: slid_points\n"
                "out_slide_vector: vectors per vertex: slide_vector\n"
                "out_slide_distance: body per vertex: slide_distance\n"
                "out_stretch: body per vertex: stretch\n"
                "out_stretch_direction: vectors per vertex: stretch_direction\n"
                "out_tension: body per vertex: tension\n"
                "out_wrinkle_amplitude: body per vertex: wrinkle_amplitude\n"
                "out_wrinkle_crests: vectors per vertex: wrinkle_crests\n"
                "out_load: vectors per vertex: load\n"
                "out_rider_points: points per nothing: rider_points\n"
                "out_rider_matrices: axes per nothing: rider_matrices\n"
                "out_rider_inside: points per vertex: rider_points rider_inside\n");
    const std::string strands = "strand_points strand_counts strand_radii";
    CHECK_EQUAL(list(drawables(plan_of_node("strand"))),
                "out_body_matrices: axes per nothing: body_matrices\n"
                "out_strand_points: curves per nothing: " + strands + "\n"
                "out_strand_radii: curves per curve: " + strands + " strand_radii\n"
                "out_strand_materials: curves per vertex: " + strands + " strand_materials\n"
                "out_strand_lengths: curves per curve: " + strands + " strand_lengths\n"
                "out_tensions: curves per segment: " + strands + " tensions\n"
                "out_strand_cuts: curves per segment: " + strands + " strand_cuts\n");
}

/// Texts that descriptors point to.
class Texts {
public:
    const char* keep(const std::string& words) { return all_.emplace_back(words).c_str(); }

private:
    std::deque<std::string> all_;
};

/// What the library says of a node, under other ids, names and titles: whoever goes by these finds nothing.
Described renamed(const SinewNodeInfo& node, Texts& texts) {
    const auto other = [&](const char* id) { return id[0] == '\0' ? id : texts.keep("q" + std::string(id) + "q"); };
    // What is called alike stays alike; elements of meshes have names of the library's own.
    const auto other_items = [&](const char* items) {
        const std::string word = items;
        const bool is_own = word.empty() || word == "vertex" || word == "face" || word == "corner";
        return is_own ? items : texts.keep("z" + std::to_string(std::hash<std::string>()(word)));
    };
    Described made;
    made.node = node;
    made.node.id = texts.keep("made_up");
    made.ports = ports(node);
    for (SinewPortInfo& port : made.ports) {
        port.id = other(port.id);
        port.host_name = other(port.host_name);
        port.title = other(port.title);
        port.group = other(port.group);
        port.items = other_items(port.items);
        port.index_of = other_items(port.index_of);
        for (const char** id : {&port.counted_by, &port.radii, &port.between}) *id = other(*id);
        // The body is known as the mesh that the host has, by its id.
        if (port.mesh != std::string("body")) port.mesh = other(port.mesh);
    }
    made.meshes = meshes(node);
    for (SinewMeshInfo& mesh : made.meshes) {
        if (mesh.points[0] == '\0') continue;
        for (const char** id : {&mesh.id, &mesh.points, &mesh.face_sizes, &mesh.face_vertices}) *id = other(*id);
    }
    made.affects = [](const char*, const char*) { return true; };
    return made;
}

void made_up_nodes() {
    for (const SinewNodeInfo& node : nodes()) {
        Texts texts;
        const Plan plan = plan_of(renamed(node, texts));
        // Points that the host's geometry takes have one id on both sides, by which plans know them.
        std::vector<Drawable> found = drawables(plan), expected = drawables(plan_of_node(node.id));
        for (Drawable& one : expected) {
            for (std::string* id : {&one.points, &one.face_sizes, &one.face_vertices, &one.counts, &one.radii,
                                    &one.values, &one.owners})
                if (!id->empty()) *id = "q" + *id + "q";
            const bool is_mesh = one.form == Form::Mesh && one.per == Per::Nothing;
            one.name = is_mesh ? "q" + one.name.substr(0, one.name.size() - 5) + "q_mesh" : "q" + one.name + "q";
        }
        if (plan_of_node(node.id).shape == Shape::Deformer) {
            // The body's points are an output like others once nothing marks them as those of the deformer.
            found.erase(std::remove_if(found.begin(), found.end(),
                                       [](const Drawable& one) { return one.points == "qpointsq"; }),
                        found.end());
        }
        CHECK_EQUAL(list(found), list(expected));
    }
}

SinewPortInfo port_of(const char* id, const char* quantity, std::uint32_t components, const char* items) {
    SinewPortInfo port{};
    port.direction = SINEW_OUTPUT;
    port.kind = SINEW_PORT_REALS;
    port.components = components;
    port.id = port.host_name = port.title = id;
    port.doc = port.domain = port.unit = port.mesh = port.element = port.group = "";
    port.domain = "free";
    port.quantity = quantity;
    port.items = items;
    port.counted_by = port.radii = port.between = port.index_of = "";
    return port;
}

/// Ropes that are not in the library, in whatever order and of whatever names: without radii, with a point cloud beside
/// them.
void ropes_and_clouds() {
    Described described;
    described.node.id = "ropes";
    described.node.title = described.node.doc = "";
    SinewPortInfo counts = port_of("c", "index", 1, "rope");
    counts.whole = 1;
    SinewPortInfo knots = port_of("p", "position", 3, "knot"), gaps = port_of("t", "scalar", 1, "gap");
    knots.counted_by = "c";
    gaps.between = "p";
    described.ports = {knots, gaps, port_of("w", "scalar", 1, "knot"), port_of("s", "position", 3, "spark"),
                       // Lengths and parts of words are no relations.
                       counts, port_of("l", "length", 1, "rope"), port_of("h", "scalar", 1, "spark"),
                       port_of("n", "scalar", 1, "rope gap")};
    described.affects = [](const char*, const char*) { return false; };
    CHECK_EQUAL(list(drawables(plan_of(described))), "p: curves per nothing: p c\n"
                                                     "t: curves per segment: p c t\n"
                                                     "w: curves per vertex: p c w\n"
                                                     "s: points per nothing: s\n"
                                                     "l: curves per curve: p c l\n"
                                                     "h: points per vertex: s h\n");
    // A radius is that which the places name.
    described.ports[0].radii = "l";
    CHECK_EQUAL(list(drawables(plan_of(described))).substr(0, 32), "p: curves per nothing: p c l\nt: ");
    // Without counts, the same places are dots.
    described.ports[0].counted_by = described.ports[0].radii = "";
    CHECK_EQUAL(list(drawables(plan_of(described))), "p: points per nothing: p\n"
                                                     "w: points per vertex: p w\n"
                                                     "s: points per nothing: s\n"
                                                     "h: points per vertex: s h\n");
}

std::string names(const std::vector<Drawable>& all) {
    std::string found;
    for (const Drawable& one : all) found += (found.empty() ? "" : " ") + one.name;
    return found;
}

void choices() {
    const auto chosen = [](const char* node, const std::string& wanted, std::vector<std::string>& unknown) {
        return names(choose(drawables(plan_of_node(node)), wanted, unknown));
    };
    std::vector<std::string> unknown;
    CHECK_EQUAL(chosen("strand", "", unknown), "out_strand_points");
    CHECK_EQUAL(chosen("muscle_skin", "", unknown), "muscles_mesh");
    CHECK_EQUAL(chosen("skin_slider", "  ", unknown), "out_slide_distance");
    CHECK_EQUAL(chosen("charts", "", unknown), "out_charts");
    CHECK_EQUAL(chosen("skinning", "", unknown), "");
    CHECK_EQUAL(chosen("strand", " out_tensions,out_body_matrices ", unknown), "out_tensions out_body_matrices");
    CHECK(unknown.empty());
    CHECK_EQUAL(chosen("strand", "tensions out_tensions nothing", unknown), "out_tensions");
    CHECK_EQUAL(unknown.size(), std::size_t{2});
    CHECK(unknown == (std::vector<std::string>{"tensions", "nothing"}));
}

} // namespace

int main() {
    library_nodes();
    made_up_nodes();
    ropes_and_clouds();
    choices();
    return finish();
}
