#include "adapter/drawing/draw_override.h"

#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MColor.h>
#include <maya/MColorArray.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MPointArray.h>
#include <maya/MUIDrawManager.h>
#include <maya/MUintArray.h>
#include <maya/MVector.h>
#include <maya/MVectorArray.h>

namespace sinew::maya {
namespace {

using host::Colour;
using host::Point3;
using Manager = MHWRender::MUIDrawManager;

/// Primitives in Maya's arrays.
struct Batch {
    MPointArray points;
    MVectorArray normals;
    MColorArray colours;
    MUintArray vertices;
    float size = 1;
};

class ViewData : public MUserData {
public:
    std::shared_ptr<const Shown> shown;
    std::vector<Batch> triangles, lines, dots;
};

MColor colour_of(const Colour& from) { return {from.red, from.green, from.blue, from.opacity}; }

template <class Shape> Batch batch_of(const Shape& shape, double size) {
    Batch made;
    const auto count = static_cast<unsigned>(shape.points.size());
    made.points.setLength(count);
    made.colours.setLength(count);
    for (unsigned i = 0; i < count; ++i) {
        const Point3& point = shape.points[i];
        made.points.set(i, point.x, point.y, point.z);
        made.colours.set(colour_of(shape.colours[i]), i);
    }
    made.size = static_cast<float>(size);
    return made;
}

Batch batch_of(const host::Triangles& shape) {
    Batch made = batch_of(shape, 1);
    made.normals.setLength(made.points.length());
    for (unsigned i = 0; i < made.normals.length(); ++i) {
        const Point3& normal = shape.normals[i];
        made.normals.set(MVector(normal.x, normal.y, normal.z), i);
    }
    made.vertices = MUintArray(shape.vertices.data(), static_cast<unsigned>(shape.vertices.size()));
    return made;
}

void fill(ViewData& data) {
    const host::Picture& picture = data.shown->picture;
    data.triangles.clear();
    data.lines.clear();
    data.dots.clear();
    for (const host::Triangles& one : picture.triangles) data.triangles.push_back(batch_of(one));
    for (const host::Lines& one : picture.lines) data.lines.push_back(batch_of(one, one.width));
    for (const host::Dots& one : picture.dots) data.dots.push_back(batch_of(one, one.size));
}

void draw_scene(Manager& manager, const ViewData& data) {
    // Shaded with the lights of the view, so that shapes are seen as such.
    manager.setPaintStyle(Manager::kShaded);
    for (const Batch& one : data.triangles)
        manager.mesh(Manager::kTriangles, one.points, &one.normals, &one.colours, &one.vertices);
    manager.setPaintStyle(Manager::kFlat);
    for (const Batch& one : data.lines) {
        manager.setLineWidth(one.size);
        manager.mesh(Manager::kLines, one.points, nullptr, &one.colours);
    }
    for (const Batch& one : data.dots) {
        manager.setPointSize(one.size);
        manager.mesh(Manager::kPoints, one.points, nullptr, &one.colours);
    }
}

constexpr double bar_width = 16, bar_height = 160, beside = 6, between = 150, line_height = 18;

/// A bar of the scale: bands as narrow as steps of colour can be told apart, bottom up.
void draw_bar(Manager& manager, double x, double y) {
    constexpr unsigned steps = 64;
    MPointArray points;
    MColorArray colours;
    MUintArray vertices;
    for (unsigned i = 0; i <= steps; ++i) {
        const double place = double(i) / steps;
        for (const double side : {0.0, bar_width}) {
            points.append(MPoint(x + side, y + place * bar_height));
            colours.append(colour_of(host::colour_at(place)));
        }
        if (i == 0) continue;
        const unsigned at = 2 * (i - 1);
        for (const unsigned vertex : {at, at + 1, at + 3, at, at + 3, at + 2}) vertices.append(vertex);
    }
    manager.mesh2d(Manager::kTriangles, points, &colours, &vertices);
}

/// Legends beside each other, and above them what could not be drawn.
void draw_legends(Manager& manager, const Shown& shown) {
    const MColor ink(0.9F, 0.9F, 0.9F), warning(1.0F, 0.65F, 0.2F);
    double x = shown.legend_x;
    const double y = shown.legend_y;
    if (shown.legend) {
        for (const host::Legend& legend : shown.picture.legends) {
            draw_bar(manager, x, y);
            manager.setColor(ink);
            for (const host::Legend::Mark& mark : legend.marks)
                manager.text2d(MPoint(x + bar_width + beside, y + mark.place * bar_height), maya_text(mark.text));
            manager.text2d(MPoint(x, y + bar_height + line_height), maya_text(legend.title));
            x += between;
        }
    }
    manager.setColor(warning);
    double line = y + bar_height + 2 * line_height;
    for (const std::string& problem : shown.picture.problems) {
        manager.text2d(MPoint(shown.legend_x, line), maya_text(problem));
        line += line_height;
    }
}

const ViewNode* view_of(const MDagPath& path) {
    return dynamic_cast<ViewNode*>(MFnDependencyNode(path.node()).userNode());
}

std::string name_of(const MDagPath& path) { return utf8(path.partialPathName()); }

} // namespace

// Not always dirty: it is prepared again only when the node says so.
ViewOverride::ViewOverride(const MObject& object) : MHWRender::MPxDrawOverride(object, nullptr, false) {}

MHWRender::MPxDrawOverride* ViewOverride::create(const MObject& object) {
    try {
        return new ViewOverride(object);
    } catch (...) {
        return nullptr;
    }
}

MHWRender::DrawAPI ViewOverride::supportedDrawAPIs() const { return MHWRender::kAllDevices; }

bool ViewOverride::isBounded(const MDagPath& path, const MDagPath&) const {
    return guarded(false, "measuring", [&] { return name_of(path); }, [&] {
        const ViewNode* view = view_of(path);
        return view && view->isBounded();
    });
}

MBoundingBox ViewOverride::boundingBox(const MDagPath& path, const MDagPath&) const {
    return guarded(MBoundingBox(), "measuring", [&] { return name_of(path); }, [&] {
        const ViewNode* view = view_of(path);
        return view ? view->boundingBox() : MBoundingBox();
    });
}

// Here, and nowhere later, data may be read from the dependency graph (MPxDrawOverride in the Maya C++ API reference).
MUserData* ViewOverride::prepareForDraw(const MDagPath& path, const MDagPath&, const MHWRender::MFrameContext&,
                                        MUserData* old_data) {
    return guarded<MUserData*>(old_data, "preparing to draw", [&] { return name_of(path); }, [&]() -> MUserData* {
        const ViewNode* view = view_of(path);
        if (!view) return old_data;
        std::unique_ptr<ViewData> made;
        auto* data = dynamic_cast<ViewData*>(old_data);
        if (!data) {
            made = std::make_unique<ViewData>();
            data = made.get();
        }
        data->shown = view->shown(true);
        fill(*data);
        // Maya owns what it gets.
        made.release();
        return data;
    });
}

void ViewOverride::addUIDrawables(const MDagPath& path, MHWRender::MUIDrawManager& manager,
                                  const MHWRender::MFrameContext&, const MUserData* user_data) {
    guarded(0, "drawing", [&] { return name_of(path); }, [&] {
        const auto* data = dynamic_cast<const ViewData*>(user_data);
        if (!data || !data->shown) return 0;
        manager.beginDrawable();
        if (data->shown->xray) manager.beginDrawInXray();
        draw_scene(manager, *data);
        if (data->shown->xray) manager.endDrawInXray();
        manager.endDrawable();
        manager.beginDrawable(Manager::kNonSelectable);
        draw_legends(manager, *data->shown);
        manager.endDrawable();
        return 0;
    });
}

} // namespace sinew::maya
