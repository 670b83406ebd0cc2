// Timers, which run when the host is idle, and whether it reads a file.

#include "world.h"

#include <maya/MFileIO.h>
#include <maya/MTimerMessage.h>

using namespace standin;

/// "Each time the timer fires the callback will be placed on the idle queue" (MTimerMessage::addTimerCallback): here it
/// has always fired by then. Without a window there is no idle queue; whether Maya then refuses is not documented.
MCallbackId MTimerMessage::addTimerCallback(float period, MElapsedTimeFunction func, void* data, MStatus* s) {
    if (world().batch) return give(MCallbackId(0), s, MStatus::kFailure);
    Callback callback;
    callback.event = "event idle";
    callback.call = [period, func, data](const MObject&, const MPlug&, const MPlug&, const std::string&, int) {
        func(period, 0, data);
    };
    return give(add_callback(std::move(callback)), s);
}

bool MFileIO::isReadingFile() { return world().reading_file; }
bool MFileIO::isOpeningFile() { return world().reading_file; }
