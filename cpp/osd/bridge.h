// The part of OpenSubdiv that Sinew uses: the limit of a Catmull-Clark cage as sparse rows of weights over the cage's points.
#pragma once
#include "rust/cxx.h"
#include <cstdint>

namespace sinew::osd {

struct Limit; // defined by the cxx bridge in src/geometry/subdivision.rs

/// Refines `level` times, then evaluates the limit surface. `corner_uvs` is empty for a mesh without UVs.
/// Throws std::runtime_error if OpenSubdiv rejects the topology.
Limit refine_to_limit(std::uint32_t vertex_count, rust::Slice<const std::uint32_t> face_sizes,
                      rust::Slice<const std::uint32_t> corner_vertices, std::uint32_t uv_count,
                      rust::Slice<const std::uint32_t> corner_uvs, std::uint32_t level, std::uint8_t boundary,
                      std::uint8_t face_varying);

} // namespace sinew::osd
