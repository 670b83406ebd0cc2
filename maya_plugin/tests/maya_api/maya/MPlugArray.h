#pragma once

#include <maya/MPlug.h>
#include <maya/standin_array.h>

class MPlugArray : public standin::Array<MPlug> {
public:
    using Array::Array;
};
