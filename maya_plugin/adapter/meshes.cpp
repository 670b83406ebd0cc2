#include "adapter/meshes.h"

#include "adapter/guard.h"
#include "adapter/text.h"
#include "host/gather.h"

#include <maya/MFloatArray.h>
#include <maya/MFloatPoint.h>
#include <maya/MFloatPointArray.h>
#include <maya/MFnGeometryData.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MIntArray.h>
#include <maya/MPoint.h>
#include <maya/MStringArray.h>

#include <algorithm>

namespace sinew::maya {
namespace {

std::vector<std::uint32_t>& add_wholes(Values& values, const MIntArray& from) {
    std::vector<std::uint32_t>& made = values.wholes.emplace_back(from.length());
    for (unsigned i = 0; i < from.length(); ++i) made[i] = static_cast<std::uint32_t>(from[i]);
    return made;
}

MIntArray ints(const std::vector<int>& from) { return {from.data(), static_cast<unsigned>(from.size())}; }

MIntArray ints(const std::vector<std::uint32_t>& from) {
    MIntArray made(static_cast<unsigned>(from.size()));
    for (unsigned i = 0; i < made.length(); ++i) made[i] = static_cast<int>(from[i]);
    return made;
}

MFloatArray floats(const std::vector<float>& from) { return {from.data(), static_cast<unsigned>(from.size())}; }

/// The UV of each corner. Faces without UVs get one at the origin, which is added to `uvs`.
void copy_uvs(Values& values, host::MeshView& view, const MFnMesh& mesh, const MString& set) {
    MFloatArray u, v;
    MIntArray counts, ids;
    ensure(mesh.getUVs(u, v, &set), "read the UVs of a mesh");
    ensure(mesh.getAssignedUVs(counts, ids, &set), "read which UVs corners have");
    if (ids.length() == 0) return;
    std::vector<float>& uvs = values.floats.emplace_back(2 * std::size_t{u.length()} + 2, 0.0F);
    for (unsigned i = 0; i < u.length(); ++i) {
        uvs[2 * std::size_t{i}] = u[i];
        uvs[2 * std::size_t{i} + 1] = v[i];
    }
    std::vector<std::uint32_t>& corners = values.wholes.emplace_back(view.face_vertices.size(), u.length());
    std::size_t corner = 0;
    unsigned id = 0;
    for (std::size_t face = 0; face < view.face_sizes.size(); ++face) {
        const bool has = face < counts.length() && counts[static_cast<unsigned>(face)] > 0;
        for (std::uint32_t k = 0; k < view.face_sizes[face]; ++k, ++corner)
            if (has) corners[corner] = static_cast<std::uint32_t>(ids[id++]);
    }
    view.uvs = uvs;
    view.corner_uvs = corners;
}

/// The numbers of the UVs that a mesh has, if all corners that share one agree on it.
bool keep_uvs(MFloatArray& u, MFloatArray& v, const MIntArray& ids, const std::vector<double>& corner_uvs) {
    if (2 * std::size_t{ids.length()} != corner_uvs.size()) return false;
    std::vector<char> known(u.length(), 0);
    for (unsigned corner = 0; corner < ids.length(); ++corner) {
        const auto id = static_cast<unsigned>(ids[corner]);
        const auto x = static_cast<float>(corner_uvs[2 * std::size_t{corner}]);
        const auto y = static_cast<float>(corner_uvs[2 * std::size_t{corner} + 1]);
        if (id >= known.size() || (known[id] && (u[id] != x || v[id] != y))) return false;
        known[id] = 1;
        u[id] = x;
        v[id] = y;
    }
    return true;
}

void move_points(std::vector<float>& points, const MMatrix& matrix) {
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
        const MPoint moved = MPoint(double{points[i]}, double{points[i + 1]}, double{points[i + 2]}) * matrix;
        for (unsigned k = 0; k < 3; ++k) points[i + k] = static_cast<float>(moved[k]);
    }
}

} // namespace

MString uv_set_of(const MObject& object, const MString& name) {
    const MFnMesh mesh(object);
    MStringArray names;
    ensure(mesh.getUVSetNames(names), "list the UV sets of a mesh");
    if (name.length() == 0) {
        // A mesh in a data block may have no current set.
        const MString current = mesh.currentUVSetName();
        return current.length() > 0 || names.length() == 0 ? current : names[0];
    }
    for (unsigned i = 0; i < names.length(); ++i)
        if (names[i] == name) return name;
    throw Problem("The mesh has no UV set \"" + utf8(name) + "\": choose one of its own in uv_set.");
}

MMatrix matrix_of(const MObject& mesh) {
    MMatrix matrix;
    MStatus status;
    const MFnGeometryData geometry(mesh, &status);
    ensure(status, "read a mesh");
    ensure(geometry.getMatrix(matrix), "read the matrix of a mesh");
    return matrix;
}

host::MeshView copy_mesh(Values& values, const MObject& object, const MString& uv_set, const MMatrix& matrix) {
    MStatus status;
    const MFnMesh mesh(object, &status);
    ensure(status, "read a mesh");
    host::MeshView view;
    const float* points = mesh.getRawPoints(&status);
    ensure(status, "read the points of a mesh");
    const auto count = 3 * static_cast<std::size_t>(mesh.numVertices());
    std::vector<float>& places = values.floats.emplace_back(points, points + count);
    if (!(matrix == MMatrix::identity)) move_points(places, matrix);
    view.points = places;
    MIntArray sizes, vertices;
    ensure(mesh.getVertices(sizes, vertices), "read the faces of a mesh");
    view.face_sizes = add_wholes(values, sizes);
    view.face_vertices = add_wholes(values, vertices);
    if (uv_set.length() > 0) copy_uvs(values, view, mesh, uv_set);
    return view;
}

SinewArray raw_points(const MObject& object) {
    MStatus status;
    const MFnMesh mesh(object, &status);
    ensure(status, "read a mesh");
    const float* points = mesh.getRawPoints(&status);
    ensure(status, "read the points of a mesh");
    return strided(points, static_cast<std::size_t>(mesh.numVertices()), 3, 0);
}

// Numbers alone where the sharing holds; assigning anew is slower. `setUVs` takes arrays that are at least as long as
// the set is; only after `clearUVs` may they be shorter (MFnMesh in the Maya C++ API reference).
void write_uvs(const MObject& object, const MString& uv_set, const std::vector<double>& corner_uvs) {
    MStatus status;
    MFnMesh mesh(object, &status);
    ensure(status, "write a mesh");
    MString set = uv_set;
    if (set.length() == 0) {
        set = mesh.createUVSetDataMeshWithName("map1", &status);
        ensure(status, "make a UV set");
    }
    MFloatArray u, v;
    MIntArray counts, ids;
    ensure(mesh.getUVs(u, v, &set), "read the UVs of a mesh");
    ensure(mesh.getAssignedUVs(counts, ids, &set), "read which UVs corners have");
    if (keep_uvs(u, v, ids, corner_uvs)) {
        ensure(mesh.setUVs(u, v, &set), "write UVs");
        return;
    }
    MIntArray sizes, vertices;
    ensure(mesh.getVertices(sizes, vertices), "read the faces of a mesh");
    if (2 * std::size_t{vertices.length()} != corner_uvs.size())
        throw Problem("The mesh has another number of corners than the body at rest: give both the same topology.");
    Values memory;
    host::SharedUvs shared;
    host::share_uvs(shared, corner_uvs, add_wholes(memory, vertices));
    ensure(mesh.clearUVs(&set), "clear UVs");
    ensure(mesh.setUVs(floats(shared.u), floats(shared.v), &set), "write UVs");
    ensure(mesh.assignUVs(sizes, ints(shared.corner_uvs), &set), "assign UVs");
}

MObject make_mesh(const std::vector<double>& points, const std::vector<std::uint32_t>& face_sizes,
                  const std::vector<std::uint32_t>& face_vertices) {
    MStatus status;
    const MObject made = MFnMeshData().create(&status);
    ensure(status, "make a mesh");
    // A mesh without faces is legal for the library, not for Maya.
    if (face_sizes.empty()) return made;
    MFloatPointArray places(static_cast<unsigned>(points.size() / 3));
    for (unsigned i = 0; i < places.length(); ++i) {
        const double* from = &points[3 * std::size_t{i}];
        places[i] = MFloatPoint(static_cast<float>(from[0]), static_cast<float>(from[1]), static_cast<float>(from[2]));
    }
    MFnMesh().create(static_cast<int>(places.length()), static_cast<int>(face_sizes.size()), places, ints(face_sizes),
                     ints(face_vertices), made, &status);
    ensure(status, "make a mesh");
    return made;
}

} // namespace sinew::maya
