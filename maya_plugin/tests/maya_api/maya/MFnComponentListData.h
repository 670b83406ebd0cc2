#pragma once

#include <maya/MFnData.h>

class MFnComponentListData : public MFnData {
    STANDIN_FUNCTION_SET(MFnComponentListData, MFn::kComponentListData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    MObject operator[](unsigned int index) const;
    MStatus add(MObject&);
    MStatus clear();
    MObject create(MStatus* ReturnStatus = nullptr);
};
