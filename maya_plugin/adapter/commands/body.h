// Where the body goes into a node and comes out of it.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MPlug.h>

namespace sinew::maya {

/// Whether a node of a type has a body; without one, there is neither of these plugs.
bool has_body(const Kind& kind);
MPlug body_input(const Found& node);
MPlug body_output(const Found& node);

/// The same of Maya's own deformers, for one of the geometries that they have.
MPlug deformer_input(const MObject& deformer, unsigned geometry);
MPlug deformer_output(const MObject& deformer, unsigned geometry);

} // namespace sinew::maya
