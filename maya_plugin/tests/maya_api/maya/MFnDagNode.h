#pragma once

#include <maya/MDagPath.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MMatrix.h>

class MFnDagNode : public MFnDependencyNode {
    STANDIN_FUNCTION_SET(MFnDagNode, MFn::kDagNode)
    enum { kNextPos = 0xff };
    MFnDagNode(const MDagPath& object, MStatus* ret = nullptr);
    virtual MStatus setObject(const MDagPath& path);
    MObject create(const MTypeId& typeId, MObject& parent = MObject::kNullObj, MStatus* ReturnStatus = nullptr);
    MObject create(const MTypeId& typeId, const MString& name, MObject& parent = MObject::kNullObj,
                   MStatus* ReturnStatus = nullptr);
    MObject create(const MString& type, MObject& parent = MObject::kNullObj, MStatus* ReturnStatus = nullptr);
    MObject create(const MString& type, const MString& name, MObject& parent = MObject::kNullObj,
                   MStatus* ReturnStatus = nullptr);
    unsigned int parentCount(MStatus* ReturnStatus = nullptr) const;
    MObject parent(unsigned int i, MStatus* ReturnStatus = nullptr) const;
    MStatus addChild(MObject& child, unsigned int index = kNextPos, bool keepExistingParents = false);
    unsigned int childCount(MStatus* ReturnStatus = nullptr) const;
    MObject child(unsigned int i, MStatus* ReturnStatus = nullptr) const;
    MStatus getPath(MDagPath& path) const;
    MString fullPathName(MStatus* ReturnStatus = nullptr) const;
    MString partialPathName(MStatus* ReturnStatus = nullptr) const;
    MMatrix transformationMatrix(MStatus* ReturnStatus = nullptr) const;
    bool isIntermediateObject(MStatus* ReturnStatus = nullptr) const;
    MStatus setIntermediateObject(bool isIntermediate);
    MDagPath dagPath(MStatus* ReturnStatus = nullptr) const;
};

/// As STANDIN_FUNCTION_SET, for shapes and transforms, which paths lead to.
#define STANDIN_DAG_FUNCTION_SET(Class, Fn)                                                                            \
    STANDIN_FUNCTION_SET(Class, Fn)                                                                                    \
    Class(const MDagPath& path, MStatus* ReturnStatus = nullptr) {                                                     \
        MStatus made = Class::setObject(path);                                                                         \
        if (ReturnStatus) *ReturnStatus = made;                                                                        \
    }                                                                                                                  \
    MStatus setObject(const MDagPath& path) override { return Class::setObject(path.standin_node_with(Fn)); }
