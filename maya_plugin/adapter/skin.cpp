// A skin cluster's arrays (skinCluster in Maya's node reference): `matrix[j]` is the joint's world matrix now,
// `bindPreMatrix[j]` the inverse of that at the bind pose, `weightList[v].weights[j]` the weight of joint j on vertex
// v, `geomMatrix` the world matrix of the mesh at the bind pose. Only weights that are not zero need be there, and
// indices of joints stay the same when others are removed.
#include "adapter/skin.h"

#include "adapter/guard.h"

#include <maya/MArrayDataHandle.h>

#include <cmath>
#include <map>

namespace sinew::maya {
namespace {

MArrayDataHandle array_of(MDataBlock& data, const MObject& attribute, const char* name) {
    MStatus status;
    MArrayDataHandle array = data.inputArrayValue(attribute, &status);
    ensure(status, std::string("read ") + name);
    return array;
}

using Matrices = std::map<unsigned, MMatrix>;

Matrices matrices_of(MDataBlock& data, const MObject& attribute, const char* name) {
    Matrices found;
    MArrayDataHandle array = array_of(data, attribute, name);
    const unsigned count = array.elementCount();
    for (unsigned i = 0; i < count; ++i, array.next()) {
        MStatus status;
        const MDataHandle element = array.inputValue(&status);
        ensure(status, std::string("read an element of ") + name);
        found.emplace(array.elementIndex(), element.asMatrix());
    }
    return found;
}

/// The joints' places in the library's order by their indices in Maya.
std::map<unsigned, std::uint32_t> order_of(const Matrices& joints) {
    std::map<unsigned, std::uint32_t> order;
    for (const auto& joint : joints) order.emplace(joint.first, static_cast<std::uint32_t>(order.size()));
    return order;
}

void give(Values& values, const Held* held, const std::vector<double>& numbers, std::uint32_t components) {
    values.ports.push_back({held->plan->id, array<double>({numbers.data(), numbers.size()}, components)});
}

void give(Values& values, const Held* held, const std::vector<std::uint32_t>& numbers) {
    values.ports.push_back({held->plan->id, array<std::uint32_t>({numbers.data(), numbers.size()}, 1)});
}

void read_rest(Values& values, const Kind& kind, MDataBlock& data, const Matrices& joints) {
    const Matrices bind = matrices_of(data, kind.skin.bind, skin_names::bind);
    std::vector<double>& rest = values.doubles.emplace_back();
    for (const auto& joint : joints) {
        const auto found = bind.find(joint.first);
        if (found == bind.end())
            throw Problem("Joint " + std::to_string(joint.first) + " has no matrix in bind_pre_matrices: connect the " +
                          "skin cluster's bindPreMatrix to it.");
        append_matrix(rest, found->second.inverse());
    }
    give(values, kind.skin.rest_joints, rest, 16);
}

/// The weights of one vertex; returns how many are not zero.
std::uint32_t read_vertex(MArrayDataHandle& list, const Kind& kind, const std::map<unsigned, std::uint32_t>& order,
                          std::vector<std::uint32_t>& indices, std::vector<double>& weights) {
    MStatus status;
    MDataHandle element = list.inputValue(&status);
    ensure(status, "read a vertex of skin_weight_list");
    MArrayDataHandle of_vertex(element.child(kind.skin.weight), &status);
    ensure(status, "read the weights of a vertex");
    std::uint32_t found = 0;
    const unsigned count = of_vertex.elementCount();
    for (unsigned i = 0; i < count; ++i, of_vertex.next()) {
        const double weight = of_vertex.inputValue().asDouble();
        if (weight == 0) continue;
        const auto joint = order.find(of_vertex.elementIndex());
        if (joint == order.end())
            throw Problem("Vertex " + std::to_string(list.elementIndex()) + " hangs on joint " +
                          std::to_string(of_vertex.elementIndex()) +
                          ", which has no matrix: connect the skin cluster's " + "whole matrix array.");
        indices.push_back(joint->second);
        weights.push_back(weight);
        ++found;
    }
    return found;
}

} // namespace

void put_matrix(double* to, const MMatrix& matrix) {
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) *to++ = matrix(row, column);
}

void append_matrix(std::vector<double>& to, const MMatrix& matrix) {
    to.resize(to.size() + 16);
    put_matrix(&to[to.size() - 16], matrix);
}

bool invertible(const MMatrix& matrix) {
    const double volume = matrix.det3x3();
    return std::isfinite(volume) && volume != 0;
}

MMatrix read_bound(const Kind& kind, MDataBlock& data) {
    return input(data, kind.skin.bound, skin_names::bound).asMatrix();
}

bool is_of_skin(const Kind& kind, const Held& held) {
    const SkinArrays& skin = kind.skin;
    return &held == skin.rest_joints || &held == skin.counts || &held == skin.indices || &held == skin.weights;
}

bool is_fed_by_skin(const Kind& kind, MDataBlock& data) {
    return kind.skin.exist() && array_of(data, kind.skin.weight_list, skin_names::weight_list).elementCount() > 0;
}

void read_joints(Values& values, const Kind& kind, MDataBlock& data) {
    std::vector<double>& now = values.doubles.emplace_back();
    const Held* joints = kind.skin.joints;
    for (const auto& joint : matrices_of(data, joints->object, joints->plan->name.c_str()))
        append_matrix(now, joint.second);
    if (!now.empty()) give(values, joints, now, 16);
}

bool read_skin(Values& values, const Kind& kind, MDataBlock& data, const Body& body) {
    if (!is_fed_by_skin(kind, data)) return false;
    const Matrices joints = matrices_of(data, kind.skin.joints->object, kind.skin.joints->plan->name.c_str());
    read_rest(values, kind, data, joints);
    const std::map<unsigned, std::uint32_t> order = order_of(joints);
    std::vector<std::uint32_t>& counts = values.wholes.emplace_back(body.vertices(), 0U);
    std::vector<std::uint32_t>& indices = values.wholes.emplace_back();
    std::vector<double>& weights = values.doubles.emplace_back();
    MArrayDataHandle list = array_of(data, kind.skin.weight_list, skin_names::weight_list);
    const unsigned count = list.elementCount();
    // Elements come in the order of their indices, as the library needs them.
    for (unsigned i = 0; i < count; ++i, list.next()) {
        // Weights of vertices that no longer exist stay behind.
        const unsigned vertex = list.elementIndex();
        if (vertex < counts.size()) counts[vertex] = read_vertex(list, kind, order, indices, weights);
    }
    give(values, kind.skin.counts, counts);
    give(values, kind.skin.indices, indices);
    give(values, kind.skin.weights, weights, 1);
    return true;
}

} // namespace sinew::maya
