#pragma once

#include <maya/MTypes.h>

class MColor {
public:
    MColor() = default;
    MColor(float rr, float gg, float bb = 0.0, float aa = 1.0) : r(rr), g(gg), b(bb), a(aa) {}
    bool operator==(const MColor& o) const { return r == o.r && g == o.g && b == o.b && a == o.a; }
    bool operator!=(const MColor& o) const { return !(*this == o); }
    float r = 0;
    float g = 0;
    float b = 0;
    float a = 1;
};
