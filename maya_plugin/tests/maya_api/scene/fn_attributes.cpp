// Function sets that make and describe attributes.

#include "world.h"

#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnGenericAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnMessageAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MStringArray.h>

using namespace standin;

Attribute* MFnAttribute::attribute() const { return dynamic_cast<Attribute*>(object_.standin_thing().get()); }

/// The function set is attached to the attribute that it made.
MObject MFnAttribute::made(std::shared_ptr<Attribute> made, MStatus* status) {
    object_ = object_of(std::static_pointer_cast<Thing>(made));
    return give(object_, status);
}

namespace {

template <class T> T look(const Attribute* attribute, T Attribute::*member, MStatus* status) {
    if (!attribute) return give(T(), status, MStatus::kFailure);
    return give(attribute->*member, status);
}

template <class T> MStatus change(Attribute* attribute, T Attribute::*member, T value) {
    if (!attribute) return MStatus::kFailure;
    attribute->*member = std::move(value);
    return MStatus();
}

struct NumberKind {
    Store store;
    unsigned int components;
    MFnNumericData::Type child;
};

NumberKind number_kind(MFnNumericData::Type type) {
    typedef MFnNumericData N;
    switch (type) {
    case N::kBoolean: return {Store::Bool, 1, N::kBoolean};
    case N::kByte:
    case N::kChar: return {Store::Char, 1, type};
    case N::kShort: return {Store::Short, 1, type};
    case N::k2Short: return {Store::Short, 2, N::kShort};
    case N::k3Short: return {Store::Short, 3, N::kShort};
    case N::kInt: return {Store::Int, 1, type};
    case N::k2Int: return {Store::Int, 2, N::kInt};
    case N::k3Int: return {Store::Int, 3, N::kInt};
    case N::kInt64: return {Store::Int64, 1, type};
    case N::kFloat: return {Store::Float, 1, type};
    case N::k2Float: return {Store::Float, 2, N::kFloat};
    case N::k3Float: return {Store::Float, 3, N::kFloat};
    case N::kDouble: return {Store::Double, 1, type};
    case N::k2Double: return {Store::Double, 2, N::kDouble};
    case N::k3Double: return {Store::Double, 3, N::kDouble};
    case N::k4Double: return {Store::Double, 4, N::kDouble};
    default: return {Store::Nothing, 1, N::kInvalid};
    }
}

void add_child(Attribute& parent, const std::shared_ptr<Attribute>& child) {
    child->parent = &parent;
    child->place = static_cast<unsigned int>(parent.children.size());
    parent.children.push_back(child);
}

std::shared_ptr<Attribute> make_number(const std::string& name, const std::string& brief, MFnNumericData::Type type,
                                       double value, const char* const* suffixes) {
    const NumberKind kind = number_kind(type);
    if (kind.store == Store::Nothing) return nullptr;
    auto made = std::make_shared<Attribute>(MFn::kNumericAttribute, name, brief);
    made->store = kind.store;
    made->components = kind.components;
    made->number = type;
    for (double& each : made->defaults) each = value;
    for (unsigned int i = 0; i < kind.components && kind.components > 1; ++i)
        add_child(*made, make_number(name + suffixes[i], brief + suffixes[i], kind.child, value, suffixes));
    return made;
}

const char* const letters[] = {"X", "Y", "Z", "W"};
const char* const colors[] = {"R", "G", "B", "A"};
const char* const digits[] = {"0", "1", "2", "3"};

} // namespace

bool MFnAttribute::isReadable(MStatus* s) const { return look(attribute(), &Attribute::readable, s); }
bool MFnAttribute::isWritable(MStatus* s) const { return look(attribute(), &Attribute::writable, s); }
bool MFnAttribute::isConnectable(MStatus* s) const { return look(attribute(), &Attribute::connectable, s); }
bool MFnAttribute::isStorable(MStatus* s) const { return look(attribute(), &Attribute::storable, s); }
bool MFnAttribute::isCached(MStatus* s) const { return look(attribute(), &Attribute::cached, s); }
bool MFnAttribute::isArray(MStatus* s) const { return look(attribute(), &Attribute::array, s); }
bool MFnAttribute::indexMatters(MStatus* s) const { return look(attribute(), &Attribute::index_matters, s); }
bool MFnAttribute::isKeyable(MStatus* s) const { return look(attribute(), &Attribute::keyable, s); }
bool MFnAttribute::isChannelBoxFlagSet(MStatus* s) const { return look(attribute(), &Attribute::channel_box, s); }
bool MFnAttribute::isHidden(MStatus* s) const { return look(attribute(), &Attribute::hidden, s); }
bool MFnAttribute::isUsedAsColor(MStatus* s) const { return look(attribute(), &Attribute::used_as_color, s); }
bool MFnAttribute::isUsedAsFilename(MStatus* s) const { return look(attribute(), &Attribute::used_as_filename, s); }
bool MFnAttribute::isDynamic(MStatus* s) const { return look(attribute(), &Attribute::dynamic, s); }
bool MFnAttribute::isWorldSpace(MStatus* s) const { return look(attribute(), &Attribute::world_space, s); }
bool MFnAttribute::isAffectsWorldSpace(MStatus* s) const {
    return look(attribute(), &Attribute::affects_world_space, s);
}
bool MFnAttribute::affectsAppearance(MStatus* s) const { return look(attribute(), &Attribute::affects_appearance, s); }
MFnAttribute::DisconnectBehavior MFnAttribute::disconnectBehavior(MStatus* s) const {
    return look(attribute(), &Attribute::disconnect, s);
}
bool MFnAttribute::usesArrayDataBuilder(MStatus* s) const { return look(attribute(), &Attribute::builder, s); }
bool MFnAttribute::internal(MStatus* s) const { return look(attribute(), &Attribute::internal, s); }
MStatus MFnAttribute::setReadable(bool v) { return change(attribute(), &Attribute::readable, v); }
MStatus MFnAttribute::setWritable(bool v) { return change(attribute(), &Attribute::writable, v); }
MStatus MFnAttribute::setConnectable(bool v) { return change(attribute(), &Attribute::connectable, v); }
MStatus MFnAttribute::setStorable(bool v) { return change(attribute(), &Attribute::storable, v); }
MStatus MFnAttribute::setCached(bool v) { return change(attribute(), &Attribute::cached, v); }
MStatus MFnAttribute::setArray(bool v) { return change(attribute(), &Attribute::array, v); }
MStatus MFnAttribute::setIndexMatters(bool v) { return change(attribute(), &Attribute::index_matters, v); }
MStatus MFnAttribute::setKeyable(bool v) { return change(attribute(), &Attribute::keyable, v); }
MStatus MFnAttribute::setChannelBox(bool v) { return change(attribute(), &Attribute::channel_box, v); }
MStatus MFnAttribute::setHidden(bool v) { return change(attribute(), &Attribute::hidden, v); }
MStatus MFnAttribute::setUsedAsColor(bool v) { return change(attribute(), &Attribute::used_as_color, v); }
MStatus MFnAttribute::setUsedAsFilename(bool v) { return change(attribute(), &Attribute::used_as_filename, v); }
MStatus MFnAttribute::setWorldSpace(bool v) { return change(attribute(), &Attribute::world_space, v); }
MStatus MFnAttribute::setAffectsWorldSpace(bool v) { return change(attribute(), &Attribute::affects_world_space, v); }
MStatus MFnAttribute::setAffectsAppearance(bool v) { return change(attribute(), &Attribute::affects_appearance, v); }
MStatus MFnAttribute::setDisconnectBehavior(DisconnectBehavior v) {
    return change(attribute(), &Attribute::disconnect, v);
}
MStatus MFnAttribute::setUsesArrayDataBuilder(bool v) { return change(attribute(), &Attribute::builder, v); }
MStatus MFnAttribute::setInternal(bool v) { return change(attribute(), &Attribute::internal, v); }
MStatus MFnAttribute::setNiceNameOverride(const MString& v) {
    return change(attribute(), &Attribute::nice, std::string(v.asUTF8()));
}
bool MFnAttribute::accepts(MFnData::Type type, MStatus* status) const {
    return give(attribute() && (attribute()->data == type || attribute()->data == MFnData::kAny), status);
}
MObject MFnAttribute::parent(MStatus* status) const {
    Attribute* a = attribute();
    return give(a && a->parent ? object_of(*a->parent) : MObject(), status,
                a && a->parent ? MStatus::kSuccess : MStatus::kNotFound);
}
MString MFnAttribute::name(MStatus* status) const { return standin::text(look(attribute(), &Attribute::name, status)); }
MString MFnAttribute::shortName(MStatus* status) const {
    return standin::text(look(attribute(), &Attribute::brief, status));
}
MStatus MFnAttribute::addToCategory(const MString& v) {
    return attribute() && attribute()->categories.insert(v.asUTF8()).second ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MFnAttribute::removeFromCategory(const MString& v) {
    return attribute() && attribute()->categories.erase(v.asUTF8()) ? MStatus::kSuccess : MStatus::kFailure;
}
bool MFnAttribute::hasCategory(const MString& v) const {
    return attribute() && attribute()->categories.count(v.asUTF8()) > 0;
}
MStatus MFnAttribute::getCategories(MStringArray& into) const {
    into.clear();
    if (!attribute()) return MStatus::kFailure;
    for (const std::string& each : attribute()->categories) into.append(standin::text(each));
    return MStatus();
}

/// Types with several numbers have children, named with 0, 1, 2 (MFnNumericAttribute::create).
MObject MFnNumericAttribute::create(const MString& name, const MString& brief, MFnNumericData::Type type, double value,
                                    MStatus* status) {
    auto attribute = make_number(name.asUTF8(), brief.asUTF8(), type, value, digits);
    return attribute ? made(attribute, status) : give(MObject(), status, MStatus::kInvalidParameter);
}
MObject MFnNumericAttribute::createColor(const MString& name, const MString& brief, MStatus* status) {
    auto attribute = make_number(name.asUTF8(), brief.asUTF8(), MFnNumericData::k3Float, 0, colors);
    attribute->used_as_color = true;
    return made(attribute, status);
}
MObject MFnNumericAttribute::createPoint(const MString& name, const MString& brief, MStatus* status) {
    return made(make_number(name.asUTF8(), brief.asUTF8(), MFnNumericData::k3Float, 0, letters), status);
}
/// Of children that were made before, two or three of one type.
MObject MFnNumericAttribute::create(const MString& name, const MString& brief, const MObject& one, const MObject& two,
                                    const MObject& three, MStatus* status) {
    const std::shared_ptr<Attribute> parts[] = {as<Attribute>(one), as<Attribute>(two), as<Attribute>(three)};
    if (!parts[0] || !parts[1] || parts[0]->store != parts[1]->store)
        return give(MObject(), status, MStatus::kInvalidParameter);
    auto attribute = std::make_shared<Attribute>(MFn::kNumericAttribute, name.asUTF8(), brief.asUTF8());
    attribute->store = parts[0]->store;
    attribute->components = parts[2] ? 3 : 2;
    // The types with two and three numbers follow the one with one number; angles and distances are doubles.
    const int single = parts[0]->number == MFnNumericData::kInvalid ? MFnNumericData::kDouble : parts[0]->number;
    attribute->number = static_cast<MFnNumericData::Type>(single + (parts[2] ? 2 : 1));
    for (const auto& part : parts)
        if (part) {
            attribute->defaults[part->place = static_cast<unsigned int>(attribute->children.size())] =
                part->defaults[0];
            add_child(*attribute, part);
        }
    return made(attribute, status);
}
MFnNumericData::Type MFnNumericAttribute::unitType(MStatus* s) const {
    return look(attribute(), &Attribute::number, s);
}
MObject MFnNumericAttribute::child(unsigned int i, MStatus* status) const {
    if (!attribute() || i >= attribute()->children.size()) return give(MObject(), status, MStatus::kInvalidParameter);
    return give(object_of(*attribute()->children[i]), status);
}

namespace {
typedef std::optional<double> Attribute::*Limit;
bool has(const Attribute* a, Limit limit, MStatus* status) { return give(a && (a->*limit), status); }
MStatus get(const Attribute* a, Limit limit, double& into) {
    if (!a || !(a->*limit)) return MStatus::kFailure;
    into = *(a->*limit);
    return MStatus();
}
MStatus put(Attribute* a, Limit limit, double value) {
    if (!a) return MStatus::kFailure;
    a->*limit = value;
    for (const auto& child : a->children) (*child).*limit = value;
    return MStatus();
}
MStatus put(Attribute* a, Limit limit, std::initializer_list<double> values) {
    if (!a || a->children.size() < values.size()) return MStatus::kFailure;
    std::size_t i = 0;
    for (double value : values) (*a->children[i++]).*limit = value;
    return MStatus();
}
MStatus defaults(Attribute* a, std::initializer_list<double> values) {
    if (!a) return MStatus::kFailure;
    std::size_t i = 0;
    for (double value : values) {
        if (i < a->children.size()) a->children[i]->defaults[0] = value;
        a->defaults[i++] = value;
    }
    return MStatus();
}
double first(float value) { return static_cast<double>(value); }
} // namespace

bool MFnNumericAttribute::hasMin(MStatus* s) const { return has(attribute(), &Attribute::least, s); }
bool MFnNumericAttribute::hasMax(MStatus* s) const { return has(attribute(), &Attribute::most, s); }
bool MFnNumericAttribute::hasSoftMin(MStatus* s) const { return has(attribute(), &Attribute::soft_least, s); }
bool MFnNumericAttribute::hasSoftMax(MStatus* s) const { return has(attribute(), &Attribute::soft_most, s); }
MStatus MFnNumericAttribute::getMin(double& v) const { return get(attribute(), &Attribute::least, v); }
MStatus MFnNumericAttribute::getMax(double& v) const { return get(attribute(), &Attribute::most, v); }
MStatus MFnNumericAttribute::getSoftMin(double& v) const { return get(attribute(), &Attribute::soft_least, v); }
MStatus MFnNumericAttribute::getSoftMax(double& v) const { return get(attribute(), &Attribute::soft_most, v); }
MStatus MFnNumericAttribute::setMin(double v) { return put(attribute(), &Attribute::least, v); }
MStatus MFnNumericAttribute::setMin(double a, double b) { return put(attribute(), &Attribute::least, {a, b}); }
MStatus MFnNumericAttribute::setMin(double a, double b, double c) {
    return put(attribute(), &Attribute::least, {a, b, c});
}
MStatus MFnNumericAttribute::setMax(double v) { return put(attribute(), &Attribute::most, v); }
MStatus MFnNumericAttribute::setMax(double a, double b) { return put(attribute(), &Attribute::most, {a, b}); }
MStatus MFnNumericAttribute::setMax(double a, double b, double c) {
    return put(attribute(), &Attribute::most, {a, b, c});
}
MStatus MFnNumericAttribute::setSoftMin(double v) { return put(attribute(), &Attribute::soft_least, v); }
MStatus MFnNumericAttribute::setSoftMax(double v) { return put(attribute(), &Attribute::soft_most, v); }
MStatus MFnNumericAttribute::getDefault(bool& v) {
    return attribute() ? (v = attribute()->defaults[0] != 0, MStatus()) : MStatus::kFailure;
}
MStatus MFnNumericAttribute::getDefault(int& v) {
    return attribute() ? (v = static_cast<int>(attribute()->defaults[0]), MStatus()) : MStatus::kFailure;
}
MStatus MFnNumericAttribute::getDefault(float& v) {
    return attribute() ? (v = static_cast<float>(attribute()->defaults[0]), MStatus()) : MStatus::kFailure;
}
MStatus MFnNumericAttribute::getDefault(double& v) {
    return attribute() ? (v = attribute()->defaults[0], MStatus()) : MStatus::kFailure;
}
MStatus MFnNumericAttribute::setDefault(bool v) { return defaults(attribute(), {v ? 1.0 : 0.0}); }
MStatus MFnNumericAttribute::setDefault(int v) { return defaults(attribute(), {static_cast<double>(v)}); }
MStatus MFnNumericAttribute::setDefault(float v) { return defaults(attribute(), {first(v)}); }
MStatus MFnNumericAttribute::setDefault(double v) { return defaults(attribute(), {v}); }
MStatus MFnNumericAttribute::setDefault(double a, double b) { return defaults(attribute(), {a, b}); }
MStatus MFnNumericAttribute::setDefault(float a, float b, float c) {
    return defaults(attribute(), {first(a), first(b), first(c)});
}
MStatus MFnNumericAttribute::setDefault(double a, double b, double c) { return defaults(attribute(), {a, b, c}); }

/// Angles in radians, distances in centimetres, times in the user's unit (MFnUnitAttribute::create).
MObject MFnUnitAttribute::create(const MString& name, const MString& brief, Type type, double value, MStatus* status) {
    auto attribute = std::make_shared<Attribute>(MFn::kUnitAttribute, name.asUTF8(), brief.asUTF8());
    attribute->unit = type;
    attribute->store = type == kTime ? Store::Time : Store::Double;
    attribute->defaults[0] = value;
    if (type == kTime) attribute->default_ticks = MTime(value, MTime::uiUnit()).standin_ticks();
    return made(attribute, status);
}
MObject MFnUnitAttribute::create(const MString& name, const MString& brief, const MTime& value, MStatus* status) {
    return create(name, brief, kTime, value.as(MTime::uiUnit()), status);
}
MObject MFnUnitAttribute::create(const MString& name, const MString& brief, const MAngle& value, MStatus* status) {
    return create(name, brief, kAngle, value.asRadians(), status);
}
MObject MFnUnitAttribute::create(const MString& name, const MString& brief, const MDistance& value, MStatus* status) {
    return create(name, brief, kDistance, value.asCentimeters(), status);
}
MFnUnitAttribute::Type MFnUnitAttribute::unitType(MStatus* s) const { return look(attribute(), &Attribute::unit, s); }
bool MFnUnitAttribute::hasMin(MStatus* s) const { return has(attribute(), &Attribute::least, s); }
bool MFnUnitAttribute::hasMax(MStatus* s) const { return has(attribute(), &Attribute::most, s); }
bool MFnUnitAttribute::hasSoftMin(MStatus* s) const { return has(attribute(), &Attribute::soft_least, s); }
bool MFnUnitAttribute::hasSoftMax(MStatus* s) const { return has(attribute(), &Attribute::soft_most, s); }
MStatus MFnUnitAttribute::getMin(double& v) const { return get(attribute(), &Attribute::least, v); }
MStatus MFnUnitAttribute::getMax(double& v) const { return get(attribute(), &Attribute::most, v); }
MStatus MFnUnitAttribute::getSoftMin(double& v) const { return get(attribute(), &Attribute::soft_least, v); }
MStatus MFnUnitAttribute::getSoftMax(double& v) const { return get(attribute(), &Attribute::soft_most, v); }
MStatus MFnUnitAttribute::setMin(double v) { return put(attribute(), &Attribute::least, v); }
MStatus MFnUnitAttribute::setMin(const MTime& v) { return setMin(v.as(MTime::uiUnit())); }
MStatus MFnUnitAttribute::setMin(const MAngle& v) { return setMin(v.asRadians()); }
MStatus MFnUnitAttribute::setMin(const MDistance& v) { return setMin(v.asCentimeters()); }
MStatus MFnUnitAttribute::setMax(double v) { return put(attribute(), &Attribute::most, v); }
MStatus MFnUnitAttribute::setMax(const MTime& v) { return setMax(v.as(MTime::uiUnit())); }
MStatus MFnUnitAttribute::setMax(const MAngle& v) { return setMax(v.asRadians()); }
MStatus MFnUnitAttribute::setMax(const MDistance& v) { return setMax(v.asCentimeters()); }
MStatus MFnUnitAttribute::setSoftMin(double v) { return put(attribute(), &Attribute::soft_least, v); }
MStatus MFnUnitAttribute::setSoftMin(const MTime& v) { return setSoftMin(v.as(MTime::uiUnit())); }
MStatus MFnUnitAttribute::setSoftMin(const MAngle& v) { return setSoftMin(v.asRadians()); }
MStatus MFnUnitAttribute::setSoftMin(const MDistance& v) { return setSoftMin(v.asCentimeters()); }
MStatus MFnUnitAttribute::setSoftMax(double v) { return put(attribute(), &Attribute::soft_most, v); }
MStatus MFnUnitAttribute::setSoftMax(const MTime& v) { return setSoftMax(v.as(MTime::uiUnit())); }
MStatus MFnUnitAttribute::setSoftMax(const MAngle& v) { return setSoftMax(v.asRadians()); }
MStatus MFnUnitAttribute::setSoftMax(const MDistance& v) { return setSoftMax(v.asCentimeters()); }
MStatus MFnUnitAttribute::getDefault(double& v) {
    return attribute() ? (v = attribute()->defaults[0], MStatus()) : MStatus::kFailure;
}
MStatus MFnUnitAttribute::getDefault(MTime& v) {
    double d = 0;
    MStatus s = getDefault(d);
    v = MTime(d, MTime::uiUnit());
    return s;
}
MStatus MFnUnitAttribute::getDefault(MAngle& v) { double d = 0; MStatus s = getDefault(d); v = MAngle(d); return s; }
MStatus MFnUnitAttribute::getDefault(MDistance& v) {
    double d = 0;
    MStatus s = getDefault(d);
    v = MDistance(d);
    return s;
}
MStatus MFnUnitAttribute::setDefault(double v) {
    if (attribute() && attribute()->store == Store::Time)
        attribute()->default_ticks = MTime(v, MTime::uiUnit()).standin_ticks();
    return defaults(attribute(), {v});
}
MStatus MFnUnitAttribute::setDefault(const MTime& v) { return setDefault(v.as(MTime::uiUnit())); }
MStatus MFnUnitAttribute::setDefault(const MAngle& v) { return setDefault(v.asRadians()); }
MStatus MFnUnitAttribute::setDefault(const MDistance& v) { return setDefault(v.asCentimeters()); }

MObject MFnTypedAttribute::create(const MString& name, const MString& brief, MFnData::Type type, MObject value,
                                  MStatus* status) {
    auto attribute = std::make_shared<Attribute>(MFn::kTypedAttribute, name.asUTF8(), brief.asUTF8());
    attribute->data = type;
    attribute->store = type == MFnData::kString   ? Store::Text
                       : type == MFnData::kMatrix ? Store::Matrix
                                                  : Store::Object;
    attribute->default_data = as<Data>(value);
    return made(attribute, status);
}
MFnData::Type MFnTypedAttribute::attrType(MStatus* s) const { return look(attribute(), &Attribute::data, s); }
MStatus MFnTypedAttribute::getDefault(MObject& into) {
    into = attribute() && attribute()->default_data
               ? object_of(std::static_pointer_cast<Thing>(attribute()->default_data))
               : MObject();
    return attribute() ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MFnTypedAttribute::setDefault(const MObject& value) {
    return change(attribute(), &Attribute::default_data, as<Data>(value));
}

MObject MFnMatrixAttribute::create(const MString& name, const MString& brief, Type, MStatus* status) {
    auto attribute = std::make_shared<Attribute>(MFn::kMatrixAttribute, name.asUTF8(), brief.asUTF8());
    attribute->store = Store::Matrix;
    attribute->data = MFnData::kMatrix;
    return made(attribute, status);
}
MStatus MFnMatrixAttribute::getDefault(MMatrix& into) {
    return attribute() ? (into = attribute()->default_matrix, MStatus()) : MStatus::kFailure;
}
MStatus MFnMatrixAttribute::setDefault(const MMatrix& value) {
    return change(attribute(), &Attribute::default_matrix, value);
}

MObject MFnEnumAttribute::create(const MString& name, const MString& brief, short value, MStatus* status) {
    auto attribute = std::make_shared<Attribute>(MFn::kEnumAttribute, name.asUTF8(), brief.asUTF8());
    attribute->store = Store::Short;
    attribute->defaults[0] = value;
    return made(attribute, status);
}
MStatus MFnEnumAttribute::addField(const MString& name, short index) {
    if (!attribute()) return MStatus::kFailure;
    attribute()->fields.emplace_back(index, name.asUTF8());
    return MStatus();
}
MString MFnEnumAttribute::fieldName(short index, MStatus* status) const {
    for (const auto& field : attribute() ? attribute()->fields : std::vector<std::pair<short, std::string>>())
        if (field.first == index) return give(standin::text(field.second), status);
    return give(MString(), status, MStatus::kInvalidParameter);
}
short MFnEnumAttribute::fieldIndex(const MString& name, MStatus* status) const {
    for (const auto& field : attribute() ? attribute()->fields : std::vector<std::pair<short, std::string>>())
        if (name == field.second.c_str()) return give(field.first, status);
    return give(static_cast<short>(-1), status, MStatus::kInvalidParameter);
}
MStatus MFnEnumAttribute::getMin(short& into) const {
    if (!attribute() || attribute()->fields.empty()) return MStatus::kFailure;
    into = attribute()->fields.front().first;
    for (const auto& field : attribute()->fields) into = std::min(into, field.first);
    return MStatus();
}
MStatus MFnEnumAttribute::getMax(short& into) const {
    if (!attribute() || attribute()->fields.empty()) return MStatus::kFailure;
    into = attribute()->fields.front().first;
    for (const auto& field : attribute()->fields) into = std::max(into, field.first);
    return MStatus();
}
MStatus MFnEnumAttribute::setDefault(short index) { return defaults(attribute(), {static_cast<double>(index)}); }
MStatus MFnEnumAttribute::setDefault(const MString& name) {
    MStatus status;
    const short index = fieldIndex(name, &status);
    return status ? setDefault(index) : status;
}
MStatus MFnEnumAttribute::getDefault(short& into) const {
    return attribute() ? (into = static_cast<short>(attribute()->defaults[0]), MStatus()) : MStatus::kFailure;
}

MObject MFnCompoundAttribute::create(const MString& name, const MString& brief, MStatus* status) {
    return made(std::make_shared<Attribute>(MFn::kCompoundAttribute, name.asUTF8(), brief.asUTF8()), status);
}
/// The children belong to nodes with their compound: they are not added to a node themselves.
MStatus MFnCompoundAttribute::addChild(const MObject& object) {
    auto child = as<Attribute>(object);
    if (!attribute() || !child || child->parent) return MStatus::kInvalidParameter;
    add_child(*attribute(), child);
    return MStatus();
}
unsigned int MFnCompoundAttribute::numChildren(MStatus* status) const {
    return give(attribute() ? static_cast<unsigned int>(attribute()->children.size()) : 0U, status);
}
MObject MFnCompoundAttribute::child(unsigned int i, MStatus* status) const {
    if (!attribute() || i >= attribute()->children.size()) return give(MObject(), status, MStatus::kInvalidParameter);
    return give(object_of(*attribute()->children[i]), status);
}

MObject MFnMessageAttribute::create(const MString& name, const MString& brief, MStatus* status) {
    return made(std::make_shared<Attribute>(MFn::kMessageAttribute, name.asUTF8(), brief.asUTF8()), status);
}

MObject MFnGenericAttribute::create(const MString& name, const MString& brief, MStatus* status) {
    auto attribute = std::make_shared<Attribute>(MFn::kGenericAttribute, name.asUTF8(), brief.asUTF8());
    attribute->store = Store::Object;
    attribute->data = MFnData::kAny;
    return made(attribute, status);
}
MStatus MFnGenericAttribute::addDataAccept(MFnData::Type) {
    return attribute() ? MStatus::kSuccess : MStatus::kFailure;
}
MStatus MFnGenericAttribute::addNumericDataAccept(MFnNumericData::Type) {
    return attribute() ? MStatus::kSuccess : MStatus::kFailure;
}
