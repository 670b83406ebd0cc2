// Cached Playback: what comes out of it is what playing gives, also after edits, and painting works while it is on.
#include "stage.h"

#include <functional>
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

using Edit = std::function<void(Stage&, const std::string&)>;

/// Edits that a user makes one after the other, each on top of those before it.
const std::vector<std::pair<const char*, Edit>>& edits() {
    static const std::vector<std::pair<const char*, Edit>> all{
        {"stored frames", [](Stage&, const std::string&) {}},
        {"after an edit of a parameter",
         [](Stage& stage, const std::string& node) { stage.scene.set(node + ".young", 15000); }},
        {"after an edit of the motion's end",
         [](Stage& stage, const std::string&) { stage.scene.key("knee.rotateZ", {{24, 1.2}}); }},
        {"after painting",
         [](Stage& stage, const std::string& node) {
             for (int vertex = 20; vertex < 40; ++vertex)
                 stage.scene.set(node + ".painted_maps[0].hold[" + std::to_string(vertex) + "]", 1);
         }},
        {"after an edit of the motion's middle",
         [](Stage& stage, const std::string&) { stage.scene.key("knee.rotateZ", {{12, -0.9}}); }},
    };
    return all;
}

void stored_and_restored() {
    std::vector<std::vector<Uvs>> expected;
    for (std::size_t count = 1; count <= edits().size(); ++count)
        expected.push_back(played([count](Stage& stage, const std::string& node) {
            for (std::size_t i = 0; i < count; ++i) edits()[i].second(stage, node);
        }));
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set_time(1);
    stage.scene.set_caching(true);
    for (std::size_t i = 0; i < edits().size(); ++i) {
        stage.scene.set_time(1 + 5 * static_cast<double>(i));
        edits()[i].second(stage, node);
        stage.scene.wait_for_cache();
        CHECK_EQUAL(stage.scene.caching_refused(), std::string());
        CHECK_EQUAL(stage.scene.cached_frames().size(), std::size_t{24});
        const std::uint64_t restored = stage.scene.restored(node);
        check_all(stage, expected[i], edits()[i].first);
        CHECK(stage.scene.restored(node) > restored);
    }
    for (std::size_t i = 1; i < expected.size(); ++i) CHECK(expected[i] != expected[i - 1]);
    stage.check_faults();
}

/// Edits while the background still fills the cache, and a user who scrubs meanwhile: what is shown is a frame of
/// before or of after, or the body unchanged, and in the end all is of after.
void edited_while_it_fills(const Edit& edit) {
    const std::vector<Uvs> before = played([](Stage&, const std::string&) {}), after = played(edit);
    const Uvs none = unslid(tube(8, 8));
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Stage stage;
        stage.scene.set_seed(seed);
        stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
        stage.add_skinned_body();
        const std::string node = stage.create("sinewSkinSlider");
        stage.scene.set_caching(true);
        std::mt19937 random(seed);
        for (int i = 0; i < 30; ++i) {
            // From here on, what followed from the old frames must not be shown, even if the cache was complete.
            if (i == 10) {
                if (seed % 2 == 0) stage.scene.wait_for_cache();
                edit(stage, node);
            }
            // Right after the edit a late frame, which the background reaches last.
            const std::size_t at = i == 10 ? after.size() - 2 : random() % after.size();
            stage.scene.set_time(first_frame + static_cast<double>(at));
            const Uvs shown = stage.uvs();
            CHECK(shown == none || shown == (i < 10 ? before : after)[at]);
        }
        stage.scene.wait_for_cache();
        check_all(stage, after, "after an edit while the cache was filled");
        stage.check_faults();
    }
}

} // namespace

int main() {
    stored_and_restored();
    edited_while_it_fills([](Stage& stage, const std::string& node) { stage.scene.set(node + ".young", 15000); });
    edited_while_it_fills([](Stage& stage, const std::string&) { stage.scene.key("knee.rotateZ", {{12, -0.9}}); });
    return finish();
}
