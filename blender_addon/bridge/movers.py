"""What moves a body besides keys, as hashes that tell whether an edit has changed it: such an edit may show in other
frames only.

Blender reports an object as updated for many reasons that move nothing (a mode, a material, what a node has written),
so the hashes are kept from when frames were computed, and compared once something was updated."""

from itertools import chain

import bpy
import numpy as np

from ..core import timeline
from . import animation, capture, node_inputs, relations

import bmesh

# By what was hashed: the hash as it was when frames were last computed or edits noticed.
_seen = {}
# The bodies of which everything is in there.
_remembered = set()

# Settings that move nothing, or change by themselves, and the inputs of Geometry Nodes, which `node_inputs` reads.
IDLE = {
    "rna_type",
    "name",
    "show_expanded",
    "show_in_editmode",
    "show_on_cage",
    "is_active",
    "use_pin_to_last",
    "point_cache",
    "solver_result",
    "panels",
    "bakes",
    "node_warnings",
    "select",
    "select_head",
    "select_tail",
    "hide",
    "hide_select",
    "show_wire",
    "display_type",
    "collections",
    "color",
    "parent",
    "children",
    "properties",
}
# Read-only settings that tell that someone has bound a modifier.
BOUND = {"is_bound", "is_bind"}
# Modifiers that move no points and whose settings hold the whole simulation.
SIMULATIONS = {"PARTICLE_SYSTEM", "FLUID"}

_kept = {}


def kept(thing):
    """The settings of a kind of thing that may move something."""
    kind = type(thing)
    if kind not in _kept:
        properties = [p for p in thing.bl_rna.properties if p.identifier not in IDLE]
        inside = ("POINTER", "COLLECTION")
        _kept[kind] = [p for p in properties if p.type in inside or not p.is_readonly or p.identifier in BOUND]
    return _kept[kind]


def settings(thing, path, animated, depth=4):
    """The settings of a thing that are not animated, with those of what they hold."""
    found = []
    for prop in kept(thing):
        key = f"{path}.{prop.identifier}"
        if key in animated:
            continue
        value = getattr(thing, prop.identifier)
        if prop.type == "POINTER":
            found += of_pointer(value, key, animated, depth)
        elif prop.type == "COLLECTION":
            found += chain.from_iterable(of_pointer(one, f"{key}[{k}]", animated, depth) for k, one in enumerate(value))
        else:
            found.append(repr(value[:] if getattr(prop, "is_array", False) else value))
    return found


def of_pointer(value, path, animated, depth):
    if value is None or isinstance(value, bpy.types.ID):
        return [value and value.session_uid]
    return settings(value, path, animated, depth - 1) if depth > 0 else []


def animated_paths(owner):
    """The paths of what has keys or drivers."""
    data = owner.animation_data
    if data is None:
        return set()
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    actions = [one for one in (data.action, *(strip.action for strip in strips)) if one is not None]
    return {curve.data_path for curve in chain(data.drivers, *map(animation.curves_of, actions))}


def of_modifiers(ob, animated):
    found = []
    for modifier in ob.modifiers:
        path = f'modifiers["{modifier.name}"]'
        if capture.is_ours(modifier) or modifier.type in SIMULATIONS:
            continue
        found += [modifier.type, *settings(modifier, path, animated)]
        if modifier.type == "NODES":
            given = [value for name, value in node_inputs.read(modifier) if path + name not in animated]
            found += [value.session_uid if isinstance(value, bpy.types.ID) else repr(value) for value in given]
    return found


def of_constraints(owner, path, animated):
    return chain.from_iterable(
        [one.type, *settings(one, f'{path}constraints["{one.name}"]', animated)] for one in owner.constraints
    )


def of_object(ob):
    animated = animated_paths(ob)
    found = [
        ob.parent and ob.parent.session_uid,
        ob.parent_type,
        ob.parent_bone,
        *of_modifiers(ob, animated),
        *of_constraints(ob, "", animated),
    ]
    for bone in ob.pose.bones if ob.pose else ():
        path = f'pose.bones["{bone.name}"]'
        limits = [
            p.identifier for p in kept(bone) if "ik_" in p.identifier and f"{path}.{p.identifier}" not in animated
        ]
        found += [
            bone.rotation_mode,
            *(getattr(bone, name) for name in limits),
            *of_constraints(bone, f"{path}.", animated),
        ]
    return timeline.mark(*found)


def of_armature(armature):
    found = [armature.pose_position]
    for bone in armature.bones:
        found += [
            bone.parent and bone.parent.name,
            *chain.from_iterable(bone.matrix_local),
            *settings(bone, "", (), depth=0),
            bone.length,
        ]
    return timeline.mark(*found)


def of_tree(tree):
    """Geometry Nodes: what their nodes are set to, and how they are linked."""
    animated, found = animated_paths(tree), []
    for node in tree.nodes:
        path = f'nodes["{node.name}"]'
        found += [node.bl_idname, *settings(node, path, animated, depth=0)]
        for name in ("color_ramp", "mapping"):
            found += of_pointer(getattr(node, name, None), f"{path}.{name}", animated, 3)
        for k, socket in enumerate(node.inputs):
            value = getattr(socket, "default_value", None)
            if f"{path}.inputs[{k}].default_value" not in animated:
                found.append(
                    value.session_uid
                    if isinstance(value, bpy.types.ID)
                    else repr(value[:] if hasattr(value, "__len__") else value)
                )
    found += [
        repr((link.from_node.name, link.from_socket.identifier, link.to_node.name, link.to_socket.identifier))
        for link in tree.links
    ]
    return timeline.mark(*found)


def trees_of(ob):
    """The Geometry Nodes of an object with all groups in them, but not ours."""
    found = set()
    for modifier in ob.modifiers:
        if modifier.type == "NODES" and not capture.is_ours(modifier):
            relations.groups_in(modifier.node_group, found)
    return found


def of_weights(mesh):
    """The weights of all vertex groups."""
    read = bmesh.new()
    try:
        read.from_mesh(mesh, face_normals=False, vertex_normals=False)
        layer = read.verts.layers.deform.active
        return hash(tuple(tuple(vertex[layer].items()) for vertex in read.verts)) if layer is not None else 0
    finally:
        read.free()


def of_shapes(keys):
    """Shape keys: their points, and how they are mixed."""
    animated, found = animated_paths(keys), [keys.use_relative]
    for block in keys.key_blocks:
        points = np.empty(3 * len(block.data), np.float32)
        block.data.foreach_get("co", points)
        mixed = ("value", "mute", "vertex_group", "slider_min", "slider_max")
        values = [getattr(block, name) for name in mixed if f'key_blocks["{block.name}"].{name}' not in animated]
        found += [points, block.relative_key.name, *values]
    return timeline.mark(*found)


def hashes(ob, leaders):
    """What moves a body, and how each is hashed: [(data-block, function)]. The shapes of leaders are not among them, as
    they need none: where Blender reports these, they were edited."""
    found = [(ob.data, of_weights)] if ob.type == "MESH" and ob.mode != "EDIT" else []
    for one in (ob, *leaders):
        found.append((one, of_object))
        if one.type == "ARMATURE" and one.mode != "EDIT":
            found.append((one.data, of_armature))
        keys = getattr(one.data, "shape_keys", None)
        if keys is not None:
            found.append((keys, of_shapes))
        found += [(tree, of_tree) for tree in trees_of(one)]
    return found


def is_remembered(ob):
    return ob.session_uid in _remembered


def remember(ob, leaders):
    """What moves a body now is what its frames follow from."""
    _remembered.add(ob.session_uid)
    for one, read in hashes(ob, leaders):
        if one.session_uid not in _seen:
            _seen[one.session_uid] = read(one)


def changed(ob, leaders, updated, hashed):
    """Whether something that moves a body, among what was updated, has changed since it was last remembered. `hashed`
    keeps what was found for one thing, as it may move several bodies."""
    found = False
    for one, read in hashes(ob, leaders):
        if one in updated and one not in hashed:
            before, _seen[one.session_uid] = _seen.get(one.session_uid), read(one)
            hashed[one] = before != _seen[one.session_uid]
        found = found or hashed.get(one, False)
    return found


def forget(updated):
    """No frame follows from these any longer: they are remembered anew when one does. What is in edit mode is compared
    afterwards."""
    _remembered.clear()
    for one in updated:
        if not getattr(one, "is_editmode", False):
            _seen.pop(one.session_uid, None)


def clear():
    _seen.clear()
    _remembered.clear()


# What can move a body and is not hashed.
NOT_HASHED = (bpy.types.Texture, bpy.types.Image, bpy.types.MovieClip, bpy.types.CacheFile)


def acts_afar(one, moved):
    """Whether something that was updated moves others without being named by them: a force field, an obstacle, what is
    in a collection."""
    if one not in moved or not isinstance(one, (bpy.types.Object, bpy.types.Collection)):
        return False
    if isinstance(one, bpy.types.Collection):
        return True
    return one.collision is not None and one.collision.use or one.field is not None and one.field.type != "NONE"


def may_be_moved_otherwise(ob, updated, moved):
    """Whether a body was evaluated together with something of which no hash is kept. `moved` is what has other points
    or another place."""
    return ob in moved and any(isinstance(one, NOT_HASHED) or acts_afar(one, moved) for one in updated)


def is_shaped_anew(leaders, moved):
    """Whether the shape of something that leads a body was edited, which it may meet in other frames only."""
    return any(leader.type in relations.SHAPED and leader.data in moved for leader in leaders)
