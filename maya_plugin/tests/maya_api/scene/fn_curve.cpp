// Curves, and the iterator over the points of a geometry.

#include "world.h"

#include <maya/MDagPath.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MItGeometry.h>

using namespace standin;

namespace {

std::shared_ptr<CurveData> curve_of(const MObject& object) {
    if (auto data = as<CurveData>(object)) return data;
    Node* node = node_of(object);
    if (!node || !node->find("local")) return nullptr;
    return std::dynamic_pointer_cast<CurveData>(pulled(to_plug({node, path_of(*node->find("local"))})).data);
}

} // namespace

/// A curve of degree N with M spans has M + N control vertices and M + 2N - 1 knots (MFnNurbsCurve).
MObject MFnNurbsCurve::create(const MPointArray& cvs, const MDoubleArray& knots, unsigned int degree, Form form, bool,
                              bool, MObject& owner, MStatus* s) {
    if (cvs.length() < degree + 1 || knots.length() != cvs.length() + degree - 1)
        return give(MObject(), s, MStatus::kInvalidParameter);
    auto made = std::make_shared<CurveData>();
    made->cvs = cvs;
    made->knots = knots;
    made->degree = static_cast<int>(degree);
    made->form = form;
    if (auto data = as<CurveData>(owner)) {
        *data = *made;
        return give(object_ = owner, s);
    }
    MFnDagNode dag;
    const MObject transform = dag.create("nurbsCurve", "", owner, s);
    object_ = dag.object();
    if (Node* shape = node_of(object_))
        MPlug(object_, object_of(*shape->find("create"))).setMObject(object_of(std::static_pointer_cast<Thing>(made)));
    return transform;
}
MStatus MFnNurbsCurve::getCVs(MPointArray& to, MSpace::Space space) const {
    auto curve = curve_of(object_);
    if (!curve) return MStatus::kFailure;
    to = curve->cvs;
    if (space == MSpace::kWorld)
        for (MPoint& point : to) point = point * curve->matrix;
    return MStatus();
}
MStatus MFnNurbsCurve::setCVs(const MPointArray& from, MSpace::Space) {
    auto curve = curve_of(object_);
    if (!curve || from.length() != curve->cvs.length()) return MStatus::kInvalidParameter;
    Node* node = node_of(object_);
    if (!node) return curve->cvs = from, MStatus();
    return set_value(to_plug({node, path_of(*node->find("create"))}), [&](Value& value) {
        auto copy = std::make_shared<CurveData>(*curve);
        copy->cvs = from;
        value.data = copy;
        return true;
    });
}
MStatus MFnNurbsCurve::getCV(unsigned int i, MPoint& point, MSpace::Space space) const {
    MPointArray all;
    if (!getCVs(all, space) || i >= all.length()) return MStatus::kInvalidParameter;
    return point = all[i], MStatus();
}
MStatus MFnNurbsCurve::getKnots(MDoubleArray& to) const {
    auto curve = curve_of(object_);
    return curve ? (to = curve->knots, MStatus()) : MStatus::kFailure;
}
MFnNurbsCurve::Form MFnNurbsCurve::form(MStatus* s) const {
    auto curve = curve_of(object_);
    return give(curve ? static_cast<Form>(curve->form) : kInvalid, s, good(curve));
}
int MFnNurbsCurve::degree(MStatus* s) const {
    auto curve = curve_of(object_);
    return give(curve ? curve->degree : 0, s, good(curve));
}
int MFnNurbsCurve::numCVs(MStatus* s) const {
    auto curve = curve_of(object_);
    return give(curve ? static_cast<int>(curve->cvs.length()) : 0, s, good(curve));
}
int MFnNurbsCurve::numSpans(MStatus* s) const { return numCVs(s) - degree(); }
int MFnNurbsCurve::numKnots(MStatus* s) const {
    auto curve = curve_of(object_);
    return give(curve ? static_cast<int>(curve->knots.length()) : 0, s, good(curve));
}
MStatus MFnNurbsCurve::updateCurve() { return good(curve_of(object_)); }

MItGeometry::MItGeometry(std::shared_ptr<MeshData> mesh, std::vector<unsigned int> vertices, bool read_only)
    : mesh_(std::move(mesh)), vertices_(std::move(vertices)), read_only_(read_only) {}

namespace {
std::vector<unsigned int> all_of(const std::shared_ptr<MeshData>& mesh) {
    std::vector<unsigned int> all(mesh ? mesh->vertices() : 0);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<unsigned int>(i);
    return all;
}
} // namespace

MItGeometry::MItGeometry(MDataHandle& handle, bool read_only, MStatus* s)
    : mesh_(as<MeshData>(handle.asMesh())), vertices_(all_of(mesh_)), read_only_(read_only) {
    if (s) *s = mesh_ ? MStatus::kSuccess : MStatus::kFailure;
}
MItGeometry::MItGeometry(MDataHandle& handle, unsigned int group, bool read_only, MStatus* s)
    : MItGeometry(handle, read_only, s) {
    if (!mesh_ || !mesh_->groups.count(group) || mesh_->groups[group]->complete) return;
    vertices_.clear();
    for (int vertex : mesh_->groups[group]->elements) vertices_.push_back(static_cast<unsigned int>(vertex));
}
MItGeometry::MItGeometry(const MDagPath& path, MStatus* s) {
    MDagPath shape(path);
    shape.extendToShape();
    Node* node = node_of(shape.node());
    if (node && node->find("outMesh"))
        mesh_ = std::dynamic_pointer_cast<MeshData>(pulled(to_plug({node, path_of(*node->find("outMesh"))})).data);
    vertices_ = all_of(mesh_);
    if (s) *s = mesh_ ? MStatus::kSuccess : MStatus::kFailure;
}
bool MItGeometry::isDone(MStatus* s) const { return give(at_ >= vertices_.size(), s); }
MStatus MItGeometry::next() { return ++at_, MStatus(); }
MStatus MItGeometry::reset() { return at_ = 0, MStatus(); }
MPoint MItGeometry::position(MSpace::Space space, MStatus* s) const {
    if (isDone()) return give(MPoint(), s, MStatus::kFailure);
    const float* p = &mesh_->points[vertices_[at_] * 3];
    const MPoint point(MFloatPoint(p[0], p[1], p[2]));
    return give(space == MSpace::kWorld ? point * mesh_->matrix : point, s);
}
MStatus MItGeometry::setPosition(const MPoint& point, MSpace::Space space) {
    if (isDone() || read_only_) return MStatus::kFailure;
    const MPoint to = space == MSpace::kWorld ? point * mesh_->matrix.inverse() : point;
    for (unsigned int j = 0; j < 3; ++j) mesh_->points[vertices_[at_] * 3 + j] = static_cast<float>(to[j]);
    return MStatus();
}
/// The index of the vertex in the whole geometry, also where only some vertices are deformed (MItGeometry::index).
int MItGeometry::index(MStatus* s) const {
    if (isDone()) return give(-1, s, MStatus::kFailure);
    return give(static_cast<int>(vertices_[at_]), s);
}
/// The place among the points that are deformed (MItGeometry::positionIndex).
int MItGeometry::positionIndex(MStatus* s) const { return give(isDone() ? -1 : static_cast<int>(at_), s); }
int MItGeometry::count(MStatus* s) const { return give(static_cast<int>(vertices_.size()), s); }
int MItGeometry::exactCount(MStatus* s) { return count(s); }
/// The positions of what is iterated over, not of the whole geometry.
MStatus MItGeometry::allPositions(MPointArray& points, MSpace::Space space) const {
    points.setLength(static_cast<unsigned int>(vertices_.size()));
    for (unsigned int i = 0; i < vertices_.size(); ++i) {
        const float* p = &mesh_->points[vertices_[i] * 3];
        points[i] = MPoint(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
        if (space == MSpace::kWorld) points[i] = points[i] * mesh_->matrix;
    }
    return mesh_ ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MItGeometry::setAllPositions(const MPointArray& points, MSpace::Space space) {
    if (read_only_ || !mesh_ || points.length() != vertices_.size()) return MStatus::kFailure;
    const MMatrix matrix = space == MSpace::kWorld ? mesh_->matrix.inverse() : MMatrix();
    for (unsigned int i = 0; i < points.length(); ++i) {
        const MPoint to = space == MSpace::kWorld ? points[i] * matrix : points[i];
        for (unsigned int j = 0; j < 3; ++j) mesh_->points[vertices_[i] * 3 + j] = static_cast<float>(to[j]);
    }
    return MStatus();
}
