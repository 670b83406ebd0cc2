"""Shows what was simulated: bodies and tubes where they are in the scene's frame."""

import zipfile
import zlib

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ...core.strand_run import Result
from .. import exports, listeners, runtime
from . import animation, places, rig_parts, tubes

# Where a rig keeps its result in the file, and what was read of it, by the collection's name.
RESULT = "sinew_tendon_result"
_read = {}
# What was printed of rigs.
_said = set()
# What reading a damaged result raises.
DAMAGED = (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, OSError, TypeError)


def rigs(scene):
    """The rigs in a scene; those that are linked from other files show what they were saved with."""
    return [c for c in scene.collection.children_recursive if c.sinew_tendons.is_rig and c.library is None]


def keep(rig, result, digest):
    """Stores a result in the rig, and so in the file."""
    # Blender cuts bytes at their first zero where they replace others.
    if RESULT in rig:
        del rig[RESULT]
    rig[RESULT] = result.bytes()
    rig.sinew_tendons.digest = digest
    _read[rig.name_full] = (digest, result)


def forget(rig):
    """Removes the result of a rig."""
    if RESULT in rig:
        del rig[RESULT]
    rig.sinew_tendons.digest = ""
    _read.pop(rig.name_full, None)


def result_of(rig):
    """The result of a rig; None where there is none or it cannot be read."""
    digest = rig.sinew_tendons.digest
    if not digest or RESULT not in rig:
        return None
    known = _read.get(rig.name_full)
    if known is None or known[0] != digest:
        known = _read[rig.name_full] = (digest, _stored_result(rig))
    return known[1]


def _stored_result(rig):
    try:
        return Result.of_bytes(bytes(rig[RESULT]))
    except DAMAGED:
        return None


def is_damaged(rig):
    """Whether a rig was simulated, but its result cannot be read."""
    return bool(rig.sinew_tendons.digest) and result_of(rig) is None


def remember(rig, stored):
    """Notes which objects were simulated, by what their simulation calls them: they are shown whatever they are renamed
    to."""
    known = rig.sinew_tendons.simulated
    known.clear()
    for element in stored.root.elements("body", "joint"):
        line = known.add()
        line.name = element.get("name")
        line.part, _ = stored.owner(element)
    for part in rig_parts.parts(rig, rig_parts.OUTSIDE):
        line = known.add()
        line.name, line.part = rig_parts.name_in_scene(part), part


def simulated(rig, *tags):
    """The objects of some kinds that were simulated and are still parts of the rig, by what their simulation calls
    them."""
    found = set(rig_parts.parts(rig, *tags))
    return {line.name: line.part for line in rig.sinew_tendons.simulated if line.part in found}


def moment_shown(rig, scene):
    """The result of a rig and the moment in it that shows the scene's frame, or None for that where the rig is shown as
    modelled."""
    result = result_of(rig)
    shown = result is not None and is_shown(rig)
    return result, result.moment(scene.frame_current, scene.frame_subframe) if shown else None


def outdated(rig, scene):
    """What a rig's simulation lacks of the frames of a scene, or that it has another rate; "" if it has all."""
    result = result_of(rig)
    if result is None:
        return ""
    rate, last = animation.fps(scene), result.first + len(result) - 1
    if abs(result.fps - rate) > 1e-6 * rate:
        return f"it was simulated at {result.fps:g} frames per second, and the scene has {rate:g}: simulate again"
    if scene.frame_start < result.first or scene.frame_end > last:
        return (
            f"only frames {result.first} to {last} are simulated, the others of {scene.frame_start} to "
            f"{scene.frame_end} show it as modelled: "
            "simulate again"
        )
    return ""


def say_outdated(scene):
    """Prints what simulations lack, once."""
    for rig in simulated_rigs(scene):
        text = outdated(rig, scene)
        if text and (rig.name_full, text) not in _said:
            _said.add((rig.name_full, text))
            print(f"Sinew: {rig.name}: {text}")


def is_shown(rig):
    """Whether a rig is set to show its simulation, if it has one."""
    return rig.sinew_tendons.shown == "simulated"


def refresh(rig, scene):
    """Shows a rig as it is set to: as modelled, or as simulated in the scene's frame."""
    if not rig.override_library:
        mark(rig)
    before_frame(rig, scene)
    if scene == bpy.context.scene and any(map(is_carried, placed_bodies(rig))):
        after_frame(rig, scene, bpy.context.evaluated_depsgraph_get())


def mark(rig):
    """Lets exporters see what moves."""
    moved, following = moved_bodies(rig), rig_parts.moved_bones(rig)
    exports.mark_places(rig_parts.parts(rig, "body", rig_parts.OUTSIDE), moved)
    leads = {bone.id_data for bone in following if any(getattr(c, "target", None) in moved for c in bone.constraints)}
    exports.mark_armatures({bone.id_data for bone in following if bone.id_data.library is None}, leads)


def before_frame(rig, scene):
    """Shows a rig before the scene's frame is evaluated; bodies that something carries or animates are exact only after
    it."""
    result, moment = moment_shown(rig, scene)
    _hide_curves(rig, moment is not None)
    if moment is not None:
        show(rig, result, moment)
    else:
        for body in placed_bodies(rig):
            places.clear_delta(body)
        if rig.sinew_tendons.tubes is not None:
            _set(rig.sinew_tendons.tubes, True)


def _set(part, hidden):
    if part.hide_viewport != hidden:
        part.hide_viewport = part.hide_render = hidden


HIDES = ("hide_viewport", "hide_render")


def _hide_curves(rig, hidden):
    """Hides the curves of tendons, or shows again those that this has hidden."""
    for strand in rig_parts.parts(rig, "strand"):
        if not hidden:
            unhide(strand)
            continue
        for k, name in enumerate(HIDES):
            if not getattr(strand, name):
                strand.sinew_tendon.hid[k] = True
                setattr(strand, name, True)


def unhide(part):
    """Shows a part again where showing a simulation has hidden it."""
    for k, name in enumerate(HIDES):
        if part.sinew_tendon.hid[k]:
            part.sinew_tendon.hid[k] = False
            setattr(part, name, False)


def after_frame(rig, scene, depsgraph):
    """Places the bodies that something carries or animates, whose parents and keys are now those of the scene's frame;
    whether there are any."""
    result, moment = moment_shown(rig, scene)
    if moment is None:
        return False
    matrices = [(body, matrix) for body, matrix in body_matrices(rig, result, moment) if is_carried(body)]
    move_all(matrices, lambda thing: thing.evaluated_get(depsgraph))
    return bool(matrices)


def is_carried(body):
    """Whether where a body is depends on a parent, or on keys and drivers of its own."""
    return body.parent is not None or body.animation_data is not None


def placed_bodies(rig):
    """The bodies whose places are the simulation's: those that are free, and joints of an animation's file."""
    return [body for body in rig_parts.parts(rig, "body", rig_parts.OUTSIDE) if is_placed(body)]


def is_placed(body):
    """Whether the simulation says where a body is: Blender does not."""
    return body.sinew_tendon.tag == rig_parts.OUTSIDE or body.sinew_tendon.body.mode == "free"


def moved_bodies(rig):
    """The bodies that are shown where a rig's simulation places them."""
    found = simulated(rig, "body", rig_parts.OUTSIDE).values() if is_shown(rig) and result_of(rig) is not None else ()
    return set(filter(is_placed, found))


def body_matrices(rig, result, moment):
    """The bodies of a rig that its simulation places and where a moment of the result has them in Blender's world,
    parents first."""
    found = simulated(rig, "body", rig_parts.OUTSIDE)
    named = [(k, found[name]) for k, name in enumerate(result.names["bodies"]) if name in found]
    placed = sorted(((k, body) for k, body in named if is_placed(body)), key=lambda pair: places.depth(pair[1]))
    rows = [moment.before, moment.after] if moment.part else [moment.before]
    ends = result.arrays["body_matrices"][rows].reshape(len(rows), -1, 4, 4)
    return [(body, places.between([end[k] for end in ends], moment.part)) for k, body in placed]


def move_all(matrices, evaluated=places.original):
    """Moves bodies, parents first, [(object, matrix)]."""
    worlds = {}
    for body, matrix in matrices:
        places.move(body, matrix, worlds, evaluated)


def show(rig, result, moment):
    """Moves the bodies and the tubes of a rig to a moment of the result."""
    move_all(body_matrices(rig, result, moment))
    arrays, known = result.arrays, rig.sinew_tendons
    points, radii = moment.of(arrays["strand_points"]), arrays["strand_radii"] * known.thickness
    drawn = tubes.geometry(points, arrays["strand_counts"], radii, arrays["strand_cuts"][moment.before])
    if len(drawn) == 0:
        # A rig of bodies without tendons.
        if known.tubes is not None:
            _set(known.tubes, True)
        return
    tube = tubes.ensure(rig, len(drawn))
    _set(tube, False)
    tubes.update(tube, drawn, moment.of(arrays["tensions"]), limit(rig, result))


def limit(rig, result):
    """The tension that is shown red."""
    own = rig.sinew_tendons.tension_limit
    tensions = result.arrays["tensions"]
    return own or float(np.max(tensions, initial=0.0)) or 1.0


def angles(rig, frame):
    """The rotation of each joint in a frame, in degrees by object."""
    result = result_of(rig)
    row = result.index(frame) if result else None
    if row is None:
        return {}
    turns = dict(zip(result.names["joints"], result.arrays["joint_turns"][row].tolist()))
    return {joint: turns[name] for name, joint in simulated(rig, "joint").items() if name in turns}


def simulated_rigs(scene):
    """The rigs in a scene that show a simulation."""
    return [rig for rig in rigs(scene) if rig.sinew_tendons.digest and is_shown(rig)]


@persistent
def frame_begins(scene, _depsgraph=None):
    """Before every frame, in playing and in rendering."""
    if bpy.app.background:
        say_outdated(scene)
    for rig in simulated_rigs(scene):
        before_frame(rig, scene)


@persistent
def frame_evaluated(scene, depsgraph):
    """After every frame, in playing and in rendering, before nodes read the bodies: Blender evaluates again what is
    changed here, and at once where there are nodes."""
    moved = [after_frame(rig, scene, depsgraph) for rig in simulated_rigs(scene)]
    if any(moved) and runtime.users(scene):
        # Where objects or modifiers were added before the frame, Blender crashes when it has to update an
        # object as a whole, unless it evaluates the scene here, too.
        scene.update_tag()
        with runtime.busy():
            depsgraph.update()


@persistent
def render_begins(scene, *_):
    say_outdated(scene)


@persistent
def on_load(*_):
    """What was read belongs to another file."""
    _read.clear()
    _said.clear()


@persistent
def on_undo(*_):
    """After undo and redo rigs show what their properties say now."""
    _read.clear()
    for scene in bpy.data.scenes:
        for rig in rigs(scene):
            refresh(rig, scene)


HANDLERS = (
    ("frame_change_pre", frame_begins),
    ("frame_change_post", frame_evaluated),
    ("render_init", render_begins),
    ("load_post", on_load),
    ("undo_post", on_undo),
    ("redo_post", on_undo),
)


def register():
    # Ahead of the nodes' own handlers, which read the bodies.
    listeners.add(HANDLERS, first=True)


def unregister():
    listeners.remove(HANDLERS)
    _read.clear()
