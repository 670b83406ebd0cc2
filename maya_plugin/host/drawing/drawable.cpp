#include "drawable.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

namespace sinew::host {

namespace {

/// The outputs of a plan, with what finds one by what it holds.
struct Outs {
    const Plan& plan;
    std::vector<const Attribute*> all;

    explicit Outs(const Plan& of) : plan(of) {
        for (const Attribute& attribute : of.attributes)
            if (attribute.of == Of::Output) all.push_back(&attribute);
    }

    template <class Is> const Attribute* first(Is is) const {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Attribute* one) { return is(*one); });
        return found == all.end() ? nullptr : *found;
    }

    /// The output of an id; null where there is none, also for an empty id.
    const Attribute* output(const std::string& id) const {
        return first([&](const Attribute& one) { return one.id == id; });
    }

    const SinewMeshInfo* made_mesh(std::string_view id) const {
        for (const SinewMeshInfo& mesh : plan.made_meshes)
            if (id == mesh.id) return &mesh;
        return nullptr;
    }
};

bool are_places(const Attribute& one) { return one.quantity == "position" && one.components == 3; }

bool are_vectors(const Attribute& one) {
    return (one.quantity == "direction" || one.quantity == "displacement") && one.components == 3;
}

bool are_indices(const Attribute& one) { return one.quantity == "index"; }

/// Numbers to colour something with: whatever is measured, but no places, directions, UVs or indices.
bool are_scalars(const Attribute& one) {
    const bool is_other = are_places(one) || are_vectors(one) || are_indices(one) || one.quantity == "transform" ||
                          one.quantity == "uv";
    return !is_other && one.components >= 1 && one.components <= 3;
}

bool is_free(const Attribute& one) { return one.mesh.empty() && !one.items.empty(); }

/// Whether whole numbers say to which thing something belongs, such as a muscle, rather than which parts make up a mesh.
bool lead_to_things(const Attribute& one) {
    const bool is_element = one.index_of == "vertex" || one.index_of == "face" || one.index_of == "corner";
    return !one.index_of.empty() && !is_element && one.components == 1;
}

/// How many nodes each curve has, for places that are nodes of curves.
const Attribute* counts_of(const Outs& outs, const Attribute& points) {
    return is_free(points) ? outs.output(points.counted_by) : nullptr;
}

/// Which of some things each vertex of a made mesh belongs to.
const Attribute* owners_of(const Outs& outs, const SinewMeshInfo& mesh, const std::string& things) {
    return outs.first([&](const Attribute& one) {
        return lead_to_things(one) && one.index_of == things && one.mesh == mesh.id && one.element == "vertex";
    });
}

Drawable begin(const Attribute& from, Form form) {
    Drawable made;
    made.name = from.name;
    made.title = from.title;
    made.unit = from.unit;
    made.quantity = from.quantity;
    made.components = std::max(from.components, 1U);
    made.form = form;
    return made;
}

Drawable on_mesh(const Attribute& from, const SinewMeshInfo& mesh) {
    Drawable made = begin(from, Form::Mesh);
    made.points = mesh.points;
    made.face_sizes = mesh.face_sizes;
    made.face_vertices = mesh.face_vertices;
    return made;
}

Drawable on_curves(const Attribute& from, const Attribute& points) {
    Drawable made = begin(from, Form::Curves);
    made.points = points.id;
    made.counts = points.counted_by;
    made.radii = points.radii;
    return made;
}

std::optional<Per> per_element(const std::string& element) {
    if (element == "vertex") return Per::Vertex;
    if (element == "face") return Per::Face;
    if (element == "corner") return Per::Corner;
    return std::nullopt;
}

std::optional<Drawable> coloured(Drawable made, const Attribute& values, Per per) {
    made.values = values.id;
    made.per = per;
    return made;
}

/// Scalars of a mesh: on the host's body, or on one that the node makes.
std::optional<Drawable> map_of(const Outs& outs, const Attribute& values) {
    const std::optional<Per> per = per_element(values.element);
    if (!per) return std::nullopt;
    const SinewMeshInfo* mesh = outs.made_mesh(values.mesh);
    return coloured(mesh ? on_mesh(values, *mesh) : begin(values, Form::Body), values, *per);
}

/// Scalars of what has items of its own: on curves and their parts, on points, on what makes up a mesh.
std::optional<Drawable> items_of(const Outs& outs, const Attribute& values) {
    for (const SinewMeshInfo& mesh : outs.plan.made_meshes) {
        const Attribute* owners = owners_of(outs, mesh, values.items);
        if (!owners) continue;
        std::optional<Drawable> made = coloured(on_mesh(values, mesh), values, Per::Owner);
        made->owners = owners->id;
        return made;
    }
    for (const Attribute* points : outs.all) {
        if (!are_places(*points) || !is_free(*points)) continue;
        if (const Attribute* counts = counts_of(outs, *points)) {
            const Drawable curves = on_curves(values, *points);
            if (values.between == points->id) return coloured(curves, values, Per::Segment);
            if (values.items == points->items) return coloured(curves, values, Per::Vertex);
            if (values.items == counts->items) return coloured(curves, values, Per::Curve);
        } else if (points->items == values.items) {
            Drawable dots = begin(values, Form::Points);
            dots.points = points->id;
            return coloured(dots, values, Per::Vertex);
        }
    }
    return std::nullopt;
}

std::optional<Drawable> places_of(const Outs& outs, const Attribute& places) {
    const SinewMeshInfo* mesh = outs.made_mesh(places.mesh);
    if (mesh && places.id == mesh->points) return std::nullopt;
    Drawable made = counts_of(outs, places) ? on_curves(places, places) : begin(places, Form::Points);
    made.points = places.id;
    return made;
}

/// To which part of a mesh its vertices or faces belong.
std::optional<Drawable> parts_of(const Outs& outs, const Attribute& parts) {
    std::optional<Drawable> made = lead_to_things(parts) ? map_of(outs, parts) : std::nullopt;
    if (made) made->are_parts = true;
    return made;
}

std::optional<Drawable> vectors_of(const Outs& outs, const Attribute& vectors) {
    if (vectors.element != "vertex") return std::nullopt;
    Drawable made = begin(vectors, Form::Vectors);
    if (const SinewMeshInfo* mesh = outs.made_mesh(vectors.mesh)) made = on_mesh(vectors, *mesh);
    made.form = Form::Vectors;
    return coloured(made, vectors, Per::Vertex);
}

std::optional<Drawable> output(const Outs& outs, const Attribute& one) {
    if (one.quantity == "transform") {
        Drawable made = begin(one, Form::Triads);
        made.points = one.id;
        return made;
    }
    if (are_places(one)) return places_of(outs, one);
    if (are_vectors(one)) return vectors_of(outs, one);
    if (are_indices(one)) return parts_of(outs, one);
    if (!are_scalars(one)) return std::nullopt;
    return one.mesh.empty() ? items_of(outs, one) : map_of(outs, one);
}

std::vector<std::string> words(const std::string& text) {
    const char* const between = " ,;\t\n";
    std::vector<std::string> found;
    for (std::size_t start = text.find_first_not_of(between); start != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of(between, start), text.size());
        found.push_back(text.substr(start, end - start));
        start = text.find_first_not_of(between, end);
    }
    return found;
}

std::vector<Drawable> shown_by_default(const std::vector<Drawable>& all) {
    std::vector<Drawable> shown;
    std::copy_if(all.begin(), all.end(), std::back_inserter(shown), [](const Drawable& one) {
        return one.per == Per::Nothing && (one.form == Form::Mesh || one.form == Form::Curves);
    });
    if (!shown.empty() || all.empty()) return shown;
    const auto map = std::find_if(all.begin(), all.end(), [](const Drawable& one) {
        return one.form == Form::Body && one.components == 1;
    });
    shown.push_back(map == all.end() ? all.front() : *map);
    return shown;
}

} // namespace

std::vector<std::string> Drawable::ports() const {
    std::vector<std::string> found;
    for (const std::string* port : {&points, &face_sizes, &face_vertices, &counts, &radii, &values, &owners})
        if (!port->empty()) found.push_back(*port);
    return found;
}

std::vector<Drawable> drawables(const Plan& plan) {
    const Outs outs(plan);
    std::vector<Drawable> found;
    for (const Attribute& attribute : plan.attributes) {
        if (attribute.of == Of::MadeMesh) {
            found.push_back(on_mesh(attribute, *outs.made_mesh(attribute.id)));
        } else if (attribute.of == Of::Output) {
            if (std::optional<Drawable> made = output(outs, attribute)) found.push_back(*made);
        }
    }
    return found;
}

std::vector<Drawable> choose(const std::vector<Drawable>& all, const std::string& names,
                             std::vector<std::string>& unknown) {
    const std::vector<std::string> wanted = words(names);
    if (wanted.empty()) return shown_by_default(all);
    std::vector<Drawable> chosen;
    for (const std::string& name : wanted) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Drawable& one) { return one.name == name; });
        if (found == all.end()) unknown.push_back(name);
        else chosen.push_back(*found);
    }
    return chosen;
}

} // namespace sinew::host
