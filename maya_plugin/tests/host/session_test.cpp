// A session against playing: every frame has the bits that a node gives which plays from the first one, or is said to
// be missing.
#include "check.h"
#include "scenes.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace sinew;
using namespace sinew::host;
using namespace sinew::tests;

namespace {

const Clock film{1.0 / 24, 24};

/// A session on a scene.
struct Shot {
    explicit Shot(const Scene& in_scene, const Clock& in_clock = film)
        : scene(in_scene), clock(in_clock), session(plan_of_node(scene.node), metres_per_unit, SINEW_UP_Y, true, log) {}

    Answer at(std::int64_t number) { return at(number, scene.outputs); }
    Answer at(std::int64_t number, const std::vector<std::string>& wanted) {
        const auto frame = scene.frame(static_cast<double>(number));
        return session.evaluate(frame->given, clock, clock.of_frame(number), wanted);
    }
    Answer between(double number, bool may_preview = false) {
        const auto frame = scene.frame(number);
        const double seconds = clock.start_seconds + number / clock.frames_per_second;
        return session.evaluate(frame->given, clock, clock.at(seconds), scene.outputs, may_preview);
    }
    Answer preview(std::int64_t number) { return between(static_cast<double>(number), true); }
    void play(std::int64_t first, std::int64_t last) {
        for (std::int64_t number = first; number <= last; ++number) {
            const Answer answer = at(number);
            CHECK(answer.found == Found::Computed);
            if (answer.found != Found::Computed) std::cerr << number << ": " << answer.message << "\n";
        }
    }

    Scene scene;
    Clock clock;
    LogQueue log;
    Session session;
};

void check_is(const Answer& answer, const std::optional<Outputs>& expected) {
    CHECK(answer.found == Found::Computed);
    if (answer.found != Found::Computed) std::cerr << answer.message << "\n";
    CHECK(answer.outputs && expected && same_bits(*answer.outputs, *expected));
}

/// Frames from `first` to `last`, each as playing gives it.
void check_are(Shot& shot, std::int64_t first, std::int64_t last, const Played& played) {
    for (std::int64_t number = first; number <= last; ++number) {
        check_is(shot.at(number), played[static_cast<std::size_t>(number)]);
    }
}

void check_missing(const Answer& answer, std::int64_t first, std::int64_t last) {
    CHECK(answer.found == Found::Missing);
    CHECK(!answer.outputs);
    CHECK_EQUAL(answer.first_missing, first);
    CHECK_EQUAL(answer.last_missing, last);
}

void check_preview(const Answer& answer, const Outputs& expected, const std::string& message) {
    CHECK(answer.found == Found::Preview);
    CHECK(answer.outputs && same_bits(*answer.outputs, expected));
    CHECK_EQUAL(answer.message, message);
}

/// The same scene with a parameter that has another value from a frame on.
Scene with_zeta_from(const Scene& scene, double from, double zeta) {
    Scene edited = scene;
    edited.frame = [scene, from, zeta](double number) {
        auto frame = scene.frame(number);
        if (number >= from) frame->given.params = {{"zeta", zeta}};
        return frame;
    };
    return edited;
}

/// The same scene with other values of parameters that do not move.
Scene with_params(const Scene& scene, const std::vector<ParamValue>& params) {
    Scene other = scene;
    other.frame = [scene, params](double number) {
        auto frame = scene.frame(number);
        frame->given.still_params = params;
        return frame;
    };
    return other;
}

void plays_as_a_node_does(const Scene& scene) {
    const Played played = play(scene, film, 12);
    CHECK(!same_bits(*played[3], *played[9]));
    Shot shot(scene);
    for (std::int64_t number = 0; number <= 12; ++number) {
        const Answer answer = shot.at(number);
        check_is(answer, played[static_cast<std::size_t>(number)]);
        CHECK(answer.stepped);
    }
    for (const std::int64_t number : {12, 0, 7, 7, 3}) {
        const Answer answer = shot.at(number);
        check_is(answer, played[static_cast<std::size_t>(number)]);
        CHECK(!answer.stepped);
    }
}

void says_exactly_what_is_missing() {
    Shot shot(sliding());
    check_missing(shot.at(5), 0, 4);
    CHECK_EQUAL(shot.at(5).message, "Frames 1 to 5 have to be computed first.");
    CHECK_EQUAL(shot.session.missing(film, film.of_frame(5)), "1-6");
    shot.play(0, 2);
    check_missing(shot.at(4), 3, 3);
    CHECK_EQUAL(shot.at(4).message, "Frame 4 has to be computed first.");
    check_missing(shot.between(4.5), 3, 4);
    CHECK_EQUAL(shot.session.missing(film, film.of_frame(4)), "4-5");
    CHECK_EQUAL(shot.session.missing(film, film.of_frame(2)), "");
    CHECK_EQUAL(shot.session.kept(film), "1-3");
}

void frames_before_the_start_are_first_frames() {
    Shot shot(sliding());
    shot.play(0, 3);
    CHECK(shot.at(-4).found == Found::Computed);
    CHECK(shot.between(-2.5).found == Found::Computed);
    CHECK_EQUAL(shot.session.kept(film), "-3, 1-4");
    CHECK(!shot.at(3).stepped);
    // It is not the frame before the first one.
    Shot other(sliding());
    CHECK(other.at(-1).found == Found::Computed);
    check_missing(other.at(1), 0, 0);
}

/// The frame after a moment between goes on from the one before that moment.
void moments_between_change_nothing(const Scene& scene) {
    const Played played = play(scene, film, 6);
    Shot shot(scene);
    shot.play(0, 3);
    const Answer half = shot.between(3.5);
    CHECK(half.found == Found::Computed && half.stepped);
    CHECK(!same_bits(*half.outputs, *played[3]) && !same_bits(*half.outputs, *played[4]));
    CHECK_EQUAL(shot.session.kept(film), "1-4");
    check_is(shot.at(4), played[4]);
    const Answer again = shot.between(3.5);
    CHECK(same_bits(*half.outputs, *again.outputs));
    check_is(shot.at(5), played[5]);
    check_is(shot.at(3), played[3]);
}

void an_edit_drops_only_later_frames() {
    const Scene before = sliding(), after = with_zeta_from(before, 8, 0.9);
    Shot shot(before);
    shot.play(0, 12);
    shot.scene = after;
    shot.session.distrust(8);
    CHECK_EQUAL(shot.session.kept(film), "1-8");
    check_missing(shot.at(10), 8, 9);
    const Played played = play(after, film, 12);
    for (std::int64_t number = 0; number <= 12; ++number) {
        const Answer answer = shot.at(number);
        check_is(answer, played[static_cast<std::size_t>(number)]);
        CHECK_EQUAL(answer.stepped, number >= 8);
    }
    // Undone, and without a word about where: the frames from before the edit are found again.
    shot.scene = before;
    const Played old = play(before, film, 12);
    for (std::int64_t number = 8; number <= 12; ++number) {
        const Answer answer = shot.at(number);
        check_is(answer, old[static_cast<std::size_t>(number)]);
        CHECK(!answer.stepped);
    }
}

/// A frame whose inputs have changed is noticed even if nobody said so, and so are those that follow from it.
void a_changed_frame_is_noticed() {
    Shot shot(sliding());
    shot.play(0, 6);
    shot.scene = with_zeta_from(shot.scene, 4, 0.9);
    CHECK(shot.at(4).stepped);
    CHECK_EQUAL(shot.session.kept(film), "1-5");
}

void what_is_still_concerns_all_frames() {
    const Scene soft = sliding();
    const Scene stiff = with_params(soft, {{"young", 60000.0}});
    Shot shot(soft);
    shot.play(0, 5);
    shot.scene = stiff;
    check_missing(shot.at(5), 0, 4);
    shot.play(0, 2);
    shot.scene = soft;
    // All frames are there at once, whichever is asked for first.
    CHECK(!shot.at(5).stepped);
    CHECK_EQUAL(shot.session.kept(film), "1-6");
    // Another start is another motion.
    shot.clock.start_seconds = 2.0 / 24;
    check_missing(shot.at(5), 0, 4);
}

void frames_are_proved_again_without_stepping() {
    const Scene scene = sliding();
    const Played played = play(scene, film, 8);
    Shot shot(scene);
    shot.play(0, 8);
    shot.session.distrust();
    CHECK_EQUAL(shot.session.kept(film), "");
    check_missing(shot.at(8), 0, 7);
    for (std::int64_t number = 0; number <= 8; ++number) {
        const Answer answer = shot.at(number);
        check_is(answer, played[static_cast<std::size_t>(number)]);
        CHECK(!answer.stepped);
    }
    shot.session.clear();
    CHECK_EQUAL(shot.session.memory_used(), 0U);
    CHECK(shot.at(0).stepped);
}

void more_outputs_are_computed_from_the_state_before() {
    const Scene scene = sliding();
    const Played played = play(scene, film, 4);
    Shot shot(scene);
    for (std::int64_t number = 0; number <= 4; ++number) shot.at(number, {"uvs"});
    const Answer more = shot.at(3);
    CHECK(more.stepped);
    check_is(more, played[3]);
    CHECK(!shot.at(3).stepped && !shot.at(3, {"uvs"}).stepped);
    // Those after it stay.
    CHECK(!shot.at(4, {"uvs"}).stepped);
    // Who asks for this and who asks for that find both from then on.
    CHECK(shot.at(2, {"slid_points"}).stepped);
    CHECK(!shot.at(2, {"uvs"}).stepped && !shot.at(2, {"slid_points"}).stepped);
    // Where the state is gone, the frame is missing.
    Shot bounded(scene);
    for (std::int64_t number = 0; number <= 3; ++number) bounded.at(number, {"uvs"});
    bounded.session.set_memory(0);
    CHECK(!bounded.at(3, {"uvs"}).stepped);
    check_missing(bounded.at(3), 0, 2);
    CHECK(shot.at(4, {"no_such_output"}).found == Found::Failed);
}

void memory_is_bounded() {
    Scene scene = jiggling();
    Shot shot(scene);
    shot.play(0, 9);
    const std::uint64_t ten = shot.session.memory_used();
    const std::uint64_t limit = 3 * ten;
    shot.session.set_memory(limit);
    for (std::int64_t number = 10; number < 500; ++number) {
        CHECK(shot.at(number).found == Found::Computed);
        CHECK(shot.session.memory_used() <= limit);
    }
    CHECK(shot.session.memory_used() > limit / 2);
    // The latest are kept, and what is missing is what was dropped.
    CHECK(!shot.at(499).stepped && !shot.at(480).stepped);
    check_missing(shot.at(100), 0, 99);
    // With no memory at all, playing goes on.
    shot.session.set_memory(0);
    shot.play(0, 5);
    CHECK_EQUAL(shot.session.kept(film), "6");
}

void broken_points_name_the_vertex_and_the_frame() {
    const Scene good = sliding();
    Scene bad = good;
    bad.frame = [good](double number) {
        auto frame = good.frame(number);
        if (number == 4 || number == 0.5) frame->points[3 * 7] = std::numeric_limits<float>::quiet_NaN();
        return frame;
    };
    const Played played = play(bad, film, 8);
    CHECK(!played[4] && played[5]);
    Shot shot(bad);
    shot.play(0, 3);
    for (int twice = 0; twice < 2; ++twice) {
        const Answer answer = shot.at(4);
        CHECK(answer.found == Found::Failed && !answer.outputs);
        CHECK_EQUAL(answer.message, "Frame 5: node skin_slider, port points, vertex 7: component 0 is NaN.");
    }
    CHECK_EQUAL(shot.between(0.5).message, "Frame 1.5: node skin_slider, port points, vertex 7: component 0 is NaN.");
    // Good frames go on from the last good one, as in playing.
    check_are(shot, 5, 8, played);
    CHECK_EQUAL(shot.session.kept(film), "1-4, 6-9");
    // Mended, the frames after it follow from other ones.
    shot.scene = good;
    const Played mended = play(good, film, 8);
    check_is(shot.at(4), mended[4]);
    check_are(shot, 5, 8, mended);
}

void a_count_that_does_not_fit_fails_with_the_frame() {
    const Scene good = sliding();
    Shot shot(good);
    shot.play(0, 2);
    shot.scene.frame = [good](double number) {
        auto frame = good.frame(number);
        frame->given.moving = {{"points", strided(frame->points.data(), 9, 3, 12)}};
        return frame;
    };
    const Answer answer = shot.at(3);
    CHECK(answer.found == Found::Failed);
    CHECK_EQUAL(answer.message.substr(0, 41), "Frame 4, node skin_slider, port points: h");
    // What the host gives can be wrong before the library sees it.
    shot.scene.frame = [good](double number) {
        auto frame = good.frame(number);
        std::get<SinewArray>(frame->given.moving[0].value).data = nullptr;
        return frame;
    };
    CHECK(shot.at(3).found == Found::Failed);
    shot.scene = good;
    check_is(shot.at(3), play(good, film, 3)[3]);
}

void another_topology_is_another_scene() {
    const auto tube = std::make_shared<const Tube>(6, 10);
    const Scene first = sliding();
    Scene other = first;
    other.frame = [tube](double number) {
        auto frame = std::make_unique<Frame>();
        frame->points = tube->points;
        for (float& x : frame->points) x *= static_cast<float>(1 + 0.01 * number);
        frame->given.still = {{"rest", tube->view()}};
        frame->given.moving = {{"points", array<const float>({frame->points.data(), frame->points.size()}, 3)}};
        return frame;
    };
    Shot shot(first);
    shot.play(0, 4);
    shot.scene = other;
    check_missing(shot.at(4), 0, 3);
    const Played played = play(other, film, 4);
    check_are(shot, 0, 4, played);
    shot.scene = first;
    CHECK(!shot.at(4).stepped);
    check_is(shot.at(5), play(first, film, 5)[5]);
}

/// A body at rest that is elsewhere from a frame on: the states before do not fit, and nothing is shown in their place.
void states_that_do_not_fit_are_cleared() {
    const Scene near = sliding();
    Scene jumps = near;
    jumps.frame = [near](double number) {
        auto frame = near.frame(number);
        auto &still = frame->given.still, &moving = frame->given.moving;
        auto far = std::make_shared<Tube>(6, 10);
        if (number >= 3) {
            for (float& x : far->points) x += 1000;
            frame->points = far->points;
            frame->keeps = far;
            moving[0].value = array<const float>({frame->points.data(), frame->points.size()}, 3);
            still[0].value = far->view();
        }
        moving.push_back(still[0]);
        still.clear();
        return frame;
    };
    Shot shot(jumps);
    shot.play(0, 2);
    const Answer answer = shot.at(3);
    check_missing(answer, 0, 2);
    CHECK(answer.message.find("Frame 4") == 0);
    CHECK(answer.message.find("Frames 1 to 3 have to be computed first.") != std::string::npos);
    CHECK_EQUAL(shot.session.kept(film), "");
    shot.play(0, 2);
}

/// A file that is written anew under its old name.
void a_file_that_changed_is_read_again() {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "sinew_maya_session_test.xml";
    const Scene inside = jiggling();
    const auto muscles_of = [](const Frame& frame) { return std::get<std::string>(frame.given.still_params[0].value); };
    std::string text = muscles_of(*inside.frame(0));
    Scene scene = inside;
    scene.frame = [inside, path](double number) {
        auto frame = inside.frame(number);
        frame->given.still_params[0].value = path.string();
        return frame;
    };
    std::ofstream(path) << text;
    Shot shot(scene);
    shot.play(0, 3);
    check_is(shot.at(3), play(inside, film, 3)[3]);
    // Of the same length, so that the time alone tells them apart.
    const std::size_t size = text.find("size=\"2\"");
    CHECK(size != std::string::npos);
    text.replace(size, 8, "size=\"3\"");
    std::ofstream(path) << text;
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
    check_missing(shot.at(3), 0, 2);
    const Played played = play(scene, film, 3);
    CHECK(!same_bits(*played[3], *play(inside, film, 3)[3]));
    check_are(shot, 0, 3, played);
    std::filesystem::remove(path);
}

void an_input_that_vanished_is_cleared() {
    const Scene held = sliding();
    Scene free = held;
    free.frame = [held](double number) {
        auto frame = held.frame(number);
        frame->given.still.pop_back();
        frame->given.params.clear();
        return frame;
    };
    const Played played = play(free, film, 4);
    CHECK(!same_bits(*played[4], *play(held, film, 4)[4]));
    Shot shot(held);
    shot.play(0, 4);
    shot.scene = free;
    check_are(shot, 0, 4, played);
}

/// The same map for another input is another scene.
void the_port_of_a_map_counts() {
    const Scene fixed = sliding();
    Scene held = fixed;
    held.frame = [fixed](double number) {
        auto frame = fixed.frame(number);
        frame->given.still[1].port = "hold";
        return frame;
    };
    Shot shot(fixed);
    shot.play(0, 3);
    shot.scene = held;
    check_missing(shot.at(3), 0, 2);
    check_are(shot, 0, 3, play(held, film, 3));
}

/// The paper's integrator needs to know how long the first frame is.
void the_frame_rate_is_the_clocks() {
    const Clock video{0, 30};
    const Scene scene = with_params(sliding(), {{"integrator", 1.0}});
    const Played played = play(scene, video, 3);
    CHECK(!same_bits(*played[2], *play(with_params(scene, {{"integrator", 1.0}, {"fps", 6.0}}), video, 3)[2]));
    Shot shot(scene, video);
    check_are(shot, 0, 3, played);
    shot.clock.frames_per_second = 25;
    check_are(shot, 0, 3, play(scene, shot.clock, 3));
}

void parameters_have_numbers_of_their_kinds() {
    const auto with = [](const char* param, const std::variant<double, std::string>& value) {
        Shot shot(with_params(sliding(), {{param, value}}));
        return shot.at(0);
    };
    for (const char* whole : {"max_iterations", "substeps"}) CHECK(with(whole, 7.0).found == Found::Computed);
    CHECK(with("proxy_check", 1.0).found == Found::Computed);
    CHECK(with("material", 2.0).found == Found::Computed);
    CHECK(with("material", std::string("no_material")).found == Found::Failed);
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (const char* param : {"max_iterations", "material", "young"}) {
        for (const double number : {none, -1.0, 1e300}) {
            const Answer answer = with(param, number);
            CHECK(answer.found == Found::Failed);
            CHECK(answer.message.find(std::string("parameter ") + param) != std::string::npos);
        }
    }
    CHECK_EQUAL(with("no_param", 1.0).message, "Frame 1: The node has no parameter no_param.");
}

void frames_without_a_state_stand_alone() {
    Scene scene = jiggling();
    scene.node = "skinning";
    scene.outputs = {"points"};
    const auto jiggling_frame = scene.frame;
    scene.frame = [jiggling_frame](double number) {
        auto frame = jiggling_frame(number);
        auto& still = frame->given.still;
        still.erase(still.begin());
        frame->given.still_params.clear();
        frame->given.params.clear();
        return frame;
    };
    const Played played = play(scene, film, 40);
    Shot shot(scene);
    check_is(shot.at(7), played[7]);
    CHECK(!shot.at(7).stepped);
    CHECK(shot.between(7.5).found == Found::Computed);
    shot.at(0);
    const std::uint64_t two = shot.session.memory_used();
    for (std::int64_t number = 40; number >= 0; --number) {
        check_is(shot.at(number), played[static_cast<std::size_t>(number)]);
    }
    CHECK(shot.session.memory_used() <= 4 * two);
}

void a_step_can_be_stopped_and_heard() {
    Shot shot(sliding());
    shot.play(0, 2);
    int heard = 0;
    shot.session.listen([&](double done, const char*) {
        CHECK(done >= 0 && done <= 1);
        ++heard;
        return false;
    });
    const Answer answer = shot.at(3);
    CHECK(answer.found == Found::Failed && heard > 0);
    CHECK_EQUAL(shot.session.kept(film), "1-3");
    // Nothing goes on from a step that was stopped.
    check_missing(shot.at(4), 3, 3);
    shot.session.listen([&](double, const char*) {
        shot.session.cancel();
        return true;
    });
    CHECK(shot.at(3).found == Found::Failed);
    shot.session.listen({});
    // A cancel while nothing runs stops nothing.
    shot.session.cancel();
    check_is(shot.at(3), play(shot.scene, film, 3)[3]);
    CHECK(shot.session.report().find("\"warnings\"") != std::string::npos);
}

/// A setting is changed while someone looks at frame 7: one step with it from frame 6 as it was before, made once.
void an_edit_is_previewed(const Scene& before, const ParamValue& edit) {
    const Scene after = with_params(before, {edit});
    Scene at_seven = before;
    at_seven.frame = [before, after](double number) { return (number < 7 ? before : after).frame(number); };
    Shot shot(before);
    shot.play(0, 9);
    shot.scene = after;
    check_missing(shot.at(7), 0, 6);
    const Answer shown = shot.preview(7);
    check_preview(shown, *play(at_seven, film, 7)[7],
                  "Preview: one step on from frame 7 as it was computed with other settings. "
                  "Frames 1 to 7 have to be computed first.");
    CHECK(shown.stepped);
    CHECK(!shot.preview(7).stepped && shot.preview(7).outputs == shown.outputs);
    // Each frame has its own, and none becomes a frame.
    CHECK(shot.preview(9).stepped && shot.preview(8).stepped);
    CHECK(!shot.preview(7).stepped && !shot.preview(9).stepped);
    check_missing(shot.at(7), 0, 6);
    check_missing(shot.at(8), 0, 7);
    CHECK_EQUAL(shot.session.kept(film), "");
    CHECK_EQUAL(shot.session.missing(film, film.of_frame(7)), "1-8");
    const Played played = play(after, film, 9);
    check_are(shot, 0, 9, played);
    CHECK(!same_bits(*shown.outputs, *played[7]));
    const Answer now = shot.preview(7);
    check_is(now, played[7]);
    CHECK(now.message.empty() && !now.stepped);
    shot.scene = before;
    check_is(shot.preview(7), play(before, film, 7)[7]);
    CHECK(!shot.at(9).stepped);
}

/// The motion was edited from frame 4 on.
void an_edit_of_the_motion_is_previewed() {
    const Scene before = sliding();
    Shot shot(before);
    shot.play(0, 8);
    shot.scene = with_zeta_from(before, 4, 0.9);
    shot.session.distrust(4);
    check_preview(shot.preview(7), *play(with_zeta_from(before, 7, 0.9), film, 7)[7],
                  "Preview: one step on from frame 7 as it was before an edit of the motion. "
                  "Frames 5 to 7 have to be computed first.");
    // It is known already where the frame itself was not edited.
    shot.scene = before;
    shot.session.distrust(3);
    const Answer known = shot.preview(8);
    CHECK(known.found == Found::Preview && !known.stepped);
    CHECK(same_bits(*known.outputs, *play(before, film, 8)[8]));
    shot.scene = with_zeta_from(before, 4, 0.9);
    CHECK(shot.at(3).found == Found::Computed);
    // Where the frame before holds, it is no preview.
    const Played played = play(shot.scene, film, 4);
    check_is(shot.preview(4), played[4]);
}

/// After a jump, from the last frame that there is, and from the start where there is none.
void a_jump_is_previewed() {
    const Scene scene = sliding();
    Shot shot(scene);
    check_missing(shot.preview(5), 0, 4);
    shot.play(0, 2);
    const Answer jumped = shot.preview(8);
    CHECK(jumped.found == Found::Preview);
    CHECK_EQUAL(jumped.message, "Preview: one step on from frame 3. Frames 4 to 8 have to be computed first.");
    CHECK(!same_bits(*jumped.outputs, *play(scene, film, 8)[8]));
    const Answer half = shot.between(5.5, true);
    CHECK(half.found == Found::Preview && half.stepped && !shot.between(5.5, true).stepped);
    CHECK(!same_bits(*half.outputs, *jumped.outputs));
    // A nearer one is taken once it is there.
    check_are(shot, 3, 4, play(scene, film, 4));
    const Answer nearer = shot.preview(8);
    CHECK(nearer.stepped && !same_bits(*nearer.outputs, *jumped.outputs));
    CHECK_EQUAL(nearer.message, "Preview: one step on from frame 5. Frames 6 to 8 have to be computed first.");
    check_are(shot, 5, 8, play(scene, film, 8));
}

/// Of several results of the frame before, the one that was used last.
void a_preview_goes_on_from_what_was_used_last() {
    const Scene soft = sliding(), stiff = with_params(soft, {{"young", 60000.0}}),
                edited = with_params(soft, {{"young", 45000.0}});
    const auto from = [&](const Scene& scene) {
        Scene at_three = scene;
        at_three.frame = [scene, edited](double number) { return (number < 3 ? scene : edited).frame(number); };
        return *play(at_three, film, 3)[3];
    };
    Shot shot(soft);
    shot.play(0, 2);
    shot.scene = stiff;
    shot.play(0, 2);
    shot.scene = edited;
    CHECK(same_bits(*shot.preview(3).outputs, from(stiff)));
    shot.scene = soft;
    shot.at(2);
    shot.scene = edited;
    CHECK(same_bits(*shot.preview(3).outputs, from(soft)));
}

/// Turning a slider and posing: each value has a preview of its own, from the same state.
void each_value_has_its_preview() {
    const Scene scene = sliding();
    Shot shot(scene);
    shot.play(0, 6);
    std::vector<Answer> shown;
    for (const double young : {60000.0, 45000.0}) {
        for (const double zeta : {0.2, 0.9}) {
            shot.scene = with_params(with_zeta_from(scene, 6, zeta), {{"young", young}});
            shown.push_back(shot.preview(6));
        }
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
        CHECK(shown[i].found == Found::Preview && shown[i].stepped);
        for (std::size_t k = 0; k < i; ++k) CHECK(!same_bits(*shown[i].outputs, *shown[k].outputs));
    }
}

/// Another body: no state fits, and nothing of the first one is lost.
void what_fits_no_state_is_missing() {
    auto far = std::make_shared<Tube>(6, 10);
    for (float& x : far->points) x += 1000;
    const Scene first = sliding();
    Scene second = first;
    second.frame = [far](double) {
        auto frame = std::make_unique<Frame>();
        frame->given.still = {{"rest", far->view()}};
        frame->given.moving = {{"points", array<const float>({far->points.data(), far->points.size()}, 3)}};
        return frame;
    };
    Shot shot(first);
    shot.play(0, 5);
    shot.scene = second;
    for (int twice = 0; twice < 2; ++twice) check_missing(shot.preview(5), 0, 4);
    shot.scene = first;
    CHECK(!shot.preview(5).stepped);
    check_is(shot.at(6), play(first, film, 6)[6]);
}

/// Frames go after previews; the last of these stays, so that it is not made again for a redraw.
void previews_take_no_memory_from_frames() {
    const Scene soft = sliding();
    Shot shot(soft);
    shot.play(0, 9);
    const std::uint64_t frames = shot.session.memory_used();
    shot.session.set_memory(frames);
    shot.scene = with_params(soft, {{"young", 60000.0}});
    for (std::int64_t number = 1; number <= 9; ++number) CHECK(shot.preview(number).stepped);
    CHECK(!shot.preview(9).stepped);
    CHECK(shot.preview(1).stepped);
    CHECK(shot.session.memory_used() < frames + frames / 5);
    shot.scene = soft;
    for (std::int64_t number = 0; number <= 9; ++number) CHECK(!shot.at(number).stepped);
    shot.session.clear();
    CHECK_EQUAL(shot.session.memory_used(), 0U);
}

void a_preview_can_be_stopped() {
    Shot shot(sliding());
    shot.play(0, 2);
    shot.session.listen([](double, const char*) { return false; });
    check_missing(shot.preview(6), 3, 5);
    shot.session.listen({});
    CHECK(shot.preview(6).found == Found::Preview);
}

} // namespace

int main() {
    check_version();
    for (const Scene& scene : {sliding(), jiggling()}) {
        plays_as_a_node_does(scene);
        moments_between_change_nothing(scene);
    }
    says_exactly_what_is_missing();
    frames_before_the_start_are_first_frames();
    an_edit_drops_only_later_frames();
    a_changed_frame_is_noticed();
    what_is_still_concerns_all_frames();
    frames_are_proved_again_without_stepping();
    more_outputs_are_computed_from_the_state_before();
    memory_is_bounded();
    broken_points_name_the_vertex_and_the_frame();
    a_count_that_does_not_fit_fails_with_the_frame();
    another_topology_is_another_scene();
    states_that_do_not_fit_are_cleared();
    a_file_that_changed_is_read_again();
    an_input_that_vanished_is_cleared();
    the_port_of_a_map_counts();
    the_frame_rate_is_the_clocks();
    parameters_have_numbers_of_their_kinds();
    frames_without_a_state_stand_alone();
    a_step_can_be_stopped_and_heard();
    an_edit_is_previewed(sliding(), {"young", 60000.0});
    an_edit_of_the_motion_is_previewed();
    a_jump_is_previewed();
    a_preview_goes_on_from_what_was_used_last();
    each_value_has_its_preview();
    what_fits_no_state_is_missing();
    previews_take_no_memory_from_frames();
    a_preview_can_be_stopped();
    return finish();
}
