#pragma once

#include <maya/MFnGeometryData.h>

class MFnMeshData : public MFnGeometryData {
    STANDIN_FUNCTION_SET(MFnMeshData, MFn::kMeshData)
    MObject create(MStatus* ReturnStatus = nullptr);
};
