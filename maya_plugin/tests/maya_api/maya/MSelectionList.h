#pragma once

#include <maya/MDagPath.h>
#include <maya/MPlug.h>
#include <maya/MString.h>
#include <vector>

class MStringArray;

/// Nodes, plugs and components that are selected.
class MSelectionList {
public:
    MStatus clear();
    bool isEmpty(MStatus* ReturnStatus = nullptr) const;
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    MStatus getDependNode(unsigned int index, MObject& depNode) const;
    MStatus getDagPath(unsigned int index, MDagPath& dagPath, MObject& component = MObject::kNullObj) const;
    MStatus getPlug(unsigned int index, MPlug& plug) const;
    MStatus add(const MObject& object, const bool mergeWithExisting = false);
    MStatus add(const MDagPath& object, const MObject& component = MObject::kNullObj,
                const bool mergeWithExisting = false);
    MStatus add(const MString& matchString, const bool searchChildNamespacesToo = false);
    MStatus add(const MPlug& plug, const bool mergeWithExisting = false);
    MStatus remove(unsigned int index);
    bool hasItem(const MObject& item, MStatus* ReturnStatus = nullptr) const;
    MStatus getSelectionStrings(MStringArray& array) const;
    MStatus getSelectionStrings(unsigned int index, MStringArray& array) const;
    static const char* className() { return "MSelectionList"; }

private:
    struct Item {
        MObject node, component;
        MPlug plug;
    };
    std::vector<Item> items_;
};
