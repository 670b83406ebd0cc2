// Every function that the stand-in declares of Maya's animation curves, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MDGModifier.h>
#include <maya/MDoubleArray.h>
#include <maya/MFn.h>
#include <maya/MFnAnimCurve.h>
#include <maya/MPlug.h>
#include <maya/MTimeArray.h>

#include <type_traits>
#include <utility>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MFn
static_assert(int(MFn::kAnimCurveTimeToAngular) >= 0);
static_assert(int(MFn::kAnimCurveTimeToDistance) >= 0);
static_assert(int(MFn::kPolyTweakUV) >= 0);
static_assert(int(MFn::kPolyTransfer) >= 0);
static_assert(int(MFn::kTransformGeometry) >= 0);

// MTimeArray
static_assert(std::is_constructible_v<MTimeArray, unsigned int, const MTime&>);
static_assert(std::is_same_v<decltype(std::declval<MTimeArray&>().append(MTime())), MStatus>);

// MFnAnimCurve
using Curve = MFnAnimCurve;
using Kind = MFnAnimCurve::AnimCurveType;
using Tangent = MFnAnimCurve::TangentType;
static_assert(std::is_constructible_v<Curve, const MObject&, MStatus*>);
static_assert(int(Curve::kAnimCurveTA) == 0 && int(Curve::kAnimCurveTL) == 1 && int(Curve::kAnimCurveTT) == 2 &&
              int(Curve::kAnimCurveTU) == 3 && int(Curve::kAnimCurveUA) == 4 && int(Curve::kAnimCurveUL) == 5 &&
              int(Curve::kAnimCurveUT) == 6 && int(Curve::kAnimCurveUU) == 7 && int(Curve::kAnimCurveUnknown) == 8);
static_assert(int(Curve::kTangentGlobal) == 0 && int(Curve::kTangentFixed) == 1 && int(Curve::kTangentLinear) == 2 &&
              int(Curve::kTangentFlat) == 3 && int(Curve::kTangentSmooth) == 4 && int(Curve::kTangentStep) == 5);
static_assert(is<MObject (Curve::*)(const MPlug&, Kind, MDGModifier*, MStatus*)>(&Curve::create));
static_assert(is<MStatus (Curve::*)(MTimeArray*, MDoubleArray*, Tangent, Tangent, bool, MAnimCurveChange*)>
    (&Curve::addKeys));
static_assert(is<unsigned int (Curve::*)(MStatus*) const>(&Curve::numKeys));
static_assert(is<MTime (Curve::*)(unsigned int, MStatus*) const>(&Curve::time));
static_assert(is<double (Curve::*)(unsigned int, MStatus*) const>(&Curve::value));

} // namespace
