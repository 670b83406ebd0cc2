"""The frame of a scene on all its bodies, node by node; what goes wrong with one becomes its message."""

from ..core.bake import BakeError
from ..sinew.loader import Error
from . import bone_shapes, guard, host, later, movers, properties, scatter
from .frame import Frame, moves_vertices
from .problem import LeftOut, Problem
from .runtime import (
    COMPUTING,
    FAILED,
    LEFT_OUT,
    MISSING,
    OUTDATED,
    PREVIEW,
    check_writable,
    follows_frames,
    leaders_of,
    runtime_of,
)


def show(ob, item, scene, depsgraph, edited, shape=None, settled=True):
    """Shows the scene's frame of one node, on the shape that one before it has given the body; what goes wrong becomes
    the node's message. Returns the shape that the body has then."""
    if item.kind not in host.kinds():
        return shape
    frame, runtime = None, runtime_of(ob, item, scene)
    runtime.seen_in, seen = scene.frame_current, runtime.seen
    try:
        if later.is_working(runtime):
            raise later.Later(runtime)
        frame = Frame(ob, item, scene, depsgraph, shape, settled)
        frame.show(edited)
        frame.keep_names()
        moved = frame.shape()
        return shape if moved is None else moved
    except later.Later:
        # An edit is one still when the frame is shown with what was computed.
        runtime.seen = seen
        runtime.state, runtime.message = COMPUTING, f"Frame {scene.frame_current} is being computed"
        raise
    except Exception as error:
        message = f"{ob.name}, frame {scene.frame_current}: {said_of(error)}"
        if runtime.message != message:
            if not isinstance(error, EXPECTED):
                guard.report(error)
            print(f"Sinew: {message}")
        state = LEFT_OUT if isinstance(error, LeftOut) else FAILED
        runtime.state, runtime.message, runtime.live = state, message, None
        restore(frame, ob)
        return shape


# What can go wrong with a body and its file; everything else is an error of the add-on itself.
EXPECTED = (Problem, Error, BakeError)


def said_of(error):
    """What went wrong, in words for the panel."""
    if isinstance(error, EXPECTED):
        return error.sentence if isinstance(error, Error) else error
    return guard.Broken(error)


def restore(frame, ob):
    """After a failure: the frame looks as at rest, where the object's data can be written at all."""
    if frame is None:
        return scatter.leave_shapes(ob)
    if ob.mode == "EDIT" or frame.runtime.shown == "failed":
        return
    try:
        check_writable(ob)
        scatter.check(frame.here, frame.kind)
        scatter.write_rest(frame.here, frame.kind, frame.runtime.rest_uvs)
        frame.runtime.shown = "failed"
        frame.colour(False)
        frame.keep_names()
    except Problem:
        # Outputs are where they must not be, or the mesh was changed so that not even its UVs at rest fit: the message
        # of the failure says what to do.
        frame.runtime.shown = None
    except Exception as error:
        guard.report(error)
        frame.runtime.shown = None
        scatter.leave_shapes(ob)


def in_order(ob):
    """The nodes of an object, those first that move its vertices, and of these those that skin it: the others work on
    the shape that these give it."""
    nodes = ob.sinew.nodes
    return (
        sorted(nodes, key=lambda item: (shape_of(item) is None, not bone_shapes.names(item)))
        if len(nodes) > 1
        else nodes
    )


def shape_of(item):
    """The output of a node that moves the vertices of its object, or None."""
    kind = host.kinds().get(item.kind)
    return moves_vertices(scatter.wanted(kind, properties.settings(item))) if kind else None


def show_all(bodies, scene, depsgraph, edited=frozenset()):
    """`edited`: how an edit concerns bodies, by these; without any, the frame has changed."""
    for ob in bodies:
        # Objects that are excluded or hidden are not evaluated: there is no body to be seen.
        if ob.evaluated_get(depsgraph).is_evaluated:
            try:
                show_nodes(ob, scene, depsgraph, edited[ob] if edited else None)
            except later.Later as one:
                later.gather(one)


def show_nodes(ob, scene, depsgraph, edited):
    """Shows the frame of all nodes of a body; raises Later where one is to be computed first."""
    shape, settled = None, True
    for item in in_order(ob):
        shape = show(ob, item, scene, depsgraph, edited, shape, settled)
        # What follows from a preview is one.
        settled = settled and not (shape_of(item) and runtime_of(ob, item, scene).state in (MISSING, OUTDATED, PREVIEW))
    if not movers.is_remembered(ob) and follows_frames(ob):
        movers.remember(ob, leaders_of(ob))
