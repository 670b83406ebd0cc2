#pragma once

#include <maya/MMatrix.h>
#include <maya/MObject.h>
#include <maya/MString.h>

class MDagPathArray;

/// The way from the world to a node of the DAG. The stand-in has no instances, so that a node has one path.
class MDagPath {
public:
    MDagPath() = default;
    static MStatus getAllPathsTo(const MObject& node, MDagPathArray& pathArray);
    static MStatus getAPathTo(const MObject& node, MDagPath& path);
    bool hasFn(MFn::Type type, MStatus* ReturnStatus = nullptr) const;
    MFn::Type apiType(MStatus* ReturnStatus = nullptr) const;
    bool isValid(MStatus* ReturnStatus = nullptr) const;
    MObject node(MStatus* ReturnStatus = nullptr) const;
    MObject transform(MStatus* ReturnStatus = nullptr) const;
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    MStatus extendToShape();
    MStatus extendToShapeDirectlyBelow(unsigned int);
    MStatus numberOfShapesDirectlyBelow(unsigned int&) const;
    MStatus push(const MObject& child);
    MStatus pop(unsigned int num = 1);
    unsigned int childCount(MStatus* ReturnStatus = nullptr) const;
    MObject child(unsigned int i, MStatus* ReturnStatus = nullptr) const;
    MMatrix inclusiveMatrix(MStatus* ReturnStatus = nullptr) const;
    MMatrix exclusiveMatrix(MStatus* ReturnStatus = nullptr) const;
    MMatrix inclusiveMatrixInverse(MStatus* ReturnStatus = nullptr) const;
    MMatrix exclusiveMatrixInverse(MStatus* ReturnStatus = nullptr) const;
    bool operator==(const MDagPath& src) const { return node_ == src.node_; }
    MStatus set(const MDagPath& src);
    MString fullPathName(MStatus* ReturnStatus = nullptr) const;
    MString partialPathName(MStatus* ReturnStatus = nullptr) const;
    unsigned int instanceNumber(MStatus* ReturnStatus = nullptr) const;
    static const char* className() { return "MDagPath"; }

    /// The stand-in's own: the node, or the shape below it if only that has the function set.
    MObject standin_node_with(MFn::Type type) const;

private:
    MObject node_;
};
