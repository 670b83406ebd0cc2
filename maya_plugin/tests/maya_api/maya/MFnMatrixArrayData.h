#pragma once

#include <maya/MFnData.h>
#include <maya/MMatrixArray.h>

class MFnMatrixArrayData : public MFnData {
    STANDIN_FUNCTION_SET(MFnMatrixArrayData, MFn::kMatrixArrayData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    const MMatrix& operator[](unsigned int index) const;
    MMatrix& operator[](unsigned int index);
    MStatus set(MMatrix& element, unsigned int index);
    MStatus copyTo(MMatrixArray&) const;
    MStatus set(const MMatrixArray& newArray);
    MMatrixArray array(MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MMatrixArray& in, MStatus* ReturnStatus = nullptr);
};
