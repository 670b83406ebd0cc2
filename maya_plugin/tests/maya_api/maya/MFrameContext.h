#pragma once

#include <maya/MMatrix.h>

namespace MHWRender {
/// The viewport that is drawn in.
class MFrameContext {
public:
    virtual ~MFrameContext();
    enum DisplayStyle { kGouraudShaded = 0x1, kWireFrame = 0x2, kBoundingBox = 0x4, kTextured = 0x8 };
    unsigned int getDisplayStyle() const;
};
} // namespace MHWRender
