#pragma once

#include <maya/MFnAttribute.h>

class MFnTypedAttribute : public MFnAttribute {
    STANDIN_FUNCTION_SET(MFnTypedAttribute, MFn::kTypedAttribute)
    MObject create(const MString& fullName, const MString& briefName, MFnData::Type type,
                   MObject defaultData = MObject::kNullObj, MStatus* ReturnStatus = nullptr);
    MFnData::Type attrType(MStatus* ReturnStatus = nullptr) const;
    MStatus getDefault(MObject& defaultCustomData);
    MStatus setDefault(const MObject& defaultCustomData);
};
