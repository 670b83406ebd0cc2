#pragma once

#include <maya/MFnData.h>

class MFnNumericData : public MFnData {
    STANDIN_FUNCTION_SET(MFnNumericData, MFn::kNumericData)
    enum Type {
        kInvalid, kBoolean, kByte, kChar, kShort, k2Short, k3Short, kLong, kInt = kLong, k2Long, k2Int = k2Long, k3Long,
        k3Int = k3Long, kInt64, kFloat, k2Float, k3Float, kDouble, k2Double, k3Double, k4Double, kAddr, kLast
    };
    MObject create(Type dataType, MStatus* ReturnStatus = nullptr);
    Type numericType(MStatus* ReturnStatus = nullptr);
    MStatus getData3Double(double& val1, double& val2, double& val3);
    MStatus getData2Double(double& val1, double& val2);
    MStatus setData3Double(double val1, double val2, double val3);
    MStatus setData2Double(double val1, double val2);
};
