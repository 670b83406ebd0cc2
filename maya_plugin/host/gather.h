// Between the host's arrays and the library's: whole loops over plain memory, nothing else.
#pragma once

#include <sinew/sinew.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew::host {

/// A painted map from the elements that the host has (index and value, in any order); others have the default. Elements
/// of vertices that no longer exist, which hosts keep, are left out.
void fill_map(std::vector<float>& map, std::size_t vertices, float fallback, Span<const std::uint32_t> indices,
              Span<const float> values);

/// UVs for each corner as the host stores them: a list of UVs and the UV of each corner. Corners of a vertex that have
/// the same UV share one, so that islands stay whole; the order is that of first use.
struct SharedUvs {
    std::vector<float> u, v;
    std::vector<int> corner_uvs;
    /// The first UV of each vertex and the next one of the same vertex, -1 for none: memory that is used again.
    std::vector<int> first, next;
};
/// `corner_uvs`: two numbers for each corner; `corner_vertices`: the vertex of each corner.
void share_uvs(SharedUvs& shared, Span<const double> corner_uvs, Span<const std::uint32_t> corner_vertices);

/// Blends points towards others by an envelope and a weight for each vertex (none: 1). `stride` counts the floats from
/// one point to the next; `moved` has three numbers for each vertex.
void blend_points(Span<float> points, std::size_t stride, Span<const double> moved, float envelope,
                  Span<const float> weights);

} // namespace sinew::host
