// Function sets of data: arrays, matrices, texts, parts of geometry.

#include "world.h"

#include <maya/MFnComponentListData.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnFloatArrayData.h>
#include <maya/MFnGeometryData.h>
#include <maya/MFnIntArrayData.h>
#include <maya/MFnMatrixArrayData.h>
#include <maya/MFnMatrixData.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MFnPointArrayData.h>
#include <maya/MFnSingleIndexedComponent.h>
#include <maya/MFnStringArrayData.h>
#include <maya/MFnStringData.h>
#include <maya/MFnVectorArrayData.h>

#include <algorithm>

using namespace standin;

namespace {

template <class T> T* at(const MObject& object) { return dynamic_cast<T*>(object.standin_thing().get()); }

template <class T> MObject fresh(MObject& object, MStatus* status) {
    object = MObject(std::static_pointer_cast<Thing>(std::make_shared<T>()));
    return give(object, status);
}

} // namespace

// What all function sets of arrays have; Items is the class of the array.
#define STANDIN_ARRAY_DATA(Fn, DataType, Items)                                                                        \
    unsigned int Fn::length(MStatus* s) const {                                                                        \
        DataType* d = at<DataType>(object_);                                                                           \
        return give(d ? d->items.length() : 0U, s, good(d));                                                           \
    }                                                                                                                  \
    MStatus Fn::copyTo(Items& to) const {                                                                              \
        DataType* d = at<DataType>(object_);                                                                           \
        return d ? (to = d->items, MStatus()) : MStatus::kFailure;                                                     \
    }                                                                                                                  \
    MStatus Fn::set(const Items& from) {                                                                               \
        DataType* d = at<DataType>(object_);                                                                           \
        return d ? (d->items = from, MStatus()) : MStatus::kFailure;                                                   \
    }                                                                                                                  \
    Items Fn::array(MStatus* s) {                                                                                      \
        DataType* d = at<DataType>(object_);                                                                           \
        return give(d ? d->items : Items(), s, good(d));                                                               \
    }                                                                                                                  \
    MObject Fn::create(MStatus* s) { return fresh<DataType>(object_, s); }                                             \
    MObject Fn::create(const Items& in, MStatus* s) {                                                                  \
        fresh<DataType>(object_, s);                                                                                   \
        set(in);                                                                                                       \
        return object_;                                                                                                \
    }

// What those have beside that give elements; Element is what set() takes.
#define STANDIN_ARRAY_ITEMS(Fn, DataType, Element, Read)                                                               \
    MStatus Fn::set(Element element, unsigned int index) {                                                             \
        DataType* d = at<DataType>(object_);                                                                           \
        return d ? d->items.set(element, index) : MStatus::kFailure;                                                   \
    }                                                                                                                  \
    Read Fn::operator[](unsigned int index) const { return at<DataType>(object_)->items[index]; }

STANDIN_ARRAY_DATA(MFnDoubleArrayData, DoubleArrayData, MDoubleArray)
STANDIN_ARRAY_ITEMS(MFnDoubleArrayData, DoubleArrayData, double, double)
double& MFnDoubleArrayData::operator[](unsigned int i) { return at<DoubleArrayData>(object_)->items[i]; }
STANDIN_ARRAY_DATA(MFnFloatArrayData, FloatArrayData, MFloatArray)
STANDIN_ARRAY_ITEMS(MFnFloatArrayData, FloatArrayData, float, float)
float& MFnFloatArrayData::operator[](unsigned int i) { return at<FloatArrayData>(object_)->items[i]; }
STANDIN_ARRAY_DATA(MFnIntArrayData, IntArrayData, MIntArray)
STANDIN_ARRAY_ITEMS(MFnIntArrayData, IntArrayData, int, int)
int& MFnIntArrayData::operator[](unsigned int i) { return at<IntArrayData>(object_)->items[i]; }
STANDIN_ARRAY_DATA(MFnVectorArrayData, VectorArrayData, MVectorArray)
STANDIN_ARRAY_ITEMS(MFnVectorArrayData, VectorArrayData, MVector&, const MVector&)
MVector& MFnVectorArrayData::operator[](unsigned int i) { return at<VectorArrayData>(object_)->items[i]; }
STANDIN_ARRAY_DATA(MFnPointArrayData, PointArrayData, MPointArray)
STANDIN_ARRAY_ITEMS(MFnPointArrayData, PointArrayData, MPoint&, const MPoint&)
MPoint& MFnPointArrayData::operator[](unsigned int i) { return at<PointArrayData>(object_)->items[i]; }
STANDIN_ARRAY_DATA(MFnMatrixArrayData, MatrixArrayData, MMatrixArray)
STANDIN_ARRAY_ITEMS(MFnMatrixArrayData, MatrixArrayData, MMatrix&, const MMatrix&)
MMatrix& MFnMatrixArrayData::operator[](unsigned int i) { return at<MatrixArrayData>(object_)->items[i]; }
STANDIN_ARRAY_DATA(MFnStringArrayData, StringArrayData, MStringArray)

bool MFnMatrixData::isTransformation(MStatus* s) const { return give(false, s, good(at<MatrixData>(object_))); }
MTransformationMatrix MFnMatrixData::transformation(MStatus* s) const { return matrix(s); }
const MMatrix& MFnMatrixData::matrix(MStatus* s) const {
    MatrixData* d = at<MatrixData>(object_);
    if (s) *s = good(d);
    return d ? d->items : MMatrix::identity;
}
MStatus MFnMatrixData::set(const MMatrix& matrix) {
    MatrixData* d = at<MatrixData>(object_);
    return d ? (d->items = matrix, MStatus()) : MStatus::kFailure;
}
MObject MFnMatrixData::create(MStatus* s) { return fresh<MatrixData>(object_, s); }
MObject MFnMatrixData::create(const MMatrix& matrix, MStatus* s) { return create(s), set(matrix), object_; }

MString MFnStringData::string(MStatus* s) const {
    StringData* d = at<StringData>(object_);
    return give(d ? d->items : MString(), s, good(d));
}
MStatus MFnStringData::set(const MString& text) {
    StringData* d = at<StringData>(object_);
    return d ? (d->items = text, MStatus()) : MStatus::kFailure;
}
MObject MFnStringData::create(MStatus* s) { return fresh<StringData>(object_, s); }
MObject MFnStringData::create(const MString& text, MStatus* s) { return create(s), set(text), object_; }

MObject MFnNumericData::create(Type type, MStatus* s) {
    fresh<NumericData>(object_, s);
    at<NumericData>(object_)->items.resize(type == k2Double || type == k2Float || type == k2Int ? 2 : 3);
    return object_;
}
MFnNumericData::Type MFnNumericData::numericType(MStatus* s) {
    NumericData* d = at<NumericData>(object_);
    return give(d && d->items.size() == 2 ? k2Double : k3Double, s, good(d));
}
MStatus MFnNumericData::getData3Double(double& a, double& b, double& c) {
    NumericData* d = at<NumericData>(object_);
    return d && d->items.size() == 3 ? (a = d->items[0], b = d->items[1], c = d->items[2], MStatus())
                                     : MStatus::kFailure;
}
MStatus MFnNumericData::getData2Double(double& a, double& b) {
    NumericData* d = at<NumericData>(object_);
    return d && d->items.size() == 2 ? (a = d->items[0], b = d->items[1], MStatus()) : MStatus::kFailure;
}
MStatus MFnNumericData::setData3Double(double a, double b, double c) {
    NumericData* d = at<NumericData>(object_);
    return d && d->items.size() == 3 ? (d->items = {a, b, c}, MStatus()) : MStatus::kFailure;
}
MStatus MFnNumericData::setData2Double(double a, double b) {
    NumericData* d = at<NumericData>(object_);
    return d && d->items.size() == 2 ? (d->items = {a, b}, MStatus()) : MStatus::kFailure;
}

MObject MFnMeshData::create(MStatus* s) { return fresh<MeshData>(object_, s); }
MObject MFnNurbsCurveData::create(MStatus* s) { return fresh<CurveData>(object_, s); }

MStatus MFnGeometryData::setMatrix(const MMatrix& matrix) {
    GeometryData* d = at<GeometryData>(object_);
    return d ? (d->matrix = matrix, MStatus()) : MStatus::kFailure;
}
MStatus MFnGeometryData::getMatrix(MMatrix& matrix) const {
    GeometryData* d = at<GeometryData>(object_);
    return d ? (matrix = d->matrix, MStatus()) : MStatus::kFailure;
}
MStatus MFnGeometryData::componentTags(MStringArray& keys) const {
    keys.clear();
    GeometryData* d = at<GeometryData>(object_);
    if (d)
        for (const auto& each : d->tags) keys.append(standin::text(each.first));
    return good(d);
}
bool MFnGeometryData::hasComponentTag(const MString& key, MStatus* s) const {
    GeometryData* d = at<GeometryData>(object_);
    return give(d && d->tags.count(key.asUTF8()) > 0, s, good(d));
}
MStatus MFnGeometryData::addComponentTag(const MString& key) {
    GeometryData* d = at<GeometryData>(object_);
    return d && d->tags.emplace(key.asUTF8(), std::make_shared<Component>(MFn::kMeshVertComponent)).second
               ? MStatus::kSuccess
               : MStatus::kFailure;
}
MStatus MFnGeometryData::removeComponentTag(const MString& key) {
    GeometryData* d = at<GeometryData>(object_);
    return d && d->tags.erase(key.asUTF8()) ? MStatus::kSuccess : MStatus::kFailure;
}
MObject MFnGeometryData::componentTagContents(const MString& key, MStatus* s) const {
    GeometryData* d = at<GeometryData>(object_);
    if (!d || !d->tags.count(key.asUTF8())) return give(MObject(), s, MStatus::kInvalidParameter);
    return give(MObject(std::static_pointer_cast<Thing>(d->tags[key.asUTF8()])), s);
}
MStatus MFnGeometryData::setComponentTagContents(const MString& key, MObject& object) {
    GeometryData* d = at<GeometryData>(object_);
    auto component = as<Component>(object);
    return d && component ? (d->tags[key.asUTF8()] = component, MStatus()) : MStatus::kInvalidParameter;
}
/// The stand-in knows "*", which is all, and names of tags; unions, differences and wildcards it does not know.
MObject MFnGeometryData::resolveComponentTagExpression(const MString& text, ComponentTagCategory, MStatus* s) const {
    if (text != "*" && text != "") return componentTagContents(text, s);
    auto all = std::make_shared<Component>(MFn::kMeshVertComponent);
    all->complete = true;
    MeshData* mesh = at<MeshData>(object_);
    all->count = mesh ? static_cast<int>(mesh->vertices()) : 0;
    return give(MObject(std::static_pointer_cast<Thing>(all)), s, good(at<GeometryData>(object_)));
}
MStatus MFnGeometryData::addObjectGroup(unsigned int id) {
    GeometryData* d = at<GeometryData>(object_);
    return d && d->groups.emplace(id, std::make_shared<Component>(MFn::kMeshVertComponent)).second ? MStatus::kSuccess
                                                                                                  : MStatus::kFailure;
}
MStatus MFnGeometryData::setObjectGroupComponent(unsigned int id, MObject& object) {
    GeometryData* d = at<GeometryData>(object_);
    auto component = as<Component>(object);
    return d && component && d->groups.count(id) ? (d->groups[id] = component, MStatus()) : MStatus::kInvalidParameter;
}
bool MFnGeometryData::hasObjectGroup(unsigned int id, MStatus* s) const {
    GeometryData* d = at<GeometryData>(object_);
    return give(d && d->groups.count(id) > 0, s, good(d));
}

unsigned int MFnComponentListData::length(MStatus* s) const {
    ComponentListData* d = at<ComponentListData>(object_);
    return give(d ? d->items.length() : 0U, s, good(d));
}
MObject MFnComponentListData::operator[](unsigned int i) const {
    ComponentListData* d = at<ComponentListData>(object_);
    return d && i < d->items.length() ? d->items[i] : MObject();
}
MStatus MFnComponentListData::add(MObject& component) {
    ComponentListData* d = at<ComponentListData>(object_);
    return d ? d->items.append(component) : MStatus::kFailure;
}
MStatus MFnComponentListData::clear() {
    ComponentListData* d = at<ComponentListData>(object_);
    return d ? d->items.clear() : MStatus::kFailure;
}
MObject MFnComponentListData::create(MStatus* s) { return fresh<ComponentListData>(object_, s); }

int MFnComponent::elementCount(MStatus* s) const {
    Component* c = at<Component>(object_);
    return give(c ? (c->complete ? c->count : static_cast<int>(c->elements.size())) : 0, s, good(c));
}
MFn::Type MFnComponent::componentType(MStatus* s) const { return give(object_.apiType(), s); }
bool MFnComponent::isEmpty(MStatus* s) const { return elementCount(s) == 0; }
bool MFnComponent::isComplete(MStatus* s) const {
    Component* c = at<Component>(object_);
    return give(c && c->complete, s, good(c));
}
MStatus MFnComponent::setComplete(bool complete) {
    Component* c = at<Component>(object_);
    return c ? (c->complete = complete, MStatus()) : MStatus::kFailure;
}
MObject MFnSingleIndexedComponent::create(MFn::Type type, MStatus* s) {
    object_ = MObject(std::static_pointer_cast<Thing>(std::make_shared<Component>(type)));
    return give(object_, s);
}
/// Elements are kept in order, each once.
MStatus MFnSingleIndexedComponent::addElement(int element) {
    Component* c = at<Component>(object_);
    if (!c) return MStatus::kFailure;
    const auto place = std::lower_bound(c->elements.begin(), c->elements.end(), element);
    if (place == c->elements.end() || *place != element) c->elements.insert(place, element);
    return MStatus();
}
MStatus MFnSingleIndexedComponent::addElements(MIntArray& elements) {
    for (int element : elements)
        if (!addElement(element)) return MStatus::kFailure;
    return MStatus();
}
int MFnSingleIndexedComponent::element(int i, MStatus* s) const {
    Component* c = at<Component>(object_);
    if (!c || i < 0 || i >= elementCount()) return give(0, s, MStatus::kInvalidParameter);
    return give(c->complete ? i : c->elements[static_cast<std::size_t>(i)], s);
}
MStatus MFnSingleIndexedComponent::getElements(MIntArray& into) const {
    into.clear();
    for (int i = 0; i < elementCount(); ++i) into.append(element(i));
    return good(at<Component>(object_));
}
MStatus MFnSingleIndexedComponent::setCompleteData(int count) {
    Component* c = at<Component>(object_);
    return c ? (c->complete = true, c->count = count, MStatus()) : MStatus::kFailure;
}
MStatus MFnSingleIndexedComponent::getCompleteData(int& count) const {
    Component* c = at<Component>(object_);
    return c && c->complete ? (count = c->count, MStatus()) : MStatus::kFailure;
}
