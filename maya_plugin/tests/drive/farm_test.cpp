// Maya without a window: what cannot be seen is said, and what a farm does to render solved frames works.
#include "stage.h"

#include <algorithm>

using namespace sinew::tests;

// The plug-in is part of the test program.
MStatus initializePlugin(MObject object);
MStatus uninitializePlugin(MObject object);

namespace {

std::vector<std::string> errors(const Stage& stage) {
    std::vector<std::string> texts;
    for (const standin::Said& said : stage.scene.said())
        if (said.level == 0) texts.push_back(said.text);
    return texts;
}

void render(Stage& stage, double first, double last) {
    for (double frame = first; frame <= last; ++frame) {
        stage.scene.set_time(frame);
        stage.uvs();
    }
    stage.scene.end();
}

/// A shot that was opened and not solved.
void missing_frames_are_errors() {
    Stage stage;
    stage.scene.set_batch(true);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.forget();
    // A job of one frame, after which no time changes any more.
    render(stage, 20, 20);
    CHECK_EQUAL(errors(stage).size(), std::size_t{1});
    if (!errors(stage).empty()) {
        CHECK_EQUAL(errors(stage)[0].find(node + ": Frames 1 to 19 have to be computed first. Run sinewSolve"),
                    std::size_t{0});
    }
    CHECK(stage.uvs() == unslid(tube(8, 8)));
    // Frames in a row that miss the same are said once.
    stage.scene.forget();
    render(stage, 10, 24);
    CHECK_EQUAL(errors(stage).size(), std::size_t{0});
    stage.scene.set_time(1);
    stage.uvs();
    stage.scene.forget();
    render(stage, 10, 24);
    CHECK_EQUAL(errors(stage).size(), std::size_t{1});
    stage.check_faults();
}

/// What README asks a render's script to do before the frames.
void solved_before_the_render() {
    std::vector<Uvs> played;
    {
        Stage stage;
        stage.add_skinned_body();
        stage.create("sinewSkinSlider");
        played = stage.play();
    }
    Stage stage;
    stage.scene.set_batch(true);
    stage.add_skinned_body();
    stage.create("sinewSkinSlider");
    stage.scene.forget();
    stage.run("sinewSolve -startFrame 1 -endFrame 24");
    for (const double frame : {20.0, 3.0, 24.0}) {
        render(stage, frame, frame);
        CHECK(stage.uvs() == played[static_cast<std::size_t>(frame) - 1]);
    }
    CHECK_EQUAL(errors(stage).size(), std::size_t{0});
    stage.check_faults();
}

/// In a window the attribute editor says it; the Script Editor would say it at each jump.
void nothing_is_said_in_a_window() {
    Stage stage;
    stage.add_skinned_body();
    stage.create("sinewSkinSlider");
    stage.scene.forget();
    render(stage, 20, 24);
    stage.scene.idle();
    CHECK_EQUAL(stage.scene.said().size(), std::size_t{0});
}

/// Without an idle queue there may be no timers.
void loads_without_timers() {
    Stage stage;
    stage.scene.set_batch(true);
    CHECK_EQUAL(stage.scene.unload_plugin("sinew"), std::string());
    CHECK_EQUAL(stage.scene.load_plugin("sinew", &initializePlugin, &uninitializePlugin), std::string());
    stage.add_skinned_body();
    CHECK(!stage.create("sinewSkinSlider").empty());
}

} // namespace

int main() {
    missing_frames_are_errors();
    solved_before_the_render();
    nothing_is_said_in_a_window();
    loads_without_timers();
    return finish();
}
