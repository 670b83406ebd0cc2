// Every function that the stand-in declares of Maya's function sets, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MArrayDataBuilder.h>
#include <maya/MFnBase.h>
#include <maya/MFnComponent.h>
#include <maya/MFnComponentListData.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnData.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnFloatArrayData.h>
#include <maya/MFnGeometryData.h>
#include <maya/MFnGeometryFilter.h>
#include <maya/MFnIntArrayData.h>
#include <maya/MFnMatrixArrayData.h>
#include <maya/MFnMatrixData.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnNurbsCurveData.h>
#define MNoVersionString
#include <maya/MFnPlugin.h>
#include <maya/MFnPointArrayData.h>
#include <maya/MFnSingleIndexedComponent.h>
#include <maya/MFnSkinCluster.h>
#include <maya/MFnStringArrayData.h>
#include <maya/MFnStringData.h>
#include <maya/MFnTransform.h>
#include <maya/MFnVectorArrayData.h>

#include <type_traits>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MFnBase
static_assert(is<MFn::Type (MFnBase::*)() const>(&MFnBase::type));
static_assert(is<bool (MFnBase::*)(MFn::Type) const>(&MFnBase::hasObj));
static_assert(is<bool (MFnBase::*)(const MObject&) const>(&MFnBase::hasObj));
static_assert(is<MObject (MFnBase::*)(MStatus*) const>(&MFnBase::object));
static_assert(is<MStatus (MFnBase::*)(const MObject&)>(&MFnBase::setObject));

// MFnComponent
static_assert(is<int (MFnComponent::*)(MStatus*) const>(&MFnComponent::elementCount));
static_assert(is<MFn::Type (MFnComponent::*)(MStatus*) const>(&MFnComponent::componentType));
static_assert(is<bool (MFnComponent::*)(MStatus*) const>(&MFnComponent::isEmpty));
static_assert(is<bool (MFnComponent::*)(MStatus*) const>(&MFnComponent::isComplete));
static_assert(is<MStatus (MFnComponent::*)(bool)>(&MFnComponent::setComplete));

// MFnComponentListData
static_assert(is<unsigned int (MFnComponentListData::*)(MStatus*) const>(&MFnComponentListData::length));
static_assert(is<MObject (MFnComponentListData::*)(unsigned int) const>(&MFnComponentListData::operator[]));
static_assert(is<MStatus (MFnComponentListData::*)(MObject&)>(&MFnComponentListData::add));
static_assert(is<MStatus (MFnComponentListData::*)()>(&MFnComponentListData::clear));
static_assert(is<MObject (MFnComponentListData::*)(MStatus*)>(&MFnComponentListData::create));

// MFnDagNode
static_assert(int(MFnDagNode::kNextPos) == 255);
static_assert(std::is_constructible_v<MFnDagNode, const MDagPath&, MStatus*>);
static_assert(is<MStatus (MFnDagNode::*)(const MDagPath&)>(&MFnDagNode::setObject));
static_assert(is<MObject (MFnDagNode::*)(const MTypeId&, MObject&, MStatus*)>(&MFnDagNode::create));
static_assert(is<MObject (MFnDagNode::*)(const MTypeId&, const MString&, MObject&, MStatus*)>(&MFnDagNode::create));
static_assert(is<MObject (MFnDagNode::*)(const MString&, MObject&, MStatus*)>(&MFnDagNode::create));
static_assert(is<MObject (MFnDagNode::*)(const MString&, const MString&, MObject&, MStatus*)>(&MFnDagNode::create));
static_assert(is<unsigned int (MFnDagNode::*)(MStatus*) const>(&MFnDagNode::parentCount));
static_assert(is<MObject (MFnDagNode::*)(unsigned int, MStatus*) const>(&MFnDagNode::parent));
static_assert(is<MStatus (MFnDagNode::*)(MObject&, unsigned int, bool)>(&MFnDagNode::addChild));
static_assert(is<unsigned int (MFnDagNode::*)(MStatus*) const>(&MFnDagNode::childCount));
static_assert(is<MObject (MFnDagNode::*)(unsigned int, MStatus*) const>(&MFnDagNode::child));
static_assert(is<MStatus (MFnDagNode::*)(MDagPath&) const>(&MFnDagNode::getPath));
static_assert(is<MString (MFnDagNode::*)(MStatus*) const>(&MFnDagNode::fullPathName));
static_assert(is<MString (MFnDagNode::*)(MStatus*) const>(&MFnDagNode::partialPathName));
static_assert(is<MMatrix (MFnDagNode::*)(MStatus*) const>(&MFnDagNode::transformationMatrix));
static_assert(is<bool (MFnDagNode::*)(MStatus*) const>(&MFnDagNode::isIntermediateObject));
static_assert(is<MStatus (MFnDagNode::*)(bool)>(&MFnDagNode::setIntermediateObject));
static_assert(is<MDagPath (MFnDagNode::*)(MStatus*) const>(&MFnDagNode::dagPath));

// MFnData
static_assert(int(MFnData::kInvalid) == 0);
static_assert(int(MFnData::kNumeric) == 1);
static_assert(int(MFnData::kPlugin) == 2);
static_assert(int(MFnData::kPluginGeometry) == 3);
static_assert(int(MFnData::kString) == 4);
static_assert(int(MFnData::kMatrix) == 5);
static_assert(int(MFnData::kStringArray) == 6);
static_assert(int(MFnData::kDoubleArray) == 7);
static_assert(int(MFnData::kFloatArray) == 8);
static_assert(int(MFnData::kIntArray) == 9);
static_assert(int(MFnData::kPointArray) == 10);
static_assert(int(MFnData::kVectorArray) == 11);
static_assert(int(MFnData::kMatrixArray) == 12);
static_assert(int(MFnData::kComponentList) == 13);
static_assert(int(MFnData::kMesh) == 14);
static_assert(int(MFnData::kLattice) == 15);
static_assert(int(MFnData::kNurbsCurve) == 16);
static_assert(int(MFnData::kNurbsSurface) == 17);
static_assert(int(MFnData::kSphere) == 18);
static_assert(int(MFnData::kDynArrayAttrs) == 19);
static_assert(int(MFnData::kDynSweptGeometry) == 20);
static_assert(int(MFnData::kSubdSurface) == 21);
static_assert(int(MFnData::kNObject) == 22);
static_assert(int(MFnData::kNId) == 23);
static_assert(int(MFnData::kAny) == 24);
static_assert(int(MFnData::kFalloffFunction) == 25);
static_assert(int(MFnData::kLast) == 26);

// MFnDependencyNode
static_assert(int(MFnDependencyNode::kLocalDynamicAttr) == 1);
static_assert(int(MFnDependencyNode::kNormalAttr) == 2);
static_assert(int(MFnDependencyNode::kExtensionAttr) == 3);
static_assert(int(MFnDependencyNode::kInvalidAttr) == 4);
static_assert(is<MObject (MFnDependencyNode::*)(const MTypeId&, MStatus*)>(&MFnDependencyNode::create));
static_assert(is<MObject (MFnDependencyNode::*)(const MTypeId&, const MString&, MStatus*)>(&MFnDependencyNode::create));
static_assert(is<MObject (MFnDependencyNode::*)(const MString&, MStatus*)>(&MFnDependencyNode::create));
static_assert(is<MObject (MFnDependencyNode::*)(const MString&, const MString&, MStatus*)>(&MFnDependencyNode::create));
static_assert(is<MTypeId (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::typeId));
static_assert(is<MString (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::typeName));
static_assert(is<MString (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::name));
static_assert(is<MString (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::absoluteName));
static_assert(is<MString (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::uniqueName));
static_assert(is<MString (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::pluginName));
static_assert(is<MString (MFnDependencyNode::*)(const MString&, bool, MStatus*)>(&MFnDependencyNode::setName));
static_assert(is<MUuid (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::uuid));
static_assert(is<MStatus (MFnDependencyNode::*)(MPlugArray&) const>(&MFnDependencyNode::getConnections));
static_assert(is<unsigned int (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::attributeCount));
static_assert(is<MObject (MFnDependencyNode::*)(unsigned int, MStatus*) const>(&MFnDependencyNode::attribute));
static_assert(is<MObject (MFnDependencyNode::*)(const MString&, MStatus*) const>(&MFnDependencyNode::attribute));
static_assert(is<MStatus (MFnDependencyNode::*)(const MObject&, MObjectArray&) const>
    (&MFnDependencyNode::getAffectedAttributes));
static_assert(is<MStatus (MFnDependencyNode::*)(const MObject&, MObjectArray&) const>
    (&MFnDependencyNode::getAffectedByAttributes));
static_assert(is<MPlug (MFnDependencyNode::*)(const MObject&, bool, MStatus*) const>(&MFnDependencyNode::findPlug));
static_assert(is<MPlug (MFnDependencyNode::*)(const MString&, bool, MStatus*) const>(&MFnDependencyNode::findPlug));
static_assert(is<MStatus (MFnDependencyNode::*)(const MObject&)>(&MFnDependencyNode::addAttribute));
static_assert(is<MStatus (MFnDependencyNode::*)(const MObject&)>(&MFnDependencyNode::removeAttribute));
static_assert(is<MPxNode* (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::userNode));
static_assert(is<bool (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::isFromReferencedFile));
static_assert(is<bool (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::hasUniqueName));
static_assert(is<MString (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::parentNamespace));
static_assert(is<bool (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::isLocked));
static_assert(is<MStatus (MFnDependencyNode::*)(bool)>(&MFnDependencyNode::setLocked));
static_assert(is<MString (*)(const MString&)>(&MFnDependencyNode::classification));
static_assert(is<bool (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::isDefaultNode));
static_assert(is<MStatus (MFnDependencyNode::*)(bool)>(&MFnDependencyNode::setDoNotWrite));
static_assert(is<bool (MFnDependencyNode::*)(MStatus*) const>(&MFnDependencyNode::canBeWritten));
static_assert(is<bool (MFnDependencyNode::*)(const MString&, MStatus*) const>(&MFnDependencyNode::hasAttribute));
static_assert(is<MStatus (MFnDependencyNode::*)(const MString&)>(&MFnDependencyNode::setIcon));

// MFnDoubleArrayData
static_assert(is<unsigned int (MFnDoubleArrayData::*)(MStatus*) const>(&MFnDoubleArrayData::length));
static_assert(is<double (MFnDoubleArrayData::*)(unsigned int) const>(&MFnDoubleArrayData::operator[]));
static_assert(is<double& (MFnDoubleArrayData::*)(unsigned int)>(&MFnDoubleArrayData::operator[]));
static_assert(is<MStatus (MFnDoubleArrayData::*)(double, unsigned int)>(&MFnDoubleArrayData::set));
static_assert(is<MStatus (MFnDoubleArrayData::*)(MDoubleArray&) const>(&MFnDoubleArrayData::copyTo));
static_assert(is<MStatus (MFnDoubleArrayData::*)(const MDoubleArray&)>(&MFnDoubleArrayData::set));
static_assert(is<MDoubleArray (MFnDoubleArrayData::*)(MStatus*)>(&MFnDoubleArrayData::array));
static_assert(is<MObject (MFnDoubleArrayData::*)(MStatus*)>(&MFnDoubleArrayData::create));
static_assert(is<MObject (MFnDoubleArrayData::*)(const MDoubleArray&, MStatus*)>(&MFnDoubleArrayData::create));

// MFnFloatArrayData
static_assert(is<unsigned int (MFnFloatArrayData::*)(MStatus*) const>(&MFnFloatArrayData::length));
static_assert(is<float (MFnFloatArrayData::*)(unsigned int) const>(&MFnFloatArrayData::operator[]));
static_assert(is<float& (MFnFloatArrayData::*)(unsigned int)>(&MFnFloatArrayData::operator[]));
static_assert(is<MStatus (MFnFloatArrayData::*)(float, unsigned int)>(&MFnFloatArrayData::set));
static_assert(is<MStatus (MFnFloatArrayData::*)(MFloatArray&) const>(&MFnFloatArrayData::copyTo));
static_assert(is<MStatus (MFnFloatArrayData::*)(const MFloatArray&)>(&MFnFloatArrayData::set));
static_assert(is<MFloatArray (MFnFloatArrayData::*)(MStatus*)>(&MFnFloatArrayData::array));
static_assert(is<MObject (MFnFloatArrayData::*)(MStatus*)>(&MFnFloatArrayData::create));
static_assert(is<MObject (MFnFloatArrayData::*)(const MFloatArray&, MStatus*)>(&MFnFloatArrayData::create));

// MFnGeometryData
static_assert(int(MFnGeometryData::kAuto) == 0);
static_assert(int(MFnGeometryData::kNull) == 1);
static_assert(int(MFnGeometryData::kVerts) == 2);
static_assert(int(MFnGeometryData::kEdges) == 3);
static_assert(int(MFnGeometryData::kFaces) == 4);
static_assert(int(MFnGeometryData::kUnsupported) == 5);
static_assert(int(MFnGeometryData::kInvalidGroup) == 0);
static_assert(int(MFnGeometryData::kEmptyGroup) == 1);
static_assert(int(MFnGeometryData::kCompleteGroup) == 2);
static_assert(int(MFnGeometryData::kPartialGroup) == 3);
static_assert(is<MStatus (MFnGeometryData::*)(const MMatrix&)>(&MFnGeometryData::setMatrix));
static_assert(is<MStatus (MFnGeometryData::*)(MMatrix&) const>(&MFnGeometryData::getMatrix));
static_assert(is<MStatus (MFnGeometryData::*)(MStringArray&) const>(&MFnGeometryData::componentTags));
static_assert(is<bool (MFnGeometryData::*)(const MString&, MStatus*) const>(&MFnGeometryData::hasComponentTag));
static_assert(is<MStatus (MFnGeometryData::*)(const MString&)>(&MFnGeometryData::addComponentTag));
static_assert(is<MStatus (MFnGeometryData::*)(const MString&)>(&MFnGeometryData::removeComponentTag));
static_assert(is<MObject (MFnGeometryData::*)(const MString&, MStatus*) const>(&MFnGeometryData::componentTagContents));
static_assert(is<MStatus (MFnGeometryData::*)(const MString&, MObject&)>(&MFnGeometryData::setComponentTagContents));
static_assert(is<MObject (MFnGeometryData::*)(const MString&, MFnGeometryData::ComponentTagCategory, MStatus*) const>
    (&MFnGeometryData::resolveComponentTagExpression));
static_assert(is<MStatus (MFnGeometryData::*)(unsigned int)>(&MFnGeometryData::addObjectGroup));
static_assert(is<MStatus (MFnGeometryData::*)(unsigned int, MObject&)>(&MFnGeometryData::setObjectGroupComponent));
static_assert(is<bool (MFnGeometryData::*)(unsigned int, MStatus*) const>(&MFnGeometryData::hasObjectGroup));

// MFnGeometryFilter
static_assert(is<MStatus (MFnGeometryFilter::*)(MObjectArray&) const>(&MFnGeometryFilter::getInputGeometry));
static_assert(is<MStatus (MFnGeometryFilter::*)(MObjectArray&) const>(&MFnGeometryFilter::getOutputGeometry));
static_assert(is<MObject (MFnGeometryFilter::*)(unsigned int, MStatus*) const>(&MFnGeometryFilter::inputShapeAtIndex));
static_assert(is<MObject (MFnGeometryFilter::*)(unsigned int, MStatus*) const>(&MFnGeometryFilter::outputShapeAtIndex));
static_assert(is<unsigned int (MFnGeometryFilter::*)(const MObject&, MStatus*) const>
    (&MFnGeometryFilter::indexForOutputShape));
static_assert(is<MStatus (MFnGeometryFilter::*)(unsigned int, MDagPath&) const>(&MFnGeometryFilter::getPathAtIndex));
static_assert(is<unsigned int (MFnGeometryFilter::*)(MStatus*) const>(&MFnGeometryFilter::numOutputConnections));
static_assert(is<unsigned int (MFnGeometryFilter::*)(unsigned int, MStatus*) const>
    (&MFnGeometryFilter::indexForOutputConnection));
static_assert(is<float (MFnGeometryFilter::*)(MStatus*) const>(&MFnGeometryFilter::envelope));
static_assert(is<MStatus (MFnGeometryFilter::*)(float)>(&MFnGeometryFilter::setEnvelope));

// MFnIntArrayData
static_assert(is<unsigned int (MFnIntArrayData::*)(MStatus*) const>(&MFnIntArrayData::length));
static_assert(is<int (MFnIntArrayData::*)(unsigned int) const>(&MFnIntArrayData::operator[]));
static_assert(is<int& (MFnIntArrayData::*)(unsigned int)>(&MFnIntArrayData::operator[]));
static_assert(is<MStatus (MFnIntArrayData::*)(int, unsigned int)>(&MFnIntArrayData::set));
static_assert(is<MStatus (MFnIntArrayData::*)(MIntArray&) const>(&MFnIntArrayData::copyTo));
static_assert(is<MStatus (MFnIntArrayData::*)(const MIntArray&)>(&MFnIntArrayData::set));
static_assert(is<MIntArray (MFnIntArrayData::*)(MStatus*)>(&MFnIntArrayData::array));
static_assert(is<MObject (MFnIntArrayData::*)(MStatus*)>(&MFnIntArrayData::create));
static_assert(is<MObject (MFnIntArrayData::*)(const MIntArray&, MStatus*)>(&MFnIntArrayData::create));

// MFnMatrixArrayData
static_assert(is<unsigned int (MFnMatrixArrayData::*)(MStatus*) const>(&MFnMatrixArrayData::length));
static_assert(is<const MMatrix& (MFnMatrixArrayData::*)(unsigned int) const>(&MFnMatrixArrayData::operator[]));
static_assert(is<MMatrix& (MFnMatrixArrayData::*)(unsigned int)>(&MFnMatrixArrayData::operator[]));
static_assert(is<MStatus (MFnMatrixArrayData::*)(MMatrix&, unsigned int)>(&MFnMatrixArrayData::set));
static_assert(is<MStatus (MFnMatrixArrayData::*)(MMatrixArray&) const>(&MFnMatrixArrayData::copyTo));
static_assert(is<MStatus (MFnMatrixArrayData::*)(const MMatrixArray&)>(&MFnMatrixArrayData::set));
static_assert(is<MMatrixArray (MFnMatrixArrayData::*)(MStatus*)>(&MFnMatrixArrayData::array));
static_assert(is<MObject (MFnMatrixArrayData::*)(MStatus*)>(&MFnMatrixArrayData::create));
static_assert(is<MObject (MFnMatrixArrayData::*)(const MMatrixArray&, MStatus*)>(&MFnMatrixArrayData::create));

// MFnMatrixData
static_assert(is<bool (MFnMatrixData::*)(MStatus*) const>(&MFnMatrixData::isTransformation));
static_assert(is<MTransformationMatrix (MFnMatrixData::*)(MStatus*) const>(&MFnMatrixData::transformation));
static_assert(is<const MMatrix& (MFnMatrixData::*)(MStatus*) const>(&MFnMatrixData::matrix));
static_assert(is<MStatus (MFnMatrixData::*)(const MMatrix&)>(&MFnMatrixData::set));
static_assert(is<MObject (MFnMatrixData::*)(MStatus*)>(&MFnMatrixData::create));
static_assert(is<MObject (MFnMatrixData::*)(const MMatrix&, MStatus*)>(&MFnMatrixData::create));

// MFnMeshData
static_assert(is<MObject (MFnMeshData::*)(MStatus*)>(&MFnMeshData::create));

// MFnNumericData
static_assert(int(MFnNumericData::kInvalid) == 0);
static_assert(int(MFnNumericData::kBoolean) == 1);
static_assert(int(MFnNumericData::kByte) == 2);
static_assert(int(MFnNumericData::kChar) == 3);
static_assert(int(MFnNumericData::kShort) == 4);
static_assert(int(MFnNumericData::k2Short) == 5);
static_assert(int(MFnNumericData::k3Short) == 6);
static_assert(int(MFnNumericData::kLong) == 7);
static_assert(int(MFnNumericData::kInt) == 7);
static_assert(int(MFnNumericData::k2Long) == 8);
static_assert(int(MFnNumericData::k2Int) == 8);
static_assert(int(MFnNumericData::k3Long) == 9);
static_assert(int(MFnNumericData::k3Int) == 9);
static_assert(int(MFnNumericData::kInt64) == 10);
static_assert(int(MFnNumericData::kFloat) == 11);
static_assert(int(MFnNumericData::k2Float) == 12);
static_assert(int(MFnNumericData::k3Float) == 13);
static_assert(int(MFnNumericData::kDouble) == 14);
static_assert(int(MFnNumericData::k2Double) == 15);
static_assert(int(MFnNumericData::k3Double) == 16);
static_assert(int(MFnNumericData::k4Double) == 17);
static_assert(int(MFnNumericData::kAddr) == 18);
static_assert(int(MFnNumericData::kLast) == 19);
static_assert(is<MObject (MFnNumericData::*)(MFnNumericData::Type, MStatus*)>(&MFnNumericData::create));
static_assert(is<MFnNumericData::Type (MFnNumericData::*)(MStatus*)>(&MFnNumericData::numericType));
static_assert(is<MStatus (MFnNumericData::*)(double&, double&, double&)>(&MFnNumericData::getData3Double));
static_assert(is<MStatus (MFnNumericData::*)(double&, double&)>(&MFnNumericData::getData2Double));
static_assert(is<MStatus (MFnNumericData::*)(double, double, double)>(&MFnNumericData::setData3Double));
static_assert(is<MStatus (MFnNumericData::*)(double, double)>(&MFnNumericData::setData2Double));

// MFnNurbsCurveData
static_assert(is<MObject (MFnNurbsCurveData::*)(MStatus*)>(&MFnNurbsCurveData::create));

// MFnPlugin
static_assert(std::is_constructible_v<MFnPlugin, MObject&, const char*, const char*, const char*, MStatus*>);
static_assert(is<MFn::Type (MFnPlugin::*)() const>(&MFnPlugin::type));
static_assert(is<MString (MFnPlugin::*)(MStatus*) const>(&MFnPlugin::vendor));
static_assert(is<MString (MFnPlugin::*)(MStatus*) const>(&MFnPlugin::version));
static_assert(is<MString (MFnPlugin::*)(MStatus*) const>(&MFnPlugin::apiVersion));
static_assert(is<MString (MFnPlugin::*)(MStatus*) const>(&MFnPlugin::name));
static_assert(is<MString (MFnPlugin::*)(MStatus*) const>(&MFnPlugin::loadPath));
static_assert(is<MStatus (MFnPlugin::*)(const MString&, bool)>(&MFnPlugin::setName));
static_assert(is<MStatus (MFnPlugin::*)(const MString&)>(&MFnPlugin::setVersion));
static_assert(is<MStatus (MFnPlugin::*)(const MString&, MCreatorFunction, MCreateSyntaxFunction)>
    (&MFnPlugin::registerCommand));
static_assert(is<MStatus (MFnPlugin::*)(const MString&)>(&MFnPlugin::deregisterCommand));
static_assert(is<MStatus (MFnPlugin::*)(const MString&, const MTypeId&, MCreatorFunction, MInitializeFunction,
    MPxNode::Type, const MString*)>(&MFnPlugin::registerNode));
static_assert(is<MStatus (MFnPlugin::*)(const MTypeId&)>(&MFnPlugin::deregisterNode));
static_assert(is<MStatus (MFnPlugin::*)(const MString&, const MString&, const MString&, const MString&)>
    (&MFnPlugin::registerUI));
static_assert(is<MObject (*)(const MString&)>(&MFnPlugin::findPlugin));
static_assert(is<bool (*)(const MString&)>(&MFnPlugin::isNodeRegistered));
static_assert(is<const char* (*)()>(&MFnPlugin::className));

// MFnPointArrayData
static_assert(is<unsigned int (MFnPointArrayData::*)(MStatus*) const>(&MFnPointArrayData::length));
static_assert(is<const MPoint& (MFnPointArrayData::*)(unsigned int) const>(&MFnPointArrayData::operator[]));
static_assert(is<MPoint& (MFnPointArrayData::*)(unsigned int)>(&MFnPointArrayData::operator[]));
static_assert(is<MStatus (MFnPointArrayData::*)(MPoint&, unsigned int)>(&MFnPointArrayData::set));
static_assert(is<MStatus (MFnPointArrayData::*)(MPointArray&) const>(&MFnPointArrayData::copyTo));
static_assert(is<MStatus (MFnPointArrayData::*)(const MPointArray&)>(&MFnPointArrayData::set));
static_assert(is<MPointArray (MFnPointArrayData::*)(MStatus*)>(&MFnPointArrayData::array));
static_assert(is<MObject (MFnPointArrayData::*)(MStatus*)>(&MFnPointArrayData::create));
static_assert(is<MObject (MFnPointArrayData::*)(const MPointArray&, MStatus*)>(&MFnPointArrayData::create));

// MFnSingleIndexedComponent
static_assert(is<MObject (MFnSingleIndexedComponent::*)(MFn::Type, MStatus*)>(&MFnSingleIndexedComponent::create));
static_assert(is<MStatus (MFnSingleIndexedComponent::*)(int)>(&MFnSingleIndexedComponent::addElement));
static_assert(is<MStatus (MFnSingleIndexedComponent::*)(MIntArray&)>(&MFnSingleIndexedComponent::addElements));
static_assert(is<int (MFnSingleIndexedComponent::*)(int, MStatus*) const>(&MFnSingleIndexedComponent::element));
static_assert(is<MStatus (MFnSingleIndexedComponent::*)(MIntArray&) const>(&MFnSingleIndexedComponent::getElements));
static_assert(is<MStatus (MFnSingleIndexedComponent::*)(int)>(&MFnSingleIndexedComponent::setCompleteData));
static_assert(is<MStatus (MFnSingleIndexedComponent::*)(int&) const>(&MFnSingleIndexedComponent::getCompleteData));

// MFnSkinCluster
static_assert(is<MStatus (MFnSkinCluster::*)(const MDagPath&, const MObject&, MDoubleArray&, unsigned int&) const>
    (&MFnSkinCluster::getWeights));
static_assert(is<MStatus (MFnSkinCluster::*)(const MDagPath&, const MObject&, unsigned int, MDoubleArray&) const>
    (&MFnSkinCluster::getWeights));
static_assert(is<unsigned int (MFnSkinCluster::*)(const MDagPath&, MStatus*) const>
    (&MFnSkinCluster::indexForInfluenceObject));
static_assert(is<unsigned int (MFnSkinCluster::*)(MDagPathArray&, MStatus*) const>(&MFnSkinCluster::influenceObjects));

// MFnStringArrayData
static_assert(is<unsigned int (MFnStringArrayData::*)(MStatus*) const>(&MFnStringArrayData::length));
static_assert(is<MStatus (MFnStringArrayData::*)(MStringArray&) const>(&MFnStringArrayData::copyTo));
static_assert(is<MStatus (MFnStringArrayData::*)(const MStringArray&)>(&MFnStringArrayData::set));
static_assert(is<MStringArray (MFnStringArrayData::*)(MStatus*)>(&MFnStringArrayData::array));
static_assert(is<MObject (MFnStringArrayData::*)(MStatus*)>(&MFnStringArrayData::create));
static_assert(is<MObject (MFnStringArrayData::*)(const MStringArray&, MStatus*)>(&MFnStringArrayData::create));

// MFnStringData
static_assert(is<MString (MFnStringData::*)(MStatus*) const>(&MFnStringData::string));
static_assert(is<MStatus (MFnStringData::*)(const MString&)>(&MFnStringData::set));
static_assert(is<MObject (MFnStringData::*)(const MString&, MStatus*)>(&MFnStringData::create));
static_assert(is<MObject (MFnStringData::*)(MStatus*)>(&MFnStringData::create));

// MFnTransform
static_assert(is<MObject (MFnTransform::*)(MObject, MStatus*)>(&MFnTransform::create));
static_assert(is<MTransformationMatrix (MFnTransform::*)(MStatus*) const>(&MFnTransform::transformation));
static_assert(is<MStatus (MFnTransform::*)(const MTransformationMatrix&)>(&MFnTransform::set));
static_assert(is<MVector (MFnTransform::*)(MSpace::Space, MStatus*) const>(&MFnTransform::getTranslation));
static_assert(is<MStatus (MFnTransform::*)(const MVector&, MSpace::Space)>(&MFnTransform::setTranslation));

// MFnVectorArrayData
static_assert(is<unsigned int (MFnVectorArrayData::*)(MStatus*) const>(&MFnVectorArrayData::length));
static_assert(is<const MVector& (MFnVectorArrayData::*)(unsigned int) const>(&MFnVectorArrayData::operator[]));
static_assert(is<MVector& (MFnVectorArrayData::*)(unsigned int)>(&MFnVectorArrayData::operator[]));
static_assert(is<MStatus (MFnVectorArrayData::*)(MVector&, unsigned int)>(&MFnVectorArrayData::set));
static_assert(is<MStatus (MFnVectorArrayData::*)(MVectorArray&) const>(&MFnVectorArrayData::copyTo));
static_assert(is<MStatus (MFnVectorArrayData::*)(const MVectorArray&)>(&MFnVectorArrayData::set));
static_assert(is<MVectorArray (MFnVectorArrayData::*)(MStatus*)>(&MFnVectorArrayData::array));
static_assert(is<MObject (MFnVectorArrayData::*)(MStatus*)>(&MFnVectorArrayData::create));
static_assert(is<MObject (MFnVectorArrayData::*)(const MVectorArray&, MStatus*)>(&MFnVectorArrayData::create));

} // namespace
