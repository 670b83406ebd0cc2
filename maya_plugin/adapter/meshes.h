// Meshes of Maya as the library's, and the other way round.
#pragma once

#include "adapter/values.h"

#include <maya/MObject.h>

namespace sinew::maya {

/// A view of a mesh whose numbers are copied into `values`; with UVs of the set, unless its name is empty.
host::MeshView copy_mesh(Values& values, const MObject& mesh, const MString& uv_set);
/// Maya's own memory: three floats for each vertex.
SinewArray raw_points(const MObject& mesh);

/// Gives a mesh UVs, two numbers for each corner. What shared a UV goes on sharing it as long as the numbers agree, and
/// then only numbers are written; otherwise UVs are assigned anew.
void write_uvs(const MObject& mesh, const MString& uv_set, const std::vector<double>& corner_uvs);

/// A mesh of its own with everything that another one has.
MObject copy_of(const MObject& mesh);
/// A mesh of its own in a data block's form.
MObject make_mesh(const std::vector<double>& points, const std::vector<std::uint32_t>& face_sizes,
                  const std::vector<std::uint32_t>& face_vertices);

} // namespace sinew::maya
