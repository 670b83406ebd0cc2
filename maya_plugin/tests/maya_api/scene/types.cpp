// Types of nodes: which attributes all nodes, deformers and DAG nodes have.

#include "builtin.h"

#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnMessageAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MPxDeformerNode.h>

namespace standin {

std::shared_ptr<NodeType> type_named(const std::string& name) {
    const auto found = world().types.find(name);
    return found == world().types.end() ? nullptr : found->second;
}

std::shared_ptr<NodeType> type_with_id(unsigned int id) {
    for (const auto& each : world().types)
        if (each.second->id == id && id != 0) return each.second;
    return nullptr;
}

namespace {

/// What a deformer's geometries were before all deformers, for each one (originalGeometry of geometryFilter in Maya's node
/// reference).
MObject original_geometry;
/// Falloffs of a deformer, for each geometry one (weightFunction of geometryFilter in Maya's node reference). A falloff is
/// a list of weights by vertex here.
MObject weight_function;

/// Attributes that all types share are made once.
void make_shared_attributes() {
    if (!MPxNode::message.isNull()) return;
    MFnMessageAttribute message;
    MFnNumericAttribute number;
    MFnEnumAttribute choice;
    MFnCompoundAttribute compound;
    MFnTypedAttribute typed;
    MPxNode::message = message.create("message", "msg");
    message.setStorable(false);
    message.setWritable(false);
    MPxNode::caching = number.create("caching", "cch", MFnNumericData::kBoolean);
    MPxNode::frozen = number.create("frozen", "fzn", MFnNumericData::kBoolean);
    MPxNode::isHistoricallyInteresting = number.create("isHistoricallyInteresting", "ihi", MFnNumericData::kChar, 2);
    MPxNode::state = choice.create("nodeState", "nds");
    const char* const states[] = {"Normal",         "HasNoEffect",         "Blocking",
                                  "Waiting-Normal", "Waiting-HasNoEffect", "Waiting-Blocking"};
    for (short i = 0; i < 6; ++i) choice.addField(states[i], i);

    MPxGeometryFilter::inputGeom = typed.create("inputGeometry", "ig", MFnData::kAny);
    typed.setStorable(false);
    MPxGeometryFilter::groupId = number.create("groupId", "gi", MFnNumericData::kInt);
    MPxGeometryFilter::componentTagExpression = typed.create("componentTagExpression", "gtg", MFnData::kString);
    MPxGeometryFilter::input = compound.create("input", "ip");
    compound.addChild(MPxGeometryFilter::inputGeom);
    compound.addChild(MPxGeometryFilter::groupId);
    compound.addChild(MPxGeometryFilter::componentTagExpression);
    compound.setArray(true);
    original_geometry = typed.create("originalGeometry", "orggeom", MFnData::kAny);
    typed.setArray(true);
    typed.setStorable(false);
    MPxGeometryFilter::outputGeom = typed.create("outputGeometry", "og", MFnData::kAny);
    typed.setArray(true);
    typed.setStorable(false);
    typed.setUsesArrayDataBuilder(true);
    MPxGeometryFilter::envelope = number.create("envelope", "en", MFnNumericData::kFloat, 1);
    number.setKeyable(true);
    number.setSoftMin(0);
    number.setSoftMax(1);
    MPxDeformerNode::weights = number.create("weights", "w", MFnNumericData::kFloat, 1);
    number.setArray(true);
    number.setMin(0);
    number.setUsesArrayDataBuilder(true);
    MPxDeformerNode::weightList = compound.create("weightList", "wl");
    compound.addChild(MPxDeformerNode::weights);
    compound.setArray(true);
    compound.setUsesArrayDataBuilder(true);
    weight_function = typed.create("weightFunction", "whf", MFnData::kDoubleArray);
    typed.setArray(true);
}

} // namespace

void add_filter_attributes(NodeType& type) {
    MPxNode::addAttribute(MPxGeometryFilter::input);
    MPxNode::addAttribute(MPxGeometryFilter::outputGeom);
    MPxNode::addAttribute(original_geometry);
    MPxNode::addAttribute(MPxGeometryFilter::envelope);
    MPxNode::addAttribute(MPxDeformerNode::weightList);
    MPxNode::addAttribute(weight_function);
    for (const MObject& each : {MPxGeometryFilter::input, original_geometry, MPxGeometryFilter::envelope,
                                MPxDeformerNode::weightList, weight_function, MPxNode::state})
        MPxNode::attributeAffects(each, MPxGeometryFilter::outputGeom);
    type.fallback = filter_compute;
    type.fns.insert({MFn::kGeometryFilt, MFn::kWeightGeometryFilt});
}

/// The attributes that a node of a kind has before its own, and what function sets it has.
void inherit(NodeType& type, MPxNode::Type kind) {
    make_shared_attributes();
    type.kind = kind;
    for (const MObject& each :
         {MPxNode::message, MPxNode::caching, MPxNode::frozen, MPxNode::isHistoricallyInteresting, MPxNode::state})
        MPxNode::addAttribute(each);
    type.fn = MFn::kPluginDependNode;
    if (kind == MPxNode::kDeformerNode || kind == MPxNode::kGeometryFilter || kind == MPxNode::kSkinCluster) {
        type.fn = kind == MPxNode::kDeformerNode ? MFn::kPluginDeformerNode : MFn::kPluginGeometryFilter;
        add_filter_attributes(type);
    }
    if (kind == MPxNode::kLocatorNode) {
        type.fn = MFn::kPluginLocatorNode;
        type.fns.insert({MFn::kLocator, MFn::kShape, MFn::kDagNode});
        type.shape = true;
        add_dag_attributes(type);
    }
}

MObject number(const char* name, const char* brief, MFnNumericData::Type type, double value, bool keyable) {
    MFnNumericAttribute fn;
    const MObject made = fn.create(name, brief, type, value);
    fn.setKeyable(keyable);
    MPxNode::addAttribute(made);
    return made;
}

MObject triple(const char* name, const char* brief, bool angles, double value) {
    MFnUnitAttribute unit;
    MFnNumericAttribute fn;
    MObject parts[3];
    const char* const letters[] = {"X", "Y", "Z"};
    for (int i = 0; i < 3; ++i) {
        const MString full = MString(name) + letters[i], shorter = MString(brief) + MString(letters[i]).toLowerCase();
        parts[i] = angles ? unit.create(full, shorter, MFnUnitAttribute::kAngle, value)
                          : fn.create(full, shorter, MFnNumericData::kDouble, value);
        MFnAttribute(parts[i]).setKeyable(true);
    }
    const MObject made = fn.create(name, brief, parts[0], parts[1], parts[2]);
    fn.setKeyable(true);
    MPxNode::addAttribute(made);
    return made;
}

MObject matrix(const char* name, const char* brief, bool array, bool output) {
    MFnMatrixAttribute fn;
    const MObject made = fn.create(name, brief);
    fn.setArray(array);
    fn.setStorable(!output);
    fn.setWritable(!output);
    MPxNode::addAttribute(made);
    return made;
}

MObject geometry(const char* name, const char* brief, MFnData::Type type, bool array, bool output) {
    MFnTypedAttribute fn;
    const MObject made = fn.create(name, brief, type);
    fn.setArray(array);
    fn.setStorable(!output);
    fn.setWritable(!output);
    MPxNode::addAttribute(made);
    return made;
}

/// Where a DAG node is: its own matrix, and with those of what it is below.
void add_dag_attributes(NodeType& type) {
    type.dag = true;
    type.fns.insert(MFn::kDagNode);
    const MObject hidden = number("intermediateObject", "io", MFnNumericData::kBoolean, 0, false);
    const MObject seen = number("visibility", "v", MFnNumericData::kBoolean, 1, true);
    (void)hidden;
    (void)seen;
    const MObject own = matrix("matrix", "m", false, true), parent = matrix("parentMatrix", "pm", true, true),
                  all = matrix("worldMatrix", "wm", true, true), back = matrix("worldInverseMatrix", "wim", true, true);
    MPxNode::attributeAffects(own, all);
    MPxNode::attributeAffects(parent, all);
    MPxNode::attributeAffects(own, back);
    MPxNode::attributeAffects(parent, back);
    // Nothing on the node itself makes these dirty; that they are computed is said by their being affected.
    MPxNode::attributeAffects(parent, parent);
    if (!type.shape) {
        type.fns.insert(MFn::kTransform);
        for (const MObject& each :
             {triple("translate", "t", false, 0), triple("rotate", "r", true, 0), triple("scale", "s", false, 1),
              number("rotateOrder", "ro", MFnNumericData::kShort, 0, true)})
            MPxNode::attributeAffects(each, own);
    }
    if (type.name == "joint") MPxNode::attributeAffects(triple("jointOrient", "jo", true, 0), own);
    type.fallback = dag_compute;
}

std::shared_ptr<NodeType> begin_type(const std::string& name, MFn::Type fn, MCreatorFunction creator) {
    auto type = std::make_shared<NodeType>();
    type->name = name;
    world().making = type.get();
    world().types[name] = type;
    inherit(*type, MPxNode::kDependNode);
    type->creator = creator;
    type->fn = fn;
    return type;
}

} // namespace standin
