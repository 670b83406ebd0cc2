// Every function that the stand-in declares of Maya's nodes, plugs, data blocks and evaluation, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MArrayDataBuilder.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MCacheSchema.h>
#include <maya/MDGContext.h>
#include <maya/MDGContextGuard.h>
#include <maya/MDagPath.h>
#include <maya/MDagPathArray.h>
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MEvaluationNode.h>
#include <maya/MEvaluationNodeIterator.h>
#include <maya/MFileIO.h>
#include <maya/MIndexMapper.h>
#include <maya/MItGeometry.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MPlug.h>
#include <maya/MPlugArray.h>
#include <maya/MPxDeformerNode.h>
#include <maya/MPxGeometryFilter.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MPxNode.h>
#include <maya/MTimerMessage.h>

#include <type_traits>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MArrayDataBuilder
static_assert(std::is_constructible_v<MArrayDataBuilder, MDataBlock*, const MObject&, unsigned int, MStatus*>);
static_assert(is<MDataHandle (MArrayDataBuilder::*)(MStatus*)>(&MArrayDataBuilder::addLast));
static_assert(is<MDataHandle (MArrayDataBuilder::*)(unsigned int, MStatus*)>(&MArrayDataBuilder::addElement));
static_assert(is<MArrayDataHandle (MArrayDataBuilder::*)(MStatus*)>(&MArrayDataBuilder::addLastArray));
static_assert(is<MArrayDataHandle (MArrayDataBuilder::*)(unsigned int, MStatus*)>(&MArrayDataBuilder::addElementArray));
static_assert(is<MStatus (MArrayDataBuilder::*)(unsigned int)>(&MArrayDataBuilder::removeElement));
static_assert(is<unsigned int (MArrayDataBuilder::*)(MStatus*) const>(&MArrayDataBuilder::elementCount));
static_assert(is<MStatus (MArrayDataBuilder::*)(unsigned int)>(&MArrayDataBuilder::growArray));
static_assert(is<MStatus (MArrayDataBuilder::*)(unsigned int)>(&MArrayDataBuilder::setGrowSize));
static_assert(is<const char* (*)()>(&MArrayDataBuilder::className));

// MArrayDataHandle
static_assert(std::is_constructible_v<MArrayDataHandle, const MDataHandle&, MStatus*>);
static_assert(is<MDataHandle (MArrayDataHandle::*)(MStatus*)>(&MArrayDataHandle::inputValue));
static_assert(is<MDataHandle (MArrayDataHandle::*)(MStatus*)>(&MArrayDataHandle::outputValue));
static_assert(is<MArrayDataHandle (MArrayDataHandle::*)(MStatus*)>(&MArrayDataHandle::inputArrayValue));
static_assert(is<MArrayDataHandle (MArrayDataHandle::*)(MStatus*)>(&MArrayDataHandle::outputArrayValue));
static_assert(is<MStatus (MArrayDataHandle::*)()>(&MArrayDataHandle::next));
static_assert(is<unsigned int (MArrayDataHandle::*)(MStatus*)>(&MArrayDataHandle::elementCount));
static_assert(is<unsigned int (MArrayDataHandle::*)(MStatus*)>(&MArrayDataHandle::elementIndex));
static_assert(is<MStatus (MArrayDataHandle::*)(unsigned int)>(&MArrayDataHandle::jumpToElement));
static_assert(is<MStatus (MArrayDataHandle::*)(unsigned int)>(&MArrayDataHandle::jumpToArrayElement));
static_assert(is<MStatus (MArrayDataHandle::*)()>(&MArrayDataHandle::setClean));
static_assert(is<MStatus (MArrayDataHandle::*)()>(&MArrayDataHandle::setAllClean));
static_assert(is<MArrayDataBuilder (MArrayDataHandle::*)(MStatus*)>(&MArrayDataHandle::builder));
static_assert(is<MStatus (MArrayDataHandle::*)(MArrayDataBuilder&)>(&MArrayDataHandle::set));
static_assert(is<const char* (*)()>(&MArrayDataHandle::className));

// MCacheSchema
static_assert(is<MStatus (MCacheSchema::*)(const MObject&)>(&MCacheSchema::add));

// MDGContext
static_assert(std::is_constructible_v<MDGContext>);
static_assert(std::is_constructible_v<MDGContext, const MTime&>);
static_assert(std::is_same_v<decltype(MDGContext::fsNormal), MDGContext>);
static_assert(is<bool (MDGContext::*)(MStatus*) const>(&MDGContext::isNormal));
static_assert(is<MStatus (MDGContext::*)(MTime&) const>(&MDGContext::getTime));
static_assert(is<const MDGContext (*)()>(&MDGContext::current));
static_assert(is<bool (MDGContext::*)(MStatus*) const>(&MDGContext::isCurrent));
static_assert(is<const MDGContext (MDGContext::*)(MStatus*) const>(&MDGContext::makeCurrent));
static_assert(is<const char* (*)()>(&MDGContext::className));

// MDGContextGuard
static_assert(std::is_constructible_v<MDGContextGuard, const MDGContext&>);

// MDagPath
static_assert(is<MStatus (*)(const MObject&, MDagPathArray&)>(&MDagPath::getAllPathsTo));
static_assert(is<MStatus (*)(const MObject&, MDagPath&)>(&MDagPath::getAPathTo));
static_assert(is<bool (MDagPath::*)(MFn::Type, MStatus*) const>(&MDagPath::hasFn));
static_assert(is<MFn::Type (MDagPath::*)(MStatus*) const>(&MDagPath::apiType));
static_assert(is<bool (MDagPath::*)(MStatus*) const>(&MDagPath::isValid));
static_assert(is<MObject (MDagPath::*)(MStatus*) const>(&MDagPath::node));
static_assert(is<MObject (MDagPath::*)(MStatus*) const>(&MDagPath::transform));
static_assert(is<unsigned int (MDagPath::*)(MStatus*) const>(&MDagPath::length));
static_assert(is<MStatus (MDagPath::*)()>(&MDagPath::extendToShape));
static_assert(is<MStatus (MDagPath::*)(unsigned int)>(&MDagPath::extendToShapeDirectlyBelow));
static_assert(is<MStatus (MDagPath::*)(unsigned int&) const>(&MDagPath::numberOfShapesDirectlyBelow));
static_assert(is<MStatus (MDagPath::*)(const MObject&)>(&MDagPath::push));
static_assert(is<MStatus (MDagPath::*)(unsigned int)>(&MDagPath::pop));
static_assert(is<unsigned int (MDagPath::*)(MStatus*) const>(&MDagPath::childCount));
static_assert(is<MObject (MDagPath::*)(unsigned int, MStatus*) const>(&MDagPath::child));
static_assert(is<MMatrix (MDagPath::*)(MStatus*) const>(&MDagPath::inclusiveMatrix));
static_assert(is<MMatrix (MDagPath::*)(MStatus*) const>(&MDagPath::exclusiveMatrix));
static_assert(is<MMatrix (MDagPath::*)(MStatus*) const>(&MDagPath::inclusiveMatrixInverse));
static_assert(is<MMatrix (MDagPath::*)(MStatus*) const>(&MDagPath::exclusiveMatrixInverse));
static_assert(is<bool (MDagPath::*)(const MDagPath&) const>(&MDagPath::operator==));
static_assert(is<MStatus (MDagPath::*)(const MDagPath&)>(&MDagPath::set));
static_assert(is<MString (MDagPath::*)(MStatus*) const>(&MDagPath::fullPathName));
static_assert(is<MString (MDagPath::*)(MStatus*) const>(&MDagPath::partialPathName));
static_assert(is<unsigned int (MDagPath::*)(MStatus*) const>(&MDagPath::instanceNumber));
static_assert(is<const char* (*)()>(&MDagPath::className));

// MDataBlock
static_assert(is<MDataHandle (MDataBlock::*)(const MPlug&, MStatus*)>(&MDataBlock::inputValue));
static_assert(is<MDataHandle (MDataBlock::*)(const MObject&, MStatus*)>(&MDataBlock::inputValue));
static_assert(is<MDataHandle (MDataBlock::*)(const MPlug&, MStatus*)>(&MDataBlock::outputValue));
static_assert(is<MDataHandle (MDataBlock::*)(const MObject&, MStatus*)>(&MDataBlock::outputValue));
static_assert(is<MArrayDataHandle (MDataBlock::*)(const MPlug&, MStatus*)>(&MDataBlock::inputArrayValue));
static_assert(is<MArrayDataHandle (MDataBlock::*)(const MObject&, MStatus*)>(&MDataBlock::inputArrayValue));
static_assert(is<MArrayDataHandle (MDataBlock::*)(const MPlug&, MStatus*)>(&MDataBlock::outputArrayValue));
static_assert(is<MArrayDataHandle (MDataBlock::*)(const MObject&, MStatus*)>(&MDataBlock::outputArrayValue));
static_assert(is<MStatus (MDataBlock::*)(const MPlug&)>(&MDataBlock::setClean));
static_assert(is<MStatus (MDataBlock::*)(const MObject&)>(&MDataBlock::setClean));
static_assert(is<bool (MDataBlock::*)(const MPlug&)>(&MDataBlock::isClean));
static_assert(is<bool (MDataBlock::*)(const MObject&, MStatus*)>(&MDataBlock::isClean));
static_assert(is<MDGContext (MDataBlock::*)(MStatus*)>(&MDataBlock::context));
static_assert(is<const char* (*)()>(&MDataBlock::className));

// MDataHandle
static_assert(is<bool (MDataHandle::*)() const>(&MDataHandle::isNumeric));
static_assert(is<MFnNumericData::Type (MDataHandle::*)() const>(&MDataHandle::numericType));
static_assert(is<MFnData::Type (MDataHandle::*)() const>(&MDataHandle::type));
static_assert(is<MTypeId (MDataHandle::*)() const>(&MDataHandle::typeId));
static_assert(is<MObject (MDataHandle::*)()>(&MDataHandle::data));
static_assert(is<MStatus (MDataHandle::*)(const MDataHandle&)>(&MDataHandle::copy));
static_assert(is<MStatus (MDataHandle::*)(const MDataHandle&)>(&MDataHandle::copyWritable));
static_assert(is<MObject (MDataHandle::*)()>(&MDataHandle::attribute));
static_assert(is<void (MDataHandle::*)()>(&MDataHandle::setClean));
static_assert(is<bool& (MDataHandle::*)() const>(&MDataHandle::asBool));
static_assert(is<char& (MDataHandle::*)() const>(&MDataHandle::asChar));
static_assert(is<short& (MDataHandle::*)() const>(&MDataHandle::asShort));
static_assert(is<int& (MDataHandle::*)() const>(&MDataHandle::asInt));
static_assert(is<MInt64& (MDataHandle::*)() const>(&MDataHandle::asInt64));
static_assert(is<float& (MDataHandle::*)() const>(&MDataHandle::asFloat));
static_assert(is<double& (MDataHandle::*)() const>(&MDataHandle::asDouble));
static_assert(is<MDistance (MDataHandle::*)() const>(&MDataHandle::asDistance));
static_assert(is<MAngle (MDataHandle::*)() const>(&MDataHandle::asAngle));
static_assert(is<MTime (MDataHandle::*)() const>(&MDataHandle::asTime));
static_assert(is<short2& (MDataHandle::*)() const>(&MDataHandle::asShort2));
static_assert(is<int2& (MDataHandle::*)() const>(&MDataHandle::asInt2));
static_assert(is<float2& (MDataHandle::*)() const>(&MDataHandle::asFloat2));
static_assert(is<double2& (MDataHandle::*)() const>(&MDataHandle::asDouble2));
static_assert(is<short3& (MDataHandle::*)() const>(&MDataHandle::asShort3));
static_assert(is<int3& (MDataHandle::*)() const>(&MDataHandle::asInt3));
static_assert(is<float3& (MDataHandle::*)() const>(&MDataHandle::asFloat3));
static_assert(is<double3& (MDataHandle::*)() const>(&MDataHandle::asDouble3));
static_assert(is<double4& (MDataHandle::*)() const>(&MDataHandle::asDouble4));
static_assert(is<MVector& (MDataHandle::*)() const>(&MDataHandle::asVector));
static_assert(is<MFloatVector& (MDataHandle::*)() const>(&MDataHandle::asFloatVector));
static_assert(is<MMatrix& (MDataHandle::*)() const>(&MDataHandle::asMatrix));
static_assert(is<MString& (MDataHandle::*)() const>(&MDataHandle::asString));
static_assert(is<MObject (MDataHandle::*)() const>(&MDataHandle::asMesh));
static_assert(is<MObject (MDataHandle::*)() const>(&MDataHandle::asMeshTransformed));
static_assert(is<MObject (MDataHandle::*)() const>(&MDataHandle::asNurbsCurve));
static_assert(is<MObject (MDataHandle::*)() const>(&MDataHandle::asNurbsCurveTransformed));
static_assert(is<const MMatrix& (MDataHandle::*)() const>(&MDataHandle::geometryTransformMatrix));
static_assert(is<void (MDataHandle::*)(bool)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(char)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(short)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(int)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(MInt64)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(float)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(double)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(const MMatrix&)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(const MVector&)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(const MDistance&)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(const MAngle&)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(const MTime&)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(float, float)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(double, double)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(float, float, float)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(double, double, double)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(const MString&)>(&MDataHandle::set));
static_assert(is<MStatus (MDataHandle::*)(const MObject&)>(&MDataHandle::set));
static_assert(is<void (MDataHandle::*)(bool)>(&MDataHandle::setBool));
static_assert(is<void (MDataHandle::*)(char)>(&MDataHandle::setChar));
static_assert(is<void (MDataHandle::*)(short)>(&MDataHandle::setShort));
static_assert(is<void (MDataHandle::*)(int)>(&MDataHandle::setInt));
static_assert(is<void (MDataHandle::*)(MInt64)>(&MDataHandle::setInt64));
static_assert(is<void (MDataHandle::*)(float)>(&MDataHandle::setFloat));
static_assert(is<void (MDataHandle::*)(double)>(&MDataHandle::setDouble));
static_assert(is<void (MDataHandle::*)(const MMatrix&)>(&MDataHandle::setMMatrix));
static_assert(is<void (MDataHandle::*)(const MVector&)>(&MDataHandle::setMVector));
static_assert(is<void (MDataHandle::*)(const MDistance&)>(&MDataHandle::setMDistance));
static_assert(is<void (MDataHandle::*)(const MAngle&)>(&MDataHandle::setMAngle));
static_assert(is<void (MDataHandle::*)(const MTime&)>(&MDataHandle::setMTime));
static_assert(is<void (MDataHandle::*)(float, float)>(&MDataHandle::set2Float));
static_assert(is<void (MDataHandle::*)(double, double)>(&MDataHandle::set2Double));
static_assert(is<void (MDataHandle::*)(float, float, float)>(&MDataHandle::set3Float));
static_assert(is<void (MDataHandle::*)(double, double, double)>(&MDataHandle::set3Double));
static_assert(is<void (MDataHandle::*)(double, double, double, double)>(&MDataHandle::set4Double));
static_assert(is<void (MDataHandle::*)(const MString&)>(&MDataHandle::setString));
static_assert(is<MStatus (MDataHandle::*)(const MObject&)>(&MDataHandle::setMObject));
static_assert(is<MDataHandle (MDataHandle::*)(const MPlug&)>(&MDataHandle::child));
static_assert(is<MDataHandle (MDataHandle::*)(const MObject&)>(&MDataHandle::child));
static_assert(is<MDataBlock (MDataHandle::*)(MStatus*) const>(&MDataHandle::datablock));
static_assert(is<const char* (*)()>(&MDataHandle::className));

// MEvaluationNode
static_assert(is<MEvaluationNodeIterator (MEvaluationNode::*)(MStatus*) const>(&MEvaluationNode::iterator));
static_assert(is<int (MEvaluationNode::*)() const>(&MEvaluationNode::parentCount));
static_assert(is<MEvaluationNode (MEvaluationNode::*)(int) const>(&MEvaluationNode::parent));
static_assert(is<int (MEvaluationNode::*)() const>(&MEvaluationNode::childCount));
static_assert(is<MEvaluationNode (MEvaluationNode::*)(int) const>(&MEvaluationNode::child));
static_assert(is<bool (MEvaluationNode::*)(const MObject&, MStatus*) const>(&MEvaluationNode::dirtyPlugExists));
static_assert(is<MPlug (MEvaluationNode::*)(const MObject&, MStatus*) const>(&MEvaluationNode::dirtyPlug));
static_assert(is<MObject (MEvaluationNode::*)(MStatus*) const>(&MEvaluationNode::dependencyNode));
static_assert(is<MDataBlock (MEvaluationNode::*)(MStatus*) const>(&MEvaluationNode::datablock));

// MEvaluationNodeIterator
static_assert(std::is_constructible_v<MEvaluationNodeIterator, const MEvaluationNode&, MStatus*>);
static_assert(is<MPlug (MEvaluationNodeIterator::*)()>(&MEvaluationNodeIterator::plug));
static_assert(is<bool (MEvaluationNodeIterator::*)() const>(&MEvaluationNodeIterator::isDone));
static_assert(is<void (MEvaluationNodeIterator::*)()>(&MEvaluationNodeIterator::next));
static_assert(is<void (MEvaluationNodeIterator::*)()>(&MEvaluationNodeIterator::reset));

// MFileIO
static_assert(is<bool (*)()>(&MFileIO::isReadingFile));
static_assert(is<bool (*)()>(&MFileIO::isOpeningFile));

// MIndexMapper
static_assert(std::is_same_v<decltype(MIndexMapper::InvalidIndex), MIndexMapper::Index>);
static_assert(is<MIndexMapper::Index (MIndexMapper::*)() const>(&MIndexMapper::fullCount));
static_assert(is<MIndexMapper::Index (MIndexMapper::*)() const>(&MIndexMapper::affectCount));
static_assert(is<MIndexMapper::Index (MIndexMapper::*)(MIndexMapper::Index) const>(&MIndexMapper::affectToFull));
static_assert(is<MIndexMapper::Index (MIndexMapper::*)(MIndexMapper::Index) const>(&MIndexMapper::fullToAffect));
static_assert(is<bool (MIndexMapper::*)() const>(&MIndexMapper::isIdentityMap));
static_assert(is<MUintArray (MIndexMapper::*)() const>(&MIndexMapper::affectMap));

// MItGeometry
static_assert(std::is_constructible_v<MItGeometry, const MDagPath&, MStatus*>);
static_assert(std::is_constructible_v<MItGeometry, MDataHandle&, unsigned int, bool, MStatus*>);
static_assert(std::is_constructible_v<MItGeometry, MDataHandle&, bool, MStatus*>);
static_assert(is<bool (MItGeometry::*)(MStatus*) const>(&MItGeometry::isDone));
static_assert(is<MStatus (MItGeometry::*)()>(&MItGeometry::next));
static_assert(is<MPoint (MItGeometry::*)(MSpace::Space, MStatus*) const>(&MItGeometry::position));
static_assert(is<MStatus (MItGeometry::*)(const MPoint&, MSpace::Space)>(&MItGeometry::setPosition));
static_assert(is<int (MItGeometry::*)(MStatus*) const>(&MItGeometry::index));
static_assert(is<int (MItGeometry::*)(MStatus*) const>(&MItGeometry::positionIndex));
static_assert(is<int (MItGeometry::*)(MStatus*) const>(&MItGeometry::count));
static_assert(is<int (MItGeometry::*)(MStatus*)>(&MItGeometry::exactCount));
static_assert(is<MStatus (MItGeometry::*)()>(&MItGeometry::reset));
static_assert(is<MStatus (MItGeometry::*)(MPointArray&, MSpace::Space) const>(&MItGeometry::allPositions));
static_assert(is<MStatus (MItGeometry::*)(const MPointArray&, MSpace::Space)>(&MItGeometry::setAllPositions));
static_assert(is<const char* (*)()>(&MItGeometry::className));

// MNodeCacheDisablingInfo
static_assert(is<void (MNodeCacheDisablingInfo::*)(bool)>(&MNodeCacheDisablingInfo::setCacheDisabled));
static_assert(is<bool (MNodeCacheDisablingInfo::*)() const>(&MNodeCacheDisablingInfo::getCacheDisabled));
static_assert(is<void (MNodeCacheDisablingInfo::*)(const MString&)>(&MNodeCacheDisablingInfo::setReason));
static_assert(is<void (MNodeCacheDisablingInfo::*)(const MString&)>(&MNodeCacheDisablingInfo::setMitigation));
static_assert(is<void (MNodeCacheDisablingInfo::*)()>(&MNodeCacheDisablingInfo::reset));

// MNodeCacheSetupInfo
static_assert(int(MNodeCacheSetupInfo::kWantToCacheByDefault) == 0);
static_assert(int(MNodeCacheSetupInfo::kLastPreference) == 1);
static_assert(int(MNodeCacheSetupInfo::kSimulationSupport) == 0);
static_assert(int(MNodeCacheSetupInfo::kLastRequirement) == 1);
static_assert(is<void (MNodeCacheSetupInfo::*)(MNodeCacheSetupInfo::PreferenceFlag, bool)>
    (&MNodeCacheSetupInfo::setPreference));
static_assert(is<bool (MNodeCacheSetupInfo::*)(MNodeCacheSetupInfo::PreferenceFlag) const>
    (&MNodeCacheSetupInfo::getPreference));
static_assert(is<void (MNodeCacheSetupInfo::*)(MNodeCacheSetupInfo::RequirementFlag, bool)>
    (&MNodeCacheSetupInfo::setRequirement));
static_assert(is<bool (MNodeCacheSetupInfo::*)(MNodeCacheSetupInfo::RequirementFlag) const>
    (&MNodeCacheSetupInfo::getRequirement));

// MPlug
static_assert(int(MPlug::kAll) == 0);
static_assert(int(MPlug::kNonDefault) == 1);
static_assert(int(MPlug::kChanged) == 2);
static_assert(int(MPlug::kLastAttrSelector) == 3);
static_assert(int(MPlug::kFreeToChange) == 0);
static_assert(int(MPlug::kNotFreeToChange) == 1);
static_assert(int(MPlug::kChildrenNotFreeToChange) == 2);
static_assert(std::is_constructible_v<MPlug, const MObject&, const MObject&>);
static_assert(is<MObject (MPlug::*)(MStatus*) const>(&MPlug::attribute));
static_assert(is<MObject (MPlug::*)(MStatus*) const>(&MPlug::node));
static_assert(is<MString (MPlug::*)(MStatus*) const>(&MPlug::name));
static_assert(is<MString (MPlug::*)(bool, bool, bool, bool, bool, bool, MStatus*) const>(&MPlug::partialName));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isNetworked));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isArray));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isElement));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isCompound));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isChild));
static_assert(is<unsigned int (MPlug::*)(MStatus*) const>(&MPlug::logicalIndex));
static_assert(is<MStatus (MPlug::*)(unsigned int, const MObject&)>(&MPlug::selectAncestorLogicalIndex));
static_assert(is<unsigned int (MPlug::*)(MIntArray&, MStatus*)>(&MPlug::getExistingArrayAttributeIndices));
static_assert(is<unsigned int (MPlug::*)(MStatus*) const>(&MPlug::numElements));
static_assert(is<unsigned int (MPlug::*)(MStatus*)>(&MPlug::evaluateNumElements));
static_assert(is<unsigned int (MPlug::*)(MStatus*) const>(&MPlug::numChildren));
static_assert(is<unsigned int (MPlug::*)(MStatus*) const>(&MPlug::numConnectedElements));
static_assert(is<unsigned int (MPlug::*)(MStatus*) const>(&MPlug::numConnectedChildren));
static_assert(is<MPlug (MPlug::*)(MObject&, MStatus*) const>(&MPlug::child));
static_assert(is<MPlug (MPlug::*)(unsigned int, MStatus*) const>(&MPlug::child));
static_assert(is<MPlug (MPlug::*)(MStatus*) const>(&MPlug::parent));
static_assert(is<MPlug (MPlug::*)(MStatus*) const>(&MPlug::array));
static_assert(is<MPlug (MPlug::*)(unsigned int, MStatus*) const>(&MPlug::elementByLogicalIndex));
static_assert(is<MPlug (MPlug::*)(unsigned int, MStatus*) const>(&MPlug::elementByPhysicalIndex));
static_assert(is<MPlug (MPlug::*)(unsigned int, MStatus*) const>(&MPlug::connectionByPhysicalIndex));
static_assert(is<bool (MPlug::*)(MPlugArray&, bool, bool, MStatus*) const>(&MPlug::connectedTo));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isConnected));
static_assert(is<MPlug (MPlug::*)(MStatus*) const>(&MPlug::source));
static_assert(is<bool (MPlug::*)(MPlugArray&, MStatus*) const>(&MPlug::destinations));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isSource));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isDestination));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isKeyable));
static_assert(is<MStatus (MPlug::*)(bool)>(&MPlug::setKeyable));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isLocked));
static_assert(is<MStatus (MPlug::*)(bool)>(&MPlug::setLocked));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isChannelBoxFlagSet));
static_assert(is<MStatus (MPlug::*)(bool)>(&MPlug::setChannelBox));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isNull));
static_assert(is<MString (MPlug::*)(MStatus*) const>(&MPlug::info));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isFromReferencedFile));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::isDynamic));
static_assert(is<bool (MPlug::*)(bool, MStatus*) const>(&MPlug::isDefaultValue));
static_assert(is<MPlug::FreeToChangeState (MPlug::*)(bool, bool, MStatus*) const>(&MPlug::isFreeToChange));
static_assert(is<MObject (MPlug::*)(MStatus*) const>(&MPlug::asMObject));
static_assert(is<MDataHandle (MPlug::*)(MStatus*) const>(&MPlug::asMDataHandle));
static_assert(is<void (MPlug::*)(MDataHandle&) const>(&MPlug::destructHandle));
static_assert(is<double (MPlug::*)(MStatus*) const>(&MPlug::asDouble));
static_assert(is<float (MPlug::*)(MStatus*) const>(&MPlug::asFloat));
static_assert(is<MInt64 (MPlug::*)(MStatus*) const>(&MPlug::asInt64));
static_assert(is<int (MPlug::*)(MStatus*) const>(&MPlug::asInt));
static_assert(is<short (MPlug::*)(MStatus*) const>(&MPlug::asShort));
static_assert(is<bool (MPlug::*)(MStatus*) const>(&MPlug::asBool));
static_assert(is<MDistance (MPlug::*)(MStatus*) const>(&MPlug::asMDistance));
static_assert(is<MAngle (MPlug::*)(MStatus*) const>(&MPlug::asMAngle));
static_assert(is<MTime (MPlug::*)(MStatus*) const>(&MPlug::asMTime));
static_assert(is<MString (MPlug::*)(MStatus*) const>(&MPlug::asString));
static_assert(is<MStatus (MPlug::*)(const MObject&)>(&MPlug::setMObject));
static_assert(is<MStatus (MPlug::*)(const MDataHandle&)>(&MPlug::setMDataHandle));
static_assert(is<MStatus (MPlug::*)(double)>(&MPlug::setDouble));
static_assert(is<MStatus (MPlug::*)(float)>(&MPlug::setFloat));
static_assert(is<MStatus (MPlug::*)(MInt64)>(&MPlug::setInt64));
static_assert(is<MStatus (MPlug::*)(int)>(&MPlug::setInt));
static_assert(is<MStatus (MPlug::*)(short)>(&MPlug::setShort));
static_assert(is<MStatus (MPlug::*)(bool)>(&MPlug::setBool));
static_assert(is<MStatus (MPlug::*)(const MDistance&)>(&MPlug::setMDistance));
static_assert(is<MStatus (MPlug::*)(const MAngle&)>(&MPlug::setMAngle));
static_assert(is<MStatus (MPlug::*)(const MTime&)>(&MPlug::setMTime));
static_assert(is<MStatus (MPlug::*)(const MString&)>(&MPlug::setString));
static_assert(is<MStatus (MPlug::*)(unsigned int)>(&MPlug::setNumElements));
static_assert(is<MStatus (MPlug::*)(MObject&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(double&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(float&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(int&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(short&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(bool&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(MDistance&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(MAngle&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(MTime&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(MString&) const>(&MPlug::getValue));
static_assert(is<MStatus (MPlug::*)(const MObject&)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(double)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(float)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(int)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(short)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(bool)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(const MDistance&)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(const MAngle&)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(const MTime&)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(const MString&)>(&MPlug::setValue));
static_assert(is<MStatus (MPlug::*)(const char*)>(&MPlug::setValue));
static_assert(is<MPlug (MPlug::*)(unsigned int) const>(&MPlug::operator[]));
static_assert(is<bool (MPlug::*)(const MPlug&) const>(&MPlug::isExactlyEqual));
static_assert(is<bool (MPlug::*)(const MPlug&) const>(&MPlug::operator==));
static_assert(is<bool (MPlug::*)(const MObject&) const>(&MPlug::operator==));
static_assert(is<bool (MPlug::*)(const MPlug&) const>(&MPlug::operator!=));
static_assert(is<bool (MPlug::*)(const MObject&) const>(&MPlug::operator!=));
static_assert(is<bool (MPlug::*)() const>(&MPlug::operator!));

// MPxDeformerNode
static_assert(is<MPxDeformerNode::Type (MPxDeformerNode::*)() const>(&MPxDeformerNode::type));
static_assert(is<float (MPxDeformerNode::*)(MDataBlock&, unsigned int, unsigned int)>(&MPxDeformerNode::weightValue));
static_assert(is<const float* (MPxDeformerNode::*)(MDataBlock&, unsigned int, unsigned int*)>
    (&MPxDeformerNode::envelopeWeights));
static_assert(is<MStatus (MPxDeformerNode::*)(unsigned int)>(&MPxDeformerNode::setDeformationDetails));
static_assert(is<unsigned int (MPxDeformerNode::*)(MStatus*)>(&MPxDeformerNode::getDeformationDetails));
static_assert(is<void (MPxDeformerNode::*)(bool)>(&MPxDeformerNode::setUseExistingConnectionWhenSetEditing));
static_assert(is<const MIndexMapper& (MPxDeformerNode::*)(unsigned int, MStatus*) const>
    (&MPxDeformerNode::indexMapper));
static_assert(std::is_same_v<decltype(MPxDeformerNode::weightList), MObject>);
static_assert(std::is_same_v<decltype(MPxDeformerNode::weights), MObject>);
static_assert(is<const char* (*)()>(&MPxDeformerNode::className));

// MPxGeometryFilter
static_assert(int(MPxGeometryFilter::kDeformsUVs) == 2);
static_assert(int(MPxGeometryFilter::kDeformsColors) == 4);
static_assert(int(MPxGeometryFilter::kDeformsAll) == 6);
static_assert(is<MPxGeometryFilter::Type (MPxGeometryFilter::*)() const>(&MPxGeometryFilter::type));
static_assert(is<MStatus (MPxGeometryFilter::*)(MDataBlock&, MItGeometry&, const MMatrix&, unsigned int)>
    (&MPxGeometryFilter::deform));
static_assert(is<MObject& (MPxGeometryFilter::*)() const>(&MPxGeometryFilter::accessoryAttribute));
static_assert(is<MStatus (MPxGeometryFilter::*)(MDagModifier&)>(&MPxGeometryFilter::accessoryNodeSetup));
static_assert(is<void (MPxGeometryFilter::*)(bool)>(&MPxGeometryFilter::setUseExistingConnectionWhenSetEditing));
static_assert(is<MStatus (MPxGeometryFilter::*)(unsigned int)>(&MPxGeometryFilter::setDeformationDetails));
static_assert(is<unsigned int (MPxGeometryFilter::*)(MStatus*)>(&MPxGeometryFilter::getDeformationDetails));
static_assert(is<void (MPxGeometryFilter::*)(MSelectionList&, bool)>(&MPxGeometryFilter::setModifiedCallback));
static_assert(is<const MIndexMapper& (MPxGeometryFilter::*)(unsigned int, MStatus*) const>
    (&MPxGeometryFilter::indexMapper));
static_assert(is<MObject (MPxGeometryFilter::*)() const>(&MPxGeometryFilter::thisMObject));
static_assert(std::is_same_v<decltype(MPxGeometryFilter::input), MObject>);
static_assert(std::is_same_v<decltype(MPxGeometryFilter::inputGeom), MObject>);
static_assert(std::is_same_v<decltype(MPxGeometryFilter::groupId), MObject>);
static_assert(std::is_same_v<decltype(MPxGeometryFilter::componentTagExpression), MObject>);
static_assert(std::is_same_v<decltype(MPxGeometryFilter::outputGeom), MObject>);
static_assert(std::is_same_v<decltype(MPxGeometryFilter::envelope), MObject>);
static_assert(is<const char* (*)()>(&MPxGeometryFilter::className));

// MPxLocatorNode
static_assert(is<MPxLocatorNode::Type (MPxLocatorNode::*)() const>(&MPxLocatorNode::type));
static_assert(is<bool (MPxLocatorNode::*)() const>(&MPxLocatorNode::isBounded));
static_assert(is<MBoundingBox (MPxLocatorNode::*)() const>(&MPxLocatorNode::boundingBox));
static_assert(is<bool (MPxLocatorNode::*)() const>(&MPxLocatorNode::excludeAsLocator));

// MPxNode
static_assert(int(MPxNode::kDependNode) == 0);
static_assert(int(MPxNode::kLocatorNode) == 1);
static_assert(int(MPxNode::kDeformerNode) == 2);
static_assert(int(MPxNode::kManipContainer) == 3);
static_assert(int(MPxNode::kSurfaceShape) == 4);
static_assert(int(MPxNode::kFieldNode) == 5);
static_assert(int(MPxNode::kEmitterNode) == 6);
static_assert(int(MPxNode::kSpringNode) == 7);
static_assert(int(MPxNode::kIkSolverNode) == 8);
static_assert(int(MPxNode::kHardwareShader) == 9);
static_assert(int(MPxNode::kHwShaderNode) == 10);
static_assert(int(MPxNode::kTransformNode) == 11);
static_assert(int(MPxNode::kObjectSet) == 12);
static_assert(int(MPxNode::kFluidEmitterNode) == 13);
static_assert(int(MPxNode::kImagePlaneNode) == 14);
static_assert(int(MPxNode::kParticleAttributeMapperNode) == 15);
static_assert(int(MPxNode::kCameraSetNode) == 16);
static_assert(int(MPxNode::kConstraintNode) == 17);
static_assert(int(MPxNode::kManipulatorNode) == 18);
static_assert(int(MPxNode::kMotionPathNode) == 19);
static_assert(int(MPxNode::kClientDeviceNode) == 20);
static_assert(int(MPxNode::kThreadedDeviceNode) == 21);
static_assert(int(MPxNode::kAssembly) == 22);
static_assert(int(MPxNode::kSkinCluster) == 23);
static_assert(int(MPxNode::kGeometryFilter) == 24);
static_assert(int(MPxNode::kBlendShape) == 25);
static_assert(int(MPxNode::kLast) == 26);
static_assert(int(MPxNode::kEvaluatedIndirectly) == 0);
static_assert(int(MPxNode::kEvaluatedDirectly) == 1);
static_assert(int(MPxNode::kLeaveDirty) == 2);
static_assert(int(MPxNode::kPostEvaluationTypeLast) == 3);
static_assert(int(MPxNode::kParallel) == 1);
static_assert(int(MPxNode::kSerial) == 2);
static_assert(int(MPxNode::kGloballySerial) == 3);
static_assert(int(MPxNode::kUntrusted) == 4);
static_assert(int(MPxNode::kSchedulingTypeLast) == 5);
static_assert(int(MPxNode::kDefaultScheduling) == 2);
static_assert(int(MPxNode::kSerialize) == 2);
static_assert(int(MPxNode::kGloballySerialize) == 3);
static_assert(std::is_constructible_v<MPxNode>);
static_assert(is<void (MPxNode::*)()>(&MPxNode::postConstructor));
static_assert(is<MStatus (MPxNode::*)(const MPlug&, MDataBlock&)>(&MPxNode::compute));
static_assert(is<bool (MPxNode::*)(const MPlug&, MDataHandle&)>(&MPxNode::getInternalValue));
static_assert(is<bool (MPxNode::*)(const MPlug&, const MDataHandle&)>(&MPxNode::setInternalValue));
static_assert(is<void (MPxNode::*)(MPxNode*)>(&MPxNode::copyInternalData));
static_assert(is<MStatus (MPxNode::*)(const MPlug&, const MPlug&, bool, bool&) const>(&MPxNode::legalConnection));
static_assert(is<MStatus (MPxNode::*)(const MPlug&, const MPlug&, bool, bool&) const>(&MPxNode::legalDisconnection));
static_assert(is<MStatus (MPxNode::*)(const MPlug&, MPlugArray&)>(&MPxNode::setDependentsDirty));
static_assert(is<MStatus (MPxNode::*)(const MDGContext&, const MEvaluationNode&)>(&MPxNode::preEvaluation));
static_assert(is<MStatus (MPxNode::*)(const MDGContext&, const MEvaluationNode&, MPxNode::PostEvaluationType)>
    (&MPxNode::postEvaluation));
static_assert(is<MPxNode::SchedulingType (MPxNode::*)() const>(&MPxNode::schedulingType));
static_assert(is<void (MPxNode::*)(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo&,
    MObjectArray&) const>(&MPxNode::getCacheSetup));
static_assert(is<void (MPxNode::*)(const MEvaluationNode&, MCacheSchema&) const>(&MPxNode::configCache));
static_assert(is<MTimeRange (MPxNode::*)(const MPlug&, const MTimeRange&) const>(&MPxNode::transformInvalidationRange));
static_assert(is<MStatus (MPxNode::*)(const MPlug&, const MPlug&, bool)>(&MPxNode::connectionMade));
static_assert(is<MStatus (MPxNode::*)(const MPlug&, const MPlug&, bool)>(&MPxNode::connectionBroken));
static_assert(is<MStatus (MPxNode::*)(const MPlug&, bool&)>(&MPxNode::shouldSave));
static_assert(is<MPlug (MPxNode::*)(const MPlug&) const>(&MPxNode::passThroughToOne));
static_assert(is<MPxNode::Type (MPxNode::*)() const>(&MPxNode::type));
static_assert(is<bool (MPxNode::*)() const>(&MPxNode::isAbstractClass));
static_assert(is<MTypeId (MPxNode::*)() const>(&MPxNode::typeId));
static_assert(is<MString (MPxNode::*)() const>(&MPxNode::typeName));
static_assert(is<MString (MPxNode::*)() const>(&MPxNode::name));
static_assert(is<MObject (MPxNode::*)() const>(&MPxNode::thisMObject));
static_assert(is<MStatus (MPxNode::*)(bool)>(&MPxNode::setExistWithoutInConnections));
static_assert(is<bool (MPxNode::*)(MStatus*) const>(&MPxNode::existWithoutInConnections));
static_assert(is<MStatus (MPxNode::*)(bool)>(&MPxNode::setExistWithoutOutConnections));
static_assert(is<bool (MPxNode::*)(MStatus*) const>(&MPxNode::existWithoutOutConnections));
static_assert(is<MStatus (*)(const MObject&)>(&MPxNode::addAttribute));
static_assert(is<MStatus (*)(const MString&)>(&MPxNode::inheritAttributesFrom));
static_assert(is<MStatus (*)(const MObject&, const MObject&)>(&MPxNode::attributeAffects));
static_assert(std::is_same_v<decltype(MPxNode::message), MObject>);
static_assert(std::is_same_v<decltype(MPxNode::isHistoricallyInteresting), MObject>);
static_assert(std::is_same_v<decltype(MPxNode::caching), MObject>);
static_assert(std::is_same_v<decltype(MPxNode::state), MObject>);
static_assert(std::is_same_v<decltype(MPxNode::frozen), MObject>);
static_assert(is<const char* (*)()>(&MPxNode::className));

// MTimerMessage
static_assert(is<MCallbackId (*)(float, MMessage::MElapsedTimeFunction, void*, MStatus*)>
    (&MTimerMessage::addTimerCallback));

} // namespace
