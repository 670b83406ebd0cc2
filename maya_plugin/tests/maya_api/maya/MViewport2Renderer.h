#pragma once

#include <maya/MTypes.h>

namespace MHWRender {
enum DrawAPI { kNone = 0, kOpenGL = (1 << 0), kDirectX11 = (1 << 1), kOpenGLCoreProfile = (1 << 2), kAllDevices = 7 };
} // namespace MHWRender
class MObject;
namespace MHWRender {
class MRenderer {
public:
    static void setGeometryDrawDirty(MObject obj, bool topologyChanged = true);
};
} // namespace MHWRender
