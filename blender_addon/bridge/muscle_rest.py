"""Muscles keep their places when someone applies the location, rotation or scale of their body: the mesh then is where
these had put it. Where the body itself is moved, turned or scaled, the muscles go with it."""

import bpy
import numpy as np
from bpy.app.handlers import persistent

from . import arrays, listeners, muscles, properties, runtime

# How far places in single precision may differ, relative to the size of the body, and still be the same.
SAME = 1e-5
# How many vertices tell whether the mesh has changed.
COUNT = properties.REST_SAMPLES

# Where bodies were when they were last looked at, by the identity of their objects.
_worlds = {}


def samples_of(ob):
    """Some vertices of a body; None if it has none."""
    vertices = ob.data.vertices
    if not len(vertices):
        return None
    return np.array([vertices[k].co for k in np.linspace(0, len(vertices) - 1, COUNT).astype(int)], np.float64)


def are_same(found, expected):
    return np.allclose(found, expected, rtol=0, atol=SAME * np.abs(expected).max())


def follow(item, found, before, world):
    """Notes some vertices of a body, and lets its place at rest follow what was applied to it, which has moved it from
    `before` to `world`."""
    rest, noted = properties.rest_world_of(item), np.array(item.rest_samples, np.float64).reshape(-1, 3)
    if rest is None or found is None or np.array_equal(found, noted):
        return
    with runtime.busy():
        item.rest_samples = found.ravel()
        moved = before is not None and np.linalg.det(before) != 0 and not np.array_equal(world, before)
        if moved and noted.any() and are_same(arrays.moved(found, world), arrays.moved(noted, before)):
            item.rest_world = (rest @ arrays.inverse(before) @ world).ravel().tolist()


def follow_all(scene, updated=None):
    for ob in runtime.users(scene):
        if updated is None or ob in updated or ob.data in updated:
            look_at(ob)


def look_at(ob):
    """Notes where a body with muscles is."""
    items = [item for item in ob.sinew.nodes if item.kind == muscles.KIND]
    if not items or ob.type != "MESH" or ob.mode == "EDIT" or ob.library is not None or ob.override_library is not None:
        return
    world, before, found = np.array(ob.matrix_world, np.float64), _worlds.get(ob.session_uid), samples_of(ob)
    _worlds[ob.session_uid] = world
    for item in items:
        follow(item, found, before, world)


@persistent
def scene_edited(scene, depsgraph):
    if not runtime.is_busy():
        follow_all(scene, {update.id.original for update in depsgraph.updates})


@persistent
def frame_changed(scene, depsgraph):
    """Bodies that are animated are elsewhere now."""
    if depsgraph.mode == "VIEWPORT":
        for ob in runtime.users(scene):
            if ob.session_uid in _worlds:
                _worlds[ob.session_uid] = np.array(ob.matrix_world, np.float64)


@persistent
def loaded(*_):
    # A file that was just opened does not know yet where things are.
    _worlds.clear()
    bpy.context.view_layer.update()
    follow_all(bpy.context.scene)


EDITED, LOADED = (
    (("depsgraph_update_post", scene_edited), ("frame_change_post", frame_changed)),
    (("load_post", loaded),),
)


def register():
    # Ahead of those that show frames; but a file is read first.
    listeners.add(EDITED, first=True)
    listeners.add(LOADED)


def unregister():
    listeners.remove(EDITED + LOADED)
    _worlds.clear()
