#pragma once

#include <maya/MFnBase.h>
#include <maya/MPlugin.h>
#include <maya/MPxNode.h>

#ifndef MNoPluginEntry
extern "C++" {
PLUGIN_EXPORT MStatus initializePlugin(MObject obj);
PLUGIN_EXPORT MStatus uninitializePlugin(MObject obj);
}
#endif

#ifndef MNoVersionString
/// For which version a plug-in was built. "MNoVersionString should be defined in all but one" of the files that include
/// this header (MFnPlugin in the reference): otherwise the plug-in does not link.
PLUGIN_EXPORT char MApiVersion[] = "20240200";
#endif

/// What a plug-in says of itself and registers while it is loaded.
class MFnPlugin : public MFnBase {
public:
    MFnPlugin() = default;
    MFnPlugin(MObject& object, const char* vendor = "Unknown", const char* version = "Unknown",
              const char* requiredApiVersion = "Any", MStatus* ReturnStatus = nullptr);
    MFn::Type type() const override { return MFn::kPlugin; }
    MString vendor(MStatus* ReturnStatus = nullptr) const;
    MString version(MStatus* ReturnStatus = nullptr) const;
    MString apiVersion(MStatus* ReturnStatus = nullptr) const;
    MString name(MStatus* ReturnStatus = nullptr) const;
    MString loadPath(MStatus* ReturnStatus = nullptr) const;
    MStatus setName(const MString& newName, bool allowRename = true);
    MStatus setVersion(const MString& newVersion);
    MStatus registerCommand(const MString& commandName, MCreatorFunction creatorFunction,
                            MCreateSyntaxFunction createSyntaxFunction = nullptr);
    MStatus deregisterCommand(const MString& commandName);
    MStatus registerNode(const MString& typeName, const MTypeId& typeId, MCreatorFunction creatorFunction,
                         MInitializeFunction initFunction, MPxNode::Type type = MPxNode::kDependNode,
                         const MString* classification = nullptr);
    MStatus deregisterNode(const MTypeId& typeId);
    MStatus registerUI(const MString& creationProc, const MString& deletionProc, const MString& creationBatchProc = "",
                       const MString& deletionBatchProc = "");
    static MObject findPlugin(const MString& pluginName);
    static bool isNodeRegistered(const MString& typeName);
    static const char* className() { return "MFnPlugin"; }
};
