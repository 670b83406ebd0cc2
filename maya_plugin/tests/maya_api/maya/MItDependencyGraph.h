#pragma once

#include <maya/MObjectArray.h>
#include <maya/MPlug.h>

class MItDependencyGraph {
public:
    enum Direction { kDownstream, kUpstream };
    enum Traversal { kDepthFirst, kBreadthFirst };
    enum Level { kNodeLevel, kPlugLevel };
    MItDependencyGraph(MObject& rootNode, MFn::Type filter = MFn::kInvalid, Direction direction = kDownstream,
                       Traversal traversal = kDepthFirst, Level level = kNodeLevel, MStatus* ReturnStatus = nullptr);
    MItDependencyGraph(MPlug& rootPlug, MFn::Type filter = MFn::kInvalid, Direction direction = kDownstream,
                       Traversal traversal = kDepthFirst, Level level = kPlugLevel, MStatus* ReturnStatus = nullptr);
    MStatus next();
    bool isDone(MStatus* ReturnStatus = nullptr);
    MObject currentItem(MStatus* ReturnStatus = nullptr);
    MPlug thisPlug(MStatus* ReturnStatus = nullptr);

private:
    struct Found {
        MObject node;
        MPlug plug;
    };
    void walk(const MPlug& plug, Direction direction, Traversal traversal, MFn::Type filter);
    void walk(const MObject& node, Direction direction, Traversal traversal, Level level, MFn::Type filter);
    std::vector<Found> found_;
    std::size_t at_ = 0;
};
