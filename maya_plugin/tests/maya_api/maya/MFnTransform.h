#pragma once

#include <maya/MFnDagNode.h>
#include <maya/MTransformationMatrix.h>

class MFnTransform : public MFnDagNode {
    STANDIN_DAG_FUNCTION_SET(MFnTransform, MFn::kTransform)
    MObject create(MObject parent = MObject::kNullObj, MStatus* ReturnStatus = nullptr);
    MTransformationMatrix transformation(MStatus* ReturnStatus = nullptr) const;
    MStatus set(const MTransformationMatrix& transform);
    MVector getTranslation(MSpace::Space space, MStatus* ReturnStatus = nullptr) const;
    MStatus setTranslation(const MVector& vec, MSpace::Space space);
};
