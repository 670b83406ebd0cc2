#pragma once

#include <maya/MFnBase.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>
#include <maya/MPlugArray.h>
#include <maya/MTypeId.h>
#include <maya/MUuid.h>

class MPxNode;
class MStringArray;

class MFnDependencyNode : public MFnBase {
    STANDIN_FUNCTION_SET(MFnDependencyNode, MFn::kDependencyNode)
    enum MAttrClass { kLocalDynamicAttr = 1, kNormalAttr, kExtensionAttr, kInvalidAttr };
    MObject create(const MTypeId& typeId, MStatus* ReturnStatus = nullptr);
    MObject create(const MTypeId& typeId, const MString& name, MStatus* ReturnStatus = nullptr);
    MObject create(const MString& type, MStatus* ReturnStatus = nullptr);
    MObject create(const MString& type, const MString& name, MStatus* ReturnStatus = nullptr);
    MTypeId typeId(MStatus* ReturnStatus = nullptr) const;
    MString typeName(MStatus* ReturnStatus = nullptr) const;
    MString name(MStatus* ReturnStatus = nullptr) const;
    MString absoluteName(MStatus* ReturnStatus = nullptr) const;
    MString uniqueName(MStatus* ReturnStatus = nullptr) const;
    MString pluginName(MStatus* ReturnStatus = nullptr) const;
    MString setName(const MString& name, bool createNamespace = false, MStatus* ReturnStatus = nullptr);
    MUuid uuid(MStatus* ReturnStatus = nullptr) const;
    MStatus getConnections(MPlugArray& array) const;
    unsigned int attributeCount(MStatus* ReturnStatus = nullptr) const;
    MObject attribute(unsigned int index, MStatus* ReturnStatus = nullptr) const;
    MObject attribute(const MString& attrName, MStatus* ReturnStatus = nullptr) const;
    MStatus getAffectedAttributes(const MObject& attr, MObjectArray& affectedAttributes) const;
    MStatus getAffectedByAttributes(const MObject& attr, MObjectArray& affectedByAttributes) const;
    MPlug findPlug(const MObject& attr, bool wantNetworkedPlug, MStatus* ReturnStatus = nullptr) const;
    MPlug findPlug(const MString& attrName, bool wantNetworkedPlug, MStatus* ReturnStatus = nullptr) const;
    MStatus addAttribute(const MObject& attr);
    MStatus removeAttribute(const MObject& attr);
    MPxNode* userNode(MStatus* ReturnStatus = nullptr) const;
    bool isFromReferencedFile(MStatus* ReturnStatus = nullptr) const;
    bool hasUniqueName(MStatus* ReturnStatus = nullptr) const;
    MString parentNamespace(MStatus* ReturnStatus = nullptr) const;
    bool isLocked(MStatus* ReturnStatus = nullptr) const;
    MStatus setLocked(bool locked);
    static MString classification(const MString& nodeTypeName);
    bool isDefaultNode(MStatus* ReturnStatus = nullptr) const;
    MStatus setDoNotWrite(bool flag);
    bool canBeWritten(MStatus* ReturnStatus = nullptr) const;
    bool hasAttribute(const MString& name, MStatus* ReturnStatus = nullptr) const;
    MStatus setIcon(const MString& filename);

protected:
    standin::Node* node() const;
};
