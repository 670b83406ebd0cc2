// Nodes that move the vertices of a body.
#pragma once

#include "adapter/hosted.h"

#include <maya/MItGeometry.h>
#include <maya/MMessage.h>
#include <maya/MPxDeformerNode.h>

namespace sinew::maya {

class DeformNode final : public Hosted<MPxDeformerNode> {
public:
    using Hosted::Hosted;
    ~DeformNode() override;

    /// From here on the node hears that it is about to be deleted.
    void postConstructor() override;
    MStatus compute(const MPlug& plug, MDataBlock& data) override;
    MStatus deform(MDataBlock& data, MItGeometry& vertices, const MMatrix& to_world, unsigned geometry) override;

private:
    void read_body(MDataBlock& data, bool pull, Body& body) const override;
    host::Answer answer_for(MDataBlock& data, const Body& body, std::vector<double>& moved);
    std::vector<float> shares(MDataBlock& data, unsigned geometry, unsigned vertices);
    void move(MDataBlock& data, MItGeometry& vertices, const Body& body, const std::vector<double>& moved);

    MCallbackId about_to_delete_ = 0;
};

} // namespace sinew::maya
