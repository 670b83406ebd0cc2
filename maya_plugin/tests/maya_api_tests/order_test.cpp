// Evaluation in random order and on several threads. A node that steps whenever it is computed must be caught by each
// of these ways to evaluate, and one whose frames follow from their numbers must pass all of them.
#include "check.h"
#include "toys.h"

#include <maya/MPxNode.h>
#include <scene.h>

#include <string>

using standin::Evaluation;
using standin::Scene;

namespace {

constexpr int frames = 12;

/// Several nodes of a type, each with a reader, so that they are evaluated.
struct Played : Scene {
    explicit Played(const std::string& type, int nodes = 6) : count(nodes) {
        load_plugin("toys", toys::initialize, toys::uninitialize);
        for (int i = 0; i < nodes; ++i) {
            const std::string name = "n" + std::to_string(i);
            create(type, name);
            create("toyAdder", "r" + std::to_string(i));
            connect("time1.outTime", name + ".time");
            connect(name + ".value", "r" + std::to_string(i) + ".offset");
            create("locator", "l" + std::to_string(i));
            connect("r" + std::to_string(i) + ".sum", "l" + std::to_string(i) + ".translateX");
        }
        set_range(1, frames);
    }
    bool right(int frame) const {
        for (int i = 0; i < count; ++i)
            if (number("r" + std::to_string(i) + ".sum") != toys::played(frame)) return false;
        return true;
    }
    int count;
};

std::vector<int> shuffled(std::uint64_t seed) {
    std::vector<int> order;
    for (int frame = 1; frame <= frames; ++frame) order.push_back(frame);
    for (std::size_t i = order.size(); i > 1; --i) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        std::swap(order[i - 1], order[(seed >> 33) % i]);
    }
    return order;
}

bool survives_random_order(const std::string& type, Evaluation mode, unsigned int threads) {
    Played scene(type, 1);
    scene.set_evaluation(mode, threads);
    for (int frame : shuffled(5)) {
        scene.set_time(frame);
        if (!scene.right(frame)) return false;
    }
    return scene.faults().empty();
}

bool survives_threads(const std::string& type) {
    Played scene(type);
    scene.set_evaluation(Evaluation::Parallel, 4);
    for (int frame = 1; frame <= frames; ++frame) {
        scene.set_time(frame);
        if (!scene.right(frame)) return false;
    }
    return scene.faults().empty();
}

bool survives_the_cache(const std::string& type) {
    Played scene(type, 1);
    scene.set_evaluation(Evaluation::Parallel, 2);
    scene.set_caching(true);
    scene.wait_for_cache();
    for (int frame = 1; frame <= frames; ++frame) {
        scene.set_time(frame);
        if (!scene.right(frame)) return false;
    }
    return scene.faults().empty() && scene.restored("n0") >= frames - 1;
}

} // namespace

TEST(one_stepper_that_is_played_forwards_is_right_by_luck) {
    Played scene("toyStepper", 1);
    for (int frame = 1; frame <= frames; ++frame) {
        scene.set_time(frame);
        CHECK(scene.right(frame));
    }
}

TEST(random_order_catches_a_node_that_steps_when_it_is_computed) {
    CHECK(!survives_random_order("toyStepper", Evaluation::Dg, 1));
    CHECK(!survives_random_order("toyStepper", Evaluation::Serial, 1));
    CHECK(survives_random_order("toySafe", Evaluation::Dg, 1));
    CHECK(survives_random_order("toySafe", Evaluation::Serial, 1));
    CHECK(survives_random_order("toySafe", Evaluation::Parallel, 4));
}

TEST(threads_catch_a_node_with_a_shared_counter) {
    CHECK(!survives_threads("toyStepper"));
    CHECK(survives_threads("toySafe"));
}

TEST(the_background_cache_catches_a_node_that_steps_in_it) {
    CHECK(!survives_the_cache("toyStepper"));
    CHECK(survives_the_cache("toySafe"));
}

TEST(a_context_beside_the_foreground_catches_a_node_that_steps_in_it) {
    Played stepper("toyStepper", 1);
    stepper.set_time(1);
    (void)stepper.right(1);
    (void)stepper.number_at("r0.sum", 9);
    stepper.set_time(2);
    CHECK(!stepper.right(2));
}

TEST(the_evaluation_manager_computes_each_node_once_a_frame) {
    Played scene("toySafe");
    scene.set_evaluation(Evaluation::Parallel, 4);
    scene.set_time(2);
    const std::uint64_t before = scene.computes("n3");
    for (int frame = 3; frame <= frames; ++frame) scene.set_time(frame);
    CHECK(scene.right(frames));
    CHECK(scene.computes("n3") - before == frames - 2);
    CHECK_NO_FAULTS(scene);
}

TEST(the_evaluation_manager_does_not_ask_what_becomes_dirty) {
    Played scene("toySafe", 1);
    toys::Calls::dirty = 0;
    scene.set_time(2);
    CHECK(toys::Calls::dirty > 0);
    scene.set_evaluation(Evaluation::Serial);
    scene.set_time(3);
    toys::Calls::dirty = 0;
    scene.set_time(4);
    CHECK(toys::Calls::dirty == 0 && scene.right(4));
}

TEST(scheduling_types_say_what_runs_at_the_same_time) {
    const auto most = [](toys::Meeting::In in, MPxNode::SchedulingType type, bool joined = false) {
        toys::Meeting::begin(in, type);
        Scene scene;
        scene.load_plugin("toys", toys::initialize, toys::uninitialize);
        for (int i = 0; i < 8; ++i) {
            const std::string name = "m" + std::to_string(i);
            scene.create("toyMeeter", name);
            scene.create("locator", "l" + std::to_string(i));
            scene.connect("time1.outTime", name + ".time");
            scene.connect(name + ".value", "l" + std::to_string(i) + ".translateX");
        }
        // The toyAdder is serial, as nodes are that say nothing: with it, what it is connected to is one group.
        if (joined) {
            scene.create("toyAdder", "sum");
            scene.create("locator", "seen");
            scene.connect("sum.sum", "seen.translateX");
            for (int i = 0; i < 8; ++i)
                scene.connect("m" + std::to_string(i) + ".value", "sum.inputs[" + std::to_string(i) + "]");
        }
        scene.set_evaluation(Evaluation::Parallel, 4);
        for (int frame = 2; frame < 12; ++frame) scene.set_time(frame);
        return toys::Meeting::most.load();
    };
    CHECK(most(toys::Meeting::Threads, MPxNode::kParallel) >= 2);
    CHECK(most(toys::Meeting::Nothing, MPxNode::kGloballySerial) == 1);
    CHECK(most(toys::Meeting::Nothing, MPxNode::kUntrusted) == 1);
    CHECK(most(toys::Meeting::Threads, MPxNode::kSerial) >= 2);
    CHECK(most(toys::Meeting::Nothing, MPxNode::kSerial, true) == 1);
}

TEST(a_node_computes_in_two_contexts_at_once) {
    toys::Meeting::begin(toys::Meeting::Contexts, MPxNode::kParallel);
    Played scene("toyMeeter", 1);
    scene.set_evaluation(Evaluation::Serial);
    scene.set_caching(true);
    for (int frame = 1; frame <= frames && !toys::Meeting::in_two_contexts; ++frame) scene.set_time(frame);
    CHECK(toys::Meeting::in_two_contexts);
    toys::Meeting::begin(toys::Meeting::Nothing, MPxNode::kParallel);
    scene.wait_for_cache();
    CHECK_NO_FAULTS(scene);
}

TEST(messages_from_compute_on_other_threads_are_faults) {
    Scene scene;
    scene.load_plugin("toys", toys::initialize, toys::uninitialize);
    for (int i = 0; i < 8; ++i) {
        const std::string name = "t" + std::to_string(i);
        scene.create("toyTalker", name);
        scene.create("locator", "l" + std::to_string(i));
        scene.connect("time1.outTime", name + ".time");
        scene.connect(name + ".value", "l" + std::to_string(i) + ".translateX");
    }
    const std::size_t in_dg = [&] {
        scene.set_time(2);
        return scene.faults().size();
    }();
    CHECK(in_dg == 0 && scene.said().size() == 8);
    scene.set_evaluation(Evaluation::Parallel, 4);
    for (int frame = 3; frame < 60 && scene.faults().empty(); ++frame) scene.set_time(frame);
    CHECK(!scene.faults().empty());
    scene.forget();
    scene.set_evaluation(Evaluation::Dg);
    const Scene::Busy busy;
    scene.set_time(70);
    CHECK(!scene.faults().empty());
}
