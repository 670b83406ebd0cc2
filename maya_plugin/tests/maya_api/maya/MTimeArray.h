#pragma once

#include <maya/MTime.h>
#include <maya/standin_array.h>

class MTimeArray : public standin::Array<MTime> {
public:
    using Array::Array;
    explicit MTimeArray(unsigned int initialSize) : Array(initialSize, MTime()) {}
};
