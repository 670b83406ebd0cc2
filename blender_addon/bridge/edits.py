"""Which edits of a scene concern bodies: of those whose motion they may change in other frames than the one at hand, no
frame that was computed before is trusted any longer, in any scene."""

import bpy

from . import animation, gather, host, movers, properties, runtime, skeleton
from .runtime import EDITED, POSED

# The hashes of the keys of all actions, by name, and that of what animates without keys, before the current undo or
# redo; None outside of one.
_before = None
# The same as they were last seen; None before that.
_keyed = _led = None


def clear():
    """Another file is opened."""
    global _keyed, _led
    _keyed = _led = None
    movers.clear()


def forget_keys():
    """Actions may change unheard: they are looked at anew."""
    global _keyed
    _keyed = None


def undo_begins():
    global _before
    _before = all_keyed(), animation.led()


def all_keyed():
    return {action.name_full: animation.keyed(action) for action in bpy.data.actions}


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


def bones_were_edited(ob, updated):
    """Whether bones at rest that the object's nodes have read were changed. Blender reports armatures that are posed,
    too."""
    armatures = [one for one in updated if isinstance(one, bpy.types.Armature)]
    read = [(one, known.bones.get(one.session_uid)) for known in runtime.in_all_scenes(ob) for one in armatures]
    return any(before is not None and skeleton.rest_mark(armature) != before for armature, before in read)


def motion_was_edited(updated, depsgraph):
    """Whether keys, drivers, what these read, or strips of the non-linear animation were changed, which may show in
    other frames only."""
    global _before, _keyed, _led
    if _before is not None:
        # After an undo, Blender reports everything as updated.
        before, _before, _keyed, _led = _before, None, all_keyed(), animation.led()
        return before != (_keyed, _led)
    if keys_were_edited([one for one in updated if isinstance(one, bpy.types.Action)], depsgraph):
        return True
    if not any(
        isinstance(one, (bpy.types.Object, bpy.types.Armature, bpy.types.Key, bpy.types.Scene)) for one in updated
    ):
        return False
    before, _led = _led, animation.led()
    edited = before is not None and before != _led
    if edited:
        # Something may have another action now.
        forget_keys()
    return edited


def keys_were_edited(updated, depsgraph):
    """Whether some of the actions that Blender reports as updated have other keys than before: when an export begins,
    it reports all."""
    global _keyed
    seen = updated
    if _keyed is None:
        _keyed, seen = {}, [one.original for one in depsgraph.ids if isinstance(one, bpy.types.Action)]
    now = {action.name_full: animation.keyed(action) for action in seen}
    edited = any(_keyed.get(action.name_full) != now[action.name_full] for action in updated)
    _keyed |= now
    return edited


def is_led_by(ob, updated, moved, hashed):
    """Whether what leads a body, or how it follows, was edited. Bodies are written by their nodes, which is no edit of
    those that follow them."""
    if runtime.forget_lost_leaders(ob):
        return True
    leaders = runtime.leaders_of(ob)
    return (
        movers.is_shaped_anew([leader for leader in leaders if not leader.sinew.nodes], moved)
        or movers.may_be_moved_otherwise(ob, updated, moved)
        or movers.changed(ob, leaders, updated, hashed)
    )


def is_posed(ob, moved, scene):
    """Whether a body, in the frame in which its motion begins, follows something that was moved away from its keys: in
    the next frame that is again where these put it."""
    if not any(known.clock and scene.frame_current <= known.clock[0] for known in runtime.all_known(ob, scene)):
        return False
    time = scene.frame_current * scene.render.frame_map_new / scene.render.frame_map_old
    return any(one in moved and animation.is_off_its_keys(one, time) for one in (ob, *runtime.leaders_of(ob)))


def edited_objects(users, scene, depsgraph):
    """How an edit concerns those of the objects with nodes in a scene that it does concern: object -> EDITED or POSED.
    Edited meshes and curves will be read again. Other scenes may show these and other bodies."""
    updates = list(depsgraph.updates)
    updated = {update.id.original for update in updates}
    moved = {update.id.original for update in updates if update.is_updated_geometry or update.is_updated_transform}
    motion, hashed, found = motion_was_edited(updated, depsgraph), {}, {}
    if motion or moved:
        runtime.compare_bakes_again()
    for ob in runtime.bodies().union(users):
        again = ob.data in updated or reads(ob, updated) or bones_were_edited(ob, updated)
        led = motion or runtime.follows_frames(ob) and is_led_by(ob, updated, moved, hashed)
        concerned = led or again or ob in updated
        if concerned:
            found[ob] = POSED if is_posed(ob, moved, scene) else EDITED
            for known in runtime.in_all_scenes(ob):
                known.leaders, known.dirty = None, known.dirty or again
        if led:
            runtime.distrust(ob, scene)
    movers.forget(updated.difference(hashed))
    return {ob: found[ob] for ob in users if ob in found}
