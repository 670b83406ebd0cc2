"""Charts: borders are Blender's seams, the library finds and lays out the charts between them."""

import colorsys
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np

from ..bridge import arrays, host, properties, runtime, scatter
from ..bridge.problem import Problem, sentence
from ..sinew.loader import Error
from ..sinew.node import Mesh, Node
from .in_thread import InThread

import bmesh

KIND = "charts"
UV_MAP = "Charts"
# The attributes that show the charts: the number of each face's chart, and its colour.
NUMBERS, COLOURS = "Sinew Chart", "Sinew Chart Colours"
# The step between hues, as a fraction of the circle: neighbouring numbers, and any few in a row, get distinct hues.
GOLDEN = 0.618_034


@contextmanager
def in_object_mode(ob):
    """Applies edit-mode changes to the mesh within the block, and restores the mode afterwards."""
    mode, edited = ob.mode, edited_objects()
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield ob.data
    finally:
        if mode == "EDIT":
            edit(edited)
        elif mode != "OBJECT":
            bpy.ops.object.mode_set(mode=mode)


def edited_objects():
    return [one for one in bpy.context.view_layer.objects if one.mode == "EDIT"]


def edit(objects):
    """Edits these objects together, among them the active one, and no others. Blender begins with those that are
    selected."""
    everything = bpy.context.view_layer.objects
    selected = [one.select_get() for one in everything]
    for one in everything:
        one.select_set(one in objects)
    bpy.ops.object.mode_set(mode="EDIT")
    for one, was in zip(everything, selected):
        one.select_set(was)


def numbers(collection, field, kind):
    values = np.empty(len(collection), kind)
    collection.foreach_get(field, values)
    return values


def mesh_of(ob):
    """The mesh as the library takes it, in the size that it has in the scene."""
    mesh = ob.data
    if not mesh.polygons:
        raise Problem(f'"{ob.name}" has no faces')
    scale = np.abs(np.array(ob.matrix_world.to_scale(), np.float32))
    if not scale.all():
        raise Problem(f'"{ob.name}" has a scale of zero: give it another scale')
    corners = numbers(mesh.loops, "vertex_index", np.int32)
    # In edit mode, attributes are empty.
    positions = arrays.floats(mesh.vertices, "co", 3)
    return Mesh(positions * scale, numbers(mesh.polygons, "loop_total", np.int32), corners)


def marks_of(mesh):
    """The seams, by corner: the edge from it to the next corner of its face."""
    seams = numbers(mesh.edges, "use_seam", bool)
    return seams[numbers(mesh.loops, "edge_index", np.int32)].astype(np.float32).reshape(-1, 1)


@dataclass
class Given:
    """What charts are computed from; without marks, their borders are found."""

    mesh: Mesh
    marks: np.ndarray | None
    params: dict

    def is_same_as(self, other):
        mine, others = self.arrays(), other.arrays()
        return self.params == other.params and all(np.array_equal(a, b) for a, b in zip(mine, others))

    def arrays(self):
        mesh = self.mesh
        return mesh.positions, mesh.face_sizes, mesh.corner_vertices, [] if self.marks is None else self.marks

    def compute(self, on_progress):
        """What the node gives: output -> array, and its report."""
        kind = host.kinds()[KIND]
        with Node(kind, on_progress=on_progress, library=host.library()) as node:
            node.set_input("mesh", self.mesh)
            node.set_input("borders", self.marks)
            for name, value in self.params.items():
                node.set_param(name, value)
            node.step(0, 0.0)
            found = {port.id: node.read(port.id) for port in kind.outputs}
            return found, node.report()


def show_face(ob, face):
    """Selects the face that a message is about, and no other; one that is hidden is revealed."""
    edited = bmesh.from_edit_mesh(ob.data)
    for one in edited.faces:
        one.select_set(False)
    edited.faces.ensure_lookup_table()
    edited.faces[face].hide_set(False)
    edited.faces[face].select_set(True)
    edited.select_flush_mode()
    bmesh.update_edit_mesh(ob.data, loop_triangles=False, destructive=False)


class OnMesh(InThread):
    """For operators on the active object's mesh. Subclasses define `PARAMS`, the parameters that the user sets;
    `MARKED`, whether seams are borders; and `change(mesh, found, report)`, which writes and returns a level and a
    message."""

    @classmethod
    def poll(cls, context):
        if KIND not in host.kinds():
            cls.poll_message_set(
                host.problem() or "This version of the library does not support charts: install a newer one"
            )
            return False
        if context.object is None or context.object.type != "MESH":
            cls.poll_message_set("Select a mesh")
            return False
        return True

    def settings(self):
        """The values of the parameters."""
        kind = host.kinds()[KIND]
        return {name: properties.to_library(kind.param(name), getattr(self, name), 1.0) for name in self.PARAMS}

    def read(self, ob):
        ob.update_from_editmode()
        return Given(mesh_of(ob), marks_of(ob.data) if self.MARKED else None, self.settings())

    def begin(self, context):
        self._ob = context.object
        try:
            runtime.check_own(self._ob)
            self._given = self.read(self._ob)
        except Problem as problem:
            self.report({"ERROR"}, sentence(problem))
            return None
        return self._given.compute

    def finish(self, context, result):
        ob = self._ob
        try:
            found, report = result()
            self.check_same(context)
            with in_object_mode(ob) as mesh:
                level, message = self.change(mesh, found, report)
                mesh.update()
        except Problem as problem:
            self.report({"ERROR"}, sentence(problem))
            return {"CANCELLED"}
        except Error as error:
            if error.face is not None and ob.mode == "EDIT":
                show_face(ob, error.face)
            self.report({"ERROR"}, f'"{ob.name}": {error.sentence.removeprefix("port mesh, ")}')
            return {"CANCELLED"}
        self.report({level}, sentence(message))
        self.shown(context)
        return {"FINISHED"}

    def check_same(self, context):
        """Scripts can run while the charts are computed."""
        try:
            same = context.object == self._ob and self.read(self._ob).is_same_as(self._given)
        except ReferenceError:
            same = False
        if not same:
            raise Problem(f"the mesh was changed while its charts were computed: press {self.bl_label} again")

    def shown(self, context):
        """Called after the change, in the previous mode."""


def message_about(report):
    """The message about charts that were flattened."""
    figures = dict(report["figures"])
    count, stretch = int(figures["charts"]), figures["worst_stretch"]
    text = f"{count} chart{'s' if count > 1 else ''}, largest stretch {stretch:.2f}"
    if report["warnings"]:
        return "WARNING", "; ".join((text, *report["warnings"]))
    return "INFO", text


class SINEW_OT_charts_find(OnMesh, bpy.types.Operator):
    """Finds charts that can be flattened with little stretch, and replaces the mesh's seams with their borders"""

    bl_idname, bl_label, bl_options = "sinew.charts_find", "Find Charts", {"REGISTER", "UNDO"}
    PARAMS, MARKED = ("count", "max_stretch"), False

    def change(self, mesh, found, report):
        seams = np.zeros(len(mesh.edges), bool)
        seams[numbers(mesh.loops, "edge_index", np.int32)[found["borders"][:, 0] > 0.5]] = True
        mesh.edges.foreach_set("use_seam", seams)
        return message_about(report)


class SINEW_OT_charts_parameterise(OnMesh, bpy.types.Operator):
    """Flattens the charts between the seams into the UV map "Charts", which you can adjust in the UV editor"""

    bl_idname, bl_label, bl_options = "sinew.charts_parameterise", "Parameterise", {"REGISTER", "UNDO"}
    PARAMS, MARKED = ("margin",), True

    def change(self, mesh, found, report):
        layer = scatter.uv_layer(mesh, UV_MAP)
        if layer.name != UV_MAP:
            mesh.uv_layers.remove(layer)
            raise Problem(
                f'the name "{UV_MAP}" is taken by an attribute or a vertex group of "{mesh.name}": rename that'
            )
        scatter.fill_uvs(mesh, layer, found["uvs"].ravel())
        mesh.uv_layers.active = layer
        return message_about(report)


def colours_of(charts):
    """A colour for each number."""
    wheel = [
        (*colorsys.hsv_to_rgb(k * GOLDEN % 1, 0.75 if k % 2 else 0.5, 0.85), 1) for k in range(int(charts.max()) + 1)
    ]
    return np.array(wheel, np.float32)[charts]


def attribute(mesh, name, data_type, domain):
    """The attribute of that name, made where it is missing."""
    found = mesh.attributes.get(name)
    if found is not None and (found.data_type, found.domain) != (data_type, domain):
        raise Problem(f'"{mesh.name}" has an attribute "{name}" of another type: rename or remove it')
    found = found or mesh.attributes.new(name, data_type, domain)
    if found is None or found.name != name:
        if found is not None:
            mesh.attributes.remove(found)
        raise Problem(f'the name "{name}" is taken by a vertex group or UV map of "{mesh.name}": rename that')
    return found


class SINEW_OT_charts_show(OnMesh, bpy.types.Operator):
    """Colours the charts between the seams, including those that cannot be flattened yet; the attribute "Sinew Chart"
    holds their numbers"""

    bl_idname, bl_label, bl_options = "sinew.charts_show", "Show Charts", {"REGISTER", "UNDO"}
    PARAMS, MARKED = (), True

    def settings(self):
        return {"lay_flat": False}

    def change(self, mesh, found, _report):
        charts = found["charts"][:, 0].astype(np.int32)
        # Making an attribute can move the others in memory: both are made before either is written.
        for name, kind, domain in ((NUMBERS, "INT", "FACE"), (COLOURS, "FLOAT_COLOR", "CORNER")):
            attribute(mesh, name, kind, domain)
        mesh.attributes[NUMBERS].data.foreach_set("value", charts)
        by_corner = np.repeat(charts, numbers(mesh.polygons, "loop_total", np.int32))
        mesh.attributes[COLOURS].data.foreach_set("color", colours_of(by_corner).ravel())
        mesh.color_attributes.active_color = mesh.color_attributes[COLOURS]
        count = int(charts.max()) + 1
        return "INFO", f"{count} chart{'s' if count > 1 else ''}"

    def shown(self, context):
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.spaces.active.shading.color_type = "VERTEX"


class OnEdges:
    """For operators on the selected edges of all meshes that are edited."""

    @classmethod
    def poll(cls, context):
        if context.mode != "EDIT_MESH":
            cls.poll_message_set("Enter edit mode on a mesh and select edges")
            return False
        return True

    def execute(self, context):
        count = 0
        for mesh in {ob.data for ob in edited_objects() if ob.type == "MESH"}:
            chosen = [edge for edge in bmesh.from_edit_mesh(mesh).edges if edge.select]
            for edge in chosen:
                edge.seam = self.border
            if chosen:
                bmesh.update_edit_mesh(mesh, loop_triangles=False, destructive=False)
            count += len(chosen)
        if count == 0:
            self.report({"ERROR"}, "No edge is selected: select the edges to change")
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} edge{'s' if count > 1 else ''}")
        return {"FINISHED"}


class SINEW_OT_charts_mark(OnEdges, bpy.types.Operator):
    """Makes the selected edges borders of charts: seams"""

    bl_idname, bl_label, bl_options = "sinew.charts_mark", "Mark Border", {"REGISTER", "UNDO"}
    border = True


class SINEW_OT_charts_clear(OnEdges, bpy.types.Operator):
    """Clears the chart borders on the selected edges: the charts on both sides become one"""

    bl_idname, bl_label, bl_options = "sinew.charts_clear", "Clear Border", {"REGISTER", "UNDO"}
    border = False


OF_NODE = (SINEW_OT_charts_find, SINEW_OT_charts_parameterise, SINEW_OT_charts_show)
CLASSES = (*OF_NODE, SINEW_OT_charts_mark, SINEW_OT_charts_clear)


register_classes, unregister = bpy.utils.register_classes_factory(CLASSES)


def register():
    kind = host.kinds().get(KIND)
    for one in OF_NODE:
        one.__annotations__ = {name: properties.prop_of(kind.param(name), None) for name in one.PARAMS} if kind else {}
    register_classes()
