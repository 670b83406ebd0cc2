#pragma once

#include <maya/MDagPath.h>
#include <maya/standin_array.h>

class MDagPathArray : public standin::Array<MDagPath> {
public:
    using Array::Array;
};
