#include "primitives.h"

#include <algorithm>
#include <cmath>

namespace sinew::host {

double dot(const Point3& a, const Point3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Point3 cross(const Point3& a, const Point3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double length(const Point3& a) { return std::sqrt(dot(a, a)); }

Point3 unit(const Point3& a) {
    const double size = length(a);
    return size > 0 ? (1 / size) * a : a;
}

void Box::add(const Point3& point) {
    if (is_empty) low = high = point;
    is_empty = false;
    low = {std::min(low.x, point.x), std::min(low.y, point.y), std::min(low.z, point.z)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y), std::max(high.z, point.z)};
}

void Box::add(const Box& other) {
    if (other.is_empty) return;
    add(other.low);
    add(other.high);
}

double Box::diagonal() const { return length(high - low); }

void Lines::add(const Point3& from, const Point3& to, const Colour& colour) {
    points.push_back(from);
    points.push_back(to);
    colours.push_back(colour);
    colours.push_back(colour);
}

} // namespace sinew::host
