#pragma once

#include <maya/MAngle.h>
#include <maya/MDistance.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MTypeId.h>
#include <functional>
#include <vector>

/// Changes of the scene that are done together and can be undone.
class MDGModifier {
public:
    MDGModifier();
    virtual ~MDGModifier();
    MDGModifier(const MDGModifier&) = delete;
    MDGModifier& operator=(const MDGModifier&) = delete;
    MObject createNode(const MTypeId& typeId, MStatus* ReturnStatus = nullptr);
    MObject createNode(const MString& type, MStatus* ReturnStatus = nullptr);
    MStatus deleteNode(const MObject& node);
    MStatus deleteNode(const MObject& node, bool includeParents);
    MStatus renameNode(const MObject& node, const MString& newName);
    MStatus connect(const MObject& sourceNode, const MObject& sourceAttr, const MObject& destNode,
                    const MObject& destAttr);
    MStatus disconnect(const MObject& sourceNode, const MObject& sourceAttr, const MObject& destNode,
                       const MObject& destAttr);
    MStatus connect(const MPlug& source, const MPlug& dest);
    MStatus disconnect(const MPlug& source, const MPlug& dest);
    MStatus addAttribute(const MObject& node, const MObject& attribute);
    MStatus removeAttribute(const MObject& node, const MObject& attribute);
    MStatus commandToExecute(const MString& command);
    MStatus pythonCommandToExecute(const MString& command);
    MStatus newPlugValue(const MPlug& plug, MObject& plugValue);
    MStatus newPlugValueBool(const MPlug& plug, bool plugValue);
    MStatus newPlugValueDouble(const MPlug& plug, double plugValue);
    MStatus newPlugValueFloat(const MPlug& plug, float plugValue);
    MStatus newPlugValueInt(const MPlug& plug, int plugValue);
    MStatus newPlugValueShort(const MPlug& plug, short plugValue);
    MStatus newPlugValueMAngle(const MPlug& plug, const MAngle& plugValue);
    MStatus newPlugValueMDistance(const MPlug& plug, const MDistance& plugValue);
    MStatus newPlugValueMTime(const MPlug& plug, const MTime& plugValue);
    MStatus newPlugValueString(const MPlug& plug, const MString& plugValue);
    MStatus removeMultiInstance(const MPlug& plug, bool breakConnections);
    MStatus doIt();
    MStatus undoIt();
    static const char* className() { return "MDGModifier"; }

protected:
    /// A change: does it, and gives back what undoes it (empty: it failed).
    typedef std::function<std::function<void()>()> Change;
    void plan(Change change) { planned_.push_back(std::move(change)); }
    MObject plan_node(const std::string& type, const MObject& parent, bool dag, MStatus* status);

private:
    std::vector<Change> planned_, done_;
    std::vector<std::function<void()>> undo_;
};
