// What addresses of functions cannot show: virtual functions are overridden, arrays are used as arrays, and macros
// expand. Compiled against the stand-in's headers and against Maya's own.

#include <maya/MCacheSchema.h>
#include <maya/MColorArray.h>
#include <maya/MDGContextGuard.h>
#include <maya/MDrawRegistry.h>
#include <maya/MEvaluationNode.h>
#include <maya/MEvaluationNodeIterator.h>
#include <maya/MFloatArray.h>
#include <maya/MFloatPointArray.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnPlugin.h>
#include <maya/MItGeometry.h>
#include <maya/MMatrixArray.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MPxCommand.h>
#include <maya/MPxDeformerNode.h>
#include <maya/MPxDrawOverride.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MSelectionList.h>
#include <maya/MSyntax.h>
#include <maya/MUintArray.h>
#include <maya/MVectorArray.h>

namespace {

class Node : public MPxNode {
public:
    void postConstructor() override {}
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != attribute) return MS::kUnknownParameter;
        MStatus status;
        MDataHandle handle = block.inputValue(attribute, &status);
        CHECK_MSTATUS_AND_RETURN_IT(status);
        block.outputValue(plug).set(handle.asDouble());
        CHECK_MSTATUS(block.setClean(plug));
        return status ? MS::kSuccess : MS::kFailure;
    }
    bool getInternalValue(const MPlug&, MDataHandle&) override { return false; }
    bool setInternalValue(const MPlug&, const MDataHandle&) override { return false; }
    void copyInternalData(MPxNode*) override {}
    MStatus legalConnection(const MPlug&, const MPlug&, bool, bool&) const override { return MS::kUnknownParameter; }
    MStatus legalDisconnection(const MPlug&, const MPlug&, bool, bool&) const override { return MS::kUnknownParameter; }
    MStatus setDependentsDirty(const MPlug&, MPlugArray& plugs) override {
        return plugs.append(MPlug(thisMObject(), attribute));
    }
    MStatus preEvaluation(const MDGContext& context, const MEvaluationNode& node) override {
        MStatus status;
        for (MEvaluationNodeIterator i = node.iterator(&status); !i.isDone(); i.next()) (void)i.plug();
        return context.isNormal() && node.dirtyPlugExists(attribute) ? status : MS::kSuccess;
    }
    MStatus postEvaluation(const MDGContext&, const MEvaluationNode&, PostEvaluationType type) override {
        return type == kEvaluatedDirectly ? MS::kSuccess : MS::kUnknownParameter;
    }
    SchedulingType schedulingType() const override { return kParallel; }
    void getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        disabling.setReason("a reason");
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
        setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
        monitored.append(attribute);
    }
    void configCache(const MEvaluationNode&, MCacheSchema& schema) const override {
        schema.add(attribute);
        for (const MObject& one : schema.attributes()) (void)one.isNull();
    }
    MTimeRange transformInvalidationRange(const MPlug&, const MTimeRange& input) const override {
        return input | MTimeRange{input.bounds().min, MTime(1.0, MTime::kSeconds)};
    }
    MStatus connectionMade(const MPlug& one, const MPlug& other, bool as_source) override {
        return MPxNode::connectionMade(one, other, as_source);
    }
    MStatus connectionBroken(const MPlug& one, const MPlug& other, bool as_source) override {
        return MPxNode::connectionBroken(one, other, as_source);
    }
    MStatus shouldSave(const MPlug& plug, bool& saving) override { return MPxNode::shouldSave(plug, saving); }
    MPlug passThroughToOne(const MPlug& plug) const override { return MPxNode::passThroughToOne(plug); }
    Type type() const override { return kDependNode; }
    bool isAbstractClass() const override { return false; }
    void use() {
        setDoNotWrite(doNotWrite());
        MDGContextGuard guard(MDGContext(MTime(1.0, MTime::uiUnit())));
        (void)forceCache().isClean(attribute);
    }
    static MObject attribute;
};
MObject Node::attribute;

class Deformer : public MPxDeformerNode {
public:
    MStatus deform(MDataBlock& block, MItGeometry& points, const MMatrix&, unsigned int index) override {
        unsigned int count = 0;
        const float* own = envelopeWeights(block, index, &count);
        for (; !points.isDone(); points.next())
            points.setPosition(points.position() + MVector(0, own ? 1 : weightValue(block, index, 0), 0));
        return MS::kSuccess;
    }
    MObject& accessoryAttribute() const override { return MPxDeformerNode::accessoryAttribute(); }
    MStatus accessoryNodeSetup(MDagModifier&) override { return MS::kSuccess; }
    void setModifiedCallback(MSelectionList&, bool) override {}
    MPxNode::Type type() const override { return kDeformerNode; }
};

class Locator : public MPxLocatorNode {
    bool isBounded() const override { return true; }
    MBoundingBox boundingBox() const override { return MBoundingBox(MPoint(0, 0, 0), MPoint(1, 1, 1)); }
    bool excludeAsLocator() const override { return true; }
};

class Command : public MPxCommand {
    MStatus doIt(const MArgList&) override { return redoIt(); }
    MStatus redoIt() override { return MS::kSuccess; }
    MStatus undoIt() override { return MS::kSuccess; }
    bool isUndoable() const override { return true; }
    bool hasSyntax() const override { return true; }
};

class Data : public MUserData {};

class Override : public MHWRender::MPxDrawOverride {
public:
    explicit Override(const MObject& object) : MPxDrawOverride(object, nullptr, true) {}
    static MHWRender::MPxDrawOverride* make(const MObject& object) { return new Override(object); }
    MHWRender::DrawAPI supportedDrawAPIs() const override { return MHWRender::kAllDevices; }
    bool hasUIDrawables() const override { return true; }
    bool isBounded(const MDagPath&, const MDagPath&) const override { return false; }
    MBoundingBox boundingBox(const MDagPath&, const MDagPath&) const override { return MBoundingBox(); }
    MUserData* prepareForDraw(const MDagPath&, const MDagPath&, const MHWRender::MFrameContext&,
                              MUserData* old) override {
        return old ? old : new Data();
    }
    void addUIDrawables(const MDagPath&, MHWRender::MUIDrawManager& manager, const MHWRender::MFrameContext&,
                        const MUserData*) override {
        manager.beginDrawable();
        manager.lineStrip(MPointArray(), false);
        manager.endDrawable();
    }
};

template <class Array, class Item> void use(Array array, const Item& item) {
    Array other(array);
    other = array;
    array.append(item);
    array.setLength(2);
    array.set(item, 1);
    array.insert(item, 0);
    array[0] = item;
    const Array& fixed = array;
    const Item first = fixed[0];
    (void)first;
    array.copy(other);
    array.remove(array.length() - 1);
    for (const Item& one : array) (void)one;
    array.clear();
    array.setSizeIncrement(16);
}

} // namespace

PLUGIN_EXPORT MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Vendor", "1.0", "Any");
    Node node;
    node.use();
    Deformer deformer;
    Locator locator;
    use(MIntArray(1U, 0), 1);
    use(MUintArray(), 1U);
    use(MFloatArray(3U, 1.0F), 1.0F);
    use(MDoubleArray(3U), 1.0);
    use(MPointArray(3U), MPoint(1, 2, 3));
    use(MFloatPointArray(), MFloatPoint(1.0F, 2.0F, 3.0F));
    use(MVectorArray(), MVector(1, 2, 3));
    use(MMatrixArray(), MMatrix());
    use(MColorArray(), MColor(1.0F, 0.0F, 0.0F));
    MString classification("drawdb/geometry/x");
    plugin.registerNode("node", MTypeId(0x70000), []() -> void* { return new Node(); }, [] { return MStatus(); });
    plugin.registerNode("locator", MTypeId(0x70001), []() -> void* { return new Locator(); }, [] { return MStatus(); },
                        MPxNode::kLocatorNode, &classification);
    plugin.registerCommand("command", []() -> void* { return new Command(); }, [] { return MSyntax(); });
    return MHWRender::MDrawRegistry::registerDrawOverrideCreator(classification, "id", Override::make);
}

PLUGIN_EXPORT MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x70000)); }
