#pragma once

#include <maya/MDataBlock.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>

class MEvaluationNodeIterator;
namespace standin {
struct EvalNode;
}

/// A node in the evaluation graph: which of its plugs will be dirty in each frame.
class MEvaluationNode {
public:
    MEvaluationNodeIterator iterator(MStatus* ReturnStatus = nullptr) const;
    int parentCount() const;
    MEvaluationNode parent(int index) const;
    int childCount() const;
    MEvaluationNode child(int index) const;
    bool dirtyPlugExists(const MObject& attribute, MStatus* ReturnStatus = nullptr) const;
    MPlug dirtyPlug(const MObject& attribute, MStatus* ReturnStatus = nullptr) const;
    MObject dependencyNode(MStatus* ReturnStatus = nullptr) const;
    MDataBlock datablock(MStatus* ReturnStatus = nullptr) const;

    /// The stand-in's own.
    explicit MEvaluationNode(const standin::EvalNode* node) : node_(node) {}
    const standin::EvalNode* standin_eval_node() const { return node_; }

private:
    const standin::EvalNode* node_;
};
