#pragma once

#include <maya/MTime.h>

/// The time slider.
class MAnimControl {
public:
    static MTime minTime();
    static MTime maxTime();
    static MStatus setMinTime(MTime newMinTime);
    static MStatus setMaxTime(MTime newMaxTime);
    static MStatus setMinMaxTime(MTime min, MTime max);
    static MTime animationStartTime();
    static MTime animationEndTime();
    static MStatus setAnimationStartTime(MTime newStartTime);
    static MStatus setAnimationEndTime(MTime newEndTime);
    static MStatus setAnimationStartEndTime(MTime newStartTime, MTime newEndTime);
    static MTime currentTime();
    static MStatus setCurrentTime(const MTime& newTime);
    static double playbackBy();
    static MStatus playForward();
    static bool isPlaying();
    static bool isScrubbing();
    static MStatus stop();
};
