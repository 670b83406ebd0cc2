#pragma once

#include <maya/MFloatVector.h>
#include <maya/standin_array.h>

class MFloatVectorArray : public standin::Array<MFloatVector> {
public:
    using Array::Array;
    explicit MFloatVectorArray(unsigned int initialSize) : Array(initialSize, MFloatVector()) {}
};
