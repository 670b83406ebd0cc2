// Small plug-ins for the tests of the stand-in.
#pragma once

#include <maya/MObject.h>
#include <maya/MStatus.h>

#include <atomic>

namespace toys {

/// Registers toyAdder (a sum), toyStepper (a stateful node without a guard), toySafe (the same with one), toySimulation
/// (one that Cached Playback must fill forwards), toyRefuser (one that cannot be cached), toyTalker (one that logs in
/// compute), toyMeeter (see Meeting), toyPush (a deformer), toyDrawn (a locator that draws a line) and toyCommand.
MStatus initialize(MObject plugin);
MStatus uninitialize(MObject plugin);

/// What deformers were called with.
struct Calls {
    static int deforms;
    static int copies;
    static int dirty;
    /// How often a toySafe heard that its values came out of the cache.
    static std::atomic<int> restored;
};

/// How many toyMeeter computed at the same time at most, and whether one did so in two contexts at once. They wait for
/// each other as long as they have not met as `meet_in` says, and no longer than some seconds.
struct Meeting {
    enum In { Nothing, Threads, Contexts };
    static std::atomic<In> meet_in;
    static std::atomic<int> running, most, background_running;
    static std::atomic<bool> in_two_contexts;
    static std::atomic<int> scheduling;
    static void begin(In in, int scheduling_type);
};

/// Whether toySimulation tells Cached Playback that it simulates.
void simulation_says_so(bool says);

/// The numbers that a stepper has at a frame if it is played from its first frame.
double played(int frame);

} // namespace toys
