// Cached Playback: what comes out of it is what playing gives, also after edits, and painting works while it is on.
#include "stage.h"

#include <random>

using namespace sinew::tests;

namespace {

std::vector<Uvs> played(const std::function<void(Stage&, const std::string&)>& edit) {
    Stage stage;
    stage.add_skinned_body();
    edit(stage, stage.create("sinewSkinSlider"));
    return stage.play();
}

void check_all(Stage& stage, const std::vector<Uvs>& expected, const char* what) {
    std::mt19937 random(5);
    for (int i = 0; i < 60; ++i) {
        const std::size_t at = random() % expected.size();
        stage.scene.set_time(first_frame + static_cast<double>(at));
        if (stage.uvs() != expected[at])
            fail(__FILE__, __LINE__, std::string(what) + ": frame " + std::to_string(at + 1));
    }
}

void stored_and_restored() {
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set_time(1);
    stage.scene.set_caching(true);
    stage.scene.wait_for_cache();
    CHECK_EQUAL(stage.scene.caching_refused(), std::string());
    CHECK_EQUAL(stage.scene.cached_frames().size(), std::size_t{24});
    check_all(stage, played([](Stage&, const std::string&) {}), "stored frames");
    CHECK(stage.scene.restored(node) > 0);

    // A parameter is edited: all frames follow.
    const auto softer = [](Stage& other, const std::string& name) { other.scene.set(name + ".young", 15000); };
    softer(stage, node);
    stage.scene.wait_for_cache();
    check_all(stage, played(softer), "after an edit of a parameter");

    // The motion is edited in its end: earlier frames stay.
    const auto turned = [&](Stage& other, const std::string& name) {
        softer(other, name);
        other.scene.key("knee.rotateZ", {{24, 1.2}});
    };
    turned(stage, node);
    stage.scene.wait_for_cache();
    check_all(stage, played(turned), "after an edit of the motion");

    // A map is painted.
    const auto painted = [&](Stage& other, const std::string& name) {
        turned(other, name);
        for (int vertex = 20; vertex < 40; ++vertex)
            other.scene.set(name + ".painted_maps[0].hold[" + std::to_string(vertex) + "]", 1);
    };
    painted(stage, node);
    stage.scene.wait_for_cache();
    check_all(stage, played(painted), "after painting");
    stage.check_faults();
}

} // namespace

int main() {
    stored_and_restored();
    return finish();
}
