"""Parts that lost their places to Apply > All Transforms: Blender applies transforms to meshes and curves, but empties,
and whatever is given in the axes of a body, then lie at the origin. Nothing says so when it happens; it is found by
comparing with where parts were seen last."""

import numpy as np

from ...core import single
from . import animation, places

from mathutils import Matrix

# What is simulated where its object is, or moves with it.
PLACED = ("body", "joint", "strand", "plane", "line", "circle", "point", "goal_place")
WORDS = "its place was reset"


def look(parts, size):
    """Remembers where the parts of a rig of this size are, but for those that collapsed: warnings, [(error, message,
    object, node)]."""
    now = {
        part: places.modelled(part)
        for part in parts
        if part.sinew_tendon.tag in PLACED and not animation.moves_itself(part)
    }
    moves = {part: there @ _seen(part).inverted_safe() for part, there in now.items() if is_known(part)}
    reset = {part for part, move in moves.items() if is_reset(part) and not _alike(move, Matrix(), size)}
    found = []
    for part, there in now.items():
        # Where others went the same way, someone moved them: Apply leaves what a part carries where it is.
        along = part in reset and any(_alike(moves[part], moves[other], size) for other in moves if other not in reset)
        if part in reset and not along and needs_axes(part):
            found.append((False, said(part), part, -1))
        else:
            _remember(part, there)
    return found


def is_known(part):
    """Whether a part was seen before."""
    return part.sinew_tendon.seen_matrix[15] != 0


def is_reset(part):
    """Whether the location of a part's own transform is zero, to the last bit, and was not when it was seen."""
    return not any(part.location) and any(part.sinew_tendon.seen_location)


def needs_axes(part):
    """Whether a part is placed by its axes: all but curves, and meshes that are the shapes of their bodies."""
    body = part.sinew_tendon.body
    return part.type == "EMPTY" or part.sinew_tendon.tag == "body" and (body.use_cuboid or body.use_inertia)


def said(part):
    """What to tell of a part that collapsed."""
    at = " ".join(single.short(round(value, 4)) for value in _seen(part).translation)
    return (
        f"{part.name}: {WORDS} (it was at {at}), as Apply > All Transforms does: undo that (Ctrl Z), or, if it belongs "
        f"there, press"
        " Simulate after this check"
    )


def listed(rig):
    """The parts that collapsed, by the list of the rig."""
    return [line.about for line in rig.sinew_tendons.problems if line.about is not None and WORDS in line.message]


def accept(parts):
    """Takes the places of parts as they are."""
    for part in parts:
        part.sinew_tendon.property_unset("seen_matrix")


def _seen(part):
    return Matrix(np.reshape(part.sinew_tendon.seen_matrix, (4, 4)).tolist())


def _alike(one, other, size):
    """Whether two motions of a rig of this size are the same."""
    off = np.abs(np.array(one) - np.array(other))
    return off[:3, :3].max() < 1e-4 and off[:3, 3].max() < 1e-4 * max(size, 1e-9)


def _remember(part, there):
    """Writes what has changed only: writing is an edit."""
    known = part.sinew_tendon
    for name, values in (("seen_matrix", np.array(there).ravel()), ("seen_location", np.array(part.location))):
        if not np.array_equal(getattr(known, name), values.astype(np.float32)):
            setattr(known, name, values)
