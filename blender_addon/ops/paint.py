"""Painting maps: weight paint with the right vertex group, and colours for maps and results."""

import bpy
import numpy as np
from bpy.props import EnumProperty, StringProperty

from ..bridge import colours, gather, host, properties, runtime
from ..bridge.problem import Problem, sentence
from .in_thread import show_now
from .nodes import HasKnownNode, active_node


class SINEW_OT_paint(HasKnownNode, bpy.types.Operator):
    """Starts weight paint on the vertex group of this map; where there is none yet, one is made that holds what the map
    has now"""

    bl_idname, bl_label, bl_options = "sinew.paint", "Paint", {"REGISTER", "UNDO"}
    port: StringProperty(name="Map", description="The input that is painted", options={"HIDDEN"})

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
            group = self.group(gather.Here(ob, kind, settings, context.evaluated_depsgraph_get()), port)
        except Problem as problem:
            self.report({"ERROR"}, sentence(problem))
            return {"CANCELLED"}
        ob.vertex_groups.active_index = group.index
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
        show_now(context)
        return {"FINISHED"}

    @classmethod
    def group(cls, here, port):
        """The vertex group to which the map is bound, or was before it was unset; a new one holds what the map has
        now."""
        groups, bound = here.ob.vertex_groups, getattr(here.settings, f"in_{port.id}")
        found = groups.get(bound.name) if bound.choice in ("GROUP", "NONE") else None
        if found is None:
            values = cls.values(here, bound, port)
            found = groups.new(name=f"Sinew {port.title}")
            order = np.argsort(values)
            for same in np.split(order, np.flatnonzero(np.diff(values[order])) + 1):
                if values[same[:1]].any():
                    found.add(same.tolist(), float(values[same[0]]), "REPLACE")
        bound.name, bound.choice = found.name, "GROUP"
        return found

    @staticmethod
    def values(here, bound, port):
        """What the map has at each vertex; refused where weights cannot hold it."""
        if bound.choice != "ATTRIBUTE":
            return np.full(len(here.ob.data.vertices), min(1.0, port.default or 0.0))
        values = gather.attribute(here, bound, port)[:, 0]
        if not (values.min(initial=0) >= 0 and values.max(initial=0) <= 1):
            raise Problem(
                f'the attribute "{bound.name}" has values that are not between 0 and 1, as weights are: it cannot be '
                f"painted; "
                f"set {port.title} to Not Set to begin with an empty map"
            )
        return values


def show_items(_self, context):
    """What can be shown in colours."""
    item = active_node(context)
    if item is None or item.kind not in host.kinds():
        return []
    found = [
        (key, port.title, port.doc) for key, port in colours.choices(host.kinds()[item.kind], properties.settings(item))
    ]
    found.append(("none", "None", "Remove the colours from the body"))
    # Blender keeps no reference to the texts.
    show_items.kept = found
    return found


class SINEW_OT_show_map(HasKnownNode, bpy.types.Operator):
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
            self.report({"ERROR"}, sentence(problem))
            return {"CANCELLED"}
        self.shade(context, "VERTEX")
        return {"FINISHED"}

    def show(self, context, ob, item):
        known = runtime.known(ob, item, context.scene)
        here = gather.Here(ob, host.kinds()[item.kind], properties.settings(item), context.evaluated_depsgraph_get())
        colours.show(here, self.map, known.shown_outputs() if known else {})
        # Others may have been chosen since, such as those of charts.
        ob.data.color_attributes.active_color = colours.layer(ob)
        item.coloured = self.map

    @staticmethod
    def shade(context, by):
        """Sets the source of colour in views with solid shading."""
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.spaces.active.shading.color_type = by


CLASSES = (SINEW_OT_paint, SINEW_OT_show_map)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
