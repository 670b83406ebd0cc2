#pragma once

#include <maya/MAngle.h>
#include <maya/MDistance.h>
#include <maya/MFnNumericData.h>
#include <maya/MMatrix.h>
#include <maya/MObject.h>
#include <maya/MString.h>
#include <maya/MTime.h>
#include <maya/MTypeId.h>
#include <maya/MVector.h>

class MDataBlock;
class MFloatVector;
class MPlug;

/// A value in a data block, to read or to write in place.
class MDataHandle {
public:
    MDataHandle() = default;
    bool isNumeric() const;
    MFnNumericData::Type numericType() const;
    MFnData::Type type() const;
    MTypeId typeId() const { return MTypeId(); }
    MObject data();
    MStatus copy(const MDataHandle& src);
    MStatus copyWritable(const MDataHandle& src);
    MObject attribute();
    void setClean();

    bool& asBool() const;
    char& asChar() const;
    short& asShort() const;
    int& asInt() const;
    MInt64& asInt64() const;
    float& asFloat() const;
    double& asDouble() const;
    MDistance asDistance() const;
    MAngle asAngle() const;
    MTime asTime() const;
    short2& asShort2() const;
    int2& asInt2() const;
    float2& asFloat2() const;
    double2& asDouble2() const;
    short3& asShort3() const;
    int3& asInt3() const;
    float3& asFloat3() const;
    double3& asDouble3() const;
    double4& asDouble4() const;
    MVector& asVector() const;
    MFloatVector& asFloatVector() const;
    MMatrix& asMatrix() const;
    MString& asString() const;
    MObject asMesh() const;
    MObject asMeshTransformed() const;
    MObject asNurbsCurve() const;
    MObject asNurbsCurveTransformed() const;
    const MMatrix& geometryTransformMatrix() const;

    void set(bool value) { setBool(value); }
    void set(char value) { setChar(value); }
    void set(short value) { setShort(value); }
    void set(int value) { setInt(value); }
    void set(MInt64 value) { setInt64(value); }
    void set(float value) { setFloat(value); }
    void set(double value) { setDouble(value); }
    void set(const MMatrix& value) { setMMatrix(value); }
    void set(const MVector& value) { setMVector(value); }
    void set(const MDistance& value) { setMDistance(value); }
    void set(const MAngle& value) { setMAngle(value); }
    void set(const MTime& value) { setMTime(value); }
    void set(float x, float y) { set2Float(x, y); }
    void set(double x, double y) { set2Double(x, y); }
    void set(float x, float y, float z) { set3Float(x, y, z); }
    void set(double x, double y, double z) { set3Double(x, y, z); }
    void set(const MString& value) { setString(value); }
    MStatus set(const MObject& value) { return setMObject(value); }
    void setBool(bool);
    void setChar(char);
    void setShort(short);
    void setInt(int);
    void setInt64(MInt64);
    void setFloat(float);
    void setDouble(double);
    void setMMatrix(const MMatrix&);
    void setMVector(const MVector&);
    void setMDistance(const MDistance&);
    void setMAngle(const MAngle&);
    void setMTime(const MTime&);
    void set2Float(float, float);
    void set2Double(double, double);
    void set3Float(float, float, float);
    void set3Double(double, double, double);
    void set4Double(double, double, double, double);
    void setString(const MString&);
    MStatus setMObject(const MObject& data);

    MDataHandle child(const MPlug& plug);
    MDataHandle child(const MObject& attribute);
    MDataBlock datablock(MStatus* ReturnStatus = nullptr) const;
    static const char* className() { return "MDataHandle"; }

    /// The stand-in's own.
    MDataHandle(standin::Value* value, standin::Block* block) : value_(value), block_(block) {}
    standin::Value* standin_value() const { return value_; }
    standin::Block* standin_block() const { return block_; }

private:
    standin::Value* value_ = nullptr;
    standin::Block* block_ = nullptr;
};
