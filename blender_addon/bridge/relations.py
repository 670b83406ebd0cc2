"""Which objects an object depends on: through its parent, constraints, modifiers and Geometry Nodes."""

import bpy

from . import node_inputs

# Objects whose shape others can follow.
SHAPED = {"MESH", "CURVE", "SURFACE", "LATTICE"}


def pointed(owner):
    """The objects and collections that the settings of a modifier or constraint name."""
    fixed = (bpy.types.Object, bpy.types.Collection)
    for prop in owner.bl_rna.properties:
        if prop.type == "POINTER" and isinstance(getattr(owner, prop.identifier, None), fixed):
            yield getattr(owner, prop.identifier)


def groups_in(tree, found):
    """Adds a node tree to those that were found, with all groups in it."""
    if tree is None or tree in found:
        return
    found.add(tree)
    for node in tree.nodes:
        groups_in(getattr(node, "node_tree", None), found)


def working_nodes(tree, found=None):
    """The nodes of a tree that are not muted, with those of the groups in it."""
    found = set() if found is None else found
    if tree is None or tree in found:
        return
    found.add(tree)
    for node in tree.nodes:
        if not node.mute:
            yield node
            yield from working_nodes(getattr(node, "node_tree", None), found)


def in_tree(tree):
    """The objects and collections that sockets of Geometry Nodes name, also in groups."""
    groups = set()
    groups_in(tree, groups)
    for node in [node for group in groups for node in group.nodes]:
        for socket in node.inputs:
            if socket.type in ("OBJECT", "COLLECTION") and socket.default_value is not None:
                yield socket.default_value


def fetched(ob):
    """The objects and collections that an object's Geometry Nodes fetch."""
    found = set()
    for modifier in ob.modifiers:
        if modifier.type == "NODES" and modifier.node_group is not None:
            found.update(in_tree(modifier.node_group))
            found.update(
                one for one in node_inputs.named(modifier) if isinstance(one, (bpy.types.Object, bpy.types.Collection))
            )
    return found


def directly(ob):
    """What moves an object, one step away."""
    found = {ob.parent} | fetched(ob)
    of_bones = [constraint for bone in (ob.pose.bones if ob.pose else ()) for constraint in bone.constraints]
    for owner in [*ob.modifiers, *ob.constraints, *of_bones]:
        found.update(pointed(owner))
        # An Armature constraint has a list of targets.
        found.update(target.target for target in getattr(owner, "targets", ()) if hasattr(target, "target"))
    return {one for one in found if one is not None}


def leaders(ob):
    """All objects that an object's shape and place may depend on, without itself, in order."""
    found, left = set(), [ob]
    while left:
        for one in directly(left.pop()) - found:
            found.add(one)
            left += one.all_objects if isinstance(one, bpy.types.Collection) else [one]
    return sorted(
        (one for one in found if isinstance(one, bpy.types.Object) and one != ob), key=lambda one: one.session_uid
    )


def places(objects, depsgraph):
    """Where objects are in the frame, as numbers to compare."""
    return [tuple(map(tuple, ob.evaluated_get(depsgraph).matrix_world)) for ob in objects]
