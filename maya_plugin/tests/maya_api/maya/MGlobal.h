#pragma once

#include <maya/MCommandResult.h>
#include <maya/MObject.h>
#include <maya/MTime.h>

class MSelectionList;
class MVector;
class MDagPath;

/// The host as a whole.
class MGlobal {
public:
    enum MMayaState { kInteractive, kBatch, kLibraryApp, kBaseUIMode };
    enum ListAdjustment { kReplaceList, kXORWithList, kAddToList, kRemoveFromList, kAddToHeadOfList };
    enum MIdleTaskPriority { kHighIdlePriority, kLowIdlePriority, kVeryLowIdlePriority };
    typedef void (*MIdleTaskCallback)(void* clientData);
    static MString mayaVersion();
    static int apiVersion();
    static MMayaState mayaState(MStatus* ReturnStatus = nullptr);
    static MStatus getSelectionListByName(const MString& name, MSelectionList& list);
    static MStatus getActiveSelectionList(MSelectionList& dest, bool orderedSelectionIfAvailable = false);
    static MStatus setActiveSelectionList(const MSelectionList& src, ListAdjustment = kReplaceList);
    static MStatus selectByName(const MString& name, ListAdjustment = kAddToList);
    static MStatus unselectByName(const MString& name);
    static MStatus select(MObject& object, ListAdjustment = kAddToList);
    static MStatus clearSelectionList();
    static MStatus viewFrame(const MTime& time);
    static MStatus viewFrame(double time);
    static MStatus executeCommandOnIdle(const MString& command, bool displayEnabled = false);
    static MStatus executeTaskOnIdle(MIdleTaskCallback task, void* clientData = nullptr,
                                     MIdleTaskPriority priority = kLowIdlePriority);
    static MStatus executeCommand(const MString& command, bool displayEnabled = false, bool undoEnabled = false);
    static MStatus executeCommand(const MString& command, MCommandResult& result, bool displayEnabled = false,
                                  bool undoEnabled = false);
    static MStatus executeCommand(const MString& command, int& result, bool displayEnabled = false,
                                  bool undoEnabled = false);
    static MStatus executeCommand(const MString& command, double& result, bool displayEnabled = false,
                                  bool undoEnabled = false);
    static MStatus executeCommand(const MString& command, MString& result, bool displayEnabled = false,
                                  bool undoEnabled = false);
    static MStatus executeCommand(const MString& command, MStringArray& result, bool displayEnabled = false,
                                  bool undoEnabled = false);
    static MString executeCommandStringResult(const MString& command, bool displayEnabled = false,
                                              bool undoEnabled = false, MStatus* ResultStatus = nullptr);
    static MStatus executePythonCommand(const MString& command, bool displayEnabled = false, bool undoEnabled = false);
    static MStatus executePythonCommand(const MString& command, MString& result, bool displayEnabled = false,
                                        bool undoEnabled = false);
    static MStatus executePythonCommandOnIdle(const MString& command, bool displayEnabled = false);
    static MStatus deleteNode(MObject&);
    static bool isYAxisUp(MStatus* = nullptr);
    static bool isZAxisUp(MStatus* = nullptr);
    static MVector upAxis(MStatus* = nullptr);
    static void displayInfo(const MString& theMessage);
    static void displayWarning(const MString& theWarning);
    static void displayError(const MString& theError);
    static int optionVarIntValue(const MString& name, bool* exists = nullptr);
    static MString optionVarStringValue(const MString& name, bool* exists = nullptr);
    static bool setOptionVarValue(const MString& name, int value);
    static bool setOptionVarValue(const MString& name, MString value);
    static bool optionVarExists(const MString& name);
    static bool isUndoing();
    static bool isRedoing();
    static const char* className() { return "MGlobal"; }
};
