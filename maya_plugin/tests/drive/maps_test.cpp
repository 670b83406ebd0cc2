// Maps from side to side and from body to body, without a scene.
#include "../host/check.h"
#include "host/mirror.h"
#include "host/transfer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace sinew::host;

namespace {

/// Vertices at random places with x > 0, their mirror images, and some in the plane, all shuffled.
std::vector<float> symmetric_body(std::mt19937& random, std::vector<std::size_t>& partners) {
    std::uniform_real_distribution<float> side(0.05F, 3), along(-40, 40);
    std::vector<float> points;
    std::vector<std::size_t> order(240);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    points.resize(3 * order.size());
    partners.resize(order.size());
    const auto put = [&](std::size_t vertex, float x, float y, float z) {
        points[3 * vertex] = x;
        points[3 * vertex + 1] = y;
        points[3 * vertex + 2] = z;
    };
    for (std::size_t i = 0; i < 200; i += 2) {
        const float x = side(random), y = along(random), z = along(random);
        put(order[i], x, y, z);
        put(order[i + 1], -x, y, z);
        partners[order[i]] = order[i + 1];
        partners[order[i + 1]] = order[i];
    }
    for (std::size_t i = 200; i < order.size(); ++i) {
        put(order[i], 0, along(random), along(random));
        partners[order[i]] = order[i];
    }
    return points;
}

void sides_find_each_other() {
    std::mt19937 random(3);
    std::vector<std::size_t> expected;
    std::vector<float> points = symmetric_body(random, expected);
    // As modelled by hand: not to the last bit.
    for (float& number : points) number += 1e-3F * (static_cast<float>(random() % 100) / 100 - 0.5F);
    const Partners found = mirror_partners(points);
    CHECK_EQUAL(found.without, std::size_t{0});
    CHECK(found.of == expected);

    std::vector<float> map(points.size() / 3);
    for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<float>(i) / 240;
    const std::vector<float> before = map;
    CHECK(mirror_map(map, points, found) >= 100);
    for (std::size_t i = 0; i < map.size(); ++i) {
        const bool taken = points[3 * i] < 0 && expected[i] != i;
        CHECK_EQUAL(map[i], taken ? before[expected[i]] : before[i]);
    }
    CHECK_EQUAL(mirror_map(map, points, found), std::size_t{0});
}

void a_lonely_vertex_keeps_its_value() {
    const std::vector<float> points{1, 0, 0, -1, 0, 0, -2, 5, 0};
    const Partners found = mirror_partners(points);
    CHECK_EQUAL(found.without, std::size_t{1});
    std::vector<float> map{0.5F, 0, 0.25F};
    CHECK_EQUAL(mirror_map(map, points, found), std::size_t{1});
    CHECK((map == std::vector<float>{0.5F, 0.5F, 0.25F}));
}

void nothing_to_pair() {
    CHECK(mirror_partners({}).of.empty());
    const std::vector<float> one{0, 0, 0, 0, 0, 0};
    CHECK_EQUAL(mirror_partners(one).without, std::size_t{2});
    const std::vector<float> broken{1, 0, 0, NAN, 0, 0};
    CHECK_EQUAL(mirror_partners(broken).without, std::size_t{2});
    CHECK_EQUAL(nearest_vertices(broken, broken).size(), std::size_t{2});
    CHECK_THROWS(std::invalid_argument, mirror_partners(std::vector<float>{1, 2}));
}

void the_nearest_is_the_nearest() {
    std::mt19937 random(9);
    std::uniform_real_distribution<float> place(0, 1);
    std::vector<float> from(3 * 500), to(3 * 300);
    for (float& number : from) number = place(random);
    for (float& number : to) number = place(random);
    // Both fill the same box already.
    for (std::size_t k = 0; k < 3; ++k) {
        from[k] = to[k] = 0;
        from[3 + k] = to[3 + k] = 1;
    }
    const std::vector<std::size_t> found = nearest_vertices(from, to);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto apart = [&](std::size_t j) {
            double sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += (double{to[3 * i + k]} - double{from[3 * j + k]}) *
                       (double{to[3 * i + k]} - double{from[3 * j + k]});
            return sum;
        };
        for (std::size_t j = 0; j < 500; ++j) CHECK(apart(found[i]) <= apart(j));
    }
    // A body that is larger and elsewhere is the same body.
    std::vector<float> larger = from;
    for (std::size_t i = 0; i < larger.size(); ++i) larger[i] = 3 * larger[i] + 7;
    const std::vector<std::size_t> same = nearest_vertices(larger, from);
    for (std::size_t i = 0; i < same.size(); ++i) CHECK_EQUAL(same[i], i);
    CHECK_THROWS(std::invalid_argument, nearest_vertices({}, to));
}

} // namespace

int main() {
    sides_find_each_other();
    a_lonely_vertex_keeps_its_value();
    nothing_to_pair();
    the_nearest_is_the_nearest();
    return sinew::tests::finish();
}
