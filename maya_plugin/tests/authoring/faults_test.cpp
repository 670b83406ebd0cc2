// What is broken in a finger is found at its element, with the object of the host that made it.
#include "host/authoring/faults.h"
#include "tests/authoring/characters.h"
#include "tests/host/check.h"

#include <algorithm>

namespace {

using namespace sinew;
using namespace sinew::tests;
using host::Editing, host::Fault, host::Stored;

/// A document with a text in place of another one, as someone may write into a file.
Stored with(Stored stored, const std::string& old, const std::string& now) {
    const std::size_t at = stored.text.find(old);
    if (at == std::string::npos) fail(__FILE__, __LINE__, "the finger has no " + old);
    else stored.text.replace(at, old.size(), now);
    return stored;
}

struct Expected {
    const char *kind, *name, *attribute, *object, *words;
};

void check_found(const Stored& broken, const Expected& expected) {
    const std::vector<Fault> found = host::faults(host::scene_holder(), broken, at_origin.space());
    const auto fits = [&](const Fault& fault) {
        return fault.kind == expected.kind && fault.name == expected.name && fault.attribute == expected.attribute &&
               fault.object == expected.object && fault.message.find(expected.words) != std::string::npos;
    };
    if (std::any_of(found.begin(), found.end(), fits)) return;
    std::string said = std::string("there is no fault at ") + expected.kind + " " + expected.name + "; found:";
    for (const Fault& f : found)
        said += "\n  " + f.weight + " | " + f.kind + " | " + f.name + " | " + f.part + " | " + f.attribute + " | " +
                f.object + " | line " + std::to_string(f.line) + " | " + f.sentence();
    fail(__FILE__, __LINE__, said);
}

void finds_each_at_its_element() {
    const Stored good = finger(at_origin);
    CHECK(host::faults(host::scene_holder(), good, at_origin.space()).empty());
    check_found(with(good, "<node point=\"flexor_L 3\"", "<node point=\"flexor_L 33\""),
                {"strand", "flexor_L", "point", "object of flexor", "flexor_L 33"});
    check_found(with(good, "on=\"index_middle_L\"", "on=\"index_muddle_L\""),
                {"point", "flexor_L 5", "on", "object of flexor.cv[4]", "index_muddle_L"});
    check_found(with(good, "child=\"index_distal_L\"", ""),
                {"joint", "index_distal_L joint", "child", "object of index_distal_L", "child"});
    check_found(with(good, " young=\"1200000000\"", ""),
                {"strand", "flexor_L", "stiffness", "object of flexor", "young"});
    check_found(with(good, "radius=\"0.1\"", "radius=\"thick\""),
                {"strand", "flexor_L", "radius", "object of flexor", "thick"});
    check_found(with(good, "may=\"-95 10\"", "may=\"loose\""),
                {"joint", "index_proximal_L joint", "may", "object of index_proximal_L", "loose"});
    check_found(with(good, "strand=\"extensor_L\"", "strand=\"extensor\""),
                {"reel", "extensor_L", "strand", "", "extensor"});
    check_found(with(good, "<strand name=\"extensor_L\"", "<strand colour=\"red\" name=\"extensor_L\""),
                {"strand", "extensor_L", "colour", "object of extensor", "colour"});
}

/// What no table forbids, but no scene can be: only building it finds that.
void finds_what_cannot_be_built() {
    const Stored good = finger(at_origin);
    Editing edit(host::scene_holder(), good, at_origin.space());
    const auto body = edit.find("body", "index_middle_L");
    edit.document().remove(edit.document().list(body, "inertia").at(0));
    check_found(edit.after(), {"body", "index_middle_L", "", "object of index_middle_L", "inertia"});
    check_found(with(good, "\"flexor_L 1\" kind=\"eulerian\"", "\"flexor_L 1\" kind=\"lagrangian\""),
                {"reel", "flexor_L", "", "object of flexor", "no material slides"});
    const std::string bone = "<body name=\"index_metacarpal_L\" at=\"-6 0 0\" mode=\"led\">";
    check_found(with(good, bone, bone + "<shape file=\"/no/bone.obj\"/>"),
                {"body", "index_metacarpal_L", "", "object of index_metacarpal_L", "/no/bone.obj"});
    check_found(with(good, bone, "<armature file=\"/no/walk.bvh\"/>" + bone), {"armature", "", "", "", "/no/walk.bvh"});
}

void says_it_in_sentences() {
    const Stored good = finger(at_origin);
    const auto all = host::faults(host::scene_holder(), with(good, "<node point=\"flexor_L 3\"", "<node point=\"gone\""),
                                  at_origin.space());
    CHECK(!all.empty() && all.front().is_error());
    CHECK_EQUAL(all.front().index, 3U);
    CHECK_EQUAL(all.front().part, std::string("node 3"));
    CHECK_EQUAL(all.front().sentence(), std::string("strand \"flexor_L\", node 3: point: there is no point \"gone\"."));
    CHECK(all.front().line > 0);
    // Errors first, whatever comes before them in the scene.
    const std::string bone = "<body name=\"index_proximal_L\"";
    const Stored broken = with(good, "<node point=\"flexor_L 3\"", "<node point=\"gone\"");
    const Stored coloured = with(broken, bone, bone + " colour=\"red\"");
    const auto mixed = host::faults(host::scene_holder(), coloured, at_origin.space());
    CHECK(mixed.size() == 2 && mixed[0].weight == "unreadable" && mixed[1].weight == "unknown");
}

void finds_what_is_no_document() {
    for (const char* text : {"<strand_scene", "<muscle_set/>", "<strand_scene version=\"1\"><body></strand_scene>"}) {
        try {
            const auto found = host::faults(host::scene_holder(), {text, ""}, at_origin.space());
            CHECK_EQUAL(found.size(), 1U);
            CHECK(!found.empty() && found[0].is_error() && !found[0].message.empty());
        } catch (const std::invalid_argument& error) {
            CHECK(std::string(text) == "<muscle_set/>");
        }
    }
    const auto missing = host::faults(host::scene_holder(), {"/no/such/scene.xml", ""}, at_origin.space());
    CHECK_EQUAL(missing.size(), 1U);
    CHECK(!missing.empty() && missing[0].message.find("scene.xml") != std::string::npos);
}

/// The set's faults by the same way.
void finds_those_of_muscles() {
    const char* set = "<muscle_set version=\"1\">\n<muscle name=\"biceps\" origin_joint=\"a\" origin=\"0 0 0\"\n"
                      " insertion_joint=\"b\" insertion=\"1 0 0\" size=\"big\"/></muscle_set>";
    host::Origins origins;
    origins.set("muscle", "biceps", "object of biceps");
    const auto found = host::faults(host::muscles_holder(), {set, origins.text()}, at_origin.space());
    CHECK(!found.empty() && found[0].kind == "muscle" && found[0].name == "biceps" && found[0].attribute == "size");
    CHECK(!found.empty() && found[0].object == "object of biceps" && found[0].line == 2);
}

void keeps_origins() {
    host::Origins origins;
    origins.set("body", "a \"b\"", "uuid-1");
    origins.set("point", "\u00e4", "uuid-2.cv[3]");
    origins.set("body", "none", "");
    const host::Origins read = host::Origins::parse(origins.text());
    CHECK_EQUAL(read.find("body", "a \"b\""), std::string("uuid-1"));
    CHECK_EQUAL(read.find("point", "\u00e4"), std::string("uuid-2.cv[3]"));
    CHECK_EQUAL(read.text(), origins.text());
    CHECK_EQUAL(host::Origins::parse("").text(), std::string());
    CHECK_THROWS(host::JsonError, host::Origins::parse("[[\"body\",\"a\"]]"));
    CHECK_THROWS(host::JsonError, host::Origins::parse("nonsense"));
}

} // namespace

int main() {
    finds_each_at_its_element();
    finds_what_cannot_be_built();
    says_it_in_sentences();
    finds_what_is_no_document();
    finds_those_of_muscles();
    keeps_origins();
    return finish();
}
