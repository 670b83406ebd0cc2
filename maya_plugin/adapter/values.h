// From Maya's data blocks to what the library is given.
#pragma once

#include "adapter/kind.h"
#include "host/session.h"

#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MMatrix.h>
#include <maya/MString.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sinew::maya {

/// Values of inputs and the memory that they are views of.
struct Values {
    std::deque<std::vector<double>> doubles;
    std::deque<std::vector<float>> floats;
    std::deque<std::vector<std::uint32_t>> wholes;
    std::vector<host::PortValue> ports;
};

/// The body that goes through a node: Maya's mesh, null if there is none, and which geometry of a deformer it is.
struct Body {
    MObject mesh;
    unsigned geometry = 0;
    /// The set of UVs that is read and written.
    MString uv_set;
    /// From the mesh's space to the world now; the identity for nodes that work in the mesh's space.
    MMatrix to_world;

    std::size_t vertices() const;
};

/// Handles of a data block; both throw a Problem where Maya gives none.
MDataHandle input(MDataBlock& data, const MObject& attribute, const char* name);
MDataHandle output(MDataBlock& data, const MObject& attribute, const char* name);

/// The set of UVs of a mesh that a name means: that of the name, or without one the mesh's own.
MString uv_set_of(const MObject& mesh, const MString& name);

/// What does not move: it owns its memory, so that it can be kept from frame to frame. `points_move`: whether the points
/// of a body that the node skins belong to what moves, as deformers before the skinning move them.
std::shared_ptr<const Values> read_still(const Kind& kind, MDataBlock& data, const Body& body, bool points_move);
/// What moves; some of it is a view of Maya's memory, which is valid as long as the data block is not written to.
void read_moving(Values& values, const Kind& kind, MDataBlock& data, const Body& body, bool points_move);
host::ParamValue read_param(MDataBlock& data, const Held& held);

} // namespace sinew::maya
