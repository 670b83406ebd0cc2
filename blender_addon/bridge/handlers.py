"""What Blender calls when frames change, the scene is edited, or a file is opened."""

import bpy
from bpy.app.handlers import persistent

from . import properties, runtime
from .problem import Problem


@persistent
def frame_changed(scene, depsgraph):
    if scene.frame_subframe != 0 or not runtime.users(scene):
        return
    runtime.show_all(scene, depsgraph)
    if bpy.app.background and not runtime.is_busy() and runtime.missing(scene):
        with runtime.busy():
            runtime.catch_up(scene)


def edited_objects(scene, depsgraph):
    """The objects with nodes that an edit concerns; edited meshes will be read again."""
    updated = {update.id.original for update in depsgraph.updates}
    motion = any(isinstance(one, bpy.types.Action) for one in updated)
    found = [ob for ob in runtime.users(scene) if motion or ob in updated or ob.data in updated]
    for ob in found:
        for known in runtime.all_known(ob, scene):
            known.dirty = known.dirty or ob.data in updated
            if motion:
                known.keep_preview(scene.frame_current)
                known.timeline.distrust()
    return found


@persistent
def scene_edited(scene, depsgraph):
    if runtime.is_busy() or not runtime.users(scene):
        return
    edited = edited_objects(scene, depsgraph)
    if edited:
        with runtime.busy():
            runtime.show_all(scene, depsgraph, only=edited, edited=True)
            # What was written is evaluated here, so that it is not taken for an edit.
            depsgraph.view_layer_eval.id_data.original.view_layers[depsgraph.view_layer_eval.name].update()


@persistent
def undone(scene, *_):
    runtime.forget_removed()
    for ob in runtime.users(scene):
        runtime.touched(ob)


@persistent
def file_loading(*_):
    runtime.clear()


@persistent
def file_loaded(*_):
    """The saved file shows its last frame; it is computed again as soon as something moves."""
    for scene in bpy.data.scenes:
        for ob in runtime.users(scene):
            ob.update_tag()


@persistent
def render_starts(scene, *_):
    """Frames before the first one to be rendered are computed now, so that none is rendered wrong."""
    if runtime.users(scene):
        with runtime.busy():
            scene.frame_set(scene.frame_current)
            if runtime.missing(scene):
                runtime.catch_up(scene)


def settings_changed(ob):
    """Someone changed the settings of a node."""
    runtime.touched(ob)
    try:
        runtime.prepare(ob)
    except Problem:
        # Why the object cannot be written is said where the frame is shown.
        return


HANDLERS = {
    "frame_change_post": frame_changed,
    "depsgraph_update_post": scene_edited,
    "undo_post": undone,
    "redo_post": undone,
    "load_pre": file_loading,
    "load_post": file_loaded,
    "render_init": render_starts,
}


def register():
    properties.on_change = settings_changed
    for name, handler in HANDLERS.items():
        getattr(bpy.app.handlers, name).append(handler)


def unregister():
    for name, handler in HANDLERS.items():
        if handler in getattr(bpy.app.handlers, name):
            getattr(bpy.app.handlers, name).remove(handler)
    runtime.clear()
