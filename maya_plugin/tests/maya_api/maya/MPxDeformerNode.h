#pragma once

#include <maya/MPxGeometryFilter.h>

/// A deformer with a weight for each vertex.
class MPxDeformerNode : public MPxGeometryFilter {
public:
    MPxDeformerNode() = default;
    Type type() const override;
    float weightValue(MDataBlock& mblock, unsigned int multiIndex, unsigned int wtIndex);
    const float* envelopeWeights(MDataBlock& mblock, unsigned int multiIndex, unsigned int* numWeights = nullptr);
    MStatus setDeformationDetails(unsigned int flags);
    unsigned int getDeformationDetails(MStatus* ReturnStatus = nullptr);
    void setUseExistingConnectionWhenSetEditing(bool state);
    const MIndexMapper& indexMapper(unsigned int multiIndex, MStatus* ReturnStatus = nullptr) const override;
    static MObject weightList;
    static MObject weights;
    static const char* className() { return "MPxDeformerNode"; }

private:
    std::vector<float> envelope_weights_;
};
