// Function sets of nodes, paths in the DAG, and objects.

#include "world.h"

#include <maya/MDagPathArray.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnGeometryFilter.h>
#include <maya/MFnSkinCluster.h>
#include <maya/MFnTransform.h>
#include <maya/MItDependencyGraph.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MObjectHandle.h>

#include <algorithm>

using namespace standin;

MObject MObject::kNullObj;
bool MObject::hasFn(MFn::Type fn) const { return thing_ && thing_->has(fn); }
MFn::Type MObject::apiType() const { return thing_ ? thing_->type : MFn::kInvalid; }
const char* MObject::apiTypeStr() const { return thing_ ? "kObject" : "kInvalid"; }
bool MObjectHandle::isValid() const {
    const Node* node = node_of(object_);
    return !object_.isNull() && (!node || node->in_scene);
}
unsigned int MObjectHandle::objectHashCode(const MObject& object) {
    return static_cast<unsigned int>(std::hash<const void*>()(object.standin_thing().get()));
}

MFnBase::MFnBase() = default;
MFnBase::~MFnBase() = default;
MFn::Type MFnBase::type() const { return MFn::kBase; }
bool MFnBase::hasObj(MFn::Type type) const { return object_.hasFn(type); }
bool MFnBase::hasObj(const MObject& object) const { return object.hasFn(type()); }
MObject MFnBase::object(MStatus* status) const {
    return give(object_, status, object_.isNull() ? MStatus::kFailure : MStatus::kSuccess);
}
MStatus MFnBase::setObject(const MObject& object) { return object_ = object, MStatus(); }

Node* MFnDependencyNode::node() const { return node_of(object_); }

namespace {

MObject made(const std::shared_ptr<NodeType>& type, const std::string& name, Node* parent, MStatus* status) {
    const auto node = type ? make_node(type, name, parent) : nullptr;
    return give(node ? object_of(*node) : MObject(), status, good(node.get()));
}

} // namespace

MObject MFnDependencyNode::create(const MTypeId& id, MStatus* status) { return create(id, "", status); }
MObject MFnDependencyNode::create(const MTypeId& id, const MString& name, MStatus* status) {
    return object_ = made(type_with_id(id.id()), name.asUTF8(), nullptr, status);
}
MObject MFnDependencyNode::create(const MString& type, MStatus* status) { return create(type, "", status); }
MObject MFnDependencyNode::create(const MString& type, const MString& name, MStatus* status) {
    return object_ = made(type_named(type.asUTF8()), name.asUTF8(), nullptr, status);
}
MTypeId MFnDependencyNode::typeId(MStatus* s) const {
    return give(MTypeId(node() ? node()->kind->id : 0), s, good(node()));
}
MString MFnDependencyNode::typeName(MStatus* s) const {
    return give(standin::text(node() ? node()->kind->name : ""), s, good(node()));
}
MString MFnDependencyNode::name(MStatus* s) const {
    return give(standin::text(node() ? node()->name : ""), s, good(node()));
}
MString MFnDependencyNode::absoluteName(MStatus* s) const { return MString(":") + name(s); }
MString MFnDependencyNode::uniqueName(MStatus* s) const { return name(s); }
MString MFnDependencyNode::pluginName(MStatus* s) const {
    return give(standin::text(node() ? node()->kind->plugin : ""), s, good(node()));
}
MString MFnDependencyNode::setName(const MString& to, bool, MStatus* status) {
    if (!node() || node()->locked || node()->referenced) return give(MString(), status, MStatus::kFailure);
    return give(standin::text(rename_node(*node(), to.asUTF8())), status);
}
MUuid MFnDependencyNode::uuid(MStatus* s) const {
    return give(MUuid(MString(node() ? std::to_string(node()->id).c_str() : "")), s, good(node()));
}
MStatus MFnDependencyNode::getConnections(MPlugArray& plugs) const {
    plugs.clear();
    if (!node()) return MStatus::kFailure;
    std::set<Path> found;
    for (const auto& each : world().sources) {
        if (each.first.first == node()) found.insert(each.first.second);
        if (each.second.first == node()) found.insert(each.second.second);
    }
    for (const Path& path : found) plugs.append(to_plug({node(), path}));
    return MStatus();
}
unsigned int MFnDependencyNode::attributeCount(MStatus* s) const {
    return give(node() ? static_cast<unsigned int>(node()->attributes().size()) : 0U, s, good(node()));
}
MObject MFnDependencyNode::attribute(unsigned int index, MStatus* s) const {
    const auto all = node() ? node()->attributes() : std::vector<std::shared_ptr<Attribute>>();
    if (index >= all.size()) return give(MObject(), s, MStatus::kFailure);
    return give(object_of(*all[index]), s);
}
MObject MFnDependencyNode::attribute(const MString& name, MStatus* s) const {
    const auto found = node() ? node()->find(name.asUTF8()) : nullptr;
    return give(found ? object_of(*found) : MObject(), s, good(found.get()));
}
MStatus MFnDependencyNode::getAffectedAttributes(const MObject& attr, MObjectArray& found) const {
    found.clear();
    for (const auto& pair : node() ? node()->kind->affects : decltype(node()->kind->affects)())
        if (object_of(*pair.first) == attr) found.append(object_of(*pair.second));
    return good(node());
}
MStatus MFnDependencyNode::getAffectedByAttributes(const MObject& attr, MObjectArray& found) const {
    found.clear();
    for (const auto& pair : node() ? node()->kind->affects : decltype(node()->kind->affects)())
        if (object_of(*pair.second) == attr) found.append(object_of(*pair.first));
    return good(node());
}
MPlug MFnDependencyNode::findPlug(const MObject& attr, bool, MStatus* s) const {
    MPlug plug(object_, attr);
    return give(plug, s, plug.isNull() ? MStatus::kInvalidParameter : MStatus::kSuccess);
}
MPlug MFnDependencyNode::findPlug(const MString& name, bool wanted, MStatus* s) const {
    Path path;
    if (!node() || !find_plug(*node(), name.asUTF8(), path)) return give(MPlug(), s, MStatus::kInvalidParameter);
    (void)wanted;
    return give(to_plug({node(), path}), s);
}
MStatus MFnDependencyNode::addAttribute(const MObject& attr) {
    auto attribute = as<Attribute>(attr);
    if (!node() || !attribute || node()->find(attribute->name)) return MStatus::kFailure;
    const Edit edit;
    attribute->dynamic = true;
    node()->dynamic.push_back(attribute);
    return MStatus();
}
MStatus MFnDependencyNode::removeAttribute(const MObject& attr) {
    auto attribute = as<Attribute>(attr);
    if (!node() || !attribute || !attribute->dynamic) return MStatus::kFailure;
    const Edit edit;
    auto& own = node()->dynamic;
    own.erase(std::remove(own.begin(), own.end(), attribute), own.end());
    node()->normal.values.erase(attribute.get());
    return MStatus();
}
MPxNode* MFnDependencyNode::userNode(MStatus* s) const {
    return give(node() && !node()->kind->plugin.empty() ? node()->user.get() : nullptr, s, good(node()));
}
bool MFnDependencyNode::isFromReferencedFile(MStatus* s) const {
    return give(node() && node()->referenced, s, good(node()));
}
bool MFnDependencyNode::hasUniqueName(MStatus* s) const { return give(true, s, good(node())); }
MString MFnDependencyNode::parentNamespace(MStatus* s) const {
    const std::string name = node() ? node()->name : "";
    const std::size_t colon = name.rfind(':');
    return give(standin::text(colon == std::string::npos ? "" : name.substr(0, colon)), s, good(node()));
}
bool MFnDependencyNode::isLocked(MStatus* s) const { return give(node() && node()->locked, s, good(node())); }
MStatus MFnDependencyNode::setLocked(bool locked) {
    return node() ? (node()->locked = locked, MStatus()) : MStatus::kFailure;
}
MString MFnDependencyNode::classification(const MString& name) {
    const auto type = type_named(name.asUTF8());
    return standin::text(type ? type->classification : "");
}
bool MFnDependencyNode::isDefaultNode(MStatus* s) const { return give(node() && node()->standing, s, good(node())); }
MStatus MFnDependencyNode::setDoNotWrite(bool flag) {
    return node() ? (node()->do_not_write = flag, MStatus()) : MStatus::kFailure;
}
bool MFnDependencyNode::canBeWritten(MStatus* s) const {
    return give(node() && !node()->do_not_write, s, good(node()));
}
bool MFnDependencyNode::hasAttribute(const MString& name, MStatus* s) const {
    return give(node() && node()->find(name.asUTF8()), s, good(node()));
}
MStatus MFnDependencyNode::setIcon(const MString&) { return good(node()); }

MFnDagNode::MFnDagNode(const MDagPath& path, MStatus* status) {
    MStatus made = MFnDagNode::setObject(path);
    if (status) *status = made;
}
MStatus MFnDagNode::setObject(const MDagPath& path) { return setObject(path.node()); }
MObject MFnDagNode::create(const MTypeId& id, MObject& parent, MStatus* status) {
    return create(id, "", parent, status);
}
MObject MFnDagNode::create(const MTypeId& id, const MString& name, MObject& parent, MStatus* status) {
    const auto type = type_with_id(id.id());
    return type ? create(type->name.c_str(), name, parent, status)
                : give(MObject(), status, MStatus::kInvalidParameter);
}
MObject MFnDagNode::create(const MString& type, MObject& parent, MStatus* status) {
    return create(type, "", parent, status);
}
/// A shape without a parent gets a transform of its own, which is what is returned (MFnDagNode::create).
MObject MFnDagNode::create(const MString& type, const MString& name, MObject& parent, MStatus* status) {
    const auto kind = type_named(type.asUTF8());
    if (!kind || !kind->dag) return give(MObject(), status, MStatus::kInvalidParameter);
    if (!kind->shape || !parent.isNull()) return object_ = made(kind, name.asUTF8(), node_of(parent), status);
    MObject transform = made(type_named("transform"), name.asUTF8(), nullptr, status);
    if (!transform.isNull()) object_ = made(kind, node_of(transform)->name + "Shape", node_of(transform), status);
    return transform;
}
unsigned int MFnDagNode::parentCount(MStatus* s) const { return give(node() ? 1U : 0U, s, good(node())); }
MObject MFnDagNode::parent(unsigned int i, MStatus* s) const {
    return give(node() && i == 0 && node()->parent ? object_of(*node()->parent) : MObject(), s, good(node()));
}
MStatus MFnDagNode::addChild(MObject& object, unsigned int, bool) {
    Node* child = node_of(object);
    if (!node() || !child) return MStatus::kInvalidParameter;
    const Edit edit;
    const auto keep = std::static_pointer_cast<Node>(child->shared_from_this());
    if (child->parent) {
        auto& from = child->parent->children;
        from.erase(std::find(from.begin(), from.end(), keep));
    }
    child->parent = node();
    node()->children.push_back(keep);
    make_dirty({{child, path_of(*child->find("parentMatrix"))}});
    return MStatus();
}
unsigned int MFnDagNode::childCount(MStatus* s) const {
    return give(node() ? static_cast<unsigned int>(node()->children.size()) : 0U, s, good(node()));
}
MObject MFnDagNode::child(unsigned int i, MStatus* s) const {
    if (!node() || i >= node()->children.size()) return give(MObject(), s, MStatus::kInvalidParameter);
    return give(object_of(*node()->children[i]), s);
}
MStatus MFnDagNode::getPath(MDagPath& path) const { return MDagPath::getAPathTo(object_, path); }
MDagPath MFnDagNode::dagPath(MStatus* s) const {
    MDagPath path;
    MStatus found = getPath(path);
    return give(path, s, found);
}
MString MFnDagNode::fullPathName(MStatus* s) const { return dagPath(s).fullPathName(); }
MString MFnDagNode::partialPathName(MStatus* s) const { return dagPath(s).partialPathName(); }
MMatrix MFnDagNode::transformationMatrix(MStatus* s) const {
    if (!node() || !node()->find("matrix")) return give(MMatrix(), s, MStatus::kFailure);
    return give(*pulled(findPlug("matrix", true)).matrix, s);
}
bool MFnDagNode::isIntermediateObject(MStatus* s) const {
    return node() ? findPlug("intermediateObject", true).asBool(s) : give(false, s, MStatus::kFailure);
}
MStatus MFnDagNode::setIntermediateObject(bool v) {
    return node() ? findPlug("intermediateObject", true).setBool(v) : MStatus::kFailure;
}

MObject MFnTransform::create(MObject parent, MStatus* status) {
    return MFnDagNode::create("transform", "", parent, status);
}
MTransformationMatrix MFnTransform::transformation(MStatus* s) const { return transformationMatrix(s); }
MVector MFnTransform::getTranslation(MSpace::Space space, MStatus* s) const {
    return transformation(s).getTranslation(space);
}
MStatus MFnTransform::setTranslation(const MVector& v, MSpace::Space) {
    if (!node()) return MStatus::kFailure;
    return set_value(findPlug("translate", true), [&](Value& value) {
        for (unsigned int i = 0; i < 3; ++i) value.set_number(v[i], i);
        return true;
    });
}
MStatus MFnTransform::set(const MTransformationMatrix& t) {
    return setTranslation(t.getTranslation(MSpace::kTransform), MSpace::kTransform);
}

MStatus MDagPath::getAPathTo(const MObject& node, MDagPath& path) {
    if (!node.hasFn(MFn::kDagNode)) return MStatus::kInvalidParameter;
    path.node_ = node;
    return MStatus();
}
MStatus MDagPath::getAllPathsTo(const MObject& node, MDagPathArray& paths) {
    MDagPath path;
    MStatus status = getAPathTo(node, path);
    paths.clear();
    return status ? paths.append(path) : status;
}
bool MDagPath::hasFn(MFn::Type type, MStatus* s) const {
    // A path to a transform has what the shape below has.
    return give(standin_node_with(type).hasFn(type), s);
}
MObject MDagPath::standin_node_with(MFn::Type type) const {
    MDagPath shape(*this);
    return !node_.hasFn(type) && shape.extendToShape() ? shape.node_ : node_;
}
MFn::Type MDagPath::apiType(MStatus* s) const { return give(node_.apiType(), s); }
bool MDagPath::isValid(MStatus* s) const { return give(node_of(node_) && node_of(node_)->in_scene, s); }
MObject MDagPath::node(MStatus* s) const {
    return give(node_, s, node_.isNull() ? MStatus::kFailure : MStatus::kSuccess);
}
MObject MDagPath::transform(MStatus* s) const {
    Node* at = node_of(node_);
    while (at && at->kind->shape) at = at->parent;
    return give(at ? object_of(*at) : MObject(), s, good(at));
}
unsigned int MDagPath::length(MStatus* s) const {
    unsigned int n = 0;
    for (Node* at = node_of(node_); at; at = at->parent) ++n;
    return give(n, s);
}
/// To the first shape below (MDagPath::extendToShape).
MStatus MDagPath::extendToShape() {
    if (node_of(node_) && node_of(node_)->kind->shape) return MStatus();
    return extendToShapeDirectlyBelow(0);
}
MStatus MDagPath::extendToShapeDirectlyBelow(unsigned int index) {
    for (const auto& child : node_of(node_) ? node_of(node_)->children : std::vector<std::shared_ptr<Node>>())
        if (child->kind->shape && index-- == 0) return node_ = object_of(*child), MStatus();
    return MStatus::kInvalidParameter;
}
MStatus MDagPath::numberOfShapesDirectlyBelow(unsigned int& count) const {
    count = 0;
    for (const auto& child : node_of(node_) ? node_of(node_)->children : std::vector<std::shared_ptr<Node>>())
        if (child->kind->shape) ++count;
    return good(node_of(node_));
}
MStatus MDagPath::push(const MObject& child) { return node_ = child, MStatus(); }
MStatus MDagPath::pop(unsigned int count) {
    Node* at = node_of(node_);
    while (at && count-- > 0) at = at->parent;
    node_ = at ? object_of(*at) : MObject();
    return good(at);
}
unsigned int MDagPath::childCount(MStatus* s) const { return MFnDagNode(node_).childCount(s); }
MObject MDagPath::child(unsigned int i, MStatus* s) const { return MFnDagNode(node_).child(i, s); }
MMatrix MDagPath::inclusiveMatrix(MStatus* s) const {
    Node* at = node_of(node_);
    if (!at) return give(MMatrix(), s, MStatus::kFailure);
    return give(*pulled(to_plug({at, element_of(path_of(*at->find("worldMatrix")), 0)})).matrix, s);
}
MMatrix MDagPath::exclusiveMatrix(MStatus* s) const {
    Node* at = node_of(node_);
    if (!at) return give(MMatrix(), s, MStatus::kFailure);
    return give(*pulled(to_plug({at, element_of(path_of(*at->find("parentMatrix")), 0)})).matrix, s);
}
MMatrix MDagPath::inclusiveMatrixInverse(MStatus* s) const { return inclusiveMatrix(s).inverse(); }
MMatrix MDagPath::exclusiveMatrixInverse(MStatus* s) const { return exclusiveMatrix(s).inverse(); }
MStatus MDagPath::set(const MDagPath& other) { return *this = other, MStatus(); }
MString MDagPath::fullPathName(MStatus* s) const {
    std::string name;
    for (Node* at = node_of(node_); at; at = at->parent) name = "|" + at->name + name;
    return give(standin::text(name), s);
}
MString MDagPath::partialPathName(MStatus* s) const {
    return give(standin::text(node_of(node_) ? node_of(node_)->name : ""), s);
}
unsigned int MDagPath::instanceNumber(MStatus* s) const { return give(0U, s); }

MItDependencyNodes::MItDependencyNodes(MFn::Type filter, MStatus* status) {
    MStatus good = reset(filter);
    if (status) *status = good;
}
MStatus MItDependencyNodes::reset(MFn::Type filter) {
    nodes_.clear();
    at_ = 0;
    for (const auto& node : world().nodes)
        if (filter == MFn::kInvalid || node->has(filter)) nodes_.append(object_of(*node));
    return MStatus();
}
MObject MItDependencyNodes::thisNode(MStatus* s) const {
    return give(isDone() ? MObject() : nodes_[at_], s, isDone() ? MStatus::kFailure : MStatus::kSuccess);
}
MStatus MItDependencyNodes::next() { return ++at_, MStatus(); }
bool MItDependencyNodes::isDone(MStatus* s) const { return give(at_ >= nodes_.length(), s); }
