// Animation curves.

#include "world.h"

#include <maya/MDGModifier.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnAnimCurve.h>

using namespace standin;

namespace {

MPlug plug_named(const MObject& node, const char* name) { return MFnDependencyNode(node).findPlug(name, true); }

MPlug key_at(const MObject& curve, unsigned int index) {
    return plug_named(curve, "keyTimeValue").elementByPhysicalIndex(index);
}

} // namespace

/// Makes a curve of that type and lets it move the plug; a modifier takes down what was made, so that it can be undone
/// (MFnAnimCurve::create). Here the time is connected, as for all curves of the stand-in.
MObject MFnAnimCurve::create(const MPlug& plug, AnimCurveType of, MDGModifier* modifier, MStatus* s) {
    const char* const types[] = {"animCurveTA", "animCurveTL", "", "animCurveTU"};
    if (of > kAnimCurveTU || of == kAnimCurveTT || plug.isDestination())
        return give(MObject(), s, MStatus::kInvalidParameter);
    MDGModifier own;
    MDGModifier& used = modifier ? *modifier : own;
    object_ = used.createNode(MString(types[of]));
    used.connect(to_plug({find_node("time1").get(), path_of(*find_node("time1")->find("outTime"))}),
                 plug_named(object_, "input"));
    used.connect(plug_named(object_, "output"), plug);
    return give(object_, s, used.doIt());
}

/// As many times as values; keys that are there go, unless they are to be kept (MFnAnimCurve::addKeys).
MStatus MFnAnimCurve::addKeys(MTimeArray* times, MDoubleArray* values, TangentType in, TangentType out, bool keep,
                              MAnimCurveChange*) {
    if (!times || !values || times->length() != values->length() || !node()) return MStatus::kInvalidParameter;
    if (in != kTangentLinear || out != kTangentLinear)
        fault("The tangents of a curve are not linear: the stand-in has straight ones only.");
    const PlugKey keys{node(), path_of(*node()->find("keyTimeValue"))};
    const Edit edit;
    Value& value = node()->normal.value(keys.second);
    if (!keep) value.elements.clear();
    unsigned int index = value.elements.empty() ? 0 : std::prev(value.elements.end())->first + 1;
    for (unsigned int i = 0; i < times->length(); ++i, ++index) {
        value.element(index).child(0).own.l = (*times)[i].standin_ticks();
        value.element(index).child(1).set_number((*values)[i]);
        value.element(index).mark(true);
    }
    make_dirty({keys});
    return MStatus();
}

unsigned int MFnAnimCurve::numKeys(MStatus* s) const {
    return give(plug_named(object_, "keyTimeValue").numElements(), s);
}
MTime MFnAnimCurve::time(unsigned int index, MStatus* s) const {
    return key_at(object_, index).child(0).asMTime(s);
}
double MFnAnimCurve::value(unsigned int index, MStatus* s) const {
    return key_at(object_, index).child(1).asDouble(s);
}
