"""Animated values as keys of a scene: exactly where Blender interpolates as scenes do, otherwise sampled at every
frame."""

import contextlib
import math

import bpy

from ...core import single


def fcurves(thing):
    """The animation curves of an object."""
    data = thing.animation_data
    if data is None or data.action is None:
        return []
    if hasattr(data.action, "fcurves"):
        return list(data.action.fcurves)
    # Blender 4.2 has no slots.
    from bpy_extras.anim_utils import action_get_channelbag_for_slot  # noqa: PLC0415

    bag = action_get_channelbag_for_slot(data.action, data.action_slot)
    return list(bag.fcurves) if bag else []


def curve(thing, path, index=0):
    """The animation curve of a property, or None; a muted one moves nothing."""
    return next((c for c in fcurves(thing) if c.data_path == path and c.array_index == index and not c.mute), None)


def driven(thing, path):
    """Whether a driver, or a strip of the non-linear animation, sets a property."""
    data = thing.animation_data
    if data is None:
        return False
    return any(d.data_path == path for d in data.drivers) or any(t.strips for t in data.nla_tracks if not t.mute)


TRANSFORMS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def moves_itself(thing):
    """Whether keys, drivers or strips set an object's own transform."""
    return any(c.data_path in TRANSFORMS for c in fcurves(thing)) or any(driven(thing, path) for path in TRANSFORMS)


def movers(thing):
    """An object and those that carry it, as far as keys, drivers, strips or constraints set where they are modelled."""
    # Parts are modelled where their own transforms put them, other objects where their constraints do.
    led = not thing.sinew_tendon.tag and bool(thing.constraints)
    above = movers(thing.parent) if thing.parent is not None else []
    return [thing, *above] if moves_itself(thing) or led else above


def is_moved(thing):
    """Whether something sets where an object is modelled, or where something that carries it is."""
    return bool(movers(thing))


def is_computed(thing):
    """Whether Blender computes an object: not what is off in the view layer, unless something needs it that is on."""
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated


def is_away(scene, parts):
    """Whether parts may be elsewhere in the scene's first frame, where simulations begin."""
    return (scene.frame_current != scene.frame_start or scene.frame_subframe != 0) and any(map(is_moved, parts))


@contextlib.contextmanager
def at_start(scene, parts):
    """Within the block, parts are where the scene's first frame has them: what is modelled is what is there."""
    if not is_away(scene, parts):
        yield
        return
    with Frames(scene) as frames:
        frames.go(scene.frame_start)
        yield


def is_plain(found):
    """Whether a curve is what scenes know: linear between keys, constant before and after."""
    keys = found.keyframe_points
    linear = all(k.interpolation == "LINEAR" for k in keys[: len(keys) - 1])
    return linear and found.extrapolation == "CONSTANT" and not found.modifiers and len(keys) > 0


def track(thing, path, size, frames, scene):
    """The keys of a property of `size` numbers, [(seconds, values)] from the first frame on; a single key if it does
    not change."""
    (first, last), rate, shown = frames, fps(scene), pace(scene)
    found = [curve(thing, path, k) for k in range(size)]
    values = _values(thing, path, size)
    if not any(found):
        return [(0.0, values)]
    there, (low, high) = [c for c in found if c], limits(thing, path)

    def at(key):
        return tuple(min(max(c.evaluate(key), low), high) if c else v for c, v in zip(found, values))

    if all(map(is_plain, there)) and len({tuple(k.co.x for k in c.keyframe_points) for c in there}) == 1:
        times = [k.co.x for k in there[0].keyframe_points]
        later = [t for t in times if t > first * shown]
        return [(0.0, at(first * shown))] + [((t / shown - first) / rate, at(t)) for t in later]
    return simplified([((f - first) / rate, at(f * shown)) for f in range(first, last + 1)])


def limits(thing, path):
    """The limits of a property, at which Blender keeps what its curve gives."""
    owner, _, name = path.rpartition(".")
    known = (thing.path_resolve(owner) if owner else thing).bl_rna.properties.get(name)
    return (
        (known.hard_min, known.hard_max)
        if known is not None and known.type in ("FLOAT", "INT")
        else (-math.inf, math.inf)
    )


def _values(thing, path, size):
    value = thing.path_resolve(path)
    return (value,) if size == 1 else tuple(value)


def simplified(keys):
    """Samples without those inside a stretch where nothing changes."""
    kept = [
        key
        for k, key in enumerate(keys)
        if k == 0 or key[1] != keys[k - 1][1] or (k + 1 < len(keys) and key[1] != keys[k + 1][1])
    ]
    return kept


def set_keys(thing, path, keys, size=1):
    """Animates a property with linear keys, [(frame, values)]."""
    group, _, name = path.rpartition(".")
    owner = thing.path_resolve(group) if group else thing
    for frame, values in keys:
        setattr(owner, name, values[0] if size == 1 else values)
        thing.keyframe_insert(path, frame=frame)
    for k in range(size):
        for key in curve(thing, path, k).keyframe_points:
            key.interpolation = "LINEAR"


class Frames:
    """Goes to frames of a scene and comes back in a `with` block."""

    def __init__(self, scene):
        self.scene = scene

    def __enter__(self):
        self.before = self.scene.frame_current, self.scene.frame_subframe
        return self

    def __exit__(self, *_):
        self.scene.frame_set(self.before[0], subframe=self.before[1])

    def go(self, frame):
        """Sets the frame and gives what was evaluated."""
        self.scene.frame_set(frame)
        return bpy.context.evaluated_depsgraph_get()


def metres(scene):
    """How long a unit of a scene is: 0.01 for centimetres, not what single precision makes of it."""
    return single.decimal(scene.unit_settings.scale_length)


def fps(scene):
    """Frames per second of a scene."""
    return scene.render.fps / scene.render.fps_base


def pace(scene):
    """How many frames of keys pass in a frame of a scene: by its Time Remapping, what is keyed at `pace * frame` is
    shown in `frame`."""
    return scene.render.frame_map_old / scene.render.frame_map_new
