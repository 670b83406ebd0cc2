"""Charts: borders are Blender's seams, the library finds and lays out the charts between them."""

import colorsys
from contextlib import contextmanager

import bmesh
import bpy
import numpy as np

from ..bridge import arrays, host, properties, runtime, scatter
from ..bridge.problem import Problem
from ..core.library import SinewError
from ..core.node import Mesh, Node

KIND = "charts"
UV_MAP = "Charts"
# The attributes that show the charts: the number of each face's chart, and its colour.
NUMBERS, COLOURS = "Sinew Chart", "Sinew Chart Colours"
# The step between hues, as a fraction of the circle: neighbouring numbers, and any few in a row, get distinct hues.
GOLDEN = 0.618_034


@contextmanager
def in_object_mode(ob):
    """Applies edit-mode changes to the mesh within the block, and restores the mode afterwards."""
    mode = ob.mode
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield ob.data
    finally:
        if mode != "OBJECT":
            bpy.ops.object.mode_set(mode=mode)


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
    return Mesh(arrays.positions(mesh) * scale, numbers(mesh.polygons, "loop_total", np.int32), corners)


def marks_of(mesh):
    """The seams, by corner: the edge from it to the next corner of its face."""
    seams = numbers(mesh.edges, "use_seam", bool)
    return seams[numbers(mesh.loops, "edge_index", np.int32)].astype(np.float32).reshape(-1, 1)


def compute(ob, marks, params):
    """What the node gives for a mesh, whose borders are found if `marks` is None: output -> array, and its report."""
    kind = host.kinds()[KIND]
    with Node(host.library(), kind) as node:
        node.set_input("mesh", mesh_of(ob))
        node.set_input("borders", marks)
        for name, value in params.items():
            node.set_param(name, value)
        node.step(0, 0.0)
        found = {port.id: node.read(port.id) for port in kind.outputs}
        return found, node.report()


def show_face(ob, face):
    """Selects the face that a message is about, and no other."""
    edited = bmesh.from_edit_mesh(ob.data)
    for one in edited.faces:
        one.select_set(False)
    edited.faces.ensure_lookup_table()
    edited.faces[face].select_set(True)
    edited.select_flush_mode()
    bmesh.update_edit_mesh(ob.data, loop_triangles=False, destructive=False)


class OnMesh:
    """For operators on the active object's mesh."""

    @classmethod
    def poll(cls, context):
        if KIND not in host.kinds():
            cls.poll_message_set(host.problem() or "This version of the library does not support charts: install a newer one")
            return False
        if context.object is None or context.object.type != "MESH":
            cls.poll_message_set("Select a mesh")
            return False
        return True

    def execute(self, context):
        ob = context.object
        try:
            with in_object_mode(ob) as mesh:
                runtime.check_writable(ob)
                level, message = self.change(ob, mesh)
                mesh.update()
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        except SinewError as error:
            if error.face is not None and ob.mode == "EDIT":
                show_face(ob, error.face)
            self.report({"ERROR"}, f'"{ob.name}": {error}')
            return {"CANCELLED"}
        self.report({level}, message)
        self.shown(context)
        return {"FINISHED"}

    def shown(self, context):
        """Called after the change, in the previous mode."""


def told(report):
    """The message about charts that were flattened."""
    figures = dict(report["figures"])
    count, stretch = int(figures["charts"]), figures["worst_stretch"]
    text = f'{count} chart{"s" if count > 1 else ""}, largest stretch {stretch:.2f}'
    if report["warnings"]:
        return "WARNING", "; ".join((text, *report["warnings"]))
    return "INFO", text


class SINEW_OT_charts_find(OnMesh, bpy.types.Operator):
    """Finds charts that can be flattened with little stretch, and replaces the mesh's seams with their borders"""

    bl_idname, bl_label, bl_options = "sinew.charts_find", "Find Charts", {"REGISTER", "UNDO"}
    PARAMS = ("count", "max_stretch")

    def change(self, ob, mesh):
        params = {name: getattr(self, name) for name in self.PARAMS}
        found, report = compute(ob, None, params)
        seams = np.zeros(len(mesh.edges), bool)
        seams[numbers(mesh.loops, "edge_index", np.int32)[found["borders"][:, 0] > 0.5]] = True
        mesh.edges.foreach_set("use_seam", seams)
        return told(report)


class SINEW_OT_charts_parameterise(OnMesh, bpy.types.Operator):
    """Flattens the charts between the seams into the UV map "Charts", which you can adjust in the UV editor"""

    bl_idname, bl_label, bl_options = "sinew.charts_parameterise", "Parameterise", {"REGISTER", "UNDO"}
    PARAMS = ("margin",)

    def change(self, ob, mesh):
        found, report = compute(ob, marks_of(mesh), {"margin": self.margin})
        layer = scatter.uv_layer(mesh, UV_MAP)
        if layer.name != UV_MAP:
            mesh.uv_layers.remove(layer)
            raise Problem(f'the name "{UV_MAP}" is taken by an attribute or a vertex group of "{mesh.name}": rename that')
        scatter.fill_uvs(mesh, layer, found["uvs"].ravel())
        mesh.uv_layers.active = layer
        return told(report)


def colours_of(charts):
    """A colour for each number."""
    wheel = [(*colorsys.hsv_to_rgb(k * GOLDEN % 1, 0.75 if k % 2 else 0.5, 0.85), 1) for k in range(int(charts.max()) + 1)]
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
    """Colours the charts between the seams, including those that cannot be flattened yet; the attribute "Sinew Chart" holds
    their numbers"""

    bl_idname, bl_label, bl_options = "sinew.charts_show", "Show Charts", {"REGISTER", "UNDO"}
    PARAMS = ()

    def change(self, ob, mesh):
        found, _ = compute(ob, marks_of(mesh), {"lay_flat": False})
        charts = found["charts"][:, 0].astype(np.int32)
        # Making an attribute can move the others in memory: both are made before either is written.
        for name, kind, domain in ((NUMBERS, "INT", "FACE"), (COLOURS, "FLOAT_COLOR", "CORNER")):
            attribute(mesh, name, kind, domain)
        mesh.attributes[NUMBERS].data.foreach_set("value", charts)
        by_corner = np.repeat(charts, numbers(mesh.polygons, "loop_total", np.int32))
        mesh.attributes[COLOURS].data.foreach_set("color", colours_of(by_corner).ravel())
        mesh.color_attributes.active_color = mesh.color_attributes[COLOURS]
        count = int(charts.max()) + 1
        return "INFO", f'{count} chart{"s" if count > 1 else ""}'

    def shown(self, context):
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.spaces.active.shading.color_type = "VERTEX"


class OnEdges:
    """For operators on the selected edges, in edit mode."""

    @classmethod
    def poll(cls, context):
        if context.mode != "EDIT_MESH":
            cls.poll_message_set("Enter edit mode on a mesh and select edges")
            return False
        return True

    def execute(self, context):
        edited = bmesh.from_edit_mesh(context.object.data)
        chosen = [edge for edge in edited.edges if edge.select]
        if not chosen:
            self.report({"ERROR"}, "No edge is selected: select the edges to change")
            return {"CANCELLED"}
        for edge in chosen:
            edge.seam = self.border
        bmesh.update_edit_mesh(context.object.data, loop_triangles=False, destructive=False)
        self.report({"INFO"}, f'{len(chosen)} edge{"s" if len(chosen) > 1 else ""}')
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
