#pragma once

#include <maya/MVector.h>

class MFloatPoint;

/// A place, in homogeneous coordinates.
class MPoint {
public:
    MPoint() = default;
    MPoint(const MFloatPoint& point);
    MPoint(const MVector& vector) : x(vector.x), y(vector.y), z(vector.z) {}
    MPoint(double xx, double yy, double zz = 0.0, double ww = 1.0) : x(xx), y(yy), z(zz), w(ww) {}
    MPoint(const double d[4]) : x(d[0]), y(d[1]), z(d[2]), w(d[3]) {}
    MStatus get(double[4]) const;
    MStatus get(float[4]) const;
    double operator[](unsigned int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    double& operator[](unsigned int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    MVector operator-(const MPoint& other) const { return MVector(x - other.x, y - other.y, z - other.z); }
    MPoint operator+(const MVector& other) const { return MPoint(x + other.x, y + other.y, z + other.z, w); }
    MPoint operator-(const MVector& other) const { return MPoint(x - other.x, y - other.y, z - other.z, w); }
    MPoint& operator+=(const MVector& vector) { return *this = *this + vector; }
    MPoint& operator-=(const MVector& vector) { return *this = *this - vector; }
    MPoint operator*(const double scale) const { return MPoint(x * scale, y * scale, z * scale, w); }
    /// The point as a row times the matrix.
    MPoint operator*(const MMatrix&) const;
    MPoint& operator*=(const MMatrix& matrix) { return *this = *this * matrix; }
    bool operator==(const MPoint& other) const { return x == other.x && y == other.y && z == other.z && w == other.w; }
    bool operator!=(const MPoint& other) const { return !(*this == other); }
    MPoint& cartesianize();
    double distanceTo(const MPoint& other) const { return (*this - other).length(); }
    bool isEquivalent(const MPoint& other, double tolerance = 1e-10) const;
    static const MPoint origin;

    double x = 0;
    double y = 0;
    double z = 0;
    double w = 1;
};
