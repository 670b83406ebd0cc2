#pragma once

#include <maya/standin_array.h>

class MUintArray : public standin::Array<unsigned int> {
public:
    using Array::Array;
    explicit MUintArray(unsigned int initialSize) : Array(initialSize, 0U) {}
};
