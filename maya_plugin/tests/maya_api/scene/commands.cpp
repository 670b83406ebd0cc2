// Lines of MEL, the undo queue, and commands that plug-ins bring.

#include "world.h"

#include <maya/MArgDatabase.h>
#include <maya/MGlobal.h>
#include <maya/MPxCommand.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace standin {

/// Words are apart by spaces; quotes keep words together, and a backslash keeps a quote.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, any = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '\\' && i + 1 < line.size()) word += line[++i], any = true;
        else if (c == '"') quoted = !quoted, any = true;
        else if (!quoted && (c == ' ' || c == '\t' || c == '\n' || c == ';')) {
            if (any) words.push_back(word);
            word.clear();
            any = false;
        } else word += c, any = true;
    }
    if (any) words.push_back(word);
    return words;
}

void push_undo(Undo undo) {
    World& w = world();
    if (w.undoing || w.redoing) return;
    w.undo_stack.push_back(std::move(undo));
    w.redo_stack.clear();
}

/// A change that gives back what undoes it, in the undo queue.
void undoable(const std::string& name, const std::function<std::function<void()>()>& change) {
    auto back = std::make_shared<std::function<void()>>(change());
    if (!*back) return;
    push_undo(Undo{name,
                   [back] {
                       (*back)();
                       return true;
                   },
                   [back, change] {
                       *back = change();
                       return static_cast<bool>(*back);
                   }});
}

namespace {

MStatus run_plugin_command(const CommandType& type, const std::vector<std::string>& words) {
    std::shared_ptr<MPxCommand> command(static_cast<MPxCommand*>(type.creator()));
    command->standin_name = words[0].c_str();
    if (type.syntax) command->standin_syntax = type.syntax();
    MArgList args;
    for (std::size_t i = 1; i < words.size(); ++i) args.addArg(standin::text(words[i]));
    MPxCommand::clearResult();
    MStatus status;
    World& w = world();
    ++w.command_depth;
    const std::size_t before = w.undo_stack.size();
    try {
        status = command->doIt(args);
    } catch (...) {
        fault("An exception left the command " + words[0] + ".");
        status = MStatus::kFailure;
    }
    --w.command_depth;
    // What a command did through other commands is its own affair: it undoes that itself.
    if (w.undo_stack.size() > before) w.undo_stack.resize(before);
    if (status && command->isUndoable() && w.command_depth == 0)
        push_undo(Undo{words[0], [command] { return command->undoIt() == MStatus::kSuccess; },
                       [command] { return command->redoIt() == MStatus::kSuccess; }});
    return status;
}

void answer(const std::string& text) { MPxCommand::setResult(standin::text(text)); }

MPlug plug_of(const std::string& name) {
    MPlug plug;
    find_plug(name, plug);
    return plug;
}

/// setAttr, undoable: numbers, and texts with -type "string".
MStatus set_attr(const std::vector<std::string>& words) {
    std::vector<std::string> rest;
    bool text = false;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i] == "-type") text = words[++i] == "string";
        else rest.push_back(words[i]);
    if (rest.size() < 2) return MStatus::kInvalidParameter;
    MPlug plug = plug_of(rest[0]);
    MStatus status = plug.isNull() ? MStatus::kInvalidParameter : MStatus::kSuccess;
    if (!status || plug.isFreeToChange() != MPlug::kFreeToChange) return MStatus::kFailure;
    undoable("setAttr", [=, &status]() mutable -> std::function<void()> {
        MPlug to = plug;
        const MString old_text = text ? to.asString() : MString();
        const double old_number = text ? 0 : to.asDouble();
        status = text ? to.setString(standin::text(rest[1])) : to.setDouble(std::atof(rest[1].c_str()));
        return [=]() mutable { text ? to.setString(old_text) : to.setDouble(old_number); };
    });
    return status;
}

MStatus link(const std::vector<std::string>& words, bool make) {
    std::vector<std::string> names;
    bool force = false;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i] == "-f" || words[i] == "-force") force = true;
        else names.push_back(words[i]);
    if (names.size() != 2) return MStatus::kInvalidParameter;
    const MPlug from = plug_of(names[0]), to = plug_of(names[1]);
    if (from.isNull() || to.isNull()) return MStatus::kInvalidParameter;
    if (force && make && to.isDestination()) disconnect(key_of(to.source()), key_of(to));
    MStatus status;
    undoable(words[0], [&status, from, to, make]() -> std::function<void()> {
        status = make ? connect(key_of(from), key_of(to)) : disconnect(key_of(from), key_of(to));
        if (!status) return {};
        return [from, to, make] { make ? disconnect(key_of(from), key_of(to)) : connect(key_of(from), key_of(to)); };
    });
    return status;
}

MStatus remove_nodes(const std::vector<std::string>& words) {
    MStatus status;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto node = find_node(words[i]);
        if (!node || node->locked || node->referenced) status = MStatus::kFailure;
        else undoable("delete", [node] { return delete_node(*node, true); });
    }
    return status;
}

MStatus create_node(const std::vector<std::string>& words) {
    std::string name, type, parent;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i] == "-n" || words[i] == "-name") name = words[++i];
        else if (words[i] == "-p" || words[i] == "-parent") parent = words[++i];
        else if (words[i][0] != '-') type = words[i];
    if (!type_named(type)) return MStatus::kInvalidParameter;
    std::shared_ptr<Node> made;
    undoable("createNode", [&made, type, name, parent]() -> std::function<void()> {
        const auto node = made = make_node(type_named(type), name, parent.empty() ? nullptr : find_node(parent).get());
        return [node] { take_out(*node); };
    });
    answer(made->name);
    return MStatus();
}

MStatus rename_command(const std::vector<std::string>& words) {
    const auto node = words.size() == 3 ? find_node(words[1]) : nullptr;
    if (!node || node->locked || node->referenced) return MStatus::kFailure;
    undoable("rename", [node, to = words[2]]() -> std::function<void()> {
        const std::string before = node->name;
        rename_node(*node, to);
        return [node, before] { rename_node(*node, before); };
    });
    answer(node->name);
    return MStatus();
}

MStatus get_attr(const std::vector<std::string>& words) {
    const MPlug plug = words.size() > 1 ? plug_of(words.back()) : MPlug();
    if (plug.isNull()) return MStatus::kInvalidParameter;
    if (plug.standin_path().back().attribute->store == Store::Text) answer(plug.asString().asUTF8());
    else MPxCommand::setResult(plug.asDouble());
    return MStatus();
}

MStatus run_host_command(const std::vector<std::string>& words, bool& known) {
    const std::string& name = words[0];
    known = true;
    if (name == "setAttr") return set_attr(words);
    if (name == "getAttr") return get_attr(words);
    if (name == "connectAttr") return link(words, true);
    if (name == "disconnectAttr") return link(words, false);
    if (name == "createNode") return create_node(words);
    if (name == "delete") return remove_nodes(words);
    if (name == "rename") return rename_command(words);
    if (name == "undo" || name == "redo") {
        World& w = world();
        auto& from = name == "undo" ? w.undo_stack : w.redo_stack;
        auto& to = name == "undo" ? w.redo_stack : w.undo_stack;
        if (from.empty()) return MStatus::kFailure;
        Undo last = from.back();
        from.pop_back();
        bool& flag = name == "undo" ? w.undoing : w.redoing;
        flag = true;
        const bool done = name == "undo" ? last.undo() : last.redo();
        flag = false;
        to.push_back(last);
        call_back(name == "undo" ? "event Undo" : "event Redo", nullptr);
        return done ? MStatus::kSuccess : MStatus::kFailure;
    }
    if (name == "select") {
        if (std::find(words.begin(), words.end(), "-add") == words.end()) world().selection.clear();
        MStatus status;
        for (std::size_t i = 1; i < words.size(); ++i)
            if (words[i][0] != '-' && !world().selection.add(standin::text(words[i]))) status = MStatus::kFailure;
        call_back("event SelectionChanged", nullptr);
        return status;
    }
    if (name == "cacheEvaluator") {
        if (std::find(words.begin(), words.end(), "-flushCache") != words.end()) flush_cache();
        return MStatus();
    }
    if (name == "currentTime") {
        if (words.size() > 1 && words.back() != "-query" && words.back() != "-q")
            return MGlobal::viewFrame(std::atof(words.back().c_str()));
        MPxCommand::setResult(world().now.as(world().time_unit));
        return MStatus();
    }
    known = false;
    return MStatus();
}

} // namespace

/// A command that nobody knows is written down as executed, and gives nothing.
MStatus run_command(const std::string& line, bool) {
    World& w = world();
    if (std::this_thread::get_id() != w.main_thread) {
        fault("A command was executed from a thread that is not the main one: " + line);
        return MStatus::kFailure;
    }
    if (computing()) fault("A command was executed while nodes are computing: " + line);
    {
        const std::lock_guard<std::mutex> lock(w.record_mutex);
        w.executed.push_back(line);
    }
    std::vector<std::string> words = words_of(line);
    // All commands that the stand-in knows exist.
    if (words.size() > 3 && words[0] == "if" && words[1].find("(`exists") == 0)
        words.erase(words.begin(), words.begin() + 3);
    if (words.empty()) return MStatus();
    MPxCommand::clearResult();
    if (w.failing_commands.count(words[0]) > 0) return MStatus::kFailure;
    const auto own = w.answers.find(words[0]);
    if (own != w.answers.end()) {
        try {
            answer(own->second(line));
        } catch (const std::runtime_error& error) {
            MGlobal::displayError(error.what());
            return MStatus::kFailure;
        }
        return MStatus();
    }
    const auto plugin = w.command_types.find(words[0]);
    if (plugin != w.command_types.end()) return run_plugin_command(plugin->second, words);
    bool known = false;
    return run_host_command(words, known);
}

} // namespace standin

using namespace standin;

MPxCommand::MPxCommand() = default;
MPxCommand::~MPxCommand() = default;
MStatus MPxCommand::doIt(const MArgList&) { return MStatus::kFailure; }
MStatus MPxCommand::undoIt() { return MStatus::kFailure; }
MStatus MPxCommand::redoIt() { return MStatus::kFailure; }
/// A command that is not undoable is gone after doIt (MPxCommand::isUndoable).
bool MPxCommand::isUndoable() const { return false; }
bool MPxCommand::hasSyntax() const { return false; }
MSyntax MPxCommand::syntax() const { return standin_syntax; }
bool MPxCommand::isHistoryOn() const { return history_; }
MString MPxCommand::commandString() const { return standin_name; }
MStatus MPxCommand::setHistoryOn(bool state) { return history_ = state, MStatus(); }
MStatus MPxCommand::setCommandString(const MString& text) { return standin_name = text, MStatus(); }
void MPxCommand::displayInfo(const MString& text) { MGlobal::displayInfo(text); }
void MPxCommand::displayWarning(const MString& text, bool) { MGlobal::displayWarning(text); }
void MPxCommand::displayError(const MString& text, bool) { MGlobal::displayError(text); }

namespace {
void set_result(MCommandResult::Type type, const MString& text) {
    world().result.standin_type = type;
    world().result.standin_items.clear();
    world().result.standin_items.append(text);
}
std::string precise(double value) {
    std::ostringstream out;
    out.precision(17);
    out << value;
    return out.str();
}
template <class Array> void set_array(MCommandResult::Type type, const Array& array) {
    world().result.standin_type = type;
    world().result.standin_items.clear();
    for (const auto& each : array) world().result.standin_items.append(MString() + each);
}
} // namespace

void MPxCommand::clearResult() { world().result = MCommandResult(); }
void MPxCommand::setResult(unsigned int v) { set_result(MCommandResult::kInt, std::to_string(v).c_str()); }
void MPxCommand::setResult(int v) { set_result(MCommandResult::kInt, std::to_string(v).c_str()); }
void MPxCommand::setResult(double v) { set_result(MCommandResult::kDouble, precise(v).c_str()); }
void MPxCommand::setResult(bool v) { setResult(v ? 1 : 0); }
void MPxCommand::setResult(const char* v) { setResult(MString(v)); }
void MPxCommand::setResult(const MString& v) { set_result(MCommandResult::kString, v); }
void MPxCommand::setResult(const MIntArray& v) {
    world().result = MCommandResult();
    world().result.standin_type = MCommandResult::kIntArray;
    for (int each : v) world().result.standin_items.append(std::to_string(each).c_str());
}
void MPxCommand::setResult(const MDoubleArray& v) {
    world().result = MCommandResult();
    world().result.standin_type = MCommandResult::kDoubleArray;
    for (double each : v) world().result.standin_items.append(precise(each).c_str());
}
void MPxCommand::setResult(const MStringArray& v) { set_array(MCommandResult::kStringArray, v); }
void MPxCommand::appendToResult(int v) {
    world().result.standin_type = MCommandResult::kIntArray;
    world().result.standin_items.append(std::to_string(v).c_str());
}
void MPxCommand::appendToResult(double v) {
    world().result.standin_type = MCommandResult::kDoubleArray;
    world().result.standin_items.append(precise(v).c_str());
}
void MPxCommand::appendToResult(bool v) { appendToResult(v ? 1 : 0); }
void MPxCommand::appendToResult(const char* v) { appendToResult(MString(v)); }
void MPxCommand::appendToResult(const MString& v) {
    world().result.standin_type = MCommandResult::kStringArray;
    world().result.standin_items.append(v);
}
void MPxCommand::appendToResult(const MStringArray& v) {
    for (const MString& each : v) appendToResult(each);
}
bool MPxCommand::isCurrentResultArray() {
    const auto type = world().result.standin_type;
    return type == MCommandResult::kIntArray || type == MCommandResult::kDoubleArray ||
           type == MCommandResult::kStringArray;
}
MPxCommand::MResultType MPxCommand::currentResultType() {
    switch (world().result.standin_type) {
    case MCommandResult::kInt:
    case MCommandResult::kIntArray: return kLong;
    case MCommandResult::kDouble:
    case MCommandResult::kDoubleArray: return kDouble;
    case MCommandResult::kString:
    case MCommandResult::kStringArray: return kString;
    default: return kNoArg;
    }
}
MString MPxCommand::currentStringResult(MStatus* s) { return world().result.stringResult(s); }
