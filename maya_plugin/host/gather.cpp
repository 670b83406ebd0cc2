#include "gather.h"

#include <algorithm>
#include <stdexcept>

namespace sinew::host {

void fill_map(std::vector<float>& map, std::size_t vertices, float fallback, Span<const std::uint32_t> indices,
              Span<const float> values) {
    if (indices.size() != values.size()) throw std::invalid_argument("A painted map has as many values as indices.");
    map.assign(vertices, fallback);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] < vertices) map[indices[i]] = values[i];
    }
}

void share_uvs(SharedUvs& shared, Span<const double> corner_uvs, Span<const std::uint32_t> corner_vertices) {
    const std::size_t corners = corner_vertices.size();
    if (corner_uvs.size() != 2 * corners) throw std::invalid_argument("Each corner needs two numbers of UV.");
    shared.u.clear();
    shared.v.clear();
    shared.next.clear();
    shared.corner_uvs.resize(corners);
    const std::uint32_t* last = std::max_element(corner_vertices.begin(), corner_vertices.end());
    shared.first.assign(corners == 0 ? 0 : std::size_t{*last} + 1, -1);
    for (std::size_t corner = 0; corner < corners; ++corner) {
        const auto u = static_cast<float>(corner_uvs[2 * corner]);
        const auto v = static_cast<float>(corner_uvs[2 * corner + 1]);
        int* link = &shared.first[corner_vertices[corner]];
        while (*link >= 0) {
            const auto found = static_cast<std::size_t>(*link);
            if (shared.u[found] == u && shared.v[found] == v) break;
            link = &shared.next[found];
        }
        if (*link < 0) {
            *link = static_cast<int>(shared.u.size());
            shared.corner_uvs[corner] = *link;
            shared.u.push_back(u);
            shared.v.push_back(v);
            // Last, since the link may be in this list.
            shared.next.push_back(-1);
        } else {
            shared.corner_uvs[corner] = *link;
        }
    }
}

void blend_points(Span<float> points, std::size_t stride, Span<const double> moved, float envelope,
                  Span<const float> weights) {
    const std::size_t count = moved.size() / 3;
    const bool fits = stride >= 3 && (count == 0 || points.size() >= (count - 1) * stride + 3);
    if (!fits || moved.size() % 3 != 0 || (weights.size() != 0 && weights.size() != count)) {
        throw std::invalid_argument("Points, moved points and weights are of as many vertices.");
    }
    for (std::size_t i = 0; i < count; ++i) {
        // In this form, weights of 0 and 1 give either place exactly.
        const double share = double{envelope} * (weights.size() == 0 ? 1.0 : double{weights[i]});
        float* point = points.data() + i * stride;
        for (std::size_t k = 0; k < 3; ++k) {
            point[k] = static_cast<float>((1 - share) * double{point[k]} + share * moved[3 * i + k]);
        }
    }
}

} // namespace sinew::host
