// How outputs of Sinew's nodes reach a view: by ordinary connections, so that Maya evaluates them before it draws,
// whatever evaluates, and caches them with the view.
#pragma once

#include "adapter/kind.h"
#include "host/drawing/drawable.h"
#include "host/session.h"

#include <maya/MDataBlock.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>

#include <vector>

namespace sinew::maya {

/// The arrays of a view, one for each type of data that outputs have. An output has the element of its place among the
/// outputs that its node can be asked for.
struct Feeds {
    MObject meshes, vectors, numbers, wholes;
    /// Outputs that are arrays of their own: each is a child of a compound.
    MObject values, value, matrices, matrix;

    /// The outermost attributes.
    std::vector<MObject> all() const;
};

/// Makes the attributes; called while the type is registered.
void make_feeds(Feeds& feeds);

/// Where an output goes.
MPlug feed_of(const Feeds& feeds, const MObject& view, const Held& held);

/// The outputs that something drawable needs: those of its ports, and for a made mesh the mesh.
std::vector<const Held*> needed(const Kind& kind, const host::Drawable& drawable);

/// Reads an output, if it is connected, into the results of its ports.
void read_feed(const Feeds& feeds, const Kind& kind, const Held& held, MDataBlock& data, host::Outputs& outputs);

} // namespace sinew::maya
