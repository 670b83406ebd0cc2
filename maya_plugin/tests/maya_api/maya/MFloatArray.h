#pragma once

#include <maya/standin_array.h>

class MFloatArray : public standin::Array<float> {
public:
    using Array::Array;
    explicit MFloatArray(unsigned int initialSize) : Array(initialSize, 0.0F) {}
};
