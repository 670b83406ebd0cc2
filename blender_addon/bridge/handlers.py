"""What Blender calls when frames change, the scene is edited, or a file is opened."""

import threading
from contextlib import contextmanager

import bpy
from bpy.app.handlers import persistent

from . import animation, capture, exports, frame, gather, host, muscles, properties, relations, runtime
from .problem import Problem

# The hash of all animation before the current undo or redo; None outside of one.
_animated_before = None
# The hash of what animates without keys, as it was last seen; None before that.
_led = None


@persistent
def frame_changed(scene, depsgraph):
    if scene.frame_subframe != 0:
        return
    frame.show_all(scene, depsgraph)
    if runtime.missing(scene) and exports.fetches(scene, depsgraph) and not runtime.is_busy():
        with runtime.busy(), all_in_viewports(scene):
            runtime.catch_up(scene)
            frame.show_all(scene, depsgraph)
    if bpy.app.background and not runtime.is_busy():
        for ob, item, _ in runtime.missing(scene):
            print(
                f"Sinew: {ob.name}, {item.name}: frame {scene.frame_current} has not been computed: the body is shown as a "
                "preview or without the node; renders and exports compute it on demand; scripts must call bpy.ops.sinew.catch_up() after frame_set()"
            )


def reads(ob, updated):
    """Whether an input of the object's nodes that does not move comes from something that was updated."""
    for item in ob.sinew.nodes:
        kind = host.kinds().get(item.kind)
        for port in kind.inputs if kind else ():
            bound = getattr(properties.settings(item), f"in_{port.id}")
            if bound.choice in ("CURVES", "POINTS", "REST", "TEXT") and not gather.moves(port, bound.choice):
                other, text = getattr(bound, "object", None), getattr(bound, "text", None)
                if any(one in updated for one in (other, other and other.data, text) if one is not None):
                    return True
    return False


def motion_was_edited(updated):
    """Whether keys, drivers, what these read, or strips of the non-linear animation were changed, which may show in other frames only."""
    global _animated_before, _led
    if _animated_before is not None:
        # After an undo, Blender reports everything as updated.
        before, _animated_before, _led = _animated_before, None, animation.led()
        return before != animation.fingerprint(_led)
    if any(isinstance(one, bpy.types.Action) for one in updated):
        return True
    if not any(isinstance(one, (bpy.types.Object, bpy.types.Armature, bpy.types.Key, bpy.types.Scene)) for one in updated):
        return False
    before, _led = _led, animation.led()
    return before is not None and before != _led


def edited_objects(users, scene, depsgraph):
    """Those of the objects with nodes that an edit concerns; edited meshes and curves will be read again."""
    updated = {update.id.original for update in depsgraph.updates}
    motion = motion_was_edited(updated)
    again = {ob for ob in users if ob.data in updated or reads(ob, updated)}
    led = {ob for ob in users if motion or is_led_by(ob, updated, scene, users)}
    found = [ob for ob in users if ob in led or ob in updated or ob in again]
    for ob in found:
        for known in runtime.all_known(ob, scene):
            known.leaders = None
            known.dirty = known.dirty or ob in again
            if ob in led:
                known.keep_preview(scene.frame_current)
                known.timeline.distrust()
    return found


def is_led_by(ob, updated, scene, users):
    """Whether the shape of something that leads a body was edited, which it may meet in other frames only. Bodies are written by their
    nodes, which is no edit."""
    leaders = {leader for known in runtime.all_known(ob, scene) for leader in known.leaders or ()}.difference(users)
    try:
        return any(leader.type in relations.SHAPED and leader.data in updated for leader in leaders)
    except ReferenceError:
        # It was deleted.
        return True


@persistent
def scene_edited(scene, depsgraph):
    """What is written here counts as an edit in the next update, which finds that nothing is left to do."""
    if runtime.is_busy() or scene.frame_subframe != 0:
        return
    runtime.forget_deleted()
    users = runtime.users(scene)
    runtime.mark_added(scene, users)
    edited = edited_objects(users, scene, depsgraph) if users else []
    if edited:
        with runtime.busy():
            for ob in edited:
                muscles.keep_sums(ob)
            frame.show_all(scene, depsgraph, only=edited, edited=True)


@persistent
def undo_begins(*_):
    global _animated_before
    _animated_before = animation.fingerprint(animation.led())


@persistent
def undone(scene, *_):
    """Marks everything to be read again; frames whose inputs are unchanged stay. The next update shows the frame."""
    runtime.forget_removed()
    runtime.forget_marks()
    for ob in runtime.users(scene):
        runtime.read_again(ob)


@persistent
def file_loading(*_):
    global _led
    _led = None
    runtime.clear()


@persistent
def file_loaded(*_):
    """The saved file shows its last frame; it is computed again as soon as something moves."""
    for scene in bpy.data.scenes:
        for ob in runtime.users(scene):
            ob.update_tag()


@persistent
def render_begins(scene, *_):
    for ob in runtime.users(scene):
        for known in runtime.all_known(ob, scene):
            known.of_render = ""


@persistent
def frame_is_rendered(scene, *_):
    """Called before the scene is evaluated for a frame of a render: frames that it follows from are computed now, so that
    none is rendered wrong."""
    # Blender can crash if this thread changes what windows draw meanwhile.
    may_change = threading.current_thread() is threading.main_thread() or scene.render.use_lock_interface
    for ob in runtime.users(scene) if may_change else ():
        if capture.differs_in_renders(ob):
            with runtime.busy():
                capture.update(ob)
    if not runtime.can_go_on(scene):
        if not may_change:
            print(f"Sinew: frame {scene.frame_current} was not computed, so it is rendered at rest: turn on Render > Lock Interface")
            return
        with runtime.busy(), all_in_viewports(scene):
            runtime.catch_up(scene)


@contextmanager
def all_in_viewports(scene):
    """Within the block, bodies that only renders show, or the collections that they are in, are evaluated as the others are."""
    bodies = set(runtime.users(scene))
    collections = [one for one in scene.collection.children_recursive if not bodies.isdisjoint(one.all_objects)]
    hidden = [one for one in (*bodies, *collections) if one.hide_viewport and not one.hide_render and one.library is None]
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
    "render_init": render_begins,
    "render_pre": frame_is_rendered,
}


def register():
    properties.on_change, properties.on_show = settings_changed, runtime.show_again
    for name, handler in HANDLERS.items():
        getattr(bpy.app.handlers, name).append(handler)
    # Turned on with a file open: what it shows is computed at the next update. When Blender starts there is no file yet.
    for ob in getattr(bpy.data, "objects", ()):
        if ob.sinew.nodes:
            ob.update_tag()


def unregister():
    for name, handler in HANDLERS.items():
        if handler in getattr(bpy.app.handlers, name):
            getattr(bpy.app.handlers, name).remove(handler)
    runtime.clear()
