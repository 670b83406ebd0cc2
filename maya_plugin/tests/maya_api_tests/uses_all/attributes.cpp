// Every function that the stand-in declares of Maya's attributes and geometry, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MArrayDataBuilder.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnGenericAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMessageAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>

#include <type_traits>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MFnAttribute
static_assert(int(MFnAttribute::kDelete) == 0);
static_assert(int(MFnAttribute::kReset) == 1);
static_assert(int(MFnAttribute::kNothing) == 2);
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isReadable));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isWritable));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isConnectable));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isStorable));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isCached));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isArray));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::indexMatters));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isKeyable));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isChannelBoxFlagSet));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isHidden));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isUsedAsColor));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isUsedAsFilename));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isDynamic));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isWorldSpace));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::isAffectsWorldSpace));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::affectsAppearance));
static_assert(is<MFnAttribute::DisconnectBehavior (MFnAttribute::*)(MStatus*) const>
    (&MFnAttribute::disconnectBehavior));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::usesArrayDataBuilder));
static_assert(is<bool (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::internal));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setReadable));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setWritable));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setConnectable));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setStorable));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setCached));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setArray));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setIndexMatters));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setKeyable));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setChannelBox));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setHidden));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setUsedAsColor));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setUsedAsFilename));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setWorldSpace));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setAffectsWorldSpace));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setAffectsAppearance));
static_assert(is<MStatus (MFnAttribute::*)(MFnAttribute::DisconnectBehavior)>(&MFnAttribute::setDisconnectBehavior));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setUsesArrayDataBuilder));
static_assert(is<MStatus (MFnAttribute::*)(bool)>(&MFnAttribute::setInternal));
static_assert(is<MStatus (MFnAttribute::*)(const MString&)>(&MFnAttribute::setNiceNameOverride));
static_assert(is<bool (MFnAttribute::*)(MFnData::Type, MStatus*) const>(&MFnAttribute::accepts));
static_assert(is<MObject (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::parent));
static_assert(is<MString (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::name));
static_assert(is<MString (MFnAttribute::*)(MStatus*) const>(&MFnAttribute::shortName));
static_assert(is<MStatus (MFnAttribute::*)(const MString&)>(&MFnAttribute::addToCategory));
static_assert(is<MStatus (MFnAttribute::*)(const MString&)>(&MFnAttribute::removeFromCategory));
static_assert(is<bool (MFnAttribute::*)(const MString&) const>(&MFnAttribute::hasCategory));
static_assert(is<MStatus (MFnAttribute::*)(MStringArray&) const>(&MFnAttribute::getCategories));

// MFnCompoundAttribute
static_assert(is<MObject (MFnCompoundAttribute::*)(const MString&, const MString&, MStatus*)>
    (&MFnCompoundAttribute::create));
static_assert(is<MStatus (MFnCompoundAttribute::*)(const MObject&)>(&MFnCompoundAttribute::addChild));
static_assert(is<unsigned int (MFnCompoundAttribute::*)(MStatus*) const>(&MFnCompoundAttribute::numChildren));
static_assert(is<MObject (MFnCompoundAttribute::*)(unsigned int, MStatus*) const>(&MFnCompoundAttribute::child));

// MFnEnumAttribute
static_assert(is<MObject (MFnEnumAttribute::*)(const MString&, const MString&, short, MStatus*)>
    (&MFnEnumAttribute::create));
static_assert(is<MStatus (MFnEnumAttribute::*)(const MString&, short)>(&MFnEnumAttribute::addField));
static_assert(is<MString (MFnEnumAttribute::*)(short, MStatus*) const>(&MFnEnumAttribute::fieldName));
static_assert(is<short (MFnEnumAttribute::*)(const MString&, MStatus*) const>(&MFnEnumAttribute::fieldIndex));
static_assert(is<MStatus (MFnEnumAttribute::*)(short&) const>(&MFnEnumAttribute::getMin));
static_assert(is<MStatus (MFnEnumAttribute::*)(short&) const>(&MFnEnumAttribute::getMax));
static_assert(is<MStatus (MFnEnumAttribute::*)(short)>(&MFnEnumAttribute::setDefault));
static_assert(is<MStatus (MFnEnumAttribute::*)(const MString&)>(&MFnEnumAttribute::setDefault));
static_assert(is<MStatus (MFnEnumAttribute::*)(short&) const>(&MFnEnumAttribute::getDefault));

// MFnGenericAttribute
static_assert(is<MObject (MFnGenericAttribute::*)(const MString&, const MString&, MStatus*)>
    (&MFnGenericAttribute::create));
static_assert(is<MStatus (MFnGenericAttribute::*)(MFnData::Type)>(&MFnGenericAttribute::addDataAccept));
static_assert(is<MStatus (MFnGenericAttribute::*)(MFnNumericData::Type)>(&MFnGenericAttribute::addNumericDataAccept));

// MFnMatrixAttribute
static_assert(int(MFnMatrixAttribute::kFloat) == 0);
static_assert(int(MFnMatrixAttribute::kDouble) == 1);
static_assert(is<MObject (MFnMatrixAttribute::*)(const MString&, const MString&, MFnMatrixAttribute::Type, MStatus*)>
    (&MFnMatrixAttribute::create));
static_assert(is<MStatus (MFnMatrixAttribute::*)(MMatrix&)>(&MFnMatrixAttribute::getDefault));
static_assert(is<MStatus (MFnMatrixAttribute::*)(const MMatrix&)>(&MFnMatrixAttribute::setDefault));

// MFnMesh
static_assert(is<MObject (MFnMesh::*)(int, int, const MFloatPointArray&, const MIntArray&, const MIntArray&, MObject,
    MStatus*)>(&MFnMesh::create));
static_assert(is<MObject (MFnMesh::*)(int, int, const MPointArray&, const MIntArray&, const MIntArray&, MObject,
    MStatus*)>(&MFnMesh::create));
static_assert(is<MObject (MFnMesh::*)(const MObject&, MObject, MStatus*)>(&MFnMesh::copy));
static_assert(is<MStatus (MFnMesh::*)(int, int, const MFloatPointArray&, const MIntArray&, const MIntArray&)>
    (&MFnMesh::createInPlace));
static_assert(is<MStatus (MFnMesh::*)(const MObject&)>(&MFnMesh::copyInPlace));
static_assert(is<int (MFnMesh::*)(MStatus*) const>(&MFnMesh::numVertices));
static_assert(is<int (MFnMesh::*)(MStatus*) const>(&MFnMesh::numPolygons));
static_assert(is<int (MFnMesh::*)(MStatus*) const>(&MFnMesh::numFaceVertices));
static_assert(is<int (MFnMesh::*)(int, MStatus*) const>(&MFnMesh::polygonVertexCount));
static_assert(is<int (MFnMesh::*)(MStatus*) const>(&MFnMesh::numUVs));
static_assert(is<int (MFnMesh::*)(const MString&, MStatus*) const>(&MFnMesh::numUVs));
static_assert(is<MStatus (MFnMesh::*)()>(&MFnMesh::updateSurface));
static_assert(is<const float* (MFnMesh::*)(MStatus*) const>(&MFnMesh::getRawPoints));
static_assert(is<MStatus (MFnMesh::*)(MFloatPointArray&, MSpace::Space) const>(&MFnMesh::getPoints));
static_assert(is<MStatus (MFnMesh::*)(MPointArray&, MSpace::Space) const>(&MFnMesh::getPoints));
static_assert(is<MStatus (MFnMesh::*)(MFloatPointArray&, MSpace::Space)>(&MFnMesh::setPoints));
static_assert(is<MStatus (MFnMesh::*)(MPointArray&, MSpace::Space)>(&MFnMesh::setPoints));
static_assert(is<MStatus (MFnMesh::*)(MIntArray&, MIntArray&) const>(&MFnMesh::getVertices));
static_assert(is<MStatus (MFnMesh::*)(int, MIntArray&) const>(&MFnMesh::getPolygonVertices));
static_assert(is<MStatus (MFnMesh::*)(int, const MPoint&, MSpace::Space)>(&MFnMesh::setPoint));
static_assert(is<MStatus (MFnMesh::*)(int, MPoint&, MSpace::Space) const>(&MFnMesh::getPoint));
static_assert(is<MStatus (MFnMesh::*)(MIntArray&, MIntArray&) const>(&MFnMesh::getTriangles));
static_assert(is<MStatus (MFnMesh::*)(bool, MFloatVectorArray&, MSpace::Space) const>(&MFnMesh::getVertexNormals));
static_assert(is<int (MFnMesh::*)(MStatus*) const>(&MFnMesh::numUVSets));
static_assert(is<MString (MFnMesh::*)(const MString&, MDGModifier*, MStatus*, const MUintArray*)>
    (&MFnMesh::createUVSetWithName));
static_assert(is<MString (MFnMesh::*)(const MString&, MStatus*)>(&MFnMesh::createUVSetDataMeshWithName));
static_assert(is<MStatus (MFnMesh::*)(MString&, MDGModifier*, const MUintArray*)>(&MFnMesh::createUVSet));
static_assert(is<MStatus (MFnMesh::*)(MString&)>(&MFnMesh::createUVSetDataMesh));
static_assert(is<MString (MFnMesh::*)(const MString&, const MString&, MDGModifier*, MStatus*)>
    (&MFnMesh::copyUVSetWithName));
static_assert(is<MStatus (MFnMesh::*)(const MString&, MString&, MDGModifier*)>(&MFnMesh::copyUVSet));
static_assert(is<MStatus (MFnMesh::*)(const MString&, MDGModifier*, MSelectionList*)>(&MFnMesh::deleteUVSet));
static_assert(is<MStatus (MFnMesh::*)(const MString&, MDGModifier*, MSelectionList*)>(&MFnMesh::setCurrentUVSetName));
static_assert(is<MString (MFnMesh::*)(MStatus*, int) const>(&MFnMesh::currentUVSetName));
static_assert(is<MStatus (MFnMesh::*)(MString&, int) const>(&MFnMesh::getCurrentUVSetName));
static_assert(is<MStatus (MFnMesh::*)(MStringArray&) const>(&MFnMesh::getUVSetNames));
static_assert(is<MStatus (MFnMesh::*)(const MFloatArray&, const MFloatArray&, const MString*)>(&MFnMesh::setUVs));
static_assert(is<MStatus (MFnMesh::*)(MFloatArray&, MFloatArray&, const MString*) const>(&MFnMesh::getUVs));
static_assert(is<MStatus (MFnMesh::*)(int, float, float, const MString*)>(&MFnMesh::setUV));
static_assert(is<MStatus (MFnMesh::*)(int, float&, float&, const MString*) const>(&MFnMesh::getUV));
static_assert(is<MStatus (MFnMesh::*)(int, int, int&, const MString*) const>(&MFnMesh::getPolygonUVid));
static_assert(is<MStatus (MFnMesh::*)(int, int, int, const MString*)>(&MFnMesh::assignUV));
static_assert(is<MStatus (MFnMesh::*)(const MIntArray&, const MIntArray&, const MString*)>(&MFnMesh::assignUVs));
static_assert(is<MStatus (MFnMesh::*)(const MString*)>(&MFnMesh::clearUVs));
static_assert(is<MStatus (MFnMesh::*)(MIntArray&, MIntArray&, const MString*) const>(&MFnMesh::getAssignedUVs));

// MFnMessageAttribute
static_assert(is<MObject (MFnMessageAttribute::*)(const MString&, const MString&, MStatus*)>
    (&MFnMessageAttribute::create));

// MFnNumericAttribute
static_assert(is<MObject (MFnNumericAttribute::*)(const MString&, const MString&, MFnNumericData::Type, double,
    MStatus*)>(&MFnNumericAttribute::create));
static_assert(is<MObject (MFnNumericAttribute::*)(const MString&, const MString&, MStatus*)>
    (&MFnNumericAttribute::createColor));
static_assert(is<MObject (MFnNumericAttribute::*)(const MString&, const MString&, MStatus*)>
    (&MFnNumericAttribute::createPoint));
static_assert(is<MObject (MFnNumericAttribute::*)(const MString&, const MString&, const MObject&, const MObject&,
    const MObject&, MStatus*)>(&MFnNumericAttribute::create));
static_assert(is<MFnNumericData::Type (MFnNumericAttribute::*)(MStatus*) const>(&MFnNumericAttribute::unitType));
static_assert(is<MObject (MFnNumericAttribute::*)(unsigned int, MStatus*) const>(&MFnNumericAttribute::child));
static_assert(is<bool (MFnNumericAttribute::*)(MStatus*) const>(&MFnNumericAttribute::hasMin));
static_assert(is<bool (MFnNumericAttribute::*)(MStatus*) const>(&MFnNumericAttribute::hasMax));
static_assert(is<bool (MFnNumericAttribute::*)(MStatus*) const>(&MFnNumericAttribute::hasSoftMin));
static_assert(is<bool (MFnNumericAttribute::*)(MStatus*) const>(&MFnNumericAttribute::hasSoftMax));
static_assert(is<MStatus (MFnNumericAttribute::*)(double&) const>(&MFnNumericAttribute::getMin));
static_assert(is<MStatus (MFnNumericAttribute::*)(double&) const>(&MFnNumericAttribute::getMax));
static_assert(is<MStatus (MFnNumericAttribute::*)(double&) const>(&MFnNumericAttribute::getSoftMin));
static_assert(is<MStatus (MFnNumericAttribute::*)(double&) const>(&MFnNumericAttribute::getSoftMax));
static_assert(is<MStatus (MFnNumericAttribute::*)(double)>(&MFnNumericAttribute::setMin));
static_assert(is<MStatus (MFnNumericAttribute::*)(double, double)>(&MFnNumericAttribute::setMin));
static_assert(is<MStatus (MFnNumericAttribute::*)(double, double, double)>(&MFnNumericAttribute::setMin));
static_assert(is<MStatus (MFnNumericAttribute::*)(double)>(&MFnNumericAttribute::setMax));
static_assert(is<MStatus (MFnNumericAttribute::*)(double, double)>(&MFnNumericAttribute::setMax));
static_assert(is<MStatus (MFnNumericAttribute::*)(double, double, double)>(&MFnNumericAttribute::setMax));
static_assert(is<MStatus (MFnNumericAttribute::*)(double)>(&MFnNumericAttribute::setSoftMin));
static_assert(is<MStatus (MFnNumericAttribute::*)(double)>(&MFnNumericAttribute::setSoftMax));
static_assert(is<MStatus (MFnNumericAttribute::*)(bool&)>(&MFnNumericAttribute::getDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(int&)>(&MFnNumericAttribute::getDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(float&)>(&MFnNumericAttribute::getDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(double&)>(&MFnNumericAttribute::getDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(bool)>(&MFnNumericAttribute::setDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(int)>(&MFnNumericAttribute::setDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(float)>(&MFnNumericAttribute::setDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(double)>(&MFnNumericAttribute::setDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(double, double)>(&MFnNumericAttribute::setDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(float, float, float)>(&MFnNumericAttribute::setDefault));
static_assert(is<MStatus (MFnNumericAttribute::*)(double, double, double)>(&MFnNumericAttribute::setDefault));

// MFnNurbsCurve
static_assert(int(MFnNurbsCurve::kInvalid) == 0);
static_assert(int(MFnNurbsCurve::kOpen) == 1);
static_assert(int(MFnNurbsCurve::kClosed) == 2);
static_assert(int(MFnNurbsCurve::kPeriodic) == 3);
static_assert(int(MFnNurbsCurve::kLast) == 4);
static_assert(is<MObject (MFnNurbsCurve::*)(const MPointArray&, const MDoubleArray&, unsigned int,
    MFnNurbsCurve::Form, bool, bool, MObject&, MStatus*)>(&MFnNurbsCurve::create));
static_assert(is<MStatus (MFnNurbsCurve::*)(MPointArray&, MSpace::Space) const>(&MFnNurbsCurve::getCVs));
static_assert(is<MStatus (MFnNurbsCurve::*)(const MPointArray&, MSpace::Space)>(&MFnNurbsCurve::setCVs));
static_assert(is<MStatus (MFnNurbsCurve::*)(unsigned int, MPoint&, MSpace::Space) const>(&MFnNurbsCurve::getCV));
static_assert(is<MStatus (MFnNurbsCurve::*)(MDoubleArray&) const>(&MFnNurbsCurve::getKnots));
static_assert(is<MFnNurbsCurve::Form (MFnNurbsCurve::*)(MStatus*) const>(&MFnNurbsCurve::form));
static_assert(is<int (MFnNurbsCurve::*)(MStatus*) const>(&MFnNurbsCurve::degree));
static_assert(is<int (MFnNurbsCurve::*)(MStatus*) const>(&MFnNurbsCurve::numCVs));
static_assert(is<int (MFnNurbsCurve::*)(MStatus*) const>(&MFnNurbsCurve::numSpans));
static_assert(is<int (MFnNurbsCurve::*)(MStatus*) const>(&MFnNurbsCurve::numKnots));
static_assert(is<MStatus (MFnNurbsCurve::*)()>(&MFnNurbsCurve::updateCurve));

// MFnTypedAttribute
static_assert(is<MObject (MFnTypedAttribute::*)(const MString&, const MString&, MFnData::Type, MObject, MStatus*)>
    (&MFnTypedAttribute::create));
static_assert(is<MFnData::Type (MFnTypedAttribute::*)(MStatus*) const>(&MFnTypedAttribute::attrType));
static_assert(is<MStatus (MFnTypedAttribute::*)(MObject&)>(&MFnTypedAttribute::getDefault));
static_assert(is<MStatus (MFnTypedAttribute::*)(const MObject&)>(&MFnTypedAttribute::setDefault));

// MFnUnitAttribute
static_assert(int(MFnUnitAttribute::kInvalid) == 0);
static_assert(int(MFnUnitAttribute::kAngle) == 1);
static_assert(int(MFnUnitAttribute::kDistance) == 2);
static_assert(int(MFnUnitAttribute::kTime) == 3);
static_assert(int(MFnUnitAttribute::kLast) == 4);
static_assert(is<MObject (MFnUnitAttribute::*)(const MString&, const MString&, MFnUnitAttribute::Type, double,
    MStatus*)>(&MFnUnitAttribute::create));
static_assert(is<MObject (MFnUnitAttribute::*)(const MString&, const MString&, const MTime&, MStatus*)>
    (&MFnUnitAttribute::create));
static_assert(is<MObject (MFnUnitAttribute::*)(const MString&, const MString&, const MAngle&, MStatus*)>
    (&MFnUnitAttribute::create));
static_assert(is<MObject (MFnUnitAttribute::*)(const MString&, const MString&, const MDistance&, MStatus*)>
    (&MFnUnitAttribute::create));
static_assert(is<MFnUnitAttribute::Type (MFnUnitAttribute::*)(MStatus*) const>(&MFnUnitAttribute::unitType));
static_assert(is<bool (MFnUnitAttribute::*)(MStatus*) const>(&MFnUnitAttribute::hasMin));
static_assert(is<bool (MFnUnitAttribute::*)(MStatus*) const>(&MFnUnitAttribute::hasMax));
static_assert(is<bool (MFnUnitAttribute::*)(MStatus*) const>(&MFnUnitAttribute::hasSoftMin));
static_assert(is<bool (MFnUnitAttribute::*)(MStatus*) const>(&MFnUnitAttribute::hasSoftMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(double&) const>(&MFnUnitAttribute::getMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(double&) const>(&MFnUnitAttribute::getMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(double&) const>(&MFnUnitAttribute::getSoftMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(double&) const>(&MFnUnitAttribute::getSoftMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(double)>(&MFnUnitAttribute::setMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MTime&)>(&MFnUnitAttribute::setMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MAngle&)>(&MFnUnitAttribute::setMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MDistance&)>(&MFnUnitAttribute::setMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(double)>(&MFnUnitAttribute::setMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MTime&)>(&MFnUnitAttribute::setMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MAngle&)>(&MFnUnitAttribute::setMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MDistance&)>(&MFnUnitAttribute::setMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(double)>(&MFnUnitAttribute::setSoftMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MTime&)>(&MFnUnitAttribute::setSoftMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MAngle&)>(&MFnUnitAttribute::setSoftMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MDistance&)>(&MFnUnitAttribute::setSoftMin));
static_assert(is<MStatus (MFnUnitAttribute::*)(double)>(&MFnUnitAttribute::setSoftMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MTime&)>(&MFnUnitAttribute::setSoftMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MAngle&)>(&MFnUnitAttribute::setSoftMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MDistance&)>(&MFnUnitAttribute::setSoftMax));
static_assert(is<MStatus (MFnUnitAttribute::*)(double&)>(&MFnUnitAttribute::getDefault));
static_assert(is<MStatus (MFnUnitAttribute::*)(MTime&)>(&MFnUnitAttribute::getDefault));
static_assert(is<MStatus (MFnUnitAttribute::*)(MAngle&)>(&MFnUnitAttribute::getDefault));
static_assert(is<MStatus (MFnUnitAttribute::*)(MDistance&)>(&MFnUnitAttribute::getDefault));
static_assert(is<MStatus (MFnUnitAttribute::*)(double)>(&MFnUnitAttribute::setDefault));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MTime&)>(&MFnUnitAttribute::setDefault));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MAngle&)>(&MFnUnitAttribute::setDefault));
static_assert(is<MStatus (MFnUnitAttribute::*)(const MDistance&)>(&MFnUnitAttribute::setDefault));

} // namespace
