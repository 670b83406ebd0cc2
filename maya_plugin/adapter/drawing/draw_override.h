// How Viewport 2 draws a view: what is to be drawn is made before, on Maya's main thread; drawing only hands it on.
#pragma once

#include "adapter/drawing/view_node.h"

#include <maya/MPxDrawOverride.h>

namespace sinew::maya {

class ViewOverride final : public MHWRender::MPxDrawOverride {
public:
    static MHWRender::MPxDrawOverride* create(const MObject& object);

    MHWRender::DrawAPI supportedDrawAPIs() const override;
    bool hasUIDrawables() const override { return true; }
    bool isBounded(const MDagPath& path, const MDagPath& camera) const override;
    MBoundingBox boundingBox(const MDagPath& path, const MDagPath& camera) const override;
    MUserData* prepareForDraw(const MDagPath& path, const MDagPath& camera, const MHWRender::MFrameContext& frame,
                              MUserData* old_data) override;
    void addUIDrawables(const MDagPath& path, MHWRender::MUIDrawManager& manager, const MHWRender::MFrameContext& frame,
                        const MUserData* data) override;

private:
    explicit ViewOverride(const MObject& object);
};

} // namespace sinew::maya
