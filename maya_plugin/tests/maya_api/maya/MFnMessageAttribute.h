#pragma once

#include <maya/MFnAttribute.h>

class MFnMessageAttribute : public MFnAttribute {
    STANDIN_FUNCTION_SET(MFnMessageAttribute, MFn::kMessageAttribute)
    MObject create(const MString& fullName, const MString& briefName, MStatus* ReturnStatus = nullptr);
};
