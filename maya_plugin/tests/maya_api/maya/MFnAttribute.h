#pragma once

#include <maya/MFnBase.h>
#include <maya/MFnData.h>
#include <maya/MString.h>

class MStringArray;

/// What all attributes have.
class MFnAttribute : public MFnBase {
    STANDIN_FUNCTION_SET(MFnAttribute, MFn::kAttribute)
    enum DisconnectBehavior { kDelete, kReset, kNothing };
    bool isReadable(MStatus* ReturnStatus = nullptr) const;
    bool isWritable(MStatus* ReturnStatus = nullptr) const;
    bool isConnectable(MStatus* ReturnStatus = nullptr) const;
    bool isStorable(MStatus* ReturnStatus = nullptr) const;
    bool isCached(MStatus* ReturnStatus = nullptr) const;
    bool isArray(MStatus* ReturnStatus = nullptr) const;
    bool indexMatters(MStatus* ReturnStatus = nullptr) const;
    bool isKeyable(MStatus* ReturnStatus = nullptr) const;
    bool isChannelBoxFlagSet(MStatus* ReturnStatus = nullptr) const;
    bool isHidden(MStatus* ReturnStatus = nullptr) const;
    bool isUsedAsColor(MStatus* ReturnStatus = nullptr) const;
    bool isUsedAsFilename(MStatus* ReturnStatus = nullptr) const;
    bool isDynamic(MStatus* ReturnStatus = nullptr) const;
    bool isWorldSpace(MStatus* ReturnStatus = nullptr) const;
    bool isAffectsWorldSpace(MStatus* ReturnStatus = nullptr) const;
    bool affectsAppearance(MStatus* ReturnStatus = nullptr) const;
    DisconnectBehavior disconnectBehavior(MStatus* ReturnStatus = nullptr) const;
    bool usesArrayDataBuilder(MStatus* ReturnStatus = nullptr) const;
    bool internal(MStatus* ReturnStatus = nullptr) const;
    MStatus setReadable(bool state);
    MStatus setWritable(bool state);
    MStatus setConnectable(bool state);
    MStatus setStorable(bool state);
    MStatus setCached(bool state);
    MStatus setArray(bool state);
    MStatus setIndexMatters(bool state);
    MStatus setKeyable(bool state);
    MStatus setChannelBox(bool state);
    MStatus setHidden(bool state);
    MStatus setUsedAsColor(bool state);
    MStatus setUsedAsFilename(bool state);
    MStatus setWorldSpace(bool state);
    MStatus setAffectsWorldSpace(bool state);
    MStatus setAffectsAppearance(bool state);
    MStatus setDisconnectBehavior(DisconnectBehavior behavior);
    MStatus setUsesArrayDataBuilder(bool state);
    MStatus setInternal(bool state);
    MStatus setNiceNameOverride(const MString& localizedName);
    bool accepts(MFnData::Type type, MStatus* ReturnStatus = nullptr) const;
    MObject parent(MStatus* ReturnStatus = nullptr) const;
    MString name(MStatus* ReturnStatus = nullptr) const;
    MString shortName(MStatus* ReturnStatus = nullptr) const;
    MStatus addToCategory(const MString& category);
    MStatus removeFromCategory(const MString& category);
    bool hasCategory(const MString& category) const;
    MStatus getCategories(MStringArray& categories) const;

protected:
    standin::Attribute* attribute() const;
    MObject made(std::shared_ptr<standin::Attribute> attribute, MStatus* status);
};
