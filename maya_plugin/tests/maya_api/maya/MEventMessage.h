#pragma once

#include <maya/MMessage.h>

class MEventMessage : public MMessage {
public:
    static MCallbackId addEventCallback(const MString& event, MMessage::MBasicFunction func, void* clientData = nullptr,
                                        MStatus* ReturnStatus = nullptr);
    static MStatus getEventNames(MStringArray& names);
};
