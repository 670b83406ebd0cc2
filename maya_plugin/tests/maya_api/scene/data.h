// What travels along connections: meshes, curves, arrays, and parts of geometry.
#pragma once

#include <maya/MDoubleArray.h>
#include <maya/MFloatArray.h>
#include <maya/MFn.h>
#include <maya/MFnData.h>
#include <maya/MIntArray.h>
#include <maya/MMatrix.h>
#include <maya/MMatrixArray.h>
#include <maya/MObjectArray.h>
#include <maya/MPointArray.h>
#include <maya/MStringArray.h>
#include <maya/MVectorArray.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace standin {

/// What an MObject is about.
struct Thing {
    explicit Thing(MFn::Type type_) : type(type_) {}
    virtual ~Thing() = default;
    Thing(const Thing&) = default;
    Thing& operator=(const Thing&) = default;
    /// Whether a function set of this type may be attached.
    virtual bool has(MFn::Type fn) const { return fn == type || fn == MFn::kBase; }
    MFn::Type type;
};

template <class T> std::shared_ptr<T> as(const MObject& object) {
    return std::dynamic_pointer_cast<T>(object.standin_thing());
}

/// Some elements of a geometry, or all of them.
struct Component : Thing {
    explicit Component(MFn::Type of) : Thing(of) {}
    bool has(MFn::Type fn) const override {
        return Thing::has(fn) || fn == MFn::kComponent || fn == MFn::kSingleIndexedComponent;
    }
    std::vector<int> elements;
    bool complete = false;
    int count = 0;
};

struct Data : Thing {
    Data(MFn::Type type_, MFnData::Type kind_) : Thing(type_), kind(kind_) {}
    bool has(MFn::Type fn) const override { return Thing::has(fn) || fn == MFn::kData; }
    virtual std::shared_ptr<Data> clone() const = 0;
    MFnData::Type kind;
};

struct GeometryData : Data {
    using Data::Data;
    bool has(MFn::Type fn) const override { return Data::has(fn) || fn == MFn::kGeometryData; }
    /// From the space of the points to the world, for geometry that comes out of a world-space plug.
    MMatrix matrix;
    std::map<std::string, std::shared_ptr<Component>> tags;
    std::map<unsigned int, std::shared_ptr<Component>> groups;
};

struct UvSet {
    std::string name;
    std::vector<float> u, v;
    /// For each face how many of its corners have UVs (all or none), and the UVs of those corners.
    std::vector<int> counts, ids;
};

struct MeshData : GeometryData {
    MeshData() : GeometryData(MFn::kMeshData, MFnData::kMesh) {}
    bool has(MFn::Type fn) const override { return GeometryData::has(fn) || fn == MFn::kMesh; }
    std::shared_ptr<Data> clone() const override { return std::make_shared<MeshData>(*this); }
    std::size_t vertices() const { return points.size() / 3; }
    UvSet* uv_set(const std::string& name);
    std::vector<float> points;
    std::vector<int> counts, connects;
    std::vector<UvSet> uv_sets{UvSet{"map1", {}, {}, {}, {}}};
    std::string current_uv_set = "map1";
};

struct CurveData : GeometryData {
    CurveData() : GeometryData(MFn::kNurbsCurveData, MFnData::kNurbsCurve) {}
    bool has(MFn::Type fn) const override { return GeometryData::has(fn) || fn == MFn::kNurbsCurve; }
    std::shared_ptr<Data> clone() const override { return std::make_shared<CurveData>(*this); }
    MPointArray cvs;
    MDoubleArray knots;
    int degree = 1;
    int form = 1;
};

/// One array, matrix or text as data.
template <class Items, MFn::Type type_of, MFnData::Type kind_of> struct ItemsData : Data {
    ItemsData() : Data(type_of, kind_of) {}
    std::shared_ptr<Data> clone() const override { return std::make_shared<ItemsData>(*this); }
    Items items;
};
typedef ItemsData<MDoubleArray, MFn::kDoubleArrayData, MFnData::kDoubleArray> DoubleArrayData;
typedef ItemsData<MFloatArray, MFn::kFloatArrayData, MFnData::kFloatArray> FloatArrayData;
typedef ItemsData<MIntArray, MFn::kIntArrayData, MFnData::kIntArray> IntArrayData;
typedef ItemsData<MPointArray, MFn::kPointArrayData, MFnData::kPointArray> PointArrayData;
typedef ItemsData<MVectorArray, MFn::kVectorArrayData, MFnData::kVectorArray> VectorArrayData;
typedef ItemsData<MMatrixArray, MFn::kMatrixArrayData, MFnData::kMatrixArray> MatrixArrayData;
typedef ItemsData<MStringArray, MFn::kStringArrayData, MFnData::kStringArray> StringArrayData;
typedef ItemsData<MMatrix, MFn::kMatrixData, MFnData::kMatrix> MatrixData;
typedef ItemsData<MString, MFn::kStringData, MFnData::kString> StringData;
typedef ItemsData<std::vector<double>, MFn::kNumericData, MFnData::kNumeric> NumericData;
typedef ItemsData<MObjectArray, MFn::kComponentListData, MFnData::kComponentList> ComponentListData;

} // namespace standin
