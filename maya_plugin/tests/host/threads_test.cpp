// A session from several threads, as hosts evaluate: in any order, for several contexts, while others edit and ask.
#include "check.h"
#include "scenes.h"

#include <atomic>
#include <future>
#include <random>
#include <thread>

using namespace sinew;
using namespace sinew::host;
using namespace sinew::tests;

namespace {

const Clock film{0, 24};
constexpr std::int64_t last = 10;

/// The scene with another value of what is still: what another context may see, such as before an edit.
Scene with_setting(const Scene& scene, const char* param, double value) {
    Scene other = scene;
    other.frame = [scene, param, value](double number) {
        auto frame = scene.frame(number);
        frame->given.still_params.push_back({param, value});
        return frame;
    };
    return other;
}

Answer evaluate(Session& session, const Scene& scene, double number) {
    const auto frame = scene.frame(number);
    return session.evaluate(frame->given, film, film.at(number / film.frames_per_second), scene.outputs);
}

/// The moment halfway before each frame, as a single thread computes it.
Played halves(const Scene& scene) {
    LogQueue log;
    Session session(plan_of_node(scene.node), metres_per_unit, SINEW_UP_Y, true, log);
    Played found;
    for (std::int64_t number = 0; number < last; ++number) {
        CHECK(evaluate(session, scene, static_cast<double>(number)).found == Found::Computed);
        const Answer half = evaluate(session, scene, static_cast<double>(number) + 0.5);
        CHECK(half.found == Found::Computed);
        found.emplace_back(*half.outputs);
    }
    return found;
}

/// What a host does when frames are missing: computes them in order. Others may make them go missing again.
void catch_up(Session& session, const Scene& scene, double number, const Outputs& expected) {
    for (int tries = 0; tries < 1000; ++tries) {
        const Answer answer = evaluate(session, scene, number);
        if (answer.found == Found::Computed) return CHECK(same_bits(*answer.outputs, expected));
        CHECK(answer.found == Found::Missing);
        CHECK(answer.first_missing <= answer.last_missing && static_cast<double>(answer.last_missing) < number);
        for (std::int64_t frame = answer.first_missing; frame <= answer.last_missing; ++frame) {
            evaluate(session, scene, static_cast<double>(frame));
        }
    }
    fail(__FILE__, __LINE__, "the frame is missing for ever");
}

void any_order_from_any_thread_is_playing(const Scene& scene, const char* param) {
    const Scene scenes[] = {scene, with_setting(scene, param, 0.2)};
    const Played played[] = {play(scenes[0], film, last), play(scenes[1], film, last)};
    const Played half[] = {halves(scenes[0]), halves(scenes[1])};
    CHECK(!same_bits(*played[0][last], *played[1][last]));
    LogQueue log;
    Session session(plan_of_node(scene.node), metres_per_unit, SINEW_UP_Y, true, log);
    const auto run = [&](unsigned seed) {
        std::mt19937 random(seed);
        for (int i = 0; i < 200; ++i) {
            const std::size_t which = random() % 2, frame = random() % last;
            if (random() % 3 == 0) {
                catch_up(session, scenes[which], static_cast<double>(frame) + 0.5, *half[which][frame]);
            } else {
                catch_up(session, scenes[which], static_cast<double>(frame), *played[which][frame]);
            }
        }
    };
    std::atomic<bool> done{false};
    std::thread meddler([&] {
        std::mt19937 random(99);
        while (!done) {
            switch (random() % 8) {
            case 0: session.distrust(static_cast<std::int64_t>(random() % last)); break;
            case 1: session.distrust(); break;
            case 2: session.set_memory(50000 + random() % 1000000); break;
            case 3: session.set_name(std::to_string(random())); break;
            case 4: session.kept(film); break;
            case 5: session.missing(film, film.of_frame(static_cast<std::int64_t>(random() % last))); break;
            case 6: session.listen([](double, const char*) { return true; }); break;
            default: session.report(); log.take();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed) threads.emplace_back(run, seed);
    for (std::thread& thread : threads) thread.join();
    done = true;
    meddler.join();
}

/// Waits for something that may hang, which would hang the test: it ends instead.
template <class Call> void check_ends(Call call) {
    std::future<void> running = std::async(std::launch::async, call);
    if (running.wait_for(std::chrono::seconds(120)) == std::future_status::ready) return;
    std::cerr << "this hangs\n";
    std::_Exit(1);
}

/// The host holds a lock while it asks for a frame, and who reads the log needs that lock first.
void a_lock_of_the_host_does_not_hang() {
    const Scene scene = sliding();
    LogQueue log;
    Session session(plan_of_node(scene.node), metres_per_unit, SINEW_UP_Y, true, log);
    std::mutex of_host;
    std::vector<LogLine> lines;
    check_ends([&] {
        std::unique_lock<std::mutex> held(of_host);
        std::thread reader([&] {
            const std::lock_guard<std::mutex> lock(of_host);
            lines = log.take();
        });
        session.set_name("skin of the arm");
        CHECK(evaluate(session, scene, 0).found == Found::Computed);
        held.unlock();
        reader.join();
    });
    CHECK(!lines.empty());
    for (const LogLine& line : lines) CHECK_EQUAL(line.node, "skin of the arm");
}

/// While a step runs, a panel asks and edits, on its thread and on that of the step.
void a_running_step_holds_up_no_question() {
    const Scene scene = sliding();
    const Played played = play(scene, film, 4);
    LogQueue log;
    Session session(plan_of_node(scene.node), metres_per_unit, SINEW_UP_Y, true, log);
    check_ends([&] {
        for (const double number : {0, 1, 2}) CHECK(evaluate(session, scene, number).found == Found::Computed);
        bool asked = false;
        session.listen([&](double, const char*) {
            if (asked) return true;
            asked = true;
            CHECK_EQUAL(session.kept(film), "0-2");
            CHECK(session.memory_used() > 0 && !session.report().empty());
            session.set_name("other");
            // A frame that is there is found, without waiting for the step.
            std::thread other([&] { CHECK(evaluate(session, scene, 1).found == Found::Computed); });
            other.join();
            // And what is missing is said.
            std::thread another([&] { CHECK(evaluate(session, scene, 9).found == Found::Missing); });
            another.join();
            session.distrust();
            return true;
        });
        const Answer answer = evaluate(session, scene, 3);
        CHECK(asked && answer.found == Found::Computed && same_bits(*answer.outputs, *played[3]));
        // What was distrusted meanwhile is not known, and found again in its turn.
        CHECK_EQUAL(session.kept(film), "");
        for (const double number : {0, 1, 2, 3}) {
            const Answer again = evaluate(session, scene, number);
            CHECK(again.found == Found::Computed && !again.stepped);
        }
    });
}

/// Many threads ask for the same frame: it is computed once.
void one_frame_is_computed_once() {
    const Scene scene = sliding();
    LogQueue log;
    Session session(plan_of_node(scene.node), metres_per_unit, SINEW_UP_Y, true, log);
    std::atomic<int> stepped{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (std::int64_t number = 0; number <= last; ++number) {
                while (true) {
                    const Answer answer = evaluate(session, scene, static_cast<double>(number));
                    stepped += answer.stepped ? 1 : 0;
                    if (answer.found == Found::Computed) break;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK_EQUAL(stepped.load(), static_cast<int>(last) + 1);
}

} // namespace

int main() {
    any_order_from_any_thread_is_playing(sliding(), "poisson");
    any_order_from_any_thread_is_playing(jiggling(), "size_factor");
    a_lock_of_the_host_does_not_hang();
    a_running_step_holds_up_no_question();
    one_frame_is_computed_once();
    return finish();
}
