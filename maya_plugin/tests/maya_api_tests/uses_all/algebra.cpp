// Every function that the stand-in declares of Maya's types of objects, points and matrices, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MArrayDataBuilder.h>
#include <maya/MFn.h>

#include <type_traits>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MFn
static_assert(int(MFn::kInvalid) >= 0);
static_assert(int(MFn::kBase) >= 0);
static_assert(int(MFn::kNamedObject) >= 0);
static_assert(int(MFn::kDependencyNode) >= 0);
static_assert(int(MFn::kDagNode) >= 0);
static_assert(int(MFn::kTransform) >= 0);
static_assert(int(MFn::kJoint) >= 0);
static_assert(int(MFn::kShape) >= 0);
static_assert(int(MFn::kMesh) >= 0);
static_assert(int(MFn::kNurbsCurve) >= 0);
static_assert(int(MFn::kLocator) >= 0);
static_assert(int(MFn::kGeometric) >= 0);
static_assert(int(MFn::kSurface) >= 0);
static_assert(int(MFn::kCurve) >= 0);
static_assert(int(MFn::kTime) >= 0);
static_assert(int(MFn::kAnimCurve) >= 0);
static_assert(int(MFn::kAnimCurveTimeToUnitless) >= 0);
static_assert(int(MFn::kGeometryFilt) >= 0);
static_assert(int(MFn::kWeightGeometryFilt) >= 0);
static_assert(int(MFn::kSkinClusterFilter) >= 0);
static_assert(int(MFn::kPluginDependNode) >= 0);
static_assert(int(MFn::kPluginDeformerNode) >= 0);
static_assert(int(MFn::kPluginGeometryFilter) >= 0);
static_assert(int(MFn::kPluginLocatorNode) >= 0);
static_assert(int(MFn::kPlugin) >= 0);
static_assert(int(MFn::kAttribute) >= 0);
static_assert(int(MFn::kNumericAttribute) >= 0);
static_assert(int(MFn::kUnitAttribute) >= 0);
static_assert(int(MFn::kTypedAttribute) >= 0);
static_assert(int(MFn::kMatrixAttribute) >= 0);
static_assert(int(MFn::kEnumAttribute) >= 0);
static_assert(int(MFn::kCompoundAttribute) >= 0);
static_assert(int(MFn::kMessageAttribute) >= 0);
static_assert(int(MFn::kGenericAttribute) >= 0);
static_assert(int(MFn::kTimeAttribute) >= 0);
static_assert(int(MFn::kDistance) >= 0);
static_assert(int(MFn::kDoubleAngleAttribute) >= 0);
static_assert(int(MFn::kDoubleLinearAttribute) >= 0);
static_assert(int(MFn::kAttribute2Double) >= 0);
static_assert(int(MFn::kAttribute2Float) >= 0);
static_assert(int(MFn::kAttribute3Double) >= 0);
static_assert(int(MFn::kAttribute3Float) >= 0);
static_assert(int(MFn::kAttribute4Double) >= 0);
static_assert(int(MFn::kData) >= 0);
static_assert(int(MFn::kGeometryData) >= 0);
static_assert(int(MFn::kMeshData) >= 0);
static_assert(int(MFn::kNurbsCurveData) >= 0);
static_assert(int(MFn::kStringData) >= 0);
static_assert(int(MFn::kStringArrayData) >= 0);
static_assert(int(MFn::kDoubleArrayData) >= 0);
static_assert(int(MFn::kFloatArrayData) >= 0);
static_assert(int(MFn::kIntArrayData) >= 0);
static_assert(int(MFn::kPointArrayData) >= 0);
static_assert(int(MFn::kVectorArrayData) >= 0);
static_assert(int(MFn::kMatrixData) >= 0);
static_assert(int(MFn::kMatrixArrayData) >= 0);
static_assert(int(MFn::kNumericData) >= 0);
static_assert(int(MFn::kComponentListData) >= 0);
static_assert(int(MFn::kComponent) >= 0);
static_assert(int(MFn::kSingleIndexedComponent) >= 0);
static_assert(int(MFn::kMeshVertComponent) >= 0);
static_assert(int(MFn::kMeshPolygonComponent) >= 0);
static_assert(int(MFn::kMeshEdgeComponent) >= 0);
static_assert(int(MFn::kWorld) >= 0);
static_assert(int(MFn::kReference) >= 0);
static_assert(int(MFn::kLast) >= 0);

} // namespace
