#include "transfer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace sinew::host {
namespace {

using Place = std::array<double, 3>;

/// The body in a cube from 0 to 1 along each axis; flat ones stay flat.
std::vector<Place> in_cube(Span<const float> points) {
    std::vector<Place> places(points.size() / 3);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (!std::isfinite(points[3 * i + axis])) continue;
            low = std::min(low, double{points[3 * i + axis]});
            high = std::max(high, double{points[3 * i + axis]});
        }
        const double scale = high > low ? 1 / (high - low) : 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            // Broken numbers lie at the box's corner: any place will do.
            const double at = double{points[3 * i + axis]};
            places[i][axis] = std::isfinite(at) ? (at - low) * scale : 0;
        }
    }
    return places;
}

/// A balanced tree that halves the vertices along x, y, z in turn; node = the middle of a range of `order_`.
class Tree {
public:
    explicit Tree(const std::vector<Place>& places) : places_(places), order_(places.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        build(0, order_.size(), 0);
    }

    std::size_t nearest(const Place& place) const {
        Best best{order_.front(), std::numeric_limits<double>::infinity()};
        search(place, 0, order_.size(), 0, best);
        return best.vertex;
    }

private:
    struct Best {
        std::size_t vertex;
        double squared;
    };

    void build(std::size_t first, std::size_t last, std::size_t axis) {
        if (last - first < 2) return;
        const std::size_t middle = first + (last - first) / 2;
        const auto at = [this](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(first), at(middle), at(last), [&](std::size_t a, std::size_t b) {
            return places_[a][axis] < places_[b][axis] || (places_[a][axis] == places_[b][axis] && a < b);
        });
        build(first, middle, (axis + 1) % 3);
        build(middle + 1, last, (axis + 1) % 3);
    }

    void search(const Place& place, std::size_t first, std::size_t last, std::size_t axis, Best& best) const {
        if (first == last) return;
        const std::size_t middle = first + (last - first) / 2, vertex = order_[middle];
        double squared = 0;
        for (std::size_t k = 0; k < 3; ++k)
            squared += (place[k] - places_[vertex][k]) * (place[k] - places_[vertex][k]);
        if (squared < best.squared || (squared == best.squared && vertex < best.vertex)) best = {vertex, squared};
        const double side = place[axis] - places_[vertex][axis];
        const std::size_t next = (axis + 1) % 3;
        if (side < 0) search(place, first, middle, next, best);
        else search(place, middle + 1, last, next, best);
        if (side * side > best.squared) return;
        if (side < 0) search(place, middle + 1, last, next, best);
        else search(place, first, middle, next, best);
    }

    const std::vector<Place>& places_;
    std::vector<std::size_t> order_;
};

} // namespace

std::vector<std::size_t> nearest_vertices(Span<const float> from, Span<const float> to) {
    if (from.size() < 3) throw std::invalid_argument("The body that maps come from has no vertices.");
    const std::vector<Place> there = in_cube(from), here = in_cube(to);
    const Tree tree(there);
    std::vector<std::size_t> found;
    found.reserve(here.size());
    for (const Place& place : here) found.push_back(tree.nearest(place));
    return found;
}

} // namespace sinew::host
