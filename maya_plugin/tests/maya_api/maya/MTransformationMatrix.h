#pragma once

#include <maya/MMatrix.h>

/// A matrix as scale, rotation and translation; the stand-in keeps the matrix only.
class MTransformationMatrix {
public:
    enum RotationOrder { kInvalid, kXYZ, kYZX, kZXY, kXZY, kYXZ, kZYX, kLast };
    MTransformationMatrix() = default;
    MTransformationMatrix(const MMatrix& matrix) : matrix_(matrix) {}
    MMatrix asMatrix() const { return matrix_; }
    MMatrix asMatrixInverse() const { return matrix_.inverse(); }
    MVector getTranslation(MSpace::Space space, MStatus* ReturnStatus = nullptr) const;
    MStatus setTranslation(const MVector& vector, MSpace::Space space);

private:
    MMatrix matrix_;
};
