#pragma once

#include <maya/MStatus.h>

class MPoint;
class MMatrix;
class MFloatVector;

/// A direction: matrices turn and scale it, and do not move it.
class MVector {
public:
    enum Axis { kXaxis, kYaxis, kZaxis, kWaxis };
    MVector() = default;
    MVector(const MPoint& point);
    MVector(const MFloatVector& vector);
    MVector(double xx, double yy, double zz = 0.0) : x(xx), y(yy), z(zz) {}
    MVector(const double d[3]) : x(d[0]), y(d[1]), z(d[2]) {}
    double operator()(unsigned int i) const { return i == 0 ? x : i == 1 ? y : z; }
    double operator[](unsigned int i) const { return (*this)(i); }
    double& operator[](unsigned int i) { return i == 0 ? x : i == 1 ? y : z; }
    /// The cross product.
    MVector operator^(const MVector& right) const;
    double operator*(const MVector& right) const { return x * right.x + y * right.y + z * right.z; }
    MVector& operator/=(double scalar) { return *this *= 1 / scalar; }
    MVector operator/(double scalar) const { return *this * (1 / scalar); }
    MVector& operator*=(double scalar) { return *this = *this * scalar; }
    MVector operator*(double scalar) const { return MVector(x * scalar, y * scalar, z * scalar); }
    MVector operator+(const MVector& other) const { return MVector(x + other.x, y + other.y, z + other.z); }
    MVector& operator+=(const MVector& other) { return *this = *this + other; }
    MVector operator-() const { return MVector(-x, -y, -z); }
    MVector& operator-=(const MVector& other) { return *this = *this - other; }
    MVector operator-(const MVector& other) const { return MVector(x - other.x, y - other.y, z - other.z); }
    MVector operator*(const MMatrix&) const;
    MVector& operator*=(const MMatrix& matrix) { return *this = *this * matrix; }
    bool operator==(const MVector& other) const { return x == other.x && y == other.y && z == other.z; }
    bool operator!=(const MVector& other) const { return !(*this == other); }
    MStatus get(double[3]) const;
    double length() const;
    MVector normal() const;
    MStatus normalize();
    bool isEquivalent(const MVector& other, double tolerance = 1e-10) const;
    friend MVector operator*(double scalar, const MVector& vector) { return vector * scalar; }
    static const MVector zero;
    static const MVector one;
    static const MVector xAxis;
    static const MVector yAxis;
    static const MVector zAxis;

    double x = 0;
    double y = 0;
    double z = 0;
};
