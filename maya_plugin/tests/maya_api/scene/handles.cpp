// Data handles, array handles, array builders and data blocks.

#include "world.h"

#include <maya/MArrayDataBuilder.h>
#include <maya/MDGContextGuard.h>

using namespace standin;

namespace {

/// A handle without a value, or with one of another type, is used: in Maya that reads memory that is not the value.
/// Here it is written down, and what is read is a zero of this thread.
template <class T> T& wrong(const MDataHandle& handle, const char* how) {
    thread_local T nothing;
    nothing = T();
    Value* value = handle.standin_value();
    fault(std::string(how) + " of " + (value ? "the attribute " + value->attribute->name : "an invalid data handle"));
    return nothing;
}

template <class T> T& number(const MDataHandle& handle, Store store, unsigned int components, const char* how) {
    Value* value = handle.standin_value();
    if (!value || value->is_array() || value->attribute->store != store || value->attribute->components != components)
        return wrong<T>(handle, how);
    return *static_cast<T*>(value->at);
}

template <class T> struct Several {
    T items;
};

template <class T> T& numbers(const MDataHandle& handle, Store store, unsigned int components, const char* how) {
    Value* value = handle.standin_value();
    if (!value || value->is_array() || value->attribute->store != store || value->attribute->components != components)
        return wrong<Several<T>>(handle, how).items;
    return *static_cast<T*>(value->at);
}

void set_numbers(const MDataHandle& handle, std::initializer_list<double> items, const char* how) {
    Value* value = handle.standin_value();
    if (!value || value->is_array() || value->attribute->components < items.size() ||
        value->attribute->store == Store::Nothing || value->attribute->store == Store::Object ||
        value->attribute->store == Store::Text) {
        (void)wrong<double>(handle, how);
        return;
    }
    unsigned int i = 0;
    for (double item : items) value->set_number(item, i++);
    value->mark(true);
}

} // namespace

bool MDataHandle::isNumeric() const { return value_ && value_->attribute->number != MFnNumericData::kInvalid; }
MFnNumericData::Type MDataHandle::numericType() const {
    return value_ ? value_->attribute->number : MFnNumericData::kInvalid;
}
/// The type of data that the handle has.
MFnData::Type MDataHandle::type() const {
    if (!value_) return MFnData::kInvalid;
    if (value_->attribute->store == Store::Matrix) return MFnData::kMatrix;
    if (value_->attribute->store == Store::Text) return MFnData::kString;
    if (value_->data) return value_->data->kind;
    return isNumeric() ? MFnData::kNumeric : value_->attribute->data;
}
MObject MDataHandle::data() {
    return value_ ? object_of(std::static_pointer_cast<Thing>(value_->to_data())) : MObject();
}
/// Copies the value of another handle; geometry is shared, and not to be written into.
MStatus MDataHandle::copy(const MDataHandle& src) {
    if (!value_ || !src.value_) return MStatus::kInvalidParameter;
    value_->copy_from(*src.value_);
    return MStatus();
}
/// As copy, with geometry of its own.
MStatus MDataHandle::copyWritable(const MDataHandle& src) {
    MStatus status = copy(src);
    if (status && value_->data) value_->data = value_->data->clone();
    return status;
}
MObject MDataHandle::attribute() { return value_ ? object_of(*value_->attribute) : MObject(); }
void MDataHandle::setClean() {
    if (value_) value_->mark(true);
}

bool& MDataHandle::asBool() const { return number<bool>(*this, Store::Bool, 1, "asBool"); }
char& MDataHandle::asChar() const { return number<char>(*this, Store::Char, 1, "asChar"); }
short& MDataHandle::asShort() const { return number<short>(*this, Store::Short, 1, "asShort"); }
int& MDataHandle::asInt() const { return number<int>(*this, Store::Int, 1, "asInt"); }
MInt64& MDataHandle::asInt64() const { return number<MInt64>(*this, Store::Int64, 1, "asInt64"); }
float& MDataHandle::asFloat() const { return number<float>(*this, Store::Float, 1, "asFloat"); }
double& MDataHandle::asDouble() const { return number<double>(*this, Store::Double, 1, "asDouble"); }
MDistance MDataHandle::asDistance() const { return MDistance(number<double>(*this, Store::Double, 1, "asDistance")); }
MAngle MDataHandle::asAngle() const { return MAngle(number<double>(*this, Store::Double, 1, "asAngle")); }
MTime MDataHandle::asTime() const {
    return MTime::standin_of_ticks(number<MInt64>(*this, Store::Time, 1, "asTime"), MTime::uiUnit());
}
short2& MDataHandle::asShort2() const { return numbers<short2>(*this, Store::Short, 2, "asShort2"); }
int2& MDataHandle::asInt2() const { return numbers<int2>(*this, Store::Int, 2, "asInt2"); }
float2& MDataHandle::asFloat2() const { return numbers<float2>(*this, Store::Float, 2, "asFloat2"); }
double2& MDataHandle::asDouble2() const { return numbers<double2>(*this, Store::Double, 2, "asDouble2"); }
short3& MDataHandle::asShort3() const { return numbers<short3>(*this, Store::Short, 3, "asShort3"); }
int3& MDataHandle::asInt3() const { return numbers<int3>(*this, Store::Int, 3, "asInt3"); }
float3& MDataHandle::asFloat3() const { return numbers<float3>(*this, Store::Float, 3, "asFloat3"); }
double3& MDataHandle::asDouble3() const { return numbers<double3>(*this, Store::Double, 3, "asDouble3"); }
double4& MDataHandle::asDouble4() const { return numbers<double4>(*this, Store::Double, 4, "asDouble4"); }
MVector& MDataHandle::asVector() const { return number<MVector>(*this, Store::Double, 3, "asVector"); }
MFloatVector& MDataHandle::asFloatVector() const {
    return number<MFloatVector>(*this, Store::Float, 3, "asFloatVector");
}
MMatrix& MDataHandle::asMatrix() const {
    return value_ && value_->matrix && !value_->is_array() ? *value_->matrix : wrong<MMatrix>(*this, "asMatrix");
}
MString& MDataHandle::asString() const {
    return value_ && value_->attribute->store == Store::Text && !value_->is_array() ? value_->text
                                                                                    : wrong<MString>(*this, "asString");
}
/// The mesh, or a null object where there is none.
MObject MDataHandle::asMesh() const {
    return value_ && std::dynamic_pointer_cast<MeshData>(value_->data) ? object_of(value_->data) : MObject();
}
/// With the points where the matrix of the geometry puts them.
MObject MDataHandle::asMeshTransformed() const {
    auto mesh = as<MeshData>(asMesh());
    if (!mesh) return MObject();
    auto moved = std::make_shared<MeshData>(*mesh);
    for (std::size_t i = 0; i + 2 < moved->points.size(); i += 3) {
        float* p = &moved->points[i];
        const MFloatPoint to = MPoint(MFloatPoint(p[0], p[1], p[2])) * mesh->matrix;
        p[0] = to.x, p[1] = to.y, p[2] = to.z;
    }
    return object_of(std::static_pointer_cast<Thing>(moved));
}
MObject MDataHandle::asNurbsCurve() const {
    return value_ && std::dynamic_pointer_cast<CurveData>(value_->data) ? object_of(value_->data) : MObject();
}
MObject MDataHandle::asNurbsCurveTransformed() const {
    auto curve = as<CurveData>(asNurbsCurve());
    if (!curve) return MObject();
    auto moved = std::make_shared<CurveData>(*curve);
    for (MPoint& point : moved->cvs) point = point * curve->matrix;
    return object_of(std::static_pointer_cast<Thing>(moved));
}
const MMatrix& MDataHandle::geometryTransformMatrix() const {
    auto geometry = value_ ? std::dynamic_pointer_cast<GeometryData>(value_->data) : nullptr;
    return geometry ? geometry->matrix : wrong<MMatrix>(*this, "geometryTransformMatrix");
}

void MDataHandle::setBool(bool v) { set_numbers(*this, {v ? 1.0 : 0.0}, "setBool"); }
void MDataHandle::setChar(char v) { set_numbers(*this, {static_cast<double>(v)}, "setChar"); }
void MDataHandle::setShort(short v) { set_numbers(*this, {static_cast<double>(v)}, "setShort"); }
void MDataHandle::setInt(int v) { set_numbers(*this, {static_cast<double>(v)}, "setInt"); }
void MDataHandle::setInt64(MInt64 v) { set_numbers(*this, {static_cast<double>(v)}, "setInt64"); }
void MDataHandle::setFloat(float v) { set_numbers(*this, {static_cast<double>(v)}, "setFloat"); }
void MDataHandle::setDouble(double v) { set_numbers(*this, {v}, "setDouble"); }
void MDataHandle::setMMatrix(const MMatrix& v) {
    if (!value_ || value_->attribute->store != Store::Matrix) (void)wrong<MMatrix>(*this, "setMMatrix");
    else value_->matrix = std::make_unique<MMatrix>(v), value_->mark(true);
}
void MDataHandle::setMVector(const MVector& v) { set_numbers(*this, {v.x, v.y, v.z}, "setMVector"); }
void MDataHandle::setMDistance(const MDistance& v) { set_numbers(*this, {v.asCentimeters()}, "setMDistance"); }
void MDataHandle::setMAngle(const MAngle& v) { set_numbers(*this, {v.asRadians()}, "setMAngle"); }
void MDataHandle::setMTime(const MTime& v) {
    if (!value_ || value_->attribute->store != Store::Time) (void)wrong<MTime>(*this, "setMTime");
    else value_->own.l = v.standin_ticks(), value_->mark(true);
}
void MDataHandle::set2Float(float x, float y) {
    set_numbers(*this, {static_cast<double>(x), static_cast<double>(y)}, "set2Float");
}
void MDataHandle::set2Double(double x, double y) { set_numbers(*this, {x, y}, "set2Double"); }
void MDataHandle::set3Float(float x, float y, float z) {
    set_numbers(*this, {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}, "set3Float");
}
void MDataHandle::set3Double(double x, double y, double z) { set_numbers(*this, {x, y, z}, "set3Double"); }
void MDataHandle::set4Double(double x, double y, double z, double w) { set_numbers(*this, {x, y, z, w}, "set4Double"); }
void MDataHandle::setString(const MString& v) {
    if (!value_ || value_->attribute->store != Store::Text) (void)wrong<MString>(*this, "setString");
    else value_->text = v, value_->mark(true);
}
/// Data of another type than the attribute's is refused.
MStatus MDataHandle::setMObject(const MObject& object) {
    if (!value_) return MStatus::kInvalidParameter;
    if (!value_->from_data(as<Data>(object))) return MStatus::kInvalidParameter;
    value_->mark(true);
    return MStatus();
}
MDataHandle MDataHandle::child(const MPlug& plug) { return child(plug.attribute()); }
MDataHandle MDataHandle::child(const MObject& object) {
    auto attribute = as<Attribute>(object);
    if (!value_ || !attribute || attribute->parent != value_->attribute || value_->is_array()) {
        fault("child of a data handle that has no such child");
        return MDataHandle();
    }
    return MDataHandle(&value_->child(attribute->place), block_);
}
MDataBlock MDataHandle::datablock(MStatus* status) const { return give(MDataBlock(block_), status); }

MArrayDataHandle::MArrayDataHandle(const MDataHandle& in, MStatus* status) : handle_(in) {
    const bool good = in.standin_value() && in.standin_value()->is_array();
    if (status) *status = good ? MStatus::kSuccess : MStatus::kInvalidParameter;
    if (!good) handle_ = MDataHandle();
}

namespace {

/// The first element whose logical index is not below one; null if there is none.
const std::pair<const unsigned int, std::unique_ptr<Value>>* element_from(const MDataHandle& handle,
                                                                          unsigned int index) {
    Value* array = handle.standin_value();
    if (!array) return nullptr;
    const auto found = array->elements.lower_bound(index);
    return found == array->elements.end() ? nullptr : &*found;
}

Value* element_at(const MDataHandle& handle, unsigned int index) {
    const auto* found = element_from(handle, index);
    return found ? found->second.get() : nullptr;
}

Path path_of_value(const Value& value) {
    Path path;
    const Value* at = &value;
    while (at) {
        Step step{at->attribute, -1};
        if (at->is_element) {
            for (const auto& each : at->parent->elements)
                if (each.second.get() == at) step.index = static_cast<int>(each.first);
            at = at->parent;
        }
        path.insert(path.begin(), step);
        at = at->parent;
    }
    return path;
}

} // namespace

/// The element that the handle stands at, up to date.
MDataHandle MArrayDataHandle::inputValue(MStatus* status) {
    Value* element = element_at(handle_, index_);
    if (!element) return give(MDataHandle(), status, MStatus::kFailure);
    Block* block = handle_.standin_block();
    if (!element->all_clean()) {
        const Path path = path_of_value(*element);
        MStatus failed = failing_status(*block, path);
        if (!failed) return give(MDataHandle(), status, failed);
        evaluate(*block, path);
    }
    return give(MDataHandle(element, block), status);
}
MDataHandle MArrayDataHandle::outputValue(MStatus* status) {
    Value* element = element_at(handle_, index_);
    return give(MDataHandle(element, handle_.standin_block()), status, element ? MStatus::kSuccess : MStatus::kFailure);
}
MArrayDataHandle MArrayDataHandle::inputArrayValue(MStatus* status) { return MArrayDataHandle(inputValue(), status); }
MArrayDataHandle MArrayDataHandle::outputArrayValue(MStatus* status) { return MArrayDataHandle(outputValue(), status); }
/// Goes on to the next element; fails after the last one.
MStatus MArrayDataHandle::next() {
    const auto* now = element_from(handle_, index_);
    const auto* after = now ? element_from(handle_, now->first + 1) : nullptr;
    if (!after) return MStatus::kFailure;
    index_ = after->first;
    return MStatus();
}
/// Only elements that exist are counted: arrays are sparse.
unsigned int MArrayDataHandle::elementCount(MStatus* status) {
    Value* array = handle_.standin_value();
    if (!array) return give(0U, status, MStatus::kFailure);
    return give(static_cast<unsigned int>(array->elements.size()), status);
}
/// The logical index of the element that the handle stands at.
unsigned int MArrayDataHandle::elementIndex(MStatus* status) {
    const auto* now = element_from(handle_, index_);
    return give(now ? now->first : 0U, status, now ? MStatus::kSuccess : MStatus::kFailure);
}
/// To the element with a logical index; fails if there is none.
MStatus MArrayDataHandle::jumpToElement(unsigned int index) {
    Value* array = handle_.standin_value();
    const auto found = array ? array->elements.find(index) : decltype(array->elements.end())();
    if (!array || found == array->elements.end()) return MStatus::kInvalidParameter;
    index_ = index;
    return MStatus();
}
/// To the n-th element that exists.
MStatus MArrayDataHandle::jumpToArrayElement(unsigned int position) {
    if (position >= elementCount()) return MStatus::kInvalidParameter;
    const auto& elements = handle_.standin_value()->elements;
    index_ = std::next(elements.begin(), static_cast<std::ptrdiff_t>(position))->first;
    return MStatus();
}
MStatus MArrayDataHandle::setClean() { return setAllClean(); }
MStatus MArrayDataHandle::setAllClean() {
    if (!handle_.standin_value()) return MStatus::kFailure;
    handle_.standin_value()->mark(true);
    return MStatus();
}
/// A builder that begins with the elements that are there. The attribute must have been made for it
/// (MFnAttribute::setUsesArrayDataBuilder).
MArrayDataBuilder MArrayDataHandle::builder(MStatus* status) {
    Value* array = handle_.standin_value();
    if (!array || !array->attribute->builder)
        return give(MArrayDataBuilder(std::shared_ptr<Value>(), nullptr), status, MStatus::kFailure);
    auto copy = std::make_shared<Value>(*array->attribute, nullptr, false);
    copy->copy_from(*array);
    return give(MArrayDataBuilder(copy, handle_.standin_block()), status);
}
/// The elements become those of the builder; what is not in it is gone.
MStatus MArrayDataHandle::set(MArrayDataBuilder& builder) {
    Value* array = handle_.standin_value();
    if (!array || !builder.standin_array() || array->attribute != builder.standin_array()->attribute)
        return MStatus::kFailure;
    array->elements = std::move(builder.standin_array()->elements);
    builder.standin_array()->elements.clear();
    for (auto& each : array->elements) {
        each.second->parent = array;
        each.second->mark(true);
    }
    array->clean = true;
    index_ = 0;
    return MStatus();
}

MArrayDataBuilder::MArrayDataBuilder(MDataBlock* block, const MObject& attribute, unsigned int, MStatus* status) {
    auto of = as<Attribute>(attribute);
    const bool good = block && of && of->array && of->builder;
    if (good) array_ = std::make_shared<Value>(*of, nullptr, false), block_ = block->standin_block();
    if (status) *status = good ? MStatus::kSuccess : MStatus::kFailure;
}
MDataHandle MArrayDataBuilder::addLast(MStatus* status) {
    const unsigned int index = array_ && !array_->elements.empty() ? std::prev(array_->elements.end())->first + 1 : 0;
    return addElement(index, status);
}
/// The element with this logical index, which is made if it is not there.
MDataHandle MArrayDataBuilder::addElement(unsigned int index, MStatus* status) {
    if (!array_) return give(MDataHandle(), status, MStatus::kFailure);
    return give(MDataHandle(&array_->element(index), block_), status);
}
MArrayDataHandle MArrayDataBuilder::addLastArray(MStatus* status) { return MArrayDataHandle(addLast(), status); }
MArrayDataHandle MArrayDataBuilder::addElementArray(unsigned int index, MStatus* status) {
    return MArrayDataHandle(addElement(index), status);
}
MStatus MArrayDataBuilder::removeElement(unsigned int index) {
    return array_ && array_->elements.erase(index) > 0 ? MStatus::kSuccess : MStatus::kFailure;
}
unsigned int MArrayDataBuilder::elementCount(MStatus* status) const {
    return give(array_ ? static_cast<unsigned int>(array_->elements.size()) : 0U, status);
}
MStatus MArrayDataBuilder::growArray(unsigned int) { return MStatus(); }
MStatus MArrayDataBuilder::setGrowSize(unsigned int) { return MStatus(); }

MDataBlock::MDataBlock(Block* block) : block_(block) {
    if (block && block->context) context_ = block->context->shared_from_this();
}

namespace {

bool path_in(Block& block, const MObject& object, Path& path) {
    auto attribute = as<Attribute>(object);
    if (!attribute || block.node->find(attribute->name) != attribute) return false;
    path = path_of(*attribute);
    return true;
}

MDataHandle input(Block& block, const Path& path, MStatus* status) {
    MStatus failed = failing_status(block, path);
    if (!failed) return give(MDataHandle(), status, failed);
    evaluate(block, path);
    return give(MDataHandle(&block.value(path), &block), status);
}

} // namespace

/// "Guaranteed to be valid for reading": a dirty connection is evaluated (MDataBlock::inputValue).
MDataHandle MDataBlock::inputValue(const MPlug& plug, MStatus* status) {
    if (plug.standin_node().get() != block_->node) return give(MDataHandle(), status, MStatus::kInvalidParameter);
    return input(*block_, plug.standin_path(), status);
}
MDataHandle MDataBlock::inputValue(const MObject& attribute, MStatus* status) {
    Path path;
    if (!path_in(*block_, attribute, path)) return give(MDataHandle(), status, MStatus::kInvalidParameter);
    return input(*block_, path, status);
}
/// "Not guaranteed to be valid for reading": nothing is evaluated (MDataBlock::outputValue).
MDataHandle MDataBlock::outputValue(const MPlug& plug, MStatus* status) {
    if (plug.standin_node().get() != block_->node) return give(MDataHandle(), status, MStatus::kInvalidParameter);
    return give(MDataHandle(&block_->value(plug.standin_path()), block_), status);
}
MDataHandle MDataBlock::outputValue(const MObject& attribute, MStatus* status) {
    Path path;
    if (!path_in(*block_, attribute, path)) return give(MDataHandle(), status, MStatus::kInvalidParameter);
    return give(MDataHandle(&block_->value(path), block_), status);
}
MArrayDataHandle MDataBlock::inputArrayValue(const MPlug& plug, MStatus* status) {
    MStatus read;
    const MDataHandle handle = inputValue(plug, &read);
    MArrayDataHandle array(handle, status);
    return read ? array : give(array, status, read);
}
MArrayDataHandle MDataBlock::inputArrayValue(const MObject& attribute, MStatus* status) {
    MStatus read;
    const MDataHandle handle = inputValue(attribute, &read);
    MArrayDataHandle array(handle, status);
    return read ? array : give(array, status, read);
}
MArrayDataHandle MDataBlock::outputArrayValue(const MPlug& plug, MStatus* status) {
    return MArrayDataHandle(outputValue(plug), status);
}
MArrayDataHandle MDataBlock::outputArrayValue(const MObject& attribute, MStatus* status) {
    return MArrayDataHandle(outputValue(attribute), status);
}
/// The value is the answer: compute is not called for it again until it becomes dirty.
MStatus MDataBlock::setClean(const MPlug& plug) {
    if (plug.standin_node().get() != block_->node) return MStatus::kInvalidParameter;
    block_->value(plug.standin_path()).mark(true);
    return MStatus();
}
MStatus MDataBlock::setClean(const MObject& attribute) {
    Path path;
    if (!path_in(*block_, attribute, path)) return MStatus::kInvalidParameter;
    block_->value(path).mark(true);
    return MStatus();
}
bool MDataBlock::isClean(const MPlug& plug) {
    return plug.standin_node().get() == block_->node && block_->value(plug.standin_path()).all_clean();
}
bool MDataBlock::isClean(const MObject& attribute, MStatus* status) {
    Path path;
    if (!path_in(*block_, attribute, path)) return give(false, status, MStatus::kInvalidParameter);
    return give(block_->value(path).all_clean(), status);
}
MDGContext MDataBlock::context(MStatus* status) { return give(MDGContext(context_), status); }

MDGContext MDGContext::fsNormal;
MDGContext::MDGContext() = default;
MDGContext::MDGContext(const MTime& when) : context_(std::make_shared<Context>(when)) {}
bool MDGContext::isNormal(MStatus* status) const { return give(!context_, status); }
/// The time of the context; the normal one has none, and fails.
MStatus MDGContext::getTime(MTime& time) const {
    if (!context_) return MStatus::kFailure;
    time = context_->time;
    return MStatus();
}
const MDGContext MDGContext::current() { return MDGContext(current_context_owner()); }
bool MDGContext::isCurrent(MStatus* status) const { return give(current_context() == context_.get(), status); }
const MDGContext MDGContext::makeCurrent(MStatus* status) const {
    MDGContext before = current();
    set_current_context(context_);
    return give(before, status);
}
MDGContextGuard::MDGContextGuard(const MDGContext& context) : before_(context.makeCurrent()) {}
MDGContextGuard::~MDGContextGuard() { before_.makeCurrent(); }
