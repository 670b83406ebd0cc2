#pragma once

#include <maya/MFnData.h>
#include <maya/MVectorArray.h>

class MFnVectorArrayData : public MFnData {
    STANDIN_FUNCTION_SET(MFnVectorArrayData, MFn::kVectorArrayData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    const MVector& operator[](unsigned int index) const;
    MVector& operator[](unsigned int index);
    MStatus set(MVector& element, unsigned int index);
    MStatus copyTo(MVectorArray&) const;
    MStatus set(const MVectorArray& newArray);
    MVectorArray array(MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MVectorArray& in, MStatus* ReturnStatus = nullptr);
};
