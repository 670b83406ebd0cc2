#include "adapter/curves.h"

#include "adapter/guard.h"

#include <maya/MDoubleArray.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MPointArray.h>

namespace sinew::maya {

MObject make_curve(const double* nodes, std::uint32_t count) {
    MStatus status;
    MObject made = MFnNurbsCurveData().create(&status);
    ensure(status, "make a curve");
    if (count < 2) return made;
    MPointArray places(count);
    // A curve of degree 1 has as many knots as control vertices (MFnNurbsCurve in the Maya C++ API reference).
    MDoubleArray knots(count);
    for (unsigned i = 0; i < count; ++i, nodes += 3) {
        places[i] = MPoint(nodes[0], nodes[1], nodes[2]);
        knots[i] = static_cast<double>(i);
    }
    MFnNurbsCurve().create(places, knots, 1, MFnNurbsCurve::kOpen, false, false, made, &status);
    ensure(status, "make a curve");
    return made;
}

} // namespace sinew::maya
