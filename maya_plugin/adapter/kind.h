// A type of node as it is registered with Maya: the plan and Maya's objects of its attributes.
#pragma once

#include "host/plan.h"

#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MStatus.h>
#include <maya/MTypeId.h>

#include <string>
#include <vector>

namespace sinew::maya {

/// The parameter that says how close live frames come to the exact ones, its first choice.
constexpr const char* quality = "quality";

/// An attribute of the plan and Maya's object of it: for a map, the array in the compound of maps.
struct Held {
    const host::Attribute* plan = nullptr;
    MObject object;
    /// Its place among the outputs that a node can be asked for; that among the parameters.
    std::size_t output = 0, param = 0;
};

/// What a skin cluster feeds: arrays built like its own `matrix`, `bindPreMatrix` and `weightList`, so that one
/// connection of a whole array carries all elements, with their dirtiness.
struct SkinArrays {
    /// In the plan: the joints' matrices now and at rest; how many joints hold each vertex, which, how much.
    const Held *joints = nullptr, *rest_joints = nullptr, *counts = nullptr, *indices = nullptr, *weights = nullptr;
    /// Ours: inverses of the joints at rest; the mesh's matrix then; for each vertex an array of weights by joint.
    MObject bind, bound, weight_list, weight;

    bool exist() const { return joints && rest_joints && counts && indices && weights; }
};

struct Kind {
    host::Plan plan;
    MTypeId id;
    std::vector<Held> held;
    std::size_t outputs = 0, params = 0;
    SkinArrays skin;
    MObject time, start, in_mesh, out_mesh, uv_set, maps, memory, status, missing, kept;
    /// Whether the points, and the mesh, that the geometry feeds are the body at rest, as for nodes that skin it.
    bool body_is_rest = false, mesh_is_rest = false;

    bool deforms() const { return plan.shape == host::Shape::Deformer; }
    /// Whether the node works in the world, as joints are there, and its positions are: nodes that skin the body at
    /// rest. All others work in the space of the mesh.
    bool in_world() const { return deforms() && body_is_rest; }
    /// The output of the plan that a plug belongs to, also as an element or a child; null for others.
    const Held* output(const MPlug& plug) const;
    /// The attribute that shows the whole body; null where there is none.
    MObject body_output() const;
    /// The parameter of an attribute; null for others.
    const Held* param(const MObject& attribute) const;
    /// Whether a plug belongs to one of the attributes that say how a node is.
    bool reports(const MPlug& plug) const;
    /// The attributes from which frames follow, beside the time: the outermost ones.
    std::vector<MObject> inputs() const;
    /// Whether an attribute is one of them; and whether it is one that does not move.
    bool feeds(const MObject& attribute) const;
    bool is_still(const MObject& attribute) const;
};

/// The attribute of a plug, or that of the outermost array or compound around it.
MObject outermost(const MPlug& plug);

/// What a skin cluster's arrays are called here.
namespace skin_names {
constexpr const char* bind = "bind_pre_matrices";
constexpr const char* bound = "bound_geometry_matrix";
constexpr const char* weight_list = "skin_weight_list";
constexpr const char* weight = "skin_weight";
} // namespace skin_names

/// Makes all attributes of a type; called by Maya when the type is registered.
MStatus make_attributes(Kind& kind);

} // namespace sinew::maya
