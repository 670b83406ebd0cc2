#pragma once

#include <maya/MDataHandle.h>
#include <maya/MPointArray.h>
#include <vector>

class MDagPath;

/// The points of a geometry that a deformer is to move, one after another or all at once.
class MItGeometry {
public:
    MItGeometry() = default;
    MItGeometry(const MDagPath& dagPath, MStatus* ReturnStatus = nullptr);
    MItGeometry(MDataHandle& dataHandle, unsigned int groupId, bool readOnly = true, MStatus* ReturnStatus = nullptr);
    MItGeometry(MDataHandle& dataHandle, bool readOnly = true, MStatus* ReturnStatus = nullptr);
    bool isDone(MStatus* ReturnStatus = nullptr) const;
    MStatus next();
    MPoint position(MSpace::Space space = MSpace::kObject, MStatus* ReturnStatus = nullptr) const;
    MStatus setPosition(const MPoint& point, MSpace::Space space = MSpace::kObject);
    int index(MStatus* ReturnStatus = nullptr) const;
    int positionIndex(MStatus* ReturnStatus = nullptr) const;
    int count(MStatus* ReturnStatus = nullptr) const;
    int exactCount(MStatus* ReturnStatus = nullptr);
    MStatus reset();
    MStatus allPositions(MPointArray& points, MSpace::Space space = MSpace::kObject) const;
    MStatus setAllPositions(const MPointArray& points, MSpace::Space space = MSpace::kObject);
    static const char* className() { return "MItGeometry"; }

    /// The stand-in's own: some vertices of a mesh that may be written.
    MItGeometry(std::shared_ptr<standin::MeshData> mesh, std::vector<unsigned int> vertices, bool read_only);

private:
    std::shared_ptr<standin::MeshData> mesh_;
    std::vector<unsigned int> vertices_;
    std::size_t at_ = 0;
    bool read_only_ = true;
};
