#include "adapter/time_connection.h"

#include "adapter/guard.h"
#include "adapter/kind.h"
#include "adapter/text.h"

#include <maya/MDGModifier.h>
#include <maya/MFileIO.h>
#include <maya/MFn.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MItDependencyNodes.h>

namespace sinew::maya {
namespace {

// Only touched on Maya's main thread.
int by_hand = 0;

} // namespace

TimeByHand::TimeByHand() { ++by_hand; }
TimeByHand::~TimeByHand() { --by_hand; }

MPlug scene_time() {
    MItDependencyNodes times(MFn::kTime);
    if (times.isDone()) throw Problem("The scene has no time node.");
    const MObject node = times.thisNode();
    MStatus status;
    const MPlug plug = MFnDependencyNode(node).findPlug("outTime", true, &status);
    ensure(status, "find the scene's time");
    return plug;
}

void connect_time(MObject& node, void* kind) {
    guarded(0, "connecting the time", [&] { return utf8(MFnDependencyNode(node).name()); }, [&] {
        if (by_hand > 0 || MFileIO::isReadingFile() || MFileIO::isOpeningFile()) return 0;
        const MPlug own(node, static_cast<const Kind*>(kind)->time);
        // A duplicate with its connections has it already.
        if (!own.source().isNull()) return 0;
        MDGModifier modifier;
        ensure(modifier.connect(scene_time(), own), "connect the scene's time");
        ensure(modifier.doIt(), "connect the scene's time");
        return 0;
    });
}

} // namespace sinew::maya
