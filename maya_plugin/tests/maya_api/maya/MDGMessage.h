#pragma once

#include <maya/MMessage.h>

class MDGMessage : public MMessage {
public:
    static MCallbackId addTimeChangeCallback(MMessage::MTimeFunction func, void* clientData = nullptr,
                                             MStatus* ReturnStatus = nullptr);
    static MCallbackId addForceUpdateCallback(MMessage::MTimeFunction func, void* clientData = nullptr,
                                              MStatus* ReturnStatus = nullptr);
    static MCallbackId addNodeAddedCallback(MMessage::MNodeFunction func, const MString& nodeType = "dependNode",
                                            void* clientData = nullptr, MStatus* ReturnStatus = nullptr);
    static MCallbackId addNodeRemovedCallback(MMessage::MNodeFunction func, const MString& nodeType = "dependNode",
                                              void* clientData = nullptr, MStatus* ReturnStatus = nullptr);
    static MCallbackId addConnectionCallback(MMessage::MPlugFunction func, void* clientData = nullptr,
                                             MStatus* ReturnStatus = nullptr);
};
