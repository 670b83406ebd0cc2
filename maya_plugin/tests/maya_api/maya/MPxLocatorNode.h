#pragma once

#include <maya/MBoundingBox.h>
#include <maya/MPxNode.h>

/// A shape that draws itself.
class MPxLocatorNode : public MPxNode {
public:
    Type type() const override;
    virtual bool isBounded() const;
    virtual MBoundingBox boundingBox() const;
    virtual bool excludeAsLocator() const;
};
