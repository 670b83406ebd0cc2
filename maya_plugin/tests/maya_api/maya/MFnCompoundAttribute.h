#pragma once

#include <maya/MFnAttribute.h>

class MFnCompoundAttribute : public MFnAttribute {
    STANDIN_FUNCTION_SET(MFnCompoundAttribute, MFn::kCompoundAttribute)
    MObject create(const MString& full, const MString& brief, MStatus* ReturnStatus = nullptr);
    MStatus addChild(const MObject& child);
    unsigned int numChildren(MStatus* ReturnStatus = nullptr) const;
    MObject child(unsigned int index, MStatus* ReturnStatus = nullptr) const;
};
