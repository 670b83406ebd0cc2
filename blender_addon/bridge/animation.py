"""What animates the scene, as hashes that tell whether an edit or an undo has changed it."""

import math
from itertools import chain

import bpy
import numpy as np

from ..core import timeline


def curves_of(action):
    """The animation curves of an action, whatever uses it."""
    if hasattr(action, "fcurves"):
        return action.fcurves
    strips = chain.from_iterable(layer.strips for layer in action.layers)
    return chain.from_iterable(bag.fcurves for strip in strips for bag in strip.channelbags)


def own_curves(data):
    """The animation curves that an action has for what it animates here."""
    handle = getattr(data, "action_slot_handle", None)
    if handle is None:
        return data.action.fcurves
    strips = chain.from_iterable(layer.strips for layer in data.action.layers)
    return chain.from_iterable(
        bag.fcurves for strip in strips for bag in strip.channelbags if bag.slot_handle == handle
    )


def all_strips(strips):
    """Strips of the non-linear animation with those inside of meta strips."""
    for strip in strips:
        yield strip
        yield from all_strips(strip.strips)


def is_off_its_keys(owner, time):
    """Whether something that has keys is not where these put it, as when it was posed without any. Strips of the
    non-linear animation are not looked at."""
    data = owner.animation_data
    if data is None or data.action is None or (data.use_nla and data.nla_tracks):
        return False
    for curve in own_curves(data):
        try:
            value = owner.path_resolve(curve.data_path)
        except ValueError:
            # It animates what is not there.
            continue
        if not isinstance(value, (int, float, str)):
            value = value[curve.array_index]
        if (
            isinstance(value, float)
            and not curve.mute
            and not math.isclose(value, curve.evaluate(time), rel_tol=1e-5, abs_tol=1e-5)
        ):
            return True
    return False


def keys_of(curve):
    """Everything that determines the values of a curve."""
    points = curve.keyframe_points
    found = [curve.data_path, curve.array_index, curve.extrapolation, curve.mute, len(curve.modifiers)]
    for name, each in (
        ("co", 2),
        ("handle_left", 2),
        ("handle_right", 2),
        ("amplitude", 1),
        ("back", 1),
        ("period", 1),
    ):
        values = np.empty(each * len(points), np.float32)
        points.foreach_get(name, values)
        found.append(values)
    for name in ("interpolation", "easing"):
        values = np.empty(len(points), np.int32)
        points.foreach_get(name, values)
        found.append(values)
    return found


def plain(thing):
    """The settings of a thing that are numbers, texts and choices."""
    kept = ("BOOLEAN", "INT", "FLOAT", "STRING", "ENUM")
    return [
        repr(getattr(thing, p.identifier))
        for p in thing.bl_rna.properties
        if p.type in kept and not getattr(p, "is_array", False)
    ]


def uses_of(owner):
    """How something is animated: its action, its strips of the non-linear animation, its drivers."""
    data = owner.animation_data
    if data is None:
        return []
    found = [owner.name_full, data.action.name_full if data.action else "", data.use_nla]
    for track in data.nla_tracks:
        found += plain(track)
        for strip in all_strips(track.strips):
            found += [*plain(strip), strip.action.name_full if strip.action else ""]
    for driver in data.drivers:
        found += [driver.data_path, driver.driver.type, driver.driver.expression, *keys_of(driver)]
        found += [
            read for variable in driver.driver.variables for target in variable.targets for read in read_by(target)
        ]
    return found


def read_by(target):
    """What a driver reads, unless it is animated itself: then it is another value in every frame."""
    path, owner = target.data_path, target.id
    if owner is None or not path:
        return [path]
    data = owner.animation_data
    action = data.action if data else None
    if action and any(curve.data_path == path for curve in curves_of(action)):
        return [path]
    try:
        return [path, repr(owner.path_resolve(path))]
    except ValueError:
        return [path]


def led():
    """A hash of all that animates without keys: strips of the non-linear animation, drivers, and what these read."""
    keys = [ob.data.shape_keys for ob in bpy.data.objects if getattr(ob.data, "shape_keys", None)]
    data = [ob.data for ob in bpy.data.objects if getattr(ob.data, "animation_data", None)]
    parts = []
    for owner in [*bpy.data.objects, *data, *keys]:
        parts += uses_of(owner)
    return timeline.mark(*parts)


def keyed(action):
    """A hash of the keys of an action."""
    parts = []
    for curve in curves_of(action):
        parts += keys_of(curve)
        for modifier in curve.modifiers:
            parts += plain(modifier)
    return timeline.mark(*parts)
