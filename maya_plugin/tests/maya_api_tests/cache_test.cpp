// Cached Playback: what it stores, restores and drops.
#include "check.h"
#include "toys.h"

#include <scene.h>

#include <algorithm>

using standin::Evaluation;
using standin::Scene;

namespace {

struct Cached : Scene {
    Cached() {
        load_plugin("toys", toys::initialize, toys::uninitialize);
        create("toySafe", "safe");
        create("locator", "seen");
        connect("time1.outTime", "safe.time");
        connect("safe.value", "seen.translateX");
        key("safe.number", {{1, 0}, {10, 0}, {20, 0}});
        set_range(1, 20);
        set_evaluation(Evaluation::Parallel, 2);
        set_caching(true);
        wait_for_cache();
    }
};

} // namespace

namespace {

/// Whether frames that come out of the cache in any order are those of playing, also where filling was interrupted.
bool simulates_rightly(bool says_so) {
    toys::simulation_says_so(says_so);
    Scene scene;
    scene.load_plugin("toys", toys::initialize, toys::uninitialize);
    scene.create("toySimulation", "sim");
    scene.create("locator", "seen");
    scene.connect("time1.outTime", "sim.time");
    scene.connect("sim.value", "seen.translateX");
    scene.set_range(1, 20);
    scene.set_evaluation(Evaluation::Serial);
    scene.set_caching(true);
    scene.key("sim.ignored", {{1, 0}, {10, 0}, {20, 0}});
    scene.wait_for_cache();
    // Frames 11 to 19 are dropped: filling goes on from what is stored of frame 10.
    scene.key("sim.ignored", {{15, 1}});
    scene.wait_for_cache();
    bool right = true;
    for (int frame : {13, 2, 20, 7, 1, 19}) {
        scene.set_time(frame);
        right = right && scene.number("seen.translateX") == toys::played(frame);
    }
    return right;
}

} // namespace

TEST(a_simulation_is_filled_forwards_if_it_says_that_it_is_one) {
    CHECK(simulates_rightly(true));
    CHECK(!simulates_rightly(false));
}

TEST(a_node_can_refuse_caching_with_a_reason) {
    Scene scene;
    scene.load_plugin("toys", toys::initialize, toys::uninitialize);
    scene.create("toyRefuser", "no");
    scene.create("locator", "seen");
    scene.connect("time1.outTime", "no.time");
    scene.connect("no.value", "seen.translateX");
    scene.set_evaluation(Evaluation::Parallel);
    scene.set_caching(true);
    scene.wait_for_cache();
    CHECK(scene.caching_refused() == "no: It is being painted." && scene.cached_frames().empty());
}

TEST(all_frames_of_the_range_are_stored_and_restored_without_computing) {
    Cached scene;
    CHECK(scene.cached_frames().size() == 20);
    toys::Calls::restored = 0;
    const std::uint64_t computed = scene.computes("safe");
    scene.set_time(7);
    CHECK(scene.number("seen.translateX") == toys::played(7));
    scene.set_time(13);
    CHECK(scene.number("seen.translateX") == toys::played(13));
    CHECK(scene.computes("safe") == computed && scene.restored("safe") == 2 && toys::Calls::restored == 2);
    CHECK_NO_FAULTS(scene);
}

TEST(the_background_does_not_change_what_the_foreground_has) {
    Cached scene;
    scene.set_time(5);
    scene.set("safe.frozen", 1);
    scene.wait_for_cache();
    CHECK(scene.number("seen.translateX") == toys::played(5));
    CHECK_NO_FAULTS(scene);
}

TEST(an_edit_of_a_key_drops_the_frames_that_the_node_says) {
    Cached scene;
    const std::uint64_t before = scene.computes("safe");
    // Between its neighbours, 10 and 20, the key changes frames; the node says that all later ones change too.
    scene.key("safe.number", {{15, 2}});
    const std::vector<double> kept = scene.cached_frames();
    for (double frame = 1; frame <= 10; ++frame) CHECK(std::count(kept.begin(), kept.end(), frame) == 1);
    scene.wait_for_cache();
    CHECK(scene.cached_frames().size() == 20 && scene.computes("safe") == before + 10);
    for (const auto& [frame, more] : {std::pair<int, double>{9, 0}, {10, 0}, {12, 0.8}, {15, 2}, {20, 0}}) {
        scene.set_time(frame);
        CHECK_NEAR(scene.number("seen.translateX"), toys::played(frame) + more, 1e-9);
    }
    CHECK(scene.computes("safe") == before + 10);
    CHECK_NO_FAULTS(scene);
}

TEST(an_edit_of_a_value_without_keys_drops_all_frames) {
    Cached scene;
    scene.create("toyAdder", "adder");
    scene.connect("adder.sum", "safe.caching");
    scene.wait_for_cache();
    const std::uint64_t before = scene.computes("safe");
    scene.set("seen.translateY", 2);
    scene.set_time(3);
    scene.wait_for_cache();
    CHECK(scene.number("seen.translateX") == toys::played(3));
    CHECK(scene.computes("safe") <= before + 1);
}

TEST(caching_and_editing_at_the_same_time_agree_in_the_end) {
    Cached scene;
    for (int i = 0; i < 20; ++i) {
        scene.set("seen.translateY", i);
        scene.key("safe.number", {{static_cast<double>(1 + i % 20), static_cast<double>(i)}});
        scene.set_time(1 + (i * 7) % 20);
        CHECK(scene.number("seen.translateX") == toys::played(1 + (i * 7) % 20) + scene.number("safe.number"));
    }
    scene.wait_for_cache();
    CHECK_NO_FAULTS(scene);
}
