#include "adapter/authoring/muscles_command.h"

#include "adapter/authoring/character.h"
#include "adapter/authoring/documents.h"
#include "adapter/authoring/interruptible.h"
#include "adapter/authoring/objects.h"
#include "adapter/guard.h"
#include "adapter/text.h"
#include "host/description.h"
#include "host/numbers.h"

#include <maya/MFn.h>

namespace sinew::maya {
namespace {

using host::Character;
using host::Done;
using host::MuscleEdit;

/// What a command is to do, read from its arguments before the library works on a thread that must not call Maya.
using Change = std::function<Done(MuscleEdit&)>;

std::vector<std::string> names_of(const MArgDatabase& arguments) {
    std::vector<std::string> found;
    for (const std::vector<std::string>& use : uses_of(arguments, "-name", 1)) found.push_back(use[0]);
    return found;
}

std::string one_name(const MArgDatabase& arguments) {
    std::vector<std::string> names = names_of(arguments);
    if (names.size() != 1) throw Problem("Give one muscle by -name.");
    return names.front();
}

/// A muscle between two joints that are named or selected, and through two further objects where it begins and ends.
Change add(const MArgDatabase& arguments, const Character& character) {
    std::vector<std::string> joints;
    std::vector<host::Vector> ends;
    for (const MDagPath& path : given_transforms(arguments)) {
        if (path.node().hasFn(MFn::kJoint)) joints.push_back(short_name(path));
        else if (path.childCount() > 0 && path.child(0).hasFn(MFn::kLocator))
            ends.push_back(host::origin(host::axes_of(placed(path), maya_space().row_vectors)));
    }
    if (joints.size() != 2)
        throw Problem("Select two joints, that of the muscle's origin first, and two locators if it begins and ends "
                      "elsewhere.");
    if (ends.size() != 0 && ends.size() != 2)
        throw Problem("Select two locators, at both ends of the muscle, or none.");
    const std::vector<std::string> names = names_of(arguments);
    const std::string name = names.empty() ? "" : names.front();
    const double size = number_flag(arguments, "-size").value_or(0);
    return [=](MuscleEdit& edit) {
        return ends.empty() ? edit.add(character, name, joints[0], joints[1], size)
                            : edit.add(character, name, joints[0], joints[1], size, ends[0], ends[1]);
    };
}

/// The plan in a file, or none: that of a human.
std::string plan_of(const MArgDatabase& arguments) {
    const std::optional<std::string> path = text_flag(arguments, "-plan");
    return path ? Document::load(*path).text() : std::string();
}

Change change_of(const MArgDatabase& arguments, const Character& character) {
    const auto text = [&](const char* flag) { return text_flag(arguments, flag).value_or(""); };
    if (arguments.isFlagSet("-fitHuman") || arguments.isFlagSet("-plan"))
        return [=, plan = plan_of(arguments)](MuscleEdit& edit) { return edit.fit(character, plan); };
    if (arguments.isFlagSet("-addMuscle")) return add(arguments, character);
    if (arguments.isFlagSet("-mirror")) return [=](MuscleEdit& edit) { return edit.mirror(character); };
    if (arguments.isFlagSet("-physique"))
        return [id = text("-physique")](MuscleEdit& edit) { return edit.physique(id); };
    if (arguments.isFlagSet("-remove"))
        return [name = one_name(arguments)](MuscleEdit& edit) { return edit.remove(name); };
    if (arguments.isFlagSet("-rename"))
        return [name = one_name(arguments), to = text("-rename")](MuscleEdit& edit) { return edit.rename(name, to); };
    if (arguments.isFlagSet("-setValue")) {
        const std::vector<std::string> words = words_of(arguments, "-setValue", 2);
        return [names = names_of(arguments), words](MuscleEdit& edit) { return edit.set(names, words[0], words[1]); };
    }
    throw Problem("Say what to do: -fitHuman, -plan, -addMuscle, -mirror, -toNode, -physique, -remove, -rename or "
                  "-setValue.");
}

std::string as_json(const std::vector<host::MuscleNumber>& numbers) {
    std::string json = "[";
    for (const host::MuscleNumber& one : numbers) {
        const auto member = [&](const char* name, const std::string& value) {
            json += host::quoted(name) + ": " + host::quoted(value) + ", ";
        };
        json += json.size() > 1 ? ", {" : "{";
        member("attribute", one.attribute);
        member("heading", one.heading);
        member("doc", one.doc);
        member("unit", one.unit);
        member("type", one.type);
        member("text", one.text);
        member("port", one.port);
        if (one.least) json += "\"least\": " + host::number_text(*one.least) + ", ";
        if (one.most) json += "\"most\": " + host::number_text(*one.most) + ", ";
        json += "\"values\": [";
        for (std::size_t k = 0; k < one.values.size(); ++k) json += (k > 0 ? ", " : "") + host::number_text(one.values[k]);
        json += "]}";
    }
    return json + "]";
}

MStringArray array_of(const std::vector<std::string>& texts) {
    MStringArray found;
    for (const std::string& text : texts) found.append(maya_text(text));
    return found;
}

} // namespace

MSyntax MusclesCommand::make_syntax() {
    MSyntax syntax = object_syntax(true);
    syntax.addFlag("-n", "-node", MSyntax::kString);
    syntax.addFlag("-nm", "-name", MSyntax::kString);
    syntax.addFlag("-fh", "-fitHuman");
    syntax.addFlag("-pl", "-plan", MSyntax::kString);
    syntax.addFlag("-am", "-addMuscle");
    syntax.addFlag("-sz", "-size", MSyntax::kDouble);
    syntax.addFlag("-mi", "-mirror");
    syntax.addFlag("-to", "-toNode", MSyntax::kString);
    syntax.addFlag("-ph", "-physique", MSyntax::kString);
    syntax.addFlag("-rm", "-remove");
    syntax.addFlag("-rn", "-rename", MSyntax::kString);
    syntax.addFlag("-sv", "-setValue", MSyntax::kString, MSyntax::kString);
    syntax.addFlag("-te", "-testRange");
    syntax.addFlag("-pu", "-push", MSyntax::kDouble);
    syntax.addFlag("-dg", "-degrees", MSyntax::kDouble);
    syntax.addFlag("-nu", "-numbers", MSyntax::kString);
    syntax.addFlag("-phs", "-physiques");
    syntax.makeFlagMultiUse("-name");
    // In a query they say what is asked.
    for (const char* flag : {"-node", "-numbers", "-push", "-degrees", "-plan"})
        syntax.makeFlagQueryWithFullArgs(flag, false);
    return syntax;
}

void MusclesCommand::run(const MArgDatabase& arguments) {
    queries_ = arguments.isQuery();
    const std::optional<Found> node = given_node(arguments, host::muscles_holder().node);
    if (!node) throw Problem("Select a muscle skin, or name one with -node; sinewCreate makes one on a body.");
    if (queries_) return query(*node, arguments);
    try {
        change(*node, arguments);
    } catch (...) {
        // A failed command leaves the scene as it was.
        modifier_.undoIt();
        throw;
    }
}

/// The names of the muscles; -numbers: those of one muscle as JSON; -physiques: which there are; -testRange: what goes
/// wrong when each joint turns through its range.
void MusclesCommand::query(const Found& node, const MArgDatabase& arguments) {
    const std::string text = stored_of(node).text;
    if (arguments.isFlagSet("-physiques")) {
        setResult(array_of(host::physiques()));
    } else if (const std::optional<std::string> muscle = text_flag(arguments, "-numbers")) {
        setResult(maya_text(as_json(host::muscle_numbers(text, *muscle, maya_space()))));
    } else if (arguments.isFlagSet("-testRange")) {
        const Character character = character_of(node);
        const double push = number_flag(arguments, "-push").value_or(1);
        const double degrees = number_flag(arguments, "-degrees").value_or(0);
        const std::string plan = plan_of(arguments);
        MuscleEdit::Range range;
        run_interruptible("Testing the range of motion", [&](const std::function<bool(double)>& progress) {
            MuscleEdit edit(text, maya_space(), [&](double part, const char*) { return progress(part); });
            range = edit.test(character, push, degrees, plan);
        });
        for (const std::string& other : range.others) displayWarning(maya_text(node.name + ": " + other));
        setResult(array_of(range.problems));
    } else {
        setResult(array_of(MuscleEdit(text, maya_space()).names()));
    }
}

void MusclesCommand::change(const Found& node, const MArgDatabase& arguments) {
    const Character character = character_of(node);
    const std::optional<std::string> to = text_flag(arguments, "-toNode");
    const Found target = to ? node_named(*to, host::muscles_holder().node) : node;
    const Character onto = to ? character_of(target) : character;
    const Change change = to ? Change([&](MuscleEdit& edit) { return edit.copy(character, onto); })
                             : change_of(arguments, character);
    const std::string before = stored_of(node).text;
    std::string text;
    Done done;
    run_interruptible("Making muscles", [&](const std::function<bool(double)>& progress) {
        MuscleEdit edit(before, maya_space(), [&](double part, const char*) { return progress(part); });
        done = change(edit);
        text = edit.text();
    });
    finish(target, text, onto);
    setResult(result_of(target, done));
}

void MusclesCommand::finish(const Found& node, const std::string& text, const Character& character) {
    store(modifier_, node, {text, stored_of(node).origins});
    const MString joints = maya_text(host::joined(character.joints));
    ensure(modifier_.newPlugValueString(param_plug(node, "joint_names"), joints), "set joint_names of " + node.name);
    apply();
}

} // namespace sinew::maya
