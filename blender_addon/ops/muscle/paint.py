"""Weights of muscles as vertex groups: made from distances, then painted."""

import bpy
import numpy as np

from ...bridge import arrays, muscles, properties, runtime
from ...bridge.problem import Problem
from .target import OnMuscles, on_set, rig_of

PORTS = ("muscle_influence_counts", "muscle_influences", "muscle_weights")
# Weights below this are not written: they would not show, and every one costs time when it is read.
LEAST = 1e-4


class Groups:
    """The vertex groups of muscles, and what was in them before."""

    def __init__(self, ob, names):
        self.ob, self.names, groups = ob, names, ob.vertex_groups
        there = [name for name in names if name in groups]
        found = (
            arrays.weights_by_vertex(arrays.mesh_of(ob), [groups[name].index for name in there], np.nan)
            if there
            else ()
        )
        self._before = {name: found[:, column].copy() for column, name in enumerate(there)}

    def write(self, weights):
        """A group for each muscle with its column of weights, and no others."""
        for column, name in enumerate(self.names):
            wanted = np.where(weights[:, column] >= LEAST, weights[:, column], np.nan)
            self.put(name, self._before.get(name), wanted)

    def put(self, name, now, wanted):
        """What is not in the group is NaN, or None for a group that is new."""
        group, inside = self.ob.vertex_groups.get(name) or self.ob.vertex_groups.new(name=name), ~np.isnan(wanted)
        if now is not None:
            group.remove(np.flatnonzero(~np.isnan(now) & ~inside).tolist())
        vertices = np.flatnonzero(inside)
        for vertex, weight in zip(vertices.tolist(), wanted[vertices].tolist()):
            group.add([vertex], weight, "REPLACE")

    def take_back(self):
        for name in [name for name in self.names if name in self.ob.vertex_groups]:
            group = self.ob.vertex_groups[name]
            if name not in self._before:
                self.ob.vertex_groups.remove(group)
                continue
            group.remove(range(len(self._before[name])))
            self.put(name, None, self._before[name])


def use(item, source):
    """Where the weights of a node's muscles come from."""
    with runtime.busy():
        for port in PORTS:
            getattr(properties.settings(item), f"in_{port}").choice = source


def check_names(rig, names):
    """Refuses muscles with names that no vertex group can have, and with those of bones: both would have the same
    vertex group."""
    for name in names:
        muscles.check_name(name)
    both = sorted(set(rig.names) & set(names))
    if both:
        raise Problem(
            f'"{both[0]}" is a muscle and a bone, whose vertex groups would have the same name: rename one of them'
        )


class SINEW_OT_muscle_weights(OnMuscles, bpy.types.Operator):
    """Makes a vertex group for each muscle with its weights by distance, as a starting point for painting; painted
    weights are lost"""

    bl_idname, bl_label = "sinew.muscle_weights", "Make Weights"

    def change_muscles(self, context, ob, item):
        names, settings = muscles.names_of(item), properties.settings(item)
        if not names:
            raise Problem(f'"{ob.name}" has no muscles yet')
        rig = rig_of(ob, item, context)
        check_names(rig, names)
        how = settings.param_nearest, settings.param_reach, settings.param_smooth
        weighing = on_set(item, lambda found: found.weights(rig, *how))
        yield weighing
        weights = weighing.result()
        groups = Groups(ob, names)
        self._before.append(groups)
        groups.write(weights)
        use(item, "MUSCLES")
        muscles.highlight(ob)
        runtime.touched(ob)
        return f"{len(names)} vertex groups, with {np.count_nonzero(weights >= LEAST)} weights"


class SINEW_OT_muscle_paint(OnMuscles, bpy.types.Operator):
    """Starts weight paint for the chosen muscle; choose another one in the list while you paint. Where weights add up
    to more than one, those of the other muscles are reduced"""

    bl_idname, bl_label = "sinew.muscle_paint", "Paint Weights"

    def change_muscles(self, context, ob, item):
        name = muscles.chosen_name(ob)
        if not muscles.is_painted(item) or name not in ob.vertex_groups:
            raise Problem("there are no weights to paint: press Make Weights first")
        context.view_layer.objects.active = ob
        muscles.highlight(ob)
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")


class SINEW_OT_muscle_weights_automatic(OnMuscles, bpy.types.Operator):
    """Computes weights from distances again; the vertex groups are kept"""

    bl_idname, bl_label = "sinew.muscle_weights_automatic", "Weights by Distance"

    def change_muscles(self, _context, ob, item):
        use(item, "NONE")
        runtime.touched(ob)


CLASSES = (SINEW_OT_muscle_weights, SINEW_OT_muscle_paint, SINEW_OT_muscle_weights_automatic)
