#pragma once

#include <maya/MAngle.h>
#include <maya/MDataHandle.h>
#include <maya/MDistance.h>
#include <maya/MIntArray.h>
#include <maya/MObject.h>
#include <maya/MString.h>
#include <maya/MTime.h>
#include <vector>

class MDataBlock;
class MPlugArray;

namespace standin {
/// One attribute on the way from the node to a plug; index -1: the array itself, or an attribute that is no array.
struct Step {
    const Attribute* attribute = nullptr;
    int index = -1;
};
typedef std::vector<Step> Path;
} // namespace standin

/// An attribute of one node, with the indices of the arrays that it is in.
class MPlug {
public:
    enum MValueSelector { kAll, kNonDefault, kChanged, kLastAttrSelector };
    enum FreeToChangeState { kFreeToChange, kNotFreeToChange, kChildrenNotFreeToChange };
    MPlug() = default;
    MPlug(const MObject& node, const MObject& attribute);
    MObject attribute(MStatus* ReturnStatus = nullptr) const;
    MObject node(MStatus* ReturnStatus = nullptr) const;
    MString name(MStatus* ReturnStatus = nullptr) const;
    MString partialName(bool includeNodeName = false, bool includeNonMandatoryIndices = false,
                        bool includeInstancedIndices = false, bool useAlias = false, bool useFullAttributePath = false,
                        bool useLongNames = false, MStatus* ReturnStatus = nullptr) const;
    bool isNetworked(MStatus* ReturnStatus = nullptr) const;
    bool isArray(MStatus* ReturnStatus = nullptr) const;
    bool isElement(MStatus* ReturnStatus = nullptr) const;
    bool isCompound(MStatus* ReturnStatus = nullptr) const;
    bool isChild(MStatus* ReturnStatus = nullptr) const;
    unsigned int logicalIndex(MStatus* ReturnStatus = nullptr) const;
    MStatus selectAncestorLogicalIndex(unsigned int index, const MObject& attribute = MObject::kNullObj);
    unsigned int getExistingArrayAttributeIndices(MIntArray& indices, MStatus* ReturnStatus = nullptr);
    unsigned int numElements(MStatus* ReturnStatus = nullptr) const;
    unsigned int evaluateNumElements(MStatus* ReturnStatus = nullptr);
    unsigned int numChildren(MStatus* ReturnStatus = nullptr) const;
    unsigned int numConnectedElements(MStatus* ReturnStatus = nullptr) const;
    unsigned int numConnectedChildren(MStatus* ReturnStatus = nullptr) const;
    MPlug child(MObject& attr, MStatus* ReturnStatus = nullptr) const;
    MPlug child(unsigned int index, MStatus* ReturnStatus = nullptr) const;
    MPlug parent(MStatus* ReturnStatus = nullptr) const;
    MPlug array(MStatus* ReturnStatus = nullptr) const;
    MPlug elementByLogicalIndex(unsigned int logicalIndex, MStatus* ReturnStatus = nullptr) const;
    MPlug elementByPhysicalIndex(unsigned int physicalIndex, MStatus* ReturnStatus = nullptr) const;
    MPlug connectionByPhysicalIndex(unsigned int physicalIndex, MStatus* ReturnStatus = nullptr) const;
    bool connectedTo(MPlugArray& array, bool asDst, bool asSrc, MStatus* ReturnStatus = nullptr) const;
    bool isConnected(MStatus* ReturnStatus = nullptr) const;
    MPlug source(MStatus* ReturnStatus = nullptr) const;
    bool destinations(MPlugArray& theDestinations, MStatus* ReturnStatus = nullptr) const;
    bool isSource(MStatus* ReturnStatus = nullptr) const;
    bool isDestination(MStatus* ReturnStatus = nullptr) const;
    bool isKeyable(MStatus* ReturnStatus = nullptr) const;
    MStatus setKeyable(bool keyable);
    bool isLocked(MStatus* ReturnStatus = nullptr) const;
    MStatus setLocked(bool locked);
    bool isChannelBoxFlagSet(MStatus* ReturnStatus = nullptr) const;
    MStatus setChannelBox(bool channelBox);
    bool isNull(MStatus* ReturnStatus = nullptr) const;
    MString info(MStatus* ReturnStatus = nullptr) const;
    bool isFromReferencedFile(MStatus* ReturnStatus = nullptr) const;
    bool isDynamic(MStatus* ReturnStatus = nullptr) const;
    bool isDefaultValue(bool forceEval = true, MStatus* ReturnStatus = nullptr) const;
    FreeToChangeState isFreeToChange(bool checkParents = true, bool checkChildren = true,
                                     MStatus* ReturnStatus = nullptr) const;
    MObject asMObject(MStatus* ReturnStatus = nullptr) const;
    MDataHandle asMDataHandle(MStatus* ReturnStatus = nullptr) const;
    void destructHandle(MDataHandle&) const {}
    double asDouble(MStatus* ReturnStatus = nullptr) const;
    float asFloat(MStatus* ReturnStatus = nullptr) const;
    MInt64 asInt64(MStatus* ReturnStatus = nullptr) const;
    int asInt(MStatus* ReturnStatus = nullptr) const;
    short asShort(MStatus* ReturnStatus = nullptr) const;
    bool asBool(MStatus* ReturnStatus = nullptr) const;
    MDistance asMDistance(MStatus* ReturnStatus = nullptr) const;
    MAngle asMAngle(MStatus* ReturnStatus = nullptr) const;
    MTime asMTime(MStatus* ReturnStatus = nullptr) const;
    MString asString(MStatus* ReturnStatus = nullptr) const;
    MStatus setMObject(const MObject&);
    MStatus setMDataHandle(const MDataHandle&);
    MStatus setDouble(double);
    MStatus setFloat(float);
    MStatus setInt64(MInt64);
    MStatus setInt(int);
    MStatus setShort(short);
    MStatus setBool(bool);
    MStatus setMDistance(const MDistance&);
    MStatus setMAngle(const MAngle&);
    MStatus setMTime(const MTime&);
    MStatus setString(const MString&);
    MStatus setNumElements(unsigned int);
    MStatus getValue(MObject&) const;
    MStatus getValue(double&) const;
    MStatus getValue(float&) const;
    MStatus getValue(int&) const;
    MStatus getValue(short&) const;
    MStatus getValue(bool&) const;
    MStatus getValue(MDistance&) const;
    MStatus getValue(MAngle&) const;
    MStatus getValue(MTime&) const;
    MStatus getValue(MString&) const;
    MStatus setValue(const MObject& value) { return setMObject(value); }
    MStatus setValue(double value) { return setDouble(value); }
    MStatus setValue(float value) { return setFloat(value); }
    MStatus setValue(int value) { return setInt(value); }
    MStatus setValue(short value) { return setShort(value); }
    MStatus setValue(bool value) { return setBool(value); }
    MStatus setValue(const MDistance& value) { return setMDistance(value); }
    MStatus setValue(const MAngle& value) { return setMAngle(value); }
    MStatus setValue(const MTime& value) { return setMTime(value); }
    MStatus setValue(const MString& value) { return setString(value); }
    MStatus setValue(const char* value) { return setString(value); }
    MPlug operator[](unsigned int physicalIndex) const { return elementByPhysicalIndex(physicalIndex); }
    bool isExactlyEqual(const MPlug& other) const;
    bool operator==(const MPlug& other) const;
    bool operator==(const MObject& attribute) const;
    bool operator!=(const MPlug& other) const { return !(*this == other); }
    bool operator!=(const MObject& attribute) const { return !(*this == attribute); }
    operator MObject() const { return attribute(); }
    bool operator!() const { return isNull(); }

    /// The stand-in's own.
    MPlug(std::shared_ptr<standin::Node> node, standin::Path path) : node_(std::move(node)), path_(std::move(path)) {}
    const std::shared_ptr<standin::Node>& standin_node() const { return node_; }
    const standin::Path& standin_path() const { return path_; }

private:
    std::shared_ptr<standin::Node> node_;
    standin::Path path_;
};
