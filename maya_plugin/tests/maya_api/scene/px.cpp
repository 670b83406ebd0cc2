// The bases of nodes that plug-ins bring, and what a deformer's node does around deform().

#include "world.h"

#include <maya/MCacheSchema.h>
#include <maya/MFnGeometryData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MItGeometry.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MPxDeformerNode.h>
#include <maya/MPxLocatorNode.h>

#include <algorithm>

using namespace standin;

MObject MPxNode::message;
MObject MPxNode::isHistoricallyInteresting;
MObject MPxNode::caching;
MObject MPxNode::state;
MObject MPxNode::frozen;
MObject MPxGeometryFilter::input;
MObject MPxGeometryFilter::inputGeom;
MObject MPxGeometryFilter::groupId;
MObject MPxGeometryFilter::componentTagExpression;
MObject MPxGeometryFilter::outputGeom;
MObject MPxGeometryFilter::envelope;
MObject MPxDeformerNode::weightList;
MObject MPxDeformerNode::weights;

MPxNode::MPxNode() = default;
MPxNode::~MPxNode() = default;
/// From here on thisMObject() is the node; in the constructor it is not yet (MPxNode::postConstructor).
void MPxNode::postConstructor() {}
/// What is not overridden computes nothing.
MStatus MPxNode::compute(const MPlug&, MDataBlock&) { return MStatus::kUnknownParameter; }
bool MPxNode::getInternalValue(const MPlug&, MDataHandle&) { return false; }
bool MPxNode::setInternalValue(const MPlug&, const MDataHandle&) { return false; }
/// Called on the copy of a node, with the node that was copied (MPxNode::copyInternalData).
void MPxNode::copyInternalData(MPxNode*) {}
/// kUnknownParameter leaves the decision to the host.
MStatus MPxNode::legalConnection(const MPlug&, const MPlug&, bool, bool&) const { return MStatus::kUnknownParameter; }
MStatus MPxNode::legalDisconnection(const MPlug&, const MPlug&, bool, bool&) const {
    return MStatus::kUnknownParameter;
}
MStatus MPxNode::setDependentsDirty(const MPlug&, MPlugArray&) { return MStatus(); }
MStatus MPxNode::preEvaluation(const MDGContext&, const MEvaluationNode&) { return MStatus(); }
MStatus MPxNode::postEvaluation(const MDGContext&, const MEvaluationNode&, PostEvaluationType) { return MStatus(); }
MPxNode::SchedulingType MPxNode::schedulingType() const { return kDefaultScheduling; }
void MPxNode::getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo&,
                            MObjectArray&) const {}
void MPxNode::configCache(const MEvaluationNode&, MCacheSchema&) const {}
/// What changes in a range changes outputs in the same range.
MTimeRange MPxNode::transformInvalidationRange(const MPlug&, const MTimeRange& input) const { return input; }
MStatus MPxNode::connectionMade(const MPlug&, const MPlug&, bool) { return MStatus::kUnknownParameter; }
MStatus MPxNode::connectionBroken(const MPlug&, const MPlug&, bool) { return MStatus::kUnknownParameter; }
/// kUnknownParameter: the host saves what differs from its default.
MStatus MPxNode::shouldSave(const MPlug&, bool&) { return MStatus::kUnknownParameter; }
MPlug MPxNode::passThroughToOne(const MPlug&) const { return MPlug(); }
MPxNode::Type MPxNode::type() const { return kDependNode; }
bool MPxNode::isAbstractClass() const { return false; }
MTypeId MPxNode::typeId() const { return MTypeId(standin_node ? standin_node->kind->id : 0); }
MString MPxNode::typeName() const { return standin::text(standin_node ? standin_node->kind->name : ""); }
MString MPxNode::name() const { return standin::text(standin_node ? standin_node->name : ""); }
MObject MPxNode::thisMObject() const {
    if (!standin_node) fault("thisMObject was asked for in a constructor, where the node has no object yet.");
    return standin_node ? object_of(*standin_node) : MObject();
}
MStatus MPxNode::setExistWithoutInConnections(bool flag) { return without_in_ = flag, MStatus(); }
bool MPxNode::existWithoutInConnections(MStatus* s) const { return give(without_in_, s); }
MStatus MPxNode::setExistWithoutOutConnections(bool flag) { return without_out_ = flag, MStatus(); }
bool MPxNode::existWithoutOutConnections(MStatus* s) const { return give(without_out_, s); }
/// The block of the current context.
MDataBlock MPxNode::forceCache() { return MDataBlock(&block_in(*standin_node, current_context())); }
MStatus MPxNode::setDoNotWrite(bool flag) { return standin_node->do_not_write = flag, MStatus(); }
bool MPxNode::doNotWrite(MStatus* s) const { return give(standin_node->do_not_write, s); }

/// Only while the type is being registered; names are unique in a node, long and short ones together.
MStatus MPxNode::addAttribute(const MObject& object) {
    auto attribute = as<Attribute>(object);
    NodeType* type = world().making;
    if (!attribute || !type) return MStatus::kFailure;
    if (attribute->parent) return MStatus();
    std::vector<std::shared_ptr<Attribute>> added{attribute};
    for (std::size_t i = 0; i < added.size(); ++i)
        added.insert(added.end(), added[i]->children.begin(), added[i]->children.end());
    for (const auto& each : added)
        for (const auto& other : type->attributes)
            if (other->name == each->name || other->brief == each->brief || other->name == each->brief ||
                other->brief == each->name) {
                fault("The node type " + type->name + " has two attributes named " + each->name + " or " + each->brief +
                      ".");
                return MStatus::kFailure;
            }
    type->attributes.insert(type->attributes.end(), added.begin(), added.end());
    return MStatus();
}
MStatus MPxNode::inheritAttributesFrom(const MString& name) {
    const auto from = type_named(name.asUTF8());
    if (!from || !world().making) return MStatus::kFailure;
    for (const auto& each : from->attributes)
        if (!world().making->find(each->name)) world().making->attributes.push_back(each);
    return MStatus();
}
/// Both must have been added.
MStatus MPxNode::attributeAffects(const MObject& changes, const MObject& affected) {
    auto one = as<Attribute>(changes), other = as<Attribute>(affected);
    NodeType* type = world().making;
    if (!one || !other || !type || type->find(one->name) != one || type->find(other->name) != other)
        return MStatus::kFailure;
    type->affects.emplace_back(one.get(), other.get());
    return MStatus();
}

MPxNode::Type MPxLocatorNode::type() const { return kLocatorNode; }
bool MPxLocatorNode::isBounded() const { return false; }
MBoundingBox MPxLocatorNode::boundingBox() const { return MBoundingBox(); }
bool MPxLocatorNode::excludeAsLocator() const { return true; }

MIndexMapper::Index MIndexMapper::InvalidIndex = 0xffffffffU;
MIndexMapper::Index MIndexMapper::affectToFull(Index i) const { return i < map_.length() ? map_[i] : InvalidIndex; }
MIndexMapper::Index MIndexMapper::fullToAffect(Index i) const {
    const auto found = std::lower_bound(map_.begin(), map_.end(), i);
    return found != map_.end() && *found == i ? static_cast<Index>(found - map_.begin()) : InvalidIndex;
}

MPxNode::Type MPxGeometryFilter::type() const { return kGeometryFilter; }
MStatus MPxGeometryFilter::deform(MDataBlock&, MItGeometry&, const MMatrix&, unsigned int) { return MStatus(); }
MObject& MPxGeometryFilter::accessoryAttribute() const { return MObject::kNullObj; }
MStatus MPxGeometryFilter::accessoryNodeSetup(MDagModifier&) { return MStatus(); }
void MPxGeometryFilter::setUseExistingConnectionWhenSetEditing(bool) {}
MStatus MPxGeometryFilter::setDeformationDetails(unsigned int flags) { return details_ = flags, MStatus(); }
unsigned int MPxGeometryFilter::getDeformationDetails(MStatus* s) { return give(details_, s); }
void MPxGeometryFilter::setModifiedCallback(MSelectionList&, bool) {}
MObject MPxGeometryFilter::thisMObject() const { return MPxNode::thisMObject(); }
MPxNode::Type MPxDeformerNode::type() const { return kDeformerNode; }
MStatus MPxDeformerNode::setDeformationDetails(unsigned int flags) {
    return MPxGeometryFilter::setDeformationDetails(flags);
}
unsigned int MPxDeformerNode::getDeformationDetails(MStatus* s) { return MPxGeometryFilter::getDeformationDetails(s); }
void MPxDeformerNode::setUseExistingConnectionWhenSetEditing(bool) {}

namespace {

/// The vertices that input[index] is about: those of the component tag, all of them without one.
std::vector<unsigned int> subset(const MeshData& mesh, Block& block, unsigned int index) {
    const Path expression =
        child_of(element_of(path_of(*as<Attribute>(MPxGeometryFilter::input)), static_cast<int>(index)),
                 *as<Attribute>(MPxGeometryFilter::componentTagExpression));
    evaluate(block, expression);
    const std::string text = block.value(expression).text.asUTF8();
    std::vector<unsigned int> vertices;
    if (text.empty() || text == "*") {
        for (unsigned int i = 0; i < mesh.vertices(); ++i) vertices.push_back(i);
        return vertices;
    }
    const auto tag = mesh.tags.find(text);
    if (tag != mesh.tags.end())
        for (int i : tag->second->elements) vertices.push_back(static_cast<unsigned int>(i));
    return vertices;
}

Path input_path(unsigned int index) {
    return child_of(element_of(path_of(*as<Attribute>(MPxGeometryFilter::input)), static_cast<int>(index)),
                    *as<Attribute>(MPxGeometryFilter::inputGeom));
}

thread_local MIndexMapper mapper;

} // namespace

/// Which vertices are deformed, as indices into the whole geometry and back.
const MIndexMapper& MPxGeometryFilter::indexMapper(unsigned int index, MStatus* s) const {
    Block& block = block_in(*standin_node, current_context());
    evaluate(block, input_path(index));
    auto mesh = std::dynamic_pointer_cast<MeshData>(block.value(input_path(index)).data);
    MUintArray map;
    for (unsigned int i : mesh ? subset(*mesh, block, index) : std::vector<unsigned int>()) map.append(i);
    mapper = MIndexMapper(mesh ? static_cast<unsigned int>(mesh->vertices()) : 0, map);
    if (s) *s = mesh ? MStatus::kSuccess : MStatus::kFailure;
    return mapper;
}
const MIndexMapper& MPxDeformerNode::indexMapper(unsigned int index, MStatus* s) const {
    return MPxGeometryFilter::indexMapper(index, s);
}

/// The painted weight of a vertex, by its index in the whole geometry; 1 where nothing is painted. It is what the data
/// block has stored (MPxDeformerNode::weightValue): falloffs are not in it.
float MPxDeformerNode::weightValue(MDataBlock& data, unsigned int index, unsigned int vertex) {
    Block& block = *data.standin_block();
    const Path list = path_of(*as<Attribute>(weightList));
    evaluate(block, list);
    const Value& lists = block.value(list);
    const auto of = lists.elements.find(index);
    if (of == lists.elements.end()) return 1;
    const Value& painted = of->second->child(0);
    const auto found = painted.elements.find(vertex);
    return found == painted.elements.end() ? 1 : static_cast<float>(found->second->get_number());
}

/// For each deformed vertex, in the order of the index mapper, what is painted times what the falloff gives; null where
/// all are 1. The envelope is not in it (simpleDeformer among the examples of Maya 2025's devkit multiplies by it itself;
/// weightFunction of geometryFilter in the node reference).
const float* MPxDeformerNode::envelopeWeights(MDataBlock& data, unsigned int index, unsigned int* count) {
    Block& block = *data.standin_block();
    const Path path = element_of(path_of(*block.node->find("weightFunction")), static_cast<int>(index));
    evaluate(block, path);
    const auto falloff = std::dynamic_pointer_cast<DoubleArrayData>(block.value(path).data);
    const MIndexMapper& deformed = indexMapper(index);
    thread_local std::vector<float> result;
    result.clear();
    for (unsigned int i = 0; i < deformed.affectCount(); ++i) {
        const unsigned int vertex = deformed.affectToFull(i);
        const double by = falloff && vertex < falloff->items.length() ? falloff->items[vertex] : 1;
        result.push_back(static_cast<float>(by) * weightValue(data, index, vertex));
    }
    const bool plain = std::all_of(result.begin(), result.end(), [](float weight) { return weight == 1.0F; });
    if (count) *count = plain ? 0 : static_cast<unsigned int>(result.size());
    return plain ? nullptr : result.data();
}

namespace standin {

/// For outputGeometry[i]: a copy of input[i].inputGeometry is given to deform(), which may move the vertices of the
/// subset; node state HasNoEffect gives the copy as it is. The envelope is for deform() to read (MPxGeometryFilter).
MStatus filter_compute(MPxNode& user, const MPlug& plug, MDataBlock& data) {
    if (plug != MPxGeometryFilter::outputGeom || !plug.isElement()) return MStatus::kUnknownParameter;
    Block& block = *data.standin_block();
    const unsigned int index = plug.logicalIndex();
    MStatus failed = failing_status(block, input_path(index));
    if (!failed) return failed;
    evaluate(block, input_path(index));
    auto geometry = std::dynamic_pointer_cast<GeometryData>(block.value(input_path(index)).data);
    Value& output = block.value(plug.standin_path());
    if (!geometry) {
        output.data = nullptr;
        output.mark(true);
        return MStatus();
    }
    output.data = geometry->clone();
    auto mesh = std::dynamic_pointer_cast<MeshData>(output.data);
    const short state = data.inputValue(MPxNode::state).asShort();
    MStatus status;
    auto* filter = dynamic_cast<MPxGeometryFilter*>(&user);
    if (mesh && filter && state == 0) {
        MItGeometry points(mesh, subset(*mesh, block, index), false);
        status = filter->deform(data, points, mesh->matrix, index);
    }
    output.mark(true);
    return status;
}

} // namespace standin
