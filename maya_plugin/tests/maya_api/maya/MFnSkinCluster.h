#pragma once

#include <maya/MDagPathArray.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnGeometryFilter.h>

class MFnSkinCluster : public MFnGeometryFilter {
    STANDIN_FUNCTION_SET(MFnSkinCluster, MFn::kSkinClusterFilter)
    MStatus getWeights(const MDagPath& path, const MObject& components, MDoubleArray& weights,
                       unsigned int& influenceCount) const;
    MStatus getWeights(const MDagPath& path, const MObject& components, unsigned int influenceIndex,
                       MDoubleArray& weights) const;
    unsigned int indexForInfluenceObject(const MDagPath& path, MStatus* ReturnStatus = nullptr) const;
    unsigned int influenceObjects(MDagPathArray& paths, MStatus* ReturnStatus = nullptr) const;
};
