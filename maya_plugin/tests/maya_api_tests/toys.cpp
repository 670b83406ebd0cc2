#include "toys.h"

#include <maya/MArgDatabase.h>
#include <maya/MCacheSchema.h>
#include <maya/MDGModifier.h>
#include <maya/MDrawRegistry.h>
#include <maya/MEvaluationNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnNumericAttribute.h>
#define MNoVersionString
#include <maya/MFnPlugin.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MGlobal.h>
#include <maya/MItGeometry.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MPxCommand.h>
#include <maya/MPxDeformerNode.h>
#include <maya/MPxDrawOverride.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MSelectionList.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

namespace toys {

int Calls::deforms = 0;
int Calls::copies = 0;
int Calls::dirty = 0;
std::atomic<int> Calls::restored{0};
std::atomic<Meeting::In> Meeting::meet_in{Meeting::Nothing};
std::atomic<int> Meeting::running{0}, Meeting::most{0}, Meeting::background_running{0};
std::atomic<bool> Meeting::in_two_contexts{false};
std::atomic<int> Meeting::scheduling{MPxNode::kParallel};

void Meeting::begin(In in, int scheduling_type) {
    meet_in = in;
    scheduling = scheduling_type;
    most = 0;
    in_two_contexts = false;
}

namespace {

constexpr int first_frame = 1;

double step(double state, int frame) { return state * 0.75 + frame; }

MObject make_time(const char* name) {
    MFnUnitAttribute fn;
    const MObject made = fn.create(name, name, MFnUnitAttribute::kTime, 0.0);
    MPxNode::addAttribute(made);
    return made;
}

MObject make_number(const char* name, double value, bool output) {
    MFnNumericAttribute fn;
    const MObject made = fn.create(name, name, MFnNumericData::kDouble, value);
    fn.setKeyable(!output);
    fn.setStorable(!output);
    fn.setWritable(!output);
    MPxNode::addAttribute(made);
    return made;
}

struct Adder : MPxNode {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug != sum) return MS::kUnknownParameter;
        double total = 0;
        MStatus status;
        MArrayDataHandle all = data.inputArrayValue(inputs, &status);
        if (!status) return status;
        for (unsigned int i = 0; i < all.elementCount(); ++i) {
            all.jumpToArrayElement(i);
            total += all.inputValue().asDouble();
        }
        const MDataHandle one = data.inputValue(offset, &status);
        if (!status) return status;
        data.outputValue(sum).set(total + one.asDouble());
        return data.setClean(plug);
    }
    MStatus setDependentsDirty(const MPlug&, MPlugArray&) override {
        ++Calls::dirty;
        return MStatus();
    }
    void copyInternalData(MPxNode*) override { ++Calls::copies; }
    static void* create() { return new Adder(); }
    static MStatus initialize() {
        MFnNumericAttribute fn;
        inputs = fn.create("inputs", "ins", MFnNumericData::kDouble);
        fn.setArray(true);
        fn.setDisconnectBehavior(MFnAttribute::kDelete);
        addAttribute(inputs);
        offset = make_number("offset", 0, false);
        sum = make_number("sum", 0, true);
        attributeAffects(inputs, sum);
        return attributeAffects(offset, sum);
    }
    static MObject inputs, offset, sum;
};
MObject Adder::inputs, Adder::offset, Adder::sum;

/// Goes one step on whenever compute is called, in one static counter: right only if each frame is computed once, in
/// order, on one thread, by one node, and in one context.
struct Stepper : MPxNode {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug != value) return MS::kUnknownParameter;
        (void)data.inputValue(time).asTime();
        const int frame = counter.fetch_add(1, std::memory_order_relaxed) + first_frame;
        const double next = step(state.load(std::memory_order_relaxed), frame);
        state.store(next, std::memory_order_relaxed);
        data.outputValue(value).set(next);
        return data.setClean(plug);
    }
    SchedulingType schedulingType() const override { return kParallel; }
    void getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo& setup,
                       MObjectArray&) const override {
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
    }
    static void* create() { return new Stepper(); }
    static MStatus initialize() {
        time = make_time("time");
        value = make_number("value", 0, true);
        counter = 0;
        state = 0;
        return attributeAffects(time, value);
    }
    static MObject time, value;
    static std::atomic<int> counter;
    static std::atomic<double> state;
};
MObject Stepper::time, Stepper::value;
std::atomic<int> Stepper::counter{0};
std::atomic<double> Stepper::state{0};

/// The same numbers as a function of the frame, and a number that has keys: order, threads and contexts do not matter.
struct Safe : MPxNode {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug != value) return MS::kUnknownParameter;
        const MTime now = data.inputValue(time).asTime();
        const double more = data.inputValue(number).asDouble();
        data.outputValue(value).set(played(static_cast<int>(std::lround(now.as(MTime::uiUnit())))) + more);
        return data.setClean(plug);
    }
    SchedulingType schedulingType() const override { return kParallel; }
    void getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo& setup,
                       MObjectArray&) const override {
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
    }
    MStatus postEvaluation(const MDGContext& context, const MEvaluationNode&, PostEvaluationType type) override {
        if (type == kEvaluatedDirectly && context.isNormal()) ++Calls::restored;
        return MStatus();
    }
    MTimeRange transformInvalidationRange(const MPlug&, const MTimeRange& range) const override {
        return range ? range | MTimeRange(range.bounds().min, MTime(1e6, MTime::kSeconds)) : range;
    }
    static void* create() { return new Safe(); }
    static MStatus initialize() {
        time = make_time("time");
        number = make_number("number", 0, false);
        value = make_number("value", 0, true);
        attributeAffects(number, value);
        return attributeAffects(time, value);
    }
    static MObject time, number, value;
};
MObject Safe::time, Safe::number, Safe::value;

struct Meeter : MPxNode {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug != value) return MS::kUnknownParameter;
        (void)data.inputValue(time);
        const bool background = !data.context().isNormal();
        const int now = ++Meeting::running;
        if (background) ++Meeting::background_running;
        for (int before = Meeting::most; before < now && !Meeting::most.compare_exchange_weak(before, now);) {}
        for (int i = 0; i < 4000 && waits(background); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        if (background) --Meeting::background_running;
        --Meeting::running;
        data.outputValue(value).set(1.0);
        return data.setClean(plug);
    }
    static bool waits(bool background) {
        if (Meeting::meet_in == Meeting::Threads) return Meeting::most < 2;
        if (Meeting::meet_in != Meeting::Contexts) return false;
        if (!background && Meeting::background_running > 0) Meeting::in_two_contexts = true;
        return !Meeting::in_two_contexts;
    }
    SchedulingType schedulingType() const override { return static_cast<SchedulingType>(Meeting::scheduling.load()); }
    void getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo& setup,
                       MObjectArray&) const override {
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
    }
    static void* create() { return new Meeter(); }
    static MStatus initialize() {
        time = make_time("time");
        value = make_number("value", 0, true);
        return attributeAffects(time, value);
    }
    static MObject time, value;
};
MObject Meeter::time, Meeter::value;

/// Keeps its state in its outputs, and goes on from the frame before: right only if frames come forwards, or if the
/// state of the frame before is put back.
struct Simulation : MPxNode {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug != value && plug != state_frame) return MS::kUnknownParameter;
        const int now = static_cast<int>(std::lround(data.inputValue(time).asTime().as(MTime::uiUnit())));
        (void)data.inputValue(ignored);
        double& number = data.outputValue(value).asDouble();
        int& at = data.outputValue(state_frame).asInt();
        if (now <= first_frame) number = step(0, first_frame), at = first_frame;
        else if (now == at + 1) number = step(number, now), at = now;
        data.setClean(MPlug(thisMObject(), value));
        return data.setClean(MPlug(thisMObject(), state_frame));
    }
    void getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo& setup,
                       MObjectArray&) const override {
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
        setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, says_so);
    }
    void configCache(const MEvaluationNode&, MCacheSchema& schema) const override { schema.add(state_frame); }
    static void* create() { return new Simulation(); }
    static MStatus initialize() {
        time = make_time("time");
        value = make_number("value", 0, true);
        ignored = make_number("ignored", 0, false);
        MFnNumericAttribute fn;
        state_frame = fn.create("stateFrame", "sf", MFnNumericData::kInt);
        fn.setWritable(false);
        addAttribute(state_frame);
        attributeAffects(time, state_frame);
        attributeAffects(ignored, state_frame);
        attributeAffects(ignored, value);
        return attributeAffects(time, value);
    }
    static MObject time, value, ignored, state_frame;
    static bool says_so;
};
MObject Simulation::time, Simulation::value, Simulation::ignored, Simulation::state_frame;
bool Simulation::says_so = true;

/// Refuses to be cached.
struct Refuser : Safe {
    void getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo&,
                       MObjectArray&) const override {
        disabling.setCacheDisabled(true);
        disabling.setReason("It is being painted.");
    }
    static void* create() { return new Refuser(); }
    static MStatus initialize() {
        MObject now = make_time("time"), made = make_number("value", 0, true);
        return attributeAffects(now, made);
    }
};

/// Draws a line whose length is a plug's.
struct Drawn : MPxLocatorNode {
    static void* create() { return new Drawn(); }
    static MStatus initialize() {
        length = make_number("length", 1, false);
        return MStatus();
    }
    static MObject length;
};
MObject Drawn::length;

struct Length : MUserData {
    double value = 0;
};

struct Override : MHWRender::MPxDrawOverride {
    explicit Override(const MObject& object) : MPxDrawOverride(object, nullptr) {}
    static MHWRender::MPxDrawOverride* make(const MObject& object) { return new Override(object); }
    bool hasUIDrawables() const override { return true; }
    MUserData* prepareForDraw(const MDagPath& path, const MDagPath&, const MHWRender::MFrameContext&,
                              MUserData*) override {
        auto* data = new Length();
        data->value = MPlug(path.node(), Drawn::length).asDouble();
        return data;
    }
    void addUIDrawables(const MDagPath&, MHWRender::MUIDrawManager& manager, const MHWRender::MFrameContext&,
                        const MUserData* data) override {
        manager.beginDrawable();
        manager.setColor(MColor(1.0F, 0.0F, 0.0F));
        manager.line(MPoint(), MPoint(0, dynamic_cast<const Length*>(data)->value, 0));
        manager.endDrawable();
    }
};
const char* const drawn_as = "drawdb/geometry/toys";

/// Moves vertices up by an amount, as far as envelope and weights say.
struct Push : MPxDeformerNode {
    MStatus deform(MDataBlock& data, MItGeometry& points, const MMatrix&, unsigned int index) override {
        ++Calls::deforms;
        MStatus status;
        const MDataHandle by = data.inputValue(amount, &status);
        if (!status) return status;
        const double up = by.asDouble() * static_cast<double>(data.inputValue(envelope).asFloat());
        const float* weight = envelopeWeights(data, index);
        for (; !points.isDone(); points.next())
            points.setPosition(points.position() + MVector(0, up * (weight ? double{*weight++} : 1), 0));
        return MStatus();
    }
    static void* create() { return new Push(); }
    static MStatus initialize() {
        amount = make_number("amount", 1, false);
        return attributeAffects(amount, outputGeom);
    }
    static MObject amount;
};
MObject Push::amount;

/// Logs from compute, which the host does not allow.
struct Talker : MPxNode {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug != value) return MS::kUnknownParameter;
        (void)data.inputValue(time);
        MGlobal::displayInfo("computed");
        data.outputValue(value).set(1.0);
        return data.setClean(plug);
    }
    SchedulingType schedulingType() const override { return kParallel; }
    static void* create() { return new Talker(); }
    static MStatus initialize() {
        time = make_time("time");
        value = make_number("value", 0, true);
        return attributeAffects(time, value);
    }
    static MObject time, value;
};
MObject Talker::time, Talker::value;

/// Sets toyAdder.offset of the objects it gets, undoably; -query gives the number.
struct Command : MPxCommand {
    MStatus doIt(const MArgList& args) override {
        MStatus status;
        const MArgDatabase parsed(syntax(), args, &status);
        if (!status) return status;
        MSelectionList objects;
        parsed.getObjects(objects);
        MObject node;
        status = objects.getDependNode(0, node);
        if (!status) return status;
        const MPlug plug(node, Adder::offset);
        if (parsed.isQuery()) {
            setResult(plug.asDouble());
            return MStatus();
        }
        double number = 0;
        parsed.getFlagArgument("-n", 0, number);
        modifier_.newPlugValueDouble(plug, number);
        undoable_ = true;
        setResult(MFnDependencyNode(node).name());
        return redoIt();
    }
    MStatus redoIt() override { return modifier_.doIt(); }
    MStatus undoIt() override { return modifier_.undoIt(); }
    bool isUndoable() const override { return undoable_; }
    static void* create() { return new Command(); }
    static MSyntax make_syntax() {
        MSyntax syntax;
        syntax.addFlag("-n", "-number", MSyntax::kDouble);
        syntax.setObjectType(MSyntax::kSelectionList, 1, 1);
        syntax.useSelectionAsDefault(true);
        syntax.enableQuery(true);
        return syntax;
    }

private:
    MDGModifier modifier_;
    bool undoable_ = false;
};

} // namespace

void simulation_says_so(bool says) { Simulation::says_so = says; }

double played(int frame) {
    double state = 0;
    for (int i = first_frame; i <= frame; ++i) state = step(state, i);
    return state;
}

MStatus initialize(MObject object) {
    MFnPlugin plugin(object, "Toys", "1.0");
    plugin.registerNode("toyAdder", MTypeId(1), Adder::create, Adder::initialize);
    plugin.registerNode("toyStepper", MTypeId(2), Stepper::create, Stepper::initialize);
    plugin.registerNode("toySafe", MTypeId(3), Safe::create, Safe::initialize);
    plugin.registerNode("toyPush", MTypeId(4), Push::create, Push::initialize, MPxNode::kDeformerNode);
    plugin.registerNode("toyTalker", MTypeId(5), Talker::create, Talker::initialize);
    plugin.registerNode("toySimulation", MTypeId(6), Simulation::create, Simulation::initialize);
    plugin.registerNode("toyRefuser", MTypeId(7), Refuser::create, Refuser::initialize);
    plugin.registerNode("toyMeeter", MTypeId(9), Meeter::create, Meeter::initialize);
    const MString classification(drawn_as);
    plugin.registerNode("toyDrawn", MTypeId(8), Drawn::create, Drawn::initialize, MPxNode::kLocatorNode,
                        &classification);
    MHWRender::MDrawRegistry::registerDrawOverrideCreator(drawn_as, "toys", Override::make);
    return plugin.registerCommand("toyCommand", Command::create, Command::make_syntax);
}

MStatus uninitialize(MObject object) {
    MFnPlugin plugin(object);
    MHWRender::MDrawRegistry::deregisterDrawOverrideCreator(drawn_as, "toys");
    for (unsigned int id = 1; id <= 9; ++id) plugin.deregisterNode(MTypeId(id));
    return plugin.deregisterCommand("toyCommand");
}

} // namespace toys
