// Small plug-ins for the tests of the stand-in.
#pragma once

#include <maya/MObject.h>
#include <maya/MStatus.h>

namespace toys {

/// Registers: toyAdder (sum of inputs), toyStepper (a stateful node without a guard), toySafe (the same with one),
/// toyPush (a deformer), toyWave (a deformer that reads the time), toyCommand.
MStatus initialize(MObject plugin);
MStatus uninitialize(MObject plugin);

/// What deformers were called with.
struct Calls {
    static int deforms;
    static int copies;
    static int dirty;
};

/// The numbers that a stepper has at a frame if it is played from its first frame.
double played(int frame);

} // namespace toys
