#pragma once

#include <maya/MDagModifier.h>
#include <maya/MIndexMapper.h>
#include <maya/MPxNode.h>

class MItGeometry;
class MSelectionList;

/// The base of deformers.
class MPxGeometryFilter : public MPxNode {
public:
    enum DeformationDetails {
        kDeformsUVs = (1 << 1),
        kDeformsColors = (1 << 2),
        kDeformsAll = (kDeformsUVs | kDeformsColors)
    };
    MPxGeometryFilter() = default;
    Type type() const override;
    virtual MStatus deform(MDataBlock& block, MItGeometry& iter, const MMatrix& mat, unsigned int multiIndex);
    virtual MObject& accessoryAttribute() const;
    virtual MStatus accessoryNodeSetup(MDagModifier& cmd);
    void setUseExistingConnectionWhenSetEditing(bool state);
    MStatus setDeformationDetails(unsigned int flags);
    unsigned int getDeformationDetails(MStatus* ReturnStatus = nullptr);
    virtual void setModifiedCallback(MSelectionList& list, bool listAdded);
    virtual const MIndexMapper& indexMapper(unsigned int multiIndex, MStatus* ReturnStatus = nullptr) const;
    MObject thisMObject() const override;
    static MObject input;
    static MObject inputGeom;
    static MObject groupId;
    static MObject componentTagExpression;
    static MObject outputGeom;
    static MObject envelope;
    static const char* className() { return "MPxGeometryFilter"; }

private:
    unsigned int details_ = 0;
};
