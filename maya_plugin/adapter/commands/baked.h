// What shows a result in place of a node of ours: a node of Maya's own, which stays behind when ours goes.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MPlug.h>

#include <vector>

namespace sinew::maya {

/// Puts a node in the place of ours: everything that takes the body from ours takes it from `output` from now on. A
/// message attribute of the node's tells later which node it stands for. Ours stays, frozen, so that the evaluation
/// manager leaves it alone.
void replace(MDGModifier& modifier, const Found& live, const MPlug& output);
/// Those that stand for a node.
std::vector<MPlug> baked_outputs(const Found& live);
/// Our nodes that a mesh shows, or in whose place it shows another: the last one first.
std::vector<Found> nodes_behind(const MDagPath& mesh);

/// Whether anything takes the body from a plug.
bool is_shown(const MPlug& output);
/// Lets what takes the body from `from` take it from `to`.
void switch_readers(MDGModifier& modifier, const MPlug& from, const MPlug& to);

} // namespace sinew::maya
