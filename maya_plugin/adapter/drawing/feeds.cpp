#include "adapter/drawing/feeds.h"

#include "adapter/guard.h"
#include "adapter/skin.h"
#include "adapter/values.h"

#include <maya/MArrayDataHandle.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnIntArrayData.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnMesh.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MFloatPoint.h>
#include <maya/MFloatPointArray.h>
#include <maya/MIntArray.h>
#include <maya/MPxNode.h>
#include <maya/MVector.h>
#include <maya/MVectorArray.h>

#include <algorithm>

namespace sinew::maya {
namespace {

using host::Holds;
using host::Of;

/// Inputs that are only connected, of which changes are seen.
void set_up(const MObject& object, bool is_outermost) {
    MFnAttribute made(object);
    made.setArray(true);
    made.setUsesArrayDataBuilder(true);
    made.setStorable(false);
    made.setHidden(true);
    made.setDisconnectBehavior(MFnAttribute::kDelete);
    if (is_outermost) made.setAffectsAppearance(true);
}

MObject make_typed(const char* name, MFnData::Type type) {
    MFnTypedAttribute typed;
    MStatus status;
    const MObject made = typed.create(name, name, type, MObject::kNullObj, &status);
    ensure(status, std::string("make the attribute ") + name);
    set_up(made, true);
    ensure(MPxNode::addAttribute(made), std::string("add the attribute ") + name);
    return made;
}

MObject make_nested(const char* name, const MObject& child) {
    MFnCompoundAttribute compound;
    MStatus status;
    const MObject made = compound.create(name, name, &status);
    ensure(status, std::string("make the attribute ") + name);
    set_up(child, false);
    ensure(compound.addChild(child), std::string("make the attribute ") + name);
    set_up(made, true);
    ensure(MPxNode::addAttribute(made), std::string("add the attribute ") + name);
    return made;
}

MObject feed_attribute(const Feeds& feeds, const host::Attribute& plan) {
    switch (plan.holds) {
    case Holds::Mesh: return feeds.meshes;
    case Holds::Integers: return feeds.wholes;
    case Holds::Each: return feeds.values;
    case Holds::Matrices: return feeds.matrices;
    default: return plan.components == 3 ? feeds.vectors : feeds.numbers;
    }
}

/// A mesh as the ports that make it up.
void read_mesh(const SinewMeshInfo& info, const MObject& object, host::Outputs& outputs) {
    MStatus status;
    MFnMesh mesh(object, &status);
    ensure(status, "read a mesh of the node");
    MFloatPointArray points;
    MIntArray sizes, vertices;
    ensure(mesh.getPoints(points), "read a mesh of the node");
    ensure(mesh.getVertices(sizes, vertices), "read a mesh of the node");
    std::vector<double>& places = outputs.numbers[info.points];
    places.clear();
    for (unsigned i = 0; i < points.length(); ++i)
        places.insert(places.end(), {double{points[i].x}, double{points[i].y}, double{points[i].z}});
    const auto wholes = [&](const char* port, const MIntArray& from) {
        std::vector<std::uint32_t>& to = outputs.integers[port];
        to.resize(from.length());
        for (unsigned i = 0; i < from.length(); ++i) to[i] = static_cast<std::uint32_t>(from[i]);
    };
    wholes(info.face_sizes, sizes);
    wholes(info.face_vertices, vertices);
}

void read_vectors(const MObject& object, std::vector<double>& to) {
    MStatus status;
    const MVectorArray from = MFnVectorArrayData(object, &status).array();
    ensure(status, "read vectors of the node");
    for (unsigned i = 0; i < from.length(); ++i) to.insert(to.end(), {from[i].x, from[i].y, from[i].z});
}

void read_numbers(const MObject& object, std::vector<double>& to) {
    MStatus status;
    const MDoubleArray from = MFnDoubleArrayData(object, &status).array();
    ensure(status, "read numbers of the node");
    for (unsigned i = 0; i < from.length(); ++i) to.push_back(from[i]);
}

/// Maya's whole numbers have a sign, so that SINEW_NO_ELEMENT comes as -1.
void read_wholes(const MObject& object, std::vector<std::uint32_t>& to) {
    MStatus status;
    const MIntArray from = MFnIntArrayData(object, &status).array();
    ensure(status, "read whole numbers of the node");
    for (unsigned i = 0; i < from.length(); ++i) to.push_back(static_cast<std::uint32_t>(from[i]));
}

/// An array of the node, element by element, in the order of the indices; one that is missing between others is 0, or
/// no transform.
void read_elements(MArrayDataHandle& list, const MObject& child, bool are_matrices, std::vector<double>& to) {
    MStatus status;
    MArrayDataHandle elements(list.inputValue(&status).child(child), &status);
    ensure(status, "read an array of the node");
    const unsigned count = elements.elementCount();
    for (unsigned i = 0; i < count; ++i, elements.next()) {
        const std::size_t index = elements.elementIndex();
        const MDataHandle element = elements.inputValue(&status);
        ensure(status, "read an element of the node");
        if (are_matrices) {
            while (to.size() < 16 * index) append_matrix(to, MMatrix::identity);
            append_matrix(to, element.asMatrix());
        } else {
            to.resize(index, 0);
            to.push_back(element.asDouble());
        }
    }
}

} // namespace

std::vector<MObject> Feeds::all() const { return {meshes, vectors, numbers, wholes, values, matrices}; }

void make_feeds(Feeds& feeds) {
    feeds.meshes = make_typed("in_meshes", MFnData::kMesh);
    feeds.vectors = make_typed("in_vectors", MFnData::kVectorArray);
    feeds.numbers = make_typed("in_numbers", MFnData::kDoubleArray);
    feeds.wholes = make_typed("in_wholes", MFnData::kIntArray);
    MStatus status;
    MFnNumericAttribute number;
    feeds.value = number.create("in_value", "in_value", MFnNumericData::kDouble, 0, &status);
    ensure(status, "make the attribute in_value");
    feeds.values = make_nested("in_values", feeds.value);
    MFnMatrixAttribute matrix;
    feeds.matrix = matrix.create("in_matrix", "in_matrix", MFnMatrixAttribute::kDouble, &status);
    ensure(status, "make the attribute in_matrix");
    feeds.matrices = make_nested("in_matrices", feeds.matrix);
}

MPlug feed_of(const Feeds& feeds, const MObject& view, const Held& held) {
    MPlug array(view, feed_attribute(feeds, *held.plan));
    const MPlug element = array.elementByLogicalIndex(static_cast<unsigned>(held.output));
    if (held.plan->holds == Holds::Each) {
        MObject child = feeds.value;
        return element.child(child);
    }
    if (held.plan->holds == Holds::Matrices) {
        MObject child = feeds.matrix;
        return element.child(child);
    }
    return element;
}

std::vector<const Held*> needed(const Kind& kind, const host::Drawable& drawable) {
    std::vector<std::string> ports = drawable.ports();
    std::vector<const Held*> found;
    const auto drop = [&](const char* port) {
        ports.erase(std::remove(ports.begin(), ports.end(), port), ports.end());
    };
    for (const SinewMeshInfo& mesh : kind.plan.made_meshes) {
        if (drawable.points != mesh.points) continue;
        for (const Held& held : kind.held)
            if (held.plan->of == Of::MadeMesh && held.plan->id == mesh.id) found.push_back(&held);
        for (const char* part : {mesh.points, mesh.face_sizes, mesh.face_vertices}) drop(part);
    }
    for (const std::string& port : ports)
        for (const Held& held : kind.held)
            if (held.plan->of == Of::Output && held.plan->id == port) found.push_back(&held);
    return found;
}

void read_feed(const Feeds& feeds, const Kind& kind, const Held& held, MDataBlock& data, host::Outputs& outputs) {
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(feed_attribute(feeds, *held.plan), &status);
    ensure(status, "read " + held.plan->name);
    if (array.elementCount() == 0 || array.jumpToElement(static_cast<unsigned>(held.output)) != MS::kSuccess) return;
    const std::string& port = held.plan->id;
    if (held.plan->holds == Holds::Each) return read_elements(array, feeds.value, false, outputs.numbers[port]);
    if (held.plan->holds == Holds::Matrices) return read_elements(array, feeds.matrix, true, outputs.numbers[port]);
    MDataHandle element = array.inputValue(&status);
    ensure(status, "read " + held.plan->name);
    const MObject object = held.plan->holds == Holds::Mesh ? element.asMesh() : element.data();
    if (object.isNull()) return;
    if (held.plan->holds == Holds::Integers) return read_wholes(object, outputs.integers[port]);
    if (held.plan->holds != Holds::Mesh)
        return (held.plan->components == 3 ? read_vectors : read_numbers)(object, outputs.numbers[port]);
    for (const SinewMeshInfo& mesh : kind.plan.made_meshes)
        if (port == mesh.id) read_mesh(mesh, object, outputs);
}

} // namespace sinew::maya
