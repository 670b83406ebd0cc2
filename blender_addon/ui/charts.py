"""Charts in the Sinew tab: borders, colours, UVs."""

import bpy

from ..bridge import host
from ..ops.charts import KIND
from .panels import InSidebar, buttons


class SINEW_PT_charts(InSidebar, bpy.types.Panel):
    """Cuts the active mesh into charts along its seams and flattens them"""

    bl_idname, bl_label, bl_options = "SINEW_PT_charts", "Charts", {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return KIND in host.kinds() and context.object is not None and context.object.type == "MESH"

    def draw(self, _context):
        layout = self.layout
        layout.operator("sinew.charts_find", icon="VIEWZOOM")
        row = buttons(layout)
        row.operator("sinew.charts_mark", icon="EDGESEL")
        row.operator("sinew.charts_clear", icon="X")
        layout.operator("sinew.charts_show", icon="COLOR")
        layout.operator("sinew.charts_parameterise", icon="UV")


register, unregister = bpy.utils.register_classes_factory((SINEW_PT_charts,))
