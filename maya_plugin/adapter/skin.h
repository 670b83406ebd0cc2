// What a node reads from a skin cluster through SkinArrays.
#pragma once

#include "adapter/values.h"

#include <maya/MMatrix.h>

namespace sinew::maya {

/// A matrix as 16 numbers in row-major order. Maya's are for row vectors, which every session is told.
void put_matrix(double* to, const MMatrix& matrix);
void append_matrix(std::vector<double>& to, const MMatrix& matrix);

/// Whether there is a way back from where a matrix puts points.
bool invertible(const MMatrix& matrix);
/// From the mesh's space to the world when it was bound.
MMatrix read_bound(const Kind& kind, MDataBlock& data);

/// Whether an input is one that a skin cluster's arrays feed.
bool is_of_skin(const Kind& kind, const Held& held);
/// Whether they do, which is so as soon as the array of weights has elements.
bool is_fed_by_skin(const Kind& kind, MDataBlock& data);

/// The joints' matrices. A skin cluster leaves gaps where influences were removed: joints are those that are there.
void read_joints(Values& values, const Kind& kind, MDataBlock& data);
/// Joints at rest, and which joints hold a vertex how much. Returns whether a skin cluster feeds them.
bool read_skin(Values& values, const Kind& kind, MDataBlock& data, const Body& body);

} // namespace sinew::maya
