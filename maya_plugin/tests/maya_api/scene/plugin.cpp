// Plug-ins: loaded, asked to register what they bring, unloaded.

#include "world.h"

#include <maya/MDrawRegistry.h>
#define MNoVersionString
#include <maya/MFnPlugin.h>

#include <dlfcn.h>

#include <algorithm>

using namespace standin;

namespace {

Plugin* plugin_of(const MObject& object) {
    auto* thing = dynamic_cast<PluginThing*>(object.standin_thing().get());
    return thing ? thing->plugin : nullptr;
}

} // namespace

MFnPlugin::MFnPlugin(MObject& object, const char* vendor, const char* version, const char*, MStatus* s) {
    Plugin* plugin = plugin_of(object);
    if (s) *s = plugin ? MStatus::kSuccess : MStatus::kInvalidParameter;
    if (!plugin) return;
    object_ = object;
    // Vendor and version are those of the first function set.
    if (plugin->vendor.empty()) plugin->vendor = vendor, plugin->version = version;
}
MString MFnPlugin::vendor(MStatus* s) const {
    return give(standin::text(plugin_of(object_) ? plugin_of(object_)->vendor : ""), s);
}
MString MFnPlugin::version(MStatus* s) const {
    return give(standin::text(plugin_of(object_) ? plugin_of(object_)->version : ""), s);
}
MString MFnPlugin::apiVersion(MStatus* s) const { return give(MString(std::to_string(MAYA_API_VERSION).c_str()), s); }
MString MFnPlugin::name(MStatus* s) const {
    return give(standin::text(plugin_of(object_) ? plugin_of(object_)->name : ""), s);
}
/// The folder of the module.
MString MFnPlugin::loadPath(MStatus* s) const {
    const std::string path = plugin_of(object_) ? plugin_of(object_)->path : "";
    const std::size_t slash = path.rfind('/');
    return give(standin::text(slash == std::string::npos ? "" : path.substr(0, slash)), s);
}
MStatus MFnPlugin::setName(const MString& name, bool) {
    return plugin_of(object_) ? (plugin_of(object_)->name = name.asUTF8(), MStatus()) : MStatus::kFailure;
}
MStatus MFnPlugin::setVersion(const MString& version) {
    return plugin_of(object_) ? (plugin_of(object_)->version = version.asUTF8(), MStatus()) : MStatus::kFailure;
}
/// A name that is taken is refused.
MStatus MFnPlugin::registerCommand(const MString& name, MCreatorFunction creator, MCreateSyntaxFunction syntax) {
    if (!plugin_of(object_) || !creator || world().command_types.count(name.asUTF8())) return MStatus::kFailure;
    world().command_types[name.asUTF8()] = CommandType{plugin_of(object_)->name, creator, syntax};
    return MStatus();
}
MStatus MFnPlugin::deregisterCommand(const MString& name) {
    return world().command_types.erase(name.asUTF8()) ? MStatus::kSuccess : MStatus::kInvalidParameter;
}
/// The initializer is called once, now, and adds the attributes. Names and ids must be free; a deformer's creator gives
/// a deformer (MFnPlugin::registerNode).
MStatus MFnPlugin::registerNode(const MString& name, const MTypeId& id, MCreatorFunction creator,
                                MInitializeFunction initialize, MPxNode::Type kind, const MString* classification) {
    World& w = world();
    if (!plugin_of(object_) || !creator || !initialize || type_named(name.asUTF8()) || type_with_id(id.id()))
        return MStatus::kFailure;
    auto type = std::make_shared<NodeType>();
    type->name = name.asUTF8();
    type->id = id.id();
    type->plugin = plugin_of(object_)->name;
    type->creator = creator;
    type->classification = classification ? classification->asUTF8() : "";
    w.making = type.get();
    inherit(*type, kind);
    MStatus status;
    try {
        status = initialize();
    } catch (...) {
        fault("An exception left the initializer of " + type->name + ".");
        status = MStatus::kFailure;
    }
    w.making = nullptr;
    if (status) w.types[type->name] = type;
    return status;
}
/// Not while nodes of the type exist.
MStatus MFnPlugin::deregisterNode(const MTypeId& id) {
    const auto type = type_with_id(id.id());
    if (!type) return MStatus::kInvalidParameter;
    for (const auto& node : world().nodes)
        if (node->kind == type) return MStatus::kFailure;
    world().types.erase(type->name);
    return MStatus();
}
/// Names of MEL procedures that make and remove a plug-in's user interface.
MStatus MFnPlugin::registerUI(const MString& creation, const MString& deletion, const MString&, const MString&) {
    if (!plugin_of(object_)) return MStatus::kFailure;
    const std::lock_guard<std::mutex> lock(world().record_mutex);
    world().executed.push_back(std::string("registerUI ") + creation.asUTF8() + " " + deletion.asUTF8());
    return MStatus();
}
MObject MFnPlugin::findPlugin(const MString& name) {
    for (const auto& plugin : world().plugins)
        if (plugin->name == name.asUTF8()) return MObject(std::static_pointer_cast<Thing>(plugin->thing));
    return MObject();
}
bool MFnPlugin::isNodeRegistered(const MString& name) { return type_named(name.asUTF8()) != nullptr; }

namespace standin {

std::string load_entry(const std::string& name, const std::string& path, void* library, MStatus (*initialize)(MObject),
                       MStatus (*uninitialize)(MObject)) {
    auto plugin = std::make_unique<Plugin>();
    plugin->name = name;
    plugin->path = path;
    plugin->library = library;
    plugin->uninitialize = uninitialize;
    plugin->thing = std::make_shared<PluginThing>();
    plugin->thing->plugin = plugin.get();
    Plugin* kept = plugin.get();
    world().plugins.push_back(std::move(plugin));
    const Edit edit;
    MStatus status;
    try {
        status = initialize(MObject(std::static_pointer_cast<Thing>(kept->thing)));
    } catch (...) {
        fault("An exception left initializePlugin of " + name + ".");
        status = MStatus::kFailure;
    }
    if (status) return "";
    world().plugins.pop_back();
    return "initializePlugin of " + name + " failed: " + status.errorString().asUTF8();
}

/// The module is opened, and its initializePlugin called.
std::string load_module(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    const auto find = [library](const char* name) {
        return reinterpret_cast<MStatus (*)(MObject)>(dlsym(library, name));
    };
    auto initialize = find("_Z16initializePlugin7MObject"), uninitialize = find("_Z18uninitializePlugin7MObject");
    std::string problem = "The module " + path + " has no initializePlugin.";
    if (initialize && uninitialize) {
        const std::size_t slash = path.rfind('/');
        std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
        name = name.substr(0, name.rfind('.'));
        problem = load_entry(name, path, library, initialize, uninitialize);
    }
    if (!problem.empty()) dlclose(library);
    return problem;
}

/// Refused while nodes of its types are in the scene, or could come back by undo: the undo queue is emptied.
std::string unload(const std::string& name_or_path) {
    World& w = world();
    for (auto i = w.plugins.begin(); i != w.plugins.end(); ++i) {
        Plugin& plugin = **i;
        if (plugin.name != name_or_path && plugin.path != name_or_path) continue;
        for (const auto& node : w.nodes)
            if (node->kind->plugin == plugin.name)
                return "The plug-in " + plugin.name + " is in use by " + node->name + ".";
        w.undo_stack.clear();
        w.redo_stack.clear();
        w.graph.reset();
        const Edit edit;
        MStatus status = plugin.uninitialize(MObject(std::static_pointer_cast<Thing>(plugin.thing)));
        for (const auto& each : w.types)
            if (each.second->plugin == plugin.name)
                fault("The node type " + each.first + " is still registered after unloading.");
        for (const auto& each : w.command_types)
            if (each.second.plugin == plugin.name)
                fault("The command " + each.first + " is still registered after unloading.");
        void* library = plugin.library;
        const std::string name = plugin.name;
        w.plugins.erase(i);
        if (library) dlclose(library);
        return status ? "" : "uninitializePlugin of " + name + " failed.";
    }
    return "There is no plug-in " + name_or_path + ".";
}

} // namespace standin
