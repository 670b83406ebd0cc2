#pragma once

#include <maya/MObject.h>
#include <maya/MString.h>

namespace MHWRender {
class MPxDrawOverride;

/// Which override draws nodes of a classification.
class MDrawRegistry {
public:
    typedef MPxDrawOverride* (*DrawOverrideCreator)(const MObject&);
    static MStatus registerDrawOverrideCreator(const MString& drawClassification, const MString& registrantId,
                                               DrawOverrideCreator creator);
    static MStatus deregisterDrawOverrideCreator(const MString& drawClassification, const MString& registrantId);
};
} // namespace MHWRender
