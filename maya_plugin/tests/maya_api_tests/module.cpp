// The toys as a module that is loaded as a plug-in is.
#include "toys.h"

#include <maya/MFnPlugin.h>

PLUGIN_EXPORT MStatus initializePlugin(MObject object) { return toys::initialize(object); }
PLUGIN_EXPORT MStatus uninitializePlugin(MObject object) { return toys::uninitialize(object); }
