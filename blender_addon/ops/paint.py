"""Painting maps: weight paint with the right vertex group, and colours for maps and results."""

import bpy
from bpy.props import EnumProperty, StringProperty

from ..bridge import colours, gather, host, properties, runtime
from ..bridge.problem import Problem
from .nodes import HasNode, active_node, show_now


class SINEW_OT_paint(HasNode, bpy.types.Operator):
    """Starts weight paint on the vertex group of this map, creating it if needed"""

    bl_idname, bl_label, bl_options = "sinew.paint", "Paint", {"REGISTER", "UNDO"}
    port: StringProperty(name="Map", description="The input that is painted")

    @classmethod
    def description(cls, context, given):
        item = active_node(context)
        ports = host.kinds()[item.kind].inputs if item and item.kind in host.kinds() else ()
        return next((f"Paint: {port.doc}" for port in ports if port.id == given.port), cls.__doc__)

    def execute(self, context):
        ob, item = context.object, active_node(context)
        kind, settings = host.kinds()[item.kind], properties.settings(item)
        port = next((port for port in colours.paintable(kind) if port.id == self.port), None)
        if port is None:
            self.report({"ERROR"}, f'"{item.name}" has no map "{self.port}" to paint')
            return {"CANCELLED"}
        try:
            runtime.check_writable(ob)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        group = self.group(ob, getattr(settings, f"in_{port.id}"), port)
        ob.vertex_groups.active_index = group.index
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
        show_now(context)
        return {"FINISHED"}

    @staticmethod
    def group(ob, bound, port):
        """The vertex group to which the map is bound; a new one holds what the unset map has everywhere."""
        found = ob.vertex_groups.get(bound.name) if bound.choice == "GROUP" else None
        if found is None:
            found = ob.vertex_groups.new(name=f"Sinew {port.title}")
            if port.default:
                found.add(range(len(ob.data.vertices)), min(1.0, port.default), "REPLACE")
            bound.name, bound.choice = found.name, "GROUP"
        return found


def show_items(_self, context):
    """What can be shown in colours."""
    item = active_node(context)
    if item is None or item.kind not in host.kinds():
        return []
    found = [(key, port.title, port.doc) for key, port in colours.choices(host.kinds()[item.kind], properties.settings(item))]
    found.append(("none", "None", "Remove the colours from the body"))
    # Blender keeps no reference to the texts.
    show_items.kept = found
    return found


class SINEW_OT_show_map(HasNode, bpy.types.Operator):
    """Colours the body by a painted map or a result, in every frame: blue is the smallest value, red the largest"""

    bl_idname, bl_label, bl_options = "sinew.show_map", "Show in Colours", {"REGISTER", "UNDO"}
    map: EnumProperty(name="Map", description="What is shown", items=show_items)

    def execute(self, context):
        ob, item = context.object, active_node(context)
        try:
            runtime.check_writable(ob)
            for other in ob.sinew.nodes:
                other.coloured = ""
            if self.map == "none":
                colours.hide(ob)
                self.shade(context, "MATERIAL")
                return {"FINISHED"}
            self.show(context, ob, item)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.shade(context, "VERTEX")
        return {"FINISHED"}

    def show(self, context, ob, item):
        known = runtime.known(ob, item, context.scene)
        here = gather.Here(ob, host.kinds()[item.kind], properties.settings(item), context.evaluated_depsgraph_get())
        colours.show(here, self.map, known.shown_outputs() if known else {})
        item.coloured = self.map

    @staticmethod
    def shade(context, by):
        """Sets the source of colour in views with solid shading."""
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.spaces.active.shading.color_type = by


CLASSES = (SINEW_OT_paint, SINEW_OT_show_map)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
