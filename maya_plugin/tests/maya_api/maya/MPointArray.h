#pragma once

#include <maya/MPoint.h>
#include <maya/standin_array.h>

class MPointArray : public standin::Array<MPoint> {
public:
    using Array::Array;
    using Array::append;
    using Array::set;
    explicit MPointArray(unsigned int initialSize) : Array(initialSize, MPoint()) {}
    MStatus set(unsigned int index, double x, double y, double z = 0, double w = 1) {
        return set(MPoint(x, y, z, w), index);
    }
    MStatus append(double x, double y, double z = 0, double w = 1) { return append(MPoint(x, y, z, w)); }
};
