#include "mirror.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace sinew::host {
namespace {

struct Place {
    double x, y, z;
};

Place place_of(Span<const float> points, std::size_t vertex) {
    const float* from = points.data() + 3 * vertex;
    return {double{from[0]}, double{from[1]}, double{from[2]}};
}

bool is_finite(const Place& place) {
    return std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z);
}

double distance_squared(const Place& a, const Place& b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

/// Vertices by cubes as wide as the tolerance, so that those near a place are in its cube or the 26 around it.
class Cubes {
public:
    Cubes(Span<const float> points, double width) : points_(points), width_(width) {
        for (std::size_t i = 0; i < points.size() / 3; ++i)
            if (is_finite(place_of(points, i))) cubes_[key(cell(place_of(points, i), {0, 0, 0}))].push_back(i);
    }

    std::size_t nearest(const Place& place) const {
        std::size_t best = Partners::none;
        double least = width_ * width_;
        for (int i = 0; i < 27; ++i) {
            const auto found = cubes_.find(key(cell(place, {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1})));
            if (found == cubes_.end()) continue;
            for (const std::size_t vertex : found->second) {
                const double apart = distance_squared(place, place_of(points_, vertex));
                // The lower number of two at one place, so that the result does not depend on the order of cubes.
                if (apart < least || (apart == least && vertex < best)) {
                    least = apart;
                    best = vertex;
                }
            }
        }
        return best;
    }

private:
    struct Cell {
        std::int64_t x, y, z;
    };
    struct Step {
        int x, y, z;
    };

    Cell cell(const Place& place, const Step& step) const {
        const auto at = [this](double value) { return static_cast<std::int64_t>(std::floor(value / width_)); };
        return {at(place.x) + step.x, at(place.y) + step.y, at(place.z) + step.z};
    }
    /// Cubes that share a key only cost time.
    static std::uint64_t key(const Cell& cell) {
        return static_cast<std::uint64_t>(cell.x) * 73856093U ^ static_cast<std::uint64_t>(cell.y) * 19349663U ^
               static_cast<std::uint64_t>(cell.z) * 83492791U;
    }

    Span<const float> points_;
    double width_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> cubes_;
};

double size_of(Span<const float> points) {
    double most = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t i = axis; i < points.size(); i += 3) {
            low = std::min(low, double{points[i]});
            high = std::max(high, double{points[i]});
        }
        most = std::max(most, high - low);
    }
    return most;
}

} // namespace

Partners mirror_partners(Span<const float> points) {
    if (points.size() % 3 != 0) throw std::invalid_argument("Points have three numbers each.");
    Partners partners;
    const std::size_t count = points.size() / 3;
    partners.of.assign(count, Partners::none);
    const double size = size_of(points);
    if (!(size > 0) || !std::isfinite(size)) {
        partners.without = count;
        return partners;
    }
    constexpr double share = 1e-3;
    const Cubes cubes(points, share * size);
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
        Place place = place_of(points, vertex);
        place.x = -place.x;
        if (is_finite(place)) partners.of[vertex] = cubes.nearest(place);
        if (partners.of[vertex] == Partners::none) ++partners.without;
    }
    return partners;
}

std::size_t mirror_map(Span<float> map, Span<const float> points, const Partners& partners) {
    if (3 * map.size() != points.size() || partners.of.size() != map.size())
        throw std::invalid_argument("A map has a value for each vertex.");
    std::size_t changed = 0;
    for (std::size_t vertex = 0; vertex < map.size(); ++vertex) {
        const std::size_t from = partners.of[vertex];
        if (points[3 * vertex] >= 0 || from == Partners::none || map[vertex] == map[from]) continue;
        // The other side is only read: its x is positive.
        if (points[3 * from] <= 0) continue;
        map[vertex] = map[from];
        ++changed;
    }
    return changed;
}

} // namespace sinew::host
