// Every function that the stand-in declares of Maya's messages and drawing, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MAnimMessage.h>
#include <maya/MArrayDataBuilder.h>
#include <maya/MDGMessage.h>
#include <maya/MDrawContext.h>
#include <maya/MDrawRegistry.h>
#include <maya/MEventMessage.h>
#include <maya/MFrameContext.h>
#include <maya/MMessage.h>
#include <maya/MNodeMessage.h>
#include <maya/MPxDrawOverride.h>
#include <maya/MSceneMessage.h>
#include <maya/MUIDrawManager.h>
#include <maya/MUserData.h>
#include <maya/MViewport2Renderer.h>

#include <type_traits>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MAnimMessage
static_assert(is<MCallbackId (*)(MMessage::MObjArray, void*, MStatus*)>(&MAnimMessage::addAnimCurveEditedCallback));

// MDGMessage
static_assert(is<MCallbackId (*)(MMessage::MTimeFunction, void*, MStatus*)>(&MDGMessage::addTimeChangeCallback));
static_assert(is<MCallbackId (*)(MMessage::MTimeFunction, void*, MStatus*)>(&MDGMessage::addForceUpdateCallback));
static_assert(is<MCallbackId (*)(MMessage::MNodeFunction, const MString&, void*, MStatus*)>
    (&MDGMessage::addNodeAddedCallback));
static_assert(is<MCallbackId (*)(MMessage::MNodeFunction, const MString&, void*, MStatus*)>
    (&MDGMessage::addNodeRemovedCallback));
static_assert(is<MCallbackId (*)(MMessage::MPlugFunction, void*, MStatus*)>(&MDGMessage::addConnectionCallback));

// MDrawRegistry
static_assert(std::is_same_v<MHWRender::MDrawRegistry::DrawOverrideCreator,
    MHWRender::MPxDrawOverride* (*)(const MObject&)>);
static_assert(is<MStatus (*)(const MString&, const MString&, MHWRender::MDrawRegistry::DrawOverrideCreator)>
    (&MHWRender::MDrawRegistry::registerDrawOverrideCreator));
static_assert(is<MStatus (*)(const MString&, const MString&)>
    (&MHWRender::MDrawRegistry::deregisterDrawOverrideCreator));

// MEventMessage
static_assert(is<MCallbackId (*)(const MString&, MMessage::MBasicFunction, void*, MStatus*)>
    (&MEventMessage::addEventCallback));
static_assert(is<MStatus (*)(MStringArray&)>(&MEventMessage::getEventNames));

// MFrameContext
static_assert(int(MHWRender::MFrameContext::kGouraudShaded) == 1);
static_assert(int(MHWRender::MFrameContext::kWireFrame) == 2);
static_assert(int(MHWRender::MFrameContext::kBoundingBox) == 4);
static_assert(int(MHWRender::MFrameContext::kTextured) == 8);
static_assert(is<unsigned int (MHWRender::MFrameContext::*)() const>(&MHWRender::MFrameContext::getDisplayStyle));

// MMessage
static_assert(std::is_same_v<MMessage::MBasicFunction, void (*)(void*)>);
static_assert(std::is_same_v<MMessage::MCheckFunction, void (*)(bool*, void*)>);
static_assert(std::is_same_v<MMessage::MNodeFunction, void (*)(MObject&, void*)>);
static_assert(std::is_same_v<MMessage::MStringFunction, void (*)(const MString&, void*)>);
static_assert(std::is_same_v<MMessage::MStringArrayFunction, void (*)(const MStringArray&, void*)>);
static_assert(std::is_same_v<MMessage::MElapsedTimeFunction, void (*)(float elapsedTime, float lastTime, void*)>);
static_assert(std::is_same_v<MMessage::MTimeFunction, void (*)(MTime&, void*)>);
static_assert(std::is_same_v<MMessage::MPlugFunction, void (*)(MPlug&, MPlug&, bool, void*)>);
static_assert(std::is_same_v<MMessage::MNodePlugFunction, void (*)(MObject&, MPlug&, void*)>);
static_assert(std::is_same_v<MMessage::MNodeStringFunction, void (*)(MObject&, const MString&, void*)>);
static_assert(std::is_same_v<MMessage::MNodeModifierFunction, void (*)(MObject&, MDGModifier&, void*)>);
static_assert(is<MStatus (*)(MCallbackId)>(&MMessage::removeCallback));
static_assert(is<MStatus (*)(MCallbackIdArray&)>(&MMessage::removeCallbacks));
static_assert(is<MStatus (*)(MObject&, MCallbackIdArray&)>(&MMessage::nodeCallbacks));
static_assert(is<const char* (*)()>(&MMessage::className));

// MNodeMessage
static_assert(int(MNodeMessage::kConnectionMade) == 1);
static_assert(int(MNodeMessage::kConnectionBroken) == 2);
static_assert(int(MNodeMessage::kAttributeEval) == 4);
static_assert(int(MNodeMessage::kAttributeSet) == 8);
static_assert(int(MNodeMessage::kAttributeLocked) == 16);
static_assert(int(MNodeMessage::kAttributeUnlocked) == 32);
static_assert(int(MNodeMessage::kAttributeAdded) == 64);
static_assert(int(MNodeMessage::kAttributeRemoved) == 128);
static_assert(int(MNodeMessage::kAttributeRenamed) == 256);
static_assert(int(MNodeMessage::kAttributeKeyable) == 512);
static_assert(int(MNodeMessage::kAttributeUnkeyable) == 1024);
static_assert(int(MNodeMessage::kIncomingDirection) == 2048);
static_assert(int(MNodeMessage::kAttributeArrayAdded) == 4096);
static_assert(int(MNodeMessage::kAttributeArrayRemoved) == 8192);
static_assert(int(MNodeMessage::kOtherPlugSet) == 16384);
static_assert(int(MNodeMessage::kLast) == 32768);
static_assert(std::is_same_v<MNodeMessage::MAttr2PlugFunction, void (*)(MNodeMessage::AttributeMessage, MPlug&,
    MPlug&, void*)>);
static_assert(is<MCallbackId (*)(MObject&, MNodeMessage::MAttr2PlugFunction, void*, MStatus*)>
    (&MNodeMessage::addAttributeChangedCallback));
static_assert(is<MCallbackId (*)(MObject&, MMessage::MNodeFunction, void*, MStatus*)>
    (&MNodeMessage::addNodeDirtyCallback));
static_assert(is<MCallbackId (*)(MObject&, MMessage::MNodePlugFunction, void*, MStatus*)>
    (&MNodeMessage::addNodeDirtyPlugCallback));
static_assert(is<MCallbackId (*)(MObject&, MMessage::MNodeStringFunction, void*, MStatus*)>
    (&MNodeMessage::addNameChangedCallback));
static_assert(is<MCallbackId (*)(MObject&, MMessage::MNodeModifierFunction, void*, MStatus*)>
    (&MNodeMessage::addNodeAboutToDeleteCallback));
static_assert(is<MCallbackId (*)(MObject&, MMessage::MNodeFunction, void*, MStatus*)>
    (&MNodeMessage::addNodePreRemovalCallback));

// MPxDrawOverride
static_assert(std::is_same_v<MHWRender::MPxDrawOverride::GeometryDrawOverrideCb,
    void (*)(const MHWRender::MDrawContext&, const MUserData*)>);
static_assert(is<MHWRender::DrawAPI (MHWRender::MPxDrawOverride::*)() const>
    (&MHWRender::MPxDrawOverride::supportedDrawAPIs));
static_assert(is<bool (MHWRender::MPxDrawOverride::*)() const>(&MHWRender::MPxDrawOverride::hasUIDrawables));
static_assert(is<MMatrix (MHWRender::MPxDrawOverride::*)(const MDagPath&, const MDagPath&) const>
    (&MHWRender::MPxDrawOverride::transform));
static_assert(is<MBoundingBox (MHWRender::MPxDrawOverride::*)(const MDagPath&, const MDagPath&) const>
    (&MHWRender::MPxDrawOverride::boundingBox));
static_assert(is<bool (MHWRender::MPxDrawOverride::*)(const MDagPath&, const MDagPath&) const>
    (&MHWRender::MPxDrawOverride::isBounded));
static_assert(is<bool (MHWRender::MPxDrawOverride::*)() const>(&MHWRender::MPxDrawOverride::isTransparent));
static_assert(is<MUserData* (MHWRender::MPxDrawOverride::*)(const MDagPath&, const MDagPath&,
    const MHWRender::MFrameContext&, MUserData*)>(&MHWRender::MPxDrawOverride::prepareForDraw));
static_assert(is<void (MHWRender::MPxDrawOverride::*)(const MDagPath&, MHWRender::MUIDrawManager&,
    const MHWRender::MFrameContext&, const MUserData*)>(&MHWRender::MPxDrawOverride::addUIDrawables));

// MSceneMessage
static_assert(int(MSceneMessage::kSceneUpdate) == 0);
static_assert(int(MSceneMessage::kBeforeNew) == 1);
static_assert(int(MSceneMessage::kAfterNew) == 2);
static_assert(int(MSceneMessage::kBeforeImport) == 3);
static_assert(int(MSceneMessage::kAfterImport) == 4);
static_assert(int(MSceneMessage::kBeforeOpen) == 5);
static_assert(int(MSceneMessage::kAfterOpen) == 6);
static_assert(int(MSceneMessage::kBeforeFileRead) == 7);
static_assert(int(MSceneMessage::kAfterFileRead) == 8);
static_assert(int(MSceneMessage::kAfterSceneReadAndRecordEdits) == 9);
static_assert(int(MSceneMessage::kBeforeExport) == 10);
static_assert(int(MSceneMessage::kAfterExport) == 11);
static_assert(int(MSceneMessage::kBeforeSave) == 12);
static_assert(int(MSceneMessage::kAfterSave) == 13);
static_assert(int(MSceneMessage::kBeforeReference) == 14);
static_assert(int(MSceneMessage::kAfterReference) == 15);
static_assert(int(MSceneMessage::kBeforeRemoveReference) == 16);
static_assert(int(MSceneMessage::kAfterRemoveReference) == 17);
static_assert(int(MSceneMessage::kBeforeImportReference) == 18);
static_assert(int(MSceneMessage::kAfterImportReference) == 19);
static_assert(int(MSceneMessage::kBeforeExportReference) == 20);
static_assert(int(MSceneMessage::kAfterExportReference) == 21);
static_assert(int(MSceneMessage::kBeforeUnloadReference) == 22);
static_assert(int(MSceneMessage::kAfterUnloadReference) == 23);
static_assert(int(MSceneMessage::kBeforeSoftwareRender) == 24);
static_assert(int(MSceneMessage::kAfterSoftwareRender) == 25);
static_assert(int(MSceneMessage::kBeforeSoftwareFrameRender) == 26);
static_assert(int(MSceneMessage::kAfterSoftwareFrameRender) == 27);
static_assert(int(MSceneMessage::kSoftwareRenderInterrupted) == 28);
static_assert(int(MSceneMessage::kMayaInitialized) == 29);
static_assert(int(MSceneMessage::kMayaExiting) == 30);
static_assert(int(MSceneMessage::kBeforeNewCheck) == 31);
static_assert(int(MSceneMessage::kBeforeOpenCheck) == 32);
static_assert(int(MSceneMessage::kBeforeSaveCheck) == 33);
static_assert(int(MSceneMessage::kBeforeImportCheck) == 34);
static_assert(int(MSceneMessage::kBeforeExportCheck) == 35);
static_assert(int(MSceneMessage::kBeforeLoadReference) == 36);
static_assert(int(MSceneMessage::kAfterLoadReference) == 37);
static_assert(int(MSceneMessage::kBeforeLoadReferenceCheck) == 38);
static_assert(int(MSceneMessage::kBeforeReferenceCheck) == 39);
static_assert(int(MSceneMessage::kBeforeCreateReferenceCheck) == 39);
static_assert(int(MSceneMessage::kBeforePluginLoad) == 40);
static_assert(int(MSceneMessage::kAfterPluginLoad) == 41);
static_assert(int(MSceneMessage::kBeforePluginUnload) == 42);
static_assert(int(MSceneMessage::kAfterPluginUnload) == 43);
static_assert(int(MSceneMessage::kBeforeCreateReference) == 44);
static_assert(int(MSceneMessage::kAfterCreateReference) == 45);
static_assert(int(MSceneMessage::kExportStarted) == 46);
static_assert(int(MSceneMessage::kBeforeLoadReferenceAndRecordEdits) == 47);
static_assert(int(MSceneMessage::kAfterLoadReferenceAndRecordEdits) == 48);
static_assert(int(MSceneMessage::kBeforeCreateReferenceAndRecordEdits) == 49);
static_assert(int(MSceneMessage::kAfterCreateReferenceAndRecordEdits) == 50);
static_assert(int(MSceneMessage::kLast) == 51);
static_assert(is<MCallbackId (*)(MSceneMessage::Message, MMessage::MBasicFunction, void*, MStatus*)>
    (&MSceneMessage::addCallback));

// MUIDrawManager
static_assert(int(MHWRender::MUIDrawManager::kLeft) == 0);
static_assert(int(MHWRender::MUIDrawManager::kCenter) == 1);
static_assert(int(MHWRender::MUIDrawManager::kRight) == 2);
static_assert(int(MHWRender::MUIDrawManager::kSolid) == 0);
static_assert(int(MHWRender::MUIDrawManager::kShortDotted) == 1);
static_assert(int(MHWRender::MUIDrawManager::kShortDashed) == 2);
static_assert(int(MHWRender::MUIDrawManager::kDashed) == 3);
static_assert(int(MHWRender::MUIDrawManager::kDotted) == 4);
static_assert(int(MHWRender::MUIDrawManager::kFlat) == 0);
static_assert(int(MHWRender::MUIDrawManager::kStippled) == 1);
static_assert(int(MHWRender::MUIDrawManager::kShaded) == 2);
static_assert(int(MHWRender::MUIDrawManager::kPoints) == 0);
static_assert(int(MHWRender::MUIDrawManager::kLines) == 1);
static_assert(int(MHWRender::MUIDrawManager::kLineStrip) == 2);
static_assert(int(MHWRender::MUIDrawManager::kClosedLine) == 3);
static_assert(int(MHWRender::MUIDrawManager::kTriangles) == 4);
static_assert(int(MHWRender::MUIDrawManager::kTriStrip) == 5);
static_assert(int(MHWRender::MUIDrawManager::kNonSelectable) == 0);
static_assert(int(MHWRender::MUIDrawManager::kSelectable) == 1);
static_assert(int(MHWRender::MUIDrawManager::kAutomatic) == 2);
static_assert(is<void (MHWRender::MUIDrawManager::*)(MHWRender::MUIDrawManager::Selectability, unsigned int)>
    (&MHWRender::MUIDrawManager::beginDrawable));
static_assert(is<void (MHWRender::MUIDrawManager::*)()>(&MHWRender::MUIDrawManager::endDrawable));
static_assert(is<void (MHWRender::MUIDrawManager::*)()>(&MHWRender::MUIDrawManager::beginDrawInXray));
static_assert(is<void (MHWRender::MUIDrawManager::*)()>(&MHWRender::MUIDrawManager::endDrawInXray));
static_assert(is<void (MHWRender::MUIDrawManager::*)(const MColor&)>(&MHWRender::MUIDrawManager::setColor));
static_assert(is<void (MHWRender::MUIDrawManager::*)(float)>(&MHWRender::MUIDrawManager::setPointSize));
static_assert(is<void (MHWRender::MUIDrawManager::*)(float)>(&MHWRender::MUIDrawManager::setLineWidth));
static_assert(is<void (MHWRender::MUIDrawManager::*)(MHWRender::MUIDrawManager::LineStyle)>
    (&MHWRender::MUIDrawManager::setLineStyle));
static_assert(is<void (MHWRender::MUIDrawManager::*)(MHWRender::MUIDrawManager::PaintStyle)>
    (&MHWRender::MUIDrawManager::setPaintStyle));
static_assert(is<void (MHWRender::MUIDrawManager::*)(unsigned int)>(&MHWRender::MUIDrawManager::setDepthPriority));
static_assert(is<void (MHWRender::MUIDrawManager::*)(const MPoint&, const MPoint&)>(&MHWRender::MUIDrawManager::line));
static_assert(is<MStatus (MHWRender::MUIDrawManager::*)(const MPointArray&, bool)>
    (&MHWRender::MUIDrawManager::lineList));
static_assert(is<MStatus (MHWRender::MUIDrawManager::*)(const MPointArray&, bool)>
    (&MHWRender::MUIDrawManager::lineStrip));
static_assert(is<void (MHWRender::MUIDrawManager::*)(const MPoint&)>(&MHWRender::MUIDrawManager::point));
static_assert(is<MStatus (MHWRender::MUIDrawManager::*)(const MPointArray&, bool)>(&MHWRender::MUIDrawManager::points));
static_assert(is<void (MHWRender::MUIDrawManager::*)(const MPoint&, double, bool)>(&MHWRender::MUIDrawManager::sphere));
static_assert(is<void (MHWRender::MUIDrawManager::*)(MHWRender::MUIDrawManager::Primitive, const MPointArray&,
    const MVectorArray*, const MColorArray*, const MUintArray*, const MPointArray*)>(&MHWRender::MUIDrawManager::mesh));
static_assert(is<void (MHWRender::MUIDrawManager::*)(MHWRender::MUIDrawManager::Primitive, const MFloatPointArray&,
    const MFloatVectorArray*, const MColorArray*, const MUintArray*, const MFloatPointArray*)>
    (&MHWRender::MUIDrawManager::mesh));
static_assert(is<void (MHWRender::MUIDrawManager::*)(const MPoint&, const MString&,
    MHWRender::MUIDrawManager::TextAlignment, const int*, const MColor*, bool)>(&MHWRender::MUIDrawManager::text));
static_assert(is<void (MHWRender::MUIDrawManager::*)(MHWRender::MUIDrawManager::Primitive, const MPointArray&,
    const MColorArray*, const MUintArray*, const MPointArray*)>(&MHWRender::MUIDrawManager::mesh2d));
static_assert(is<void (MHWRender::MUIDrawManager::*)(const MPoint&, const MString&,
    MHWRender::MUIDrawManager::TextAlignment, const int*, const MColor*, bool)>(&MHWRender::MUIDrawManager::text2d));

// MRenderer
static_assert(is<void (*)(MObject, bool)>(&MHWRender::MRenderer::setGeometryDrawDirty));

} // namespace
