"""What a bake was made of: where its file is, and whether settings, maps and motion are still those that were baked."""

import math
import os

import bpy

from ..core import timeline
from ..core.bake import ENDING
from ..core.trace import all_agree, trace
from ..sinew.node import Mesh
from . import animation

# Sources of what does not move that are the same in every frame, whatever it is in which a bake is opened.
FIXED = {"REST", "GROUP", "ATTRIBUTE", "WEIGHTS", "TEXT", "FILE"}
SETTINGS = "Baked with other settings than those of now: bake again to use these"
MAPS = "Baked with other maps, or another mesh, than those of now: bake again to use these"
MOTION = "Baked when the body moved otherwise in this frame: bake again to follow it"


def animated_params(ob):
    """The parameters of an object's nodes that have keys or drivers."""
    data = ob.animation_data
    if data is None:
        return set()
    strips = (strip for track in data.nla_tracks for strip in track.strips)
    actions = [data.action, *(strip.action for strip in animation.all_strips(strips))]
    animated = [curve for action in actions if action for curve in animation.curves_of(action)] + list(data.drivers)
    return {curve.data_path.rpartition(".")[2] for curve in animated if curve.data_path.startswith("sinew.nodes")}


def made_of(params, ob, start):
    """The settings of a node that are not animated, and the clock, in a form that a bake can keep. The quality is that
    of live frames: all bakes are exact."""
    left_out = {"param_quality", *animated_params(ob)}
    kept = {name: value for name, value in params.items() if f"param_{name}" not in left_out}
    return timeline.fingerprint(*sorted(map(repr, kept.items())), start).hex()


def arrays_of(value):
    """The arrays of an input."""
    if value is None:
        return ()
    return (
        (value.positions, value.face_sizes, value.corner_vertices, value.uvs) if isinstance(value, Mesh) else (value,)
    )


def traces(given):
    """The traces of some inputs, by port and array."""
    parts = ((f"{port} {k}", array) for port, value in given.items() for k, array in enumerate(arrays_of(value)))
    return {name: trace(array) for name, array in parts if array is not None}


def fixed(here, given):
    """Those of the inputs that do not move that are the same wherever the body is."""
    bindings = {port.id: getattr(here.settings, f"in_{port.id}") for port in here.kind.inputs}
    own = {
        port
        for port, bound in bindings.items()
        if bound.choice in FIXED and getattr(bound, "object", None) in (None, here.ob)
    }
    return {port: value for port, value in given.items() if port in own}


def of_frame(given, params):
    """What moves in a frame, in a form that a bake can keep: its traces, and the parameters that are numbers."""
    return {
        "moving": traces(given),
        "params": {name: value for name, value in params.items() if isinstance(value, (int, float))},
    }


def frame_agrees(baked, now):
    """Whether two frames have the same motion, but for round-off."""
    same = all_agree(baked["moving"], now["moving"]) and baked["params"].keys() == now["params"].keys()
    return same and all(
        math.isclose(value, now["params"][name], rel_tol=1e-5, abs_tol=1e-9) for name, value in baked["params"].items()
    )


def file_of(item):
    """The file with a node's bake. That of a linked character lies beside the file that it came from, also once it is
    an override or local, unless it was baked here."""
    path, came_with = bpy.path.abspath(item.bake_path), item.id_data.override_library
    if os.path.exists(path):
        return path
    if came_with is not None:
        libraries = [came_with.reference.library]
    else:
        # Only the name of a bake that is made of the node's key tells that it is this node's.
        libraries = bpy.data.libraries if item.bake_path.endswith(own_ending(item)) else ()
    found = (bpy.path.abspath(item.bake_path, library=library) for library in libraries)
    return next((there for there in found if os.path.exists(there)), path)


def own_ending(item):
    """How the file of a bake ends that is named after its node."""
    return f".{item.uid[:8]}{ENDING}"
