// Meshes and curves, and the iterator over the points of a geometry.

#include "world.h"

#include <maya/MFnMesh.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MItGeometry.h>

#include <algorithm>

using namespace standin;

namespace {

std::shared_ptr<Data> geometry_of(const MObject& object, const char* output) {
    if (auto data = as<Data>(object)) return data;
    Node* node = node_of(object);
    const auto attribute = node ? node->find(output) : nullptr;
    return attribute ? pulled(to_plug({node, path_of(*attribute)})).data : nullptr;
}

/// The mesh inside mesh data. What geometry data adds to it (MFnGeometryData: the matrix, groups, tags) no function of
/// MFnMesh is documented to copy, so that it stays what it was here.
void replace_mesh(MeshData& data, const MeshData& mesh) {
    MeshData made(mesh);
    made.matrix = data.matrix;
    made.tags = data.tags;
    made.groups = data.groups;
    data = std::move(made);
}

/// A shape that was made with data of its own: its input keeps it.
MObject put(const std::shared_ptr<Data>& data, const MObject& owner, const char* type, const char* input,
            MStatus* status) {
    if (owner.isNull() || owner.hasFn(MFn::kTransform)) {
        MFnDagNode dag;
        MObject parent = owner;
        const MObject made = dag.create(type, "", parent, status);
        Node* shape = node_of(dag.object());
        if (shape)
            MPlug(dag.object(), object_of(*shape->find(input)))
                .setMObject(object_of(std::static_pointer_cast<Thing>(data)));
        return made;
    }
    auto kept = as<MeshData>(owner);
    auto from = std::dynamic_pointer_cast<MeshData>(data);
    if (kept && from) {
        replace_mesh(*kept, *from);
        return give(owner, status);
    }
    auto curve = as<CurveData>(owner);
    auto from_curve = std::dynamic_pointer_cast<CurveData>(data);
    if (!curve || !from_curve) return give(MObject(), status, MStatus::kInvalidParameter);
    *curve = *from_curve;
    return give(owner, status);
}

template <class Points>
std::shared_ptr<MeshData> build(int vertices, int polygons, const Points& points, const MIntArray& counts,
                                const MIntArray& connects) {
    auto mesh = std::make_shared<MeshData>();
    if (static_cast<unsigned int>(vertices) > points.length() || static_cast<unsigned int>(polygons) > counts.length())
        return nullptr;
    for (unsigned int i = 0; i < static_cast<unsigned int>(vertices); ++i)
        for (unsigned int j = 0; j < 3; ++j) mesh->points.push_back(static_cast<float>(points[i][j]));
    mesh->counts.assign(counts.begin(), counts.end());
    mesh->connects.assign(connects.begin(), connects.end());
    for (int corner : mesh->connects)
        if (corner < 0 || corner >= vertices) return nullptr;
    return mesh;
}

} // namespace

MeshData* MFnMesh::mesh() const { return dynamic_cast<MeshData*>(geometry_of(object_, "outMesh").get()); }

/// Into mesh data if the owner is such, or as a new shape below a transform (MFnMesh::create).
MObject MFnMesh::create(int vertices, int polygons, const MFloatPointArray& points, const MIntArray& counts,
                        const MIntArray& connects, MObject owner, MStatus* s) {
    auto made = build(vertices, polygons, points, counts, connects);
    return object_ = made ? put(made, owner, "mesh", "inMesh", s) : give(MObject(), s, MStatus::kInvalidParameter);
}
MObject MFnMesh::create(int vertices, int polygons, const MPointArray& points, const MIntArray& counts,
                        const MIntArray& connects, MObject owner, MStatus* s) {
    auto made = build(vertices, polygons, points, counts, connects);
    return object_ = made ? put(made, owner, "mesh", "inMesh", s) : give(MObject(), s, MStatus::kInvalidParameter);
}
MObject MFnMesh::copy(const MObject& source, MObject owner, MStatus* s) {
    auto from = std::dynamic_pointer_cast<MeshData>(geometry_of(source, "outMesh"));
    return object_ = from ? put(from, owner, "mesh", "inMesh", s) : give(MObject(), s, MStatus::kInvalidParameter);
}
MStatus MFnMesh::createInPlace(int vertices, int polygons, const MFloatPointArray& points, const MIntArray& counts,
                               const MIntArray& connects) {
    auto made = build(vertices, polygons, points, counts, connects);
    return made && mesh() ? (replace_mesh(*mesh(), *made), MStatus()) : MStatus::kInvalidParameter;
}
MStatus MFnMesh::copyInPlace(const MObject& source) {
    auto from = std::dynamic_pointer_cast<MeshData>(geometry_of(source, "outMesh"));
    return from && mesh() ? (replace_mesh(*mesh(), *from), MStatus()) : MStatus::kInvalidParameter;
}
int MFnMesh::numVertices(MStatus* s) const {
    return give(mesh() ? static_cast<int>(mesh()->vertices()) : 0, s, good(mesh()));
}
int MFnMesh::numPolygons(MStatus* s) const {
    return give(mesh() ? static_cast<int>(mesh()->counts.size()) : 0, s, good(mesh()));
}
int MFnMesh::numFaceVertices(MStatus* s) const {
    return give(mesh() ? static_cast<int>(mesh()->connects.size()) : 0, s, good(mesh()));
}
int MFnMesh::polygonVertexCount(int i, MStatus* s) const {
    const MeshData* m = mesh();
    if (!m || i < 0 || static_cast<std::size_t>(i) >= m->counts.size()) return give(0, s, MStatus::kInvalidParameter);
    return give(m->counts[static_cast<std::size_t>(i)], s);
}
MStatus MFnMesh::updateSurface() { return good(mesh()); }
/// Three numbers per vertex, in the memory of the mesh; good until the mesh changes (MFnMesh::getRawPoints).
const float* MFnMesh::getRawPoints(MStatus* s) const {
    const MeshData* m = mesh();
    return give(m ? m->points.data() : nullptr, s, good(m));
}

namespace {

/// The world matrix of a shape; data has the matrix that it came with.
MMatrix to_space(const MObject& object, const MeshData& mesh, MSpace::Space space) {
    if (space != MSpace::kWorld) return MMatrix();
    MDagPath path;
    return node_of(object) && MDagPath::getAPathTo(object, path) ? path.inclusiveMatrix() : mesh.matrix;
}

template <class Points>
MStatus read_points(const MObject& object, const MeshData* mesh, Points& to, MSpace::Space space) {
    if (!mesh) return MStatus::kFailure;
    to.setLength(static_cast<unsigned int>(mesh->vertices()));
    const MMatrix matrix = to_space(object, *mesh, space);
    for (unsigned int i = 0; i < to.length(); ++i) {
        const float* p = &mesh->points[i * 3];
        const MFloatPoint point(p[0], p[1], p[2]);
        if (space == MSpace::kWorld) to[i] = MPoint(point) * matrix;
        else to[i] = point;
    }
    return MStatus();
}

template <class Points>
MStatus write_points(const MObject& object, MeshData* mesh, const Points& from, MSpace::Space space) {
    if (!mesh || from.length() != mesh->vertices()) return MStatus::kInvalidParameter;
    const MMatrix matrix = to_space(object, *mesh, space).inverse();
    for (unsigned int i = 0; i < from.length(); ++i) {
        const MPoint point = space == MSpace::kWorld ? MPoint(from[i]) * matrix : MPoint(from[i]);
        for (unsigned int j = 0; j < 3; ++j) mesh->points[i * 3 + j] = static_cast<float>(point[j]);
    }
    return MStatus();
}

} // namespace

MStatus MFnMesh::getPoints(MFloatPointArray& to, MSpace::Space space) const {
    return read_points(object_, mesh(), to, space);
}
MStatus MFnMesh::getPoints(MPointArray& to, MSpace::Space space) const {
    return read_points(object_, mesh(), to, space);
}

namespace {

/// Data is changed in place. The points of a shape are an edit of its input, and it must have no history.
template <class Change> MStatus edit(const MObject& object, MeshData* mesh, Change change) {
    Node* node = node_of(object);
    if (!node) return mesh ? change(*mesh) : MStatus::kFailure;
    if (!mesh) return MStatus::kFailure;
    auto copy = std::make_shared<MeshData>(*mesh);
    MStatus status = change(*copy);
    if (!status) return status;
    return set_value(to_plug({node, path_of(*node->find("inMesh"))}), [&](Value& value) {
        value.data = copy;
        return true;
    });
}

} // namespace

MStatus MFnMesh::setPoints(MFloatPointArray& from, MSpace::Space space) {
    return edit(object_, mesh(), [&](MeshData& m) { return write_points(object_, &m, from, space); });
}
MStatus MFnMesh::setPoints(MPointArray& from, MSpace::Space space) {
    return edit(object_, mesh(), [&](MeshData& m) { return write_points(object_, &m, from, space); });
}
MStatus MFnMesh::setPoint(int i, const MPoint& point, MSpace::Space) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        if (i < 0 || static_cast<std::size_t>(i) >= m.vertices()) return MStatus::kInvalidParameter;
        for (unsigned int j = 0; j < 3; ++j)
            m.points[static_cast<std::size_t>(i) * 3 + j] = static_cast<float>(point[j]);
        return MStatus();
    });
}
MStatus MFnMesh::getPoint(int i, MPoint& point, MSpace::Space space) const {
    MPointArray all;
    MStatus status = getPoints(all, space);
    if (!status || i < 0 || static_cast<unsigned int>(i) >= all.length()) return MStatus::kInvalidParameter;
    return point = all[static_cast<unsigned int>(i)], MStatus();
}
MStatus MFnMesh::getVertices(MIntArray& counts, MIntArray& list) const {
    const MeshData* m = mesh();
    if (!m) return MStatus::kFailure;
    counts = MIntArray(m->counts.data(), static_cast<unsigned int>(m->counts.size()));
    list = MIntArray(m->connects.data(), static_cast<unsigned int>(m->connects.size()));
    return MStatus();
}

namespace {
std::size_t corner_before(const std::vector<int>& counts, std::size_t face) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < face; ++i) at += static_cast<std::size_t>(counts[i]);
    return at;
}
} // namespace

MStatus MFnMesh::getPolygonVertices(int i, MIntArray& list) const {
    MStatus status;
    const int count = polygonVertexCount(i, &status);
    list.clear();
    if (!status) return status;
    const std::size_t from = corner_before(mesh()->counts, static_cast<std::size_t>(i));
    for (int j = 0; j < count; ++j) list.append(mesh()->connects[from + static_cast<std::size_t>(j)]);
    return MStatus();
}
/// Fans from the first corner of each face; Maya looks at the shape of faces.
MStatus MFnMesh::getTriangles(MIntArray& counts, MIntArray& vertices) const {
    const MeshData* m = mesh();
    counts.clear();
    vertices.clear();
    std::size_t from = 0;
    for (int count : m ? m->counts : std::vector<int>()) {
        counts.append(count - 2);
        for (std::size_t j = 2; j < static_cast<std::size_t>(count); ++j)
            for (std::size_t corner : {from, from + j - 1, from + j}) vertices.append(m->connects[corner]);
        from += static_cast<std::size_t>(count);
    }
    return good(m);
}
MStatus MFnMesh::getVertexNormals(bool, MFloatVectorArray& normals, MSpace::Space) const {
    MIntArray counts, triangles;
    MPointArray points;
    if (!getTriangles(counts, triangles) || !getPoints(points)) return MStatus::kFailure;
    std::vector<MVector> sums(points.length());
    for (unsigned int i = 0; i + 2 < triangles.length(); i += 3) {
        const auto corner = [&](unsigned int j) { return static_cast<unsigned int>(triangles[i + j]); };
        const MVector area = (points[corner(1)] - points[corner(0)]) ^ (points[corner(2)] - points[corner(0)]);
        for (unsigned int j = 0; j < 3; ++j) sums[corner(j)] += area;
    }
    normals.clear();
    for (const MVector& sum : sums) normals.append(sum.normal());
    return MStatus();
}

// UVs: a list of UVs, and for each corner which of them it has (setUVs and assignUVs).
namespace {
UvSet* set_of(MeshData* mesh, const MString* name) {
    return mesh ? mesh->uv_set(name && name->length() ? std::string(name->asUTF8()) : mesh->current_uv_set) : nullptr;
}
} // namespace

int MFnMesh::numUVs(MStatus* s) const { return numUVs(currentUVSetName(), s); }
int MFnMesh::numUVs(const MString& name, MStatus* s) const {
    const UvSet* set = set_of(mesh(), &name);
    return give(set ? static_cast<int>(set->u.size()) : 0, s, good(set));
}
int MFnMesh::numUVSets(MStatus* s) const {
    return give(mesh() ? static_cast<int>(mesh()->uv_sets.size()) : 0, s, good(mesh()));
}
/// A name that is taken gets a number.
MString MFnMesh::createUVSetWithName(const MString& wanted, MDGModifier*, MStatus* s, const MUintArray*) {
    std::string name = wanted.asUTF8();
    for (unsigned int i = 1; mesh() && mesh()->uv_set(name); ++i) name = wanted.asUTF8() + std::to_string(i);
    MStatus status = edit(object_, mesh(), [&](MeshData& m) {
        m.uv_sets.push_back(UvSet{name, {}, {}, std::vector<int>(m.counts.size(), 0), {}});
        return MStatus();
    });
    return give(standin::text(status ? name : ""), s, status);
}
MString MFnMesh::createUVSetDataMeshWithName(const MString& name, MStatus* s) {
    return createUVSetWithName(name, nullptr, s);
}
MStatus MFnMesh::createUVSet(MString& name, MDGModifier*, const MUintArray*) {
    MStatus status;
    name = createUVSetWithName(name, nullptr, &status);
    return status;
}
MStatus MFnMesh::createUVSetDataMesh(MString& name) { return createUVSet(name); }
MString MFnMesh::copyUVSetWithName(const MString& from, const MString& to, MDGModifier*, MStatus* s) {
    if (!set_of(mesh(), &from)) return give(MString(), s, MStatus::kInvalidParameter);
    const std::string name = set_of(mesh(), &to) ? to.asUTF8() : createUVSetWithName(to).asUTF8();
    MStatus status = edit(object_, mesh(), [&](MeshData& m) {
        UvSet copy = *m.uv_set(from.asUTF8());
        copy.name = name;
        *m.uv_set(name) = copy;
        return MStatus();
    });
    return give(standin::text(name), s, status);
}
MStatus MFnMesh::copyUVSet(const MString& from, MString& to, MDGModifier*) {
    MStatus status;
    to = copyUVSetWithName(from, to, nullptr, &status);
    return status;
}
/// The first set, which is the default one, stays.
MStatus MFnMesh::deleteUVSet(const MString& name, MDGModifier*, MSelectionList*) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        if (!m.uv_set(name.asUTF8()) || m.uv_sets.front().name == name.asUTF8()) return MStatus::kInvalidParameter;
        m.uv_sets.erase(std::find_if(m.uv_sets.begin(), m.uv_sets.end(),
                                     [&](const UvSet& each) { return each.name == name.asUTF8(); }));
        if (!m.uv_set(m.current_uv_set)) m.current_uv_set = m.uv_sets.front().name;
        return MStatus();
    });
}
MStatus MFnMesh::setCurrentUVSetName(const MString& name, MDGModifier*, MSelectionList*) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        if (!m.uv_set(name.asUTF8())) return MStatus::kInvalidParameter;
        return m.current_uv_set = name.asUTF8(), MStatus();
    });
}
MString MFnMesh::currentUVSetName(MStatus* s, int) const {
    return give(standin::text(mesh() ? mesh()->current_uv_set : ""), s, good(mesh()));
}
MStatus MFnMesh::getCurrentUVSetName(MString& name, int) const {
    MStatus status;
    name = currentUVSetName(&status);
    return status;
}
MStatus MFnMesh::getUVSetNames(MStringArray& names) const {
    names.clear();
    const MeshData* m = mesh();
    for (std::size_t i = 0; m && i < m->uv_sets.size(); ++i) names.append(standin::text(m->uv_sets[i].name));
    return good(m);
}
/// The list must not become shorter than what corners use: clearUVs first (MFnMesh::setUVs).
MStatus MFnMesh::setUVs(const MFloatArray& u, const MFloatArray& v, const MString* name) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        UvSet* set = set_of(&m, name);
        if (!set || u.length() != v.length() || u.length() < set->u.size()) return MStatus::kInvalidParameter;
        set->u.assign(u.begin(), u.end());
        set->v.assign(v.begin(), v.end());
        return MStatus();
    });
}
MStatus MFnMesh::getUVs(MFloatArray& u, MFloatArray& v, const MString* name) const {
    const UvSet* set = set_of(mesh(), name);
    if (!set) return MStatus::kInvalidParameter;
    u = MFloatArray(set->u.data(), static_cast<unsigned int>(set->u.size()));
    v = MFloatArray(set->v.data(), static_cast<unsigned int>(set->v.size()));
    return MStatus();
}
MStatus MFnMesh::setUV(int i, float u, float v, const MString* name) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        UvSet* set = set_of(&m, name);
        if (!set || i < 0) return MStatus::kInvalidParameter;
        const std::size_t at = static_cast<std::size_t>(i);
        if (at >= set->u.size()) set->u.resize(at + 1), set->v.resize(at + 1);
        return set->u[at] = u, set->v[at] = v, MStatus();
    });
}
MStatus MFnMesh::getUV(int i, float& u, float& v, const MString* name) const {
    const UvSet* set = set_of(mesh(), name);
    if (!set || i < 0 || static_cast<std::size_t>(i) >= set->u.size()) return MStatus::kInvalidParameter;
    return u = set->u[static_cast<std::size_t>(i)], v = set->v[static_cast<std::size_t>(i)], MStatus();
}
MStatus MFnMesh::getPolygonUVid(int face, int corner, int& id, const MString* name) const {
    const UvSet* set = set_of(mesh(), name);
    if (!set || face < 0 || static_cast<std::size_t>(face) >= set->counts.size()) return MStatus::kInvalidParameter;
    if (corner < 0 || corner >= set->counts[static_cast<std::size_t>(face)]) return MStatus::kInvalidParameter;
    id = set->ids[corner_before(set->counts, static_cast<std::size_t>(face)) + static_cast<std::size_t>(corner)];
    return MStatus();
}
MStatus MFnMesh::assignUV(int face, int corner, int id, const MString* name) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        UvSet* set = set_of(&m, name);
        if (!set || face < 0 || static_cast<std::size_t>(face) >= m.counts.size() || id < 0 ||
            static_cast<std::size_t>(id) >= set->u.size())
            return MStatus::kInvalidParameter;
        set->counts.resize(m.counts.size(), 0);
        const std::size_t at = static_cast<std::size_t>(face), from = corner_before(set->counts, at);
        if (corner < 0 || corner >= m.counts[at]) return MStatus::kInvalidParameter;
        if (set->counts[at] == 0) {
            set->counts[at] = m.counts[at];
            set->ids.insert(set->ids.begin() + static_cast<std::ptrdiff_t>(from),
                            static_cast<std::size_t>(m.counts[at]), id);
        }
        return set->ids[from + static_cast<std::size_t>(corner)] = id, MStatus();
    });
}
/// A count for each face, which is 0 or the number of its corners; UVs that do not exist are refused.
MStatus MFnMesh::assignUVs(const MIntArray& counts, const MIntArray& ids, const MString* name) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        UvSet* set = set_of(&m, name);
        if (!set || counts.length() != m.counts.size()) return MStatus::kInvalidParameter;
        std::size_t sum = 0;
        for (unsigned int i = 0; i < counts.length(); ++i) {
            if (counts[i] != 0 && counts[i] != m.counts[i]) return MStatus::kInvalidParameter;
            sum += static_cast<std::size_t>(counts[i]);
        }
        for (int id : ids)
            if (id < 0 || static_cast<std::size_t>(id) >= set->u.size()) return MStatus::kInvalidParameter;
        if (sum != ids.length()) return MStatus::kInvalidParameter;
        set->counts.assign(counts.begin(), counts.end());
        set->ids.assign(ids.begin(), ids.end());
        return MStatus();
    });
}
MStatus MFnMesh::clearUVs(const MString* name) {
    return edit(object_, mesh(), [&](MeshData& m) -> MStatus {
        UvSet* set = set_of(&m, name);
        if (!set) return MStatus::kInvalidParameter;
        set->u.clear(), set->v.clear(), set->ids.clear();
        set->counts.assign(m.counts.size(), 0);
        return MStatus();
    });
}
MStatus MFnMesh::getAssignedUVs(MIntArray& counts, MIntArray& ids, const MString* name) const {
    const UvSet* set = set_of(mesh(), name);
    if (!set) return MStatus::kInvalidParameter;
    counts = MIntArray(set->counts.data(), static_cast<unsigned int>(set->counts.size()));
    // A set that nothing was ever assigned in has no UVs on any face.
    if (set->counts.empty()) counts = MIntArray(static_cast<unsigned int>(mesh()->counts.size()), 0);
    ids = MIntArray(set->ids.data(), static_cast<unsigned int>(set->ids.size()));
    return MStatus();
}
