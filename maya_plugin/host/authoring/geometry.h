// Places of the host's objects, and where the library has them.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace sinew::host {

using Vector = std::array<double, 3>;

/// 16 numbers in the order in which the host stores them.
using Matrix = std::array<double, 16>;

/// Rigid axes as documents have them: row by row, for column vectors, so that the origin is in elements 3, 7 and 11.
using Axes = std::array<double, 16>;

/// An object of the host: its name, what the host finds it by, and its matrix in the world.
struct Placed {
    std::string name, object;
    Matrix world;
};

/// The axes at which an object is, without its scale. Throws std::invalid_argument if it is mirrored, sheared, flat or
/// not finite. This and its inverse are the only places where matrices of the host are turned into axes.
Axes axes_of(const Placed& placed, bool row_vectors);
Matrix matrix_of(const Axes& axes, bool row_vectors);

Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Vector operator*(double factor, const Vector& a);
double dot(const Vector& a, const Vector& b);
double length(const Vector& a);

Vector origin(const Axes& axes);
/// One of the axes' unit vectors.
Vector axis(const Axes& axes, std::size_t which);
/// A point that is given in axes, in the world; and the other way round.
Vector out_of(const Axes& axes, const Vector& point);
Vector into(const Axes& axes, const Vector& point);

/// How far a point is from the line between two others.
double to_segment(const Vector& point, const Vector& from, const Vector& to);

/// The diagonal of the box around points.
double extent(const std::vector<Vector>& points);

} // namespace sinew::host
