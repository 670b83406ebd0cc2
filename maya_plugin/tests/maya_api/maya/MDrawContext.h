#pragma once

#include <maya/MFrameContext.h>

namespace MHWRender {
class MDrawContext : public MFrameContext {};
} // namespace MHWRender
