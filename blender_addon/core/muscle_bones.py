"""The bones that a set of muscles names: found again after someone renamed them."""

import json
import math

# The attributes of muscles, their heads, pads and bones in a set that name a joint.
JOINTS = ("origin_joint", "insertion_joint", "middle_joint", "joint")
# How far a bone may be from where it was, as a part of the armature's size: leaving edit mode rounds places.
SAME_PLACE = 1e-4


def noted(armature, bones):
    """What tells bones again that have other names, as a text: of each its name, the number of its parent, and its head
    at rest."""
    return json.dumps([armature, [[name, parent, *(float(f"{x:.6g}") for x in head)] for name, parent, head in bones]])


def is_of(note, armature):
    """Whether a note is about an armature."""
    return note.startswith(f"[{json.dumps(armature)}, ")


def renamed(before, now):
    """The new name of each bone that was renamed between two notes of one armature."""
    (armature, old), (_, new) = json.loads(before), json.loads(now)
    if not is_of(now, armature) or not old:
        return {}
    near = SAME_PLACE * max(math.dist(a[2:], b[2:]) for a in old for b in old[:1]) or SAME_PLACE
    known, there = {bone[0] for bone in old}, {bone[0] for bone in new}
    if [bone[1] for bone in old] == [bone[1] for bone in new]:
        pairs = [(a, b) for a, b in zip(old, new) if a[0] != b[0]]
        stayed = all(math.dist(a[2:], b[2:]) <= near for a, b in pairs)
        # A single bone that has a new name may have been moved, too. Names that bones only exchanged need their places
        # to tell.
        if stayed or len(pairs) == 1 and pairs[0][0][0] not in there and pairs[0][1][0] not in known:
            return {a[0]: b[0] for a, b in pairs}
    found = {}
    for bone in old:
        if bone[0] not in there:
            here = [other[0] for other in new if other[0] not in known and math.dist(bone[2:], other[2:]) <= near]
            found.update({bone[0]: here[0]} if len(here) == 1 else {})
    return found
