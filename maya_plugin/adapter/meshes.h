// Meshes of Maya as the library's, and the other way round.
#pragma once

#include "adapter/values.h"

#include <maya/MMatrix.h>
#include <maya/MObject.h>

namespace sinew::maya {

/// From the space of a mesh in a data block to the world, as it travels with the geometry (MFnGeometryData in the Maya
/// C++ API reference): a shape's `worldMesh` has its world matrix, `outMesh` the identity, and deformers hand it on. It
/// is what deform() is given, and also there when another output is computed.
MMatrix matrix_of(const MObject& mesh);
/// A view of a mesh whose numbers are copied into `values`, moved by `matrix`; with UVs of the set, unless its name is
/// empty. The identity leaves every bit as it is.
host::MeshView copy_mesh(Values& values, const MObject& mesh, const MString& uv_set, const MMatrix& matrix);
/// Maya's own memory: three floats for each vertex.
SinewArray raw_points(const MObject& mesh);

/// Gives a mesh UVs, two numbers for each corner. What shared a UV goes on sharing it as long as the numbers agree, and
/// then only numbers are written; otherwise UVs are assigned anew.
void write_uvs(const MObject& mesh, const MString& uv_set, const std::vector<double>& corner_uvs);

/// A mesh of its own in a data block's form.
MObject make_mesh(const std::vector<double>& points, const std::vector<std::uint32_t>& face_sizes,
                  const std::vector<std::uint32_t>& face_vertices);

} // namespace sinew::maya
