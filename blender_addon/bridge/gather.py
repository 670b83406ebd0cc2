"""From Blender to arrays: what each source of an input gives."""

import bpy
import numpy as np

from ..sinew.node import Mesh
from . import capture, curve_lines, hair, properties, skeleton
from .arrays import floats, is_identity, mesh_of, moved, positions, weights_by_vertex
from .problem import Problem, counted
from .rest_places import RestPlaces

import mathutils

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
        return (named | {skeleton.chosen_armature(self.ob)}) - {None, self.ob}


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
        # Blender turns the normals of what a negative scale mirrors; a mesh in the world has them from the order of its
        # corners.
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
    return moved(
        capture.deformed(ob, ob.evaluated_get(here.depsgraph), here.depsgraph.mode == "RENDER"), here.world(ob)
    )


def rest_points(here, bound, port):
    """The vertices at rest; if the object has shape keys, they are not read."""
    ob = bound.object or here.ob
    if ob == here.ob and ob.type == "MESH" and ob.data.shape_keys is not None:
        here.remarks.append(
            f'{port.title}: the shape keys of "{ob.name}" are not read: choose Shape Keys instead of Mesh in Inputs'
        )
    return rest_mesh(here, bound, port).positions


def remark_on_acting(here, port):
    """What moves the body before its bones, and counts as moved by them."""
    ob, keys = here.ob, properties.source(here.settings, port) != "NONE"
    if not skeleton.acts(ob):
        return
    if not keys:
        here.remarks.append(
            f'{port.title}: what the shape keys of "{ob.name}" do counts as moved by bones, so that the skin slides '
            "over it: choose Shape Keys in Inputs"
        )
    passed = ", ".join(f'"{m.name}"' for m in skeleton.in_front(ob, skeleton.chosen_armature(ob)))
    if keys and passed:
        here.remarks.append(
            f"{port.title}: what modifiers in front of the Armature modifier do counts as moved by bones: {passed}; "
            "apply them as shape keys, or move them behind it"
        )


def mixed_keys(here, port):
    """The vertices as the shape keys mix them in the frame, without modifiers."""
    mesh = mesh_of(here.ob)
    keys = mesh.shape_keys
    if keys is None:
        return moved(positions(mesh), here.space(here.ob, port))
    if not keys.use_relative:
        raise Problem(
            f'the shape keys of "{here.ob.name}" are absolute: turn Relative on, or choose Mesh for {port.title}'
        )
    if here.ob.show_only_shape_key and here.ob.active_shape_key is not None:
        return moved(floats(here.ob.active_shape_key.data, "co", 3), here.space(here.ob, port))
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
            raise Problem(
                f'"{bound.name}" is a vertex group of "{here.ob.name}": choose Vertex Group for {port.title or port.id}'
            )
        raise Problem(f'"{mesh.name}" has no attribute "{bound.name}": make it, or choose another one for {port.id}')
    domain = {"vertex": "POINT", "face": "FACE", "corner": "CORNER"}[port.domain]
    if found.domain != domain:
        raise Problem(
            f'the attribute "{bound.name}" is on the domain {found.domain.title()}, but {port.id} needs '
            f"{domain.title()}"
        )
    fields = {
        **dict.fromkeys(("FLOAT", "INT", "INT8", "BOOLEAN"), ("value", 1)),
        "FLOAT2": ("vector", 2),
        "FLOAT_VECTOR": ("vector", 3),
    }
    field, components = fields.get(found.data_type, (None, 0))
    if components != port.components:
        needed = counted(port.components, "number")
        raise Problem(
            f'the attribute "{bound.name}" has the type {found.data_type.title()}, but {port.id} needs one with '
            f"{needed} each"
        )
    values = floats(found.data, field, components) if found.data_type != "BOOLEAN" else booleans(found.data)
    return placed(values, port.quantity, here.space(here.ob, port))


def booleans(data):
    values = np.empty(len(data), bool)
    data.foreach_get("value", values)
    return values.astype(np.float32).reshape(-1, 1)


def vertex_group(here, bound, port):
    group = here.ob.vertex_groups.get(bound.name)
    if group is None:
        raise Problem(
            f'"{here.ob.name}" has no vertex group "{bound.name}": make it, or choose another one for {port.id}'
        )
    return weights_by_vertex(mesh_of(here.ob), [group.index])


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
        found = np.array(
            [curve[0] for curve in hair.by_curve(ob.data, hair.at_rest(ob.data, here.world(ob)))], np.float32
        ).reshape(-1, 3)
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
            f'{port.title}: no vertex is within the reach of "{bound.object.name}" where the motion begins: put the '
            f"curve on the body there, "
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
        raise Problem(
            f'"{ob.name}" has no custom property "{bound.name}": make it, or choose another one for {port.id}'
        )
    values = np.atleast_1d(np.array(ob.evaluated_get(here.depsgraph)[bound.name]))
    if values.dtype.kind not in "biuf":
        raise Problem(
            f'the custom property "{bound.name}" of "{ob.name}" is not made of numbers, which {port.id} needs'
        )
    if values.size % port.components:
        raise Problem(
            f'"{bound.name}" of "{ob.name}" has {values.size} numbers, but {port.id} needs {port.components} for each '
            f"item"
        )
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
    "WEIGHTS": skeleton.bone_weights,
    "POSE": lambda here, bound, port: skeleton.posed_joints(here, bound),
    "BONES": skeleton.joints,
    "OBJECTS": objects,
    "POINTS": points,
    "PROPERTY": custom_property,
    "TEXT": text,
    "FILE": file,
}


def moves(port, chosen):
    """Whether a source's values for a port change from frame to frame."""
    return chosen in MOVING or (chosen in CARRIED and port.quantity in SPATIAL and not port.at_rest)


def is_before_bones(port):
    """Whether an input is the body before its bones move it: places of its vertices that a node can do without."""
    return port.domain == "vertex" and port.quantity == "position" and not port.required


def gather(here, moving):
    """The inputs that move, or those that do not: port id -> array, Mesh or None. What is not set is None."""
    found = {}
    for port in here.kind.inputs:
        chosen = properties.source(here.settings, port)
        if not moving and is_before_bones(port):
            remark_on_acting(here, port)
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
