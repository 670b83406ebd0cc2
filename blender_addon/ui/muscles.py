"""The panel of muscles: the list, what makes them, their shapes, their weights."""

import bpy

from ..bridge import bone_roles, host, muscle_numbers, muscles, properties, runtime
from ..bridge.problem import Problem, sentence
from ..ops.muscle.numbers import is_shared
from ..ops.muscle.roles import armature_in
from ..ops.muscle.target import armature_of, body_of
from ..sinew.loader import Error
from .panels import InSidebar, is_narrow, paragraph, titled

# How sure a role is, by its icon.
SURE = {
    "": "REMOVE",
    "chosen": "PINNED",
    "sure": "CHECKMARK",
    "likely": "KEYTYPE_JITTER_VEC",
    "doubtful": "QUESTION",
    "disputed": "ERROR",
}
DOUBTS = ("doubtful", "disputed")
# The heading above the others, which is open at first.
OPEN = "Shape"
FIRST_STEPS = (
    "Select the armature, two bones of it in pose mode, and press Create Muscle; or press Load the Human's Muscles"
)


class SINEW_UL_muscles(bpy.types.UIList):
    """The muscles of a body."""

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_property):
        layout.prop(item, "name", text="", emboss=False, icon="FORCE_HARMONIC")


class SINEW_PT_muscles(InSidebar, bpy.types.Panel):
    """The muscles of a body: made, shown, sculpted and painted"""

    bl_label, bl_parent_id, bl_order = "Muscles", "SINEW_PT_main", 4

    @classmethod
    def poll(cls, context):
        ob = context.object
        return ob is not None and (ob.type == "MESH" or body_of(context) is not None)

    def draw(self, context):
        layout, ob = self.layout, body_of(context)
        if host.problem():
            paragraph(layout, host.problem(), "ERROR")
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
        if not ob.sinew_muscles.names:
            paragraph(layout, FIRST_STEPS, "INFO")
        self.draw_numbers(layout, ob, item)
        self.draw_making(layout, ob)
        if ob.sinew_muscles.names:
            self.draw_shapes(layout, ob)
            self.draw_weights(layout, item)
        if (
            not properties.settings(item).param_muscles.lstrip().startswith("<")
            and properties.settings(item).param_muscles
        ):
            paragraph(
                layout, "The muscles come from a file; the first change copies them into this .blend file", "INFO"
            )

    def draw_numbers(self, layout, ob, item):
        """The numbers of the chosen muscle."""
        known = ob.sinew_muscles
        if not 0 <= known.active < len(known.names):
            return
        try:
            runtime.check_writable(ob)
            muscles.check_kept(ob, item)
        except Problem as problem:
            paragraph(layout, f"The numbers of muscles cannot be changed: {problem}", "LOCKED")
        numbers = muscle_numbers.numbers()
        for heading in sorted({number.heading: None for number in numbers}, key=lambda heading: heading != OPEN):
            head, body = layout.panel(f"sinew_muscle_{heading}", default_closed=heading != OPEN)
            head.label(text=f"{heading} of {known.names[known.active].name}")
            if body is not None:
                body.use_property_split, body.use_property_decorate = not is_narrow(), False
                for number in numbers:
                    if number.heading == heading:
                        self.draw_number(body, ob, item, number)

    def draw_number(self, body, ob, item, number):
        muscle, rig, row = ob.sinew_muscles.names[ob.sinew_muscles.active], armature_of(ob, item), body.row(align=True)
        overridden = muscle_numbers.is_overridden(ob, number)
        field = row.column(align=True)
        field.enabled = not overridden and not muscle_numbers.is_fixed(muscle, number)
        if muscle_numbers.is_joint(number) and rig is not None:
            field.prop_search(muscle, number.name, rig.data, "bones")
        else:
            field.prop(muscle, number.name)
        if is_shared(number):
            row.operator("sinew.muscle_number_share", text="", icon="DUPLICATE").number = number.name
        if overridden:
            paragraph(body, f"Overridden by the input {muscle_numbers.port_of(number).title}", "INFO")

    def draw_making(self, layout, ob):
        column = layout.column(align=True)
        column.operator("sinew.muscle_create", icon="BONE_DATA")
        column.operator("sinew.muscles_human", icon="ARMATURE_DATA")
        column.operator_menu_enum("sinew.muscles_copy", "source", icon="COPYDOWN")
        if not ob.sinew_muscles.names:
            return
        column.operator_menu_enum("sinew.muscles_mirror", "across", icon="MOD_MIRROR")
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


class SINEW_PT_bone_roles(InSidebar, bpy.types.Panel):
    """What the bones that carry the muscles do, and the bone for each role"""

    bl_label, bl_parent_id, bl_options = "Bone Roles", "SINEW_PT_muscles", {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return not host.problem() and armature_in(context) is not None

    def draw(self, context):
        layout, armature = self.layout, armature_in(context)
        try:
            found = bone_roles.found(armature)
        except (Problem, Error) as problem:
            paragraph(layout, sentence(str(problem)), "ERROR")
            return
        for warning in found.warnings:
            paragraph(layout, sentence(warning), "INFO")
        if not bone_roles.is_editable(armature):
            paragraph(layout, "The armature is linked: its file has the roles", "LOCKED")
        for title, rows in found.parts:
            there = sum(1 for row in rows if row.bone)
            doubtful = any(row.certainty in DOUBTS for row in rows)
            head, body = layout.panel(f"sinew_roles_{title}", default_closed=not doubtful)
            head.label(text=f"{title}: {there} of {len(rows)}", icon="QUESTION" if doubtful else "NONE")
            if body is not None:
                for row in rows:
                    self.draw_role(body, armature, row)

    def draw_role(self, body, armature, row):
        fields = titled(body, row.title)
        fields.enabled = bone_roles.is_editable(armature)
        if row.slot < bone_roles.SLOTS:
            fields.prop_search(armature.sinew_roles, bone_roles.field_of(row), armature, "bones", text="")
        else:
            fields.label(text=row.bone)
        fields.operator("sinew.bone_role_keep", text="", icon=SURE[row.certainty]).role = row.role
        if row.certainty in DOUBTS:
            paragraph(body, sentence(row.why))


CLASSES = (SINEW_UL_muscles, SINEW_PT_muscles, SINEW_PT_bone_roles)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
