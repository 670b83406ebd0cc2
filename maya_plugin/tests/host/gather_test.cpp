// Maps, UVs and points on their way between the host and the library.
#include "check.h"

#include "host/gather.h"

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace sinew;
using namespace sinew::host;

namespace {

void maps_have_the_default_elsewhere() {
    std::vector<float> map{9, 9, 9, 9, 9, 9, 9};
    const std::vector<std::uint32_t> indices{4, 0, 2, 7};
    const std::vector<float> values{0.5F, 0.25F, 1, 0.75F};
    fill_map(map, 5, 0.1F, indices, values);
    // Vertex 7 does not exist any longer.
    CHECK((map == std::vector<float>{0.25F, 0.1F, 1, 0.1F, 0.5F}));
    fill_map(map, 3, 2, {}, {});
    CHECK((map == std::vector<float>{2, 2, 2}));
    CHECK_THROWS(std::invalid_argument, (fill_map(map, 3, 2, indices, {values.data(), 1}), 0));
}

void corners_of_a_vertex_share_what_is_the_same() {
    // Two triangles and a square at vertex 1; a seam between the triangles.
    const std::vector<std::uint32_t> vertices{0, 1, 2, 2, 1, 3, 1, 4, 5, 3};
    const std::vector<double> uvs{0, 0, 1, 0, 1, 1, 0.5, 0, 1, 0, 0.25, 0.5, 1, 0, 0, 0, 7, 7, 0.25, 0.75};
    SharedUvs shared;
    for (int twice = 0; twice < 2; ++twice) {
        share_uvs(shared, uvs, vertices);
        CHECK((shared.corner_uvs == std::vector<int>{0, 1, 2, 3, 1, 4, 1, 5, 6, 7}));
        CHECK((shared.u == std::vector<float>{0, 1, 1, 0.5F, 0.25F, 0, 7, 0.25F}));
        CHECK((shared.v == std::vector<float>{0, 0, 1, 0, 0.5F, 0, 7, 0.75F}));
    }
    share_uvs(shared, {}, {});
    CHECK(shared.u.empty() && shared.corner_uvs.empty());
    CHECK_THROWS(std::invalid_argument, (share_uvs(shared, uvs, {vertices.data(), 3}), 0));
}

/// A grid whose UVs are one island has a UV for each vertex, however many corners meet there.
void an_island_stays_whole() {
    constexpr std::uint32_t side = 20;
    std::vector<std::uint32_t> vertices;
    std::vector<double> uvs;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t v = y * (side + 1) + x;
            for (const std::uint32_t corner : {v, v + 1, v + side + 2, v + side + 1}) {
                vertices.push_back(corner);
                uvs.insert(uvs.end(), {corner % (side + 1) / 3.0, corner / (side + 1) / 7.0});
            }
        }
    }
    SharedUvs shared;
    share_uvs(shared, uvs, vertices);
    CHECK_EQUAL(shared.u.size(), std::size_t{(side + 1) * (side + 1)});
    for (std::size_t corner = 0; corner < vertices.size(); ++corner) {
        const auto uv = static_cast<std::size_t>(shared.corner_uvs[corner]);
        CHECK_EQUAL(shared.u[uv], static_cast<float>(uvs[2 * corner]));
        CHECK_EQUAL(shared.v[uv], static_cast<float>(uvs[2 * corner + 1]));
    }
    // What is no number equals nothing, itself neither; it is passed on all the same.
    uvs[0] = std::numeric_limits<double>::quiet_NaN();
    share_uvs(shared, uvs, vertices);
    CHECK(std::isnan(shared.u[0]));
}

void weights_of_none_and_all_are_exact() {
    const std::vector<double> moved{1.1, -2.3, 1e-3, 4, 5, 6, 0.7, 0.8, 0.9};
    const std::vector<float> weights{0, 1, 0.5F};
    // A stride of 4, as homogeneous points have.
    std::vector<float> points{0.3F, 0.6F, -0.9F, 1, 7, 8, 9, 1, 1, 2, 3, 1};
    blend_points(points, 4, moved, 1, weights);
    CHECK((points == std::vector<float>{0.3F, 0.6F, -0.9F, 1, 4, 5, 6, 1, 0.85F, 1.4F, 1.95F, 1}));
    std::vector<float> all(9, 3.3F);
    blend_points(all, 3, moved, 1, {});
    for (std::size_t i = 0; i < 9; ++i) CHECK_EQUAL(all[i], static_cast<float>(moved[i]));
    std::vector<float> none(9, 3.3F);
    blend_points(none, 3, moved, 0, {});
    CHECK((none == std::vector<float>(9, 3.3F)));
    std::vector<float> half(9, 1);
    blend_points(half, 3, moved, 0.5F, weights);
    CHECK_EQUAL(half[3], 2.5F);
    CHECK_EQUAL(half[0], 1.0F);
    CHECK_THROWS(std::invalid_argument, (blend_points({half.data(), 8}, 3, moved, 1, {}), 0));
    CHECK_THROWS(std::invalid_argument, (blend_points(half, 3, moved, 1, {weights.data(), 2}), 0));
    CHECK_THROWS(std::invalid_argument, (blend_points(half, 2, moved, 1, {}), 0));
}

} // namespace

int main() {
    maps_have_the_default_elsewhere();
    corners_of_a_vertex_share_what_is_the_same();
    an_island_stays_whole();
    weights_of_none_and_all_are_exact();
    return tests::finish();
}
