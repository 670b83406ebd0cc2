// How long it takes, around a step, to bring a body of 40,000 vertices to the library and what it gives back: hashing
// all inputs, filling maps, sharing UVs, blending points. The median of many runs; build with -O2.
#include "host/digest.h"
#include "host/gather.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

using namespace sinew;
using namespace sinew::host;

namespace {

double milliseconds(const char* what, const std::function<void()>& call) {
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        const auto before = std::chrono::steady_clock::now();
        call();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count());
    }
    std::nth_element(times.begin(), times.begin() + 100, times.end());
    std::printf("%-34s %.3f ms\n", what, times[100]);
    return times[100];
}

} // namespace

int main() {
    constexpr std::uint32_t wide = 200, high = 200, vertices = wide * high;
    std::vector<float> points(3 * vertices), map, uvs, weights(vertices, 0.5F);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = std::sin(static_cast<float>(i));
    // A seam along one side: its corners have UVs of their own.
    std::vector<std::uint32_t> sizes, corners, corner_uvs;
    for (std::uint32_t y = 0; y + 1 < high; ++y) {
        for (std::uint32_t x = 0; x < wide; ++x) {
            const std::uint32_t next = (x + 1) % wide;
            sizes.push_back(4);
            for (const std::uint32_t v : {y * wide + x, y * wide + next, (y + 1) * wide + next, (y + 1) * wide + x}) {
                corners.push_back(v);
            }
            for (const std::uint32_t uv : {0U, 1U, wide + 2, wide + 1}) corner_uvs.push_back(y * (wide + 1) + x + uv);
        }
    }
    uvs.resize(2 * std::size_t{high} * (wide + 1), 0.25F);
    std::vector<double> slid, moved(points.begin(), points.end());
    for (const std::uint32_t uv : corner_uvs) {
        slid.push_back(uv % (wide + 1) / 200.0);
        slid.push_back(uv / (wide + 1) / 200.0);
    }
    std::vector<std::uint32_t> painted;
    for (std::uint32_t v = 0; v < vertices; v += 2) painted.push_back(v);
    const std::vector<float> values(painted.size(), 0.75F);

    std::uint64_t sink = 0;
    SharedUvs shared;
    double sum = 0;
    sum += milliseconds("hash the points that moved", [&] {
        sink += Digester().array(array<const float>({points.data(), points.size()}, 3)).finish().low;
    });
    sum += milliseconds("hash the mesh at rest", [&] {
        Digester made;
        made.values(Span<const float>(points)).values(Span<const std::uint32_t>(sizes));
        made.values(Span<const std::uint32_t>(corners)).values(Span<const float>(uvs));
        sink += made.values(Span<const std::uint32_t>(corner_uvs)).finish().low;
    });
    sum += milliseconds("fill two maps, half painted", [&] {
        for (int i = 0; i < 2; ++i) fill_map(map, vertices, 1, painted, values);
    });
    sum += milliseconds("hash two maps", [&] {
        for (int i = 0; i < 2; ++i) sink += Digester().values(Span<const float>(map)).finish().low;
    });
    sum += milliseconds("share the UVs of all corners", [&] { share_uvs(shared, slid, corners); });
    sum += milliseconds("blend all points", [&] { blend_points(points, 3, moved, 0.999F, weights); });
    std::printf("%-34s %.3f ms\n", "in sum", sum);
    const double strided_time = milliseconds("hash points among others (stride 16)", [&] {
        sink += Digester().array(strided(points.data(), vertices / 4 * 3, 3, 16)).finish().low;
    });
    std::printf("%zu UVs, %.1f GB/s strided, %u\n", shared.u.size(), vertices / 4 * 3 * 12e-6 / strided_time,
                static_cast<unsigned>(sink & 1));
    return 0;
}
