// Curves of the library as Maya's.
#pragma once

#include <maya/MObject.h>

#include <cstdint>

namespace sinew::maya {

/// A NURBS curve of degree 1 in a data block's form: its control vertices are the nodes, three numbers each, to the last
/// bit. A curve of one node, which Maya has not, is empty.
MObject make_curve(const double* nodes, std::uint32_t count);

} // namespace sinew::maya
