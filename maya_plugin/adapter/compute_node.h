// Nodes that are no deformers: those that give the body back with other UVs, and those that give numbers.
#pragma once

#include "adapter/hosted.h"

namespace sinew::maya {

class ComputeNode final : public Hosted<MPxNode> {
public:
    using Hosted::Hosted;

    MStatus compute(const MPlug& plug, MDataBlock& data) override;
    /// The body goes through: who deletes the node connects what gave it with what took it, and who looks for other
    /// nodes in a mesh's history goes on beyond (MPxNode::passThroughToOne).
    MPlug passThroughToOne(const MPlug& plug) const override;

private:
    void read_body(MDataBlock& data, bool pull, Body& body) const override;
    MDataHandle out_mesh(MDataBlock& data) const;
    void pass_body(MDataBlock& data) const;
    bool slide_body(MDataBlock& data, const Body& body, const host::Answer& answer) const;
};

} // namespace sinew::maya
