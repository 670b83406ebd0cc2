"""The objects of tendon rigs: which rig a part is in, what kind it is, and what follows it."""

import bpy

# A body that a file names and Blender does not hold: the joint of an armature's own file.
OUTSIDE = "outside"


def rig_of(thing):
    """The rig, a collection, that an object or collection is in, however deep; or None."""
    homes = {thing} if isinstance(thing, bpy.types.Collection) else set(thing.users_collection)
    rigs = (c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    return next((rig for rig in rigs if not homes.isdisjoint(collections_of(rig))), None) if homes else None


def role(part):
    """Which kind of part of a rig an object is; "" for others, such as those that were appended without their rig."""
    return part.sinew_tendon.tag if rig_of(part) is not None else ""


def collections_of(rig):
    """A rig with the collections in it, but for those that are rigs themselves."""
    found = [rig]
    for child in rig.children:
        if not child.sinew_tendons.is_rig:
            found += collections_of(child)
    return found


def name_in_scene(part):
    """What a part is called in its scene: the name that it was read with, unless someone renamed the object. Joints of
    an animation's file are called as they are there."""
    known = part.sinew_tendon
    return known.name_in_file if known.given == part.name or known.tag == OUTSIDE else part.name


def parts(rig, *tags):
    """The objects of a rig that are parts, or those of some kinds."""
    found = dict.fromkeys(o for collection in collections_of(rig) for o in collection.objects)
    return [o for o in found if o.sinew_tendon.tag and (not tags or o.sinew_tendon.tag in tags)]


def ordered(rig, *tags):
    """The parts of some kinds in the order in which they are written; originals before their copies."""
    return sorted(parts(rig, *tags), key=lambda part: (part.sinew_tendon.key < 0, part.sinew_tendon.key))


def moved_bones(rig):
    """The pose bones that copy the places of a rig's bodies."""
    bodies = set(parts(rig, "body"))
    armatures = [o for o in bpy.data.objects if o.type == "ARMATURE" and o.pose]
    return [
        b for a in armatures for b in a.pose.bones if any(getattr(c, "target", None) in bodies for c in b.constraints)
    ]


def leave_bones(rig, bones):
    """Takes the constraints from bones by which they follow parts of a rig."""
    for bone in bones:
        for constraint in list(bone.constraints):
            target = getattr(constraint, "target", None)
            if target is not None and rig_of(target) == rig:
                bone.constraints.remove(constraint)


def armatures(rig):
    """The armatures that lead bodies of a rig, or whose bones follow them."""
    targets = {getattr(c, "target", None) for body in parts(rig, "body") for c in body.constraints}
    return {t for t in targets if t is not None and t.type == "ARMATURE"} | {bone.id_data for bone in moved_bones(rig)}


def copy(source, target):
    """Makes a group like another, and leaves alone what is alike already."""
    for about in source.bl_rna.properties:
        name = about.identifier
        if name in ("rna_type", "name", "known_as"):
            continue
        value, there = getattr(source, name), getattr(target, name)
        if about.type == "COLLECTION":
            while len(there) > len(value):
                there.remove(len(there) - 1)
            for k, item in enumerate(value):
                copy(item, there[k] if k < len(there) else there.add())
        elif isinstance(value, bpy.types.PropertyGroup):
            copy(value, there)
        elif (tuple(value) != tuple(there)) if getattr(about, "is_array", False) else (value != there):
            setattr(target, name, value)
