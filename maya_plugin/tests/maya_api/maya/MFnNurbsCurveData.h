#pragma once

#include <maya/MFnGeometryData.h>

class MFnNurbsCurveData : public MFnGeometryData {
    STANDIN_FUNCTION_SET(MFnNurbsCurveData, MFn::kNurbsCurveData)
    MObject create(MStatus* ReturnStatus = nullptr);
};
