#include "adapter/drawing/view_node.h"

#include "adapter/guard.h"
#include "adapter/meshes.h"
#include "adapter/text.h"
#include "adapter/type_ids.h"

#include <maya/MDGContext.h>
#include <maya/MEvaluationNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMessageAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnStringData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MViewport2Renderer.h>

#include <algorithm>
#include <set>

namespace sinew::maya {
namespace {

/// Sets up an attribute that users see, with the title that they see.
MObject add(const MObject& object, const MStatus& status, const char* name, const char* title) {
    ensure(status, std::string("make the attribute ") + name);
    MFnAttribute made(object);
    made.setNiceNameOverride(title);
    made.setAffectsAppearance(true);
    // Only numbers are shown there.
    if (object.hasFn(MFn::kNumericAttribute)) made.setChannelBox(true);
    ensure(MPxNode::addAttribute(object), std::string("add the attribute ") + name);
    return object;
}

MObject add_number(const char* name, const char* title, MFnNumericData::Type type, double value) {
    MFnNumericAttribute number;
    MStatus status;
    const MObject made = number.create(name, name, type, value, &status);
    return add(made, status, name, title);
}

MObject at_least(const MObject& object, double least) {
    MFnNumericAttribute(object).setMin(least);
    return object;
}

MObject add_text(const char* name, const char* title) {
    MFnTypedAttribute typed;
    MStatus status;
    const MObject made = typed.create(name, name, MFnData::kString, MFnStringData().create(), &status);
    return add(made, status, name, title);
}

host::DrawOptions options_of(MDataBlock& data) {
    const ViewNode::Attributes& at = ViewNode::attributes();
    host::DrawOptions options;
    if (!input(data, at.auto_range, "auto_range").asBool()) {
        const double low = input(data, at.low, "range_low").asDouble();
        options.range = host::Range{low, input(data, at.high, "range_high").asDouble()};
    }
    options.component = static_cast<std::uint32_t>(std::max(input(data, at.component, "component").asInt(), 0));
    options.line_width = input(data, at.line_width, "line_width").asDouble();
    options.point_size = input(data, at.point_size, "point_size").asDouble();
    options.vector_scale = input(data, at.vector_scale, "vector_scale").asDouble();
    options.wireframe = input(data, at.wireframe, "wireframe").asBool();
    return options;
}

/// Everything that a node can show, for users who have mistyped.
std::string list_of(const std::vector<host::Drawable>& all) {
    std::string list;
    for (const host::Drawable& one : all) list += (list.empty() ? "" : ", ") + one.name;
    return list;
}

void draw_node(const Kind& kind, const MObject& view, MDataBlock& data, host::Picture& picture) {
    const ViewNode::Attributes& at = ViewNode::attributes();
    const std::vector<host::Drawable> all = host::drawables(kind.plan);
    if (all.empty()) {
        picture.problems.push_back(kind.plan.title + " has nothing that can be drawn.");
        return;
    }
    std::vector<std::string> unknown;
    const std::string names = utf8(input(data, at.show, "show").asString());
    const std::vector<host::Drawable> chosen = host::choose(all, names, unknown);
    host::Outputs outputs;
    std::vector<host::Drawable> drawn;
    std::set<const Held*> read;
    std::vector<std::string> problems;
    for (const host::Drawable& one : chosen) {
        const std::vector<const Held*> feeds = needed(kind, one);
        const bool connected = std::all_of(feeds.begin(), feeds.end(), [&](const Held* held) {
            return feed_of(at.feeds, view, *held).isDestination();
        });
        if (!connected) {
            problems.push_back(one.title + " is not connected to this view: choose what it shows with sinewShow.");
            continue;
        }
        for (const Held* held : feeds)
            if (read.insert(held).second) read_feed(at.feeds, kind, *held, data, outputs);
        drawn.push_back(one);
    }
    Values memory;
    host::MeshView body;
    if (std::any_of(drawn.begin(), drawn.end(), [](const host::Drawable& one) { return one.needs_body(); })) {
        const MObject mesh = input(data, at.body, "in_body").asMesh();
        const MMatrix to_world = !mesh.isNull() && kind.in_world() ? matrix_of(mesh) : MMatrix::identity;
        if (!mesh.isNull()) body = copy_mesh(memory, mesh, MString(), to_world);
    }
    picture = host::draw(drawn, outputs, &body, options_of(data));
    picture.problems.insert(picture.problems.end(), problems.begin(), problems.end());
    // Why there is nothing, such as frames that have to be computed first.
    const std::string status = utf8(input(data, at.status, "in_status").asString());
    if (!status.empty()) picture.problems.push_back(status);
    for (const std::string& name : unknown)
        picture.problems.push_back("Nothing called " + name + " can be drawn. What can: " + list_of(all) + ".");
}

} // namespace

ViewNode::Attributes& ViewNode::attributes() {
    static Attributes only;
    return only;
}

MObject ViewNode::shown_node(const MObject& view) {
    const MPlug source = MPlug(view, attributes().node).source();
    return source.isNull() ? MObject::kNullObj : source.node();
}

MTypeId ViewNode::id() { return {block + view_number}; }

std::vector<MObject> ViewNode::Attributes::all() const {
    std::vector<MObject> found{node,       show,         component, auto_range, low,    high,     line_width,
                               point_size, vector_scale, wireframe, xray,       legend, legend_x, legend_y,
                               body,       status};
    for (const MObject& feed : feeds.all()) found.push_back(feed);
    return found;
}

MStatus ViewNode::make_attributes() {
    return guarded(MStatus(MS::kFailure), "registering", [] { return std::string(type_name); }, [] {
        Attributes& at = attributes();
        MStatus status;
        MFnMessageAttribute message;
        at.node = message.create("node", "node", &status);
        at.node = add(at.node, status, "node", "Node");
        at.show = add_text("show", "Outputs");
        at.component = at_least(add_number("component", "Number of Each Item", MFnNumericData::kInt, 0), 0);
        at.auto_range = add_number("auto_range", "Automatic Range", MFnNumericData::kBoolean, 1);
        at.low = add_number("range_low", "From", MFnNumericData::kDouble, 0);
        at.high = add_number("range_high", "To", MFnNumericData::kDouble, 1);
        at.line_width = at_least(add_number("line_width", "Line Width", MFnNumericData::kDouble, 2), 1);
        at.point_size = at_least(add_number("point_size", "Point Size", MFnNumericData::kDouble, 5), 1);
        at.vector_scale = add_number("vector_scale", "Vector Scale", MFnNumericData::kDouble, 1);
        at.wireframe = add_number("wireframe", "Wireframe", MFnNumericData::kBoolean, 0);
        at.xray = add_number("xray", "X-Ray", MFnNumericData::kBoolean, 0);
        at.legend = add_number("legend", "Legend", MFnNumericData::kBoolean, 1);
        at.legend_x = add_number("legend_x", "Legend From the Left", MFnNumericData::kInt, 30);
        at.legend_y = add_number("legend_y", "Legend From Below", MFnNumericData::kInt, 90);
        MFnTypedAttribute typed;
        at.body = typed.create("in_body", "in_body", MFnData::kMesh, MObject::kNullObj, &status);
        typed.setStorable(false);
        typed.setHidden(true);
        at.body = add(at.body, status, "in_body", "Body");
        at.status = typed.create("in_status", "in_status", MFnData::kString, MFnStringData().create(), &status);
        typed.setStorable(false);
        typed.setHidden(true);
        at.status = add(at.status, status, "in_status", "Status");
        make_feeds(at.feeds);
        return MStatus(MS::kSuccess);
    });
}

Shown ViewNode::make() const {
    const Attributes& at = attributes();
    Shown made;
    // Reads inputs only; the function of the base class is not const.
    MDataBlock data = const_cast<ViewNode*>(this)->forceCache();
    made.xray = input(data, at.xray, "xray").asBool();
    made.legend = input(data, at.legend, "legend").asBool();
    made.legend_x = input(data, at.legend_x, "legend_x").asInt();
    made.legend_y = input(data, at.legend_y, "legend_y").asInt();
    const MObject node = shown_node(thisMObject());
    if (node.isNull()) {
        made.picture.problems.push_back("No node is connected to this view: connect the message of one of Sinew's.");
        return made;
    }
    const MFnDependencyNode dependency(node);
    const Kind* kind = maya::state().find(utf8(dependency.typeName()));
    if (kind) draw_node(*kind, thisMObject(), data, made.picture);
    else made.picture.problems.push_back(utf8(dependency.name()) + " is no node of Sinew.");
    return made;
}

std::shared_ptr<const Shown> ViewNode::shown(bool anew) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint64_t version = version_;
    if (shown_ && !anew && made_of_ == version) return shown_;
    Shown failed;
    failed.picture.problems.emplace_back("The view could not be made: see the Script Editor.");
    auto made = std::make_shared<const Shown>(
        guarded(failed, "preparing to draw", [this] { return name_text(); }, [this] { return make(); }));
    // Each problem once, not in every frame.
    if (!shown_ || shown_->picture.problems != made->picture.problems)
        for (const std::string& problem : made->picture.problems) note(1, name_text(), problem);
    shown_ = std::move(made);
    made_of_ = version;
    return shown_;
}

MBoundingBox box_of(const host::Picture& picture) {
    const auto point = [](const host::Point3& from) { return MPoint(from.x, from.y, from.z); };
    return {point(picture.box.low), point(picture.box.high)};
}

/// What is written into the view has no place in the scene, and must not be culled with one.
bool ViewNode::isBounded() const {
    return guarded(false, "measuring", [this] { return name_text(); }, [this] {
        const host::Picture& picture = shown(false)->picture;
        return !picture.box.is_empty && picture.problems.empty();
    });
}

MBoundingBox ViewNode::boundingBox() const {
    return guarded(MBoundingBox(), "measuring", [this] { return name_text(); },
                   [this] { return box_of(shown(false)->picture); });
}

/// Tells the viewport to prepare the view again: its draw override is prepared only when it is dirty.
void ViewNode::changed() const {
    ++version_;
    MHWRender::MRenderer::setGeometryDrawDirty(thisMObject());
}

MStatus ViewNode::setDependentsDirty(const MPlug& plug, MPlugArray& affected) {
    return guarded(MStatus(MS::kFailure), "marking", [this] { return name_text(); }, [&] {
        const std::vector<MObject> all = attributes().all();
        if (std::find(all.begin(), all.end(), outermost(plug)) != all.end()) changed();
        return MPxLocatorNode::setDependentsDirty(plug, affected);
    });
}

// While the evaluation manager plays, nothing is marked as dirty one by one; the plugs that it is about to evaluate are
// listed (MPxNode::preEvaluation in the Maya C++ API reference; its example footPrintNode does the same).
MStatus ViewNode::preEvaluation(const MDGContext& context, const MEvaluationNode& node) {
    return guarded(MStatus(MS::kFailure), "preparing", [this] { return name_text(); }, [&] {
        if (!context.isNormal()) return MStatus(MS::kSuccess);
        for (const MObject& attribute : attributes().all()) {
            if (!node.dirtyPlugExists(attribute)) continue;
            changed();
            break;
        }
        return MStatus(MS::kSuccess);
    });
}

// Where values come out of Cached Playback, this is called without preEvaluation.
MStatus ViewNode::postEvaluation(const MDGContext& context, const MEvaluationNode&, PostEvaluationType) {
    return guarded(MStatus(MS::kFailure), "finishing", [this] { return name_text(); }, [&] {
        if (context.isNormal()) changed();
        return MStatus(MS::kSuccess);
    });
}

void ViewNode::getCacheSetup(const MEvaluationNode& node, MNodeCacheDisablingInfo& disabling,
                             MNodeCacheSetupInfo& setup, MObjectArray& monitored) const {
    guarded(0, "setting up the cache", [this] { return name_text(); }, [&] {
        MPxLocatorNode::getCacheSetup(node, disabling, setup, monitored);
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
        return 0;
    });
}

} // namespace sinew::maya
