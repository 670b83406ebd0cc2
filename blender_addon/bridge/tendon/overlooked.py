"""What Blender shows and the simulation does not read: warnings for the checker."""

import numpy as np

from ...core import single
from . import animation, following, places, rig_parts, shapes, show

# The gravity of new scenes of Blender, and of rigs that do not set it, in m/s^2.
GRAVITY = (0.0, 0.0, -9.81)


def find(rig, scene):
    """[(error, message, object, node)]"""
    found = [(text, None) for text in of_scene(rig, scene)]
    found += [(text, armature) for armature in rig_parts.armatures(rig) if (text := places.distorted(armature))]
    found += [(text, part) for tag, look in LOOKS.items() for part in rig_parts.parts(rig, tag) for text in look(part)]
    reported = {part for _, part in found}
    found += [(text, part) for text, part in of_places(rig, scene) if part not in reported]
    # Of two constraints that are wrong in the same way, one line is enough.
    return [(False, text, part, -1) for text, part in dict.fromkeys(found)]


def of_scene(rig, scene):
    known, own = rig.sinew_tendons, GRAVITY
    if known.use_settings and known.settings.use_gravity:
        own = tuple(known.settings.gravity)
    cure = "rigs have their own, with Custom Settings: set Gravity there"
    if not scene.use_gravity and np.any(own):
        yield f"Gravity is off in the properties of the scene, but not in the rig: {cure} to 0 0 0"
    elif scene.use_gravity and not _alike(scene.gravity, GRAVITY) and not _alike(scene.gravity, own):
        theirs, ours = (" ".join(map(single.short, values)) for values in (scene.gravity, own))
        yield f"Gravity is {theirs} in the properties of the scene, but {ours} in the rig: {cure}"


def _alike(one, other):
    """Whether two gravities differ by no more than rounding to 9.8 does."""
    return np.allclose(one, other, rtol=0, atol=0.02)


def of_body(part):
    body, bound = part.sinew_tendon.body, any(not constraint.mute for constraint in part.constraints)
    if body.mode == "held" and (bound or animation.is_moved(part)):
        yield f"{part.name} is held, but keys, drivers, constraints or a parent move it: make it led, or remove them"
    elif body.mode == "free" and bound:
        yield f"{part.name} is free, but its constraints place it: make it led, or remove them"
    if body.mode == "led":
        yield from of_leaders(part)
    if part.type == "MESH" and body.use_cuboid and not body.use_shape:
        yield from of_cuboid(part)
    if part.type == "MESH" and body.use_shape:
        shown = ", ".join(f'"{m.name}"' for m in part.modifiers if m.show_viewport)
        if shown:
            yield (
                f"{part.name}: the modifiers {shown} are not part of the shape that gives the mass: apply or remove "
                f"them"
            )
        if part.data.shape_keys is not None:
            yield f"{part.name}: shape keys are not part of the shape that gives the mass: apply or remove them"


def of_cuboid(part):
    """Where a cuboid is drawn otherwise than it is simulated."""
    drawn, middle = shapes.drawn_cuboid(part.data)
    if drawn is None:
        return
    simulated = np.array(part.sinew_tendon.body.cuboid.size)
    if is_scaled(part):
        yield (
            f"{part.name}: it is drawn scaled, but simulated with the Size of its cuboid: change that, and clear the "
            f"scale (Alt S)"
        )
    elif np.abs(middle).max() > 1e-4 * np.abs(drawn).max():
        yield (
            f"{part.name}: its cuboid is simulated around its origin, but drawn away from it: undo what moved its mesh "
            f"(Ctrl Z), such as"
            " Apply, Set Origin or Edit Mode"
        )
    elif not np.allclose(drawn, simulated, rtol=1e-4):
        ours, theirs = (" ".join(map(single.short, values)) for values in (drawn, simulated))
        yield f"{part.name}: its mesh is a cuboid of {ours}, but it is simulated with its Size, {theirs}: set the Size"


def of_leaders(part):
    """What no longer leads a body, or cannot."""
    cure = "let something else lead it, or make it held"
    moved = animation.is_moved(part) or any(len(curve.keyframe_points) > 1 for curve in animation.fcurves(part))
    if part.sinew_tendon.lost and not (moved or part.constraints or part.parent):
        yield f"{part.name} is led, but nothing moves it, because {part.sinew_tendon.lost}: {cure}"
    for constraint in part.constraints:
        target, bone = getattr(constraint, "target", part), getattr(constraint, "subtarget", "")
        if constraint.mute:
            continue
        if following.is_deleted(target):
            yield f'{part.name} is led by something that was deleted, with its constraint "{constraint.name}": {cure}'
        elif bone and target.type == "ARMATURE" and bone not in target.data.bones:
            yield (
                f'{part.name} is led by the bone "{bone}", which "{target.name}" does not have: choose another, or '
                f"make it held"
            )


def of_places(rig, scene):
    """Which parts are simulated elsewhere than Blender shows them as modelled, [(message, object)]."""
    # While a simulation is shown, what hangs on its bodies is where it has them.
    if show.moment_shown(rig, scene)[1] is not None:
        return []
    found = [part for part in rig_parts.parts(rig, *PLACED) if animation.is_computed(part) and is_misplaced(part)]
    if found and scene.frame_current != scene.frame_start:
        # Simulations begin there.
        with animation.Frames(scene) as frames:
            frames.go(scene.frame_start)
            found = list(filter(is_misplaced, found))
    why = "constraints and delta transforms of it or its parents do not count, and bones do where they rest"
    cure = "apply them (Object > Apply), or clear its parent (Alt P)"
    return [(f"{part.name}: Blender shows it elsewhere than it is simulated: {why}: {cure}", part) for part in found]


def is_misplaced(part):
    """Whether a part is not modelled where Blender shows it; led bodies are simulated where it does."""
    if part.sinew_tendon.tag == "body" and part.sinew_tendon.body.mode == "led":
        return False
    ours, theirs = places.modelled(part), part.matrix_world
    body = part.parent
    while body is not None and body.sinew_tendon.tag != "body":
        body = body.parent
    if body is not None:
        # What a body carries goes with it wherever it is led.
        theirs = places.modelled(body) @ body.matrix_world.inverted_safe() @ theirs
    ours, theirs = np.array(ours), np.array(theirs)
    off, size = np.abs(ours - theirs), np.abs(theirs)
    return off[:3, 3].max() > 1e-4 * size[:3].max() or off[:3, :3].max() > 1e-3 * size[:3, :3].max()


def of_strand(part):
    if part.type == "CURVE" and any(spline.use_cyclic_u for spline in part.data.splines):
        yield (
            f"{part.name}: the curve is closed, but a tendon ends at its last node: turn Cyclic off (in edit mode, Alt "
            f"C)"
        )
    if part.modifiers:
        yield f"{part.name}: modifiers of a tendon's curve have no effect: remove them"
    if part.type == "CURVE" and part.data.shape_keys is not None:
        yield f"{part.name}: shape keys of a tendon's curve have no effect: remove them"
    if part.type == "CURVE" and any(spline.type == "NURBS" and spline.order_u > 2 for spline in part.data.splines):
        yield (
            f"{part.name}: a NURBS curve passes its points by, but a tendon runs through them: make it Poly (in edit "
            f"mode, Curve > Set"
            " Spline Type)"
        )


def is_scaled(part):
    return any(abs(abs(size) - 1) > 1e-4 for size in part.matrix_world.to_scale())


def of_circle(part):
    if is_scaled(part):
        yield (
            f"{part.name}: it is drawn scaled, but simulated with its Radius: change that, and clear the scale (Alt S)"
        )


# What is reported if it is simulated elsewhere than Blender shows it.
PLACED = ("body", "joint", "strand", "plane", "line", "circle", "point")
LOOKS = {"body": of_body, "strand": of_strand, "circle": of_circle}
