#pragma once

#include <maya/MFnAttribute.h>
#include <maya/MFnNumericData.h>

class MFnGenericAttribute : public MFnAttribute {
    STANDIN_FUNCTION_SET(MFnGenericAttribute, MFn::kGenericAttribute)
    MObject create(const MString& full, const MString& brief, MStatus* ReturnStatus = nullptr);
    MStatus addDataAccept(MFnData::Type newType);
    MStatus addNumericDataAccept(MFnNumericData::Type newType);
};
