#pragma once

#include <maya/MFnBase.h>

class MFnData : public MFnBase {
    STANDIN_FUNCTION_SET(MFnData, MFn::kData)
    enum Type {
        kInvalid, kNumeric, kPlugin, kPluginGeometry, kString, kMatrix, kStringArray, kDoubleArray, kFloatArray,
        kIntArray, kPointArray, kVectorArray, kMatrixArray, kComponentList, kMesh, kLattice, kNurbsCurve, kNurbsSurface,
        kSphere, kDynArrayAttrs, kDynSweptGeometry, kSubdSurface, kNObject, kNId, kAny, kFalloffFunction, kLast
    };
};
