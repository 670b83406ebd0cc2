// Nodes of Maya's that change meshes: polyTweakUV, polyTransfer, polyUnite and transformGeometry, as the node reference has them.

#include "builtin.h"

#include <maya/MFnNumericAttribute.h>
#include <maya/MFnTypedAttribute.h>

namespace standin {
namespace {

std::shared_ptr<MeshData> copy_of(const Value& value) {
    const auto from = std::dynamic_pointer_cast<MeshData>(value.data);
    return from ? std::make_shared<MeshData>(*from) : nullptr;
}

struct Modifier : MPxNode {
    SchedulingType schedulingType() const override { return kParallel; }
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug.standin_path().front().attribute->name != out()) return MStatus::kUnknownParameter;
        Value& output = data.standin_block()->value(plug.standin_path());
        output.data = result(data);
        output.mark(true);
        return MStatus();
    }
    virtual const char* out() const { return "output"; }
    virtual std::shared_ptr<MeshData> result(MDataBlock& data) = 0;
};

/// uvTweak: displacements of the UVs of the set uvSetName, one for each that the mesh has (node polyTweakUV).
struct TweakUv : Modifier {
    std::shared_ptr<MeshData> result(MDataBlock& data) override {
        const auto mesh = copy_of(pull(data, "inputPolymesh"));
        UvSet* set = mesh ? mesh->uv_set(pull(data, "uvSetName").text.asUTF8()) : nullptr;
        const Value& tweaks = pull(data, "uvTweak");
        for (const auto& each : tweaks.elements) {
            if (!set || each.first >= set->u.size()) continue;
            set->u[each.first] += static_cast<float>(each.second->get_number(0));
            set->v[each.first] += static_cast<float>(each.second->get_number(1));
        }
        return mesh;
    }
};

/// Takes UV sets or vertices from another mesh of the same topology (node polyTransfer).
struct Transfer : Modifier {
    std::shared_ptr<MeshData> result(MDataBlock& data) override {
        const auto mesh = copy_of(pull(data, "inputPolymesh"));
        const auto other = std::dynamic_pointer_cast<MeshData>(pull(data, "otherPoly").data);
        if (!mesh || !other || mesh->counts != other->counts || mesh->connects != other->connects) return mesh;
        if (pull(data, "uvSets").get_number() != 0) mesh->uv_sets = other->uv_sets;
        if (pull(data, "vertices").get_number() != 0) mesh->points = other->points;
        return mesh;
    }
};

/// The geometry moved by a matrix (node transformGeometry).
struct TransformGeometry : Modifier {
    const char* out() const override { return "outputGeometry"; }
    std::shared_ptr<MeshData> result(MDataBlock& data) override {
        const auto mesh = copy_of(pull(data, "inputGeometry"));
        const MMatrix given = *pull(data, "transform").matrix;
        const MMatrix by = pull(data, "invertTransform").get_number() != 0 ? given.inverse() : given;
        for (std::size_t i = 0; mesh && i + 2 < mesh->points.size(); i += 3) {
            const MPoint moved = MPoint(MFloatPoint(mesh->points[i], mesh->points[i + 1], mesh->points[i + 2])) * by;
            for (unsigned int k = 0; k < 3; ++k) mesh->points[i + k] = static_cast<float>(moved[k]);
        }
        return mesh;
    }
};

/// The meshes of inputPoly as one, without UVs (node polyUnite).
struct Unite : Modifier {
    std::shared_ptr<MeshData> result(MDataBlock& data) override {
        auto all = std::make_shared<MeshData>();
        for (const auto& each : pull(data, "inputPoly").elements) {
            const auto mesh = copy_of(*each.second);
            if (!mesh) continue;
            const int first = static_cast<int>(all->vertices());
            all->points.insert(all->points.end(), mesh->points.begin(), mesh->points.end());
            all->counts.insert(all->counts.end(), mesh->counts.begin(), mesh->counts.end());
            for (const int vertex : mesh->connects) all->connects.push_back(first + vertex);
        }
        return all;
    }
};

void affect(const MObject& output, std::initializer_list<MObject> inputs) {
    for (const MObject& each : inputs) MPxNode::attributeAffects(each, output);
}

} // namespace

void register_poly_nodes() {
    begin_type("polyTweakUV", MFn::kPolyTweakUV, make<TweakUv>);
    MFnNumericAttribute numbers;
    MFnTypedAttribute typed;
    const MObject tweak_u = numbers.create("uvTweakU", "tu", MFnNumericData::kFloat),
                  tweak_v = numbers.create("uvTweakV", "tv", MFnNumericData::kFloat),
                  tweaks = numbers.create("uvTweak", "uvtk", tweak_u, tweak_v);
    numbers.setArray(true);
    MPxNode::addAttribute(tweaks);
    const MObject set = typed.create("uvSetName", "uvs", MFnData::kString);
    MPxNode::addAttribute(set);
    affect(geometry("output", "out", MFnData::kMesh, false, true),
           {geometry("inputPolymesh", "ip", MFnData::kMesh, false, false), tweaks, set});

    begin_type("polyTransfer", MFn::kPolyTransfer, make<Transfer>);
    affect(geometry("output", "out", MFnData::kMesh, false, true),
           {geometry("inputPolymesh", "ip", MFnData::kMesh, false, false),
            geometry("otherPoly", "op", MFnData::kMesh, false, false),
            number("uvSets", "uv", MFnNumericData::kBoolean, 1, true),
            number("vertices", "v", MFnNumericData::kBoolean, 0, true)});

    begin_type("polyUnite", MFn::kDependencyNode, make<Unite>);
    affect(geometry("output", "out", MFnData::kMesh, false, true),
           {geometry("inputPoly", "ip", MFnData::kMesh, true, false)});

    begin_type("transformGeometry", MFn::kTransformGeometry, make<TransformGeometry>);
    affect(geometry("outputGeometry", "og", MFnData::kAny, false, true),
           {geometry("inputGeometry", "ig", MFnData::kAny, false, false), matrix("transform", "txf", false, false),
            number("invertTransform", "itf", MFnNumericData::kBoolean, 0, false)});
}

} // namespace standin
