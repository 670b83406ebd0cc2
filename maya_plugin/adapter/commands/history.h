// Where the shape of a body comes from.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MObject.h>
#include <maya/MPlug.h>

namespace sinew::maya {

struct History {
    /// The mesh at rest, before all deformers; the deformed one; and the input of the shape that shows it.
    MPlug rest, deformed, shown;
    /// The mesh at rest with its world matrix, as Maya's own deformers take it.
    MPlug rest_in_world;
    /// The skin cluster; null where there is none.
    MObject skin;
};

/// Finds it; throws a Problem where the shape is not deformed by anything.
History find_history(const MDagPath& shape);

} // namespace sinew::maya
