#pragma once

#include <maya/MFnData.h>
#include <maya/MMatrix.h>

class MStringArray;
class MString;

/// What all geometry has: its matrix, and parts of it with names.
class MFnGeometryData : public MFnData {
    STANDIN_FUNCTION_SET(MFnGeometryData, MFn::kGeometryData)
    enum ComponentTagCategory { kAuto, kNull, kVerts, kEdges, kFaces, kUnsupported };
    enum SubsetState { kInvalidGroup, kEmptyGroup, kCompleteGroup, kPartialGroup };
    MStatus setMatrix(const MMatrix&);
    MStatus getMatrix(MMatrix&) const;
    MStatus componentTags(MStringArray& keys) const;
    bool hasComponentTag(const MString& key, MStatus* ReturnStatus = nullptr) const;
    MStatus addComponentTag(const MString& key);
    MStatus removeComponentTag(const MString& key);
    MObject componentTagContents(const MString& key, MStatus* ReturnStatus = nullptr) const;
    MStatus setComponentTagContents(const MString& key, MObject&);
    MObject resolveComponentTagExpression(const MString& expression, ComponentTagCategory ctg = kAuto,
                                          MStatus* ReturnStatus = nullptr) const;
    MStatus addObjectGroup(unsigned int);
    MStatus setObjectGroupComponent(unsigned int, MObject&);
    bool hasObjectGroup(unsigned int id, MStatus* ReturnStatus = nullptr) const;
};
