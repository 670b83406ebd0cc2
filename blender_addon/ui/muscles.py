"""The panel of muscles: the list, what makes them, their shapes, their weights."""

import bpy

from ..bridge import host, muscles, properties
from ..ops.muscle.target import body_of
from .panels import InSidebar, paragraph


class SINEW_UL_muscles(bpy.types.UIList):
    """The muscles of a body."""

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_property):
        layout.label(text=item.name, icon="FORCE_HARMONIC")


class SINEW_PT_muscles(InSidebar, bpy.types.Panel):
    """The muscles of a body: made, shown, sculpted and painted"""

    bl_label, bl_parent_id, bl_order = "Muscles", "SINEW_PT_main", 0

    def draw(self, context):
        layout, ob = self.layout, body_of(context)
        if host.problem():
            paragraph(layout, context, host.problem(), "ERROR")
            return
        if ob is None:
            layout.operator("sinew.muscles_skin", icon="ADD")
            layout.operator_menu_enum("sinew.muscles_copy", "source", icon="COPYDOWN")
            return
        item = muscles.node_of(ob)
        layout.label(text=ob.name, icon="OUTLINER_OB_MESH")
        row = layout.row()
        row.template_list("SINEW_UL_muscles", "", ob.sinew_muscles, "names", ob.sinew_muscles, "active", rows=5)
        buttons = row.column(align=True)
        buttons.operator("sinew.muscle_create", text="", icon="ADD")
        buttons.operator("sinew.muscle_remove", text="", icon="REMOVE")
        buttons.operator("sinew.muscle_frame", text="", icon="VIEWZOOM")
        self.draw_making(layout)
        self.draw_shapes(layout, ob)
        self.draw_weights(layout, item)
        if not properties.settings(item).param_muscles.lstrip().startswith("<") and properties.settings(item).param_muscles:
            paragraph(layout, context, "The muscles come from a file; the first change copies them into this .blend file", "INFO")

    def draw_making(self, layout):
        column = layout.column(align=True)
        column.operator("sinew.muscle_create", icon="BONE_DATA")
        column.operator_menu_enum("sinew.muscles_mirror", "axis", icon="MOD_MIRROR")
        column.operator("sinew.muscles_human", icon="ARMATURE_DATA")
        column.operator_menu_enum("sinew.muscles_copy", "source", icon="COPYDOWN")
        layout.operator_menu_enum("sinew.muscles_physique", "preset", icon="MOD_THICKNESS")
        layout.operator("sinew.muscles_range", icon="CON_ROTLIMIT")

    def draw_shapes(self, layout, ob):
        column = layout.column(align=True)
        column.operator("sinew.muscles_show", icon="HIDE_OFF" if muscles.shown(ob, "live") else "HIDE_ON")
        column.operator_menu_enum("sinew.muscles_sculpt", "which", icon="SCULPTMODE_HLT")
        column.operator("sinew.muscles_take", icon="IMPORT")

    def draw_weights(self, layout, item):
        column = layout.column(align=True)
        column.operator("sinew.muscle_weights", icon="GROUP_VERTEX")
        if muscles.is_painted(item):
            column.operator("sinew.muscle_paint", icon="WPAINT_HLT")
            column.operator("sinew.muscle_weights_automatic", icon="LOOP_BACK")


CLASSES = (SINEW_UL_muscles, SINEW_PT_muscles)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
