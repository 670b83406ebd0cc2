#pragma once

#include <maya/MPoint.h>

/// A matrix for row vectors: the translation is in the last row.
class MMatrix {
public:
    MMatrix();
    MMatrix(const double m[4][4]);
    MMatrix(const float m[4][4]);
    double operator()(unsigned int row, unsigned int col) const { return matrix[row][col]; }
    double& operator()(unsigned int row, unsigned int col) { return matrix[row][col]; }
    const double* operator[](unsigned int row) const { return matrix[row]; }
    double* operator[](unsigned int row) { return matrix[row]; }
    MStatus get(double dest[4][4]) const;
    MStatus get(float dest[4][4]) const;
    MMatrix transpose() const;
    MMatrix& setToIdentity();
    MMatrix& setToProduct(const MMatrix& left, const MMatrix& right);
    MMatrix operator+(const MMatrix& right) const;
    MMatrix& operator*=(const MMatrix& right) { return *this = *this * right; }
    MMatrix operator*(const MMatrix& right) const;
    MMatrix operator*(double) const;
    bool operator==(const MMatrix& other) const;
    bool operator!=(const MMatrix& other) const { return !(*this == other); }
    MMatrix inverse() const;
    double det4x4() const;
    double det3x3() const;
    bool isEquivalent(const MMatrix& other, double tolerance = 1e-10) const;
    bool isSingular() const;

    double matrix[4][4];
    static const MMatrix identity;
};
