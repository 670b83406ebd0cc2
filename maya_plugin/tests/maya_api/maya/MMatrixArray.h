#pragma once

#include <maya/MMatrix.h>
#include <maya/standin_array.h>

class MMatrixArray : public standin::Array<MMatrix> {
public:
    MMatrixArray() = default;
    explicit MMatrixArray(unsigned int initialSize) : Array(initialSize, MMatrix()) {}
};
