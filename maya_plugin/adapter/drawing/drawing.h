// What the viewport needs of the plug-in, registered and taken back as one.
#pragma once

#include <maya/MFnPlugin.h>
#include <maya/MStatus.h>

namespace sinew::maya {

/// Throws a Problem if Maya refuses something; what was registered before it stays until deregister_drawing.
void register_drawing(MFnPlugin& plugin);
/// What was not registered, Maya refuses; that is returned.
MStatus deregister_drawing(MFnPlugin& plugin);

} // namespace sinew::maya
