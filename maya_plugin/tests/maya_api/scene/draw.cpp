// Draw overrides, and what they draw.

#include "world.h"

#include <maya/MDrawRegistry.h>
#include <maya/MBoundingBox.h>
#include <maya/MPxDrawOverride.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>

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

/// The nodes that were marked since they were drawn, which evaluation may do on any thread.
std::mutex dirty_mutex;
std::set<std::uint64_t> dirty_nodes;

/// What is kept of a node between drawings.
struct Kept {
    std::unique_ptr<MPxDrawOverride> draws;
    std::unique_ptr<MUserData> data;
    std::vector<MUIDrawManager::Drawn> drawn;
    bool prepared = false;
};
std::map<std::uint64_t, Kept>& kept() {
    static std::map<std::uint64_t, Kept> all;
    return all;
}
} // namespace

MStatus MDrawRegistry::registerDrawOverrideCreator(const MString& classification, const MString&,
                                                   DrawOverrideCreator creator) {
    return creators().emplace(classification.asUTF8(), creator).second ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MDrawRegistry::deregisterDrawOverrideCreator(const MString& classification, const MString&) {
    // Overrides are of the module that is about to go.
    kept().clear();
    return creators().erase(classification.asUTF8()) ? MStatus::kSuccess : MStatus::kFailure;
}

MFrameContext::~MFrameContext() = default;
unsigned int MFrameContext::getDisplayStyle() const { return kGouraudShaded; }
void MRenderer::setGeometryDrawDirty(MObject object, bool) {
    const std::lock_guard<std::mutex> lock(dirty_mutex);
    if (const Node* node = node_of(object)) dirty_nodes.insert(node->id);
}

MPxDrawOverride::MPxDrawOverride(const MObject&, GeometryDrawOverrideCb, bool always) : standin_always_dirty(always) {}
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
MStatus MUIDrawManager::lineList(const MPointArray& points, bool flat) {
    return record(Drawn{kLines, points, {}, {}, {}, {}, flat}), MStatus();
}
MStatus MUIDrawManager::lineStrip(const MPointArray& points, bool flat) {
    return record(Drawn{kLineStrip, points, {}, {}, {}, {}, flat}), MStatus();
}
void MUIDrawManager::point(const MPoint& at) { points(MPointArray(&at, 1), false); }
MStatus MUIDrawManager::points(const MPointArray& at, bool flat) {
    return record(Drawn{kPoints, at, {}, {}, {}, {}, flat}), MStatus();
}
void MUIDrawManager::sphere(const MPoint& center, double, bool) {
    record(Drawn{kPoints, MPointArray(&center, 1), {}, {}, {}, {}, false});
}
void MUIDrawManager::mesh(Primitive mode, const MPointArray& position, const MVectorArray*, const MColorArray* color,
                          const MUintArray* index, const MPointArray*) {
    record(Drawn{mode, position, color ? *color : MColorArray(), index ? *index : MUintArray(), {}, {}, false});
}
void MUIDrawManager::mesh2d(Primitive mode, const MPointArray& position, const MColorArray* color,
                            const MUintArray* index, const MPointArray*) {
    record(Drawn{mode, position, color ? *color : MColorArray(), index ? *index : MUintArray(), {}, {}, true});
}
void MUIDrawManager::mesh(Primitive mode, const MFloatPointArray& position, const MFloatVectorArray*,
                          const MColorArray* color, const MUintArray* index, const MFloatPointArray*) {
    MPointArray points;
    for (const MFloatPoint& each : position) points.append(MPoint(each));
    mesh(mode, points, nullptr, color, index);
}
void MUIDrawManager::text(const MPoint& at, const MString& words, TextAlignment, const int*, const MColor*, bool) {
    record(Drawn{kPoints, MPointArray(&at, 1), {}, {}, {}, words, false});
}
void MUIDrawManager::text2d(const MPoint& at, const MString& words, TextAlignment, const int*, const MColor*, bool) {
    record(Drawn{kPoints, MPointArray(&at, 1), {}, {}, {}, words, true});
}

} // namespace MHWRender

namespace standin {

namespace {

/// Maya culls by the box, so that what is outside is drawn or not as the camera happens to stand: "If the bounding
/// box is incorrect the node may be culled at the wrong time" (MPxDrawOverride).
void check_box(const Node& node, const MHWRender::MPxDrawOverride& draws, const MDagPath& path,
               const std::vector<MHWRender::MUIDrawManager::Drawn>& drawn) {
    if (!draws.isBounded(path, MDagPath())) return;
    const MBoundingBox box = draws.boundingBox(path, MDagPath());
    // Toys of tests that say nothing about their size.
    if (box.width() == 0 && box.height() == 0 && box.depth() == 0) return;
    const double slack = 1e-6 * (box.width() + box.height() + box.depth());
    for (const auto& each : drawn) {
        for (unsigned int i = 0; !each.flat && i < each.points.length(); ++i) {
            for (unsigned int k = 0; k < 3; ++k) {
                const double place = each.points[i][k];
                if (place >= box.min()[k] - slack && place <= box.max()[k] + slack) continue;
                return fault("The override of " + node.name + " drew outside of its bounding box.");
            }
        }
    }
}

/// An override that is not always dirty is prepared when its node was marked by setGeometryDrawDirty; otherwise what it
/// drew last is shown again (the constructor of MPxDrawOverride). Maya also marks nodes by itself where their attributes
/// become dirty; here nobody does, so that a plug-in that leaves it to Maya is seen.
bool must_prepare(std::uint64_t id, const MHWRender::Kept& kept) {
    const std::lock_guard<std::mutex> lock(MHWRender::dirty_mutex);
    return MHWRender::dirty_nodes.erase(id) > 0 || !kept.prepared || kept.draws->standin_always_dirty;
}

void prepare(const Node& node, MHWRender::Kept& kept, const MDagPath& path) {
    const MHWRender::MFrameContext frame;
    MUserData* data = kept.draws->prepareForDraw(path, MDagPath(), frame, kept.data.get());
    if (data != kept.data.get()) kept.data.reset(data);
    MHWRender::MUIDrawManager manager;
    if (kept.draws->hasUIDrawables()) kept.draws->addUIDrawables(path, manager, frame, data);
    if (manager.standin_faults > 0)
        fault("The override of " + node.name + " drew outside of beginDrawable and endDrawable.");
    kept.drawn = manager.standin_drawn;
    kept.prepared = true;
}

} // namespace

/// prepareForDraw, which may read plugs, and then addUIDrawables with what it gave, for each node with an override.
std::vector<Drawing> draw_all() {
    std::vector<Drawing> drawings;
    std::map<std::uint64_t, MHWRender::Kept> still_there;
    for (const auto& node : std::vector<std::shared_ptr<Node>>(world().nodes)) {
        const auto creator = MHWRender::creators().find(node->kind->classification);
        if (node->kind->classification.empty() || creator == MHWRender::creators().end()) continue;
        MHWRender::Kept& kept = still_there[node->id] = std::move(MHWRender::kept()[node->id]);
        if (!kept.draws) kept.draws.reset(creator->second(object_of(*node)));
        MDagPath path;
        MDagPath::getAPathTo(object_of(*node), path);
        if (must_prepare(node->id, kept)) prepare(*node, kept, path);
        check_box(*node, *kept.draws, path, kept.drawn);
        drawings.push_back(Drawing{node->name, kept.drawn});
    }
    MHWRender::kept() = std::move(still_there);
    return drawings;
}

} // namespace standin
