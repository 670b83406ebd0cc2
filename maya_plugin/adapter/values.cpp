#include "adapter/values.h"

#include "adapter/guard.h"
#include "adapter/meshes.h"
#include "adapter/skin.h"
#include "adapter/text.h"
#include "host/gather.h"

#include <maya/MArrayDataHandle.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnIntArrayData.h>
#include <maya/MFnMesh.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MIntArray.h>
#include <maya/MMatrix.h>
#include <maya/MVector.h>
#include <maya/MVectorArray.h>

#include <algorithm>

namespace sinew::maya {
namespace {

using host::Attribute;
using host::Holds;
using host::Of;

template <class T> SinewArray view(const std::vector<T>& values, std::uint32_t components) {
    return array<T>({values.data(), values.size()}, components);
}

void give(Values& values, const Attribute& attribute, const SinewArray& array) {
    values.ports.push_back({attribute.id, array});
}

/// Each element of an array that has numbers or matrices of its own; the index is that which users see.
template <class Use> void for_elements(MDataBlock& data, const Held& held, Use use) {
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(held.object, &status);
    ensure(status, "read " + held.plan->name);
    const unsigned count = array.elementCount();
    for (unsigned i = 0; i < count; ++i, array.next()) {
        const unsigned index = array.elementIndex(&status);
        const MDataHandle element = array.inputValue(&status);
        ensure(status, "read an element of " + held.plan->name);
        use(index, element);
    }
}

void read_each(Values& values, MDataBlock& data, const Held& held) {
    std::vector<double>& numbers = values.doubles.emplace_back();
    for_elements(data, held, [&](unsigned index, const MDataHandle& element) {
        if (index >= numbers.size()) numbers.resize(std::size_t{index} + 1, held.plan->default_value);
        numbers[index] = element.asDouble();
    });
    if (!numbers.empty()) give(values, *held.plan, view(numbers, 1));
}

/// Matrices by index; one that is missing between others is the identity.
void read_matrices(Values& values, MDataBlock& data, const Held& held) {
    std::vector<double>& numbers = values.doubles.emplace_back();
    for_elements(data, held, [&](unsigned index, const MDataHandle& element) {
        while (numbers.size() < 16 * (std::size_t{index} + 1)) append_matrix(numbers, MMatrix::identity);
        put_matrix(&numbers[16 * std::size_t{index}], element.asMatrix());
    });
    if (!numbers.empty()) give(values, *held.plan, view(numbers, 16));
}

void read_numbers(Values& values, MDataBlock& data, const Held& held) {
    MDataHandle handle = input(data, held.object, held.plan->name.c_str());
    const MObject object = handle.data();
    if (object.isNull()) return;
    std::vector<double>& numbers = values.doubles.emplace_back();
    MStatus status;
    if (held.plan->components == 3) {
        const MVectorArray from = MFnVectorArrayData(object, &status).array();
        ensure(status, "read " + held.plan->name);
        numbers.resize(3 * std::size_t{from.length()});
        for (unsigned i = 0; i < from.length(); ++i)
            for (unsigned k = 0; k < 3; ++k) numbers[3 * std::size_t{i} + k] = from[i][k];
    } else {
        const MDoubleArray from = MFnDoubleArrayData(object, &status).array();
        ensure(status, "read " + held.plan->name);
        numbers.resize(from.length());
        for (unsigned i = 0; i < from.length(); ++i) numbers[i] = from[i];
    }
    if (!numbers.empty()) give(values, *held.plan, view(numbers, held.plan->components));
}

void read_integers(Values& values, MDataBlock& data, const Held& held) {
    MDataHandle handle = input(data, held.object, held.plan->name.c_str());
    const MObject object = handle.data();
    if (object.isNull()) return;
    MStatus status;
    const MIntArray from = MFnIntArrayData(object, &status).array();
    ensure(status, "read " + held.plan->name);
    if (from.length() == 0) return;
    std::vector<std::uint32_t>& wholes = values.wholes.emplace_back(from.length());
    for (unsigned i = 0; i < from.length(); ++i) {
        if (from[i] < 0) throw Problem(held.plan->name + " has a negative number: it counts from 0.");
        wholes[i] = static_cast<std::uint32_t>(from[i]);
    }
    give(values, *held.plan, view(wholes, held.plan->components));
}

/// A mesh of its own; where none is connected and the geometry is the same body, that.
void read_mesh(Values& values, const Kind& kind, MDataBlock& data, const Held& held, const Body& body,
               const MMatrix& to_world) {
    MDataHandle handle = input(data, held.object, held.plan->name.c_str());
    MObject mesh = handle.asMesh();
    if (mesh.isNull() && held.plan->still == kind.body_is_rest) mesh = body.mesh;
    if (mesh.isNull()) return;
    const MString set = kind.plan.uvs_out.empty() ? MString() : uv_set_of(mesh, body.uv_set);
    values.ports.push_back({held.plan->id, copy_mesh(values, mesh, set, to_world)});
}

/// Where the body's vertices are in another mesh, in the mesh's space, as those of the body itself.
void read_points(Values& values, MDataBlock& data, const Held& held) {
    const MObject mesh = input(data, held.object, held.plan->name.c_str()).asMesh();
    if (!mesh.isNull()) give(values, *held.plan, raw_points(mesh));
}

/// Maps that were painted: the others are left out and have their default.
void read_maps(Values& values, const Kind& kind, MDataBlock& data, const Body& body) {
    if (kind.maps.isNull()) return;
    MStatus status;
    MArrayDataHandle geometries = data.inputArrayValue(kind.maps, &status);
    ensure(status, "read the painted maps");
    if (geometries.elementCount() == 0 || geometries.jumpToElement(body.geometry) != MS::kSuccess) return;
    MDataHandle maps = geometries.inputValue(&status);
    ensure(status, "read the painted maps");
    const std::size_t vertices = body.vertices();
    for (const Held& held : kind.held) {
        if (held.plan->holds != Holds::Map) continue;
        MArrayDataHandle painted(maps.child(held.object), &status);
        ensure(status, "read the map " + held.plan->name);
        const unsigned count = painted.elementCount();
        if (count == 0) continue;
        std::vector<std::uint32_t> indices(count);
        std::vector<float> weights(count);
        for (unsigned i = 0; i < count; ++i, painted.next()) {
            indices[i] = painted.elementIndex();
            weights[i] = painted.inputValue().asFloat();
        }
        std::vector<float>& map = values.floats.emplace_back();
        host::fill_map(map, vertices, static_cast<float>(held.plan->default_value), indices, weights);
        give(values, *held.plan, view(map, 1));
    }
}

void read_port(Values& values, const Kind& kind, MDataBlock& data, const Held& held, const Body& body,
               const MMatrix& to_world) {
    switch (held.plan->holds) {
    case Holds::Each: return read_each(values, data, held);
    case Holds::Matrices: return read_matrices(values, data, held);
    case Holds::Numbers: return read_numbers(values, data, held);
    case Holds::Integers: return read_integers(values, data, held);
    case Holds::Mesh: return read_mesh(values, kind, data, held, body, to_world);
    case Holds::Points: return read_points(values, data, held);
    // Maps are read together; what is left are the types of parameters.
    default: return;
    }
}

/// From the mesh's space to the world, for the body at rest. With a skin cluster that is where the mesh was when it was
/// bound, as the joints at rest are: the mesh may move later, and the joints with it.
MMatrix rest_to_world(const Kind& kind, MDataBlock& data, const Body& body, bool skinned) {
    const MMatrix matrix = kind.in_world() && skinned ? read_bound(kind, data) : body.to_world;
    if (!invertible(matrix))
        throw Problem("The body at rest is flat in the world, as it has a scale of 0 in one direction: scale it "
                      "differently, and bind it there.");
    return matrix;
}

/// The body before it is skinned.
void give_rest_points(Values& values, const Kind& kind, const Body& body, const MMatrix& to_world) {
    const host::MeshView view = copy_mesh(values, body.mesh, MString(), to_world);
    values.ports.push_back({kind.plan.points_in, strided(view.points.data(), body.vertices(), 3, 0)});
}

} // namespace

std::size_t Body::vertices() const {
    return mesh.isNull() ? 0 : static_cast<std::size_t>(MFnMesh(mesh).numVertices());
}

MDataHandle input(MDataBlock& data, const MObject& attribute, const char* name) {
    MStatus status;
    MDataHandle handle = data.inputValue(attribute, &status);
    ensure(status, std::string("read ") + name);
    return handle;
}

MDataHandle output(MDataBlock& data, const MObject& attribute, const char* name) {
    MStatus status;
    MDataHandle handle = data.outputValue(attribute, &status);
    ensure(status, std::string("write ") + name);
    return handle;
}

std::shared_ptr<const Values> read_still(const Kind& kind, MDataBlock& data, const Body& body, bool points_move) {
    auto values = std::make_shared<Values>();
    const bool skinned = read_skin(*values, kind, data, body);
    const MMatrix to_world = rest_to_world(kind, data, body, skinned);
    for (const Held& held : kind.held) {
        if (held.plan->of != Of::Input || !held.plan->still) continue;
        if (skinned && is_of_skin(kind, held)) continue;
        read_port(*values, kind, data, held, body, to_world);
    }
    read_maps(*values, kind, data, body);
    if (body.mesh.isNull()) return values;
    const MString set = kind.plan.uvs_out.empty() ? MString() : uv_set_of(body.mesh, body.uv_set);
    if (kind.mesh_is_rest) values->ports.push_back({kind.plan.body_mesh, copy_mesh(*values, body.mesh, set, to_world)});
    if (kind.body_is_rest && !points_move) give_rest_points(*values, kind, body, to_world);
    return values;
}

void read_moving(Values& values, const Kind& kind, MDataBlock& data, const Body& body, bool points_move) {
    const bool skinned = is_fed_by_skin(kind, data);
    for (const Held& held : kind.held) {
        if (held.plan->of != Of::Input || held.plan->still) continue;
        if (&held == kind.skin.joints) read_joints(values, kind, data);
        else if (!skinned || !is_of_skin(kind, held)) read_port(values, kind, data, held, body, body.to_world);
    }
    if (body.mesh.isNull()) return;
    if (kind.body_is_rest && points_move)
        give_rest_points(values, kind, body, rest_to_world(kind, data, body, skinned));
    if (!kind.plan.points_in.empty() && !kind.body_is_rest)
        values.ports.push_back({kind.plan.points_in, raw_points(body.mesh)});
    if (!kind.plan.body_mesh.empty() && !kind.mesh_is_rest) {
        const MString set = kind.plan.uvs_out.empty() ? MString() : uv_set_of(body.mesh, body.uv_set);
        values.ports.push_back({kind.plan.body_mesh, copy_mesh(values, body.mesh, set, body.to_world)});
    }
}

host::ParamValue read_param(MDataBlock& data, const Held& held) {
    const MDataHandle handle = input(data, held.object, held.plan->name.c_str());
    const std::string& id = held.plan->id;
    switch (held.plan->holds) {
    case Holds::Switch: return {id, handle.asBool() ? 1.0 : 0.0};
    case Holds::Whole: return {id, double(handle.asInt())};
    case Holds::Choice: return {id, double(handle.asShort())};
    case Holds::Text: return {id, utf8(handle.asString())};
    default: return {id, handle.asDouble()};
    }
}

} // namespace sinew::maya
