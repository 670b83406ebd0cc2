#pragma once

#include <maya/MFloatArray.h>
#include <maya/MFloatPointArray.h>
#include <maya/MFloatVectorArray.h>
#include <maya/MFnDagNode.h>
#include <maya/MIntArray.h>
#include <maya/MPointArray.h>
#include <maya/MStringArray.h>
#include <maya/MUintArray.h>

class MDGModifier;
class MSelectionList;

/// The mesh of a shape, or mesh data on its way between nodes.
class MFnMesh : public MFnDagNode {
    STANDIN_DAG_FUNCTION_SET(MFnMesh, MFn::kMesh)
    MObject create(int numVertices, int numPolygons, const MFloatPointArray& vertexArray,
                   const MIntArray& polygonCounts, const MIntArray& polygonConnects,
                   MObject parentOrOwner = MObject::kNullObj, MStatus* ReturnStatus = nullptr);
    MObject create(int numVertices, int numPolygons, const MPointArray& vertexArray, const MIntArray& polygonCounts,
                   const MIntArray& polygonConnects, MObject parentOrOwner = MObject::kNullObj,
                   MStatus* ReturnStatus = nullptr);
    MObject copy(const MObject& source, MObject parentOrOwner = MObject::kNullObj, MStatus* ReturnStatus = nullptr);
    MStatus createInPlace(int numVertices, int numPolygons, const MFloatPointArray& vertexArray,
                          const MIntArray& polygonCounts, const MIntArray& polygonConnects);
    MStatus copyInPlace(const MObject& source);
    int numVertices(MStatus* ReturnStatus = nullptr) const;
    int numPolygons(MStatus* ReturnStatus = nullptr) const;
    int numFaceVertices(MStatus* ReturnStatus = nullptr) const;
    int polygonVertexCount(int polygonId, MStatus* ReturnStatus = nullptr) const;
    int numUVs(MStatus* ReturnStatus = nullptr) const;
    int numUVs(const MString& uvSet, MStatus* ReturnStatus = nullptr) const;
    MStatus updateSurface();
    const float* getRawPoints(MStatus*) const;
    MStatus getPoints(MFloatPointArray& vertexArray, MSpace::Space space = MSpace::kObject) const;
    MStatus getPoints(MPointArray& vertexArray, MSpace::Space space = MSpace::kObject) const;
    MStatus setPoints(MFloatPointArray& vertexArray, MSpace::Space space = MSpace::kObject);
    MStatus setPoints(MPointArray& vertexArray, MSpace::Space space = MSpace::kObject);
    MStatus getVertices(MIntArray& vertexCount, MIntArray& vertexList) const;
    MStatus getPolygonVertices(int polygonId, MIntArray& vertexList) const;
    MStatus setPoint(int vertexId, const MPoint& pos, MSpace::Space space = MSpace::kObject);
    MStatus getPoint(int vertexId, MPoint& pos, MSpace::Space space = MSpace::kObject) const;
    MStatus getTriangles(MIntArray& triangleCounts, MIntArray& triangleVertices) const;
    MStatus getVertexNormals(bool angleWeighted, MFloatVectorArray& normals,
                             MSpace::Space space = MSpace::kObject) const;

    int numUVSets(MStatus* ReturnStatus = nullptr) const;
    MString createUVSetWithName(const MString& uvSetName, MDGModifier* modifier = nullptr,
                                MStatus* ReturnStatus = nullptr, const MUintArray* instances = nullptr);
    MString createUVSetDataMeshWithName(const MString& uvSetName, MStatus* ReturnStatus = nullptr);
    MStatus createUVSet(MString& uvSetName, MDGModifier* modifier = nullptr, const MUintArray* instances = nullptr);
    MStatus createUVSetDataMesh(MString& uvSetName);
    MString copyUVSetWithName(const MString& fromName, const MString& toName, MDGModifier* modifier = nullptr,
                              MStatus* ReturnStatus = nullptr);
    MStatus copyUVSet(const MString& fromName, MString& toName, MDGModifier* modifier = nullptr);
    MStatus deleteUVSet(const MString& setName, MDGModifier* modifier = nullptr,
                        MSelectionList* currentSelection = nullptr);
    MStatus setCurrentUVSetName(const MString& setName, MDGModifier* modifier = nullptr,
                                MSelectionList* currentSelection = nullptr);
    MString currentUVSetName(MStatus* ReturnStatus = nullptr, int instance = -1) const;
    MStatus getCurrentUVSetName(MString& setName, int instance = -1) const;
    MStatus getUVSetNames(MStringArray& setNames) const;
    MStatus setUVs(const MFloatArray& uArray, const MFloatArray& vArray, const MString* uvSet = nullptr);
    MStatus getUVs(MFloatArray& uArray, MFloatArray& vArray, const MString* uvSet = nullptr) const;
    MStatus setUV(int uvId, float u, float v, const MString* uvSet = nullptr);
    MStatus getUV(int uvId, float& u, float& v, const MString* uvSet = nullptr) const;
    MStatus getPolygonUVid(int polygonId, int vertexIndex, int& uvId, const MString* uvSet = nullptr) const;
    MStatus assignUV(int polygonId, int vertexIndex, int uvId, const MString* uvSet = nullptr);
    MStatus assignUVs(const MIntArray& uvCounts, const MIntArray& uvIds, const MString* uvSet = nullptr);
    MStatus clearUVs(const MString* uvSet = nullptr);
    MStatus getAssignedUVs(MIntArray& uvCounts, MIntArray& uvIds, const MString* uvSet = nullptr) const;

private:
    standin::MeshData* mesh() const;
};
