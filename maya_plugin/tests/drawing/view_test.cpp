// sinewView in a scene: what the stand-in's recorder sees of it, whatever evaluates; sinewShow, done and undone.
#include "../drive/stage.h"
#include "host/drawing/scale.h"

#include <algorithm>
#include <cmath>

using namespace sinew::tests;
using Manager = MHWRender::MUIDrawManager;

namespace {

/// What was drawn for all views: shapes in the scene, and texts.
struct Seen {
    std::vector<Manager::Drawn> triangles, lines, dots;
    std::vector<std::string> texts;

    bool says(const std::string& part) const {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const std::string& text) { return text.find(part) != std::string::npos; });
    }
};

Seen seen(Stage& stage) {
    Seen found;
    for (const standin::Drawing& drawing : stage.scene.draw()) {
        for (const Manager::Drawn& drawn : drawing.drawn) {
            if (drawn.text.length() > 0) found.texts.emplace_back(drawn.text.asUTF8());
            else if (drawn.mode == Manager::kTriangles && !drawn.flat) found.triangles.push_back(drawn);
            else if (drawn.mode == Manager::kLines) found.lines.push_back(drawn);
            else if (drawn.mode == Manager::kPoints) found.dots.push_back(drawn);
        }
    }
    return found;
}

MColor colour(double place) {
    const sinew::host::Colour made = sinew::host::colour_at(place);
    return {made.red, made.green, made.blue, made.opacity};
}

bool has(const Manager::Drawn& drawn, const MColor& wanted) {
    return std::find(drawn.colors.begin(), drawn.colors.end(), wanted) != drawn.colors.end();
}

/// The view that sinewShow made for a node.
std::string show(Stage& stage, const std::string& node, const std::string& outputs = "") {
    const std::string flag = outputs.empty() ? "" : "-outputs \"" + outputs + "\" ";
    const std::vector<std::string> made = stage.run("sinewShow " + flag + node);
    return made.empty() ? std::string() : made.front();
}

/// A skinned tube with sliding skin, played to its end.
std::string slide(Stage& stage) {
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.play();
    return node;
}

void a_map_on_the_body() {
    Stage stage;
    const std::string node = slide(stage);
    const std::string view = show(stage, node);
    stage.scene.set_time(last_frame);
    const Seen drawn = seen(stage);
    CHECK_EQUAL(drawn.triangles.size(), std::size_t{1});
    if (drawn.triangles.empty()) return;
    const Manager::Drawn& map = drawn.triangles.front();
    CHECK_EQUAL(map.points.length(), 72U);
    CHECK_EQUAL(map.index.length(), 2U * 3 * 64);
    CHECK(has(map, colour(0)) && has(map, colour(1)));
    CHECK(drawn.says("Slide Distance (cm)"));
    // Near the body, within the lift.
    const std::vector<float> points = stage.scene.points("bodyShape");
    for (unsigned i = 0; i < 72; ++i) {
        const auto off = [&](unsigned k) { return map.points[i][k] - double{points[3 * i + k]}; };
        CHECK(std::hypot(off(0), off(1), off(2)) < 0.1);
    }
    // A fixed range is the legend's.
    stage.scene.set(view + ".auto_range", 0);
    stage.scene.set(view + ".range_low", 0.25);
    stage.scene.set(view + ".range_high", 7.75);
    CHECK(seen(stage).says("0.25") && seen(stage).says("7.75"));
    stage.scene.set(view + ".legend", 0);
    CHECK(!seen(stage).says("Slide Distance"));
    stage.check_faults();
}

/// The same colours, whatever evaluates the scene and in whatever order the frames are shown.
void in_every_evaluation() {
    std::vector<std::vector<MColor>> all;
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Serial, standin::Evaluation::Parallel}) {
        Stage stage;
        const std::string node = slide(stage);
        show(stage, node, "out_slide_distance");
        stage.scene.set_evaluation(mode);
        std::vector<MColor> found;
        for (const double frame : {8.0, 20.0, 13.0}) {
            stage.scene.set_time(frame);
            const std::uint64_t computed = stage.scene.computes(node);
            const Seen drawn = seen(stage);
            // Drawing only shows what was evaluated.
            if (mode != standin::Evaluation::Dg) CHECK_EQUAL(stage.scene.computes(node), computed);
            CHECK_EQUAL(drawn.triangles.size(), std::size_t{1});
            if (drawn.triangles.empty()) continue;
            const MColorArray& colours = drawn.triangles.front().colors;
            found.insert(found.end(), colours.begin(), colours.end());
        }
        // Frames differ from each other.
        CHECK(found.size() == 3 * 72 && !std::equal(found.begin(), found.begin() + 72, found.begin() + 72));
        all.push_back(found);
        stage.check_faults();
    }
    CHECK(all[0] == all[1]);
    CHECK(all[0] == all[2]);
}

/// Frames that come out of Cached Playback look as when they were computed.
void out_of_the_cache() {
    Stage stage;
    const std::string node = slide(stage);
    show(stage, node, "out_slide_distance");
    const auto colours_at = [&](double frame) {
        stage.scene.set_time(frame);
        const Seen drawn = seen(stage);
        CHECK_EQUAL(drawn.triangles.size(), std::size_t{1});
        return drawn.triangles.empty() ? MColorArray() : drawn.triangles.front().colors;
    };
    const MColorArray early = colours_at(6), late = colours_at(22);
    stage.scene.set_caching(true);
    stage.scene.wait_for_cache();
    for (const auto& [frame, expected] : {std::pair(22.0, late), std::pair(6.0, early)}) {
        const MColorArray found = colours_at(frame);
        CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
    }
    stage.check_faults();
}

void strands_as_tubes() {
    Stage stage;
    const std::string node = stage.run("sinewCreate -type sinewStrand").at(0);
    const std::string view = show(stage, node, "out_tensions out_body_matrices");
    // Jumped to, a frame has nothing to go on from, and the view says so.
    stage.scene.set_time(5);
    CHECK(seen(stage).triangles.empty());
    CHECK(seen(stage).says("Tensions is not drawn: it has nothing in this frame."));
    CHECK(seen(stage).says("to be computed first"));
    for (const double frame : {1.0, 2.0}) {
        stage.scene.set_time(frame);
        seen(stage);
    }
    const Seen drawn = seen(stage);
    CHECK_EQUAL(drawn.triangles.size(), std::size_t{1});
    CHECK(drawn.says("Tensions (N)"));
    CHECK(!drawn.says("computed first"));
    // Three axes for each body.
    CHECK_EQUAL(drawn.lines.size(), std::size_t{1});
    const unsigned ends = drawn.lines.empty() ? 0 : drawn.lines.front().points.length();
    CHECK(ends > 0 && ends % 6 == 0);
    stage.scene.set(view + ".show", "out_body_matrices");
    CHECK(seen(stage).triangles.empty());
    CHECK_EQUAL(seen(stage).lines.size(), std::size_t{1});
    // The same view shows something else, whose connections it gets and whose it loses.
    CHECK_EQUAL(show(stage, view, "out_strand_lengths"), view);
    stage.scene.set_time(3);
    CHECK(seen(stage).says("Strand Lengths (cm)"));
    CHECK(seen(stage).lines.empty());
    stage.scene.set(view + ".show", "out_tensions");
    CHECK(seen(stage).says("Tensions is not connected to this view"));
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.text(view + ".show"), "out_body_matrices");
    stage.scene.set(view + ".show", "out_tensions");
    CHECK(seen(stage).says("Tensions (N)"));
    stage.check_faults();
}

void what_cannot_be_shown() {
    Stage stage;
    const std::string node = slide(stage);
    const std::string view = show(stage, node);
    stage.scene.set(view + ".show", "out_slide_distance nothing");
    Seen drawn = seen(stage);
    CHECK(drawn.says("Nothing called nothing can be drawn"));
    CHECK_EQUAL(drawn.triangles.size(), std::size_t{1});
    // What is not connected is not computed for the view.
    stage.scene.set(view + ".show", "out_stretch");
    drawn = seen(stage);
    CHECK(drawn.triangles.empty());
    CHECK(drawn.says("Stretch is not connected to this view"));
    stage.scene.create("sinewView", "alone");
    CHECK(seen(stage).says("No node is connected to this view"));
    for (const char* line : {"sinewShow foot", "sinewShow -outputs nothing "}) {
        const std::size_t before = stage.scene.nodes().size();
        stage.scene.forget();
        CHECK(stage.scene.command(std::string(line) + (std::string(line).back() == ' ' ? node : "")) != MS::kSuccess);
        CHECK_EQUAL(stage.scene.nodes().size(), before);
    }
    stage.check_faults();
}

void shown_and_undone() {
    Stage stage;
    const std::string node = slide(stage);
    const std::size_t before = stage.scene.nodes().size();
    const std::vector<std::string> can = stage.run("sinewShow -query " + node);
    CHECK(std::find(can.begin(), can.end(), "out_stretch") != can.end());
    CHECK_EQUAL(stage.scene.nodes().size(), before);
    const std::string view = show(stage, node, "out_stretch");
    CHECK_EQUAL(stage.scene.nodes().size(), before + 2);
    CHECK_EQUAL(stage.scene.text(view + ".show"), "out_stretch");
    stage.scene.set_time(20);
    CHECK_EQUAL(seen(stage).triangles.size(), std::size_t{1});
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.scene.nodes().size(), before);
    CHECK(seen(stage).triangles.empty());
    CHECK(stage.scene.redo());
    CHECK_EQUAL(stage.scene.nodes().size(), before + 2);
    stage.scene.set_time(21);
    CHECK_EQUAL(seen(stage).triangles.size(), std::size_t{1});
    stage.scene.remove(node);
    CHECK(seen(stage).says("No node is connected"));
    stage.check_faults();
}

void registered_and_taken_back() {
    Stage stage;
    const auto holds = [](const std::vector<std::string>& all, const char* one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    };
    CHECK(holds(stage.scene.node_types(), "sinewView"));
    CHECK(holds(stage.scene.commands(), "sinewShow"));
    CHECK_EQUAL(stage.scene.unload_plugin("sinew"), std::string());
    CHECK(!holds(stage.scene.node_types(), "sinewView"));
    CHECK(!holds(stage.scene.commands(), "sinewShow"));
    stage.check_faults();
}

} // namespace

int main() {
    registered_and_taken_back();
    a_map_on_the_body();
    strands_as_tubes();
    what_cannot_be_shown();
    shown_and_undone();
    in_every_evaluation();
    out_of_the_cache();
    return finish();
}
