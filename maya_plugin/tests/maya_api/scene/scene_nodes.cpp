// The driver: nodes, plugs and values.

#include "world.h"

#include <maya/MAnimControl.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnGeometryData.h>

#include <algorithm>
#include <stdexcept>

namespace standin {

namespace {

void must(MStatus status, const std::string& what) {
    if (!status) throw std::runtime_error(what + ": " + status.errorString().asUTF8());
}

std::shared_ptr<Node> must_find(const std::string& name) {
    auto node = find_node(name);
    if (!node) throw std::runtime_error("There is no node " + name + ".");
    return node;
}

MPlug must_plug(const std::string& name) {
    MPlug plug;
    if (!find_plug(name, plug)) throw std::runtime_error("There is no plug " + name + ".");
    return plug;
}

MObject data_object(std::shared_ptr<Data> data) { return MObject(std::static_pointer_cast<Thing>(std::move(data))); }

std::shared_ptr<MeshData> make_mesh(const MeshPlan& plan) {
    auto mesh = std::make_shared<MeshData>();
    mesh->points = plan.points;
    mesh->counts = plan.face_sizes;
    mesh->connects = plan.face_vertices;
    if (!plan.u.empty()) {
        UvSet& set = mesh->uv_sets.front();
        set.u = plan.u;
        set.v = plan.v;
        set.counts = plan.face_sizes;
        set.ids = plan.corner_uvs;
    }
    return mesh;
}

/// The mesh of a shape (or of the shape below a transform) or of a plug.
MPlug mesh_plug(const std::string& name) {
    if (name.find('.') != std::string::npos) return must_plug(name);
    auto node = must_find(name);
    if (!node->kind->shape)
        for (const auto& child : node->children)
            if (child->kind->shape && child->normal.value(*child->find("intermediateObject")).get_number() == 0)
                node = child;
    if (!node->find("outMesh")) throw std::runtime_error(name + " has no mesh.");
    return to_plug({node.get(), path_of(*node->find("outMesh"))});
}

std::shared_ptr<MeshData> mesh_of(const MPlug& plug) {
    auto mesh = std::dynamic_pointer_cast<MeshData>(pulled(plug).data);
    if (!mesh) throw std::runtime_error(std::string("There is no mesh at ") + plug.name().asUTF8() + ".");
    return mesh;
}

template <class Result> Result at_time(double frame, const std::function<Result()>& read) {
    const std::shared_ptr<Context> before = current_context_owner();
    set_current_context(std::make_shared<Context>(MTime(frame, world().time_unit)));
    Result result = read();
    set_current_context(before);
    return result;
}

} // namespace

MObject Scene::create(const std::string& type, const std::string& name, const std::string& parent) {
    const auto kind = type_named(type);
    if (!kind) throw std::runtime_error("There is no node type " + type + ".");
    const auto above = parent.empty() ? nullptr : must_find(parent);
    if (!kind->shape || above) {
        const auto made = make_node(kind, name, above.get());
        if (!made) throw std::runtime_error("The creator of " + type + " gave nothing.");
        return object_of(*made);
    }
    const auto transform = make_node(type_named("transform"), name.empty() ? type + "1" : name, nullptr);
    return object_of(*make_node(kind, transform->name + "Shape", transform.get()));
}

MObject Scene::create_mesh(const std::string& name, const MeshPlan& plan, const std::string& parent) {
    create("transform", name, parent);
    const MObject shape = create("mesh", name + "Shape", name);
    must(to_plug({node_of(shape), path_of(*node_of(shape)->find("inMesh"))}).setMObject(data_object(make_mesh(plan))),
         name);
    return shape;
}

void Scene::remove(const std::string& name) { delete_node(*must_find(name), true); }
std::string Scene::rename(const std::string& name, const std::string& to) { return rename_node(*must_find(name), to); }

/// The copy has the values that were set, and copyInternalData is called on it (MPxNode::copyInternalData).
std::string Scene::duplicate(const std::string& name, bool inputs) {
    const auto from = must_find(name);
    const auto made = make_node(from->kind, from->name, from->parent);
    {
        const Edit edit;
        for (const auto& attribute : from->dynamic)
            if (!attribute->parent) made->dynamic.push_back(attribute);
        for (const auto& attribute : from->attributes())
            if (!attribute->parent && !from->computed(attribute.get()) && from->normal.values.count(attribute.get()))
                made->normal.value(*attribute).copy_from(from->normal.value(*attribute));
    }
    made->user->copyInternalData(from->user.get());
    for (const auto& link : Sources(world_->sources))
        if (inputs && link.first.first == from.get()) standin::connect(link.second, {made.get(), link.first.second});
    if (made->kind->dag && !made->kind->shape)
        for (const auto& child : std::vector<std::shared_ptr<Node>>(from->children)) {
            const auto copy = must_find(duplicate(child->name, inputs));
            MFnDagNode above(object_of(*made));
            MObject object = object_of(*copy);
            above.addChild(object);
        }
    return made->name;
}

bool Scene::exists(const std::string& name) const {
    MPlug plug;
    return name.find('.') == std::string::npos ? find_node(name) != nullptr : find_plug(name, plug);
}
MObject Scene::node(const std::string& name) const { return object_of(*must_find(name)); }
std::vector<std::string> Scene::nodes(const std::string& type) const {
    std::vector<std::string> names;
    for (const auto& node : world_->nodes)
        if (type.empty() || node->kind->name == type) names.push_back(node->name);
    return names;
}
MPlug Scene::plug(const std::string& name) const { return must_plug(name); }
void Scene::connect(const std::string& source, const std::string& destination) {
    must(standin::connect(key_of(must_plug(source)), key_of(must_plug(destination))), source + " to " + destination);
}
void Scene::disconnect(const std::string& source, const std::string& destination) {
    must(standin::disconnect(key_of(must_plug(source)), key_of(must_plug(destination))),
         source + " from " + destination);
}

/// The first deformer of a shape gives it an original shape, an intermediate object, that keeps the mesh as it was, and
/// that all deformers have as their original geometry.
std::string Scene::deform(const std::string& type, const std::string& shape_name, const std::string& name) {
    auto shape = mesh_plug(shape_name).standin_node();
    const PlugKey in{shape.get(), path_of(*shape->find("inMesh"))};
    PlugKey from;
    if (const PlugKey* source = source_of(in)) {
        from = *source;
        standin::disconnect(from, in);
    } else {
        const auto original = make_node(shape->kind, shape->name + "Orig", shape->parent);
        const MPlug kept = to_plug({original.get(), in.second});
        must(kept.standin_node() ? MPlug(kept).setMObject(data_object(shape->normal.value(in.second).data))
                                 : MStatus::kFailure,
             "the original shape");
        must(to_plug({original.get(), path_of(*original->find("intermediateObject"))}).setBool(true),
             "the original shape");
        from = {original.get(), element_of(path_of(*original->find("worldMesh")), 0)};
    }
    const MObject made = create(type, name.empty() ? type + "1" : name);
    const std::string deformer = node_of(made)->name;
    must(standin::connect(from, key_of(must_plug(deformer + ".input[0].inputGeometry"))), "into " + deformer);
    must(standin::connect(key_of(must_plug(deformer + ".outputGeometry[0]")), in), "out of " + deformer);
    if (const auto original = find_node(shape->name + "Orig"))
        must(standin::connect({original.get(), path_of(*original->find("outMesh"))},
                              key_of(must_plug(deformer + ".originalGeometry[0]"))),
             "the original of " + deformer);
    return deformer;
}

std::string Scene::skin(const std::string& shape, const std::vector<std::string>& joints,
                        const std::vector<double>& weights) {
    std::vector<std::vector<std::pair<unsigned int, double>>> influences(weights.size() / joints.size());
    for (std::size_t i = 0; i < influences.size() * joints.size(); ++i)
        if (weights[i] != 0)
            influences[i / joints.size()].emplace_back(static_cast<unsigned int>(i % joints.size()), weights[i]);
    return skin(shape, joints, influences);
}

std::string Scene::skin(const std::string& shape, const std::vector<std::string>& joints,
                        const std::vector<std::vector<std::pair<unsigned int, double>>>& influences) {
    const std::string cluster = deform("skinCluster", shape);
    // Where the geometry is when it is bound (skinCluster's geomMatrix in Maya's node reference).
    set(cluster + ".geomMatrix", matrix(shape + ".worldMatrix[0]"));
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::string index = "[" + std::to_string(i) + "]";
        set(cluster + ".bindPreMatrix" + index, matrix(joints[i] + ".worldInverseMatrix[0]"));
        connect(joints[i] + ".worldMatrix[0]", cluster + ".matrix" + index);
    }
    set_value(must_plug(cluster + ".weightList"), [&](Value& lists) {
        for (unsigned int vertex = 0; vertex < influences.size(); ++vertex) {
            Value& list = lists.element(vertex).child(0);
            for (const auto& held : influences[vertex]) list.element(held.first).set_number(held.second);
        }
        return true;
    });
    return cluster;
}

std::string Scene::mesh_sequence(const std::string& name, const MeshPlan& plan,
                                 const std::vector<std::vector<float>>& frames, double first) {
    const std::string node = node_of(create("meshSequence", name))->name;
    set(node + ".topology", data_object(make_mesh(plan)));
    set(node + ".firstFrame", first);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        auto points = std::make_shared<PointArrayData>();
        for (std::size_t j = 0; j + 2 < frames[i].size(); j += 3)
            points->items.append(MPoint(MFloatPoint(frames[i][j], frames[i][j + 1], frames[i][j + 2])));
        set(node + ".frames[" + std::to_string(i) + "]", data_object(points));
    }
    connect("time1.outTime", node + ".time");
    return node;
}

/// On the shape without history that the geometry begins with.
void Scene::tag(const std::string& shape_name, const std::string& tag, const std::vector<int>& vertices) {
    auto shape = mesh_plug(shape_name).standin_node();
    const auto original = find_node(shape->name + "Orig");
    if (original) shape = original;
    must(set_value(to_plug({shape.get(), path_of(*shape->find("inMesh"))}), [&](Value& value) {
             auto mesh = std::dynamic_pointer_cast<MeshData>(value.data ? value.data->clone() : nullptr);
             if (!mesh) return false;
             auto component = std::make_shared<Component>(MFn::kMeshVertComponent);
             component->elements = vertices;
             mesh->tags[tag] = component;
             value.data = mesh;
             return true;
         }),
         "the tag " + tag);
}

void Scene::set(const std::string& plug, double value) { must(must_plug(plug).setDouble(value), plug); }
void Scene::set(const std::string& plug, const std::string& text) {
    must(must_plug(plug).setString(standin::text(text)), plug);
}
void Scene::set(const std::string& plug, const MObject& data) { must(must_plug(plug).setMObject(data), plug); }
void Scene::set(const std::string& plug, const MMatrix& matrix) {
    must(set_value(must_plug(plug), [&](Value& value) {
             if (value.attribute->store == Store::Matrix) value.matrix = std::make_unique<MMatrix>(matrix);
             return value.attribute->store == Store::Matrix;
         }),
         plug);
}
void Scene::drag(const std::string& plug, double value) { standin::drag(must_plug(plug), value); }

/// An edit of a key changes the frames between the keys beside it, and no others.
void Scene::key(const std::string& plug_text, const std::vector<Key>& keys) {
    const MPlug plug = must_plug(plug_text);
    std::string curve;
    MPlug source = plug.source();
    if (!source.isNull() && source.standin_node()->kind->name == "animCurveTL") curve = source.standin_node()->name;
    if (curve.empty()) {
        std::string name = plug_text;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == '.' || c == '[' || c == ']' || c == ':'; }, '_');
        curve = node_of(create("animCurveTL", name))->name;
        connect("time1.outTime", curve + ".input");
        connect(curve + ".output", plug_text);
    }
    const MPlug list = must_plug(curve + ".keyTimeValue");
    const Edit edit;
    Value& value = list.standin_node()->normal.value(list.standin_path());
    for (const Key& key : keys) {
        const MInt64 at = MTime(key.frame, world_->time_unit).standin_ticks();
        MInt64 before = INT64_MIN / 2, after = INT64_MAX / 2;
        unsigned int index = value.elements.empty() ? 0 : std::prev(value.elements.end())->first + 1;
        for (const auto& each : value.elements) {
            const MInt64 time = each.second->child(0).own.l;
            if (time == at) index = each.first;
            if (time < at) before = std::max(before, time);
            if (time > at) after = std::min(after, time);
        }
        value.element(index).child(0).own.l = at;
        value.element(index).child(1).set_number(key.value);
        value.element(index).mark(true);
        make_dirty({key_of(list)});
        const MTime::MTick tick = 1;
        forget_frames({key_of(must_plug(curve + ".output"))},
                      MTime::standin_of_ticks(before + (before > INT64_MIN / 2 ? tick : 0), world_->time_unit),
                      MTime::standin_of_ticks(after - (after < INT64_MAX / 2 ? tick : 0), world_->time_unit));
    }
    call_back("curve edited", list.standin_node().get());
}

double Scene::number(const std::string& plug) const {
    MStatus status;
    const double value = must_plug(plug).asDouble(&status);
    must(status, plug);
    return value;
}
std::string Scene::text(const std::string& plug) const {
    MStatus status;
    const MString value = must_plug(plug).asString(&status);
    must(status, plug);
    return value.asUTF8();
}
MMatrix Scene::matrix(const std::string& plug) const {
    const Value& value = pulled(must_plug(plug));
    if (!value.matrix) throw std::runtime_error(plug + " is no matrix.");
    return *value.matrix;
}
std::vector<float> Scene::points(const std::string& name) const { return mesh_of(mesh_plug(name))->points; }
std::vector<float> Scene::corner_uvs(const std::string& name, const std::string& uv_set) const {
    const auto mesh = mesh_of(mesh_plug(name));
    const UvSet* set = mesh->uv_set(uv_set);
    if (!set) throw std::runtime_error(name + " has no UV set " + uv_set + ".");
    std::vector<float> uvs;
    for (int id : set->ids) {
        uvs.push_back(set->u[static_cast<std::size_t>(id)]);
        uvs.push_back(set->v[static_cast<std::size_t>(id)]);
    }
    return uvs;
}
double Scene::number_at(const std::string& plug, double frame) const {
    return at_time<double>(frame, [&] { return number(plug); });
}
std::vector<float> Scene::points_at(const std::string& name, double frame) const {
    return at_time<std::vector<float>>(frame, [&] { return points(name); });
}
std::uint64_t Scene::computes(const std::string& node) const { return must_find(node)->computes; }
std::uint64_t Scene::restored(const std::string& node) const { return must_find(node)->restores; }
bool Scene::is_clean(const std::string& plug) const {
    const MPlug found = must_plug(plug);
    return found.standin_node()->normal.value(found.standin_path()).all_clean();
}

} // namespace standin
