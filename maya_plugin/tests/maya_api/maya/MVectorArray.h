#pragma once

#include <maya/MVector.h>
#include <maya/standin_array.h>

class MVectorArray : public standin::Array<MVector> {
public:
    using Array::Array;
    explicit MVectorArray(unsigned int initialSize) : Array(initialSize, MVector()) {}
};
