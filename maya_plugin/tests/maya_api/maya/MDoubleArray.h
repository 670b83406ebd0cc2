#pragma once

#include <maya/standin_array.h>

class MDoubleArray : public standin::Array<double> {
public:
    using Array::Array;
    explicit MDoubleArray(unsigned int initialSize) : Array(initialSize, 0.0) {}
};
