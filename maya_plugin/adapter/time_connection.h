// New nodes follow the scene's time.
#pragma once

#include <maya/MObject.h>
#include <maya/MPlug.h>

namespace sinew::maya {

/// The scene's time: `outTime` of its first time node.
MPlug scene_time();

/// Hears of a new node (MMessage::MNodeFunction); `kind` is its Kind. In a file that is read, connections follow.
void connect_time(MObject& node, void* kind);

/// While one exists, connect_time does nothing: a command that can be undone makes the connection itself.
class TimeByHand {
public:
    TimeByHand();
    ~TimeByHand();
    TimeByHand(const TimeByHand&) = delete;
    TimeByHand& operator=(const TimeByHand&) = delete;
};

} // namespace sinew::maya
