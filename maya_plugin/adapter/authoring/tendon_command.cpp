#include "adapter/authoring/tendon_command.h"

#include "adapter/authoring/documents.h"
#include "adapter/authoring/leaders.h"
#include "adapter/authoring/objects.h"
#include "adapter/authoring/tendon_curves.h"
#include "adapter/commands/creation.h"
#include "adapter/guard.h"
#include "adapter/text.h"


#include <algorithm>

namespace sinew::maya {
namespace {

using host::Done;
using host::Editing;

/// What is done with the scene: the flag, and the words that it takes. Short flags have three letters at most, long
/// ones four at least (Maya's help, "Command plug-ins: Flags").
struct Action {
    const char *brief, *name;
    unsigned words;
    Done (*run)(Editing&, const MArgDatabase&);
};

std::string needed(const MArgDatabase& arguments, const char* flag) {
    if (std::optional<std::string> found = text_flag(arguments, flag)) return *found;
    throw Problem(std::string("Give ") + flag + ", too.");
}

host::Settings settings_of(const MArgDatabase& arguments) {
    host::Settings found;
    for (const std::vector<std::string>& use : uses_of(arguments, "-setValue", 2)) found.emplace_back(use[0], use[1]);
    return found;
}

/// All sentences of several edits as one.
void append(Done& to, const Done& more) {
    to.sentence += (to.sentence.empty() ? "" : " ") + more.sentence;
    to.warnings.insert(to.warnings.end(), more.warnings.begin(), more.warnings.end());
}

Done draw(Editing& edit, const MArgDatabase& arguments) {
    Done done;
    for (const MDagPath& path : given_transforms(arguments)) {
        if (!is_curve(path)) continue;
        host::Route route = route_of(path);
        route.name = text_flag(arguments, "-name").value_or(route.name);
        route.radius = number_flag(arguments, "-radius").value_or(0);
        for (const std::vector<std::string>& use : uses_of(arguments, "-body", 1)) route.carriers.push_back(use[0]);
        append(done, host::draw_strand(edit, route));
    }
    if (done.sentence.empty()) throw Problem("Select the NURBS curves along which tendons run.");
    return done;
}

Done add_bodies(Editing& edit, const MArgDatabase& arguments) {
    const std::string lead = needed(arguments, "-addBodies");
    const auto modes = {std::pair{"roots", host::Lead::Roots}, {"all", host::Lead::All}, {"none", host::Lead::Nothing}};
    const auto mode = std::find_if(modes.begin(), modes.end(), [&](const auto& one) { return one.first == lead; });
    if (mode == modes.end()) throw Problem("-addBodies takes roots, all or none: which joints lead their bodies.");
    std::vector<host::Motion> motions;
    for (const std::vector<std::string>& use : uses_of(arguments, "-motion", 2)) motions.push_back({use[0], use[1]});
    return host::add_bodies(edit, bones_of(given_transforms(arguments)), mode->second, motions);
}

Done add_part(Editing& edit, const MArgDatabase& arguments) {
    const std::vector<MDagPath> objects = given_transforms(arguments);
    const std::optional<host::Placed> at = objects.empty() ? std::nullopt : std::optional(placed(objects.front()));
    const std::string name = text_flag(arguments, "-name").value_or("");
    return host::add_part(edit, needed(arguments, "-addPart"), name, at ? &*at : nullptr, settings_of(arguments));
}

Done tie(Editing& edit, const MArgDatabase& arguments) {
    Done done;
    for (const std::vector<std::string>& use : uses_of(arguments, "-tieToPlane", 3)) {
        const bool is_number = !use[1].empty() && use[1].size() < 9 &&
                               use[1].find_first_not_of("0123456789") == std::string::npos;
        if (!is_number) throw Problem("-tieToPlane takes a tendon, the number of its point from 0, and a plane.");
        append(done, host::tie_to_plane(edit, use[0], std::stoul(use[1]), use[2]));
    }
    return done;
}

Done reel(Editing& edit, const MArgDatabase& arguments) {
    const std::vector<std::string> words = words_of(arguments, "-reel", 2);
    return host::add_reel(edit, text_flag(arguments, "-name").value_or(words[0]), words[0], words[1],
                          number_flag(arguments, "-strength").value_or(0));
}

Done rename(Editing& edit, const MArgDatabase& arguments) {
    return host::rename_part(edit, needed(arguments, "-kind"), needed(arguments, "-name"),
                             needed(arguments, "-rename"));
}

Done remove(Editing& edit, const MArgDatabase& arguments) {
    return host::remove_part(edit, needed(arguments, "-kind"), needed(arguments, "-name"));
}

Done copy_tendon(Editing& edit, const MArgDatabase& arguments) {
    const std::string name = needed(arguments, "-copyTendon");
    host::Vector offset{};
    if (arguments.isFlagSet("-offset"))
        for (unsigned k = 0; k < 3; ++k) arguments.getFlagArgument("-offset", k, offset[k]);
    return host::copy_strand(edit, name, text_flag(arguments, "-name").value_or(name), offset);
}

Done mirror(Editing& edit, const MArgDatabase& arguments) {
    const std::string axis = needed(arguments, "-mirror"), axes = "xyz";
    if (axis.size() != 1 || axes.find(axis) == std::string::npos) throw Problem("-mirror takes x, y or z.");
    return host::mirror_scene(edit, static_cast<std::uint32_t>(axes.find(axis)), &other_side);
}

Done copy_scene(Editing&, const MArgDatabase& arguments) {
    return {"The scene was copied to " + needed(arguments, "-toNode") + ".", {}};
}

Done save(Editing&, const MArgDatabase& arguments) {
    return {"The scene is in " + needed(arguments, "-file") + " now.", {}};
}

/// Those that stand first win where several are given: flags below may belong to them.
constexpr Action actions[] = {
    {"-ab", "-addBodies", 1, &add_bodies}, {"-d", "-draw", 0, &draw},         {"-ad", "-addPart", 1, &add_part},
    {"-tp", "-tieToPlane", 3, &tie},              {"-rl", "-reel", 2, &reel},        {"-rn", "-rename", 1, &rename},
    {"-rm", "-remove", 0, &remove},        {"-ct", "-copyTendon", 1, &copy_tendon},
    {"-mi", "-mirror", 1, &mirror},        {"-to", "-toNode", 1, &copy_scene},    {"-f", "-file", 1, &save},
};

Done set(Editing& edit, const MArgDatabase& arguments) {
    return host::set_values(edit, needed(arguments, "-kind"), needed(arguments, "-name"), settings_of(arguments));
}

Done act(Editing& edit, const MArgDatabase& arguments) {
    for (const Action& action : actions)
        if (arguments.isFlagSet(action.name)) return action.run(edit, arguments);
    return arguments.isFlagSet("-setValue") ? set(edit, arguments) : draw(edit, arguments);
}

} // namespace

MSyntax TendonCommand::make_syntax() {
    MSyntax syntax = object_syntax(true);
    for (const Action& action : actions) {
        const auto type = [&](unsigned k) { return k < action.words ? MSyntax::kString : MSyntax::kNoArg; };
        syntax.addFlag(action.brief, action.name, type(0), type(1), type(2));
    }
    syntax.makeFlagMultiUse("-tieToPlane");
    syntax.addFlag("-sc", "-showCurves");
    syntax.addFlag("-n", "-node", MSyntax::kString);
    syntax.addFlag("-nm", "-name", MSyntax::kString);
    syntax.addFlag("-k", "-kind", MSyntax::kString);
    syntax.addFlag("-r", "-radius", MSyntax::kDouble);
    syntax.addFlag("-str", "-strength", MSyntax::kDouble);
    syntax.addFlag("-ofs", "-offset", MSyntax::kDouble, MSyntax::kDouble, MSyntax::kDouble);
    syntax.addFlag("-b", "-body", MSyntax::kString);
    syntax.addFlag("-mo", "-motion", MSyntax::kString, MSyntax::kString);
    syntax.addFlag("-sv", "-setValue", MSyntax::kString, MSyntax::kString);
    for (const char* flag : {"-body", "-motion", "-setValue"}) syntax.makeFlagMultiUse(flag);
    // In a query they say what is asked, as in an edit.
    for (const char* flag : {"-kind", "-node"}) syntax.makeFlagQueryWithFullArgs(flag, false);
    return syntax;
}

void TendonCommand::run(const MArgDatabase& arguments) {
    queries_ = arguments.isQuery();
    if (queries_) return query(arguments);
    if (arguments.isFlagSet("-showCurves")) return show_curves(arguments);
    const Found node = node_for(arguments);
    try {
        edit(node, arguments);
    } catch (...) {
        // A failed command leaves the scene as it was.
        modifier_.undoIt();
        throw;
    }
}

/// The names of the elements of a kind; without one the whole scene, with all numbers and places, as JSON.
void TendonCommand::query(const MArgDatabase& arguments) {
    const std::optional<Found> node = given_node(arguments, host::scene_holder().node);
    if (!node) throw Problem("Select a node of strands, or name one with -node.");
    Editing edit(host::scene_holder(), stored_of(*node), maya_space());
    const std::optional<std::string> kind = text_flag(arguments, "-kind");
    if (!kind) {
        setResult(maya_text(edit.document().read(edit.document().root())));
        return;
    }
    edit.schema(*kind);
    MStringArray names;
    for (const std::string& name : edit.names(*kind)) names.append(maya_text(name));
    setResult(names);
}

/// A new node where none is given and something is to be drawn.
Found TendonCommand::node_for(const MArgDatabase& arguments) {
    if (const std::optional<Found> given = given_node(arguments, host::scene_holder().node)) return *given;
    for (const Kind& kind : state().kinds)
        if (kind.plan.id == host::scene_holder().node) return create_node_on(modifier_, kind, {});
    throw Problem("This library has no strands.");
}

void TendonCommand::show_curves(const MArgDatabase& arguments) {
    const std::optional<Found> node = given_node(arguments, host::scene_holder().node);
    if (!node) throw Problem("Select a node of strands, or name one with -node.");
    try {
        const Done done = add_curve_shapes(shapes_, modifier_, *node);
        apply();
        setResult(result_of(*node, done));
    } catch (...) {
        // A failed command leaves the scene as it was.
        modifier_.undoIt();
        shapes_.undoIt();
        throw;
    }
}

MStatus TendonCommand::undoIt() {
    const MStatus undone = EditCommand::undoIt();
    return undone == MS::kSuccess ? shapes_.undoIt() : undone;
}

MStatus TendonCommand::redoIt() {
    const MStatus done = shapes_.doIt();
    return done == MS::kSuccess ? EditCommand::redoIt() : done;
}

void TendonCommand::edit(const Found& node, const MArgDatabase& arguments) {
    Editing edit(host::scene_holder(), stored_of(node), maya_space());
    Done done = act(edit, arguments);
    const std::optional<std::string> file = text_flag(arguments, "-file"), to = text_flag(arguments, "-toNode");
    const host::Stored stored = file ? edit.save(*file) : edit.after();
    const Found target = to ? node_named(*to, host::scene_holder().node) : node;
    finish(target, stored, edit, done);
    setResult(result_of(target, done));
}

void TendonCommand::finish(const Found& node, const host::Stored& stored, Editing& edit, Done& done) {
    store(modifier_, node, stored);
    const host::Holder& holder = holder_of(node);
    if (!holder.chosen_by.empty())
        ensure(modifier_.newPlugValueShort(param_plug(node, holder.chosen_by), static_cast<short>(holder.choice)),
               "set the source of " + node.name);
    connect_leaders(modifier_, node, host::led_bodies(edit), done);
    apply();
}

} // namespace sinew::maya
