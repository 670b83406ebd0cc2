#pragma once

#include <maya/MStatus.h>
#include <map>
#include <string>
#include <vector>

/// The flags and arguments that a command takes.
class MSyntax {
public:
    enum MArgType {
        kInvalidArgType, kNoArg, kBoolean, kLong, kDouble, kString, kUnsigned, kDistance, kAngle, kTime, kSelectionItem,
        kLastArgType
    };
    enum MObjectFormat { kInvalidObjectFormat, kNone, kStringObjects, kSelectionList, kLastObjectFormat };
    MStatus addFlag(const char* shortName, const char* longName, MArgType argType1 = kNoArg, MArgType argType2 = kNoArg,
                    MArgType argType3 = kNoArg, MArgType argType4 = kNoArg, MArgType argType5 = kNoArg,
                    MArgType argType6 = kNoArg);
    MStatus makeFlagMultiUse(const char* flag);
    MStatus makeFlagQueryWithFullArgs(const char* flag, bool queryArgsAreOptional);
    MStatus addArg(MArgType arg);
    void useSelectionAsDefault(bool useSelectionList = false);
    MStatus setObjectType(MObjectFormat objectFormat, unsigned int minimumObjects = 0);
    MStatus setObjectType(MObjectFormat objectFormat, unsigned int minimumObjects, unsigned int maximumObjects);
    void setMinObjects(unsigned int minimumObjectCount);
    void setMaxObjects(unsigned int maximumObjectCount);
    void enableQuery(bool supportsQuery = true);
    void enableEdit(bool supportsEdit = true);
    unsigned int minObjects() const;
    unsigned int maxObjects() const;
    bool canQuery() const;
    bool canEdit() const;
    static const char* className() { return "MSyntax"; }

    /// The stand-in's own: what was said, for the parser.
    struct Flag {
        std::string brief, name;
        std::vector<MArgType> args;
        bool multi_use = false, query_with_args = false, query_args_optional = false;
    };
    const Flag* standin_flag(const std::string& name) const;
    const std::vector<MArgType>& standin_args() const { return args_; }
    MObjectFormat standin_objects() const { return objects_; }
    bool standin_selection_is_default() const { return selection_; }

private:
    Flag* find(const std::string& name);
    std::vector<Flag> flags_;
    std::vector<MArgType> args_;
    MObjectFormat objects_ = kNone;
    unsigned int least_ = 0, most_ = 0xffffffffU;
    bool selection_ = false, query_ = false, edit_ = false;
};
