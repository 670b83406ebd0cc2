// Where the shape of a body comes from.
#pragma once

#include "adapter/commands/command.h"

#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MTime.h>

#include <vector>

namespace sinew::maya {

/// One node of a body's history: the plug by which it gives the geometry, and that by which it takes it; the latter is
/// null where the history begins.
struct Link {
    MPlug in, out;
};

/// The skin cluster of a body and its place in the history.
struct Skin {
    MObject cluster;
    /// Which of the cluster's geometries the body is.
    unsigned geometry = 0;
    /// What the cluster takes, what it gives, and who takes that for the body.
    MPlug before, out, after;
};

struct History {
    /// The mesh at rest, before all deformers; the deformed one; and the input of the shape that shows it.
    MPlug rest, deformed, shown;
    /// From the shape back.
    std::vector<Link> links;
    /// The first one from the shape back; its cluster is null where there is none.
    Skin skin;
};

/// Whether a mesh is read frame by frame, from a cache: it moves with time, and no undeformed shape is in its history.
bool is_cached(const MDagPath& shape);
/// Keeps such a body as it is at a time, as a mesh of its own below its transform, as Maya's deformers keep the
/// undeformed one. Not a part of any modifier: who undoes deletes it.
MObject freeze(const MDagPath& shape, const MTime& at);
/// Whether a mesh is one that `freeze` made: it is marked as such.
bool is_frozen(const MObject& mesh);
/// Finds it; throws a Problem where the shape is not deformed by anything. `rest`: the shape of the body at rest; null:
/// the undeformed one in the history.
History find_history(const MDagPath& shape, const MObject& rest);
/// What gives the body to what bones move it by, a skin cluster or a node of ours in its place; null without any.
MPlug before_bones(const History& history);
/// Our nodes in it, from the shape back.
std::vector<Found> ours_in(const History& history);

} // namespace sinew::maya
