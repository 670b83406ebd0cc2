"""Muscles keep their places when someone applies the scale of their body: the mesh then has the size that the scale gave it. Where the
scale itself is changed, or animated, the body changes its size, and the muscles stay as they were made."""

import bpy
import numpy as np
from bpy.app.handlers import persistent

from . import arrays, listeners, muscles, properties, runtime

# How far sizes in single precision may differ and still be the same.
SAME = 1e-4


def size_of(ob, space):
    """The extents of a body's mesh in a space."""
    points = arrays.moved(arrays.positions(ob.data), space)
    return np.ptp(points, axis=0) if len(points) else np.zeros(3)


def same_scale(a, b):
    return np.allclose(np.linalg.norm(a[:3, :3], axis=0), np.linalg.norm(b[:3, :3], axis=0), rtol=SAME, atol=0)


def follow(ob, item):
    """Notes how large the body is, and lets its place at rest follow a scale that was applied."""
    before = properties.rest_world_of(item)
    if before is None or ob.type != "MESH" or ob.mode == "EDIT" or ob.library is not None or ob.override_library is not None:
        return
    world, noted = np.array(ob.matrix_world, np.float64), np.array(item.rest_size)
    if same_scale(world, before):
        size = size_of(ob, before)
        if not np.allclose(size, noted, rtol=1e-6):
            with runtime.busy():
                item.rest_size = size
        return
    now = muscles.own_space(world)
    if noted.any() and np.allclose(size_of(ob, now), noted, rtol=SAME, atol=SAME * noted.max()):
        with runtime.busy():
            item.rest_world = now.ravel().tolist()


def follow_all(scene, updated=None):
    for ob in runtime.users(scene):
        if updated is None or ob in updated or ob.data in updated:
            for item in ob.sinew.nodes:
                if item.kind == muscles.KIND:
                    follow(ob, item)


@persistent
def scene_edited(scene, depsgraph):
    if not runtime.is_busy():
        follow_all(scene, {update.id.original for update in depsgraph.updates})


@persistent
def loaded(*_):
    # A file that was just opened does not know yet where things are.
    bpy.context.view_layer.update()
    follow_all(bpy.context.scene)


EDITED, LOADED = (("depsgraph_update_post", scene_edited),), (("load_post", loaded),)


def register():
    # Ahead of those that show frames; but a file is read first.
    listeners.add(EDITED, first=True)
    listeners.add(LOADED)


def unregister():
    listeners.remove(EDITED + LOADED)
