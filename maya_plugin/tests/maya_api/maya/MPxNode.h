#pragma once

#include <maya/MDataBlock.h>
#include <maya/MPlug.h>
#include <maya/MPlugArray.h>
#include <maya/MTimeRange.h>
#include <maya/MTypeId.h>

class MCacheSchema;
class MEvaluationNode;
class MNodeCacheDisablingInfo;
class MNodeCacheSetupInfo;
class MObjectArray;

/// The base of nodes that plug-ins bring.
class MPxNode {
public:
    enum Type {
        kDependNode, kLocatorNode, kDeformerNode, kManipContainer, kSurfaceShape, kFieldNode, kEmitterNode, kSpringNode,
        kIkSolverNode, kHardwareShader, kHwShaderNode, kTransformNode, kObjectSet, kFluidEmitterNode, kImagePlaneNode,
        kParticleAttributeMapperNode, kCameraSetNode, kConstraintNode, kManipulatorNode, kMotionPathNode,
        kClientDeviceNode, kThreadedDeviceNode, kAssembly, kSkinCluster, kGeometryFilter, kBlendShape, kLast
    };
    enum PostEvaluationEnum { kEvaluatedIndirectly, kEvaluatedDirectly, kLeaveDirty, kPostEvaluationTypeLast };
    typedef unsigned int PostEvaluationType;
    enum SchedulingType {
        kParallel = 1,
        kSerial,
        kGloballySerial,
        kUntrusted,
        kSchedulingTypeLast,
        kDefaultScheduling = kSerial,
        kSerialize = kSerial,
        kGloballySerialize = kGloballySerial
    };
    MPxNode();
    virtual ~MPxNode();
    MPxNode(const MPxNode&) = delete;
    MPxNode& operator=(const MPxNode&) = delete;

    virtual void postConstructor();
    virtual MStatus compute(const MPlug&, MDataBlock&);
    virtual bool getInternalValue(const MPlug&, MDataHandle&);
    virtual bool setInternalValue(const MPlug&, const MDataHandle&);
    virtual void copyInternalData(MPxNode*);
    virtual MStatus legalConnection(const MPlug&, const MPlug&, bool asSrc, bool& isLegal) const;
    virtual MStatus legalDisconnection(const MPlug&, const MPlug&, bool asSrc, bool& isLegal) const;
    virtual MStatus setDependentsDirty(const MPlug& plug, MPlugArray& plugArray);
    virtual MStatus preEvaluation(const MDGContext& context, const MEvaluationNode& evaluationNode);
    virtual MStatus postEvaluation(const MDGContext& context, const MEvaluationNode& evaluationNode,
                                   PostEvaluationType evalType);
    virtual SchedulingType schedulingType() const;
    virtual void getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo&,
                               MObjectArray&) const;
    virtual void configCache(const MEvaluationNode&, MCacheSchema&) const;
    virtual MTimeRange transformInvalidationRange(const MPlug& source, const MTimeRange& input) const;
    virtual MStatus connectionMade(const MPlug&, const MPlug&, bool asSrc);
    virtual MStatus connectionBroken(const MPlug&, const MPlug&, bool asSrc);
    virtual MStatus shouldSave(const MPlug&, bool& isSaving);
    virtual MPlug passThroughToOne(const MPlug&) const;
    virtual Type type() const;
    virtual bool isAbstractClass() const;
    virtual MTypeId typeId() const;
    virtual MString typeName() const;
    virtual MString name() const;
    virtual MObject thisMObject() const;
    virtual MStatus setExistWithoutInConnections(bool flag);
    virtual bool existWithoutInConnections(MStatus* ReturnStatus = nullptr) const;
    virtual MStatus setExistWithoutOutConnections(bool flag);
    virtual bool existWithoutOutConnections(MStatus* ReturnStatus = nullptr) const;

    static MStatus addAttribute(const MObject& attr);
    static MStatus inheritAttributesFrom(const MString& parentClassName);
    static MStatus attributeAffects(const MObject& whenChanges, const MObject& isAffected);
    static MObject message;
    static MObject isHistoricallyInteresting;
    static MObject caching;
    static MObject state;
    static MObject frozen;
    static const char* className() { return "MPxNode"; }

    /// The stand-in's own: the node that this object gives behaviour to.
    standin::Node* standin_node = nullptr;

protected:
    virtual MDataBlock forceCache();
    virtual MStatus setDoNotWrite(bool flag);
    virtual bool doNotWrite(MStatus* ReturnStatus = nullptr) const;

private:
    bool without_in_ = true, without_out_ = true;
};
