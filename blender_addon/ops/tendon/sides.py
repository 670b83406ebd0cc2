"""Bones of the other side: mirrored bodies follow them, or lead them, as those of the rig that was mirrored do on this
side."""

import bpy
import numpy as np

from ...bridge import host
from ...bridge.tendon import following, places, rig_parts
from ...sinew import document
from . import bodies

from mathutils import Matrix

# How far a bone may be from its mirrored body: as a part of its length, and in its axes.
NEAR = 1e-3
# Why a bone is not tied to a mirrored body.
NONE, TAKEN, ELSEWHERE = (
    "no bone on the other side",
    "bodies on the other side already",
    "no mirror image on the other side",
)


def other_side(name):
    """A name with left and right swapped."""
    return document.other_side(name, library=host.library())


def bind(rig, mirrored):
    """Ties the bodies of a mirrored rig to bones as those of the rig are; gives a sentence about those where that
    cannot be, or ""."""
    made = {part.sinew_tendon.name_in_file: part for part in rig_parts.parts(mirrored, "body")}
    found = [
        (made[other_side(rig_parts.name_in_scene(part))], tie)
        for part in rig_parts.parts(rig, "body")
        for tie in ties_of(part)
    ]
    taken = {armature: bodies.bones_with_bodies(armature) for _, (_, armature, _) in found}
    troubles = {}
    for part, (tie, armature, bone) in found:
        trouble = trouble_with(armature, bone, None if tie == carry else part, taken[armature])
        if trouble:
            troubles.setdefault((armature.name, trouble), []).append(bone)
            if tie != drive:
                part.sinew_tendon.lost = f'"{bone}" of "{armature.name}" has {trouble}'
        else:
            tie(part, armature, other_side(bone))
    lines = [f'{", ".join(names)} of "{armature}": {trouble}' for (armature, trouble), names in troubles.items()]
    return f"some mirrored bodies are not tied to bones: {'; '.join(lines)}" if lines else ""


def ties_of(part):
    """How a body is tied to bones, [(tie, armature, bone)]."""
    copies = [c for c in part.constraints if c.type in following.COPIES and c.subtarget]
    found = [(lead, *one) for one in {(c.target, c.subtarget) for c in copies if not following.is_deleted(c.target)}]
    if part.parent is not None and part.parent.type == "ARMATURE" and part.parent_type == "BONE":
        found.append((carry, part.parent, part.parent_bone))
    armatures = [ob for ob in bpy.data.objects if ob.type == "ARMATURE" and ob.pose]
    bones = [bone for armature in armatures for bone in armature.pose.bones]
    return found + [
        (drive, b.id_data, b.name) for b in bones if any(getattr(c, "target", None) == part for c in b.constraints)
    ]


def trouble_with(armature, bone, part, taken):
    """Why the other side of a bone cannot be tied to a mirrored body, which must be where that bone is; "" if it
    can."""
    name = other_side(bone)
    if name == bone or name not in armature.pose.bones:
        return NONE
    if name in taken:
        return TAKEN
    rest = armature.data.bones[name]
    world = armature.matrix_world @ rest.matrix_local
    off = np.abs(places.rigid(world) - places.frame(part)) if part is not None else np.zeros((4, 4))
    length = rest.length * np.mean(np.abs(armature.matrix_world.to_scale()))
    return ELSEWHERE if off[:3, 3].max() > NEAR * length or off[:3, :3].max() > NEAR else ""


def free_of_keys(part):
    """Takes the keys from a body that something leads, which are those of the side that was mirrored."""
    part.animation_data_clear()
    places.clear_delta(part)


def lead(part, armature, bone):
    """A bone leads a body."""
    free_of_keys(part)
    following.copy_place(part, armature, bone)


def carry(part, armature, bone):
    """A body hangs on a bone."""
    free_of_keys(part)
    matrix = places.modelled(part)
    part.parent, part.parent_type, part.parent_bone, part.matrix_parent_inverse = armature, "BONE", bone, Matrix()
    places.set_modelled(part, matrix)


def drive(part, armature, bone):
    """A bone follows a body."""
    following.copy_place(armature.pose.bones[bone], part, "")
