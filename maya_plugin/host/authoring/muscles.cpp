#include "host/authoring/muscles.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace sinew::host {
namespace {

/// A character as the library takes it: a view of its arrays.
class RigView {
public:
    RigView(const Character& character, const Space& space) {
        if (character.rest.size() != 16 * character.joints.size())
            throw std::invalid_argument("A character needs a matrix at rest for each joint.");
        if (!character.face_sizes.empty()) {
            skin_.struct_size = sizeof skin_;
            skin_.positions = array<float>({character.points.data(), character.points.size()}, 3);
            skin_.face_sizes = character.face_sizes.data();
            skin_.face_count = character.face_sizes.size();
            skin_.corner_vertices = character.face_vertices.data();
            skin_.corner_count = character.face_vertices.size();
        }
        const SinewArray rest = array<double>({character.rest.data(), character.rest.size()}, 16);
        rig_ = std::make_unique<Rig>(character.joints, rest, space.metres_per_unit, space.up_axis, space.row_vectors,
                                     character.face_sizes.empty() ? nullptr : &skin_);
        if (!character.parents.empty()) rig_->set_parents(character.parents);
        if (!character.roles.empty()) rig_->set_roles(character.roles);
    }
    const Rig& operator*() const { return *rig_; }
    const SinewRig* get() const { return rig_->get(); }

private:
    SinewMesh skin_{};
    std::unique_ptr<Rig> rig_;
};

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

std::vector<std::string> texts(const Json& list) {
    std::vector<std::string> found;
    for (const Json& one : list.items()) found.push_back(one.text());
    return found;
}

std::string parts(const Json& report) {
    const auto count = [&](const char* what) { return report.at(what).items().size(); };
    return counted(count("muscles"), "muscle", "muscles") + ", " + counted(count("pads"), "pad", "pads") + " and " +
           counted(count("bones"), "bone", "bones");
}

/// The physique of an index; false after the last.
bool physique_at(std::uint32_t index, SinewPhysique& found) {
    found = {};
    found.struct_size = sizeof found;
    return sinew_physique_info(index, &found) == SINEW_OK;
}

/// What the library knows of a muscle's attributes.
Json muscle_schema() {
    const Json whole = Json::parse(describe_document(muscles_holder().type.c_str()));
    for (const Json& child : whole.at("children").items())
        if (child.at("element").at("name").text() == "muscle") return child.at("element");
    throw JsonError("The library knows no muscles.");
}

std::optional<double> number_of(const Json& object, const char* name) {
    const Json* found = object.find(name);
    return !found || found->is_null() ? std::nullopt : std::optional(found->number());
}

} // namespace

MuscleEdit::MuscleEdit(const std::string& text, const Space& space, Progress progress)
    : space_(space), context_(ContextOptions{0, false, {}, std::move(progress)}),
      set_(document_text(muscles_holder(), text)) {
    set_.use(context_);
}

std::vector<std::string> MuscleEdit::warnings() const { return texts(Json::parse(set_.report()).at("warnings")); }

Done MuscleEdit::done(std::string sentence) const { return {std::move(sentence), warnings()}; }

std::vector<std::string> MuscleEdit::names() const {
    const Json report = Json::parse(set_.report());
    std::vector<std::string> found;
    for (const Json& muscle : report.at("muscles").items()) found.push_back(muscle.at("name").text());
    return found;
}

Done MuscleEdit::fit(const Character& character, const std::string& plan) {
    const RigView rig(character, space_);
    set_.place(*rig, or_null(plan));
    return done("The set has " + parts(Json::parse(set_.report())) + " now.");
}

Done MuscleEdit::add(const Character& character, const std::string& name, const std::string& origin,
                     const std::string& insertion, double size, const std::optional<Vector>& from,
                     const std::optional<Vector>& to) {
    const RigView rig(character, space_);
    const std::vector<std::string> known = names();
    const std::set<std::string> taken(known.begin(), known.end());
    const std::string like = name.empty() ? origin + " to " + insertion : name;
    std::string free = like;
    for (int k = 2; name.empty() && taken.count(free) > 0; ++k) free = like + " " + std::to_string(k);
    check(sinew_muscles_add(set_.handle(), rig.get(), free.c_str(), origin.c_str(), insertion.c_str(),
                            from ? from->data() : nullptr, to ? to->data() : nullptr, size));
    return done("The muscle " + free + " goes from " + origin + " to " + insertion + ".");
}

Done MuscleEdit::remove(const std::string& name) {
    set_.remove(name);
    return done("The muscle " + name + " was removed.");
}

Done MuscleEdit::mirror(const Character& character) {
    const RigView rig(character, space_);
    const std::uint32_t added = set_.mirror(*rig);
    if (added == 0)
        throw std::invalid_argument("Nothing was added: no name is marked as left or right, or each has its "
                                    "counterpart.");
    return done(counted(added, "part was", "parts were") + " added on the other side.");
}

Done MuscleEdit::copy(const Character& from, const Character& to) {
    const RigView source(from, space_), target(to, space_);
    set_.copy(*source, *target);
    return done("The set was copied: " + parts(Json::parse(set_.report())) + ".");
}

Done MuscleEdit::physique(const std::string& id) {
    SinewPhysique found{};
    for (std::uint32_t k = 0; physique_at(k, found); ++k) {
        if (found.id != id) continue;
        check(sinew_muscles_physique(set_.handle(), &found));
        return done("All muscles have the physique " + id + " now.");
    }
    throw std::invalid_argument("There is no physique \"" + id + "\": there are " + listed(physiques()) + ".");
}

Done MuscleEdit::rename(const std::string& name, const std::string& to) {
    Document document = Document::parse(set_.text());
    document.rename(document.single(name), to);
    set_ = MuscleSet(document.text());
    set_.use(context_);
    return done("The muscle " + name + " is called " + to + " now.");
}

Done MuscleEdit::set(const std::vector<std::string>& muscles, const std::string& attribute, const std::string& value) {
    Editing edit(muscles_holder(), {set_.text(), {}}, space_);
    for (const std::string& muscle : muscles) edit.set(edit.document().single(muscle), "muscle", attribute, value);
    set_ = MuscleSet(edit.after().text);
    set_.use(context_);
    return done("Of " + listed(muscles) + ": " + attribute + (value.empty() ? " is left out." : " is " + value + "."));
}

MuscleEdit::Range MuscleEdit::test(const Character& character, double push, double degrees, const std::string& plan) {
    const RigView rig(character, space_);
    const std::uint32_t count = set_.range(*rig, push, degrees, or_null(plan));
    std::vector<std::string> all = warnings();
    const auto split = all.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, all.size()));
    return {{all.begin(), split}, {split, all.end()}};
}

std::vector<std::string> physiques() {
    std::vector<std::string> found;
    SinewPhysique one{};
    for (std::uint32_t k = 0; physique_at(k, one); ++k) found.emplace_back(one.id);
    return found;
}

std::vector<MuscleNumber> muscle_numbers(const std::string& text, const std::string& muscle, const Space& space) {
    Document document = open_document(muscles_holder(), text, space);
    const Json element = Json::parse(document.read(document.single(muscle)));
    const Json schema = muscle_schema();
    std::vector<MuscleNumber> found;
    for (const Json& attribute : schema.at("attributes").items()) {
        const Json* panel = attribute.find("panel");
        if (!panel) continue;
        const std::string& name = attribute.at("name").text();
        MuscleNumber number;
        number.attribute = name;
        number.heading = panel->at("heading").text();
        number.doc = attribute.at("doc").text();
        number.unit = attribute.text_or_empty("unit");
        number.type = attribute.at("type").text();
        number.text = element.at("attributes").text_or_empty(name);
        number.least = number_of(*panel, "least");
        number.most = number_of(*panel, "most");
        number.port = attribute.text_or_empty("port");
        if (const Json* values = element.at("numbers").find(name)) number.values = values->numbers();
        found.push_back(std::move(number));
    }
    return found;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        const bool edges = !name.empty() && (name.front() == ' ' || name.back() == ' ');
        const bool special = edges || name.find_first_of(",\"") != std::string::npos;
        std::string inside;
        for (const char letter : name) inside.append(letter == '"' ? 2 : 1, letter);
        text += (text.empty() ? "" : ",") + (special ? "\"" + inside + "\"" : inside);
    }
    return text;
}

} // namespace sinew::host
