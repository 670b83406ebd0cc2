#pragma once

#include <maya/MColorArray.h>
#include <maya/MFloatPointArray.h>
#include <maya/MFloatVectorArray.h>
#include <maya/MPointArray.h>
#include <maya/MString.h>
#include <maya/MUintArray.h>
#include <maya/MVectorArray.h>
#include <vector>

namespace MHWRender {
/// With what a draw override draws. The stand-in writes down what is drawn.
class MUIDrawManager {
public:
    enum TextAlignment { kLeft, kCenter, kRight };
    enum LineStyle { kSolid, kShortDotted, kShortDashed, kDashed, kDotted };
    enum PaintStyle { kFlat, kStippled, kShaded };
    enum Primitive { kPoints, kLines, kLineStrip, kClosedLine, kTriangles, kTriStrip };
    enum Selectability { kNonSelectable, kSelectable, kAutomatic };
    void beginDrawable(Selectability selectability = kAutomatic, unsigned int selectionName = 0);
    void endDrawable();
    void beginDrawInXray() {}
    void endDrawInXray() {}
    void setColor(const MColor& color);
    void setPointSize(float value);
    void setLineWidth(float value);
    void setLineStyle(LineStyle style);
    void setPaintStyle(PaintStyle style);
    void setDepthPriority(unsigned int priority);
    void line(const MPoint& startPoint, const MPoint& endPoint);
    MStatus lineList(const MPointArray& points, bool draw2D);
    MStatus lineStrip(const MPointArray& points, bool draw2D);
    void point(const MPoint& point);
    MStatus points(const MPointArray& points, bool draw2D);
    void sphere(const MPoint& center, double radius, bool filled = false);
    void mesh(Primitive mode, const MPointArray& position, const MVectorArray* normal = nullptr,
              const MColorArray* color = nullptr, const MUintArray* index = nullptr,
              const MPointArray* texcoord = nullptr);
    void mesh(Primitive mode, const MFloatPointArray& position, const MFloatVectorArray* normal = nullptr,
              const MColorArray* color = nullptr, const MUintArray* index = nullptr,
              const MFloatPointArray* texcoord = nullptr);
    void text(const MPoint& position, const MString& text, TextAlignment alignment = kLeft,
              const int* backgroundSize = nullptr, const MColor* backgroundColor = nullptr, bool dynamic = false);
    // In pixels of the view.
    void mesh2d(Primitive mode, const MPointArray& position, const MColorArray* color = nullptr,
                const MUintArray* index = nullptr, const MPointArray* texcoord = nullptr);
    void text2d(const MPoint& position, const MString& text, TextAlignment alignment = kLeft,
                const int* backgroundSize = nullptr, const MColor* backgroundColor = nullptr, bool dynamic = false);

    /// The stand-in's own: everything that was drawn.
    struct Drawn {
        Primitive mode = kPoints;
        MPointArray points;
        MColorArray colors;
        MUintArray index;
        MColor color;
        MString text;
        /// In pixels of the view, not in the space of the node.
        bool flat = false;
    };
    std::vector<Drawn> standin_drawn;
    /// Drawing outside of beginDrawable and endDrawable, or those two out of pair.
    unsigned int standin_faults = 0;

private:
    void record(Drawn drawn);
    MColor color_;
    bool open_ = false;
};
} // namespace MHWRender
