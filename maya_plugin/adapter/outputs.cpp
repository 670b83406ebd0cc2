#include "adapter/outputs.h"

#include "adapter/curves.h"
#include "adapter/guard.h"
#include "adapter/meshes.h"

#include <maya/MArrayDataBuilder.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnIntArrayData.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MIntArray.h>
#include <maya/MMatrix.h>
#include <maya/MVector.h>
#include <maya/MVectorArray.h>

namespace sinew::maya {
namespace {

using host::Holds;

/// The results of a port; none where it has none.
template <class T>
const std::vector<T>& found(const std::map<std::string, std::vector<T>>& results, const std::string& port) {
    static const std::vector<T> none;
    const auto at = results.find(port);
    return at == results.end() ? none : at->second;
}

const SinewMeshInfo& made_mesh(const Kind& kind, const std::string& id) {
    for (const SinewMeshInfo& mesh : kind.plan.made_meshes)
        if (id == mesh.id) return mesh;
    throw Problem("the node makes no mesh " + id);
}

MObject mesh_data(const Kind& kind, const Held& held, const host::Outputs& results) {
    const SinewMeshInfo& mesh = made_mesh(kind, held.plan->id);
    return make_mesh(found(results.numbers, mesh.points), found(results.integers, mesh.face_sizes),
                     found(results.integers, mesh.face_vertices));
}

MObject vector_data(const std::vector<double>& numbers) {
    MVectorArray made(static_cast<unsigned>(numbers.size() / 3));
    for (unsigned i = 0; i < made.length(); ++i) made[i] = MVector(&numbers[3 * std::size_t{i}]);
    return MFnVectorArrayData().create(made);
}

MObject double_data(const std::vector<double>& numbers) {
    return MFnDoubleArrayData().create(MDoubleArray(numbers.data(), static_cast<unsigned>(numbers.size())));
}

MObject int_data(const std::vector<std::uint32_t>& numbers) {
    MIntArray made(static_cast<unsigned>(numbers.size()));
    for (unsigned i = 0; i < made.length(); ++i) made[i] = static_cast<int>(numbers[i]);
    return MFnIntArrayData().create(made);
}

MObject data_of(const Kind& kind, const Held& held, const host::Outputs& results) {
    switch (held.plan->holds) {
    case Holds::Mesh: return mesh_data(kind, held, results);
    case Holds::Integers: return int_data(found(results.integers, held.plan->id));
    default: break;
    }
    const std::vector<double>& numbers = found(results.numbers, held.plan->id);
    return held.plan->components == 3 ? vector_data(numbers) : double_data(numbers);
}

MMatrix matrix_from(const double* from) {
    MMatrix matrix;
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) matrix(row, column) = *from++;
    return matrix;
}

/// Elements with an index of their own. Those of former frames that are too many go.
template <class Set> void write_elements(MDataBlock& data, const Held& held, std::size_t count, Set set) {
    MStatus status;
    MArrayDataHandle array = data.outputArrayValue(held.object, &status);
    ensure(status, "write " + held.plan->name);
    MArrayDataBuilder builder(&data, held.object, static_cast<unsigned>(count), &status);
    ensure(status, "write " + held.plan->name);
    for (unsigned i = 0; i < count; ++i) {
        MDataHandle element = builder.addElement(i, &status);
        ensure(status, "write an element of " + held.plan->name);
        set(element, i);
    }
    ensure(array.set(builder), "write " + held.plan->name);
    array.setAllClean();
}

void write_curves(MDataBlock& data, const Held& held, const host::Outputs& from) {
    const std::vector<double>& nodes = found(from.numbers, held.plan->id);
    const std::vector<std::uint32_t>& counts = found(from.integers, held.plan->counted_by);
    const double* at = nodes.data();
    write_elements(data, held, counts.size(), [&](MDataHandle& element, unsigned i) {
        if (3 * std::size_t{counts[i]} > static_cast<std::size_t>(nodes.data() + nodes.size() - at))
            throw Problem("The library gives " + std::to_string(nodes.size() / 3) + " nodes for more in " +
                          held.plan->name + ".");
        ensure(element.setMObject(make_curve(at, counts[i])), "write a curve of " + held.plan->name);
        at += 3 * std::size_t{counts[i]};
    });
}

} // namespace

void write_output(const Kind& kind, MDataBlock& data, const Held& held, const host::Outputs* results) {
    static const host::Outputs nothing;
    const host::Outputs& from = results ? *results : nothing;
    const std::vector<double>& numbers = found(from.numbers, held.plan->id);
    switch (held.plan->holds) {
    case Holds::Curves: return write_curves(data, held, from);
    case Holds::Each:
        return write_elements(data, held, numbers.size(),
                              [&](MDataHandle& element, unsigned i) { element.setDouble(numbers[i]); });
    case Holds::Matrices:
        return write_elements(data, held, numbers.size() / 16, [&](MDataHandle& element, unsigned i) {
            element.setMMatrix(matrix_from(&numbers[16 * std::size_t{i}]));
        });
    default: break;
    }
    MDataHandle handle = output(data, held.object, held.plan->name.c_str());
    ensure(handle.setMObject(data_of(kind, held, from)), "write " + held.plan->name);
    handle.setClean();
}

void add_ports(const Kind& kind, const Held& held, std::vector<std::string>& ports) {
    if (held.plan->of == host::Of::MadeCurves) ports.push_back(held.plan->counted_by);
    if (held.plan->of != host::Of::MadeMesh) {
        ports.push_back(held.plan->id);
        return;
    }
    const SinewMeshInfo& mesh = made_mesh(kind, held.plan->id);
    for (const char* port : {mesh.points, mesh.face_sizes, mesh.face_vertices}) ports.emplace_back(port);
}

} // namespace sinew::maya
