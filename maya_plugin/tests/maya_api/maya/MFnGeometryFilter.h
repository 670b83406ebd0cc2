#pragma once

#include <maya/MDagPath.h>
#include <maya/MFnDependencyNode.h>

class MFnGeometryFilter : public MFnDependencyNode {
    STANDIN_FUNCTION_SET(MFnGeometryFilter, MFn::kGeometryFilt)
    MStatus getInputGeometry(MObjectArray& objects) const;
    MStatus getOutputGeometry(MObjectArray& objects) const;
    MObject inputShapeAtIndex(unsigned int index, MStatus* ReturnStatus = nullptr) const;
    MObject outputShapeAtIndex(unsigned int index, MStatus* ReturnStatus = nullptr) const;
    unsigned int indexForOutputShape(const MObject& shape, MStatus* ReturnStatus = nullptr) const;
    MStatus getPathAtIndex(unsigned int index, MDagPath& path) const;
    unsigned int numOutputConnections(MStatus* ReturnStatus = nullptr) const;
    unsigned int indexForOutputConnection(unsigned int connectionIndex, MStatus* ReturnStatus = nullptr) const;
    float envelope(MStatus* ReturnStatus = nullptr) const;
    MStatus setEnvelope(float envelope);
};
