#include "cpp/osd/bridge.h"
#include "sinew-geometry/subdivision.rs.h"

#include <opensubdiv/far/primvarRefiner.h>
#include <opensubdiv/far/topologyDescriptor.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sinew::osd {
namespace {

namespace Far = OpenSubdiv::Far;
namespace Sdc = OpenSubdiv::Sdc;

/// A weighted sum of cage points that keeps its terms. Refining such sums instead of points gives, once per topology, the
/// weights that reduce every later frame to one sparse product.
struct Row {
    std::vector<std::pair<std::uint32_t, double>> terms; // sorted by cage index

    void Clear() { terms.clear(); }

    void AddWithWeight(const Row& other, double weight) {
        if (weight == 0.0) return;
        std::vector<std::pair<std::uint32_t, double>> sum;
        sum.reserve(terms.size() + other.terms.size());
        auto a = terms.begin();
        auto b = other.terms.begin();
        while (a != terms.end() || b != other.terms.end()) {
            if (b == other.terms.end() || (a != terms.end() && a->first < b->first)) {
                sum.push_back(*a++);
            } else if (a == terms.end() || b->first < a->first) {
                sum.emplace_back(b->first, weight * b->second);
                ++b;
            } else {
                sum.emplace_back(a->first, a->second + weight * b->second);
                ++a, ++b;
            }
        }
        terms.swap(sum);
    }
};

std::vector<Row> cage_rows(std::uint32_t count) {
    std::vector<Row> rows(count);
    for (std::uint32_t i = 0; i < count; ++i) rows[i].terms.emplace_back(i, 1.0);
    return rows;
}

void store(const std::vector<Row>& rows, Weights& out) {
    out.offsets.push_back(0);
    for (const Row& row : rows) {
        for (const auto& [column, weight] : row.terms) {
            out.columns.push_back(column);
            out.weights.push_back(weight);
        }
        out.offsets.push_back(static_cast<std::uint32_t>(out.columns.size()));
    }
}

std::unique_ptr<Far::TopologyRefiner> make_refiner(std::uint32_t vertex_count,
                                                   rust::Slice<const std::uint32_t> face_sizes,
                                                   rust::Slice<const std::uint32_t> corner_vertices,
                                                   std::uint32_t uv_count,
                                                   rust::Slice<const std::uint32_t> corner_uvs, std::uint8_t boundary,
                                                   std::uint8_t face_varying) {
    const std::vector<int> sizes(face_sizes.begin(), face_sizes.end());
    const std::vector<int> corners(corner_vertices.begin(), corner_vertices.end());
    const std::vector<int> uvs(corner_uvs.begin(), corner_uvs.end());

    Sdc::Options options;
    options.SetVtxBoundaryInterpolation(static_cast<Sdc::Options::VtxBoundaryInterpolation>(boundary));
    options.SetFVarLinearInterpolation(static_cast<Sdc::Options::FVarLinearInterpolation>(face_varying));

    Far::TopologyDescriptor descriptor;
    descriptor.numVertices = static_cast<int>(vertex_count);
    descriptor.numFaces = static_cast<int>(sizes.size());
    descriptor.numVertsPerFace = sizes.data();
    descriptor.vertIndicesPerFace = corners.data();
    Far::TopologyDescriptor::FVarChannel channel;
    if (!uvs.empty()) {
        channel.numValues = static_cast<int>(uv_count);
        channel.valueIndices = uvs.data();
        descriptor.numFVarChannels = 1;
        descriptor.fvarChannels = &channel;
    }

    using Factory = Far::TopologyRefinerFactory<Far::TopologyDescriptor>;
    Factory::Options how(Sdc::SCHEME_CATMARK, options);
    how.validateFullTopology = true;
    std::unique_ptr<Far::TopologyRefiner> refiner(Factory::Create(descriptor, how));
    if (!refiner) throw std::runtime_error("OpenSubdiv cannot use the mesh's connectivity");
    return refiner;
}

std::uint32_t base_face(const Far::TopologyRefiner& refiner, int level, int face) {
    for (; level > 0; --level) face = refiner.GetLevel(level).GetFaceParentFace(face);
    return static_cast<std::uint32_t>(face);
}

} // namespace

Limit refine_to_limit(std::uint32_t vertex_count, rust::Slice<const std::uint32_t> face_sizes,
                      rust::Slice<const std::uint32_t> corner_vertices, std::uint32_t uv_count,
                      rust::Slice<const std::uint32_t> corner_uvs, std::uint32_t level, std::uint8_t boundary,
                      std::uint8_t face_varying) {
    auto refiner =
        make_refiner(vertex_count, face_sizes, corner_vertices, uv_count, corner_uvs, boundary, face_varying);
    Far::TopologyRefiner::UniformOptions refine(static_cast<int>(level));
    refine.fullTopologyInLastLevel = true; // the limit masks need the neighbours in the last level
    refiner->RefineUniform(refine);

    const Far::PrimvarRefinerReal<double> primvars(*refiner);
    const bool has_uvs = !corner_uvs.empty();
    std::vector<Row> points = cage_rows(vertex_count);
    std::vector<Row> uvs = cage_rows(has_uvs ? uv_count : 0);
    const int last = static_cast<int>(level);
    for (int l = 1; l <= last; ++l) {
        std::vector<Row> finer(static_cast<std::size_t>(refiner->GetLevel(l).GetNumVertices()));
        primvars.Interpolate(l, points, finer);
        points.swap(finer);
        if (has_uvs) {
            std::vector<Row> finer_uvs(static_cast<std::size_t>(refiner->GetLevel(l).GetNumFVarValues(0)));
            primvars.InterpolateFaceVarying(l, uvs, finer_uvs);
            uvs.swap(finer_uvs);
        }
    }

    Limit limit{};
    std::vector<Row> limit_points(points.size());
    primvars.Limit(points, limit_points);
    store(limit_points, limit.points);
    if (has_uvs) {
        std::vector<Row> limit_uvs(uvs.size());
        primvars.LimitFaceVarying(uvs, limit_uvs);
        store(limit_uvs, limit.uvs);
    }
    const auto& finest = refiner->GetLevel(last);
    for (int face = 0; face < finest.GetNumFaces(); ++face) {
        const auto vertices = finest.GetFaceVertices(face);
        limit.face_sizes.push_back(static_cast<std::uint32_t>(vertices.size()));
        for (const int vertex : vertices) limit.corner_vertices.push_back(static_cast<std::uint32_t>(vertex));
        if (has_uvs) {
            for (const int uv : finest.GetFaceFVarValues(face, 0)) limit.corner_uvs.push_back(static_cast<std::uint32_t>(uv));
        }
        limit.base_faces.push_back(base_face(*refiner, last, face));
    }
    return limit;
}

} // namespace sinew::osd
