#pragma once

#include <maya/MVector.h>

class MFloatVector {
public:
    MFloatVector() = default;
    MFloatVector(const MVector& vector)
        : x(static_cast<float>(vector.x)), y(static_cast<float>(vector.y)), z(static_cast<float>(vector.z)) {}
    MFloatVector(float xx, float yy, float zz = 0.0F) : x(xx), y(yy), z(zz) {}
    float operator[](unsigned int i) const { return i == 0 ? x : i == 1 ? y : z; }
    float& operator[](unsigned int i) { return i == 0 ? x : i == 1 ? y : z; }
    bool operator==(const MFloatVector& other) const { return x == other.x && y == other.y && z == other.z; }

    float x = 0;
    float y = 0;
    float z = 0;
};
