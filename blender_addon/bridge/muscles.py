"""Muscle sets on objects: the rig that carries them, the set in the node's parameter, and the muscles at rest as a
mesh.

A set belongs to its body: its coordinates are those of the body's own space, with the scale of the object, so that it
stays right wherever the character stands."""

from dataclasses import dataclass

import bpy
import numpy as np

from ..core import timeline
from ..sinew import UP_Z
from ..sinew.loader import Error
from ..sinew.muscles import MuscleSet, Rig, joined
from ..sinew.node import Node
from . import arrays, bone_roles, gather, host, properties, runtime, skeleton
from .problem import Problem

KIND = "muscle_skin"
FLESH, CHOSEN = "Sinew Muscle", "Sinew Muscle Chosen"
COLOURS = {FLESH: (0.45, 0.09, 0.07, 1), CHOSEN: (0.95, 0.55, 0.1, 1)}
# Weights are kept in single precision, so sums of many have rounding errors.
SUM_TOLERANCE = 1e-5
# Blender cuts the names of vertex groups, also of those with the weights of muscles, after so many bytes.
LONGEST_NAME = 63
# Where the vertices of a sculpted mesh were when it was made.
SCULPT_REST = "sinew_sculpt_rest"


def node_of(ob):
    """The muscle skin of an object: the active node if it is one, or the first; None without one."""
    if ob is None or not getattr(ob, "sinew", None):
        return None
    found = [item for item in ob.sinew.nodes if item.kind == KIND]
    active = ob.sinew.nodes[ob.sinew.active] if 0 <= ob.sinew.active < len(ob.sinew.nodes) else None
    return active if active in found else next(iter(found), None)


def own_space(world):
    """The space of a body: its world matrix without translation and rotation, so that only the scale is left."""
    turn, stretch = np.linalg.qr(world[:3, :3])
    signs = np.sign(np.diag(stretch))
    found = np.identity(4)
    found[:3, :3] = signs[:, None] * stretch
    if np.linalg.det(turn * signs) < 0:
        found[0] *= -1
    return found


def cut(name, end=""):
    """A name, with something at its end, that a vertex group can have."""
    return name.encode()[: LONGEST_NAME - len(end.encode())].decode(errors="ignore") + end


def check_name(name):
    if cut(name) != name:
        raise Problem(
            f'the name "{name}" is too long for the vertex group of a muscle: use {LONGEST_NAME} bytes at most'
        )


def here_of(ob, item, context):
    """What the sources of a node need to know, as the node itself has it."""
    kind, settings = host.kinds()[KIND], properties.settings(item)
    rest_world = properties.rest_world_of(item)
    if rest_world is None:
        known = runtime.known(ob, item, context.scene)
        rest_world = known.rest_world if known else None
    return gather.Here(ob, kind, settings, context.evaluated_depsgraph_get(), rest_world)


def rig_of(here):
    """The bones at rest and the skin at rest, as the library takes them."""
    inputs = {name: (getattr(here.settings, f"in_{name}"), here.kind.input(name)) for name in ("rest_joints", "mesh")}
    bound, port = inputs["rest_joints"]
    if bound.choice != "BONES":
        raise Problem(f'muscles are attached to bones: choose Rest Pose for {port.title} of "{here.ob.name}"')
    armature = skeleton.armature_of(here, bound)
    names, parents = bone_roles.hierarchy(armature.data)
    skin = gather.rest_mesh(here, *inputs["mesh"])
    return Rig(
        names,
        skeleton.bones(here, bound, port),
        skin,
        here.depsgraph.scene.unit_settings.scale_length,
        UP_Z,
        parents,
        bone_roles.chosen(armature.data),
    )


def text_of(settings):
    """The XML of a node's set, from its parameter or the file that it names; empty without a set."""
    text = settings.param_muscles
    if not text.strip() or text.lstrip().startswith("<"):
        return text
    path = bpy.path.abspath(text)
    try:
        with open(path, encoding="utf-8") as opened:
            return opened.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"the muscle set {path} cannot be read: {error}") from error


def set_of(item):
    """The node's set; to be used in a `with` block."""
    return MuscleSet(text_of(properties.settings(item)), library=host.library())


def check_kept(ob, item):
    """Refuses muscles that came with a library override, of which Blender keeps no change."""
    original = ob.override_library.reference if ob.override_library is not None else None
    if original is not None and any(other.uid == item.uid for other in original.sinew.nodes):
        raise Problem(
            f'the muscles of "{ob.name}" came with it from {original.library.filepath}: change them in that file, or '
            f"make the body "
            "local (Object > Relations > Make Local)"
        )


def store(ob, item, text):
    """Keeps a set in the file, in the node's parameter."""
    check_kept(ob, item)
    with runtime.busy():
        properties.settings(item).param_muscles = text
        runtime.touched(ob)
        sync(ob)
        # What was read meanwhile has evaluated the scene, so the frame would not be shown anew.
        ob.update_tag()


@dataclass
class Shape:
    """Muscles at rest: their names, where the vertices of each begin (one number more), points, and faces of four; and
    the names of all muscles of the set, with those that the rig leaves out."""

    names: list
    starts: np.ndarray
    points: np.ndarray
    faces: np.ndarray
    given: list

    def slice_of(self, name):
        k = self.names.index(name)
        return slice(self.starts[k], self.starts[k + 1])


def shape_of(rig, text, frames):
    """The muscles of a set on a rig in its rest pose, without those that the rig leaves out."""
    kind = host.kinds()[KIND]
    one, joint = np.ones((1, 1), np.uint32), np.zeros((1, 1), np.uint32)
    given = {
        "points": np.zeros((1, 3)),
        "rest_joints": rig.rest,
        "joints": rig.rest,
        "influence_counts": one,
        "influence_joints": joint,
        "influence_weights": np.ones((1, 1)),
    }
    with MuscleSet(text, library=host.library()) as found:
        all_given = found.report()["muscles"]
    with Node(kind, library=host.library()) as node:
        node.set_space(rig.metres_per_unit, rig.up_axis)
        for name, value in (("muscles", text), ("joint_names", joined(rig.names)), ("frames", frames)):
            node.set_param(name, value)
        for port, value in given.items():
            node.set_input(port, value)
        node.step(0, 0.0)
        names = dict(node.report()["names"])["muscles"]
        mesh, numbers = node.read_mesh("muscles", np.float64), node.read("muscle_numbers").ravel()
    # The vertices of a muscle are adjacent, and its faces are quads.
    starts = np.searchsorted(numbers, np.arange(len(names) + 1))
    return Shape(names, starts, mesh.positions, mesh.corner_vertices.reshape(-1, 4), [m["name"] for m in all_given])


_shapes = {}


def shape(here):
    """The muscles of a node at rest; kept until the set or the rig changes."""
    rig, text, frames = rig_of(here), text_of(here.settings), here.settings.param_frames
    key = timeline.fingerprint(text, frames, joined(rig.names), rig.rest, rig.metres_per_unit)
    if key not in _shapes:
        made = (
            shape_of(rig, text, frames)
            if text.strip()
            else Shape([], np.zeros(1, int), np.zeros((0, 3)), np.zeros((0, 4), int), [])
        )
        _shapes.clear()
        _shapes[key] = made
    return _shapes[key]


def painted_weights(here):
    """The weights of the muscles in the vertex groups of their names: which muscles of the set, and a row for each
    vertex with a column for each of them."""
    names, groups = shape(here).given, here.ob.vertex_groups
    there = [k for k, name in enumerate(names) if name in groups]
    if not there:
        raise Problem(f'"{here.ob.name}" has no vertex group named after a muscle: press Make Weights')
    return there, arrays.weights_by_vertex(arrays.mesh_of(here.ob), [groups[names[k]].index for k in there])


def read_painted(here, bound, port):
    """The painted weights of muscles: their counts, the muscles, or the weights, as the port says."""
    return skeleton.packed(port, *here.once(painted_weights))


gather.READERS["MUSCLES"] = read_painted


def is_painted(item):
    """Whether the weights of a node's muscles are those in vertex groups."""
    return properties.settings(item).in_muscle_weights.choice == "MUSCLES"


def keep_sums(ob):
    """While a muscle's weights are painted: where those of all muscles add up to more than one, the others are reduced,
    unless they are locked."""
    item = node_of(ob)
    if item is None or ob.mode != "WEIGHT_PAINT" or not is_painted(item):
        return
    groups, active = ob.vertex_groups, ob.vertex_groups.active
    names = [one.name for one in ob.sinew_muscles.names if one.name in groups]
    if active is None or active.name not in names:
        return
    found = arrays.weights_by_vertex(ob.data, [groups[name].index for name in names])
    painted = {active.name}
    if ob.data.use_mirror_x and ob.data.use_mirror_vertex_groups:
        # Blender paints the group of the other side, too.
        painted.add(bpy.utils.flip_name(active.name))
    free = np.array([name not in painted and not groups[name].lock_weight for name in names])
    others = found[:, free].sum(axis=1)
    kept = found.sum(axis=1) - others
    for vertex in np.flatnonzero((kept + others > 1 + SUM_TOLERANCE) & (others > 0)):
        factor = max(0.0, 1 - kept[vertex]) / others[vertex]
        for column in np.flatnonzero(found[vertex] * free):
            groups[names[column]].add([int(vertex)], float(found[vertex, column] * factor), "REPLACE")


def mesh_of_shape(mesh, points, faces, names, starts):
    """Fills a mesh with muscles; each face knows its muscle, and so does its material."""
    mesh.clear_geometry()
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    number = np.searchsorted(starts, faces[:, 0], side="right") - 1 if len(faces) else np.zeros(0, int)
    mesh.attributes.new("muscle", "INT", "FACE").data.foreach_set("value", number.astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))
    for slot, (name, colour) in enumerate(COLOURS.items()):
        material = bpy.data.materials.get(name)
        if material is None:
            material = bpy.data.materials.new(name)
            material.diffuse_color = colour
        if slot < len(mesh.materials):
            mesh.materials[slot] = material
        else:
            mesh.materials.append(material)
    mesh["sinew_muscles"] = "\n".join(names)
    mesh.update()


def shown(ob, which):
    """The mesh, "live" or "sculpt", that shows the muscles of a body; None if it has none; a copy of the body still
    points at those of the original."""
    found = getattr(ob.sinew_muscles, which)
    return found if found is not None and found.sinew_muscles.body == ob else None


def highlight(ob):
    """The chosen muscle in another colour, wherever muscles of the body are shown, and its vertex group to be
    painted."""
    chosen = chosen_name(ob)
    for other in (shown(ob, "live"), shown(ob, "sculpt")):
        if (
            other is None
            or "sinew_muscles" not in other.data
            or "muscle" not in other.data.attributes
            or other.mode == "EDIT"
        ):
            continue
        names = other.data["sinew_muscles"].split("\n")
        number = np.empty(len(other.data.polygons), np.int32)
        other.data.attributes["muscle"].data.foreach_get("value", number)
        index = names.index(chosen) if chosen in names else -1
        other.data.polygons.foreach_set("material_index", (number == index).astype(np.int32))
        other.data.update()
    if chosen in ob.vertex_groups:
        ob.vertex_groups.active_index = ob.vertex_groups[chosen].index


def chosen_name(ob):
    """The muscle that is selected in the list, or an empty text."""
    known = ob.sinew_muscles
    return known.names[known.active].name if 0 <= known.active < len(known.names) else ""


def names_of(item):
    """The muscles of a node's set."""
    with set_of(item) as found:
        return [muscle["name"] for muscle in found.report()["muscles"]]


def sync(ob):
    """Updates the list and the displayed muscles from the node's set."""
    item, known = node_of(ob), getattr(ob, "sinew_muscles", None)
    if known is None or (item is None and not known.names):
        return
    try:
        names = names_of(item) if item else []
    except (Problem, Error):
        # Errors in the set are reported when the frame is shown.
        names = []
    if names != [one.name for one in known.names]:
        chosen = chosen_name(ob)
        if ob.override_library is not None:
            # Blender saves what is added to an override only where the original has the group, too; reading makes it.
            _ = ob.override_library.reference.sinew_muscles
        known.names.clear()
        with runtime.busy():
            for name in names:
                known.names.add().name = name
        known.active = names.index(chosen) if chosen in names else max(0, len(names) - 1)
    if item is not None and shown(ob, "live") is not None:
        refresh_live(ob, item)


def refresh_live(ob, item):
    """Gives the mesh of the moving muscles as many vertices and faces as the set has."""
    live = ob.sinew_muscles.live
    if live.mode == "EDIT":
        return
    try:
        here = here_of(ob, item, bpy.context)
        found = shape(here)
    except (Problem, Error):
        return
    if len(live.data.vertices) != len(found.points) or live.data.get("sinew_muscles") != "\n".join(found.names):
        place = arrays.inverse(here.world(live)) @ here.world(ob) @ arrays.inverse(here.rest_world)
        mesh_of_shape(live.data, arrays.moved(found.points, place), found.faces, found.names, found.starts)
    highlight(ob)


def forget():
    """Forgets what is kept of sets."""
    _shapes.clear()
