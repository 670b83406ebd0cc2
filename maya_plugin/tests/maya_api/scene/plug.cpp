// Plugs.

#include "world.h"

#include <algorithm>

using namespace standin;

MPlug::MPlug(const MObject& node, const MObject& attribute) {
    Node* found = node_of(node);
    auto wanted = as<Attribute>(attribute);
    if (!found || !wanted || found->find(wanted->name) != wanted) return;
    node_ = std::static_pointer_cast<Node>(found->shared_from_this());
    path_ = path_of(*wanted);
}

namespace {

const Attribute* last(const MPlug& plug) { return plug.isNull() ? nullptr : plug.standin_path().back().attribute; }

MPlug with(const MPlug& plug, Path path) { return MPlug(plug.standin_node(), std::move(path)); }

} // namespace

MObject MPlug::attribute(MStatus* status) const {
    if (isNull()) return give(MObject(), status, MStatus::kFailure);
    return give(object_of(*path_.back().attribute), status);
}
MObject MPlug::node(MStatus* status) const {
    if (isNull()) return give(MObject(), status, MStatus::kFailure);
    return give(object_of(*node_), status);
}
MString MPlug::name(MStatus* status) const {
    return give(standin::text(isNull() ? "" : plug_name(key_of(*this))), status,
                isNull() ? MStatus::kFailure : MStatus::kSuccess);
}
MString MPlug::partialName(bool node, bool, bool, bool, bool full_path, bool long_names, MStatus* status) const {
    if (isNull()) return give(MString(), status, MStatus::kFailure);
    Path path = path_;
    // Without its compound, where that is no array: short names are unique in a node.
    if (!full_path)
        while (path.size() > 1 &&
               std::none_of(path.begin(), path.end() - 1, [](const Step& s) { return s.index >= 0; }))
            path.erase(path.begin());
    return give(standin::text((node ? node_->name + "." : "") + path_name(path, !long_names)), status);
}
MString MPlug::info(MStatus* status) const { return name(status); }
bool MPlug::isNull(MStatus* status) const { return give(!node_ || path_.empty(), status); }
bool MPlug::isNetworked(MStatus* status) const { return give(isConnected(), status); }
bool MPlug::isArray(MStatus* status) const {
    return give(!isNull() && last(*this)->array && path_.back().index < 0, status);
}
bool MPlug::isElement(MStatus* status) const { return give(!isNull() && path_.back().index >= 0, status); }
bool MPlug::isCompound(MStatus* status) const { return give(!isNull() && last(*this)->compound(), status); }
bool MPlug::isChild(MStatus* status) const { return give(!isNull() && path_.size() > 1, status); }
unsigned int MPlug::logicalIndex(MStatus* status) const {
    if (!isElement()) return give(0xffffffffU, status, MStatus::kInvalidParameter);
    return give(static_cast<unsigned int>(path_.back().index), status);
}
/// The index of an array that the plug is in, by default the nearest one.
MStatus MPlug::selectAncestorLogicalIndex(unsigned int index, const MObject& attribute) {
    for (auto step = path_.rbegin(); step != path_.rend(); ++step)
        if (step->attribute->array &&
            (attribute.isNull() ? step != path_.rbegin() : object_of(*step->attribute) == attribute)) {
            step->index = static_cast<int>(index);
            return MStatus();
        }
    return MStatus::kInvalidParameter;
}
unsigned int MPlug::getExistingArrayAttributeIndices(MIntArray& indices, MStatus* status) {
    indices.clear();
    if (!isArray()) return give(0U, status, MStatus::kInvalidParameter);
    for (int index : indices_of(*node_, path_)) indices.append(index);
    return give(indices.length(), status);
}
/// Those that exist without evaluation.
unsigned int MPlug::numElements(MStatus* status) const {
    if (!isArray()) return give(0U, status, MStatus::kInvalidParameter);
    return give(static_cast<unsigned int>(indices_of(*node_, path_).size()), status);
}
/// Those that there are after evaluation.
unsigned int MPlug::evaluateNumElements(MStatus* status) {
    if (!isArray()) return give(0U, status, MStatus::kInvalidParameter);
    return give(static_cast<unsigned int>(pulled(*this).elements.size()), status);
}
unsigned int MPlug::numChildren(MStatus* status) const {
    return give(isNull() ? 0U : static_cast<unsigned int>(last(*this)->children.size()), status);
}
unsigned int MPlug::numConnectedElements(MStatus* status) const {
    unsigned int count = 0;
    for (unsigned int i = 0; isArray() && i < numElements(); ++i)
        count += elementByPhysicalIndex(i).isConnected() ? 1U : 0U;
    return give(count, status, isArray() ? MStatus::kSuccess : MStatus::kInvalidParameter);
}
unsigned int MPlug::numConnectedChildren(MStatus* status) const {
    unsigned int count = 0;
    for (unsigned int i = 0; i < numChildren(); ++i) count += child(i).isConnected() ? 1U : 0U;
    return give(count, status);
}
MPlug MPlug::child(MObject& object, MStatus* status) const {
    auto attribute = as<Attribute>(object);
    if (isNull() || !attribute || attribute->parent != last(*this))
        return give(MPlug(), status, MStatus::kInvalidParameter);
    return give(with(*this, child_of(path_, *attribute)), status);
}
MPlug MPlug::child(unsigned int index, MStatus* status) const {
    if (index >= numChildren()) return give(MPlug(), status, MStatus::kInvalidParameter);
    return give(with(*this, child_of(path_, *last(*this)->children[index])), status);
}
MPlug MPlug::parent(MStatus* status) const {
    if (!isChild()) return give(MPlug(), status, MStatus::kInvalidParameter);
    return give(with(*this, Path(path_.begin(), path_.end() - 1)), status);
}
MPlug MPlug::array(MStatus* status) const {
    if (!isElement()) return give(MPlug(), status, MStatus::kInvalidParameter);
    return give(with(*this, element_of(path_, -1)), status);
}
/// Exists from then on; an array plug has all elements that one could ask for.
MPlug MPlug::elementByLogicalIndex(unsigned int index, MStatus* status) const {
    if (!isArray()) return give(MPlug(), status, MStatus::kInvalidParameter);
    return give(with(*this, element_of(path_, static_cast<int>(index))), status);
}
MPlug MPlug::elementByPhysicalIndex(unsigned int index, MStatus* status) const {
    const std::vector<int> indices = isArray() ? indices_of(*node_, path_) : std::vector<int>();
    if (index >= indices.size()) return give(MPlug(), status, MStatus::kInvalidParameter);
    return give(with(*this, element_of(path_, indices[index])), status);
}
MPlug MPlug::connectionByPhysicalIndex(unsigned int index, MStatus* status) const {
    for (unsigned int i = 0, n = 0; isArray() && i < numElements(); ++i) {
        MPlug element = elementByPhysicalIndex(i);
        if (element.isConnected() && n++ == index) return give(element, status);
    }
    return give(MPlug(), status, MStatus::kInvalidParameter);
}
bool MPlug::connectedTo(MPlugArray& plugs, bool as_destination, bool as_source, MStatus* status) const {
    plugs.clear();
    if (isNull()) return give(false, status, MStatus::kFailure);
    MPlugArray to;
    if (as_destination && isDestination()) plugs.append(source());
    if (as_source && destinations(to))
        for (const MPlug& plug : to) plugs.append(plug);
    return give(plugs.length() > 0, status);
}
bool MPlug::isConnected(MStatus* status) const { return give(isSource() || isDestination(), status); }
bool MPlug::isSource(MStatus* status) const {
    return give(!isNull() && world().destinations.count(key_of(*this)) > 0, status);
}
bool MPlug::isDestination(MStatus* status) const { return give(!isNull() && source_of(key_of(*this)), status); }
MPlug MPlug::source(MStatus* status) const {
    const PlugKey* found = isNull() ? nullptr : source_of(key_of(*this));
    return give(found ? to_plug(*found) : MPlug(), status);
}
bool MPlug::destinations(MPlugArray& plugs, MStatus* status) const {
    plugs.clear();
    if (isNull()) return give(false, status, MStatus::kFailure);
    const auto found = world().destinations.find(key_of(*this));
    if (found != world().destinations.end())
        for (const PlugKey& key : found->second) plugs.append(to_plug(key));
    return give(plugs.length() > 0, status);
}
bool MPlug::isKeyable(MStatus* status) const {
    if (isNull()) return give(false, status, MStatus::kFailure);
    const auto own = node_->keyable_plugs.find(path_);
    return give(own != node_->keyable_plugs.end() ? own->second : last(*this)->keyable, status);
}
MStatus MPlug::setKeyable(bool keyable) {
    if (isNull()) return MStatus::kFailure;
    node_->keyable_plugs[path_] = keyable;
    return MStatus();
}
bool MPlug::isLocked(MStatus* status) const { return give(!isNull() && node_->locked_plugs.count(path_) > 0, status); }
MStatus MPlug::setLocked(bool locked) {
    if (isNull()) return MStatus::kFailure;
    if (locked) node_->locked_plugs.insert(path_);
    else node_->locked_plugs.erase(path_);
    return MStatus();
}
bool MPlug::isChannelBoxFlagSet(MStatus* status) const {
    if (isNull()) return give(false, status, MStatus::kFailure);
    const auto own = node_->shown_plugs.find(path_);
    return give(own != node_->shown_plugs.end() ? own->second : last(*this)->channel_box, status);
}
MStatus MPlug::setChannelBox(bool shown) {
    if (isNull()) return MStatus::kFailure;
    node_->shown_plugs[path_] = shown;
    return MStatus();
}
bool MPlug::isFromReferencedFile(MStatus* status) const { return give(!isNull() && node_->referenced, status); }
bool MPlug::isDynamic(MStatus* status) const { return give(!isNull() && last(*this)->dynamic, status); }
bool MPlug::isDefaultValue(bool, MStatus* status) const {
    if (isNull()) return give(false, status, MStatus::kFailure);
    const Value& value = pulled(*this);
    if (value.is_array()) return give(value.elements.empty(), status);
    const Value fresh(*value.attribute, nullptr, true);
    bool same =
        value.text == fresh.text && value.data == fresh.data && (!value.matrix || *value.matrix == *fresh.matrix);
    for (unsigned int i = 0; i < value.attribute->components; ++i)
        same = same && value.get_number(i) == fresh.get_number(i);
    return give(same, status);
}
/// Not if it or what it is in is locked or has a source (MPlug::isFreeToChange).
MPlug::FreeToChangeState MPlug::isFreeToChange(bool check_parents, bool check_children, MStatus* status) const {
    if (status) *status = isNull() ? MStatus::kFailure : MStatus::kSuccess;
    if (isNull() || isLocked() || isDestination() || node_->locked) return kNotFreeToChange;
    if (check_parents && isChild() && parent().isFreeToChange(true, false) != kFreeToChange) return kNotFreeToChange;
    for (unsigned int i = 0; check_children && !isArray() && i < numChildren(); ++i)
        if (child(i).isFreeToChange(false, true) != kFreeToChange) return kChildrenNotFreeToChange;
    return kFreeToChange;
}

/// Reading a plug evaluates it in the current context (MDGContextGuard changes which).
MDataHandle MPlug::asMDataHandle(MStatus* status) const {
    if (isNull()) return give(MDataHandle(), status, MStatus::kFailure);
    Value& value = pulled(*this);
    return give(MDataHandle(&value, &block_in(*node_, current_context())), status);
}
MObject MPlug::asMObject(MStatus* status) const {
    if (isNull()) return give(MObject(), status, MStatus::kFailure);
    auto data = pulled(*this).to_data();
    return give(data ? object_of(std::static_pointer_cast<Thing>(data)) : MObject(), status,
                data ? MStatus::kSuccess : MStatus::kFailure);
}
double MPlug::asDouble(MStatus* status) const {
    if (isNull() || isArray() || last(*this)->store == Store::Nothing) return give(0.0, status, MStatus::kFailure);
    return give(pulled(*this).get_number(), status);
}
float MPlug::asFloat(MStatus* status) const { return static_cast<float>(asDouble(status)); }
MInt64 MPlug::asInt64(MStatus* status) const { return static_cast<MInt64>(asDouble(status)); }
int MPlug::asInt(MStatus* status) const { return static_cast<int>(asDouble(status)); }
short MPlug::asShort(MStatus* status) const { return static_cast<short>(asDouble(status)); }
bool MPlug::asBool(MStatus* status) const { return asDouble(status) != 0; }
MDistance MPlug::asMDistance(MStatus* status) const { return MDistance(asDouble(status)); }
MAngle MPlug::asMAngle(MStatus* status) const { return MAngle(asDouble(status)); }
MTime MPlug::asMTime(MStatus* status) const {
    if (isNull() || last(*this)->store != Store::Time) return give(MTime(), status, MStatus::kFailure);
    return give(MTime::standin_of_ticks(pulled(*this).own.l, MTime::uiUnit()), status);
}
MString MPlug::asString(MStatus* status) const {
    if (isNull() || last(*this)->store != Store::Text) return give(MString(), status, MStatus::kFailure);
    return give(pulled(*this).text, status);
}

MStatus MPlug::setMObject(const MObject& object) {
    auto data = as<Data>(object);
    return set_value(*this, [&](Value& value) { return value.from_data(data ? data->clone() : nullptr); });
}
MStatus MPlug::setMDataHandle(const MDataHandle& handle) {
    return set_value(*this, [&](Value& value) {
        if (handle.standin_value()) value.copy_from(*handle.standin_value());
        return handle.standin_value() != nullptr;
    });
}
/// A number beyond the attribute's limits becomes the limit.
MStatus MPlug::setDouble(double number) {
    return set_value(*this, [&](Value& value) {
        const Attribute& a = *value.attribute;
        if (value.is_array() || a.store == Store::Nothing || a.store == Store::Text || a.store == Store::Object ||
            a.store == Store::Matrix)
            return false;
        if (a.least) number = std::max(number, *a.least);
        if (a.most) number = std::min(number, *a.most);
        value.set_number(number);
        return true;
    });
}
MStatus MPlug::setFloat(float value) { return setDouble(static_cast<double>(value)); }
MStatus MPlug::setInt64(MInt64 value) { return setDouble(static_cast<double>(value)); }
MStatus MPlug::setInt(int value) { return setDouble(value); }
MStatus MPlug::setShort(short value) { return setDouble(value); }
MStatus MPlug::setBool(bool value) { return setDouble(value ? 1 : 0); }
MStatus MPlug::setMDistance(const MDistance& value) { return setDouble(value.asCentimeters()); }
MStatus MPlug::setMAngle(const MAngle& value) { return setDouble(value.asRadians()); }
MStatus MPlug::setMTime(const MTime& time) {
    return set_value(*this, [&](Value& value) {
        value.own.l = time.standin_ticks();
        return value.attribute->store == Store::Time;
    });
}
MStatus MPlug::setString(const MString& text) {
    return set_value(*this, [&](Value& value) {
        if (value.attribute->store == Store::Text) value.text = text;
        return value.attribute->store == Store::Text;
    });
}
/// Makes elements 0 to n-1.
MStatus MPlug::setNumElements(unsigned int count) {
    if (!isArray()) return MStatus::kInvalidParameter;
    return set_value(*this, [&](Value& value) {
        for (unsigned int i = 0; i < count; ++i) value.element(i);
        return true;
    });
}

namespace {
template <class T> MStatus read(T& into, T value, const MStatus& status) {
    if (status) into = value;
    return status;
}
} // namespace

MStatus MPlug::getValue(MObject& into) const { MStatus s; MObject v = asMObject(&s); return read(into, v, s); }
MStatus MPlug::getValue(double& into) const { MStatus s; double v = asDouble(&s); return read(into, v, s); }
MStatus MPlug::getValue(float& into) const { MStatus s; float v = asFloat(&s); return read(into, v, s); }
MStatus MPlug::getValue(int& into) const { MStatus s; int v = asInt(&s); return read(into, v, s); }
MStatus MPlug::getValue(short& into) const { MStatus s; short v = asShort(&s); return read(into, v, s); }
MStatus MPlug::getValue(bool& into) const { MStatus s; bool v = asBool(&s); return read(into, v, s); }
MStatus MPlug::getValue(MDistance& into) const { MStatus s; MDistance v = asMDistance(&s); return read(into, v, s); }
MStatus MPlug::getValue(MAngle& into) const { MStatus s; MAngle v = asMAngle(&s); return read(into, v, s); }
MStatus MPlug::getValue(MTime& into) const { MStatus s; MTime v = asMTime(&s); return read(into, v, s); }
MStatus MPlug::getValue(MString& into) const { MStatus s; MString v = asString(&s); return read(into, v, s); }

bool MPlug::isExactlyEqual(const MPlug& other) const { return node_ == other.node_ && path_ == other.path_; }
/// The same attribute of the same node: indices are not compared, which isExactlyEqual does (MPlug, comparison support,
/// in the Python reference).
bool MPlug::operator==(const MPlug& other) const { return node_ == other.node_ && last(*this) == last(other); }
/// Whether the plug is of this attribute, whatever its indices are.
bool MPlug::operator==(const MObject& attribute) const { return !isNull() && object_of(*last(*this)) == attribute; }
