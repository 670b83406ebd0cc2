// time, transform, joint, mesh, nurbsCurve, locator, componentFalloff, animCurve and meshSequence.

#include "builtin.h"

#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MItGeometry.h>
#include <maya/MPointArray.h>
#include <maya/MPxDeformerNode.h>

#include <algorithm>
#include <cmath>

namespace standin {

namespace {

struct Plain : MPxNode {
    SchedulingType schedulingType() const override { return kParallel; }
};

/// The orders of turns by their numbers: xyz, yzx, zxy, xzy, yxz, zyx (the node "transform", rotateOrder).
constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};

MMatrix turn(double x, double y, double z, int order = 0) {
    const double c[3] = {std::cos(x), std::cos(y), std::cos(z)}, s[3] = {std::sin(x), std::sin(y), std::sin(z)};
    MMatrix rx, ry, rz;
    rx[1][1] = rx[2][2] = c[0], rx[1][2] = s[0], rx[2][1] = -s[0];
    ry[0][0] = ry[2][2] = c[1], ry[0][2] = -s[1], ry[2][0] = s[1];
    rz[0][0] = rz[1][1] = c[2], rz[0][1] = s[2], rz[1][0] = -s[2];
    const MMatrix* const each[3] = {&rx, &ry, &rz};
    const int* const by = orders[order];
    return *each[by[0]] * *each[by[1]] * *each[by[2]];
}

MMatrix turn(const Value& angles, int order = 0) {
    return turn(angles.get_number(0), angles.get_number(1), angles.get_number(2), order);
}

} // namespace

Value& pull(MDataBlock& data, const char* name) {
    Block& block = *data.standin_block();
    const Path path = path_of(*block.node->find(name));
    evaluate(block, path);
    return block.value(path);
}

/// Row vectors: scale, then rotation in the order x, y, z, then the joint's orientation, then translation, then the
/// parent's world matrix (the nodes "transform" and "joint" in Maya's node reference).
MStatus dag_compute(MPxNode& user, const MPlug& plug, MDataBlock& data) {
    Node& node = *user.standin_node;
    Block& block = *data.standin_block();
    const std::string name = plug.standin_path().front().attribute->name;
    Path at = plug.standin_path();
    if (at.size() == 1 && at.front().attribute->array && at.front().index < 0) at.front().index = 0;
    Value& output = block.value(at);
    if (name == "matrix") {
        MMatrix own;
        if (!node.kind->shape) {
            const Value &s = pull(data, "scale"), &r = pull(data, "rotate"), &t = pull(data, "translate");
            for (unsigned int i = 0; i < 3; ++i) own[i][i] = s.get_number(i);
            own = own * turn(r, static_cast<int>(pull(data, "rotateOrder").get_number()));
            if (node.find("jointOrient")) own = own * turn(pull(data, "jointOrient"));
            for (unsigned int i = 0; i < 3; ++i) own[3][i] = t.get_number(i);
        }
        *output.matrix = own;
    } else if (name == "parentMatrix") {
        MMatrix above;
        if (node.parent) {
            Block& parent = block_in(*node.parent, block.context);
            const Path world_matrix = element_of(path_of(*node.parent->find("worldMatrix")), 0);
            evaluate(parent, world_matrix);
            above = *parent.value(world_matrix).matrix;
        }
        *output.matrix = above;
    } else if (name == "worldMatrix" || name == "worldInverseMatrix") {
        const Path parent = element_of(path_of(*node.find("parentMatrix")), 0);
        evaluate(block, parent);
        const MMatrix all = *pull(data, "matrix").matrix * *block.value(parent).matrix;
        *output.matrix = name == "worldMatrix" ? all : all.inverse();
    } else {
        return MStatus::kUnknownParameter;
    }
    output.mark(true);
    if (at.front().attribute->array) block.value(element_of(at, -1)).clean = true;
    return MStatus();
}

namespace {

/// What comes in goes out; a world-space output has the world matrix with it.
struct Shape : Plain {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        const std::string name = plug.standin_path().front().attribute->name;
        const bool mesh = standin_node->find("inMesh") != nullptr;
        const bool world_space = name == "worldMesh" || name == "worldSpace";
        if (!world_space && name != "outMesh" && name != "local") return MStatus::kUnknownParameter;
        auto geometry = std::dynamic_pointer_cast<GeometryData>(pull(data, mesh ? "inMesh" : "create").data);
        Path at = plug.standin_path();
        if (at.back().attribute->array && at.back().index < 0) at.back().index = 0;
        Block& block = *data.standin_block();
        if (geometry && world_space) {
            const Path matrix = element_of(path_of(*standin_node->find("worldMatrix")), 0);
            evaluate(block, matrix);
            geometry = std::static_pointer_cast<GeometryData>(geometry->clone());
            geometry->matrix = *block.value(matrix).matrix;
        }
        Value& output = block.value(at);
        output.data = geometry;
        output.mark(true);
        return MStatus();
    }
};

/// Painted weights as a falloff for each layer; 1 where nothing is painted (componentFalloff in Maya's node reference).
struct ComponentFalloff : Plain {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug.standin_path().front().attribute->name != "outputWeightFunction") return MStatus::kUnknownParameter;
        const Value& layers = pull(data, "weightLayers");
        const auto layer = layers.elements.find(plug.logicalIndex());
        auto made = std::make_shared<DoubleArrayData>();
        if (layer != layers.elements.end())
            for (const auto& painted : layer->second->child(0).elements) {
                while (made->items.length() < painted.first) made->items.append(1);
                made->items.append(painted.second->get_number());
            }
        Value& output = data.standin_block()->value(plug.standin_path());
        output.data = made;
        output.mark(true);
        return MStatus();
    }
};

/// Straight lines between keys, and the first and the last value beyond them.
struct AnimCurve : Plain {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug.standin_path().front().attribute->name != "output") return MStatus::kUnknownParameter;
        const MInt64 now = pull(data, "input").own.l;
        std::map<MInt64, double> keys;
        for (const auto& each : pull(data, "keyTimeValue").elements)
            keys[each.second->child(0).own.l] = each.second->child(1).get_number();
        double value = keys.empty() ? 0 : keys.begin()->second;
        const auto after = keys.upper_bound(now);
        if (!keys.empty() && after == keys.end()) value = keys.rbegin()->second;
        else if (!keys.empty() && after != keys.begin()) {
            const auto before = std::prev(after);
            const double part =
                static_cast<double>(now - before->first) / static_cast<double>(after->first - before->first);
            value = before->second + part * (after->second - before->second);
        }
        MDataHandle handle = data.outputValue(plug);
        handle.setDouble(value);
        return MStatus();
    }
};

/// The mesh of the attribute "topology" with the points of the frame, straight lines between frames.
struct MeshSequence : Plain {
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug.standin_path().front().attribute->name != "outMesh") return MStatus::kUnknownParameter;
        auto topology = std::dynamic_pointer_cast<MeshData>(pull(data, "topology").data);
        const double now = MTime::standin_of_ticks(pull(data, "time").own.l, MTime::uiUnit()).as(MTime::uiUnit());
        const double at = now - pull(data, "firstFrame").get_number();
        const Value& frames = pull(data, "frames");
        auto mesh = topology ? std::make_shared<MeshData>(*topology) : nullptr;
        if (mesh && !frames.elements.empty()) {
            const double last = static_cast<double>(frames.elements.rbegin()->first);
            const double inside = std::min(std::max(at, 0.0), last);
            const unsigned int low = static_cast<unsigned int>(inside),
                               high = std::min(low + 1, static_cast<unsigned int>(last));
            const auto one = std::dynamic_pointer_cast<PointArrayData>(frames.elements.at(low)->data);
            const auto other = std::dynamic_pointer_cast<PointArrayData>(frames.elements.at(high)->data);
            const double part = inside - low;
            for (unsigned int i = 0; i < mesh->vertices(); ++i) {
                const MPoint point =
                    part == 0 ? one->items[i] : one->items[i] + (other->items[i] - one->items[i]) * part;
                for (unsigned int j = 0; j < 3; ++j) mesh->points[i * 3 + j] = static_cast<float>(point[j]);
            }
        }
        Value& output = data.standin_block()->value(plug.standin_path());
        output.data = mesh;
        output.mark(true);
        return MStatus();
    }
};

MObject time_attribute(const char* name, const char* brief) {
    MFnUnitAttribute fn;
    const MObject made = fn.create(name, brief, MFnUnitAttribute::kTime, 0.0);
    MPxNode::addAttribute(made);
    return made;
}

void affects(const MObject& one, const MObject& other) { MPxNode::attributeAffects(one, other); }

void make_falloff() {
    begin_type("componentFalloff", MFn::kDependencyNode, make<ComponentFalloff>);
    MFnNumericAttribute number;
    MFnCompoundAttribute compound;
    const MObject weights = number.create("weights", "wht", MFnNumericData::kDouble, 1);
    number.setArray(true);
    const MObject layers = compound.create("weightLayers", "whl");
    compound.addChild(weights);
    compound.setArray(true);
    MPxNode::addAttribute(layers);
    affects(layers, geometry("outputWeightFunction", "wft", MFnData::kDoubleArray, true, true));
}

void make_shapes() {
    auto type = begin_type("mesh", MFn::kMesh, make<Shape>);
    type->shape = true;
    type->fns.insert({MFn::kShape, MFn::kGeometric, MFn::kSurface});
    add_dag_attributes(*type);
    MObject in = geometry("inMesh", "i", MFnData::kMesh, false, false),
            out = geometry("outMesh", "o", MFnData::kMesh, false, true),
            all = geometry("worldMesh", "w", MFnData::kMesh, true, true);
    affects(in, out);
    affects(in, all);
    MPxNode::attributeAffects(object_of(*type->find("worldMatrix")), all);

    type = begin_type("nurbsCurve", MFn::kNurbsCurve, make<Shape>);
    type->shape = true;
    type->fns.insert({MFn::kShape, MFn::kGeometric, MFn::kCurve});
    add_dag_attributes(*type);
    in = geometry("create", "cr", MFnData::kNurbsCurve, false, false);
    out = geometry("local", "l", MFnData::kNurbsCurve, false, true);
    all = geometry("worldSpace", "ws", MFnData::kNurbsCurve, true, true);
    affects(in, out);
    affects(in, all);
    MPxNode::attributeAffects(object_of(*type->find("worldMatrix")), all);

    type = begin_type("locator", MFn::kLocator, make<Plain>);
    type->shape = true;
    type->fns.insert(MFn::kShape);
    add_dag_attributes(*type);
}

void make_curves(const char* name, MFn::Type fn) {
    begin_type(name, fn, make<AnimCurve>)->fns.insert(MFn::kAnimCurve);
    MFnUnitAttribute unit;
    MFnNumericAttribute value;
    MFnCompoundAttribute key;
    const MObject key_time = unit.create("keyTime", "kt", MFnUnitAttribute::kTime, 0.0);
    const MObject key_value = value.create("keyValue", "kv", MFnNumericData::kDouble);
    const MObject keys = key.create("keyTimeValue", "ktv");
    key.addChild(key_time);
    key.addChild(key_value);
    key.setArray(true);
    MPxNode::addAttribute(keys);
    const MObject now = time_attribute("input", "i"), output = number("output", "o", MFnNumericData::kDouble, 0, false);
    MFnAttribute(output).setStorable(false);
    affects(now, output);
    affects(keys, output);
}

} // namespace

void register_builtin_types() {
    begin_type("time", MFn::kTime, make<Plain>);
    time_attribute("outTime", "o");
    add_dag_attributes(*begin_type("transform", MFn::kTransform, make<Plain>));
    add_dag_attributes(*begin_type("joint", MFn::kJoint, make<Plain>));
    make_shapes();

    register_deformers();

    make_falloff();
    make_curves("animCurveTA", MFn::kAnimCurveTimeToAngular);
    make_curves("animCurveTL", MFn::kAnimCurveTimeToDistance);
    make_curves("animCurveTU", MFn::kAnimCurveTimeToUnitless);
    register_poly_nodes();

    begin_type("meshSequence", MFn::kDependencyNode, make<MeshSequence>);
    const MObject time = time_attribute("time", "tim"),
                  first = number("firstFrame", "ff", MFnNumericData::kDouble, 0, false),
                  topology = geometry("topology", "tp", MFnData::kMesh, false, false),
                  frames = geometry("frames", "fr", MFnData::kPointArray, true, false),
                  mesh = geometry("outMesh", "om", MFnData::kMesh, false, true);
    for (const MObject& each : {time, first, topology, frames}) affects(each, mesh);
    world().making = nullptr;
}

} // namespace standin
