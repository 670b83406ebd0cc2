// What a viewport is given: triangles, lines, dots and legends, in the host's unit and the space of the node's places.
#pragma once

#include "scale.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew::host {

struct Point3 {
    double x = 0, y = 0, z = 0;
};

inline Point3 operator+(const Point3& a, const Point3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point3 operator-(const Point3& a, const Point3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point3 operator*(double s, const Point3& a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(const Point3& a, const Point3& b);
Point3 cross(const Point3& a, const Point3& b);
double length(const Point3& a);
/// With a length of 1; a vector without any length stays as it is.
Point3 unit(const Point3& a);

struct Box {
    Point3 low, high;
    bool is_empty = true;

    void add(const Point3& point);
    void add(const Box& other);
    /// From corner to corner.
    double diagonal() const;
};

/// Each vertex has a place, a normal and a colour; three vertices make a triangle.
struct Triangles {
    std::vector<Point3> points, normals;
    std::vector<Colour> colours;
    std::vector<std::uint32_t> vertices;
};

/// Two places, with a colour each, make a line. Width in pixels.
struct Lines {
    std::vector<Point3> points;
    std::vector<Colour> colours;
    double width = 1;

    void add(const Point3& from, const Point3& to, const Colour& colour);
};

/// Size in pixels.
struct Dots {
    std::vector<Point3> points;
    std::vector<Colour> colours;
    double size = 5;
};

struct Picture {
    std::vector<Triangles> triangles;
    std::vector<Lines> lines;
    std::vector<Dots> dots;
    std::vector<Legend> legends;
    /// What could not be drawn and why: whole sentences.
    std::vector<std::string> problems;
    Box box;
};

} // namespace sinew::host
