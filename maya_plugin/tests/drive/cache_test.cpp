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
/// before or of after, the body unchanged, or a preview, and in the end all is of after.
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
            const std::string status = stage.scene.text(node + ".status");
            if (status.empty()) CHECK(shown == (i < 10 ? before : after)[at]);
            else if (status.find("Preview: ") != 0) CHECK(shown == none);
        }
        stage.scene.wait_for_cache();
        check_all(stage, after, "after an edit while the cache was filled");
        stage.check_faults();
    }
}

/// Cached Playback says in which frames the motion was edited: those before them stay frames, also where they are
/// evaluated anew at once.
void edits_leave_what_was_before_them() {
    const std::vector<Uvs> before = played([](Stage&, const std::string&) {});
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set_caching(true);
    stage.scene.set_time(5);
    stage.scene.wait_for_cache();
    for (int i = 0; i < 10; ++i) {
        // The curve changes from the key before on, which is at frame 16.
        stage.scene.key("knee.rotateZ", {{24, 0.1 * (i + 1)}});
        CHECK(stage.uvs() == before[5 - 1]);
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    }
    stage.check_faults();
}

/// What was shown in place of frames is stored by Cached Playback, too, until they can be computed.
void only_frames_are_kept() {
    const std::vector<Uvs> before = played([](Stage&, const std::string&) {});
    const std::vector<Uvs> after =
        played([](Stage& stage, const std::string& node) { stage.scene.set(node + ".young", 15000); });
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    stage.add_skinned_body();
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set_caching(true);
    // The time slider shows a part of the motion, so that no frame in it can be computed.
    stage.scene.set_range(10, 20);
    stage.scene.wait_for_cache();
    for (double frame = 10; frame <= 20; ++frame) {
        stage.scene.set_time(frame);
        CHECK(stage.uvs() == unslid(tube(8, 8)));
        CHECK_EQUAL(stage.scene.text(node + ".status").find("Frame"), std::size_t{0});
    }
    // Played to by hand, frame by frame, from where it begins.
    for (double frame = 1; frame < 10; ++frame) stage.scene.set_time(frame);
    stage.scene.wait_for_cache();
    for (double frame = 10; frame <= 20; ++frame) {
        stage.scene.set_time(frame);
        CHECK(stage.uvs() == before[static_cast<std::size_t>(frame - first_frame)]);
    }
    // Previews after an edit, and a solve.
    stage.scene.set(node + ".young", 15000);
    for (const double frame : {14.0, 18.0, 12.0}) {
        stage.scene.set_time(frame);
        CHECK(!stage.scene.text(node + ".status").empty());
    }
    stage.run("sinewSolve " + node);
    for (const double frame : {18.0, 12.0, 14.0, 13.0}) {
        stage.scene.set_time(frame);
        CHECK(stage.scene.text(node + ".status").empty());
        CHECK(stage.uvs() == after[static_cast<std::size_t>(frame - first_frame)]);
    }
    stage.check_faults();
}

/// A body whose frames take so much memory that one megabyte holds a few.
std::string add_large_body(Stage& stage) {
    stage.add_skinned_body(24, 24);
    const std::string node = stage.create("sinewSkinSlider");
    stage.scene.set(node + ".frame_memory", 1);
    return node;
}

std::vector<std::string> warnings(const Stage& stage) {
    std::vector<std::string> found;
    for (const standin::Said& said : stage.scene.said())
        if (said.text.find("Frame Memory is too small") != std::string::npos) found.push_back(said.text);
    return found;
}

/// The motion is edited in frames before which the node has none left: what Cached Playback stores again follows from
/// the first one, and its user is told once how much memory the shot needs.
void with_too_little_memory() {
    const auto edit = [](Stage& stage) { stage.scene.key("knee.rotateZ", {{12, -0.9}}); };
    std::vector<Uvs> expected;
    {
        Stage stage;
        stage.add_skinned_body(24, 24);
        stage.create("sinewSkinSlider");
        edit(stage);
        expected = stage.play();
    }
    Stage stage;
    stage.scene.set_evaluation(standin::Evaluation::Parallel, 4);
    const std::string node = add_large_body(stage);
    stage.scene.set_time(1);
    stage.scene.set_caching(true);
    stage.scene.wait_for_cache();
    stage.scene.set_time(1);
    CHECK_EQUAL(warnings(stage).size(), std::size_t{1});
    edit(stage);
    stage.scene.wait_for_cache();
    for (double frame = last_frame; frame >= first_frame; --frame) {
        stage.scene.set_time(frame);
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
        CHECK(stage.uvs() == expected[static_cast<std::size_t>(frame - first_frame)]);
    }
    CHECK_EQUAL(warnings(stage).size(), std::size_t{1});
    // A solve says it each time, with a number that is enough.
    stage.scene.set_caching(false);
    stage.run("sinewSolve " + node);
    CHECK_EQUAL(warnings(stage).size(), std::size_t{1});
    const std::string said = warnings(stage).empty() ? "" : warnings(stage).front();
    CHECK_EQUAL(said.find(node + ": Frame Memory is too small: of frames 1 to 24, 1 MB hold "), std::size_t{0});
    const std::size_t at = said.find("Set it to ");
    CHECK(at != std::string::npos);
    stage.scene.set(node + ".frame_memory", std::stod(said.substr(at + 10)));
    stage.run("sinewSolve " + node);
    CHECK(warnings(stage).empty());
    CHECK_EQUAL(stage.scene.text(node + ".kept_frames"), std::string("1-24"));
    stage.check_faults();
}

} // namespace

int main() {
    stored_and_restored();
    edited_while_it_fills([](Stage& stage, const std::string& node) { stage.scene.set(node + ".young", 15000); });
    edited_while_it_fills([](Stage& stage, const std::string&) { stage.scene.key("knee.rotateZ", {{12, -0.9}}); });
    edits_leave_what_was_before_them();
    only_frames_are_kept();
    with_too_little_memory();
    return finish();
}
