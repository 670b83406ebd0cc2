#pragma once

#include <maya/MColor.h>
#include <maya/standin_array.h>

class MColorArray : public standin::Array<MColor> {
public:
    using Array::Array;
    explicit MColorArray(unsigned int initialSize) : Array(initialSize, MColor()) {}
};
