#pragma once

#include <maya/MFnDependencyNode.h>
#include <maya/MTimeArray.h>

class MAnimCurveChange;
class MDGModifier;
class MDoubleArray;

/// Keys that move a plug over time.
class MFnAnimCurve : public MFnDependencyNode {
    STANDIN_FUNCTION_SET(MFnAnimCurve, MFn::kAnimCurve)
    enum AnimCurveType {
        kAnimCurveTA, kAnimCurveTL, kAnimCurveTT, kAnimCurveTU, kAnimCurveUA, kAnimCurveUL, kAnimCurveUT, kAnimCurveUU,
        kAnimCurveUnknown
    };
    enum TangentType { kTangentGlobal, kTangentFixed, kTangentLinear, kTangentFlat, kTangentSmooth, kTangentStep };
    MObject create(const MPlug& plug, AnimCurveType animCurveType, MDGModifier* modifier = nullptr,
                   MStatus* ReturnStatus = nullptr);
    MStatus addKeys(MTimeArray* timeArray, MDoubleArray* valueArray, TangentType tangentInType = kTangentGlobal,
                    TangentType tangentOutType = kTangentGlobal, bool keepExistingKeys = false,
                    MAnimCurveChange* change = nullptr);
    unsigned int numKeys(MStatus* ReturnStatus = nullptr) const;
    MTime time(unsigned int index, MStatus* ReturnStatus = nullptr) const;
    double value(unsigned int index, MStatus* ReturnStatus = nullptr) const;
};
