// Draw overrides, and what they draw.

#include "world.h"

#include <maya/MDrawRegistry.h>
#include <maya/MPxDrawOverride.h>

MUserData::~MUserData() = default;

namespace MHWRender {

using namespace standin;

namespace {
typedef std::map<std::string, MDrawRegistry::DrawOverrideCreator> Creators;
/// By classification; they belong to the process, as the modules do.
Creators& creators() {
    static Creators all;
    return all;
}
} // namespace

MStatus MDrawRegistry::registerDrawOverrideCreator(const MString& classification, const MString&, DrawOverrideCreator creator) {
    return creators().emplace(classification.asChar(), creator).second ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MDrawRegistry::deregisterDrawOverrideCreator(const MString& classification, const MString&) {
    return creators().erase(classification.asChar()) ? MStatus::kSuccess : MStatus::kFailure;
}

MFrameContext::~MFrameContext() = default;
unsigned int MFrameContext::getDisplayStyle() const { return kGouraudShaded; }
void MRenderer::setGeometryDrawDirty(MObject, bool) {}

MPxDrawOverride::MPxDrawOverride(const MObject&, GeometryDrawOverrideCb, bool) {}
MPxDrawOverride::~MPxDrawOverride() = default;
DrawAPI MPxDrawOverride::supportedDrawAPIs() const { return kOpenGL; }
bool MPxDrawOverride::hasUIDrawables() const { return false; }
MMatrix MPxDrawOverride::transform(const MDagPath& path, const MDagPath&) const { return path.inclusiveMatrix(); }
MBoundingBox MPxDrawOverride::boundingBox(const MDagPath&, const MDagPath&) const { return MBoundingBox(); }
bool MPxDrawOverride::isBounded(const MDagPath&, const MDagPath&) const { return true; }
bool MPxDrawOverride::isTransparent() const { return false; }
void MPxDrawOverride::addUIDrawables(const MDagPath&, MUIDrawManager&, const MFrameContext&, const MUserData*) {}

/// Everything is drawn between beginDrawable and endDrawable, which resets color and width (MUIDrawManager).
void MUIDrawManager::record(Drawn drawn) {
    if (!open_) ++standin_faults;
    drawn.color = color_;
    standin_drawn.push_back(std::move(drawn));
}
void MUIDrawManager::beginDrawable(Selectability, unsigned int) {
    if (open_) ++standin_faults;
    open_ = true;
}
void MUIDrawManager::endDrawable() {
    if (!open_) ++standin_faults;
    open_ = false;
    color_ = MColor();
}
void MUIDrawManager::setColor(const MColor& color) { color_ = color; }
void MUIDrawManager::setPointSize(float) {}
void MUIDrawManager::setLineWidth(float) {}
void MUIDrawManager::setLineStyle(LineStyle) {}
void MUIDrawManager::setPaintStyle(PaintStyle) {}
void MUIDrawManager::setDepthPriority(unsigned int) {}
void MUIDrawManager::line(const MPoint& from, const MPoint& to) {
    const MPoint ends[] = {from, to};
    lineList(MPointArray(ends, 2), false);
}
MStatus MUIDrawManager::lineList(const MPointArray& points, bool) { return record(Drawn{kLines, points, {}, {}, {}, {}}), MStatus(); }
MStatus MUIDrawManager::lineStrip(const MPointArray& points, bool) { return record(Drawn{kLineStrip, points, {}, {}, {}, {}}), MStatus(); }
void MUIDrawManager::point(const MPoint& at) { points(MPointArray(&at, 1), false); }
MStatus MUIDrawManager::points(const MPointArray& at, bool) { return record(Drawn{kPoints, at, {}, {}, {}, {}}), MStatus(); }
void MUIDrawManager::sphere(const MPoint& center, double, bool) { record(Drawn{kPoints, MPointArray(&center, 1), {}, {}, {}, {}}); }
void MUIDrawManager::mesh(Primitive mode, const MPointArray& position, const MVectorArray*, const MColorArray* color,
                          const MUintArray* index, const MPointArray*) {
    record(Drawn{mode, position, color ? *color : MColorArray(), index ? *index : MUintArray(), {}, {}});
}
void MUIDrawManager::mesh(Primitive mode, const MFloatPointArray& position, const MFloatVectorArray*, const MColorArray* color,
                          const MUintArray* index, const MFloatPointArray*) {
    MPointArray points;
    for (const MFloatPoint& each : position) points.append(MPoint(each));
    mesh(mode, points, nullptr, color, index);
}
void MUIDrawManager::text(const MPoint& at, const MString& words, TextAlignment, const int*, const MColor*, bool) {
    record(Drawn{kPoints, MPointArray(&at, 1), {}, {}, {}, words});
}

} // namespace MHWRender

namespace standin {

/// prepareForDraw, which may read plugs, and then addUIDrawables with what it gave, for each node with an override.
std::vector<Drawing> draw_all() {
    std::vector<Drawing> drawings;
    for (const auto& node : std::vector<std::shared_ptr<Node>>(world().nodes)) {
        const auto creator = MHWRender::creators().find(node->kind->classification);
        if (node->kind->classification.empty() || creator == MHWRender::creators().end()) continue;
        const std::unique_ptr<MHWRender::MPxDrawOverride> override_(creator->second(object_of(*node)));
        MDagPath path;
        MDagPath::getAPathTo(object_of(*node), path);
        const MHWRender::MFrameContext frame;
        const std::unique_ptr<MUserData> data(override_->prepareForDraw(path, MDagPath(), frame, nullptr));
        MHWRender::MUIDrawManager manager;
        if (override_->hasUIDrawables()) override_->addUIDrawables(path, manager, frame, data.get());
        if (manager.standin_faults > 0) fault("The override of " + node->name + " drew outside of beginDrawable and endDrawable.");
        drawings.push_back(Drawing{node->name, manager.standin_drawn});
    }
    return drawings;
}

} // namespace standin
