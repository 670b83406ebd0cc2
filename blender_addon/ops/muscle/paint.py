"""Weights of muscles as vertex groups: made from distances, then painted."""

import bpy
import numpy as np

from ...bridge import muscles, properties, runtime
from ...bridge.problem import Problem
from .target import OnMuscles, rig_of

PORTS = ("muscle_influence_counts", "muscle_influences", "muscle_weights")
# Weights below this are not written: they would not show, and every one costs time when it is read.
LEAST = 1e-4


def write_group(ob, name, weights):
    """A vertex group with these weights and no others."""
    group = ob.vertex_groups.get(name) or ob.vertex_groups.new(name=name)
    group.remove(np.flatnonzero(weights < LEAST).tolist())
    for vertex in np.flatnonzero(weights >= LEAST).tolist():
        group.add([vertex], float(weights[vertex]), "REPLACE")


def use(item, source):
    """Where the weights of a node's muscles come from."""
    with runtime.busy():
        for port in PORTS:
            getattr(properties.settings(item), f"in_{port}").choice = source


def check_names(rig, names):
    """Refuses muscles with names that no vertex group can have, and with those of bones: both would have the same vertex group."""
    for name in names:
        muscles.check_name(name)
    both = sorted(set(rig.names) & set(names))
    if both:
        raise Problem(f'"{both[0]}" is a muscle and a bone, whose vertex groups would have the same name: rename one of them')


class SINEW_OT_muscle_weights(OnMuscles, bpy.types.Operator):
    """Makes a vertex group for each muscle with its weights by distance, as a starting point for painting; painted weights are
    lost"""

    bl_idname, bl_label = "sinew.muscle_weights", "Make Weights"

    def change(self, context, ob, item):
        settings = properties.settings(item)
        with muscles.set_of(item) as found:
            names = [one["name"] for one in found.report()["muscles"]]
            if not names:
                raise Problem(f'"{ob.name}" has no muscles yet')
            rig = rig_of(ob, item, context)
            check_names(rig, names)
            weights = found.weights(rig, settings.param_nearest, settings.param_reach, settings.param_smooth)
        for column, name in enumerate(names):
            write_group(ob, name, weights[:, column])
        use(item, "MUSCLES")
        muscles.highlight(ob)
        runtime.touched(ob)
        return f"{len(names)} vertex groups, with {np.count_nonzero(weights >= LEAST)} weights"


class SINEW_OT_muscle_paint(OnMuscles, bpy.types.Operator):
    """Starts weight paint for the chosen muscle; choose another one in the list while you paint. Where weights add up to more
    than one, those of the other muscles are reduced"""

    bl_idname, bl_label = "sinew.muscle_paint", "Paint Weights"

    def change(self, context, ob, item):
        name = muscles.chosen_name(ob)
        if not muscles.is_painted(item) or name not in ob.vertex_groups:
            raise Problem("there are no weights to paint: press Make Weights first")
        context.view_layer.objects.active = ob
        muscles.highlight(ob)
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")


class SINEW_OT_muscle_weights_automatic(OnMuscles, bpy.types.Operator):
    """Computes weights from distances again; the vertex groups are kept"""

    bl_idname, bl_label = "sinew.muscle_weights_automatic", "Weights by Distance"

    def change(self, _context, ob, item):
        use(item, "NONE")
        runtime.touched(ob)


CLASSES = (SINEW_OT_muscle_weights, SINEW_OT_muscle_paint, SINEW_OT_muscle_weights_automatic)
