// Every function that the stand-in declares of Maya's values and arrays, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MAngle.h>
#include <maya/MArrayDataBuilder.h>
#include <maya/MBoundingBox.h>
#include <maya/MCallbackIdArray.h>
#include <maya/MColor.h>
#include <maya/MColorArray.h>
#include <maya/MDistance.h>
#include <maya/MDoubleArray.h>
#include <maya/MFloatArray.h>
#include <maya/MFloatPoint.h>
#include <maya/MFloatPointArray.h>
#include <maya/MFloatVector.h>
#include <maya/MFloatVectorArray.h>
#include <maya/MIntArray.h>
#include <maya/MMatrix.h>
#include <maya/MMatrixArray.h>
#include <maya/MObject.h>
#include <maya/MObjectArray.h>
#include <maya/MObjectHandle.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>
#include <maya/MStatus.h>
#include <maya/MString.h>
#include <maya/MStringArray.h>
#include <maya/MTime.h>
#include <maya/MTimeRange.h>
#include <maya/MTransformationMatrix.h>
#include <maya/MTypeId.h>
#include <maya/MTypes.h>
#include <maya/MUintArray.h>
#include <maya/MUuid.h>
#include <maya/MVector.h>
#include <maya/MVectorArray.h>

#include <type_traits>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MAngle
static_assert(int(MAngle::kInvalid) == 0);
static_assert(int(MAngle::kRadians) == 1);
static_assert(int(MAngle::kDegrees) == 2);
static_assert(int(MAngle::kAngMinutes) == 3);
static_assert(int(MAngle::kAngSeconds) == 4);
static_assert(int(MAngle::kLast) == 5);
static_assert(std::is_constructible_v<MAngle, double, MAngle::Unit>);
static_assert(is<MAngle::Unit (MAngle::*)() const>(&MAngle::unit));
static_assert(is<double (MAngle::*)() const>(&MAngle::value));
static_assert(is<MStatus (MAngle::*)(MAngle::Unit)>(&MAngle::setUnit));
static_assert(is<MStatus (MAngle::*)(double)>(&MAngle::setValue));
static_assert(is<double (MAngle::*)(MAngle::Unit, MStatus*) const>(&MAngle::as));
static_assert(is<double (MAngle::*)(MAngle::Unit, MStatus*) const>(&MAngle::asUnits));
static_assert(is<double (MAngle::*)() const>(&MAngle::asRadians));
static_assert(is<double (MAngle::*)() const>(&MAngle::asDegrees));
static_assert(is<MAngle::Unit (*)()>(&MAngle::uiUnit));
static_assert(is<MStatus (*)(MAngle::Unit)>(&MAngle::setUIUnit));
static_assert(is<MAngle::Unit (*)()>(&MAngle::internalUnit));
static_assert(is<double (*)(double)>(&MAngle::internalToUI));
static_assert(is<double (*)(double)>(&MAngle::uiToInternal));

// MBoundingBox
static_assert(std::is_constructible_v<MBoundingBox, const MPoint&, const MPoint&>);
static_assert(is<void (MBoundingBox::*)()>(&MBoundingBox::clear));
static_assert(is<void (MBoundingBox::*)(const MPoint&)>(&MBoundingBox::expand));
static_assert(is<MPoint (MBoundingBox::*)() const>(&MBoundingBox::min));
static_assert(is<MPoint (MBoundingBox::*)() const>(&MBoundingBox::max));
static_assert(is<MPoint (MBoundingBox::*)() const>(&MBoundingBox::center));
static_assert(is<double (MBoundingBox::*)() const>(&MBoundingBox::width));
static_assert(is<double (MBoundingBox::*)() const>(&MBoundingBox::height));
static_assert(is<double (MBoundingBox::*)() const>(&MBoundingBox::depth));

// MColor
static_assert(std::is_constructible_v<MColor, float, float, float, float>);
static_assert(is<bool (MColor::*)(const MColor&) const>(&MColor::operator==));
static_assert(is<bool (MColor::*)(const MColor&) const>(&MColor::operator!=));

// MColorArray
static_assert(std::is_constructible_v<MColorArray, unsigned int>);

// MDistance
static_assert(int(MDistance::kInvalid) == 0);
static_assert(int(MDistance::kInches) == 1);
static_assert(int(MDistance::kFeet) == 2);
static_assert(int(MDistance::kYards) == 3);
static_assert(int(MDistance::kMiles) == 4);
static_assert(int(MDistance::kMillimeters) == 5);
static_assert(int(MDistance::kCentimeters) == 6);
static_assert(int(MDistance::kKilometers) == 7);
static_assert(int(MDistance::kMeters) == 8);
static_assert(int(MDistance::kLast) == 9);
static_assert(std::is_constructible_v<MDistance, double, MDistance::Unit>);
static_assert(is<MDistance::Unit (MDistance::*)() const>(&MDistance::unit));
static_assert(is<double (MDistance::*)() const>(&MDistance::value));
static_assert(is<MStatus (MDistance::*)(MDistance::Unit)>(&MDistance::setUnit));
static_assert(is<MStatus (MDistance::*)(double)>(&MDistance::setValue));
static_assert(is<double (MDistance::*)(MDistance::Unit, MStatus*) const>(&MDistance::as));
static_assert(is<double (MDistance::*)(MDistance::Unit, MStatus*) const>(&MDistance::asUnits));
static_assert(is<double (MDistance::*)() const>(&MDistance::asCentimeters));
static_assert(is<double (MDistance::*)() const>(&MDistance::asMeters));
static_assert(is<MDistance::Unit (*)()>(&MDistance::uiUnit));
static_assert(is<MStatus (*)(MDistance::Unit)>(&MDistance::setUIUnit));
static_assert(is<MDistance::Unit (*)()>(&MDistance::internalUnit));
static_assert(is<double (*)(double)>(&MDistance::internalToUI));
static_assert(is<double (*)(double)>(&MDistance::uiToInternal));

// MDoubleArray
static_assert(std::is_constructible_v<MDoubleArray, unsigned int>);

// MFloatArray
static_assert(std::is_constructible_v<MFloatArray, unsigned int>);

// MFloatPoint
static_assert(std::is_constructible_v<MFloatPoint, const MPoint&>);
static_assert(std::is_constructible_v<MFloatPoint, float, float, float, float>);
static_assert(is<float (MFloatPoint::*)(unsigned int) const>(&MFloatPoint::operator[]));
static_assert(is<float& (MFloatPoint::*)(unsigned int)>(&MFloatPoint::operator[]));
static_assert(is<bool (MFloatPoint::*)(const MFloatPoint&) const>(&MFloatPoint::operator==));
static_assert(is<bool (MFloatPoint::*)(const MFloatPoint&) const>(&MFloatPoint::operator!=));
static_assert(std::is_same_v<decltype(MFloatPoint::origin), const MFloatPoint>);

// MFloatPointArray
static_assert(std::is_constructible_v<MFloatPointArray, unsigned int>);
static_assert(is<MStatus (MFloatPointArray::*)(unsigned int, float, float, float, float)>(&MFloatPointArray::set));
static_assert(is<MStatus (MFloatPointArray::*)(float, float, float, float)>(&MFloatPointArray::append));

// MFloatVector
static_assert(std::is_constructible_v<MFloatVector, const MVector&>);
static_assert(std::is_constructible_v<MFloatVector, float, float, float>);
static_assert(is<float (MFloatVector::*)(unsigned int) const>(&MFloatVector::operator[]));
static_assert(is<float& (MFloatVector::*)(unsigned int)>(&MFloatVector::operator[]));
static_assert(is<bool (MFloatVector::*)(const MFloatVector&) const>(&MFloatVector::operator==));

// MFloatVectorArray
static_assert(std::is_constructible_v<MFloatVectorArray, unsigned int>);

// MIntArray
static_assert(std::is_constructible_v<MIntArray, unsigned int>);

// MMatrix
static_assert(std::is_constructible_v<MMatrix>);
static_assert(std::is_constructible_v<MMatrix, const double (*)[4]>);
static_assert(std::is_constructible_v<MMatrix, const float (*)[4]>);
static_assert(is<const double* (MMatrix::*)(unsigned int) const>(&MMatrix::operator[]));
static_assert(is<double* (MMatrix::*)(unsigned int)>(&MMatrix::operator[]));
static_assert(is<MStatus (MMatrix::*)(double (*)[4]) const>(&MMatrix::get));
static_assert(is<MStatus (MMatrix::*)(float (*)[4]) const>(&MMatrix::get));
static_assert(is<MMatrix (MMatrix::*)() const>(&MMatrix::transpose));
static_assert(is<MMatrix& (MMatrix::*)()>(&MMatrix::setToIdentity));
static_assert(is<MMatrix& (MMatrix::*)(const MMatrix&, const MMatrix&)>(&MMatrix::setToProduct));
static_assert(is<MMatrix (MMatrix::*)(const MMatrix&) const>(&MMatrix::operator+));
static_assert(is<MMatrix& (MMatrix::*)(const MMatrix&)>(&MMatrix::operator*=));
static_assert(is<MMatrix (MMatrix::*)(const MMatrix&) const>(&MMatrix::operator*));
static_assert(is<MMatrix (MMatrix::*)(double) const>(&MMatrix::operator*));
static_assert(is<bool (MMatrix::*)(const MMatrix&) const>(&MMatrix::operator==));
static_assert(is<bool (MMatrix::*)(const MMatrix&) const>(&MMatrix::operator!=));
static_assert(is<MMatrix (MMatrix::*)() const>(&MMatrix::inverse));
static_assert(is<double (MMatrix::*)() const>(&MMatrix::det4x4));
static_assert(is<double (MMatrix::*)() const>(&MMatrix::det3x3));
static_assert(is<bool (MMatrix::*)(const MMatrix&, double) const>(&MMatrix::isEquivalent));
static_assert(is<bool (MMatrix::*)() const>(&MMatrix::isSingular));
static_assert(std::is_same_v<decltype(MMatrix::identity), const MMatrix>);

// MMatrixArray
static_assert(std::is_constructible_v<MMatrixArray, unsigned int>);

// MObject
static_assert(is<bool (MObject::*)(MFn::Type) const>(&MObject::hasFn));
static_assert(is<bool (MObject::*)() const>(&MObject::isNull));
static_assert(is<MFn::Type (MObject::*)() const>(&MObject::apiType));
static_assert(is<const char* (MObject::*)() const>(&MObject::apiTypeStr));
static_assert(is<bool (MObject::*)(const MObject&) const>(&MObject::operator==));
static_assert(is<bool (MObject::*)(const MObject&) const>(&MObject::operator!=));
static_assert(std::is_same_v<decltype(MObject::kNullObj), MObject>);

// MObjectArray
static_assert(std::is_constructible_v<MObjectArray, unsigned int>);

// MObjectHandle
static_assert(std::is_constructible_v<MObjectHandle, const MObject&>);
static_assert(is<MObject (MObjectHandle::*)() const>(&MObjectHandle::object));
static_assert(is<const MObject& (MObjectHandle::*)() const>(&MObjectHandle::objectRef));
static_assert(is<unsigned int (MObjectHandle::*)() const>(&MObjectHandle::hashCode));
static_assert(is<bool (MObjectHandle::*)() const>(&MObjectHandle::isValid));
static_assert(is<bool (MObjectHandle::*)() const>(&MObjectHandle::isAlive));
static_assert(is<bool (MObjectHandle::*)(const MObject&) const>(&MObjectHandle::operator==));
static_assert(is<bool (MObjectHandle::*)(const MObjectHandle&) const>(&MObjectHandle::operator==));
static_assert(is<bool (MObjectHandle::*)(const MObject&) const>(&MObjectHandle::operator!=));
static_assert(is<bool (MObjectHandle::*)(const MObjectHandle&) const>(&MObjectHandle::operator!=));
static_assert(is<unsigned int (*)(const MObject&)>(&MObjectHandle::objectHashCode));

// MPoint
static_assert(std::is_constructible_v<MPoint, const MFloatPoint&>);
static_assert(std::is_constructible_v<MPoint, const MVector&>);
static_assert(std::is_constructible_v<MPoint, double, double, double, double>);
static_assert(std::is_constructible_v<MPoint, const double*>);
static_assert(is<MStatus (MPoint::*)(double*) const>(&MPoint::get));
static_assert(is<MStatus (MPoint::*)(float*) const>(&MPoint::get));
static_assert(is<double (MPoint::*)(unsigned int) const>(&MPoint::operator[]));
static_assert(is<double& (MPoint::*)(unsigned int)>(&MPoint::operator[]));
static_assert(is<MVector (MPoint::*)(const MPoint&) const>(&MPoint::operator-));
static_assert(is<MPoint (MPoint::*)(const MVector&) const>(&MPoint::operator+));
static_assert(is<MPoint (MPoint::*)(const MVector&) const>(&MPoint::operator-));
static_assert(is<MPoint& (MPoint::*)(const MVector&)>(&MPoint::operator+=));
static_assert(is<MPoint& (MPoint::*)(const MVector&)>(&MPoint::operator-=));
static_assert(is<MPoint (MPoint::*)(const double) const>(&MPoint::operator*));
static_assert(is<MPoint (MPoint::*)(const MMatrix&) const>(&MPoint::operator*));
static_assert(is<MPoint& (MPoint::*)(const MMatrix&)>(&MPoint::operator*=));
static_assert(is<bool (MPoint::*)(const MPoint&) const>(&MPoint::operator==));
static_assert(is<bool (MPoint::*)(const MPoint&) const>(&MPoint::operator!=));
static_assert(is<MPoint& (MPoint::*)()>(&MPoint::cartesianize));
static_assert(is<double (MPoint::*)(const MPoint&) const>(&MPoint::distanceTo));
static_assert(is<bool (MPoint::*)(const MPoint&, double) const>(&MPoint::isEquivalent));
static_assert(std::is_same_v<decltype(MPoint::origin), const MPoint>);

// MPointArray
static_assert(std::is_constructible_v<MPointArray, unsigned int>);
static_assert(is<MStatus (MPointArray::*)(unsigned int, double, double, double, double)>(&MPointArray::set));
static_assert(is<MStatus (MPointArray::*)(double, double, double, double)>(&MPointArray::append));

// MStatus
static_assert(int(MStatus::kSuccess) == 0);
static_assert(int(MStatus::kFailure) == 1);
static_assert(int(MStatus::kInsufficientMemory) == 2);
static_assert(int(MStatus::kInvalidParameter) == 3);
static_assert(int(MStatus::kLicenseFailure) == 4);
static_assert(int(MStatus::kUnknownParameter) == 5);
static_assert(int(MStatus::kNotImplemented) == 6);
static_assert(int(MStatus::kNotFound) == 7);
static_assert(int(MStatus::kEndOfFile) == 8);
static_assert(std::is_constructible_v<MStatus, MStatus::MStatusCode>);
static_assert(is<bool (MStatus::*)(const MStatus&) const>(&MStatus::operator==));
static_assert(is<bool (MStatus::*)(const MStatus::MStatusCode) const>(&MStatus::operator==));
static_assert(is<bool (MStatus::*)(const MStatus&) const>(&MStatus::operator!=));
static_assert(is<bool (MStatus::*)(const MStatus::MStatusCode) const>(&MStatus::operator!=));
static_assert(is<bool (MStatus::*)() const>(&MStatus::error));
static_assert(is<void (MStatus::*)()>(&MStatus::clear));
static_assert(is<MStatus::MStatusCode (MStatus::*)() const>(&MStatus::statusCode));
static_assert(is<MString (MStatus::*)() const>(&MStatus::errorString));
static_assert(is<void (MStatus::*)(const char*) const>(&MStatus::perror));
static_assert(is<void (MStatus::*)(const MString&) const>(&MStatus::perror));

// MString
static_assert(std::is_constructible_v<MString, const char*>);
static_assert(std::is_constructible_v<MString, const char*, int>);
static_assert(is<MString& (MString::*)(const MString&)>(&MString::operator+=));
static_assert(is<MString& (MString::*)(const char*)>(&MString::operator+=));
static_assert(is<MString& (MString::*)(double)>(&MString::operator+=));
static_assert(is<MString& (MString::*)(int)>(&MString::operator+=));
static_assert(is<MString& (MString::*)(unsigned int)>(&MString::operator+=));
static_assert(is<MString& (MString::*)(float)>(&MString::operator+=));
static_assert(is<MString& (MString::*)(const char*)>(&MString::operator=));
static_assert(is<MString& (MString::*)(double)>(&MString::operator=));
static_assert(is<bool (MString::*)(const MString&) const>(&MString::operator==));
static_assert(is<bool (MString::*)(const char*) const>(&MString::operator==));
static_assert(is<bool (MString::*)(const MString&) const>(&MString::operator!=));
static_assert(is<bool (MString::*)(const char*) const>(&MString::operator!=));
static_assert(is<MString (MString::*)(const MString&) const>(&MString::operator+));
static_assert(is<MString (MString::*)(const char*) const>(&MString::operator+));
static_assert(is<MString (MString::*)(double) const>(&MString::operator+));
static_assert(is<MStatus (MString::*)(const char*)>(&MString::set));
static_assert(is<MStatus (MString::*)(const char*)>(&MString::setUTF8));
static_assert(is<MStatus (MString::*)(const char*, int)>(&MString::set));
static_assert(is<MStatus (MString::*)(double)>(&MString::set));
static_assert(is<MStatus (MString::*)(double, int)>(&MString::set));
static_assert(is<const char* (MString::*)() const>(&MString::asChar));
static_assert(is<const char* (MString::*)(int&) const>(&MString::asChar));
static_assert(is<const char* (MString::*)() const>(&MString::asUTF8));
static_assert(is<const char* (MString::*)(int&) const>(&MString::asUTF8));
static_assert(is<unsigned int (MString::*)() const>(&MString::length));
static_assert(is<unsigned int (MString::*)() const>(&MString::numChars));
static_assert(is<void (MString::*)()>(&MString::clear));
static_assert(is<bool (MString::*)() const>(&MString::isEmpty));
static_assert(is<int (MString::*)(char) const>(&MString::index));
static_assert(is<int (MString::*)(char) const>(&MString::rindex));
static_assert(is<MStatus (MString::*)(char, MStringArray&) const>(&MString::split));
static_assert(is<MString (MString::*)(int, int) const>(&MString::substring));
static_assert(is<MString& (MString::*)()>(&MString::toUpperCase));
static_assert(is<MString& (MString::*)()>(&MString::toLowerCase));
static_assert(is<bool (MString::*)() const>(&MString::isInt));
static_assert(is<int (MString::*)() const>(&MString::asInt));
static_assert(is<bool (MString::*)() const>(&MString::isDouble));
static_assert(is<double (MString::*)() const>(&MString::asDouble));
static_assert(is<MStatus (MString::*)(const MString&, const MString&)>(&MString::substitute));

// MStringArray
static_assert(is<int (MStringArray::*)(const MString&) const>(&MStringArray::indexOf));

// MTime
static_assert(int(MTime::kInvalid) == 0);
static_assert(int(MTime::kHours) == 1);
static_assert(int(MTime::kMinutes) == 2);
static_assert(int(MTime::kSeconds) == 3);
static_assert(int(MTime::kMilliseconds) == 4);
static_assert(int(MTime::kGames) == 5);
static_assert(int(MTime::k15FPS) == 5);
static_assert(int(MTime::kFilm) == 6);
static_assert(int(MTime::k24FPS) == 6);
static_assert(int(MTime::kPALFrame) == 7);
static_assert(int(MTime::k25FPS) == 7);
static_assert(int(MTime::kNTSCFrame) == 8);
static_assert(int(MTime::k30FPS) == 8);
static_assert(int(MTime::kShowScan) == 9);
static_assert(int(MTime::k48FPS) == 9);
static_assert(int(MTime::kPALField) == 10);
static_assert(int(MTime::k50FPS) == 10);
static_assert(int(MTime::kNTSCField) == 11);
static_assert(int(MTime::k60FPS) == 11);
static_assert(int(MTime::k2FPS) == 12);
static_assert(int(MTime::k3FPS) == 13);
static_assert(int(MTime::k4FPS) == 14);
static_assert(int(MTime::k5FPS) == 15);
static_assert(int(MTime::k6FPS) == 16);
static_assert(int(MTime::k8FPS) == 17);
static_assert(int(MTime::k10FPS) == 18);
static_assert(int(MTime::k12FPS) == 19);
static_assert(int(MTime::k16FPS) == 20);
static_assert(int(MTime::k20FPS) == 21);
static_assert(int(MTime::k40FPS) == 22);
static_assert(int(MTime::k75FPS) == 23);
static_assert(int(MTime::k80FPS) == 24);
static_assert(int(MTime::k100FPS) == 25);
static_assert(int(MTime::k120FPS) == 26);
static_assert(int(MTime::k125FPS) == 27);
static_assert(int(MTime::k150FPS) == 28);
static_assert(int(MTime::k200FPS) == 29);
static_assert(int(MTime::k240FPS) == 30);
static_assert(int(MTime::k250FPS) == 31);
static_assert(int(MTime::k300FPS) == 32);
static_assert(int(MTime::k375FPS) == 33);
static_assert(int(MTime::k400FPS) == 34);
static_assert(int(MTime::k500FPS) == 35);
static_assert(int(MTime::k600FPS) == 36);
static_assert(int(MTime::k750FPS) == 37);
static_assert(int(MTime::k1200FPS) == 38);
static_assert(int(MTime::k1500FPS) == 39);
static_assert(int(MTime::k2000FPS) == 40);
static_assert(int(MTime::k3000FPS) == 41);
static_assert(int(MTime::k6000FPS) == 42);
static_assert(int(MTime::k23_976FPS) == 43);
static_assert(int(MTime::k29_97FPS) == 44);
static_assert(int(MTime::k29_97DF) == 45);
static_assert(int(MTime::k47_952FPS) == 46);
static_assert(int(MTime::k59_94FPS) == 47);
static_assert(int(MTime::k44100FPS) == 48);
static_assert(int(MTime::k48000FPS) == 49);
static_assert(int(MTime::k90FPS) == 50);
static_assert(int(MTime::k119_88FPS) == 51);
static_assert(int(MTime::kUserDef) == 52);
static_assert(int(MTime::kLast) == 53);
static_assert(std::is_constructible_v<MTime, double, MTime::Unit>);
static_assert(is<MTime::Unit (MTime::*)() const>(&MTime::unit));
static_assert(is<double (MTime::*)() const>(&MTime::value));
static_assert(is<MStatus (MTime::*)(MTime::Unit)>(&MTime::setUnit));
static_assert(is<MStatus (MTime::*)(double)>(&MTime::setValue));
static_assert(is<double (MTime::*)(MTime::Unit) const>(&MTime::as));
static_assert(is<double (MTime::*)(MTime::Unit) const>(&MTime::asUnits));
static_assert(is<MTime::Unit (*)()>(&MTime::uiUnit));
static_assert(is<MStatus (*)(MTime::Unit)>(&MTime::setUIUnit));
static_assert(is<bool (MTime::*)(const MTime&) const>(&MTime::operator==));
static_assert(is<bool (MTime::*)(const MTime&) const>(&MTime::operator!=));
static_assert(is<bool (MTime::*)(const MTime&) const>(&MTime::operator<=));
static_assert(is<bool (MTime::*)(const MTime&) const>(&MTime::operator>=));
static_assert(is<bool (MTime::*)(const MTime&) const>(&MTime::operator<));
static_assert(is<bool (MTime::*)(const MTime&) const>(&MTime::operator>));
static_assert(is<MTime (MTime::*)(const MTime&) const>(&MTime::operator+));
static_assert(is<MTime (MTime::*)(const MTime&) const>(&MTime::operator-));
static_assert(is<MTime& (MTime::*)(const MTime&)>(&MTime::operator+=));
static_assert(is<MTime& (MTime::*)(const MTime&)>(&MTime::operator-=));
static_assert(is<MTime (MTime::*)(double) const>(&MTime::operator+));
static_assert(is<MTime (MTime::*)(double) const>(&MTime::operator-));
static_assert(is<MTime (MTime::*)(double) const>(&MTime::operator*));
static_assert(is<MTime (MTime::*)(double) const>(&MTime::operator/));
static_assert(is<MTime& (MTime::*)()>(&MTime::operator++));
static_assert(is<MTime& (MTime::*)()>(&MTime::operator--));
static_assert(is<MTime::MTick (*)()>(&MTime::ticksPerSecond));

// MTimeRange
static_assert(std::is_constructible_v<MTimeRange, MTime, MTime>);
static_assert(is<bool (MTimeRange::*)(MTime) const>(&MTimeRange::contains));
static_assert(is<bool (MTimeRange::*)(MTime, MTime) const>(&MTimeRange::contains));
static_assert(is<bool (MTimeRange::*)(MTime, MTime) const>(&MTimeRange::intersects));
static_assert(is<bool (MTimeRange::*)() const>(&MTimeRange::empty));
static_assert(is<MTimeRange (MTimeRange::*)(const MTimeRange&) const>(&MTimeRange::operator|));
static_assert(is<bool (MTimeRange::*)(const MTimeRange&) const>(&MTimeRange::operator==));
static_assert(is<bool (MTimeRange::*)(const MTimeRange&) const>(&MTimeRange::operator!=));

// MTransformationMatrix
static_assert(int(MTransformationMatrix::kInvalid) == 0);
static_assert(int(MTransformationMatrix::kXYZ) == 1);
static_assert(int(MTransformationMatrix::kYZX) == 2);
static_assert(int(MTransformationMatrix::kZXY) == 3);
static_assert(int(MTransformationMatrix::kXZY) == 4);
static_assert(int(MTransformationMatrix::kYXZ) == 5);
static_assert(int(MTransformationMatrix::kZYX) == 6);
static_assert(int(MTransformationMatrix::kLast) == 7);
static_assert(std::is_constructible_v<MTransformationMatrix, const MMatrix&>);
static_assert(is<MMatrix (MTransformationMatrix::*)() const>(&MTransformationMatrix::asMatrix));
static_assert(is<MMatrix (MTransformationMatrix::*)() const>(&MTransformationMatrix::asMatrixInverse));
static_assert(is<MVector (MTransformationMatrix::*)(MSpace::Space, MStatus*) const>
    (&MTransformationMatrix::getTranslation));
static_assert(is<MStatus (MTransformationMatrix::*)(const MVector&, MSpace::Space)>
    (&MTransformationMatrix::setTranslation));

// MTypeId
static_assert(std::is_constructible_v<MTypeId, unsigned int>);
static_assert(std::is_constructible_v<MTypeId, unsigned int, unsigned int>);
static_assert(is<bool (MTypeId::*)(const MTypeId&) const>(&MTypeId::operator==));
static_assert(is<bool (MTypeId::*)(const MTypeId&) const>(&MTypeId::operator!=));
static_assert(is<unsigned int (MTypeId::*)(MStatus*) const>(&MTypeId::id));
static_assert(is<const char* (*)()>(&MTypeId::className));

// MSpace
static_assert(int(MSpace::kInvalid) == 0);
static_assert(int(MSpace::kTransform) == 1);
static_assert(int(MSpace::kPreTransform) == 2);
static_assert(int(MSpace::kPostTransform) == 3);
static_assert(int(MSpace::kWorld) == 4);
static_assert(int(MSpace::kObject) == 2);
static_assert(int(MSpace::kLast) == 5);

// MUintArray
static_assert(std::is_constructible_v<MUintArray, unsigned int>);

// MUuid
static_assert(std::is_constructible_v<MUuid, const MString&, MStatus*>);
static_assert(is<bool (MUuid::*)(const MUuid&) const>(&MUuid::operator==));
static_assert(is<bool (MUuid::*)(const MUuid&) const>(&MUuid::operator!=));
static_assert(is<MString (MUuid::*)() const>(&MUuid::asString));
static_assert(is<bool (MUuid::*)() const>(&MUuid::valid));
static_assert(is<MStatus (MUuid::*)()>(&MUuid::generate));

// MVector
static_assert(int(MVector::kXaxis) == 0);
static_assert(int(MVector::kYaxis) == 1);
static_assert(int(MVector::kZaxis) == 2);
static_assert(int(MVector::kWaxis) == 3);
static_assert(std::is_constructible_v<MVector, const MPoint&>);
static_assert(std::is_constructible_v<MVector, const MFloatVector&>);
static_assert(std::is_constructible_v<MVector, double, double, double>);
static_assert(std::is_constructible_v<MVector, const double*>);
static_assert(is<double (MVector::*)(unsigned int) const>(&MVector::operator[]));
static_assert(is<double& (MVector::*)(unsigned int)>(&MVector::operator[]));
static_assert(is<MVector (MVector::*)(const MVector&) const>(&MVector::operator^));
static_assert(is<double (MVector::*)(const MVector&) const>(&MVector::operator*));
static_assert(is<MVector& (MVector::*)(double)>(&MVector::operator/=));
static_assert(is<MVector (MVector::*)(double) const>(&MVector::operator/));
static_assert(is<MVector& (MVector::*)(double)>(&MVector::operator*=));
static_assert(is<MVector (MVector::*)(double) const>(&MVector::operator*));
static_assert(is<MVector (MVector::*)(const MVector&) const>(&MVector::operator+));
static_assert(is<MVector& (MVector::*)(const MVector&)>(&MVector::operator+=));
static_assert(is<MVector (MVector::*)() const>(&MVector::operator-));
static_assert(is<MVector& (MVector::*)(const MVector&)>(&MVector::operator-=));
static_assert(is<MVector (MVector::*)(const MVector&) const>(&MVector::operator-));
static_assert(is<MVector (MVector::*)(const MMatrix&) const>(&MVector::operator*));
static_assert(is<MVector& (MVector::*)(const MMatrix&)>(&MVector::operator*=));
static_assert(is<bool (MVector::*)(const MVector&) const>(&MVector::operator==));
static_assert(is<bool (MVector::*)(const MVector&) const>(&MVector::operator!=));
static_assert(is<MStatus (MVector::*)(double*) const>(&MVector::get));
static_assert(is<double (MVector::*)() const>(&MVector::length));
static_assert(is<MVector (MVector::*)() const>(&MVector::normal));
static_assert(is<MStatus (MVector::*)()>(&MVector::normalize));
static_assert(is<bool (MVector::*)(const MVector&, double) const>(&MVector::isEquivalent));
static_assert(std::is_same_v<decltype(MVector::zero), const MVector>);
static_assert(std::is_same_v<decltype(MVector::one), const MVector>);
static_assert(std::is_same_v<decltype(MVector::xAxis), const MVector>);
static_assert(std::is_same_v<decltype(MVector::yAxis), const MVector>);
static_assert(std::is_same_v<decltype(MVector::zAxis), const MVector>);

// MVectorArray
static_assert(std::is_constructible_v<MVectorArray, unsigned int>);

} // namespace
