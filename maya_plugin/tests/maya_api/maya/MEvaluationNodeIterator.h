#pragma once

#include <maya/MEvaluationNode.h>

class MEvaluationNodeIterator {
public:
    MEvaluationNodeIterator(const MEvaluationNode& node, MStatus* ReturnStatus = nullptr);
    MPlug plug();
    bool isDone() const;
    void next();
    void reset();

private:
    const standin::EvalNode* node_;
    std::size_t at_ = 0;
};
