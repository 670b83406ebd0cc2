// A finger, drawn from matrices and points: it is what was drawn, wherever it stands; it runs; each edit can be undone.
#include "host/authoring/faults.h"
#include "tests/authoring/characters.h"
#include "tests/host/check.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

namespace {

using namespace sinew;
using namespace sinew::tests;
using host::Axes, host::Done, host::Editing, host::Json, host::Stored;

Editing open(const Stored& stored, const Stand& stand) { return {host::scene_holder(), stored, stand.space()}; }

std::string no_other(const std::string&) { return {}; }

/// The only place where the host's matrices turn into axes.
void takes_matrices_once() {
    const Matrix row = at_origin.matrix({10, 20, 30}, 90), column = as_columns.matrix({10, 20, 30}, 90);
    CHECK_EQUAL(row[12], 10.0);
    CHECK_EQUAL(column[3], 10.0);
    const Axes axes = host::axes_of({"a", "", row}, true);
    CHECK(axes == host::axes_of({"a", "", column}, false));
    CHECK(host::matrix_of(axes, true) == row && host::matrix_of(axes, false) == column);
    CHECK(host::origin(axes) == (Vector{10, 20, 30}));
    // Turned by 90 degrees about z, x points along y.
    CHECK(host::length(host::axis(axes, 0) - Vector{0, 1, 0}) < 1e-12);
    CHECK(host::length(host::into(axes, {10, 25, 30}) - Vector{5, 0, 0}) < 1e-12);
    CHECK(host::length(host::out_of(axes, {5, 0, 0}) - Vector{10, 25, 30}) < 1e-12);
}

void refuses_bad_matrices() {
    const auto with = [](std::size_t index, double value) {
        Matrix matrix = at_origin.matrix({1, 2, 3});
        matrix[index] = value;
        return matrix;
    };
    const auto axes = [](const Matrix& matrix) { return host::axes_of({"joint1", "", matrix}, true); };
    CHECK_THROWS(std::invalid_argument, axes(with(0, NAN)));
    CHECK_THROWS(std::invalid_argument, axes(with(12, INFINITY)));
    CHECK_THROWS(std::invalid_argument, axes(with(0, -1)));
    CHECK_THROWS(std::invalid_argument, axes(with(0, 0)));
    CHECK_THROWS(std::invalid_argument, axes(with(1, 0.5)));
    // What single precision leaves is put right.
    const Axes blurred = axes(with(1, 2e-4));
    CHECK(std::abs(host::dot(host::axis(blurred, 0), host::axis(blurred, 1))) < 1e-12);
    CHECK(std::abs(host::length(host::axis(blurred, 2)) - 1) < 1e-12);
    // A scale is no fault: bodies are rigid.
    CHECK(axes(with(0, 2)) == axes(with(0, 1)));
}

/// What the nodes of a finger lie on, and where: the points in the axes of their bodies, in centimetres.
std::vector<std::pair<std::string, Vector>> on_bodies(const Stored& stored, const Stand& stand) {
    Editing edit = open(stored, stand);
    std::vector<std::pair<std::string, Vector>> found;
    for (const std::string& name : edit.names("point")) {
        const auto point = edit.find("point", name);
        const std::string body = edit.document().text_of(point, "on");
        const Axes axes = edit.document().place(edit.find("body", body)).value();
        const Vector inside = host::into(axes, host::origin(edit.document().place(point).value()));
        found.emplace_back(name + " on " + body, (stand.metres_per_unit / 0.01) * inside);
    }
    return found;
}

void is_where_it_was_drawn() {
    const Stored drawn = finger(at_origin);
    const auto expected = on_bodies(drawn, at_origin);
    CHECK_EQUAL(expected.size(), 14U);
    // Nearest bones, also near their far ends.
    const char* bodies[] = {"metacarpal", "metacarpal", "proximal", "proximal", "middle", "middle", "distal", "distal"};
    for (std::size_t k = 0; k < 8; ++k)
        CHECK_EQUAL(expected[k].first, "flexor_L " + std::to_string(k + 1) + " on index_" + bodies[k] + "_L");
    CHECK(host::length(expected[3].second - Vector{3.8, -0.6, 0}) < 1e-9);
    CHECK(host::length(expected[5].second - Vector{6.7 - 4.5, -0.6, 0}) < 1e-9);
    for (const Stand& stand : {far_and_turned, in_metres, as_columns}) {
        const auto found = on_bodies(finger(stand), stand);
        CHECK_EQUAL(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size() && k < expected.size(); ++k) {
            CHECK_EQUAL(found[k].first, expected[k].first);
            CHECK(host::length(found[k].second - expected[k].second) < 1e-6);
        }
    }
    CHECK(drawn.text == finger(as_columns).text);
}

/// Inertia and radii are those of the same finger, in SI units, in any unit of the host.
void is_as_heavy_in_metres() {
    Editing centimetres = open(finger(at_origin), at_origin), metres = open(finger(in_metres), in_metres);
    for (Editing* edit : {&centimetres, &metres}) {
        const auto body = edit->find("body", "index_middle_L");
        const auto inertia = edit->document().list(body, "inertia").at(0);
        // A rod of 2.7 cm with a quarter of that as its diameter.
        const double expected = 1900 * 3.14159265358979 * std::pow(0.027 / 8, 2) * 0.027;
        CHECK(std::abs(edit->document().numbers(inertia, "mass").at(0) / expected - 1) < 1e-9);
        const double centre = edit->document().numbers(inertia, "centre").at(0) * edit->space().metres_per_unit;
        CHECK(std::abs(centre - 0.0135) < 1e-9);
        const auto strand = edit->find("strand", "flexor_L");
        const double radius = edit->document().numbers(strand, "radius").at(0) * edit->space().metres_per_unit;
        CHECK(std::abs(radius - 0.001) < 1e-9);
    }
}

void has_no_faults() {
    for (const Stand& stand : {at_origin, far_and_turned, in_metres}) {
        const Stored drawn = finger(stand);
        for (const host::Fault& fault : host::faults(host::scene_holder(), drawn, stand.space()))
            fail(__FILE__, __LINE__, "the finger has a fault: " + fault.sentence());
    }
}

struct Run {
    std::vector<double> first_points, last_points, first_bodies;
    bool finite = true;
};

/// 20 frames of a scene in the node, its led body where the joint is; the flexor's muscle pulls fully.
Run run(const Stored& stored, const Stand& stand, const Matrix& lead) {
    Node node(Context(ContextOptions{1, true, {}, {}}), "strand");
    const host::Space space = stand.space();
    node.set_space(space.metres_per_unit, space.up_axis);
    node.set_row_vectors(space.row_vectors);
    node.set_choice("source", host::choice_of("strand", "source", "scene"));
    node.set_choice("first_frame", host::choice_of("strand", "first_frame", "start"));
    node.set("scene", stored.text);
    node.set_array("led_matrices", std::vector<double>(lead.begin(), lead.end()), 16);
    node.set_array("activations", std::vector<double>{1, 0}, 1);
    Run found;
    for (int frame = 0; frame < 20; ++frame) {
        node.step(frame, frame / 24.0);
        found.last_points = node.output<double>("strand_points", 3);
        const std::vector<double> bodies = node.output<double>("body_matrices", 16);
        if (frame == 0) {
            found.first_points = found.last_points;
            found.first_bodies = bodies;
        }
        for (const auto& numbers : {found.last_points, bodies, node.output<double>("tensions", 1),
                                    node.output<double>("joint_turns", 3)})
            for (const double x : numbers) found.finite = found.finite && std::isfinite(x);
    }
    return found;
}

/// The node takes the scene, and the host's matrices as they are; the flexor bends the finger.
void runs_in_the_node() {
    for (const Stand& stand : {at_origin, in_metres, Stand{{0, 1, 0}, 70, {1000, 0, 300}, 0.01, true}}) {
        const auto bones = finger_bones(stand);
        const Run found = run(finger(stand), stand, bones[0].placed.world);
        CHECK(found.finite);
        const double unit = stand.metres_per_unit / 0.01;
        // Row for row what the host gave, for all bodies as modelled.
        for (std::size_t k = 0; k < bones.size(); ++k)
            for (std::size_t n = 0; n < 16; ++n)
                CHECK(std::abs(found.first_bodies.at(16 * k + n) - bones[k].placed.world[n]) < 1e-6);
        const Vector tip = stand.place({8.4, -0.6, 0});
        const auto flexor_end = [](const std::vector<double>& points) {
            return Vector{points.at(21), points.at(22), points.at(23)};
        };
        CHECK(host::length(flexor_end(found.first_points) - tip) < 1e-6);
        const double down = unit * (tip[1] - flexor_end(found.last_points)[1]);
        if (!(down > 2)) fail(__FILE__, __LINE__, "the finger's tip went down by " + std::to_string(down) + " cm only");
    }
}

void mirrors() {
    const Stored drawn = finger(at_origin);
    Editing edit = open(drawn, at_origin);
    const Done done = host::mirror_scene(edit, 0, [](const std::string& object) { return object + " mirrored"; });
    const Stored mirrored = edit.after();
    CHECK(done.warnings.empty());
    CHECK(edit.names("body") == (std::vector<std::string>{"index_metacarpal_R", "index_proximal_R", "index_middle_R",
                                                          "index_distal_R"}));
    CHECK_EQUAL(edit.origins().find("body", "index_distal_R"), std::string("object of index_distal_L mirrored"));
    CHECK_EQUAL(edit.origins().find("body", "index_distal_L"), std::string());
    const Vector at = host::origin(edit.document().place(edit.find("point", "flexor_R 8")).value());
    CHECK(host::length(at - Vector{-8.4, -0.6, 0}) < 1e-9);
    for (const host::Fault& fault : host::faults(host::scene_holder(), mirrored, at_origin.space()))
        fail(__FILE__, __LINE__, "the mirrored finger has a fault: " + fault.sentence());
    // As mirrored, the body's axes are where the library says; led from there, the finger runs.
    const Axes place = edit.document().place(edit.find("body", "index_metacarpal_R")).value();
    CHECK(run(mirrored, as_columns, place).finite);
    host::mirror_scene(edit, 0, no_other);
    CHECK_EQUAL(edit.after().text, drawn.text);
}

/// Does an edit twice from the same beginning, and undoes it: all bytes are the same.
Stored edited(const Stored& before, const std::function<Done(Editing&)>& change) {
    const Stored kept = before;
    Editing first = open(before, at_origin), second = open(before, at_origin);
    const Done done = change(first);
    change(second);
    CHECK(!done.sentence.empty() && done.sentence.back() == '.');
    const Stored after = first.after();
    CHECK(after.text != kept.text);
    CHECK(after.text == second.after().text && after.origins == second.after().origins);
    // What was there before is what an undo puts back: reading it changes nothing.
    CHECK(before.text == kept.text && before.origins == kept.origins);
    Editing undone = open(kept, at_origin);
    CHECK(undone.after().text == kept.text && undone.after().origins == kept.origins);
    return after;
}

void edits_can_be_undone() {
    const Stored drawn = finger(at_origin);
    const host::Placed across{"across", "object of across", at_origin.matrix({0.8, -0.6, 0}, 90)};
    Stored now = edited(drawn, [&](Editing& edit) {
        return host::add_part(edit, "plane", "", &across,
                              {{"on", "index_proximal_L"}, {"and_on", "index_metacarpal_L"}});
    });
    now = edited(now, [](Editing& edit) { return host::tie_to_plane(edit, "flexor_L", 2, "across"); });
    now = edited(now, [](Editing& edit) {
        return host::set_values(edit, "strand", "flexor_L", {{"radius", "0.2"}, {"lateral_damping", "80"}});
    });
    now = edited(now, [](Editing& edit) { return host::rename_part(edit, "strand", "flexor_L", "deep_flexor_L"); });
    now = edited(now, [](Editing& edit) { return host::rename_part(edit, "body", "index_middle_L", "middle_L"); });
    Editing look = open(now, at_origin);
    CHECK_EQUAL(look.document().text_of(look.find("reel", "flexor_L"), "strand"), std::string("deep_flexor_L"));
    CHECK_EQUAL(look.document().text_of(look.find("point", "flexor_L 5"), "on"), std::string("middle_L"));
    CHECK_EQUAL(look.origins().find("body", "middle_L"), std::string("object of index_middle_L"));
    now = edited(now, [](Editing& edit) {
        return host::copy_strand(edit, "deep_flexor_L", "superficial_flexor_L", {0, 0.2, 0});
    });
    Editing copied = open(now, at_origin);
    CHECK_EQUAL(copied.document().list(copied.document().root(), "in_plane").size(), 2U);
    const Vector at = host::origin(copied.document().place(copied.find("point", "superficial_flexor_L 1")).value());
    CHECK(host::length(at - Vector{-5, -0.4, 0}) < 1e-9);
    for (const host::Fault& fault : host::faults(host::scene_holder(), now, at_origin.space()))
        if (fault.is_error()) fail(__FILE__, __LINE__, "the edited finger has a fault: " + fault.sentence());
    const auto led = host::led_bodies(copied);
    CHECK_EQUAL(led.size(), 1U);
    CHECK_EQUAL(led.at(0).object, std::string("object of index_metacarpal_L"));
}

void removes_what_hangs_on_it() {
    const Stored drawn = finger(at_origin);
    const Stored without = edited(drawn, [](Editing& edit) { return host::remove_part(edit, "strand", "flexor_L"); });
    Editing edit = open(without, at_origin);
    // The muscle at its end and its points went with it; the extensor stayed as it was.
    CHECK(edit.names("reel") == std::vector<std::string>{"extensor_L"});
    CHECK_EQUAL(edit.names("point").size(), 6U);
    CHECK(host::faults(host::scene_holder(), without, at_origin.space()).empty());
    const Stored bodiless =
        edited(drawn, [](Editing& other) { return host::remove_part(other, "body", "index_distal_L"); });
    Editing look = open(bodiless, at_origin);
    CHECK_EQUAL(look.names("joint").size(), 2U);
    CHECK_EQUAL(look.document().text_of(look.find("point", "flexor_L 8"), "on"), std::string());
}

void refuses_with_sentences() {
    const Stored drawn = finger(at_origin);
    const auto refused = [&](const std::string& word, const std::function<void(Editing&)>& change) {
        Editing edit = open(drawn, at_origin);
        try {
            change(edit);
            fail(__FILE__, __LINE__, "nothing was said of " + word);
        } catch (const std::exception& error) {
            if (std::string(error.what()).find(word) == std::string::npos)
                fail(__FILE__, __LINE__, std::string("this does not name ") + word + ": " + error.what());
        }
    };
    refused("two points", [](Editing& e) { host::draw_strand(e, {"one", "", {{0, 0, 0}}, {}, {}, 0}); });
    refused("no body \"pinky\"", [](Editing& e) {
        host::draw_strand(e, {"a", "", {{0, 0, 0}, {1, 0, 0}}, {}, {"pinky"}, 0});
    });
    refused("name one for each", [](Editing& e) {
        host::draw_strand(e, {"a", "", {{0, 0, 0}, {1, 0, 0}}, {}, {"world", "world", "world"}, 0});
    });
    refused("child", [](Editing& e) { host::add_part(e, "joint", "loose", nullptr, {{"at", "0 0 0"}}); });
    refused("has no elements \"tendon\"", [](Editing& e) { host::remove_part(e, "tendon", "a"); });
    refused("there are flexor_L, extensor_L", [](Editing& e) { host::rename_part(e, "strand", "flexor", "b"); });
    refused("has no \"colour\"", [](Editing& e) { host::set_values(e, "strand", "flexor_L", {{"colour", "red"}}); });
    refused("radius", [](Editing& e) { host::set_values(e, "strand", "flexor_L", {{"radius", "thick"}}); });
    refused("extensor_L", [](Editing& e) { host::rename_part(e, "strand", "flexor_L", "extensor_L"); });
    refused("no point 8", [](Editing& e) { host::tie_to_plane(e, "flexor_L", 8, "across"); });
    CHECK_THROWS(std::invalid_argument, host::Editing(host::muscles_holder(), drawn, at_origin.space()));
}

/// A scene of another program, in metres with z up: users enter centimetres with y up, and the scene keeps its own.
void takes_scenes_of_other_units() {
    const Stored metres{"<strand_scene version=\"1\"><space metres_per_unit=\"1\" up=\"z\"/>"
                        "<body name=\"bone\" mode=\"held\" at=\"0.02 0 0.05\"/></strand_scene>",
                        ""};
    Editing edit = open(metres, at_origin);
    const Axes bone = edit.document().place(edit.find("body", "bone")).value();
    CHECK(host::length(host::origin(bone) - Vector{2, 5, 0}) < 1e-9);
    host::draw_strand(edit, {"cord", "", {{2, 5, 0}, {2, 7, 1}}, {}, {}, 0.3});
    host::set_values(edit, "strand", "cord", {{"radius", "0.2"}});
    host::set_values(edit, "point", "cord 1", {{"at", "2 4 0"}});
    const std::string text = edit.after().text;
    CHECK(text.find("radius=\"0.002\"") != std::string::npos);
    CHECK(text.find("name=\"cord 1\" at=\"0.02 0 0.04\"") != std::string::npos);
    CHECK(text.find("name=\"cord 2\" at=\"0.02 -0.01 0.07\"") != std::string::npos);
}

/// A scene in a file keeps its meshes when the node holds its text; mirror images of meshes need a file.
void takes_files() {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "sinew authoring \u00e4";
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "bone.obj") << "v 0 0 0\nv 4 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::ofstream(folder / "scene.xml") << "<strand_scene version=\"1\"><space metres_per_unit=\"0.01\" up=\"y\"/>\n"
                                           "<body name=\"bone_L\" mode=\"held\" at=\"1 0 0\">"
                                           "<shape file=\"bone.obj\"/></body></strand_scene>\n";
    const std::string path = (folder / "scene.xml").u8string();
    Editing edit = open({path, ""}, at_origin);
    CHECK_EQUAL(host::nearest_body(edit, {5, 0, 0}), std::string("bone_L"));
    host::draw_strand(edit, {"tendon_L", "", {{1, 0.5, 0}, {5, 0.5, 0}}, {}, {}, 0});
    const Stored held = edit.after();
    CHECK(!host::is_path(held.text));
    for (const host::Fault& fault : host::faults(host::scene_holder(), held, at_origin.space()))
        fail(__FILE__, __LINE__, "the scene of a file has a fault: " + fault.sentence());
    host::mirror_scene(edit, 0, no_other);
    CHECK_THROWS(std::invalid_argument, edit.after());
    const Stored saved = edit.save((folder / "mirrored.xml").u8string());
    CHECK(host::is_path(saved.text));
    CHECK(host::faults(host::scene_holder(), saved, at_origin.space()).empty());
    CHECK(open(saved, at_origin).names("body") == std::vector<std::string>{"bone_R"});
    fs::remove_all(folder);
}

} // namespace

int main() {
    takes_matrices_once();
    refuses_bad_matrices();
    is_where_it_was_drawn();
    is_as_heavy_in_metres();
    has_no_faults();
    runs_in_the_node();
    mirrors();
    edits_can_be_undone();
    removes_what_hangs_on_it();
    refuses_with_sentences();
    takes_scenes_of_other_units();
    takes_files();
    return finish();
}
