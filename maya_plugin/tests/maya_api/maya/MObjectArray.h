#pragma once

#include <maya/MObject.h>
#include <maya/standin_array.h>

class MObjectArray : public standin::Array<MObject> {
public:
    using Array::Array;
    explicit MObjectArray(unsigned int initialSize) : Array(initialSize, MObject()) {}
};
