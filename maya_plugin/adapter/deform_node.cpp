#include "adapter/deform_node.h"

#include "adapter/commands/removal.h"
#include "adapter/meshes.h"
#include "adapter/skin.h"
#include "host/gather.h"

#include <maya/MArrayDataHandle.h>
#include <maya/MNodeMessage.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>

namespace sinew::maya {

void DeformNode::postConstructor() {
    safely("preparing", [this] {
        MObject self = thisMObject();
        MStatus status;
        about_to_delete_ = MNodeMessage::addNodeAboutToDeleteCallback(self, &give_place_back, nullptr, &status);
        ensure(status, "hear that the node is deleted");
        return status;
    });
}

DeformNode::~DeformNode() {
    if (about_to_delete_ != 0) MMessage::removeCallback(about_to_delete_);
}

/// The geometry that comes in. The library's node has one body, so that it is the first one that the deformer has.
/// While Maya deforms, the input is in the data block already, and pulling the array would evaluate every geometry
/// again (MPxGeometryFilter in the Maya C++ API reference): then it is read as an output.
void DeformNode::read_body(MDataBlock& data, bool pull, Body& body) const {
    MStatus status;
    MArrayDataHandle all = pull ? data.inputArrayValue(MPxGeometryFilter::input, &status)
                                : data.outputArrayValue(MPxGeometryFilter::input, &status);
    ensure(status, "read the geometry");
    if (all.elementCount() == 0) throw Problem("the deformer has no geometry: apply it to a mesh.");
    ensure(all.jumpToArrayElement(0), "read the geometry");
    body.geometry = all.elementIndex();
    MDataHandle element = pull ? all.inputValue(&status) : all.outputValue(&status);
    ensure(status, "read the geometry");
    body.mesh = element.child(MPxGeometryFilter::inputGeom).asMesh();
    if (body.mesh.isNull()) throw Problem("the geometry is no polygon mesh: apply the deformer to one.");
    if (core_.kind().in_world()) body.to_world = matrix_of(body.mesh);
}

// Outputs beside the geometry are ours; for the geometry Maya's own function prepares the iterator and calls deform(),
// and passes everything through where the node is set to have no effect.
MStatus DeformNode::compute(const MPlug& plug, MDataBlock& data) {
    return safely("computing", [&] {
        if (!core_.kind().output(plug) && !core_.kind().reports(plug)) return MPxDeformerNode::compute(plug, data);
        core_.want(plug);
        core_.write(data, frame(data, [&] {
            Body at;
            read_body(data, true, at);
            return answer(data, at);
        }));
        return MStatus(MS::kSuccess);
    });
}

/// The weight of each vertex that moves, in the order of Maya's iterator: what is painted and falloffs in one, and none
/// at all where all are 1 (MPxDeformerNode::envelopeWeights in the Maya C++ API reference, since 2024, and its example
/// simpleDeformer; weightValue() knows no falloffs). The envelope is not in it.
std::vector<float> DeformNode::shares(MDataBlock& data, unsigned geometry, unsigned vertices) {
    unsigned count = 0;
    const float* found = envelopeWeights(data, geometry, &count);
    if (!found) return std::vector<float>(vertices, 1.0F);
    if (count != vertices)
        throw Problem("Maya gives " + std::to_string(count) + " weights for " + std::to_string(vertices) +
                      " vertices: paint the deformer's weights anew.");
    return {found, found + count};
}

/// Only the vertices of the iterator move: those that component tags and sets leave in.
void DeformNode::move(MDataBlock& data, MItGeometry& vertices, const Body& body, const std::vector<double>& moved) {
    const float share = maya::input(data, MPxGeometryFilter::envelope, "envelope").asFloat();
    MPointArray points;
    ensure(vertices.allPositions(points), "read the vertices");
    const unsigned count = points.length();
    std::vector<float> from(3 * std::size_t{count});
    std::vector<double> to(from.size());
    unsigned i = 0;
    for (vertices.reset(); !vertices.isDone() && i < count; vertices.next(), ++i) {
        const auto vertex = static_cast<std::size_t>(vertices.index());
        if (3 * vertex + 2 >= moved.size()) throw Problem("the frame has fewer vertices than the mesh.");
        for (unsigned k = 0; k < 3; ++k) {
            from[3 * std::size_t{i} + k] = static_cast<float>(points[i][k]);
            to[3 * std::size_t{i} + k] = moved[3 * vertex + k];
        }
    }
    host::blend_points(from, 3, to, share, shares(data, body.geometry, count));
    for (i = 0; i < count; ++i) {
        const float* place = &from[3 * std::size_t{i}];
        points[i] = MPoint(double{place[0]}, double{place[1]}, double{place[2]});
    }
    ensure(vertices.setAllPositions(points), "write the vertices");
}

/// The frame, with places in the space of the mesh where the node works in the world. Maya wants them there, and gives
/// the matrix that transforms the mesh's points into world space (MPxDeformerNode in the Maya C++ API reference).
host::Answer DeformNode::answer_for(MDataBlock& data, const Body& at, std::vector<double>& moved) {
    host::Answer found;
    found.found = host::Found::Failed;
    if (!invertible(at.to_world)) {
        found.message = "The body is flat in the world, as it has a scale of 0 in one direction: it passes through "
                        "unchanged until it is scaled differently.";
        note(1, name_text(), found.message);
        return found;
    }
    found = answer(data, at);
    if (!found.outputs) return found;
    const auto points = found.outputs->numbers.find(core_.kind().plan.points_out);
    if (points == found.outputs->numbers.end()) return found;
    moved = points->second;
    if (at.to_world == MMatrix::identity) return found;
    const MMatrix back = at.to_world.inverse();
    for (std::size_t i = 0; i + 2 < moved.size(); i += 3) {
        const MPoint place = MPoint(moved[i], moved[i + 1], moved[i + 2]) * back;
        for (unsigned k = 0; k < 3; ++k) moved[i + k] = place[k];
    }
    return found;
}

MStatus DeformNode::deform(MDataBlock& data, MItGeometry& vertices, const MMatrix& to_world, unsigned geometry) {
    return safely("deforming", [&] {
        bool other = false;
        const host::Answer found = frame(data, [&] {
            Body at;
            read_body(data, false, at);
            if (core_.kind().in_world()) at.to_world = to_world;
            other = at.geometry != geometry;
            if (other) return host::Answer();
            std::vector<double> moved;
            host::Answer made = answer_for(data, at, moved);
            if (!moved.empty()) move(data, vertices, at, moved);
            return made;
        });
        if (!other) core_.write(data, found);
        else
            note(1, name_text(),
                 "A node of Sinew deforms one body; further geometries pass through unchanged: give each a "
                 "node of its own.");
        return MStatus(MS::kSuccess);
    });
}

} // namespace sinew::maya
