// Maya's own deformers, as the node reference has them: skinCluster, tweak, blendShape and deltaMush; and groupParts, which
// scenes from before Maya 2022 have between them.

#include "builtin.h"

#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MItGeometry.h>
#include <maya/MPxGeometryFilter.h>

#include <array>
#include <cmath>

namespace standin {
namespace {

struct Deformer : MPxGeometryFilter {
    SchedulingType schedulingType() const override { return kParallel; }
};

double envelope_of(MDataBlock& data) {
    return static_cast<double>(data.inputValue(MPxGeometryFilter::envelope).asFloat());
}

/// A rotation and a translation: w, x, y, z of the rotation, then of the dual part.
typedef std::array<double, 8> Dual;

/// Of a rigid matrix for row vectors.
Dual dual_of(const MMatrix& m) {
    const double trace = m(0, 0) + m(1, 1) + m(2, 2);
    Dual q{};
    if (trace > 0) {
        const double s = 2 * std::sqrt(trace + 1);
        q = {s / 4, (m(1, 2) - m(2, 1)) / s, (m(2, 0) - m(0, 2)) / s, (m(0, 1) - m(1, 0)) / s};
    } else {
        const unsigned i = m(0, 0) > m(1, 1) ? (m(0, 0) > m(2, 2) ? 0 : 2) : (m(1, 1) > m(2, 2) ? 1 : 2);
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        const double s = 2 * std::sqrt(1 + m(i, i) - m(j, j) - m(k, k));
        q[0] = (m(j, k) - m(k, j)) / s;
        q[1 + i] = s / 4;
        q[1 + j] = (m(i, j) + m(j, i)) / s;
        q[1 + k] = (m(i, k) + m(k, i)) / s;
    }
    const double x = m(3, 0) / 2, y = m(3, 1) / 2, z = m(3, 2) / 2;
    q[4] = -x * q[1] - y * q[2] - z * q[3];
    q[5] = x * q[0] + y * q[3] - z * q[2];
    q[6] = y * q[0] + z * q[1] - x * q[3];
    q[7] = z * q[0] + x * q[2] - y * q[1];
    return q;
}

MPoint moved(const Dual& q, const MPoint& p) {
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const MVector r(q[1], q[2], q[3]), d(q[5], q[6], q[7]), at(p);
    const MVector turned = at + (r ^ ((r ^ at) + at * q[0])) * (2 / length);
    return MPoint(turned + (d * q[0] - r * q[4] + (r ^ d)) * (2 / length));
}

/// `skinningMethod`: 0 is the sum of weights times the point, brought from the bind pose to where the joint is; 1 the same
/// of dual quaternions ("Smooth skinning methods" in Maya's manual; Kavan et al. 2007), for joints that do not scale; 2
/// mixes both by `blendWeights`. `normalizeWeights`: weights are divided by their sum only where it is 2, Post; otherwise
/// they are added up as they are ("Set normalization mode and normalize weights"). A vertex without weights stays.
struct SkinCluster : Deformer {
    MStatus deform(MDataBlock& data, MItGeometry& points, const MMatrix&, unsigned int) override {
        const Value &lists = pull(data, "weightList"), &blends = pull(data, "blendWeights");
        const int method = static_cast<int>(pull(data, "skinningMethod").get_number());
        const bool divides = pull(data, "normalizeWeights").get_number() == 2;
        const MMatrix geometry = *pull(data, "geomMatrix").matrix, back = geometry.inverse();
        const std::map<unsigned int, MMatrix> moves = moves_of(data);
        std::map<unsigned int, Dual> duals;
        for (const auto& move : moves) duals.emplace(move.first, dual_of(move.second));
        const double amount = envelope_of(data);
        for (; !points.isDone(); points.next()) {
            const auto vertex = static_cast<unsigned int>(points.index());
            const auto list = lists.elements.find(vertex);
            if (list == lists.elements.end()) continue;
            const MPoint from = points.position(), world = from * geometry;
            const auto blended = blends.elements.find(vertex);
            double share = method == 0 ? 0 : 1;
            if (method == 2) share = blended == blends.elements.end() ? 0 : blended->second->get_number();
            const Weights weights = weights_of(list->second->child(0), divides);
            if (weights.empty()) continue;
            MVector to;
            if (share < 1) to += MVector(linear(weights, moves, world)) * (1 - share);
            if (share > 0) to += MVector(moved(dual(weights, duals), world)) * share;
            points.setPosition(from + (MPoint(to) * back - from) * amount);
        }
        return MStatus();
    }

private:
    typedef std::map<unsigned int, double> Weights;

    static std::map<unsigned int, MMatrix> moves_of(MDataBlock& data) {
        const Value &matrices = pull(data, "matrix"), &bind = pull(data, "bindPreMatrix");
        std::map<unsigned int, MMatrix> moves;
        for (const auto& each : matrices.elements) {
            const auto pre = bind.elements.find(each.first);
            moves[each.first] = (pre == bind.elements.end() ? MMatrix() : *pre->second->matrix) * *each.second->matrix;
        }
        return moves;
    }

    static Weights weights_of(const Value& list, bool divides) {
        Weights weights;
        double sum = 0;
        for (const auto& each : list.elements) sum += each.second->get_number();
        if (sum == 0) return weights;
        for (const auto& each : list.elements) weights[each.first] = each.second->get_number() / (divides ? sum : 1);
        return weights;
    }

    static MPoint linear(const Weights& weights, const std::map<unsigned int, MMatrix>& moves, const MPoint& from) {
        MVector to;
        for (const auto& weight : weights)
            if (const auto move = moves.find(weight.first); move != moves.end())
                to += MVector(from * move->second) * weight.second;
        return MPoint(to);
    }

    /// A rotation and its negative are the same motion: all are taken on the side of the strongest joint's.
    static Dual dual(const Weights& weights, const std::map<unsigned int, Dual>& duals) {
        Dual sum{}, pivot{};
        double most = 0;
        for (const auto& weight : weights)
            if (const auto found = duals.find(weight.first); found != duals.end() && weight.second > most)
                most = weight.second, pivot = found->second;
        for (const auto& weight : weights) {
            const auto found = duals.find(weight.first);
            if (found == duals.end()) continue;
            const Dual& q = found->second;
            const double along = q[0] * pivot[0] + q[1] * pivot[1] + q[2] * pivot[2] + q[3] * pivot[3];
            for (std::size_t i = 0; i < q.size(); ++i) sum[i] += (along < 0 ? -q[i] : q[i]) * weight.second;
        }
        return sum;
    }
};

/// Keeps edits of vertices, of which it has none here.
struct Tweak : Deformer {};

/// Adds, by its weight, how far each target is from the original geometry. Targets have one item each.
struct BlendShape : Deformer {
    MStatus deform(MDataBlock& data, MItGeometry& points, const MMatrix&, unsigned int index) override {
        const Value &weights = pull(data, "weight"), &targets = pull(data, "inputTarget"),
                    &originals = pull(data, "originalGeometry");
        const auto found = originals.elements.find(index);
        const auto original = found == originals.elements.end() ? nullptr
                                                                : std::dynamic_pointer_cast<MeshData>(found->second->data);
        const auto of_geometry = targets.elements.find(index);
        if (!original || of_geometry == targets.elements.end()) return MStatus();
        const double amount = envelope_of(data);
        for (; !points.isDone(); points.next()) {
            MPoint at = points.position();
            for (const auto& group : of_geometry->second->child(0).elements)
                for (const auto& item : group.second->child(0).elements) {
                    const auto target = std::dynamic_pointer_cast<MeshData>(item.second->child(0).data);
                    const auto weight = weights.elements.find(group.first);
                    if (!target || weight == weights.elements.end()) continue;
                    for (unsigned int k = 0; k < 3; ++k) {
                        const std::size_t i = static_cast<std::size_t>(points.index()) * 3 + k;
                        at[k] += amount * weight->second->get_number() *
                                 static_cast<double>(target->points[i] - original->points[i]);
                    }
                }
            points.setPosition(at);
        }
        return MStatus();
    }
};

/// Smooths, without giving details back: each vertex goes half of the way to the middle of those beside it.
struct DeltaMush : Deformer {
    MStatus deform(MDataBlock& data, MItGeometry& points, const MMatrix&, unsigned int index) override {
        const Path output = element_of(path_of(*standin_node->find("outputGeometry")), static_cast<int>(index));
        const auto mesh = std::dynamic_pointer_cast<MeshData>(data.standin_block()->value(output).data);
        std::map<int, std::set<int>> beside;
        std::size_t first = 0;
        for (const int count : mesh->counts) {
            const auto size = static_cast<std::size_t>(count);
            for (std::size_t k = 0; k < size; ++k) {
                const int one = mesh->connects[first + k], other = mesh->connects[first + (k + 1) % size];
                beside[one].insert(other);
                beside[other].insert(one);
            }
            first += size;
        }
        const std::vector<float> before = mesh->points;
        const double amount = envelope_of(data) / 2;
        for (; !points.isDone(); points.next()) {
            MPoint at = points.position();
            const std::set<int>& others = beside[points.index()];
            for (unsigned int k = 0; k < 3 && !others.empty(); ++k) {
                double sum = 0;
                for (const int other : others) sum += static_cast<double>(before[static_cast<std::size_t>(other) * 3 + k]);
                at[k] += amount * (sum / static_cast<double>(others.size()) - at[k]);
            }
            points.setPosition(at);
        }
        return MStatus();
    }
};

/// The geometry with a group of components more, which is none here.
struct GroupParts : MPxNode {
    SchedulingType schedulingType() const override { return kParallel; }
    MStatus compute(const MPlug& plug, MDataBlock& data) override {
        if (plug.standin_path().front().attribute->name != "outputGeometry") return MStatus::kUnknownParameter;
        Value& output = data.standin_block()->value(plug.standin_path());
        output.data = pull(data, "inputGeometry").data;
        output.mark(true);
        return MStatus();
    }
};

void deforms_by(std::initializer_list<MObject> inputs) {
    for (const MObject& each : inputs) MPxNode::attributeAffects(each, MPxGeometryFilter::outputGeom);
}

/// inputTarget[geometry].inputTargetGroup[target].inputTargetItem[6000 for the whole target].inputGeomTarget
MObject add_targets() {
    MFnTypedAttribute typed;
    MFnCompoundAttribute compound;
    MObject inner = typed.create("inputGeomTarget", "igt", MFnData::kMesh);
    typed.setStorable(false);
    for (const auto& [name, brief] : {std::pair{"inputTargetItem", "iti"}, std::pair{"inputTargetGroup", "itg"},
                                      std::pair{"inputTarget", "it"}}) {
        const MObject outer = compound.create(name, brief);
        compound.addChild(inner);
        compound.setArray(true);
        inner = outer;
    }
    MPxNode::addAttribute(inner);
    return inner;
}

MObject numbers(const char* name, const char* brief) {
    MFnNumericAttribute number;
    const MObject made = number.create(name, brief, MFnNumericData::kDouble);
    number.setArray(true);
    MPxNode::addAttribute(made);
    return made;
}

} // namespace

void register_deformers() {
    auto type = begin_type("skinCluster", MFn::kSkinClusterFilter, make<SkinCluster>);
    add_filter_attributes(*type);
    const MObject bind = matrix("bindPreMatrix", "pm", true, false), where = matrix("matrix", "ma", true, false),
                  geometry_matrix = matrix("geomMatrix", "gm", false, false),
                  method = number("skinningMethod", "skm", MFnNumericData::kShort, 0, false),
                  normalize = number("normalizeWeights", "nw", MFnNumericData::kShort, 2, false),
                  blend = numbers("blendWeights", "bw");
    number("useComponents", "uc", MFnNumericData::kBoolean, 0, false);
    deforms_by({bind, where, geometry_matrix, method, normalize, blend});

    for (const char* name : {"tweak", "deltaMush"}) {
        const bool tweaks = name == std::string("tweak");
        add_filter_attributes(*begin_type(name, MFn::kWeightGeometryFilt, tweaks ? make<Tweak> : make<DeltaMush>));
    }
    add_filter_attributes(*begin_type("blendShape", MFn::kGeometryFilt, make<BlendShape>));
    deforms_by({numbers("weight", "bsw"), add_targets()});

    begin_type("groupParts", MFn::kDependencyNode, make<GroupParts>);
    MPxNode::attributeAffects(geometry("inputGeometry", "ig", MFnData::kAny, false, false),
                              geometry("outputGeometry", "og", MFnData::kAny, false, true));
}

} // namespace standin
