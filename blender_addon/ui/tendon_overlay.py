"""What the view shows of the active rig beside its objects: planes as squares, and which nodes of a tendon slide."""

import bpy
import numpy as np

from ..bridge import guard
from ..bridge.tendon import curves, rig_parts
from ..ops.tendon import check

import gpu
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix, Vector

PLANE, PLANE_ACTIVE = (0.35, 0.65, 1.0, 0.10), (0.35, 0.65, 1.0, 0.35)
NODES = {"eulerian": (0.2, 0.8, 1.0, 1.0), "other": (1.0, 0.55, 0.1, 1.0), "active": (1.0, 1.0, 1.0, 1.0)}
_handle = None


def squares(rig, active):
    """The corners of the rig's planes as two triangles each: those of the active object, and the others, which are left
    out while the simulation is shown."""
    found = {True: [], False: []}
    corners = [Vector((x, y, 0)) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1))]
    for part in rig_parts.parts(rig, "plane"):
        if part != active and rig.sinew_tendons.shown == "simulated":
            continue
        matrix = part.matrix_world @ Matrix.Scale(0.7 * part.empty_display_size, 4)
        found[part == active] += [matrix @ corner for corner in corners]
    return found[True], found[False]


def nodes(part):
    """The places of a strand's nodes by what they are: eulerian, other, and the active one."""
    found = {name: [] for name in NODES}
    known = part.sinew_tendon
    for k, (node, at) in enumerate(zip(known.strand.node, curves.world_points(part))):
        slides = node.kind == "eulerian" or (node.kind == "automatic" and 0 < k < len(known.strand.node) - 1)
        found["eulerian" if slides else "other"].append(at)
        if k == known.active_node:
            found["active"].append(at)
    return found


@guard.guarded("while the view was drawn")
def draw():
    """Draws into the view that is being drawn."""
    context = bpy.context
    rig = check.active_rig(context)
    if rig is None:
        return
    active = context.object
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.face_culling_set("NONE")
    for corners, colour in zip(squares(rig, active), (PLANE_ACTIVE, PLANE)):
        _draw("TRIS", corners, colour)
    gpu.state.depth_test_set("NONE")
    shown = rig.sinew_tendons.shown == "modelled" and context.mode == "OBJECT"
    if shown and active is not None and active.sinew_tendon.tag == "strand" and active.type == "CURVE":
        for name, at in nodes(active).items():
            gpu.state.point_size_set(5.0 if name == "active" else 9.0)
            _draw("POINTS", at, NODES[name])
    gpu.state.blend_set("NONE")


def _draw(kind, at, colour):
    if not at:
        return
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    batch = batch_for_shader(shader, kind, {"pos": np.array(at, np.float32)})
    shader.uniform_float("color", colour)
    batch.draw(shader)


def register():
    global _handle
    _handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")


def unregister():
    global _handle
    bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
    _handle = None
