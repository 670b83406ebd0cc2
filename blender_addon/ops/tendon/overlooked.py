"""What a rig's parts have that the simulation does not read: warnings for the checker."""

from . import props


def find(rig):
    """[(error, message, object, node)]"""
    return [(False, text, part, -1) for tag, look in LOOKS.items() for part in props.parts(rig, tag) for text in look(part)]


def of_body(part):
    body = part.sinew_tendon.body
    if part.type == "MESH" and body.use_shape:
        shown = ", ".join(f'"{m.name}"' for m in part.modifiers if m.show_viewport)
        if shown:
            yield f"{part.name}: the modifiers {shown} are not part of the shape that gives the mass: apply or remove them"
        if part.data.shape_keys is not None:
            yield f"{part.name}: shape keys are not part of the shape that gives the mass: apply or remove them"


def of_strand(part):
    if part.type == "CURVE" and any(spline.use_cyclic_u for spline in part.data.splines):
        yield f"{part.name}: the curve is closed, but a tendon ends at its last node: turn Cyclic off (in edit mode, Alt C)"
    if part.modifiers:
        yield f"{part.name}: modifiers of a tendon's curve have no effect: remove them"


def of_circle(part):
    if any(abs(abs(size) - 1) > 1e-4 for size in part.matrix_world.to_scale()):
        yield f"{part.name}: it is drawn scaled, but simulated with its Radius: change that, and clear the scale (Alt S)"


LOOKS = {"body": of_body, "strand": of_strand, "circle": of_circle}
