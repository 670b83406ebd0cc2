#pragma once

#include <maya/MFloatPoint.h>
#include <maya/standin_array.h>

class MFloatPointArray : public standin::Array<MFloatPoint> {
public:
    using Array::Array;
    using Array::append;
    using Array::set;
    explicit MFloatPointArray(unsigned int initialSize) : Array(initialSize, MFloatPoint()) {}
    MStatus set(unsigned int index, float x, float y, float z = 0, float w = 1) {
        return set(MFloatPoint(x, y, z, w), index);
    }
    MStatus append(float x, float y, float z = 0, float w = 1) { return append(MFloatPoint(x, y, z, w)); }
};
