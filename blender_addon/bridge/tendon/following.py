"""The constraints by which bodies and bones copy each other's places: made, and taken away again when what they copy is
deleted.

Parts of a rig name each other, which keeps them in the file when they are deleted: they are in no collection then."""

import bpy
import numpy as np
from bpy.app.handlers import persistent

from .. import exports, listeners

# Their kinds, and how their names begin.
COPIES, OURS = ("COPY_LOCATION", "COPY_ROTATION"), "Sinew "

# The objects in each scene when it was last looked at.
_there = {}
# What was taken away since the file was opened: (object, name of the bone or "", what it copied, settings). Blender's
# undo brings back what was deleted, but no constraint of something else.
_taken = []


def copy_place(follower, target, bone):
    """Makes an object or bone copy the location and rotation of another, in the world."""
    leave_deleted(follower)
    if follower == follower.id_data:
        follower.sinew_tendon.lost = ""
    for kind in COPIES:
        constraint = follower.constraints.new(kind)
        constraint.name = OURS + constraint.name
        constraint.target = target
        if bone:
            constraint.subtarget = bone


def is_deleted(ob):
    """Whether someone deleted an object; what is linked from another file may be in no collection of this one."""
    return ob is None or ob.library is None and not ob.users_collection


def leave_deleted(follower):
    """Takes the constraints from an object or bone by which it copied what was deleted; whether there were any."""
    ours = [c for c in follower.constraints if c.type in COPIES and c.name.startswith(OURS) and not c.is_override_data]
    found = [constraint for constraint in ours if is_deleted(constraint.target)]
    for constraint in found:
        ob, bone = follower.id_data, follower.name if follower != follower.id_data else ""
        if not bone:
            ob.sinew_tendon.lost = (
                f'"{constraint.target.name}" was deleted' if constraint.target else "what led it was deleted"
            )
        _taken.append((ob.session_uid, bone, constraint.target and constraint.target.session_uid, settings(constraint)))
        follower.constraints.remove(constraint)
    return bool(found)


def settings(constraint):
    """The settings of a constraint and its kind, without what it copies."""
    simple = (one.identifier for one in constraint.bl_rna.properties if one.type != "POINTER" and not one.is_readonly)
    return constraint.type, {name: getattr(constraint, name) for name in simple}


def leave_all_deleted():
    """The same for all objects and bones of the file; exporters no longer see motion in armatures that follow
    nothing."""
    for ob in bpy.data.objects:
        followers = [ob, *(ob.pose.bones if ob.pose else ())] if ob.library is None else ()
        if any([leave_deleted(follower) for follower in followers]) and ob.type == "ARMATURE" and not follows(ob):
            exports.mark_armatures([ob], ())


def follows(armature):
    """Whether bones of an armature copy the place of a part of a rig."""
    targets = (getattr(constraint, "target", None) for bone in armature.pose.bones for constraint in bone.constraints)
    return any(target is not None and target.sinew_tendon.tag for target in targets)


def bring_back():
    """Gives constraints back to what follows objects that are there again."""
    if not _taken:
        return
    objects = {ob.session_uid: ob for ob in bpy.data.objects}
    for entry in list(_taken):
        number, bone, copied, (kind, kept) = entry
        ob, target = objects.get(number), objects.get(copied)
        if ob is None or is_deleted(target):
            continue
        _taken.remove(entry)
        follower = ob.pose.bones.get(bone) if bone else ob
        if not bone:
            ob.sinew_tendon.lost = ""
        if follower is not None and kept["name"] not in follower.constraints:
            constraint = follower.constraints.new(kind)
            constraint.target = target
            for name, value in kept.items():
                setattr(constraint, name, value)


@persistent
def scene_edited(scene, *_):
    """Looks for what copied objects that were deleted, or are there again. Where none are gone, someone who empties the
    field of a target chooses another."""
    now = np.empty(len(scene.objects), np.int32)
    scene.objects.foreach_get("session_uid", now)
    before, _there[scene.session_uid] = _there.get(scene.session_uid), now
    if before is None or np.array_equal(before, now):
        return
    bring_back()
    if not np.isin(before, now).all():
        leave_all_deleted()


@persistent
def undone(*_):
    """What was deleted may be there again, or what it left."""
    bring_back()
    if _taken:
        leave_all_deleted()


@persistent
def forget(*_):
    """Another file is opened."""
    _there.clear()
    _taken.clear()


HANDLERS = (("depsgraph_update_post", scene_edited), ("undo_post", undone), ("redo_post", undone), ("load_pre", forget))


def register():
    # Ahead of those that show simulations, which look for what follows bodies.
    listeners.add(HANDLERS, first=True)


def unregister():
    listeners.remove(HANDLERS)
    forget()
