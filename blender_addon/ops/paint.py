"""Painting maps: weight paint with the right vertex group, and colours for maps and results."""

import bpy
import numpy as np
from bpy.props import EnumProperty, StringProperty

from ..bridge import gather, host, properties, runtime, scatter
from ..bridge.problem import Problem
from .nodes import HasNode, active_node, show_now

COLOURS = "Sinew Colours"
# Blue, cyan, green, yellow, red: from the smallest to the largest value.
RAMP = np.array([(0.05, 0.1, 0.6), (0.0, 0.55, 0.7), (0.1, 0.6, 0.15), (0.95, 0.8, 0.1), (0.8, 0.08, 0.05)], np.float32)


def paintable(kind):
    """The maps that can be painted."""
    return [port for port in kind.inputs if port.paintable and "GROUP" in properties.sources_of(port)]


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
        port = next((port for port in paintable(kind) if port.id == self.port), None)
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


def shown_values(context, name):
    """A value for each vertex: of a painted map ("in hold") or of an output ("out stretch")."""
    ob, item = context.object, active_node(context)
    kind, settings = host.kinds()[item.kind], properties.settings(item)
    arrow, _, port_id = name.partition(" ")
    if arrow == "in":
        port = kind.input(port_id)
        bound = getattr(settings, f"in_{port_id}")
        here = gather.Here(ob, kind, settings, context.evaluated_depsgraph_get())
        if bound.choice == "NONE":
            return np.full(len(ob.data.vertices), port.default or 0, np.float32), port.range
        values = gather.READERS[bound.choice](here, bound, port)
        return values[:, 0], port.range
    known = runtime.known(ob, item, context.scene)
    if known is None or port_id not in known.last:
        raise Problem("the frame is not computed: nothing to show")
    return known.last[port_id][:, 0], None


def colours_of(values, limits):
    """Colours of values; without limits from the smallest to the largest."""
    low, high = limits if limits and limits[1] <= 1 else (float(values.min()), float(values.max()))
    place = np.clip((values - low) / (high - low), 0, 1) * (len(RAMP) - 1) if high > low else np.zeros_like(values)
    steps = np.arange(len(RAMP))
    rgb = np.stack([np.interp(place, steps, RAMP[:, k]) for k in range(3)], axis=1)
    return np.hstack([rgb, np.ones((len(values), 1))]).astype(np.float32)


def show_items(_self, context):
    """What can be shown in colours."""
    item = active_node(context)
    if item is None or item.kind not in host.kinds():
        return []
    kind, settings = host.kinds()[item.kind], properties.settings(item)
    found = [(f"in {port.id}", port.title, port.doc) for port in paintable(kind)]
    for port, bound in scatter.wanted(kind, settings):
        if bound.choice == "ATTRIBUTE" and port.domain == "vertex":
            found.append((f"out {port.id}", port.title, port.doc))
    # Blender keeps no reference to the texts.
    show_items.kept = found
    return found


class SINEW_OT_show_map(HasNode, bpy.types.Operator):
    """Shows a painted map or a result of this frame as colours on the body: blue is the smallest value, red the largest"""

    bl_idname, bl_label, bl_options = "sinew.show_map", "Show in Colours", {"REGISTER", "UNDO"}
    map: EnumProperty(name="Map", description="What is shown", items=show_items)

    def execute(self, context):
        ob = context.object
        try:
            runtime.check_writable(ob)
            values, limits = shown_values(context, self.map)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        layer = ob.data.color_attributes.get(COLOURS) or ob.data.color_attributes.new(COLOURS, "FLOAT_COLOR", "POINT")
        layer.data.foreach_set("color", colours_of(values, limits).ravel())
        ob.data.color_attributes.active_color = layer
        ob.data.update_tag()
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.spaces.active.shading.color_type = "VERTEX"
        return {"FINISHED"}


CLASSES = (SINEW_OT_paint, SINEW_OT_show_map)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
