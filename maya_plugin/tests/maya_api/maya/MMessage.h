#pragma once

#include <maya/MCallbackIdArray.h>
#include <maya/MObject.h>
#include <maya/MString.h>
#include <maya/MTime.h>

class MDGModifier;
class MFileObject;
class MObjectArray;
class MPlug;

/// The base of the classes with which plug-ins hear what happens.
class MMessage {
public:
    typedef void (*MBasicFunction)(void* clientData);
    typedef void (*MCheckFunction)(bool* retCode, void* clientData);
    typedef void (*MNodeFunction)(MObject& node, void* clientData);
    typedef void (*MStringFunction)(const MString& str, void* clientData);
    typedef void (*MStringArrayFunction)(const MStringArray& strs, void* clientData);
    typedef void (*MElapsedTimeFunction)(float elapsedTime, float lastTime, void* clientData);
    typedef void (*MTimeFunction)(MTime& time, void* clientData);
    typedef void (*MPlugFunction)(MPlug& srcPlug, MPlug& destPlug, bool made, void* clientData);
    typedef void (*MNodePlugFunction)(MObject& node, MPlug& plug, void* clientData);
    typedef void (*MNodeStringFunction)(MObject& node, const MString& str, void* clientData);
    typedef void (*MObjArray)(MObjectArray& objects, void* clientData);
    typedef void (*MNodeModifierFunction)(MObject& node, MDGModifier& modifier, void* clientData);
    static MStatus removeCallback(MCallbackId id);
    static MStatus removeCallbacks(MCallbackIdArray& ids);
    static MStatus nodeCallbacks(MObject& node, MCallbackIdArray& ids);
    static const char* className() { return "MMessage"; }
};
