"""The modelled positions of parts, and where the simulation places them.

An object's own transform is where it was modelled; the simulation moves it by its delta transforms, constraints lead
it. So nothing that moves a rig changes what was modelled."""

import numpy as np

from ...core import single
from . import animation

from mathutils import Matrix, Quaternion, Vector


def own(part):
    """An object's own transform below its parent, without delta transforms and constraints."""
    return Matrix.LocRotScale(part.location, _rotation(part), part.scale)


def _rotation(part):
    """The rotation in an object's own transform."""
    if part.rotation_mode == "QUATERNION":
        return part.rotation_quaternion.normalized()
    if part.rotation_mode == "AXIS_ANGLE":
        return Quaternion(part.rotation_axis_angle[1:], part.rotation_axis_angle[0])
    return part.rotation_euler.to_quaternion()


def _set_rotation(part, rotation):
    """Sets the rotation in an object's own transform, in its own mode."""
    if part.rotation_mode == "QUATERNION":
        part.rotation_quaternion = rotation
    elif part.rotation_mode == "AXIS_ANGLE":
        axis, angle = rotation.to_axis_angle()
        part.rotation_axis_angle = (angle, *axis)
    else:
        part.rotation_euler = rotation.to_euler(part.rotation_mode, part.rotation_euler)


def fold_deltas(part, keyed=()):
    """Makes an object's delta transforms part of its own transform: a simulation needs them for itself. Those that are
    keyed and stay so are listed."""
    quaternion = part.rotation_mode == "QUATERNION"
    delta = part.delta_rotation_quaternion.normalized() if quaternion else part.delta_rotation_euler.to_quaternion()
    rotation = Quaternion() if part.rotation_mode == "AXIS_ANGLE" else delta
    still = not any(part.delta_location) and rotation.angle == 0 and tuple(part.delta_scale) == (1, 1, 1)
    paths = {c.data_path for c in animation.fcurves(part) if c.data_path.startswith("delta_")}
    if paths and paths.issubset(keyed) and not animation.moves_itself(part):
        return
    if paths or not still and animation.moves_itself(part):
        raise ValueError(
            f"{part.name} has keys or drivers beside delta transforms, which simulations need: set its Delta Transform "
            f"to 0, and "
            "place it by a parent instead"
        )
    if still:
        return
    part.location += part.delta_location
    _set_rotation(part, rotation @ _rotation(part))
    part.scale = [a * b for a, b in zip(part.scale, part.delta_scale)]
    clear_delta(part)
    part.delta_scale = (1, 1, 1)


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


def between(frames, part):
    """The axes between those of one or two frames, rigid and 4 x 4, `part` of the way from the first to the second."""
    if part == 0:
        return frames[0]
    (place, rotation, _), (later, turned, _) = (Matrix(frame).decompose() for frame in frames)
    return np.array(Matrix.LocRotScale(place.lerp(later, part), rotation.slerp(turned, part), None))


def distortion(matrix):
    """What a matrix does to things besides moving, turning and scaling them: "mirrored", "scaled unevenly", or
    nothing."""
    axes = np.array(matrix.to_3x3())
    squares = axes.T @ axes
    even = np.trace(squares) / 3
    if np.abs(squares - even * np.eye(3)).max() > 2e-4 * even:
        return "scaled unevenly"
    return "mirrored" if matrix.is_negative else ""


def distorted(armature):
    """What to do about an armature whose bones bodies cannot follow, because of its scale or that of its parent; "" if
    they can."""
    how, above = distortion(armature.matrix_world), armature.parent
    if how and above is not None and distortion(above.matrix_world) == how:
        return (
            f'"{armature.name}" is {how} by its parent "{above.name}": give the parent a scale of three equal positive '
            f"numbers, or "
            "clear it (Object > Parent > Clear Parent), before Bodies from Armature"
        )
    words = f'"{armature.name}" is {how}: apply its scale (Object > Apply > Scale) before Bodies from Armature'
    return words if how else ""


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


def resize(part):
    """Draws a strand or circle with its radius."""
    tag = part.sinew_tendon.tag
    if tag == "strand" and part.type == "CURVE":
        part.data.bevel_depth = part.sinew_tendon.strand.radius / thickness(part)
    elif tag == "circle":
        part.empty_display_size = part.sinew_tendon.circle.radius


def thickness(part):
    """How thick Blender draws a curve relative to its bevel depth: by its scale, and the radii of its points."""
    radii = [p.radius for spline in part.data.splines for p in (spline.bezier_points or spline.points)]
    scale = np.mean(np.abs(modelled(part).to_scale()))
    return float(np.mean(radii) * scale) or 1.0 if radii else 1.0


def clear_delta(part):
    """Puts a part back where it was modelled."""
    part.delta_location = (0, 0, 0)
    part.delta_rotation_quaternion = (1, 0, 0, 0)
    part.delta_rotation_euler = (0, 0, 0)


def original(thing):
    """An object as it was evaluated last."""
    return thing


def depth(thing):
    """How many parents an object has above it."""
    return 0 if thing.parent is None else 1 + depth(thing.parent)


def _shift(thing, worlds, evaluated):
    """How an object moves because those in `worlds`, matrices by object, have moved since it was evaluated."""
    while thing is not None and thing not in worlds:
        thing = thing.parent
    return worlds[thing] @ evaluated(thing).matrix_world.inverted_safe() if thing is not None else Matrix()


def _carried(part, worlds, evaluated):
    """What a part's own transform and deltas are relative to, in the world."""
    parent = part.parent
    if parent is None:
        return Matrix()
    if part.parent_type in ("OBJECT", "ARMATURE"):
        now = worlds[parent] if parent in worlds else _shift(parent, worlds, evaluated) @ evaluated(parent).matrix_world
        return now @ part.matrix_parent_inverse
    # A bone or a vertex: Blender has computed where it is.
    now = evaluated(part)
    return _shift(parent, worlds, evaluated) @ now.matrix_world @ now.matrix_basis.inverted_safe()


def move(part, matrix, worlds, evaluated=original):
    """Shows a part at a matrix (rigid, in the world) by its delta transforms, and adds it to `worlds`, the matrices of
    parts that moved before, by object; `evaluated` gives objects as evaluated in the frame that is shown."""
    above, now = _carried(part, worlds, evaluated), evaluated(part)
    place, rotation, _ = (above.inverted_safe() @ Matrix(matrix)).decompose()
    worlds[part] = above @ Matrix.LocRotScale(place, rotation, now.scale)
    _, before, _ = own(now).decompose()
    delta = rotation @ before.inverted()
    _set_changed(part, "delta_location", place - now.location)
    if part.rotation_mode == "QUATERNION":
        _set_changed(part, "delta_rotation_quaternion", delta)
    else:
        _set_changed(part, "delta_rotation_euler", delta.to_euler(part.rotation_mode))


def _set_changed(part, name, value):
    """Sets a property that has another value: setting it makes Blender evaluate the scene again."""
    if tuple(getattr(part, name)) != tuple(value):
        setattr(part, name, value)


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
    return single.frame(matrix[:3, 3], matrix[:3, :3] @ turn)
