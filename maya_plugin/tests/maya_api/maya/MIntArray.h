#pragma once

#include <maya/standin_array.h>

class MIntArray : public standin::Array<int> {
public:
    using Array::Array;
    explicit MIntArray(unsigned int initialSize) : Array(initialSize, 0) {}
};
