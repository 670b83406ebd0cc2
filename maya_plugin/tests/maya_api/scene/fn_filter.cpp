// Function sets of deformers and skin clusters, and the walk along connections.

#include "world.h"

#include <maya/MDagPathArray.h>
#include <maya/MFnGeometryFilter.h>
#include <maya/MFnSkinCluster.h>
#include <maya/MItDependencyGraph.h>
#include <maya/MPxDeformerNode.h>

using namespace standin;

namespace {

/// The shape that a geometry comes from or goes to, through other deformers.
Node* shape_along(Node& filter, int index, bool up, unsigned int depth = 0) {
    Path path = up ? child_of(element_of(path_of(*filter.find("input")), index), *filter.find("inputGeometry"))
                   : element_of(path_of(*filter.find("outputGeometry")), index);
    std::vector<PlugKey> next;
    if (up) {
        if (const PlugKey* source = source_of({&filter, path})) next.push_back(*source);
    } else {
        const auto found = world().destinations.find({&filter, path});
        if (found != world().destinations.end()) next.assign(found->second.begin(), found->second.end());
    }
    for (const PlugKey& key : next) {
        if (key.first->kind->shape) return key.first;
        if (key.first->has(MFn::kGeometryFilt) && depth < 100)
            if (Node* shape = shape_along(*key.first, key.second.front().index, up, depth + 1)) return shape;
    }
    return nullptr;
}

MObject object_or_null(Node* node) { return node ? object_of(*node) : MObject(); }

} // namespace

MStatus MFnGeometryFilter::getInputGeometry(MObjectArray& objects) const {
    objects.clear();
    for (unsigned int i = 0; node() && i < numOutputConnections(); ++i)
        objects.append(inputShapeAtIndex(indexForOutputConnection(i)));
    return node() ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MFnGeometryFilter::getOutputGeometry(MObjectArray& objects) const {
    objects.clear();
    for (unsigned int i = 0; node() && i < numOutputConnections(); ++i)
        objects.append(outputShapeAtIndex(indexForOutputConnection(i)));
    return node() ? MStatus::kSuccess : MStatus::kFailure;
}
MObject MFnGeometryFilter::inputShapeAtIndex(unsigned int i, MStatus* s) const {
    Node* shape = node() ? shape_along(*node(), static_cast<int>(i), true) : nullptr;
    return give(object_or_null(shape), s, shape ? MStatus::kSuccess : MStatus::kFailure);
}
MObject MFnGeometryFilter::outputShapeAtIndex(unsigned int i, MStatus* s) const {
    Node* shape = node() ? shape_along(*node(), static_cast<int>(i), false) : nullptr;
    return give(object_or_null(shape), s, shape ? MStatus::kSuccess : MStatus::kFailure);
}
unsigned int MFnGeometryFilter::indexForOutputShape(const MObject& shape, MStatus* s) const {
    for (unsigned int i = 0; node() && i < numOutputConnections(); ++i)
        if (outputShapeAtIndex(indexForOutputConnection(i)) == shape) return give(indexForOutputConnection(i), s);
    return give(0U, s, MStatus::kFailure);
}
MStatus MFnGeometryFilter::getPathAtIndex(unsigned int i, MDagPath& path) const {
    return MDagPath::getAPathTo(outputShapeAtIndex(i), path);
}
unsigned int MFnGeometryFilter::numOutputConnections(MStatus* s) const {
    return give(node() ? static_cast<unsigned int>(indices_of(*node(), path_of(*node()->find("outputGeometry"))).size())
                       : 0U,
                s);
}
unsigned int MFnGeometryFilter::indexForOutputConnection(unsigned int i, MStatus* s) const {
    const std::vector<int> all =
        node() ? indices_of(*node(), path_of(*node()->find("outputGeometry"))) : std::vector<int>();
    if (i >= all.size()) return give(0U, s, MStatus::kInvalidParameter);
    return give(static_cast<unsigned int>(all[i]), s);
}
float MFnGeometryFilter::envelope(MStatus* s) const { return findPlug("envelope", true).asFloat(s); }
MStatus MFnGeometryFilter::setEnvelope(float value) { return findPlug("envelope", true).setFloat(value); }

/// The joints, in the order of the indices of the matrices; influenceIndex is the place in this order.
unsigned int MFnSkinCluster::influenceObjects(MDagPathArray& paths, MStatus* s) const {
    paths.clear();
    const Path matrices = node() ? path_of(*node()->find("matrix")) : Path();
    for (int i : node() ? indices_of(*node(), matrices) : std::vector<int>())
        if (const PlugKey* source = source_of({node(), element_of(matrices, i)})) {
            MDagPath path;
            MDagPath::getAPathTo(object_of(*source->first), path);
            paths.append(path);
        }
    return give(paths.length(), s, node() ? MStatus::kSuccess : MStatus::kFailure);
}
/// The index of the matrix, which is what weights are stored by: not the place among the influences.
unsigned int MFnSkinCluster::indexForInfluenceObject(const MDagPath& path, MStatus* s) const {
    const Path matrices = node() ? path_of(*node()->find("matrix")) : Path();
    for (int i : node() ? indices_of(*node(), matrices) : std::vector<int>()) {
        const PlugKey* source = source_of({node(), element_of(matrices, i)});
        if (source && object_of(*source->first) == path.node()) return give(static_cast<unsigned int>(i), s);
    }
    return give(0U, s, MStatus::kFailure);
}
/// For each vertex of the component a weight for each influence, influences fastest.
MStatus MFnSkinCluster::getWeights(const MDagPath&, const MObject& components, MDoubleArray& weights,
                                   unsigned int& count) const {
    MDagPathArray paths;
    auto component = as<Component>(components);
    if (!node() || !component) return MStatus::kInvalidParameter;
    count = influenceObjects(paths);
    const Value& lists = pulled(findPlug("weightList", true));
    weights.clear();
    const int vertices = component->complete ? component->count : static_cast<int>(component->elements.size());
    for (int i = 0; i < vertices; ++i) {
        const int vertex = component->complete ? i : component->elements[static_cast<std::size_t>(i)];
        const auto list = lists.elements.find(static_cast<unsigned int>(vertex));
        for (unsigned int j = 0; j < count; ++j) {
            double weight = 0;
            if (list != lists.elements.end()) {
                const auto& items = list->second->children[0]->elements;
                const auto found = items.find(indexForInfluenceObject(paths[j]));
                if (found != items.end()) weight = found->second->get_number();
            }
            weights.append(weight);
        }
    }
    return MStatus();
}
MStatus MFnSkinCluster::getWeights(const MDagPath& path, const MObject& components, unsigned int influence,
                                   MDoubleArray& weights) const {
    MDoubleArray all;
    unsigned int count = 0;
    MStatus status = getWeights(path, components, all, count);
    if (!status || influence >= count) return MStatus::kInvalidParameter;
    weights.clear();
    for (unsigned int i = influence; i < all.length(); i += count) weights.append(all[i]);
    return MStatus();
}

MItDependencyGraph::MItDependencyGraph(MObject& root, MFn::Type filter, Direction direction, Traversal traversal,
                                       Level level, MStatus* s) {
    walk(root, direction, traversal, level, filter);
    if (s) *s = node_of(root) ? MStatus::kSuccess : MStatus::kInvalidParameter;
}
MItDependencyGraph::MItDependencyGraph(MPlug& root, MFn::Type filter, Direction direction, Traversal traversal, Level,
                                       MStatus* s) {
    walk(root, direction, traversal, filter);
    if (s) *s = root.isNull() ? MStatus::kInvalidParameter : MStatus::kSuccess;
}
MStatus MItDependencyGraph::next() { return ++at_, MStatus(); }
bool MItDependencyGraph::isDone(MStatus* s) { return give(at_ >= found_.size(), s); }
MObject MItDependencyGraph::currentItem(MStatus* s) { return give(isDone() ? MObject() : found_[at_].node, s); }
MPlug MItDependencyGraph::thisPlug(MStatus* s) { return give(isDone() ? MPlug() : found_[at_].plug, s); }

/// Nodes that are reached along connections, each once, beginning with the root.
void MItDependencyGraph::walk(const MObject& root, Direction direction, Traversal traversal, Level, MFn::Type filter) {
    std::vector<Found> todo{Found{root, MPlug()}};
    std::set<Node*> seen{node_of(root)};
    while (!todo.empty()) {
        const Found item = traversal == kDepthFirst ? todo.back() : todo.front();
        todo.erase(traversal == kDepthFirst ? todo.end() - 1 : todo.begin());
        Node* node = node_of(item.node);
        if (!node) continue;
        if (filter == MFn::kInvalid || node->has(filter)) found_.push_back(item);
        for (const auto& link : world().sources) {
            const PlugKey &from = direction == kDownstream ? link.second : link.first,
                          &to = direction == kDownstream ? link.first : link.second;
            if (from.first == node && seen.insert(to.first).second)
                todo.push_back(Found{object_of(*to.first), to_plug(to)});
        }
    }
}
void MItDependencyGraph::walk(const MPlug& root, Direction direction, Traversal traversal, MFn::Type filter) {
    std::vector<PlugKey> next;
    if (root.isNull()) return;
    for (const auto& link : world().sources) {
        const PlugKey &from = direction == kDownstream ? link.second : link.first,
                      &to = direction == kDownstream ? link.first : link.second;
        if (from.first == root.standin_node().get() && begins(from.second, root.standin_path())) next.push_back(to);
    }
    std::set<Node*> seen;
    for (const PlugKey& key : next) {
        const std::size_t before = found_.size();
        if (seen.insert(key.first).second) walk(object_of(*key.first), direction, traversal, kNodeLevel, filter);
        if (found_.size() > before && found_[before].node == object_of(*key.first)) found_[before].plug = to_plug(key);
    }
}
