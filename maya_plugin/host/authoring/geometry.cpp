#include "host/authoring/geometry.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sinew::host {
namespace {

/// Of axes at right angles, which single precision blurs on its way through the host.
constexpr double sheared = 1e-3;

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::array<double, 16> transposed(const std::array<double, 16>& matrix) {
    std::array<double, 16> found{};
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 4; ++column) found[4 * row + column] = matrix[4 * column + row];
    return found;
}

[[noreturn]] void refuse(const Placed& placed, const std::string& why) {
    throw std::invalid_argument(placed.name + " " + why);
}

} // namespace

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(double factor, const Vector& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }

Vector origin(const Axes& axes) { return {axes[3], axes[7], axes[11]}; }
Vector axis(const Axes& axes, std::size_t which) { return {axes[which], axes[4 + which], axes[8 + which]}; }

Vector out_of(const Axes& axes, const Vector& point) {
    Vector found = origin(axes);
    for (std::size_t k = 0; k < 3; ++k) found = found + point[k] * axis(axes, k);
    return found;
}

Vector into(const Axes& axes, const Vector& point) {
    const Vector from = point - origin(axes);
    return {dot(from, axis(axes, 0)), dot(from, axis(axes, 1)), dot(from, axis(axes, 2))};
}

Axes axes_of(const Placed& placed, bool row_vectors) {
    if (!std::all_of(placed.world.begin(), placed.world.end(), [](double x) { return std::isfinite(x); }))
        refuse(placed, "has a matrix that is not finite: look at what moves it.");
    Axes found = row_vectors ? transposed(placed.world) : placed.world;

    Vector unit[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const Vector scaled = axis(found, k);
        const double size = length(scaled);
        if (!(size > 1e-12)) refuse(placed, "is scaled to nothing: give it a scale.");
        unit[k] = (1 / size) * scaled;
    }
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(dot(unit[k], unit[(k + 1) % 3])) > sheared)
            refuse(placed, "is sheared by the scales of what is above it: freeze them, or place it elsewhere.");
    // Exactly at right angles, starting from the first axis.
    unit[1] = unit[1] - dot(unit[0], unit[1]) * unit[0];
    unit[1] = (1 / length(unit[1])) * unit[1];
    const Vector third = cross(unit[0], unit[1]);
    if (dot(third, unit[2]) < 0) refuse(placed, "is mirrored by a negative scale: freeze its transformations first.");
    unit[2] = third;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t row = 0; row < 3; ++row) found[4 * row + k] = unit[k][row];
    found[12] = found[13] = found[14] = 0;
    found[15] = 1;
    return found;
}

Matrix matrix_of(const Axes& axes, bool row_vectors) { return row_vectors ? transposed(axes) : axes; }

double to_segment(const Vector& point, const Vector& from, const Vector& to) {
    const Vector along = to - from;
    const double square = dot(along, along);
    const double part = square > 0 ? std::clamp(dot(point - from, along) / square, 0.0, 1.0) : 0.0;
    return length(point - (from + part * along));
}

double extent(const std::vector<Vector>& points) {
    if (points.empty()) return 0;
    Vector low = points.front(), high = low;
    for (const Vector& point : points)
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], point[k]);
            high[k] = std::max(high[k], point[k]);
        }
    return length(high - low);
}

} // namespace sinew::host
