#pragma once

#include <maya/MMessage.h>

class MAnimMessage : public MMessage {
public:
    static MCallbackId addAnimCurveEditedCallback(MMessage::MObjArray func, void* clientData = nullptr,
                                                  MStatus* ReturnStatus = nullptr);
};
