"""Tendons as tubes coloured by tension: one mesh for each rig, its points and colours set anew in every frame."""

import math

import bpy
import numpy as np

from .. import arrays, exports

from mathutils import Matrix

SIDES = 12
COLOUR, TENSION = "tension_colour", "tension"
# From slack to the limit: grey blue, blue, green, yellow, red; equally readable on light and dark backgrounds.
STOPS = np.array(
    [
        [0.30, 0.36, 0.46],
        [0.10, 0.36, 0.75],
        [0.10, 0.62, 0.45],
        [0.95, 0.78, 0.15],
        [0.90, 0.22, 0.08],
        [0.62, 0.02, 0.05],
    ]
)
PLACES_OF_STOPS = np.array([0.0, 0.03, 0.25, 0.5, 0.8, 1.0])


def colours(tensions, limit):
    """RGBA for tensions between 0 and a limit, linear as Blender wants them."""
    part = np.clip(np.asarray(tensions) / max(limit, 1e-9), 0, 1)
    display = np.stack([np.interp(part, PLACES_OF_STOPS, STOPS[:, k]) for k in range(3)], axis=-1)
    linear = np.where(display <= 0.04045, display / 12.92, ((display + 0.055) / 1.055) ** 2.4)
    return np.concatenate([linear, np.ones((*part.shape, 1))], axis=-1)


def unit(vectors):
    """Vectors of length 1; those without a direction stay 0."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def directions(points, starts):
    """The direction of each node of all strands, and a perpendicular one that does not twist along them; `starts` are
    the numbers of the strands' first nodes."""
    along = unit(np.diff(points, axis=0))
    tangents = np.concatenate([along, along[-1:]])
    tangents[1:-1] += along[:-1]
    ends = np.append(starts[1:], len(points)) - 1
    tangents[starts], tangents[ends] = along[starts], along[ends - 1]
    tangents = unit(tangents)
    across, begins = [], set(starts.tolist())
    # Few numbers for each node: plain Python is faster here than numpy.
    for k, (x, y, z) in enumerate(tangents.tolist()):
        if k in begins:
            least = min(range(3), key=lambda axis: abs((x, y, z)[axis]))
            a, b, c = (float(axis == least) for axis in range(3))
        dot = a * x + b * y + c * z
        a, b, c = a - dot * x, b - dot * y, c - dot * z
        length = math.sqrt(a * a + b * b + c * c) or 1.0
        a, b, c = a / length, b / length, c / length
        across.append((a, b, c))
    return tangents, np.array(across)


def rings(points, starts, radii):
    """A ring of places around each node, mitred where its strand bends: nodes x SIDES x 3."""
    tangents, across = directions(points, starts)
    other = np.cross(tangents, across)
    turn = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)
    around = np.cos(turn)[:, None] * across[:, None] + np.sin(turn)[:, None] * other[:, None]
    return points[:, None] + radii[:, None, None] * around


def faces_of(segments):
    """The faces of that many separate segments, each of two rings and two caps."""
    side = np.arange(SIDES)
    after = (side + 1) % SIDES
    walls = np.stack([side, after, after + SIDES, side + SIDES], axis=1)
    starts = 2 * SIDES * np.arange(segments)
    quads = (walls[None] + starts[:, None, None]).reshape(-1, 4).tolist()
    caps = [list(range(s, s + SIDES))[::-1] for s in starts] + [list(range(s + SIDES, s + 2 * SIDES)) for s in starts]
    return quads + caps


def geometry(points, counts, radii, cuts):
    """The places of all tubes: segments x 2 x SIDES x 3; a segment that is cut shrinks to a point."""
    counts = counts.astype(int).ravel()
    if not len(counts):
        return np.zeros((0, 2, SIDES, 3))
    starts = np.cumsum(counts) - counts
    ring = rings(points, starts, np.repeat(radii.ravel(), counts))
    first = np.delete(np.arange(len(points)), starts + counts - 1)
    pairs = np.stack([ring[first], ring[first + 1]], axis=1)
    gone = cuts.ravel() != 0
    pairs[gone] = points[first][gone][:, None, None]
    return pairs


def ensure(rig, segments):
    """The mesh object of a rig's tubes, with that many segments."""
    known = rig.sinew_tendons
    if known.tubes is None or not known.tubes.users_collection:
        mesh = bpy.data.meshes.new(f"{rig.name} Tubes")
        known.tubes = bpy.data.objects.new(mesh.name, mesh)
        # The collection of a library override takes no new objects.
        holder = bpy.context.scene.collection if rig.override_library else rig
        holder.objects.link(known.tubes)
    tubes = known.tubes
    if tubes.data.library:
        # A library override gets a mesh of its own: that of the other file cannot be written.
        tubes.data = tubes.data.copy()
    tubes.matrix_world = Matrix()
    exports.mark_points(tubes)
    if len(tubes.data.vertices) != 2 * SIDES * segments:
        mesh = tubes.data
        mesh.clear_geometry()
        mesh.from_pydata([(0, 0, 0)] * (2 * SIDES * segments), [], faces_of(segments))
        smooth = [True] * (SIDES * segments) + [False] * (2 * segments)
        mesh.polygons.foreach_set("use_smooth", smooth)
        mesh.color_attributes.new(COLOUR, "FLOAT_COLOR", "POINT")
        mesh.attributes.new(TENSION, "FLOAT", "POINT")
        mesh.color_attributes.active_color = mesh.color_attributes[COLOUR]
        if not mesh.materials:
            mesh.materials.append(material())
    return tubes


def material():
    """The material that shows the colours in renders."""
    name = "Tendon Tension"
    found = bpy.data.materials.get(name)
    if found is not None:
        return found
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = next(n for n in nodes if n.type == "BSDF_PRINCIPLED")
    shader.inputs["Roughness"].default_value = 0.35
    colour = nodes.new("ShaderNodeAttribute")
    colour.attribute_name, colour.location = COLOUR, (-300, 200)
    links.new(colour.outputs["Color"], shader.inputs["Base Color"])
    return made


def update(tubes, places, tensions, limit):
    """Sets the points and colours of a frame."""
    mesh = tubes.data
    arrays.set_positions(mesh, places.reshape(-1, 3))
    each = np.repeat(tensions.ravel(), 2 * SIDES)
    mesh.attributes[TENSION].data.foreach_set("value", each.astype(np.float32))
    mesh.attributes[COLOUR].data.foreach_set("color", colours(each, limit).astype(np.float32).ravel())
    mesh.update()
