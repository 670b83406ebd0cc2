#pragma once

#include <maya/MDoubleArray.h>
#include <maya/MFnDagNode.h>
#include <maya/MPointArray.h>

class MFnNurbsCurve : public MFnDagNode {
    STANDIN_DAG_FUNCTION_SET(MFnNurbsCurve, MFn::kNurbsCurve)
    enum Form { kInvalid, kOpen, kClosed, kPeriodic, kLast };
    MObject create(const MPointArray& controlVertices, const MDoubleArray& knotSequences, unsigned int degree,
                   Form agForm, bool create2D, bool createRational, MObject& parentOrOwner = MObject::kNullObj,
                   MStatus* ReturnStatus = nullptr);
    MStatus getCVs(MPointArray& array, MSpace::Space space = MSpace::kObject) const;
    MStatus setCVs(const MPointArray& array, MSpace::Space space = MSpace::kObject);
    MStatus getCV(unsigned int index, MPoint& pt, MSpace::Space space = MSpace::kObject) const;
    MStatus getKnots(MDoubleArray& array) const;
    Form form(MStatus* ReturnStatus = nullptr) const;
    int degree(MStatus* ReturnStatus = nullptr) const;
    int numCVs(MStatus* ReturnStatus = nullptr) const;
    int numSpans(MStatus* ReturnStatus = nullptr) const;
    int numKnots(MStatus* ReturnStatus = nullptr) const;
    MStatus updateCurve();
};
