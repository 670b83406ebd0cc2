"""What Blender calls when frames change, the scene is edited, or a file is opened."""

import os
import threading
from contextlib import contextmanager

import bpy
from bpy.app.handlers import persistent

from . import capture, edits, exports, frames, guard, kept, listeners, muscles, properties, runtime, subdivision
from .problem import Problem

# The scenes in which Lock Interface was turned on: who turns it off again wants it so.
_locked = set()
# How a frame is shown that is not computed, in words for scripts.
_AS_SHOWN = {
    runtime.OUTDATED: "is shown as computed before the change, or as saved with the file, and was not computed anew",
    runtime.PREVIEW: "is shown as a preview",
    runtime.MISSING: "has not been computed: the body is shown without the node",
}


def lock_interface(scene, users):
    """Turns Lock Interface on in a scene as soon as it shows a body, however that came there."""
    if users and scene.session_uid not in _locked and threading.current_thread() is threading.main_thread():
        _locked.add(scene.session_uid)
        if scene.library is None:
            properties.lock_interface(scene)


def unlock(scene):
    """Takes that back, as if the scene had not shown any."""
    _locked.discard(scene.session_uid)
    scene.render.use_lock_interface = False


@persistent
def frame_changed(scene, depsgraph):
    users = runtime.users(scene)
    lock_interface(scene, users)
    if scene.frame_subframe != 0:
        runtime.say_between(scene)
        return
    frames.show_all(users, scene, depsgraph)
    if runtime.missing(scene) and exports.fetches(scene, depsgraph) and not runtime.is_busy():
        with runtime.busy(), all_in_viewports(scene):
            runtime.catch_up(scene)
            frames.show_all(users, scene, depsgraph)
    if bpy.app.background and not runtime.is_busy():
        for ob, item, found in runtime.missing(scene):
            print(
                f"Sinew: {ob.name}, {item.name}: frame {scene.frame_current} {_AS_SHOWN[found.state]}; renders and "
                f"exports "
                "compute it on demand; scripts must call bpy.ops.sinew.catch_up() after frame_set()"
            )


@persistent
def scene_edited(scene, depsgraph):
    """What is written here counts as an edit in the next update, which finds that nothing is left to do."""
    if runtime.is_busy():
        return
    runtime.forget_deleted()
    users = runtime.users(scene)
    runtime.mark_added(scene, users)
    lock_interface(scene, users)
    if not (users or runtime.bodies()):
        edits.forget_keys()
        return
    edited = edits.edited_objects(users, scene, depsgraph)
    if scene.frame_subframe != 0:
        runtime.say_between(scene)
    elif edited:
        with runtime.busy():
            for ob in edited:
                muscles.keep_sums(ob)
            frames.show_all(edited, scene, depsgraph, edited)


@persistent
def undo_begins(*_):
    edits.undo_begins()


@persistent
def undone(scene, *_):
    """Marks everything to be read again; frames whose inputs are unchanged stay. The next update shows the frame."""
    runtime.forget_removed()
    runtime.forget_marks()
    for ob in runtime.users(scene):
        runtime.read_again(ob)


def forget_all():
    _locked.clear()
    edits.clear()
    runtime.clear()


@persistent
def file_loading(*_):
    forget_all()


@persistent
def file_loaded(*_):
    """The saved file shows its last frame, as it was computed where frames were kept."""
    kept.open_beside(bpy.data.filepath)
    for scene in bpy.data.scenes:
        users = runtime.users(scene)
        lock_interface(scene, users)
        for ob in users:
            ob.update_tag()
    # Blender does not report what was tagged before it evaluates the file for the first time.
    scene = bpy.context.scene
    bodies = runtime.users(scene) if scene is not None else ()
    if any(kept.has(ob, item, scene) for ob in bodies for item in ob.sinew.nodes):
        with runtime.busy():
            frames.show_all(bodies, scene, bpy.context.evaluated_depsgraph_get())


@persistent
def file_saved(path, *_):
    """Not for copies, which another file stays open beside."""
    if path and bpy.data.filepath and os.path.realpath(path) == os.path.realpath(bpy.data.filepath):
        runtime.keep_frames()


@persistent
def render_begins(scene, *_):
    for ob in runtime.users(scene):
        for known in runtime.all_known(ob, scene):
            known.of_render = ""


@persistent
def frame_is_rendered(scene, *_):
    """Called before the scene is evaluated for a frame of a render: frames that it follows from are computed now, so
    that none is rendered wrong."""
    # Blender can crash if this thread changes what windows draw meanwhile.
    may_change = threading.current_thread() is threading.main_thread() or scene.render.use_lock_interface
    for ob in runtime.users(scene) if may_change else ():
        if capture.differs_in_renders(ob):
            with runtime.busy():
                capture.update(ob)
                subdivision.update(ob)
    if not runtime.can_go_on(scene):
        if not may_change:
            text = (
                f"frame {scene.frame_current} was not computed, so it was rendered at rest: turn on Render > Lock "
                f"Interface"
            )
            print(f"Sinew: {text}")
            runtime.say_of_render(scene, text)
            return
        with runtime.busy(), all_in_viewports(scene):
            runtime.catch_up(scene)


@contextmanager
def all_in_viewports(scene):
    """Within the block, bodies that only renders show, or the collections that they are in, are evaluated as the others
    are."""
    bodies = set(runtime.users(scene))
    collections = [one for one in scene.collection.children_recursive if not bodies.isdisjoint(one.all_objects)]
    hidden = [
        one for one in (*bodies, *collections) if one.hide_viewport and not one.hide_render and one.library is None
    ]
    for one in hidden:
        one.hide_viewport = False
    try:
        yield
    finally:
        for one in hidden:
            one.hide_viewport = True


def settings_changed(ob):
    """Someone changed the settings of a node; operators that change many say so when they are done."""
    if runtime.is_busy():
        return
    runtime.touched(ob)
    muscles.sync(ob)
    try:
        runtime.prepare(ob)
    except Problem:
        # The reason why the object cannot be written is reported when the frame is shown.
        return


HANDLERS = {
    "frame_change_post": frame_changed,
    "depsgraph_update_post": scene_edited,
    "undo_pre": undo_begins,
    "redo_pre": undo_begins,
    "undo_post": undone,
    "redo_post": undone,
    "load_pre": file_loading,
    "load_post": file_loaded,
    "save_post": file_saved,
    "render_init": render_begins,
    "render_pre": frame_is_rendered,
}


def register():
    properties.on_change, properties.on_show, guard.on_failure = settings_changed, runtime.show_again, runtime.fail
    listeners.add(HANDLERS.items())
    # Turned on with a file open: what it shows is computed at the next update. When Blender starts there is no file
    # yet.
    for ob in getattr(bpy.data, "objects", ()):
        if ob.sinew.nodes:
            ob.update_tag()


def unregister():
    listeners.remove(HANDLERS.items())
    guard.on_failure = None
    forget_all()
