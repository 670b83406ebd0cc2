// Where the shape of a body comes from.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MTime.h>

namespace sinew::maya {

struct History {
    /// The mesh at rest, before all deformers; the deformed one; and the input of the shape that shows it.
    MPlug rest, deformed, shown;
    /// The mesh at rest with its world matrix, as Maya's own deformers take it.
    MPlug rest_in_world;
    /// The skin cluster; null where there is none.
    MObject skin;
};

/// Whether a mesh is read frame by frame, from a cache: it moves with time, and no undeformed shape is in its history.
bool is_cached(const MDagPath& shape);
/// Keeps such a body as it is at a time, as a mesh of its own below its transform, as Maya's deformers keep the
/// undeformed one. Not a part of any modifier: who undoes deletes it.
MObject freeze(const MDagPath& shape, const MTime& at);
/// Finds it; throws a Problem where the shape is not deformed by anything. `rest`: the shape of the body at rest; null:
/// the undeformed one in the history.
History find_history(const MDagPath& shape, const MObject& rest);

} // namespace sinew::maya
