// What an animator sees between an edit and the solve: one step with it, which is never taken for a frame.
#include "stage.h"

#include <maya/MDGContext.h>
#include <maya/MDGContextGuard.h>
#include <maya/MTime.h>

using namespace sinew::tests;

namespace {

constexpr double seen = 12;

std::string status(const Stage& stage, const std::string& node) { return stage.scene.text(node + ".status"); }

std::size_t solve(Stage& stage, const std::string& node) {
    return static_cast<std::size_t>(std::stoul(stage.run("sinewSolve " + node).at(0)));
}

/// A slider of the attribute editor is turned at frame 12 of a shot that was played.
void a_setting_is_changed(standin::Evaluation mode) {
    const std::vector<Uvs> after = [] {
        Stage made_so;
        made_so.add_skinned_body();
        made_so.scene.set(made_so.create("sinewSkinSlider") + ".zeta", 0.25);
        return made_so.play();
    }();
    Stage stage;
    stage.scene.set_evaluation(mode, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    const std::vector<Uvs> before = stage.play();
    stage.scene.set_time(seen);
    stage.scene.set(node + ".zeta", 0.25);
    stage.scene.refresh();
    const Uvs shown = stage.uvs();
    CHECK_EQUAL(status(stage, node), std::string("Preview: one step on from frame 11 as it was computed with other "
                                                 "settings. Frames 1 to 11 have to be computed first."));
    CHECK_EQUAL(stage.scene.text(node + ".missing_frames"), std::string("1-12"));
    CHECK_EQUAL(stage.scene.text(node + ".kept_frames"), std::string());
    CHECK(shown != before[11] && shown != after[11] && shown != unslid(tube(8, 8)));
    // Others, and the same again.
    stage.scene.set_time(18);
    CHECK(stage.uvs() != before[17]);
    stage.scene.set_time(seen);
    CHECK(stage.uvs() == shown);
    // None of them is a frame.
    CHECK_EQUAL(solve(stage, node), std::size_t{24});
    CHECK_EQUAL(status(stage, node), std::string());
    CHECK(stage.uvs() != shown);
    CHECK(stage.play() == after);
    stage.check_faults();
}

/// Only the view of an interactive Maya shows previews.
void nobody_else_gets_one() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.play();
    stage.scene.set(node + ".zeta", 0.25);
    {
        const MDGContext context(MTime(seen, MTime::uiUnit()));
        const MDGContextGuard guard(context);
        CHECK_EQUAL(status(stage, node), std::string("Frames 1 to 11 have to be computed first."));
        CHECK(stage.uvs() == unslid(tube(8, 8)));
    }
    stage.scene.set_batch(true);
    stage.scene.set_time(seen);
    CHECK_EQUAL(status(stage, node), std::string("Frames 1 to 11 have to be computed first."));
    CHECK(stage.uvs() == unslid(tube(8, 8)));
    stage.scene.set_batch(false);
    stage.scene.set_time(seen + 1);
    CHECK_EQUAL(status(stage, node).find("Preview: "), std::size_t{0});
    // A bake of a part, whose frames do not follow from what is there.
    std::string exported;
    stage.scene.on_command("AbcExport", [&](const std::string&) {
        stage.scene.set_time(20);
        exported = status(stage, node);
        return std::string();
    });
    stage.run("sinewBake -file /tmp/sinew_preview.abc -startFrame 1 -endFrame 5 " + node);
    CHECK_EQUAL(exported, std::string("Frames 6 to 19 have to be computed first."));
    stage.check_faults();
}

/// Values of a node without a body: after a jump, too.
void tendons_are_previewed() {
    Stage stage;
    const std::string node = stage.run("sinewCreate -type sinewStrand").at(0), bone = node + ".out_body_matrices[1]";
    for (double frame = 1; frame <= 3; ++frame) {
        stage.scene.set_time(frame);
        stage.scene.matrix(bone);
    }
    stage.scene.set_time(6);
    // Without results there are no elements.
    CHECK(!(stage.scene.matrix(bone) == MMatrix::identity));
    CHECK_EQUAL(status(stage, node),
                std::string("Preview: one step on from frame 3. Frames 4 to 5 have to be computed first."));
    stage.check_faults();
}

} // namespace

int main() {
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Serial, standin::Evaluation::Parallel})
        a_setting_is_changed(mode);
    nobody_else_gets_one();
    tendons_are_previewed();
    return finish();
}
