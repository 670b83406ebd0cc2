#pragma once

#include <maya/MMessage.h>

/// Calls back again and again; each call is put on the idle queue (MTimerMessage in the API reference of 2023).
class MTimerMessage : public MMessage {
public:
    static MCallbackId addTimerCallback(float period, MMessage::MElapsedTimeFunction func, void* clientData = nullptr,
                                        MStatus* ReturnStatus = nullptr);
};
