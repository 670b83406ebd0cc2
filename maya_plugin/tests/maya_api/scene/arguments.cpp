// Arguments of commands: lists, syntaxes, and what they make of each other.

#include "world.h"

#include <maya/MArgDatabase.h>
#include <maya/MCommandResult.h>
#include <maya/MGlobal.h>

#include <algorithm>

using namespace standin;

MCommandResult::Type MCommandResult::resultType(MStatus* s) const { return give(standin_type, s); }
namespace {
MStatus one(const MCommandResult& result) {
    return result.standin_items.length() == 1 ? MStatus::kSuccess : MStatus::kFailure;
}
} // namespace
MStatus MCommandResult::getResult(int& to) const {
    return one(*this) ? (to = standin_items[0].asInt(), MStatus()) : MStatus::kFailure;
}
MStatus MCommandResult::getResult(double& to) const {
    return one(*this) ? (to = standin_items[0].asDouble(), MStatus()) : MStatus::kFailure;
}
MStatus MCommandResult::getResult(MString& to) const {
    return one(*this) ? (to = standin_items[0], MStatus()) : MStatus::kFailure;
}
MStatus MCommandResult::getResult(MIntArray& to) const {
    to.clear();
    for (const MString& each : standin_items) to.append(each.asInt());
    return MStatus();
}
MStatus MCommandResult::getResult(MDoubleArray& to) const {
    to.clear();
    for (const MString& each : standin_items) to.append(each.asDouble());
    return MStatus();
}
MStatus MCommandResult::getResult(MStringArray& to) const { return to = standin_items, MStatus(); }
MString MCommandResult::stringResult(MStatus* s) const {
    return give(one(*this) ? standin_items[0] : MString(), s, one(*this));
}

const unsigned int MArgList::kInvalidArgIndex = 0xffffffffU;
unsigned int MArgList::length(MStatus* s) const { return give(items_.length(), s); }
MString MArgList::asString(unsigned int i, MStatus* s) const {
    if (i >= items_.length()) return give(MString(), s, MStatus::kInvalidParameter);
    return give(items_[i], s);
}
bool MArgList::asBool(unsigned int i, MStatus* s) const {
    const MString text = asString(i, s);
    return text == "1" || text == "true" || text == "on" || text == "yes";
}
int MArgList::asInt(unsigned int i, MStatus* s) const { return asString(i, s).asInt(); }
double MArgList::asDouble(unsigned int i, MStatus* s) const { return asString(i, s).asDouble(); }
unsigned int MArgList::flagIndex(const char* brief, const char* name) const {
    for (unsigned int i = 0; i < items_.length(); ++i)
        if (items_[i] == MString("-") + brief || items_[i] == brief ||
            (name && (items_[i] == MString("-") + name || items_[i] == name)))
            return i;
    return kInvalidArgIndex;
}
MStatus MArgList::addArg(bool v) { return items_.append(v ? "1" : "0"); }
MStatus MArgList::addArg(int v) { return items_.append(std::to_string(v).c_str()); }
MStatus MArgList::addArg(double v) { return items_.append(std::to_string(v).c_str()); }
MStatus MArgList::addArg(const MString& v) { return items_.append(v); }
MStatus MArgList::get(unsigned int i, bool& to) const { MStatus s; to = asBool(i, &s); return s; }
MStatus MArgList::get(unsigned int i, int& to) const { MStatus s; to = asInt(i, &s); return s; }
MStatus MArgList::get(unsigned int i, double& to) const { MStatus s; to = asDouble(i, &s); return s; }
MStatus MArgList::get(unsigned int i, MString& to) const { MStatus s; to = asString(i, &s); return s; }

namespace {
std::string bare(const char* flag) { return flag[0] == '-' ? flag + 1 : flag; }
} // namespace

/// Short names have up to three letters, long ones four or more (MSyntax::addFlag).
MStatus MSyntax::addFlag(const char* brief, const char* name, MArgType a, MArgType b, MArgType c, MArgType d,
                         MArgType e, MArgType f) {
    Flag flag;
    flag.brief = bare(brief);
    flag.name = bare(name);
    if (flag.brief.empty() || flag.brief.size() > 3 || flag.name.size() < 4 || find(flag.name) || find(flag.brief))
        return MStatus::kInvalidParameter;
    for (MArgType type : {a, b, c, d, e, f})
        if (type != kNoArg) flag.args.push_back(type);
    flags_.push_back(flag);
    return MStatus();
}
MSyntax::Flag* MSyntax::find(const std::string& name) {
    for (Flag& each : flags_)
        if (each.brief == name || each.name == name) return &each;
    return nullptr;
}
const MSyntax::Flag* MSyntax::standin_flag(const std::string& name) const {
    return const_cast<MSyntax*>(this)->find(name);
}
MStatus MSyntax::makeFlagMultiUse(const char* flag) {
    Flag* found = find(bare(flag));
    return found ? (found->multi_use = true, MStatus()) : MStatus::kInvalidParameter;
}
MStatus MSyntax::makeFlagQueryWithFullArgs(const char* flag, bool optional) {
    Flag* found = find(bare(flag));
    if (!found) return MStatus::kInvalidParameter;
    return found->query_with_args = true, found->query_args_optional = optional, MStatus();
}
MStatus MSyntax::addArg(MArgType arg) { return args_.push_back(arg), MStatus(); }
void MSyntax::useSelectionAsDefault(bool use) { selection_ = use; }
MStatus MSyntax::setObjectType(MObjectFormat format, unsigned int least) {
    return objects_ = format, least_ = least, MStatus();
}
MStatus MSyntax::setObjectType(MObjectFormat format, unsigned int least, unsigned int most) {
    return objects_ = format, least_ = least, most_ = most, MStatus();
}
void MSyntax::setMinObjects(unsigned int count) { least_ = count; }
void MSyntax::setMaxObjects(unsigned int count) { most_ = count; }
void MSyntax::enableQuery(bool on) { query_ = on; }
void MSyntax::enableEdit(bool on) { edit_ = on; }
unsigned int MSyntax::minObjects() const { return least_; }
unsigned int MSyntax::maxObjects() const { return most_; }
bool MSyntax::canQuery() const { return query_; }
bool MSyntax::canEdit() const { return edit_; }

MArgParser::MArgParser(const MSyntax& syntax, const MArgList& list, MStatus* s) : syntax_(syntax) {
    MStatus status = parse(list);
    if (s) *s = status;
}
MArgParser::~MArgParser() = default;

namespace {
bool fits(const std::string& text, MSyntax::MArgType type) {
    const MString value = standin::text(text);
    switch (type) {
    case MSyntax::kLong:
    case MSyntax::kUnsigned: return value.isInt();
    case MSyntax::kBoolean:
        return text == "0" || text == "1" || text == "true" || text == "false" || text == "on" || text == "off" ||
               text == "yes" || text == "no";
    case MSyntax::kDouble:
    case MSyntax::kDistance:
    case MSyntax::kAngle:
    case MSyntax::kTime: return value.isDouble();
    default: return true;
    }
}
} // namespace

/// Flags come with their arguments; in a query they come without (unless the syntax says otherwise). What is left are
/// the arguments of the command, and then objects; without objects it is the selection, if the syntax says so.
MStatus MArgParser::parse(const MArgList& list) {
    std::vector<std::string> rest, words;
    for (unsigned int i = 0; i < list.length(); ++i) words.push_back(list.asString(i).asUTF8());
    for (const std::string& word : words) {
        query_ = query_ || (syntax_.canQuery() && (word == "-q" || word == "-query"));
        edit_ = edit_ || (syntax_.canEdit() && (word == "-e" || word == "-edit"));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool negative = word.size() > 1 && word[0] == '-' && MString(word.c_str()).isDouble();
        if (word.empty() || word[0] != '-' || negative) {
            rest.push_back(word);
            continue;
        }
        if ((query_ && (word == "-q" || word == "-query")) || (edit_ && (word == "-e" || word == "-edit"))) continue;
        const MSyntax::Flag* flag = syntax_.standin_flag(word.substr(1));
        if (!flag || (!flag->multi_use && isFlagSet(flag->name.c_str()))) return MStatus::kInvalidParameter;
        Use use{flag->name, {}, static_cast<unsigned int>(i)};
        const bool with_args = !query_ || flag->query_with_args;
        for (std::size_t j = 0; with_args && j < flag->args.size(); ++j) {
            const bool there = i + 1 < words.size() && fits(words[i + 1], flag->args[j]);
            if (!there && query_ && flag->query_args_optional) break;
            if (!there) return MStatus::kInvalidParameter;
            use.args.push_back(words[++i]);
        }
        uses_.push_back(use);
    }
    std::size_t at = 0;
    for (MSyntax::MArgType type : syntax_.standin_args()) {
        if (at >= rest.size() || !fits(rest[at], type)) return MStatus::kInvalidParameter;
        args_.push_back(rest[at++]);
    }
    objects_.assign(rest.begin() + static_cast<std::ptrdiff_t>(at), rest.end());
    if (!objects_.empty() && syntax_.standin_objects() == MSyntax::kNone) return MStatus::kInvalidParameter;
    if (objects_.empty() && syntax_.standin_objects() != MSyntax::kNone && syntax_.standin_selection_is_default()) {
        MStringArray names;
        world().selection.getSelectionStrings(names);
        for (const MString& each : names) objects_.push_back(each.asUTF8());
    }
    const bool enough = objects_.size() >= syntax_.minObjects() && objects_.size() <= syntax_.maxObjects();
    return syntax_.standin_objects() == MSyntax::kNone || enough ? MStatus::kSuccess : MStatus::kInvalidParameter;
}

std::string MArgParser::long_name(const char* flag) const {
    const MSyntax::Flag* found = syntax_.standin_flag(bare(flag));
    return found ? found->name : "";
}
const std::string* MArgParser::argument(const char* flag, unsigned int index) const {
    for (const Use& use : uses_)
        if (use.flag == long_name(flag)) return index < use.args.size() ? &use.args[index] : nullptr;
    return nullptr;
}
bool MArgParser::isFlagSet(const char* flag, MStatus* s) const { return give(numberOfFlagUses(flag) > 0, s); }
bool MArgParser::isEdit(MStatus* s) const { return give(edit_, s); }
bool MArgParser::isQuery(MStatus* s) const { return give(query_, s); }
unsigned int MArgParser::numberOfFlagsUsed() const { return static_cast<unsigned int>(uses_.size()); }
unsigned int MArgParser::numberOfFlagUses(const char* flag) const {
    return static_cast<unsigned int>(
        std::count_if(uses_.begin(), uses_.end(), [&](const Use& use) { return use.flag == long_name(flag); }));
}

namespace {
bool truth(const std::string& text) { return text == "1" || text == "true" || text == "on" || text == "yes"; }
template <class T, class Make> MStatus take(const std::string* text, T& to, Make make) {
    if (!text) return MStatus::kInvalidParameter;
    to = make(*text);
    return MStatus();
}
const std::string* at(const std::vector<std::string>& all, unsigned int i) {
    return i < all.size() ? &all[i] : nullptr;
}
int whole(const std::string& t) { return MString(t.c_str()).asInt(); }
double real(const std::string& t) { return MString(t.c_str()).asDouble(); }
MString words(const std::string& t) { return standin::text(t); }
} // namespace

MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, bool& to) const {
    return take(argument(f, i), to, truth);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, int& to) const {
    return take(argument(f, i), to, whole);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, double& to) const {
    return take(argument(f, i), to, real);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MString& to) const {
    return take(argument(f, i), to, words);
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, unsigned int& to) const {
    return take(argument(f, i), to, [](const std::string& t) { return static_cast<unsigned int>(whole(t)); });
}
/// Numbers with a unit are in the user's unit.
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MDistance& to) const {
    return take(argument(f, i), to, [](const std::string& t) { return MDistance(real(t), MDistance::uiUnit()); });
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MAngle& to) const {
    return take(argument(f, i), to, [](const std::string& t) { return MAngle(real(t), MAngle::uiUnit()); });
}
MStatus MArgParser::getFlagArgument(const char* f, unsigned int i, MTime& to) const {
    return take(argument(f, i), to, [](const std::string& t) { return MTime(real(t), MTime::uiUnit()); });
}
MString MArgParser::flagArgumentString(const char* f, unsigned int i, MStatus* s) const {
    MString v;
    MStatus g = getFlagArgument(f, i, v);
    return give(v, s, g);
}
int MArgParser::flagArgumentInt(const char* f, unsigned int i, MStatus* s) const {
    int v = 0;
    MStatus g = getFlagArgument(f, i, v);
    return give(v, s, g);
}
double MArgParser::flagArgumentDouble(const char* f, unsigned int i, MStatus* s) const {
    double v = 0;
    MStatus g = getFlagArgument(f, i, v);
    return give(v, s, g);
}
bool MArgParser::flagArgumentBool(const char* f, unsigned int i, MStatus* s) const {
    bool v = false;
    MStatus g = getFlagArgument(f, i, v);
    return give(v, s, g);
}
/// Which use of a flag that may be used several times (MSyntax::makeFlagMultiUse).
MStatus MArgParser::getFlagArgumentPosition(const char* flag, unsigned int i, unsigned int& position) const {
    for (const Use& use : uses_)
        if (use.flag == long_name(flag) && i-- == 0) return position = use.position, MStatus();
    return MStatus::kInvalidParameter;
}
MStatus MArgParser::getFlagArgumentList(const char* flag, unsigned int i, MArgList& args) const {
    for (const Use& use : uses_)
        if (use.flag == long_name(flag) && i-- == 0) {
            args = MArgList();
            for (const std::string& each : use.args) args.addArg(standin::text(each));
            return MStatus();
        }
    return MStatus::kInvalidParameter;
}
MStatus MArgParser::getCommandArgument(unsigned int i, bool& to) const { return take(at(args_, i), to, truth); }
MStatus MArgParser::getCommandArgument(unsigned int i, int& to) const { return take(at(args_, i), to, whole); }
MStatus MArgParser::getCommandArgument(unsigned int i, double& to) const { return take(at(args_, i), to, real); }
MStatus MArgParser::getCommandArgument(unsigned int i, MString& to) const { return take(at(args_, i), to, words); }
MString MArgParser::commandArgumentString(unsigned int i, MStatus* s) const {
    MString v;
    MStatus g = getCommandArgument(i, v);
    return give(v, s, g);
}
int MArgParser::commandArgumentInt(unsigned int i, MStatus* s) const {
    int v = 0;
    MStatus g = getCommandArgument(i, v);
    return give(v, s, g);
}
double MArgParser::commandArgumentDouble(unsigned int i, MStatus* s) const {
    double v = 0;
    MStatus g = getCommandArgument(i, v);
    return give(v, s, g);
}
MStatus MArgParser::getObjects(MStringArray& to) const {
    to.clear();
    for (const std::string& each : objects_) to.append(standin::text(each));
    return MStatus();
}
MStatus MArgDatabase::getFlagArgument(const char* flag, unsigned int i, MSelectionList& to) const {
    const std::string* text = argument(flag, i);
    to.clear();
    return text ? to.add(standin::text(*text)) : MStatus::kInvalidParameter;
}
MStatus MArgDatabase::getCommandArgument(unsigned int i, MSelectionList& to) const {
    to.clear();
    return i < args_.size() ? to.add(standin::text(args_[i])) : MStatus::kInvalidParameter;
}
MStatus MArgDatabase::getObjects(MSelectionList& to) const {
    to.clear();
    for (const std::string& each : objects_)
        if (!to.add(standin::text(each))) return MStatus::kInvalidParameter;
    return MStatus();
}
