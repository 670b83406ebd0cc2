// The host as a whole: selection, time slider, commands, idle time, files.

#include "world.h"

#include <maya/MAnimControl.h>
#include <maya/MFileObject.h>
#include <maya/MGlobal.h>
#include <maya/MVector.h>

#include <algorithm>
#include <fstream>

using namespace standin;

MString MGlobal::mayaVersion() { return "2024"; }
int MGlobal::apiVersion() { return MAYA_API_VERSION; }
/// Batch is Maya without a window, where it renders or runs a script.
MGlobal::MMayaState MGlobal::mayaState(MStatus* s) { return give(world().batch ? kBatch : kInteractive, s); }
/// The up axis is y, as Maya is installed, or z (the command upAxis in Maya's command reference).
bool MGlobal::isYAxisUp(MStatus* s) { return give(!world().z_up, s); }
bool MGlobal::isZAxisUp(MStatus* s) { return give(world().z_up.load(), s); }
MVector MGlobal::upAxis(MStatus* s) { return give(world().z_up ? MVector::zAxis : MVector::yAxis, s); }
bool MGlobal::isUndoing() { return world().undoing; }
bool MGlobal::isRedoing() { return world().redoing; }

MStatus MGlobal::getSelectionListByName(const MString& name, MSelectionList& list) {
    return list.clear(), list.add(name);
}
MStatus MGlobal::getActiveSelectionList(MSelectionList& list, bool) { return list = world().selection, MStatus(); }
MStatus MGlobal::setActiveSelectionList(const MSelectionList& list, ListAdjustment) {
    world().selection = list;
    call_back("event SelectionChanged", nullptr);
    return MStatus();
}
MStatus MGlobal::selectByName(const MString& name, ListAdjustment how) {
    if (how == kReplaceList) world().selection.clear();
    MStatus status = world().selection.add(name);
    call_back("event SelectionChanged", nullptr);
    return status;
}
MStatus MGlobal::unselectByName(const MString& name) {
    MSelectionList& list = world().selection;
    for (unsigned int i = 0; i < list.length(); ++i) {
        MStringArray names;
        list.getSelectionStrings(i, names);
        if (names[0] == name) return list.remove(i);
    }
    return MStatus::kNotFound;
}
MStatus MGlobal::select(MObject& object, ListAdjustment how) {
    if (how == kReplaceList) world().selection.clear();
    MStatus status = world().selection.add(object);
    call_back("event SelectionChanged", nullptr);
    return status;
}
MStatus MGlobal::clearSelectionList() {
    world().selection.clear();
    call_back("event SelectionChanged", nullptr);
    return MStatus();
}

MStatus MGlobal::viewFrame(const MTime& time) { return MAnimControl::setCurrentTime(time); }
MStatus MGlobal::viewFrame(double time) { return viewFrame(MTime(time, MTime::uiUnit())); }
/// Done when the host is idle, on the main thread; it may be asked for from any thread.
MStatus MGlobal::executeCommandOnIdle(const MString& command, bool) {
    const std::lock_guard<std::mutex> lock(world().record_mutex);
    world().idle_tasks.push_back([text = std::string(command.asUTF8())] { run_command(text, true); });
    return MStatus();
}
MStatus MGlobal::executeTaskOnIdle(MIdleTaskCallback task, void* data, MIdleTaskPriority) {
    const std::lock_guard<std::mutex> lock(world().record_mutex);
    world().idle_tasks.push_back([task, data] { task(data); });
    return MStatus();
}
MStatus MGlobal::executeCommand(const MString& command, bool, bool undo) { return run_command(command.asUTF8(), undo); }
MStatus MGlobal::executeCommand(const MString& command, MCommandResult& result, bool, bool undo) {
    MStatus status = run_command(command.asUTF8(), undo);
    result = world().result;
    return status;
}
namespace {
template <class T> MStatus execute(const MString& command, T& result, bool undo) {
    MStatus status = run_command(command.asUTF8(), undo);
    return status ? world().result.getResult(result) : status;
}
} // namespace
MStatus MGlobal::executeCommand(const MString& c, int& result, bool, bool undo) { return execute(c, result, undo); }
MStatus MGlobal::executeCommand(const MString& c, double& result, bool, bool undo) { return execute(c, result, undo); }
MStatus MGlobal::executeCommand(const MString& c, MString& result, bool, bool undo) { return execute(c, result, undo); }
MStatus MGlobal::executeCommand(const MString& c, MStringArray& result, bool, bool undo) {
    return execute(c, result, undo);
}
MString MGlobal::executeCommandStringResult(const MString& command, bool, bool undo, MStatus* s) {
    MString result;
    MStatus status = execute(command, result, undo);
    return give(result, s, status);
}
/// Python is written down, and not run.
MStatus MGlobal::executePythonCommand(const MString& command, bool, bool) {
    if (std::this_thread::get_id() != world().main_thread)
        fault("Python was executed from a thread that is not the main one.");
    const std::lock_guard<std::mutex> lock(world().record_mutex);
    world().executed.push_back(std::string("python: ") + command.asUTF8());
    return MStatus();
}
MStatus MGlobal::executePythonCommand(const MString& command, MString& result, bool, bool) {
    const auto found = world().answers.find("python");
    MStatus status = executePythonCommand(command);
    result = standin::text(found == world().answers.end() ? "" : found->second(command.asUTF8()));
    return status;
}
MStatus MGlobal::executePythonCommandOnIdle(const MString& command, bool) {
    const std::lock_guard<std::mutex> lock(world().record_mutex);
    world().idle_tasks.push_back([command] { MGlobal::executePythonCommand(command); });
    return MStatus();
}
MStatus MGlobal::deleteNode(MObject& object) {
    Node* node = node_of(object);
    if (!node || !node->in_scene) return MStatus::kInvalidParameter;
    take_out(*node);
    return MStatus();
}
int MGlobal::optionVarIntValue(const MString& name, bool* exists) {
    if (exists) *exists = optionVarExists(name);
    return optionVarExists(name) ? std::atoi(world().option_vars[name.asUTF8()].c_str()) : 0;
}
MString MGlobal::optionVarStringValue(const MString& name, bool* exists) {
    if (exists) *exists = optionVarExists(name);
    return standin::text(optionVarExists(name) ? world().option_vars[name.asUTF8()] : "");
}
bool MGlobal::setOptionVarValue(const MString& name, int value) {
    return world().option_vars[name.asUTF8()] = std::to_string(value), true;
}
bool MGlobal::setOptionVarValue(const MString& name, MString value) {
    return world().option_vars[name.asUTF8()] = value.asUTF8(), true;
}
bool MGlobal::optionVarExists(const MString& name) { return world().option_vars.count(name.asUTF8()) > 0; }

MStatus MSelectionList::clear() { return items_.clear(), MStatus(); }
bool MSelectionList::isEmpty(MStatus* s) const { return give(items_.empty(), s); }
unsigned int MSelectionList::length(MStatus* s) const { return give(static_cast<unsigned int>(items_.size()), s); }
MStatus MSelectionList::getDependNode(unsigned int i, MObject& node) const {
    if (i >= items_.size() || items_[i].node.isNull()) return MStatus::kInvalidParameter;
    return node = items_[i].node, MStatus();
}
MStatus MSelectionList::getDagPath(unsigned int i, MDagPath& path, MObject& component) const {
    if (i >= items_.size()) return MStatus::kInvalidParameter;
    if (&component != &MObject::kNullObj) component = items_[i].component;
    return MDagPath::getAPathTo(items_[i].node, path);
}
MStatus MSelectionList::getPlug(unsigned int i, MPlug& plug) const {
    if (i >= items_.size() || items_[i].plug.isNull()) return MStatus::kInvalidParameter;
    return plug = items_[i].plug, MStatus();
}
MStatus MSelectionList::add(const MObject& object, const bool) {
    if (!node_of(object)) return MStatus::kInvalidParameter;
    return items_.push_back(Item{object, MObject(), MPlug()}), MStatus();
}
MStatus MSelectionList::add(const MDagPath& path, const MObject& component, const bool) {
    if (!path.isValid()) return MStatus::kInvalidParameter;
    return items_.push_back(Item{path.node(), component, MPlug()}), MStatus();
}
/// "node", "node.attribute", "mesh.vtx[3]" or "mesh.vtx[2:5]"; a name that is not there fails. Stars are not known.
MStatus MSelectionList::add(const MString& text, const bool) {
    const std::string name = text.asUTF8();
    const std::size_t vertices = name.find(".vtx[");
    if (vertices != std::string::npos) {
        const auto node = find_node(name.substr(0, vertices));
        if (!node) return MStatus::kInvalidParameter;
        auto component = std::make_shared<Component>(MFn::kMeshVertComponent);
        int first = 0, last = 0;
        const std::string range = name.substr(vertices + 5);
        const int found = std::sscanf(range.c_str(), "%d:%d", &first, &last);
        if (found < 1) return MStatus::kInvalidParameter;
        for (int i = first; i <= (found == 2 ? last : first); ++i) component->elements.push_back(i);
        MDagPath path;
        MDagPath::getAPathTo(object_of(*node), path);
        path.extendToShape();
        return add(path, MObject(std::static_pointer_cast<Thing>(component)));
    }
    if (const auto node = find_node(name)) return add(object_of(*node));
    MPlug plug;
    return find_plug(name, plug) ? add(plug) : MStatus(MStatus::kInvalidParameter);
}
MStatus MSelectionList::add(const MPlug& plug, const bool) {
    if (plug.isNull()) return MStatus::kInvalidParameter;
    return items_.push_back(Item{plug.node(), MObject(), plug}), MStatus();
}
MStatus MSelectionList::remove(unsigned int i) {
    if (i >= items_.size()) return MStatus::kInvalidParameter;
    return items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i)), MStatus();
}
bool MSelectionList::hasItem(const MObject& object, MStatus* s) const {
    return give(std::any_of(items_.begin(), items_.end(), [&](const Item& each) { return each.node == object; }), s);
}
MStatus MSelectionList::getSelectionStrings(MStringArray& names) const {
    names.clear();
    for (unsigned int i = 0; i < items_.size(); ++i) {
        MStringArray one;
        getSelectionStrings(i, one);
        names.append(one[0]);
    }
    return MStatus();
}
MStatus MSelectionList::getSelectionStrings(unsigned int i, MStringArray& names) const {
    names.clear();
    if (i >= items_.size()) return MStatus::kInvalidParameter;
    std::string name = node_of(items_[i].node)->name;
    if (!items_[i].plug.isNull()) name = items_[i].plug.name().asUTF8();
    if (auto component = as<Component>(items_[i].component))
        if (!component->elements.empty())
            name += ".vtx[" + std::to_string(component->elements.front()) +
                    (component->elements.size() > 1 ? ":" + std::to_string(component->elements.back()) : "") + "]";
    return names.append(standin::text(name));
}

MTime MAnimControl::minTime() { return world().first; }
MTime MAnimControl::maxTime() { return world().last; }
MStatus MAnimControl::setMinMaxTime(MTime least, MTime most) {
    const Edit edit;
    world().first = least;
    world().last = most;
    return MStatus();
}
MStatus MAnimControl::setMinTime(MTime time) { return setMinMaxTime(time, maxTime()); }
MStatus MAnimControl::setMaxTime(MTime time) { return setMinMaxTime(minTime(), time); }
MTime MAnimControl::animationStartTime() { return minTime(); }
MTime MAnimControl::animationEndTime() { return maxTime(); }
MStatus MAnimControl::setAnimationStartTime(MTime time) { return setMinTime(time); }
MStatus MAnimControl::setAnimationEndTime(MTime time) { return setMaxTime(time); }
MStatus MAnimControl::setAnimationStartEndTime(MTime least, MTime most) { return setMinMaxTime(least, most); }
MTime MAnimControl::currentTime() { return world().now; }
MStatus MAnimControl::setCurrentTime(const MTime& time) {
    if (std::this_thread::get_id() != world().main_thread || computing()) {
        fault("The current time was changed by a node or by a thread that is not the main one.");
        return MStatus::kFailure;
    }
    world().now = time;
    time_changed();
    return MStatus();
}
double MAnimControl::playbackBy() { return 1; }
MStatus MAnimControl::playForward() { return MStatus::kNotImplemented; }
bool MAnimControl::isPlaying() { return false; }
bool MAnimControl::isScrubbing() { return false; }
MStatus MAnimControl::stop() { return MStatus(); }

namespace {
void split(const std::string& full, std::string& path, std::string& name) {
    const std::size_t slash = full.rfind('/');
    path = slash == std::string::npos ? "" : full.substr(0, slash + 1);
    name = slash == std::string::npos ? full : full.substr(slash + 1);
}
} // namespace
MStatus MFileObject::setRawName(const MString& name) { return name_ = name.asUTF8(), MStatus(); }
MStatus MFileObject::setRawPath(const MString& path) { return path_ = path.asUTF8(), MStatus(); }
MStatus MFileObject::setRawFullName(const MString& full) { return split(full.asUTF8(), path_, name_), MStatus(); }
MString MFileObject::rawName() const { return standin::text(name_); }
MString MFileObject::rawPath() const { return standin::text(path_); }
MString MFileObject::rawFullName() const { return standin::text(path_ + name_); }
MString MFileObject::expandedFullName() const { return rawFullName(); }
MString MFileObject::resolvedName() const { return rawName(); }
MString MFileObject::resolvedPath() const { return rawPath(); }
MString MFileObject::resolvedFullName() const { return rawFullName(); }
bool MFileObject::exists() { return std::ifstream(path_ + name_).good(); }
bool MFileObject::isSet() const { return !name_.empty(); }
