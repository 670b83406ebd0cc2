// Whatever order, thread and context frames are asked for in: they are those of playing, to the last bit, or the body
// passes through or is previewed, and the node says what it needs.
#include "stage.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace sinew::tests;

namespace {

const standin::MeshPlan plan = tube(8, 8);

/// Frames as a node gives them that has only ever been played from the first on.
const std::vector<Uvs>& played() {
    static const std::vector<Uvs> frames = [] {
        Stage stage;
        stage.add_skinned_body();
        stage.create("sinewSkinSlider");
        return stage.play();
    }();
    return frames;
}

std::size_t place(double frame) { return static_cast<std::size_t>(frame - first_frame); }

/// Looks at a frame; whether it was computed.
bool look(Stage& stage, const std::string& node, double frame) {
    stage.scene.set_time(frame);
    const std::string status = stage.scene.text(node + ".status");
    const bool computed = status.empty(), preview = status.find("Preview: ") == 0;
    const Uvs& expected = computed ? played()[place(frame)] : unslid(plan);
    if ((stage.uvs() == expected) == preview)
        fail(__FILE__, __LINE__, "frame " + std::to_string(frame) + " has other UVs than when it is played: " + status);
    CHECK(computed == stage.scene.text(node + ".missing_frames").empty());
    return computed;
}

std::vector<double> shuffled(std::mt19937& random) {
    std::vector<double> frames(place(last_frame) + 1);
    std::iota(frames.begin(), frames.end(), first_frame);
    std::shuffle(frames.begin(), frames.end(), random);
    return frames;
}

void skin_slides() {
    std::size_t differ = 0;
    for (const Uvs& frame : played()) differ += frame != unslid(plan);
    // The first frame is the body at rest.
    CHECK(differ >= 20);
}

void in_any_order(standin::Evaluation mode, unsigned seed) {
    Stage stage;
    stage.scene.set_seed(seed);
    stage.scene.set_evaluation(mode, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    std::mt19937 random(seed);
    std::size_t computed = 0, missing = 0;
    for (int round = 0; round < 6; ++round)
        for (const double frame : shuffled(random)) ++(look(stage, node, frame) ? computed : missing);
    // Both happened, so that neither check was idle.
    CHECK(computed > 0 && missing > 0);
    stage.run("sinewSolve " + node);
    for (const double frame : shuffled(random)) CHECK(look(stage, node, frame));
    stage.check_faults();
}

void scrubbed_and_jumped(standin::Evaluation mode) {
    Stage stage;
    stage.scene.set_evaluation(mode, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    for (double frame = 1; frame <= 12; ++frame) CHECK(look(stage, node, frame));
    for (double frame = 12; frame >= 1; --frame) CHECK(look(stage, node, frame));
    CHECK(!look(stage, node, 20));
    CHECK_EQUAL(stage.scene.text(node + ".status"),
                std::string("Preview: one step on from frame 12. Frames 13 to 19 have to be computed first."));
    CHECK_EQUAL(stage.scene.text(node + ".kept_frames"), std::string("1-12"));
    for (double frame = 13; frame <= 24; ++frame) CHECK(look(stage, node, frame));
    CHECK(look(stage, node, 3));
    // Every frame once, though asked for several times.
    stage.run("sinewSolve " + node);
    CHECK_EQUAL(stage.scene.results().at(0), std::string("0"));
    stage.check_faults();
}

/// Another context looks at other times meanwhile, and disturbs nothing.
void from_two_contexts() {
    Stage stage;
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    std::mt19937 random(7);
    for (double frame = 1; frame <= 24; ++frame) {
        CHECK(look(stage, node, frame));
        for (int i = 0; i < 3; ++i) {
            const double other = 1 + static_cast<double>(random() % 24);
            stage.scene.points_at(node + ".out_mesh", other);
            CHECK(stage.uvs() == played()[place(frame)]);
        }
    }
    stage.check_faults();
}

} // namespace

int main() {
    skin_slides();
    for (const auto mode : {standin::Evaluation::Dg, standin::Evaluation::Serial, standin::Evaluation::Parallel}) {
        in_any_order(mode, 11 + static_cast<unsigned>(mode));
        scrubbed_and_jumped(mode);
    }
    from_two_contexts();
    return finish();
}
