"""From Blender to arrays: what each source of an input gives."""

import itertools

import bmesh
import bpy
import mathutils
import numpy as np

from ..core import timeline
from ..core.muscles import joined
from ..core.node import Mesh
from . import capture, curve_lines, hair
from .arrays import floats, is_identity, moved, positions
from .problem import Problem, counted
from .rest_places import RestPlaces

# Sources that change in every frame; the others are read after edits.
MOVING = {"BODY", "KEYS", "POSE", "OBJECTS", "PROPERTY"}
# Sources that move with an object, if the port needs positions or directions in the frame.
CARRIED = {"REST", "ATTRIBUTE", "CURVES", "POINTS"}
SPATIAL = {"position", "displacement", "direction"}


class Here:
    """What a source needs to know: the object, and where it is; `depsgraph` evaluates it in the current frame."""

    def __init__(self, ob, kind, settings, depsgraph, rest_world=None, shape=None, places=None):
        # Where another node has put the object's vertices, in the world.
        self.shape = shape
        # Where other objects lie on the body at rest.
        self.places = places or RestPlaces()
        self.ob, self.kind, self.settings, self.depsgraph = ob, kind, settings, depsgraph
        # Where the object is in the first frame of the motion, which is where the rest mesh is, too.
        self.rest_world = self.world(ob) if rest_world is None else rest_world
        self._once = {}
        # What to tell of inputs that can be read, and yet do nothing.
        self.remarks = []

    def once(self, read, *arguments):
        """What `read(here, ...)` gives, read once for all ports of a node that need it."""
        key = (read, *arguments)
        if key not in self._once:
            self._once[key] = read(self, *arguments)
        return self._once[key]

    def world(self, ob):
        return np.array(ob.evaluated_get(self.depsgraph).matrix_world, np.float64)

    def space(self, ob, port):
        """From an object's space to that of a port's numbers: the world, in the frame or at rest."""
        return self.at_rest(ob) if port.at_rest else self.world(ob)

    def on_body(self, ob):
        """From an object's space to that of the mesh at rest."""
        return self.places.place(ob, self.world(ob), self.world(self.ob))

    def at_rest(self, ob):
        """From an object's space to the world of the mesh at rest."""
        return self.rest_world if ob == self.ob else self.rest_world @ self.on_body(ob)

    def others(self):
        """The other objects that the inputs and outputs name."""
        ports = [f"in_{port.id}" for port in self.kind.inputs] + [f"out_{port.id}" for port in self.kind.outputs]
        named = {getattr(getattr(self.settings, port), "object", None) for port in ports}
        return (named | {chosen_armature(self.ob)}) - {None, self.ob}


def mesh_of(ob):
    if ob.type != "MESH":
        raise Problem(f'"{ob.name}" is not a mesh: choose a mesh object')
    if ob.mode == "EDIT":
        raise Problem(f'"{ob.name}" is in edit mode: leave it, and the node computes again')
    return ob.data


def rest_uv_layer(mesh, name, outputs):
    """The UV map with the UVs at rest: the one that is named, or the first one that no output writes."""
    if name:
        layer = mesh.uv_layers.get(name)
        if layer is None:
            raise Problem(f'"{mesh.name}" has no UV map "{name}": choose one of its own')
        return layer
    return next((layer for layer in mesh.uv_layers if layer.name not in outputs), None)


def uv_outputs(here):
    """The UV maps that the node's outputs write."""
    found = (getattr(here.settings, f"out_{port.id}") for port in here.kind.outputs)
    return {made.name for made in found if made.choice == "UV"}


def placed(values, quantity, matrix):
    """Values transformed by a matrix, as their quantity requires."""
    if quantity == "position":
        return moved(values, matrix)
    if quantity not in SPATIAL or is_identity(matrix):
        return values
    return values @ matrix[:3, :3].T


def rest_mesh(here, bound, port):
    ob = bound.object or here.ob
    mesh = mesh_of(ob)
    if not mesh.polygons:
        raise Problem(f'"{ob.name}" has no faces')
    layer = rest_uv_layer(mesh, bound.name, uv_outputs(here) if ob == here.ob else set())
    sizes = np.empty(len(mesh.polygons), np.int32)
    mesh.polygons.foreach_get("loop_total", sizes)
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corners)
    uvs, space = floats(layer.uv, "vector", 2) if layer else None, here.space(ob, port)
    if np.linalg.det(space[:3, :3]) < 0 and not has_corners(here.kind):
        # Blender turns the normals of what a negative scale mirrors; a mesh in the world has them from the order of its corners.
        order = reversed_faces(sizes)
        corners, uvs = corners[order], uvs[order] if layer else None
    return Mesh(moved(positions(mesh), space), sizes, corners, uvs)


def has_corners(kind):
    """Whether a node takes or gives numbers of corners, which must stay in Blender's order."""
    return any(port.domain == "corner" for port in (*kind.inputs, *kind.outputs))


def reversed_faces(sizes):
    """The order of corners in which each face is run through the other way round."""
    ends = np.cumsum(sizes)
    return np.repeat(ends + ends - sizes - 1, sizes) - np.arange(sizes.sum())


def body(here, bound):
    ob = bound.object or here.ob
    mesh_of(ob)
    if ob == here.ob and here.shape is not None:
        return here.shape
    return moved(capture.deformed(ob, ob.evaluated_get(here.depsgraph), here.depsgraph.mode == "RENDER"), here.world(ob))


def rest_points(here, bound, port):
    """The vertices at rest; if the object has shape keys, they are not read."""
    ob = bound.object or here.ob
    if ob == here.ob and ob.type == "MESH" and ob.data.shape_keys is not None:
        here.remarks.append(f'{port.title}: the shape keys of "{ob.name}" are not read: choose Shape Keys instead of Mesh in Inputs')
    return rest_mesh(here, bound, port).positions


def mixed_keys(here, port):
    """The vertices as the shape keys mix them in the frame, without modifiers."""
    mesh = mesh_of(here.ob)
    keys = mesh.shape_keys
    if keys is None:
        return moved(positions(mesh), here.space(here.ob, port))
    if not keys.use_relative:
        raise Problem(f'the shape keys of "{here.ob.name}" are absolute: turn Relative on, or choose Mesh for {port.title}')
    found = floats(keys.reference_key.data, "co", 3)
    for block, now in zip(keys.key_blocks, keys.evaluated_get(here.depsgraph).key_blocks):
        if block != keys.reference_key and now.value != 0 and not now.mute:
            group = here.ob.vertex_groups.get(block.vertex_group)
            part = weights_by_vertex(mesh, [group.index]) if group else 1
            found += now.value * part * (floats(block.data, "co", 3) - floats(block.relative_key.data, "co", 3))
    return moved(found, here.space(here.ob, port))


def attribute(here, bound, port):
    mesh = mesh_of(here.ob)
    found = mesh.attributes.get(bound.name)
    if found is None:
        if bound.name in here.ob.vertex_groups:
            raise Problem(f'"{bound.name}" is a vertex group of "{here.ob.name}": choose Vertex Group for {port.title or port.id}')
        raise Problem(f'"{mesh.name}" has no attribute "{bound.name}": make it, or choose another one for {port.id}')
    domain = {"vertex": "POINT", "face": "FACE", "corner": "CORNER"}[port.domain]
    if found.domain != domain:
        raise Problem(f'the attribute "{bound.name}" is on the domain {found.domain.title()}, but {port.id} needs {domain.title()}')
    fields = {**dict.fromkeys(("FLOAT", "INT", "INT8", "BOOLEAN"), ("value", 1)), "FLOAT2": ("vector", 2), "FLOAT_VECTOR": ("vector", 3)}
    field, components = fields.get(found.data_type, (None, 0))
    if components != port.components:
        needed = counted(port.components, "number")
        raise Problem(f'the attribute "{bound.name}" has the type {found.data_type.title()}, but {port.id} needs one with {needed} each')
    values = floats(found.data, field, components) if found.data_type != "BOOLEAN" else booleans(found.data)
    return placed(values, port.quantity, here.space(here.ob, port))


def booleans(data):
    values = np.empty(len(data), bool)
    data.foreach_get("value", values)
    return values.astype(np.float32).reshape(-1, 1)


def weights_by_vertex(mesh, indices):
    """The weights of vertex groups: one row per vertex, one column per index of a group. Geometry Nodes on a temporary object would
    read them sooner still; but frames are also read in the thread of a render, where objects must not come and go."""
    found = np.zeros((len(mesh.vertices), len(indices)), np.float32)
    read = bmesh.new()
    try:
        read.from_mesh(mesh, face_normals=False, vertex_normals=False)
        layer = read.verts.layers.deform.active
        if layer is None:
            return found
        if len(indices) == 1:
            found[:, 0] = np.fromiter((vertex[layer].get(indices[0], 0.0) for vertex in read.verts), np.float32, len(found))
            return found
        given = [vertex[layer].items() for vertex in read.verts]
    finally:
        read.free()
    rows = np.repeat(np.arange(len(given)), np.fromiter(map(len, given), np.int64, len(given)))
    flat = np.array(list(itertools.chain.from_iterable(given)), np.float64).reshape(-1, 2)
    columns = np.full(1 + max([int(flat[:, 0].max(initial=0)), *indices]), -1)
    columns[list(indices)] = np.arange(len(indices))
    columns = columns[flat[:, 0].astype(np.int64)]
    kept = columns >= 0
    found[rows[kept], columns[kept]] = flat[kept, 1]
    return found


def vertex_group(here, bound, port):
    group = here.ob.vertex_groups.get(bound.name)
    if group is None:
        raise Problem(f'"{here.ob.name}" has no vertex group "{bound.name}": make it, or choose another one for {port.id}')
    return weights_by_vertex(mesh_of(here.ob), [group.index])


def chosen_armature(ob, bound=None):
    """The armature that a binding names, or that of the object's first Armature modifier; None without one."""
    found = (bound and bound.object) or next((m.object for m in ob.modifiers if m.type == "ARMATURE" and m.object), None)
    return found if found is not None and found.type == "ARMATURE" else None


def armature_of(here, bound):
    found = chosen_armature(here.ob, bound)
    if found is None:
        raise Problem(f'choose the armature that moves "{here.ob.name}"')
    return found


def bones(here, bound, port):
    """The bones in their rest position: one matrix each."""
    ob = armature_of(here, bound)
    world = here.space(ob, port)
    return np.array([(world @ np.array(bone.matrix_local)).ravel() for bone in ob.data.bones])


def pose(here, bound):
    ob = armature_of(here, bound)
    if ob.data.is_editmode:
        raise Problem(f'"{ob.name}" is in edit mode, in which bones have no pose: leave it')
    world, posed = here.world(ob), ob.evaluated_get(here.depsgraph).pose.bones
    return np.array([(world @ np.array(posed[bone.name].matrix)).ravel() for bone in ob.data.bones])


def bones_read(ob, kind, settings):
    """What a node has read of armatures at rest: a hash for each, by their identity."""
    choices = [(port, source(settings, port)) for port in kind.inputs]
    found = [chosen_armature(ob, getattr(settings, f"in_{port.id}")) for port, chosen in choices if chosen in ("BONES", "WEIGHTS")]
    return {armature.data.session_uid: rest_mark(armature.data) for armature in found if armature is not None}


def rest_mark(armature):
    places = itertools.chain.from_iterable
    return timeline.mark(*((bone.name, bone.use_deform, bone.bbone_segments, *places(bone.matrix_local)) for bone in armature.bones))


def reads_bones(kind, settings):
    """Whether a node skins its object with the weights of bones, in place of the Armature modifier. The object is then a joint after the
    bones. It carries what that modifier leaves in place: vertices without weights would otherwise stay where the mesh is at rest, which
    need not be where the object is."""
    return any(source(settings, port) == "WEIGHTS" for port in kind.inputs)


def with_itself(here, matrices, world):
    return np.concatenate([matrices.reshape(-1, 16), world.reshape(1, 16)]) if reads_bones(here.kind, here.settings) else matrices


def joint_names(here):
    """The names of the bones that feed the joints of a node, and that of the object; empty if no armature does."""
    for port in here.kind.inputs:
        if source(here.settings, port) in ("BONES", "POSE"):
            bound = getattr(here.settings, f"in_{port.id}")
            names = [bone.name for bone in armature_of(here, bound).data.bones]
            return joined(names + [name_besides(names, here.ob.name)] if reads_bones(here.kind, here.settings) else names)
    return ""


def name_besides(names, wanted):
    """A name that none of the others is."""
    while wanted in names:
        wanted += "_"
    return wanted


def weights_of_bones(here, armature):
    """The joints that have vertex groups, and the weights in these: a row for each vertex, a column for each joint. The last one is the
    object itself."""
    bones, groups = armature.data.bones, here.ob.vertex_groups
    there = [joint for joint, bone in enumerate(bones) if bone.use_deform and bone.name in groups]
    found = weights_by_vertex(mesh_of(here.ob), [groups[bones[joint].name].index for joint in there])
    sums, part = found.sum(axis=1), deformed_part(here, armature)
    idle = np.flatnonzero(sums == 0)
    if len(idle):
        here.remarks.append(f"vertices without weights of bones move with the object alone: {len(idle)}, the first is vertex {idle[0]}")
    passed = ", ".join(f'"{m.name}"' for m in in_front(here.ob, armature))
    if passed:
        here.remarks.append(f"modifiers in front of the Armature modifier have no effect: {passed}; apply them, or move them behind it")
    bendy = ", ".join(f'"{bones[joint].name}"' for joint in there if bones[joint].bbone_segments > 1)
    if bendy:
        here.remarks.append(f"bendy bones carry the body as straight ones: {bendy}")
    own = np.where(sums > 0, 1 - part, 1).astype(np.float32)
    partly = np.flatnonzero((part < 1) & (sums > 0))
    found[partly] *= (part[partly] / sums[partly])[:, None]
    return [*there, len(bones)], np.column_stack([found, own])


def modifier_of(ob, armature):
    """The place of an armature's modifier in the stack of an object; None without one."""
    return next((k for k, m in enumerate(ob.modifiers) if m.type == "ARMATURE" and m.object == armature), None)


def in_front(ob, armature):
    """The modifiers in front of an armature's that move or change the vertices."""
    acting = capture.DEFORMS | capture.CHANGES_VERTICES
    return [m for m in ob.modifiers[: modifier_of(ob, armature) or 0] if m.type in acting and m.show_viewport and not capture.is_ours(m)]


def deformed_part(here, armature):
    """How much of the bones' motion the Armature modifier gives each vertex, by its vertex group."""
    place = modifier_of(here.ob, armature)
    modifier = here.ob.modifiers[place] if place is not None else None
    group = here.ob.vertex_groups.get(modifier.vertex_group) if modifier is not None else None
    if group is None:
        return np.ones(len(here.ob.data.vertices), np.float32)
    found = weights_by_vertex(mesh_of(here.ob), [group.index])[:, 0]
    return 1 - found if modifier.invert_vertex_group else found


def packed(port, counts, there, found):
    """The nonzero weights by vertex, as the port asks: how many each vertex has, their columns, or their values."""
    vertices, columns = np.nonzero(found)
    if counts:
        return np.bincount(vertices, minlength=len(found)).astype(np.uint32).reshape(-1, 1)
    if port.quantity == "index":
        return np.array(there, np.uint32)[columns].reshape(-1, 1)
    return found[vertices, columns].reshape(-1, 1)


def bone_weights(here, bound, port):
    """The influences of the bones on each vertex: their counts, their joints, or their weights, as the port says."""
    return packed(port, port.domain == "vertex", *here.once(weights_of_bones, armature_of(here, bound)))


def objects(here, bound, port):
    if bound.collection is None:
        raise Problem(f"choose a collection for {port.id}")
    matrices = [here.world(ob) for ob in sorted(bound.collection.all_objects, key=lambda ob: ob.name)]
    if port.components == 16:
        return np.array([matrix.ravel() for matrix in matrices]).reshape(-1, 16)
    return np.array([matrix[:3, 3] for matrix in matrices]).reshape(-1, 3)


def points(here, bound, port):
    if bound.object is None:
        raise Problem(f"choose an object for {port.id}")
    ob = bound.object
    if ob.type == "MESH":
        found = positions(mesh_of(ob))
    elif ob.type == "CURVES":
        found = np.array([curve[0] for curve in hair.by_curve(ob.data, hair.at_rest(ob.data, here.world(ob)))], np.float32).reshape(-1, 3)
    else:
        found = np.concatenate([np.zeros((0, 3), np.float32), *curve_lines.stored(ob)])
    if len(found) == 0:
        raise Problem(f'"{ob.name}" has no points for {port.id}')
    return moved(found, here.space(ob, port))


def curve_directions(here, bound, port):
    """For each vertex within reach of a curve the direction of the nearest part of it; zero elsewhere."""
    if bound.object is None:
        raise Problem(f"choose a curve object for {port.id}")
    mesh, to_body = mesh_of(here.ob), here.on_body(bound.object)
    vertices = positions(mesh)
    tree = mathutils.kdtree.KDTree(len(vertices))
    for index, place in enumerate(vertices):
        tree.insert(place, index)
    tree.balance()
    nearest, found = np.full(len(vertices), np.inf), np.zeros((len(vertices), 3), np.float32)
    curves = curve_lines.drawn(bound.object, here.depsgraph)
    for curve in curves:
        curve = moved(curve, to_body)
        for start, end in zip(curve[:-1], curve[1:]):
            follow(tree, start, end, bound.reach, nearest, found)
    if curves and np.isinf(nearest).all():
        here.remarks.append(
            f'{port.title}: no vertex is within the reach of "{bound.object.name}" where the motion begins: put the curve on the body there, '
            "or parent it to the body"
        )
    return placed(found, port.quantity, here.space(here.ob, port))


def follow(tree, start, end, reach, nearest, found):
    """Lets the vertices near a piece of a curve take its direction; pieces are looked at in steps of half the reach."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length == 0:
        return
    steps = max(2, int(np.ceil(2 * length / max(reach, 1e-9))) + 1)
    for t in np.linspace(0, 1, min(steps, 1000)):
        for _, index, distance in tree.find_range(start + t * along, reach):
            if distance < nearest[index]:
                nearest[index], found[index] = distance, along / length


def custom_property(here, bound, port):
    ob = bound.object or here.ob
    if bound.name not in ob:
        raise Problem(f'"{ob.name}" has no custom property "{bound.name}": make it, or choose another one for {port.id}')
    values = np.atleast_1d(np.array(ob.evaluated_get(here.depsgraph)[bound.name]))
    if values.dtype.kind not in "biuf":
        raise Problem(f'the custom property "{bound.name}" of "{ob.name}" is not made of numbers, which {port.id} needs')
    if values.size % port.components:
        raise Problem(f'"{bound.name}" of "{ob.name}" has {values.size} numbers, but {port.id} needs {port.components} for each item')
    return values.astype(np.float64).reshape(-1, port.components)


def table(lines, port, where):
    """Numbers, a line for each item; separated by commas or spaces; # starts a comment."""
    rows = []
    for number, line in enumerate(lines, 1):
        cells = line.partition("#")[0].replace(",", " ").split()
        if not cells:
            continue
        try:
            rows.append([float(cell) for cell in cells])
        except ValueError as error:
            raise Problem(f"{where}, line {number}: {error}") from error
        if len(cells) != port.components:
            raise Problem(f"{where}, line {number}: {len(cells)} numbers where {port.id} needs {port.components}")
    return np.array(rows, np.float64).reshape(-1, port.components)


def text(here, bound, port):
    if bound.text is None:
        raise Problem(f"choose a text datablock for {port.id}")
    return table([line.body for line in bound.text.lines], port, f'text "{bound.text.name}"')


def file(here, bound, port):
    path = bpy.path.abspath(bound.path)
    try:
        with open(path, encoding="utf-8") as opened:
            return table(opened.read().splitlines(), port, path)
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{port.id}: {path} cannot be read: {error}") from error


READERS = {
    "REST": lambda here, bound, port: (rest_mesh if port.kind == "mesh" else rest_points)(here, bound, port),
    "KEYS": lambda here, bound, port: mixed_keys(here, port),
    "BODY": lambda here, bound, port: body(here, bound),
    "GROUP": vertex_group,
    "ATTRIBUTE": attribute,
    "CURVES": curve_directions,
    "WEIGHTS": bone_weights,
    "POSE": lambda here, bound, port: with_itself(here, pose(here, bound), here.world(here.ob)),
    "BONES": lambda here, bound, port: with_itself(here, bones(here, bound, port), here.space(here.ob, port)),
    "OBJECTS": objects,
    "POINTS": points,
    "PROPERTY": custom_property,
    "TEXT": text,
    "FILE": file,
}


def source(settings, port):
    return getattr(settings, f"in_{port.id}").choice


def moves(port, chosen):
    """Whether a source's values for a port change from frame to frame."""
    return chosen in MOVING or (chosen in CARRIED and port.quantity in SPATIAL and not port.at_rest)


def gather(here, moving):
    """The inputs that move, or those that do not: port id -> array, Mesh or None. What is not set is None."""
    found = {}
    for port in here.kind.inputs:
        chosen = source(here.settings, port)
        if moves(port, chosen) == moving:
            bound = getattr(here.settings, f"in_{port.id}")
            given = None if chosen == "NONE" else READERS[chosen](here, bound, port)
            found[port.id] = as_kind(given, port)
    return found


def as_kind(given, port):
    """Converts to integers if the port needs them."""
    if given is None or port.kind != "ints":
        return given
    found = np.asarray(given)
    fit = (found >= 0) & (found < 2**32) & (found == np.floor(found))
    if not fit.all():
        raise Problem(f"{port.title or port.id} has {found[~fit][0]:g}, but needs whole numbers, from 0 on")
    return np.ascontiguousarray(found, np.uint32)
