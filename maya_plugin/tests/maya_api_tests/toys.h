// Small plug-ins for the tests of the stand-in.
#pragma once

#include <maya/MObject.h>
#include <maya/MStatus.h>

namespace toys {

/// Registers toyAdder (a sum), toyStepper (a stateful node without a guard), toySafe (the same with one), toySimulation
/// (one that Cached Playback must fill forwards), toyRefuser (one that cannot be cached), toyTalker (one that logs in
/// compute), toyPush (a deformer), toyDrawn (a locator that draws a line) and toyCommand.
MStatus initialize(MObject plugin);
MStatus uninitialize(MObject plugin);

/// What deformers were called with.
struct Calls {
    static int deforms;
    static int copies;
    static int dirty;
};

/// Whether toySimulation tells Cached Playback that it simulates.
void simulation_says_so(bool says);

/// The numbers that a stepper has at a frame if it is played from its first frame.
double played(int frame);

} // namespace toys
