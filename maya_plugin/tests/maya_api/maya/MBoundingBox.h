#pragma once

#include <maya/MPoint.h>

class MBoundingBox {
public:
    MBoundingBox() = default;
    MBoundingBox(const MPoint& corner1, const MPoint& corner2) {
        expand(corner1);
        expand(corner2);
    }
    void clear() { empty_ = true; }
    void expand(const MPoint& point);
    MPoint min() const { return min_; }
    MPoint max() const { return max_; }
    MPoint center() const { return MPoint((min_.x + max_.x) / 2, (min_.y + max_.y) / 2, (min_.z + max_.z) / 2); }
    double width() const { return max_.x - min_.x; }
    double height() const { return max_.y - min_.y; }
    double depth() const { return max_.z - min_.z; }

private:
    MPoint min_, max_;
    bool empty_ = true;
};
