// Maya's attributes from a plan. Names are permanent; what users see comes from the descriptors.
//
// Parameters keep the unit of their description, as plain numbers with the unit in the nice name, whatever the scene's
// units are: a unit attribute would show 0.2 for a thickness of 0.002 m in one scene and 0.0787 in another, would store
// centimetres under a name documented in metres, and has nothing for Pa, N/m or kg/m^3. Only times of the scene's own
// (`current_time`, `start_time`) are unit attributes, since they come from Maya and follow its frame rate.
#include "adapter/guard.h"
#include "adapter/kind.h"
#include "adapter/text.h"

#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnStringData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MPxGeometryFilter.h>
#include <maya/MPxNode.h>
#include <maya/MString.h>

#include <algorithm>
#include <map>

namespace sinew::maya {
namespace {

using host::Attribute;
using host::Holds;
using host::Of;
using host::OwnNames;

/// Title and unit: "Thickness (m)".
std::string nice_name(const Attribute& attribute) {
    return attribute.unit.empty() ? attribute.title : attribute.title + " (" + attribute.unit + ")";
}

/// Inputs are set or connected and stored; outputs are computed and only read.
void set_direction(MFnAttribute& made, bool output) {
    made.setReadable(true);
    made.setWritable(!output);
    made.setStorable(!output);
}

MObject make_number(const Attribute& attribute, MFnNumericData::Type type, MStatus& status) {
    MFnNumericAttribute made;
    const MString name = maya_text(attribute.name);
    const MObject object = made.create(name, name, type, attribute.default_value, &status);
    if (!status || type == MFnNumericData::kBoolean || !attribute.has_range) return object;
    made.setMin(attribute.minimum);
    made.setMax(attribute.maximum);
    // Maya refuses a soft range that is not inside of the hard one.
    if (attribute.soft_minimum < attribute.soft_maximum) {
        if (attribute.soft_minimum > attribute.minimum) made.setSoftMin(attribute.soft_minimum);
        if (attribute.soft_maximum < attribute.maximum) made.setSoftMax(attribute.soft_maximum);
    }
    return object;
}

MObject make_choice(const Attribute& attribute, MStatus& status) {
    MFnEnumAttribute made;
    const MString name = maya_text(attribute.name);
    const MObject object = made.create(name, name, static_cast<short>(attribute.default_value), &status);
    for (std::size_t i = 0; status && i < attribute.choices.size(); ++i)
        status = made.addField(maya_text(attribute.choices[i].title), static_cast<short>(i));
    return object;
}

MObject make_typed(const Attribute& attribute, MFnData::Type type, MStatus& status) {
    MFnTypedAttribute made;
    const MString name = maya_text(attribute.name);
    MObject initial = MObject::kNullObj;
    if (type == MFnData::kString) initial = MFnStringData().create(maya_text(attribute.default_text), &status);
    return made.create(name, name, type, initial, &status);
}

/// Vectors as a vector array; all other items one after the other.
MFnData::Type array_type(const Attribute& attribute) {
    if (attribute.holds == Holds::Integers) return MFnData::kIntArray;
    return attribute.components == 3 ? MFnData::kVectorArray : MFnData::kDoubleArray;
}

MObject make_matrix(const char* name, MStatus& status) {
    MFnMatrixAttribute made;
    return made.create(name, name, MFnMatrixAttribute::kDouble, &status);
}

MObject make_object(const Attribute& attribute, MStatus& status) {
    switch (attribute.holds) {
    case Holds::Switch: return make_number(attribute, MFnNumericData::kBoolean, status);
    case Holds::Whole: return make_number(attribute, MFnNumericData::kInt, status);
    case Holds::Map: return make_number(attribute, MFnNumericData::kFloat, status);
    case Holds::Number:
    case Holds::Each: return make_number(attribute, MFnNumericData::kDouble, status);
    case Holds::Choice: return make_choice(attribute, status);
    case Holds::Text: return make_typed(attribute, MFnData::kString, status);
    case Holds::Mesh:
    case Holds::Points: return make_typed(attribute, MFnData::kMesh, status);
    case Holds::Curves: return make_typed(attribute, MFnData::kNurbsCurve, status);
    case Holds::Matrices: return make_matrix(attribute.name.c_str(), status);
    case Holds::Numbers:
    case Holds::Integers: return make_typed(attribute, array_type(attribute), status);
    }
    throw Problem("the attribute " + attribute.name + " has a type that this plug-in does not know");
}

bool is_array(const Attribute& attribute) {
    return attribute.holds == Holds::Map || attribute.holds == Holds::Each || attribute.holds == Holds::Matrices ||
           attribute.holds == Holds::Curves;
}

MObject make(const Attribute& attribute) {
    MStatus status;
    const MObject object = make_object(attribute, status);
    ensure(status, "make the attribute " + attribute.name);
    MFnAttribute made(object);
    set_direction(made, attribute.is_output());
    // Meshes come through connections; a scene file need not hold them twice.
    if (attribute.holds == Holds::Mesh || attribute.holds == Holds::Points) made.setStorable(false);
    if (is_array(attribute)) {
        made.setArray(true);
        made.setUsesArrayDataBuilder(true);
    }
    // What only experts need stays out of the Channel Box; it can be connected and keyed all the same.
    made.setKeyable(attribute.keyable && !attribute.advanced && attribute.holds != Holds::Map);
    if (attribute.is_file) made.setUsedAsFilename(true);
    made.setNiceNameOverride(maya_text(nice_name(attribute)));
    made.addToCategory("sinew");
    if (!attribute.group.empty()) made.addToCategory(maya_text(attribute.group));
    return object;
}

void add(const MObject& object, const char* name) {
    ensure(MPxNode::addAttribute(object), std::string("add the attribute ") + name);
}

/// Painted maps, as Maya's own weights of deformers are built: a compound for each geometry, in which each map is an
/// array of floats by vertex, like `weightList[].weights[]`. Artisan finds a map by its name there, registered with
/// `makePaintable -attrType multiFloat -sm deformer` (Maya's help, "Painting attribute values"; a compound of one's own
/// with such children is what plug-ins paint: rodolphe-vaillant.fr/entry/99).
void add_maps(Kind& kind) {
    MFnCompoundAttribute maps;
    MStatus status;
    kind.maps = maps.create(OwnNames::maps, OwnNames::maps, &status);
    ensure(status, "make the attribute painted_maps");
    maps.setArray(true);
    maps.setUsesArrayDataBuilder(true);
    // Ends the compound's own creation: its children follow before it is added.
    std::size_t children = 0;
    for (Held& held : kind.held) {
        if (held.plan->holds != Holds::Map) continue;
        held.object = make(*held.plan);
        ensure(maps.addChild(held.object), "add the map " + held.plan->name);
        ++children;
    }
    if (children == 0) {
        kind.maps = MObject::kNullObj;
        return;
    }
    maps.setNiceNameOverride("Painted Maps");
    maps.addToCategory("sinew");
    add(kind.maps, OwnNames::maps);
}

/// Arrays with the structure of skinCluster's, see SkinArrays.
void add_skin(Kind& kind) {
    if (!kind.skin.exist()) return;
    MStatus status;
    kind.skin.bind = make_matrix(skin_names::bind, status);
    ensure(status, "make the attribute bind_pre_matrices");
    MFnAttribute bind(kind.skin.bind);
    bind.setArray(true);
    bind.setUsesArrayDataBuilder(true);
    bind.setHidden(true);
    add(kind.skin.bind, skin_names::bind);
    kind.skin.bound = make_matrix(skin_names::bound, status);
    ensure(status, "make the attribute bound_geometry_matrix");
    MFnAttribute(kind.skin.bound).setHidden(true);
    add(kind.skin.bound, skin_names::bound);
    MFnNumericAttribute weight;
    kind.skin.weight = weight.create(skin_names::weight, skin_names::weight, MFnNumericData::kDouble, 0, &status);
    ensure(status, "make the attribute skin_weight");
    weight.setArray(true);
    weight.setUsesArrayDataBuilder(true);
    MFnCompoundAttribute list;
    kind.skin.weight_list = list.create(skin_names::weight_list, skin_names::weight_list, &status);
    ensure(status, "make the attribute skin_weight_list");
    ensure(list.addChild(kind.skin.weight), "add the attribute skin_weight");
    list.setArray(true);
    list.setUsesArrayDataBuilder(true);
    list.setHidden(true);
    add(kind.skin.weight_list, skin_names::weight_list);
}

void add_times(Kind& kind) {
    MFnUnitAttribute unit;
    kind.time = unit.create(OwnNames::time, OwnNames::time, MFnUnitAttribute::kTime, 0);
    // It comes from time1 by a connection that is made again on creation; its value says nothing.
    unit.setStorable(false);
    unit.setHidden(true);
    add(kind.time, OwnNames::time);
    kind.start = unit.create(OwnNames::start, OwnNames::start, MFnUnitAttribute::kTime, 0);
    unit.setNiceNameOverride("Start Time");
    unit.setChannelBox(true);
    add(kind.start, OwnNames::start);
}

MObject add_mesh(const char* name, bool output) {
    MFnTypedAttribute typed;
    MStatus status;
    const MObject object = typed.create(name, name, MFnData::kMesh, MObject::kNullObj, &status);
    ensure(status, std::string("make the attribute ") + name);
    set_direction(typed, output);
    typed.setStorable(false);
    add(object, name);
    return object;
}

MObject add_text(const char* name, bool output) {
    MFnTypedAttribute typed;
    MStatus status;
    const MObject object = typed.create(name, name, MFnData::kString, MFnStringData().create(), &status);
    ensure(status, std::string("make the attribute ") + name);
    set_direction(typed, output);
    add(object, name);
    return object;
}

/// How much memory the frames of a node may use, in MB.
MObject add_memory() {
    constexpr double initial = 1024, most = 1 << 20;
    MFnNumericAttribute number;
    const MObject object = number.create(OwnNames::memory, OwnNames::memory, MFnNumericData::kInt, initial);
    number.setMin(1);
    number.setMax(most);
    number.setNiceNameOverride("Frame Memory (MB)");
    add(object, OwnNames::memory);
    return object;
}

void add_own(Kind& kind) {
    add_times(kind);
    if (kind.plan.shape == host::Shape::Mesh) {
        kind.in_mesh = add_mesh(OwnNames::in_mesh, false);
        kind.out_mesh = add_mesh(OwnNames::out_mesh, true);
    }
    if (!kind.plan.uvs_out.empty()) kind.uv_set = add_text(OwnNames::uv_set, false);
    kind.memory = add_memory();
    kind.status = add_text(OwnNames::status, true);
    kind.missing = add_text(OwnNames::missing, true);
    kind.kept = add_text(OwnNames::kept, true);
}

void affect(const MObject& from, const MObject& to) {
    if (!from.isNull() && !to.isNull()) ensure(MPxNode::attributeAffects(from, to), "let an attribute affect another");
}

void connect_effects(const Kind& kind) {
    std::map<std::string, MObject> outputs;
    std::vector<MObject> all{kind.status, kind.missing, kind.kept, kind.body_output()};
    for (const Held& held : kind.held) {
        if (!held.plan->is_output()) continue;
        outputs.emplace(held.plan->name, held.object);
        all.push_back(held.object);
    }
    // Whatever the library says, frames, the body's motion, its joints and its topology change every output.
    const MObject geometry = kind.deforms() ? MPxGeometryFilter::input : kind.in_mesh;
    for (const MObject& from : {kind.time, kind.start, geometry, kind.skin.bind, kind.skin.bound,
                                kind.skin.weight_list, kind.skin.weight})
        for (const MObject& to : all)
            if (from != MPxGeometryFilter::input || to != MPxGeometryFilter::outputGeom) affect(from, to);
    // Deformers' own class does this, together with what the state means.
    if (!kind.deforms())
        for (const MObject& to : all) affect(MPxNode::state, to);
    affect(kind.uv_set, kind.body_output());
    affect(kind.uv_set, kind.status);
    for (const MObject& report : {kind.status, kind.missing, kind.kept}) affect(kind.memory, report);
    for (const Held& held : kind.held) {
        if (held.plan->is_output()) continue;
        for (const std::string& name : held.plan->affects)
            if (const auto found = outputs.find(name); found != outputs.end()) affect(held.object, found->second);
        if (held.plan->affects_geometry) affect(held.object, kind.body_output());
        for (const MObject& report : {kind.status, kind.missing, kind.kept}) affect(held.object, report);
    }
}

/// Finds what a skin cluster feeds by what inputs hold, whatever they are called.
void find_skin(Kind& kind) {
    SkinArrays& skin = kind.skin = {};
    for (const Held& held : kind.held) {
        const Attribute& plan = *held.plan;
        if (plan.of != Of::Input) continue;
        if (plan.items == "joint" && plan.quantity == "transform")
            (plan.still ? skin.rest_joints : skin.joints) = &held;
        if (plan.element == "influence") (plan.index_of == "joint" ? skin.indices : skin.weights) = &held;
    }
    for (const Held& held : kind.held)
        if (skin.indices && held.plan->of == Of::Input && held.plan->id == skin.indices->plan->counted_by)
            skin.counts = &held;
    if (!skin.exist()) skin = {};
}

/// Whether what the geometry feeds belongs to the body at rest.
void find_rest(Kind& kind) {
    for (const SinewNodeInfo& node : sinew::nodes()) {
        if (kind.plan.id != node.id) continue;
        for (const SinewPortInfo& port : sinew::ports(node)) {
            if (port.direction != SINEW_INPUT || !port.at_rest) continue;
            if (kind.plan.points_in == port.id) kind.body_is_rest = true;
            if (kind.plan.body_mesh == port.id) kind.mesh_is_rest = true;
        }
    }
}

} // namespace

MStatus make_attributes(Kind& kind) {
    return guarded(MStatus(MS::kFailure), "registering", [&] { return kind.plan.type_name; }, [&] {
        kind.held.clear();
        kind.outputs = kind.params = 0;
        for (const Attribute& attribute : kind.plan.attributes) {
            Held held;
            held.plan = &attribute;
            if (held.plan->is_output()) held.output = kind.outputs++;
            if (attribute.of == Of::Param) held.param = kind.params++;
            kind.held.push_back(held);
        }
        find_skin(kind);
        find_rest(kind);
        add_own(kind);
        add_maps(kind);
        for (Held& held : kind.held) {
            if (held.plan->holds == Holds::Map) continue;
            held.object = make(*held.plan);
            add(held.object, held.plan->name.c_str());
        }
        add_skin(kind);
        connect_effects(kind);
        return MStatus(MS::kSuccess);
    });
}

MObject outermost(const MPlug& plug) {
    MPlug at = plug;
    while (!at.isNull()) {
        if (at.isElement()) at = at.array();
        else if (at.isChild()) at = at.parent();
        else break;
    }
    return at.attribute();
}

const Held* Kind::output(const MPlug& plug) const {
    const MObject attribute = outermost(plug);
    for (const Held& one : held)
        if (one.plan->is_output() && one.object == attribute) return &one;
    return nullptr;
}

MObject Kind::body_output() const { return deforms() ? MPxGeometryFilter::outputGeom : out_mesh; }

const Held* Kind::param(const MObject& attribute) const {
    for (const Held& one : held)
        if (one.plan->of == Of::Param && one.object == attribute) return &one;
    return nullptr;
}

bool Kind::reports(const MPlug& plug) const {
    const MObject attribute = plug.attribute();
    return attribute == status || attribute == missing || attribute == kept;
}

std::vector<MObject> Kind::inputs() const {
    std::vector<MObject> found;
    for (const Held& one : held)
        if (!one.plan->is_output() && one.plan->holds != Holds::Map) found.push_back(one.object);
    for (const MObject& own : {start, in_mesh, uv_set, maps, skin.bind, skin.bound, skin.weight_list})
        if (!own.isNull()) found.push_back(own);
    if (deforms()) found.push_back(MPxGeometryFilter::input);
    return found;
}

bool Kind::feeds(const MObject& attribute) const {
    const std::vector<MObject> all = inputs();
    return std::find(all.begin(), all.end(), attribute) != all.end();
}

bool Kind::is_still(const MObject& attribute) const {
    for (const Held& one : held)
        if (one.object == attribute) return one.plan->still && one.plan->of == Of::Input;
    if (attribute == in_mesh || attribute == MPxGeometryFilter::input) return body_is_rest || mesh_is_rest;
    return !attribute.isNull() &&
           (attribute == uv_set || attribute == maps || attribute == skin.bind || attribute == skin.bound ||
            attribute == skin.weight_list);
}

} // namespace sinew::maya
