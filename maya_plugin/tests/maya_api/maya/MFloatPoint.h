#pragma once

#include <maya/MPoint.h>

class MFloatPoint {
public:
    MFloatPoint() = default;
    MFloatPoint(const MPoint& point)
        : x(static_cast<float>(point.x)), y(static_cast<float>(point.y)), z(static_cast<float>(point.z)),
          w(static_cast<float>(point.w)) {}
    MFloatPoint(float xx, float yy, float zz = 0.0, float ww = 1.0) : x(xx), y(yy), z(zz), w(ww) {}
    float operator[](unsigned int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    float& operator[](unsigned int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    bool operator==(const MFloatPoint& other) const {
        return x == other.x && y == other.y && z == other.z && w == other.w;
    }
    bool operator!=(const MFloatPoint& other) const { return !(*this == other); }
    static const MFloatPoint origin;

    float x = 0;
    float y = 0;
    float z = 0;
    float w = 1;
};
