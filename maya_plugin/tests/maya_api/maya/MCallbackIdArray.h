#pragma once

#include <maya/standin_array.h>

typedef std::uintptr_t MCallbackId;

class MCallbackIdArray : public standin::Array<MCallbackId> {
public:
    using Array::Array;
};
