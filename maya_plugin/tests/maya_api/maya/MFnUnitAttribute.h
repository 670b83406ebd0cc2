#pragma once

#include <maya/MAngle.h>
#include <maya/MDistance.h>
#include <maya/MFnAttribute.h>
#include <maya/MTime.h>

class MFnUnitAttribute : public MFnAttribute {
    STANDIN_FUNCTION_SET(MFnUnitAttribute, MFn::kUnitAttribute)
    enum Type { kInvalid, kAngle, kDistance, kTime, kLast };
    MObject create(const MString& fullName, const MString& briefName, MFnUnitAttribute::Type unitType,
                   double defaultValue = 0.0, MStatus* ReturnStatus = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MTime& defaultValue,
                   MStatus* ReturnStatus = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MAngle& defaultValue,
                   MStatus* ReturnStatus = nullptr);
    MObject create(const MString& fullName, const MString& briefName, const MDistance& defaultValue,
                   MStatus* ReturnStatus = nullptr);
    MFnUnitAttribute::Type unitType(MStatus* ReturnStatus = nullptr) const;
    bool hasMin(MStatus* ReturnStatus = nullptr) const;
    bool hasMax(MStatus* ReturnStatus = nullptr) const;
    bool hasSoftMin(MStatus* ReturnStatus = nullptr) const;
    bool hasSoftMax(MStatus* ReturnStatus = nullptr) const;
    MStatus getMin(double& minValue) const;
    MStatus getMax(double& maxValue) const;
    MStatus getSoftMin(double& minValue) const;
    MStatus getSoftMax(double& maxValue) const;
    MStatus setMin(double minValue);
    MStatus setMin(const MTime& minValue);
    MStatus setMin(const MAngle& minValue);
    MStatus setMin(const MDistance& minValue);
    MStatus setMax(double maxValue);
    MStatus setMax(const MTime& maxValue);
    MStatus setMax(const MAngle& maxValue);
    MStatus setMax(const MDistance& maxValue);
    MStatus setSoftMin(double minValue);
    MStatus setSoftMin(const MTime& minValue);
    MStatus setSoftMin(const MAngle& minValue);
    MStatus setSoftMin(const MDistance& minValue);
    MStatus setSoftMax(double maxValue);
    MStatus setSoftMax(const MTime& maxValue);
    MStatus setSoftMax(const MAngle& maxValue);
    MStatus setSoftMax(const MDistance& maxValue);
    MStatus getDefault(double& defaultValue);
    MStatus getDefault(MTime& defaultValue);
    MStatus getDefault(MAngle& defaultValue);
    MStatus getDefault(MDistance& defaultValue);
    MStatus setDefault(double defaultValue);
    MStatus setDefault(const MTime& defaultValue);
    MStatus setDefault(const MAngle& defaultValue);
    MStatus setDefault(const MDistance& defaultValue);
};
