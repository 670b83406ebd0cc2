"""Muscles as meshes: to look at while they move, and to sculpt them at rest."""

import bpy
import numpy as np
from bpy.props import EnumProperty

from ...bridge import arrays, muscles, properties, runtime
from ...bridge.problem import Problem
from .target import OnMuscles, rig_of

REST = muscles.SCULPT_REST


def mesh_object(ob, name):
    """A new mesh object in the collections of a body, which knows whose muscles it shows."""
    made = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    for collection in ob.users_collection:
        collection.objects.link(made)
    made.sinew_muscles.body = ob
    return made


def in_scene(ob, scene):
    """Whether the user still has an object: deleting removes it from the scene, but pointers keep it in the file."""
    return ob is not None and ob.name in scene.objects


def remove(made):
    """Deletes a mesh object that shows muscles; None is none."""
    if made is not None:
        mesh = made.data
        bpy.data.objects.remove(made)
        bpy.data.meshes.remove(mesh)


class Live:
    """The mesh that shows the moving muscles of a body, and the one that another takes the place of."""

    def __init__(self, ob, scene):
        self.known, self.old = ob.sinew_muscles, muscles.shown(ob, "live")
        if not in_scene(self.old, scene):
            self.old = remove(self.old)
        self.known.live = None

    def settle(self):
        self.old = remove(self.old)

    def take_back(self):
        made, self.known.live = self.known.live, self.old
        remove(made)


class SINEW_OT_muscles_show(OnMuscles, bpy.types.Operator):
    """Shows the muscles as a mesh that moves with them; press again to remove it"""

    bl_idname, bl_label = "sinew.muscles_show", "Show Muscles"

    def change_muscles(self, context, ob, item):
        known, bound = ob.sinew_muscles, properties.settings(item).out_muscle_points
        self._live = Live(ob, context.scene)
        self._before.append(self._live)
        shown = self._live.old is not None and bound.choice == "POINTS"
        with runtime.busy():
            bound.choice, bound.object = "NONE", None
            if not shown:
                if not known.names:
                    raise Problem(f'"{ob.name}" has no muscles yet')
                known.live = bound.object = mesh_object(ob, f"{ob.name} Muscles")
                bound.choice = "POINTS"
                context.view_layer.update()
                muscles.refresh_live(ob, item)
        runtime.touched(ob)

    def settle(self, context):
        self._live.settle()


class SINEW_OT_muscles_sculpt(OnMuscles, bpy.types.Operator):
    """Makes a mesh of the chosen muscle, or of all, at rest: change its shape with Blender's tools, then press Take
    Shape"""

    bl_idname, bl_label = "sinew.muscles_sculpt", "Sculpt Muscle"
    which: EnumProperty(
        name="Which",
        description="What the mesh shows",
        items=[
            ("CHOSEN", "Chosen", "The muscle that is chosen in the list"),
            ("ALL", "All", "All muscles of the body"),
        ],
    )

    def change_muscles(self, context, ob, item):
        here = muscles.here_of(ob, item, context)
        found = muscles.shape(here)
        chosen = muscles.chosen_name(ob)
        if self.which == "CHOSEN" and chosen not in found.names:
            left_out = f'the muscle "{chosen}" could not be built: the warnings of the node say why'
            raise Problem(left_out if chosen else f'"{ob.name}" has no muscles yet')
        names = found.names if self.which == "ALL" else [chosen]
        made = muscles.shown(ob, "sculpt")
        if not in_scene(made, context.scene):
            made = ob.sinew_muscles.sculpt = mesh_object(ob, f"{ob.name} Sculpted Muscles")
        if made.mode != "OBJECT":
            raise Problem(f'"{made.name}" is being edited: go back to object mode first')
        fill(made, ob, here, found, names)
        for other in context.view_layer.objects:
            other.select_set(other == made)
        context.view_layer.objects.active = made
        muscles.highlight(ob)


def fill(made, ob, here, found, names):
    """The mesh to be sculpted: in the space of the body, to which it is tied."""
    parts = [found.slice_of(name) for name in names]
    pick = np.concatenate([np.arange(part.start, part.stop) for part in parts])
    starts = np.concatenate([[0], np.cumsum([part.stop - part.start for part in parts])])
    number = np.full(len(found.points), -1)
    number[pick] = np.arange(len(pick))
    faces = number[found.faces]
    faces = faces[(faces >= 0).all(axis=1)]
    made.parent, made.matrix_parent_inverse = ob, ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    made.matrix_basis.identity()
    muscles.mesh_of_shape(
        made.data, arrays.moved(found.points[pick], arrays.inverse(here.rest_world)), faces, names, starts
    )
    rest = made.data.attributes.new(REST, "FLOAT_VECTOR", "POINT")
    rest.data.foreach_set("vector", arrays.positions(made.data).ravel())


def sculpted(made, here, found):
    """The points of all muscles with those that were sculpted; what was not touched keeps its bits."""
    mesh = arrays.mesh_of(made)
    names = mesh.get("sinew_muscles", "").split("\n")
    if any(name not in found.names for name in names):
        raise Problem(f'the muscles were changed since "{made.name}" was made: press Sculpt Muscle again')
    parts = [found.slice_of(name) for name in names]
    count = sum(part.stop - part.start for part in parts)
    rest = mesh.attributes.get(REST)
    if len(mesh.vertices) != count or rest is None or rest.domain != "POINT":
        raise Problem(
            f'"{made.name}" has {len(mesh.vertices)} vertices and its muscles {count}: move vertices, but do not add, '
            f"remove or "
            "remesh them (no dynamic topology); press Sculpt Muscle for a new mesh"
        )
    if made.data.shape_keys:
        raise Problem(f'"{made.name}" has shape keys: apply them first (Object > Apply > Shape Key)')
    moved = arrays.moved(arrays.positions(mesh) - arrays.floats(rest.data, "vector", 3), here.rest_world)
    points, start = found.points.copy(), 0
    for part in parts:
        size = part.stop - part.start
        points[part] += moved[start : start + size]
        start += size
    return points


class SINEW_OT_muscles_take(OnMuscles, bpy.types.Operator):
    """Applies the sculpted shape to the muscles"""

    bl_idname, bl_label = "sinew.muscles_take", "Take Shape"

    def change_muscles(self, context, ob, item):
        made = muscles.shown(ob, "sculpt")
        if not in_scene(made, context.scene):
            raise Problem("there is no sculpted mesh: press Sculpt Muscle first")
        here = muscles.here_of(ob, item, context)
        points = sculpted(made, here, muscles.shape(here))
        with muscles.set_of(item) as found:
            moved = found.sculpt(rig_of(ob, item, context), points, here.settings.param_frames)
            muscles.store(ob, item, found.text())
        made.data.attributes[REST].data.foreach_set("vector", arrays.positions(made.data).ravel())
        return f"{moved} vertices of muscles are sculpted"


class SINEW_OT_muscle_frame(OnMuscles, bpy.types.Operator):
    """Shows the chosen muscle in the middle of the view"""

    bl_idname, bl_label = "sinew.muscle_frame", "Frame Muscle"

    def change_muscles(self, context, ob, item):
        here, name = muscles.here_of(ob, item, context), muscles.chosen_name(ob)
        found = muscles.shape(here)
        if name not in found.names:
            raise Problem(f'"{ob.name}" has no muscle to show')
        points, place = found.points[found.slice_of(name)], here.world(ob) @ arrays.inverse(here.rest_world)
        live = muscles.shown(ob, "live")
        if in_scene(live, context.scene):
            points, place = arrays.positions(live.data)[found.slice_of(name)], here.world(live)
        points = arrays.moved(points, place)
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                view = area.spaces.active.region_3d
                view.view_location = (points.min(axis=0) + points.max(axis=0)) / 2
                view.view_distance = 2.5 * float(np.linalg.norm(np.ptp(points, axis=0)))


CLASSES = (SINEW_OT_muscles_show, SINEW_OT_muscles_sculpt, SINEW_OT_muscles_take, SINEW_OT_muscle_frame)
