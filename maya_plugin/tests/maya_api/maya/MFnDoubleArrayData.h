#pragma once

#include <maya/MDoubleArray.h>
#include <maya/MFnData.h>

class MFnDoubleArrayData : public MFnData {
    STANDIN_FUNCTION_SET(MFnDoubleArrayData, MFn::kDoubleArrayData)
    unsigned int length(MStatus* ReturnStatus = nullptr) const;
    double operator[](unsigned int index) const;
    double& operator[](unsigned int index);
    MStatus set(double element, unsigned int index);
    MStatus copyTo(MDoubleArray&) const;
    MStatus set(const MDoubleArray& newArray);
    MDoubleArray array(MStatus* ReturnStatus = nullptr);
    MObject create(MStatus* ReturnStatus = nullptr);
    MObject create(const MDoubleArray& in, MStatus* ReturnStatus = nullptr);
};
