// What happened: messages, faults, and callbacks of those who listen.

#include "world.h"

#include <maya/MComputation.h>
#include <maya/MDGMessage.h>
#include <maya/MAnimMessage.h>
#include <maya/MEventMessage.h>
#include <maya/MGlobal.h>
#include <maya/MNodeMessage.h>
#include <maya/MSceneMessage.h>

#include <algorithm>

namespace standin {

void fault(const std::string& sentence) {
    if (!has_world()) return;
    const std::lock_guard<std::mutex> lock(world().record_mutex);
    world().faults.push_back(sentence);
}

/// Messages are for the main thread: the Script Editor is part of the user interface, and the host may hold locks of
/// its own while nodes are evaluated.
void say(int level, const std::string& text) {
    World& w = world();
    if (std::this_thread::get_id() != w.main_thread)
        fault("A message was shown from a thread that is not the main one: " + text);
    else if (w.busy > 0) fault("A message was shown while the host was busy: " + text);
    const std::lock_guard<std::mutex> lock(w.record_mutex);
    w.said.push_back(Said{level, text});
}

void call_back(const std::string& event, Node* node, const MPlug& plug, const MPlug& other, const std::string& text,
               int number) {
    if (std::this_thread::get_id() != world().main_thread) return;
    // A callback may add and remove callbacks.
    const std::vector<Callback> now = world().callbacks;
    for (const Callback& each : now)
        if (each.event == event && (!each.node || each.node == node))
            each.call(node ? object_of(*node) : MObject(), plug, other, text, number);
}

MCallbackId add_callback(Callback callback) {
    callback.id = world().next_callback++;
    world().callbacks.push_back(std::move(callback));
    return world().next_callback - 1;
}

} // namespace standin

using namespace standin;

void MGlobal::displayInfo(const MString& text) { say(2, text.asUTF8()); }
void MGlobal::displayWarning(const MString& text) { say(1, text.asUTF8()); }
void MGlobal::displayError(const MString& text) { say(0, text.asUTF8()); }

MStatus MMessage::removeCallback(MCallbackId id) {
    auto& all = world().callbacks;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Callback& each) { return each.id == id; });
    if (found == all.end()) return MStatus::kInvalidParameter;
    all.erase(found);
    return MStatus();
}
MStatus MMessage::removeCallbacks(MCallbackIdArray& ids) {
    MStatus status;
    for (MCallbackId id : ids)
        if (!removeCallback(id)) status = MStatus::kFailure;
    return status;
}
MStatus MMessage::nodeCallbacks(MObject& node, MCallbackIdArray& ids) {
    ids.clear();
    for (const Callback& each : world().callbacks)
        if (each.node && each.node == node_of(node)) ids.append(each.id);
    return MStatus();
}

namespace {

typedef std::function<void(const MObject&, const MPlug&, const MPlug&, const std::string&, int)> Call;

MCallbackId listen(const std::string& event, const MObject& node, Call call, MStatus* status) {
    Callback callback;
    callback.event = event;
    callback.node = node_of(node);
    callback.call = std::move(call);
    return give(add_callback(std::move(callback)), status);
}

Call of_type(MMessage::MNodeFunction func, const MString& type, void* data) {
    return [func, name = std::string(type.asUTF8()), data](const MObject& object, const MPlug&, const MPlug&,
                                                           const std::string&, int) {
        MObject node = object;
        if (name == "dependNode" || node_of(node)->kind->name == name) func(node, data);
    };
}

Call for_time(MMessage::MTimeFunction func, void* data) {
    return [func, data](const MObject&, const MPlug&, const MPlug&, const std::string&, int) {
        MTime now = world().now;
        func(now, data);
    };
}

Call for_node(MMessage::MNodeFunction func, void* data) {
    return [func, data](const MObject& object, const MPlug&, const MPlug&, const std::string&, int) {
        MObject node = object;
        func(node, data);
    };
}

Call basic(MMessage::MBasicFunction func, void* data) {
    return [func, data](const MObject&, const MPlug&, const MPlug&, const std::string&, int) { func(data); };
}

} // namespace

MCallbackId MDGMessage::addTimeChangeCallback(MTimeFunction func, void* data, MStatus* s) {
    return listen("time changed", MObject(), for_time(func, data), s);
}
MCallbackId MDGMessage::addForceUpdateCallback(MTimeFunction func, void* data, MStatus* s) {
    return listen("time changed", MObject(), for_time(func, data), s);
}
MCallbackId MDGMessage::addNodeAddedCallback(MNodeFunction func, const MString& type, void* data, MStatus* s) {
    return listen("added", MObject(), of_type(func, type, data), s);
}
MCallbackId MDGMessage::addNodeRemovedCallback(MNodeFunction func, const MString& type, void* data, MStatus* s) {
    return listen("removed", MObject(), of_type(func, type, data), s);
}
MCallbackId MDGMessage::addConnectionCallback(MPlugFunction func, void* data, MStatus* s) {
    return listen(
        "connection", MObject(),
        [func, data](const MObject&, const MPlug& plug, const MPlug& other, const std::string&, int made) {
            MPlug source = plug, destination = other;
            func(source, destination, made != 0, data);
        },
        s);
}
/// Called after keys were edited, with their curves; here with one at a time (MAnimMessage::addAnimCurveEditedCallback).
MCallbackId MAnimMessage::addAnimCurveEditedCallback(MObjArray func, void* data, MStatus* s) {
    return listen(
        "curve edited", MObject(),
        [func, data](const MObject& curve, const MPlug&, const MPlug&, const std::string&, int) {
            MObjectArray curves;
            curves.append(curve);
            func(curves, data);
        },
        s);
}
MCallbackId MNodeMessage::addAttributeChangedCallback(MObject& node, MAttr2PlugFunction func, void* data, MStatus* s) {
    return listen(
        "attribute changed", node,
        [func, data](const MObject&, const MPlug& plug, const MPlug& other, const std::string&, int what) {
            MPlug one = plug, two = other;
            func(static_cast<AttributeMessage>(what), one, two, data);
        },
        s);
}
MCallbackId MNodeMessage::addNodeDirtyCallback(MObject& node, MNodeFunction func, void* data, MStatus* s) {
    return listen("dirty", node, for_node(func, data), s);
}
MCallbackId MNodeMessage::addNodeDirtyPlugCallback(MObject& node, MNodePlugFunction func, void* data, MStatus* s) {
    return listen(
        "dirty plug", node,
        [func, data](const MObject& object, const MPlug& plug, const MPlug&, const std::string&, int) {
            MObject found = object;
            MPlug dirty = plug;
            func(found, dirty, data);
        },
        s);
}
MCallbackId MNodeMessage::addNameChangedCallback(MObject& node, MNodeStringFunction func, void* data, MStatus* s) {
    return listen(
        "renamed", node,
        [func, data](const MObject& object, const MPlug&, const MPlug&, const std::string& before, int) {
            MObject found = object;
            func(found, standin::text(before), data);
        },
        s);
}
MCallbackId MNodeMessage::addNodeAboutToDeleteCallback(MObject& node, MNodeModifierFunction func, void* data,
                                                       MStatus* s) {
    return listen(
        "about to delete", node,
        [func, data](const MObject& object, const MPlug&, const MPlug&, const std::string&, int) {
            MObject found = object;
            const auto modifier = std::make_shared<MDGModifier>();
            func(found, *modifier, data);
            modifier->doIt();
            world().deleting.push_back(modifier);
        },
        s);
}
MCallbackId MNodeMessage::addNodePreRemovalCallback(MObject& node, MNodeFunction func, void* data, MStatus* s) {
    return listen("pre removal", node, for_node(func, data), s);
}
MCallbackId MSceneMessage::addCallback(Message msg, MBasicFunction func, void* data, MStatus* s) {
    return listen("scene " + std::to_string(msg), MObject(), basic(func, data), s);
}
MCallbackId MEventMessage::addEventCallback(const MString& event, MBasicFunction func, void* data, MStatus* s) {
    return listen("event " + std::string(event.asUTF8()), MObject(), basic(func, data), s);
}
MStatus MEventMessage::getEventNames(MStringArray& names) {
    const char* const known[] = {"SelectionChanged", "timeChanged", "Undo", "Redo",
                                 "NewSceneOpened",   "SceneOpened", "idle", "quitApplication"};
    names.clear();
    for (const char* name : known) names.append(name);
    return MStatus();
}

MComputation::MComputation() = default;
MComputation::~MComputation() = default;
void MComputation::beginComputation(bool, bool, bool) { world().progress.push_back("begin"); }
/// True once the user has pressed Esc.
bool MComputation::isInterruptRequested() { return world().escape_asked++ >= world().escape_after; }
void MComputation::endComputation() { world().progress.push_back("end"); }
MStatus MComputation::setProgressRange(const int least, const int most) { return min_ = least, max_ = most, MStatus(); }
int MComputation::progressMin(MStatus* s) const { return give(min_, s); }
int MComputation::progressMax(MStatus* s) const { return give(max_, s); }
MStatus MComputation::setProgress(const int amount) {
    progress_ = amount;
    world().progress.push_back(std::to_string(amount) + " of " + std::to_string(max_));
    return MStatus();
}
int MComputation::progress(MStatus* s) const { return give(progress_, s); }
MStatus MComputation::setProgressStatus(const MString& text) {
    return world().progress.push_back(text.asUTF8()), MStatus();
}
