// Painted maps from one body to another.
#pragma once

#include <sinew/sinew.hpp>

#include <cstddef>
#include <vector>

namespace sinew::host {

/// For each vertex of `to` the nearest one of `from`, when both bodies are scaled and moved to fill the same box: then
/// a wrist is near a wrist, though arms differ in length. `from` has at least one vertex.
std::vector<std::size_t> nearest_vertices(Span<const float> from, Span<const float> to);

} // namespace sinew::host
