// Only one file of a plug-in may have what MFnPlugin.h defines (MFnPlugin in the Maya C++ API reference): plugin.cpp.
#define MNoVersionString
#define MNoPluginEntry
#include "adapter/drawing/drawing.h"

#include "adapter/drawing/draw_override.h"
#include "adapter/drawing/show_command.h"
#include "adapter/drawing/view_node.h"
#include "adapter/guard.h"

#include <maya/MDrawRegistry.h>

namespace sinew::maya {
namespace {

void* create_view() {
    try {
        return new ViewNode;
    } catch (...) {
        return nullptr;
    }
}

} // namespace

void register_drawing(MFnPlugin& plugin) {
    const MString classification(ViewNode::classification);
    ensure(plugin.registerNode(ViewNode::type_name, ViewNode::id(), &create_view, &ViewNode::make_attributes,
                               MPxNode::kLocatorNode, &classification),
           "register sinewView");
    ensure(MHWRender::MDrawRegistry::registerDrawOverrideCreator(classification, ViewNode::registrant,
                                                                 &ViewOverride::create),
           "register how sinewView is drawn");
    ensure(plugin.registerCommand(ShowCommand::command_name, &create_command<ShowCommand>, &ShowCommand::make_syntax),
           std::string("register ") + ShowCommand::command_name);
}

MStatus deregister_drawing(MFnPlugin& plugin) {
    MStatus worst = MS::kSuccess;
    for (const MStatus& status :
         {plugin.deregisterCommand(ShowCommand::command_name),
          MHWRender::MDrawRegistry::deregisterDrawOverrideCreator(ViewNode::classification, ViewNode::registrant),
          plugin.deregisterNode(ViewNode::id())})
        if (!status) worst = status;
    return worst;
}

} // namespace sinew::maya
