// Between the host's arrays and the library's: whole loops over plain memory, nothing else.
#pragma once

#include <sinew/sinew.hpp>

#include <cstdint>
#include <vector>

namespace sinew::host {

/// A painted map from the elements that the host has (index and value, in any order); others have the default.
void fill_map(std::vector<float>& map, std::size_t vertices, float fallback, Span<const std::uint32_t> indices, Span<const float> values);

/// UVs for each corner as the host stores them: a list of UVs and the UV of each corner. Corners of a vertex that have the
/// same UV share one, so that islands stay whole; the order is that of first use.
struct SharedUvs {
    std::vector<float> u, v;
    std::vector<int> corner_uvs;
};
/// `corner_vertices`: the vertex of each corner. `like`: how corners shared UVs before; with it, corners that shared one
/// and still agree go on sharing it.
void share_uvs(SharedUvs& shared, Span<const double> corner_uvs, Span<const std::uint32_t> corner_vertices);

/// Blends points towards others by an envelope and a weight for each vertex (none: 1).
void blend_points(Span<float> points, std::size_t stride, Span<const double> moved, float envelope, Span<const float> weights);

} // namespace sinew::host
