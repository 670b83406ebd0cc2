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

/// An attribute of the plan and Maya's object of it: for a map, the array in the compound of maps.
struct Held {
    const host::Attribute* plan = nullptr;
    MObject object;
    /// Its place in the outputs that a node can be asked for; unused for inputs.
    std::size_t output = 0;
};

/// What a skin cluster feeds: arrays built like its own `matrix`, `bindPreMatrix` and `weightList`, so that one
/// connection of a whole array carries all elements, with their dirtiness.
struct SkinArrays {
    /// In the plan: the joints' matrices now and at rest; how many joints hold each vertex, which, how much.
    const Held *joints = nullptr, *rest_joints = nullptr, *counts = nullptr, *indices = nullptr, *weights = nullptr;
    /// Ours: inverses of the joints at rest; for each vertex an array of weights by joint.
    MObject bind, weight_list, weight;

    bool exist() const { return joints != nullptr && weights != nullptr; }
};

struct Kind {
    host::Plan plan;
    MTypeId id;
    std::vector<Held> held;
    std::size_t outputs = 0;
    SkinArrays skin;
    MObject time, start, in_mesh, out_mesh, uv_set, maps, memory, status, missing, kept;
    /// Whether the geometry that comes in is the body at rest, as for nodes that skin it.
    bool body_is_rest = false;

    bool deforms() const { return plan.shape == host::Shape::Deformer; }
    /// The output of the plan that a plug belongs to, also as an element or a child; null for others.
    const Held* output(const MPlug& plug) const;
    /// Whether a plug belongs to one of the attributes that say how a node is.
    bool reports(const MPlug& plug) const;
    /// Whether frames follow from an attribute, beside the time.
    bool feeds(const MObject& attribute) const;
};

/// The attribute of a plug, or that of the outermost array or compound around it.
MObject outermost(const MPlug& plug);

/// What a skin cluster's arrays are called here.
namespace skin_names {
constexpr const char* bind = "bind_pre_matrices";
constexpr const char* weight_list = "skin_weight_list";
constexpr const char* weight = "skin_weight";
} // namespace skin_names

/// Makes all attributes of a type; called by Maya when the type is registered.
MStatus make_attributes(Kind& kind);

} // namespace sinew::maya
