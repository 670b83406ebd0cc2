"""The modelled positions of parts, and where the simulation places them.

An object's own transform is where it was modelled; the simulation moves it by its delta transforms, constraints lead it.
So nothing that moves a rig changes what was modelled."""

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core import strand_scene


def own(part):
    """An object's own transform below its parent, without delta transforms and constraints."""
    if part.rotation_mode == "QUATERNION":
        rotation = part.rotation_quaternion.normalized()
    elif part.rotation_mode == "AXIS_ANGLE":
        rotation = Quaternion(part.rotation_axis_angle[1:], part.rotation_axis_angle[0])
    else:
        rotation = part.rotation_euler.to_quaternion()
    return Matrix.LocRotScale(part.location, rotation, part.scale)


def _parent(part, of):
    """The world matrix of an object's parent."""
    parent = part.parent
    if parent is None:
        return Matrix()
    above = of(parent)
    if part.parent_type == "BONE" and part.parent_bone in getattr(parent.data, "bones", ()):
        bone = parent.data.bones[part.parent_bone]
        above = above @ bone.matrix_local @ Matrix.Translation((0, bone.length, 0))
    return above @ part.matrix_parent_inverse


def modelled(part):
    """The matrix of a part in the world as modelled; of other objects, where they are."""
    if not part.sinew_tendon.tag and part.type != "ARMATURE" and part.parent is None:
        return part.matrix_world.copy()
    return _parent(part, modelled) @ own(part)


def rigid(matrix):
    """The axes of a matrix without its scale, as numpy."""
    place, rotation, _ = matrix.decompose()
    return np.array(Matrix.LocRotScale(place, rotation, None))


def frame(part):
    """The axes of a part as modelled, 4 x 4 without scale."""
    return rigid(modelled(part))


def set_modelled(part, matrix):
    """Puts a part somewhere as modelled; its scale stays, and so does its parent."""
    below = _parent(part, modelled).inverted_safe() @ Matrix(matrix)
    place, rotation, _ = below.decompose()
    part.location = place
    if part.rotation_mode == "QUATERNION":
        part.rotation_quaternion = rotation
    else:
        part.rotation_mode = "QUATERNION"
        part.rotation_quaternion = rotation


def attach(part, parent):
    """Parents a part without moving it: it then rides on what carries it."""
    before = modelled(part)
    part.parent, part.parent_type = parent, "OBJECT"
    part.matrix_parent_inverse = modelled(parent).inverted_safe() if parent else Matrix()
    below = _parent(part, modelled).inverted_safe() @ before
    part.location, rotation, part.scale = below.decompose()
    if part.rotation_mode == "QUATERNION":
        part.rotation_quaternion = rotation
    else:
        part.rotation_euler = rotation.to_euler(part.rotation_mode)


def follow(part):
    """Parents a plane, line, circle or joint to the body that carries it."""
    tag = part.sinew_tendon.tag
    if tag not in ("plane", "line", "circle", "point", "joint"):
        return
    group = getattr(part.sinew_tendon, tag)
    carrier = group.parent if tag == "joint" else group.on
    if carrier != part.parent and carrier != part:
        attach(part, carrier)


def resize(part, scale):
    """Draws a strand or circle with its radius, which is in the rig's unit: `scale` of Blender's."""
    tag = part.sinew_tendon.tag
    if tag == "strand" and part.type == "CURVE":
        part.data.bevel_depth = part.sinew_tendon.strand.radius * scale
    elif tag == "circle":
        part.empty_display_size = part.sinew_tendon.circle.radius * scale


def clear_delta(part):
    """Puts a part back where it was modelled."""
    part.delta_location = (0, 0, 0)
    part.delta_rotation_quaternion = (1, 0, 0, 0)
    part.delta_rotation_euler = (0, 0, 0)


def move(part, matrix, worlds):
    """Shows a part at a matrix (rigid, in the world) by its delta transforms; `worlds` are the matrices of parts that moved
    before, by object."""
    def world(above):
        return worlds[above] if above in worlds else above.matrix_world

    place, rotation, _ = (_parent(part, world).inverted_safe() @ Matrix(matrix)).decompose()
    part.delta_location = place - part.location
    _, before, _ = own(part).decompose()
    delta = rotation @ before.inverted()
    if part.rotation_mode == "QUATERNION":
        part.delta_rotation_quaternion = delta
    else:
        part.delta_rotation_euler = delta.to_euler(part.rotation_mode)
    worlds[part] = _parent(part, world) @ Matrix.LocRotScale(place, rotation, part.scale)


# The axes of empties: an arrow points along z, a circle lies in x and z, where the scene's lies in x and y.
CIRCLE = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def line_ends(part):
    """The ends of a line: an arrow from its origin along z."""
    matrix = modelled(part)
    return [np.array(matrix @ Vector((0, 0, z))) for z in (0.0, part.empty_display_size)]


# The sizes that Blender allows empties; other lines have a scale.
EMPTY_SIZES = (1e-4, 1e3)


def set_line(part, start, end):
    """Lays an arrow between two places."""
    along = Vector(end) - Vector(start)
    length = max(along.length, 1e-9)
    part.empty_display_size = min(max(length, EMPTY_SIZES[0]), EMPTY_SIZES[1])
    part.scale = [length / part.empty_display_size] * 3
    rotation = Vector((0, 0, 1)).rotation_difference(along) if along.length else Quaternion()
    set_modelled(part, Matrix.LocRotScale(Vector(start), rotation, None))


def circle_frame(matrix, back=False):
    """The scene's axes of a circle from those of its empty, or back."""
    turn = CIRCLE if back else CIRCLE.T
    return strand_scene.frame(matrix[:3, 3], matrix[:3, :3] @ turn)
