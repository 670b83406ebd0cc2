// Curve shapes in the scene for the curves that a node makes.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/edit.h"

#include <maya/MDagModifier.h>

namespace sinew::maya {

/// Makes a shape of each curve that nothing shows yet, below one transform that stays at the origin, since they are in
/// the world; and collects their connections in `links`. Shapes are called after the tendons.
host::Done add_curve_shapes(MDagModifier& shapes, MDGModifier& links, const Found& node);

} // namespace sinew::maya
