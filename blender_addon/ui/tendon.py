"""The panels of tendon rigs: one for the rig, one for the active part, one for the active node."""

import bpy

from ..bridge import host
from ..bridge.problem import sentence
from ..bridge.tendon import curves, fields, kinds, rig_parts, show, store
from ..ops.tendon import check
from .panels import InSidebar, beside, buttons, draw_failures, draw_field, is_narrow, paragraph

ICONS = {
    "body": "MESH_CAPSULE",
    "joint": "CONSTRAINT",
    "strand": "CURVE_PATH",
    "plane": "MESH_PLANE",
    "line": "IPO_LINEAR",
    "circle": "MESH_CIRCLE",
    "muscle": "FORCE_HARMONIC",
    "reel": "LOOP_FORWARDS",
    "hill": "FORCE_HARMONIC",
    "goal_motion": "PIVOT_CURSOR",
    "goal_place": "PIVOT_CURSOR",
    "point": "DOT",
    "cut": "X",
    "lengthen": "DRIVER_DISTANCE",
    "release": "UNLINKED",
    "contact": "MOD_PHYSICS",
    "outside": "ARMATURE_DATA",
}
# What has a panel of its own.
APART = {"node", *kinds.RULES}


def draw_attributes(layout, described, group, leave_out=()):
    """The properties of an element, those that are optional behind a check box."""
    column = layout.column()
    for attribute in described.attributes.values():
        name = fields.identifier(attribute.name)
        if attribute.name in leave_out or not hasattr(group, name) or not fields.holds(described.name, attribute):
            continue
        if fields.is_optional(attribute):
            draw_optional(column, attribute, group, name)
        elif fields.has_carrier(described.name, attribute):
            draw_field(column, group, "carrier")
            if group.carrier == "body":
                draw_field(column, group, name)
        else:
            draw_field(column, group, name)
            if attribute.kind == "range" and getattr(group, name) == "limits":
                draw_field(column, group, name + "_limits")


def draw_optional(layout, attribute, group, name):
    """A property with a check box that says whether it is there. The box stands at the title: values can be long, as
    Young's modulus is."""
    (words, row), used = beside(layout, fields.title(attribute.name)), getattr(group, "use_" + name)
    words.label(text=fields.title(attribute.name))
    words.prop(group, "use_" + name, text="")
    if used or attribute.kind != "vector":
        value = row.column(align=True)
        value.active = used
        value.prop(group, name, text="")
    if attribute.kind != "vector":
        row.prop_decorator(group, name)


def draw_children(layout, described, group):
    """The elements inside an element."""
    for tag, child in described.children.items():
        if tag in kinds.KEYS or tag in APART:
            continue
        if child.many:
            for k, inner in enumerate(getattr(group, tag)):
                box = layout.box()
                row = box.row()
                row.label(text=f"{fields.title(tag)} {k + 1}")
                if tag == "axis":
                    row.operator("sinew.tendon_remove_axis", text="", icon="X", emboss=False).index = k
                draw_attributes(box, child, inner)
                draw_children(box, child, inner)
        else:
            layout.prop(group, "use_" + tag)
            if getattr(group, "use_" + tag):
                draw_attributes(layout.box(), child, getattr(group, tag))


class SINEW_PT_tendons(InSidebar, bpy.types.Panel):
    """A rig of bones and tendons, and its simulation"""

    bl_label = "Tendons"

    def draw(self, context):
        layout = self.layout
        if host.problem():
            paragraph(layout, host.problem(), "ERROR")
            return
        rig = check.active_rig(context)
        draw_failures(layout)
        if rig is None:
            paragraph(layout, "Start with a preset, a file, or an empty rig", "INFO")
        row = buttons(layout)
        row.operator("sinew.tendon_new_rig", icon="ADD", text="New")
        row.operator_menu_enum("sinew.tendon_preset", "preset", text="Preset")
        row.operator("sinew.tendon_import", icon="IMPORT", text="Import")
        if rig is None:
            return
        row = layout.row(align=True)
        row.prop(rig, "name", text="", icon="OUTLINER_COLLECTION")
        row.operator("sinew.tendon_export", icon="EXPORT", text="")
        row.operator_menu_enum("sinew.tendon_mirror", "axis", text="", icon="MOD_MIRROR")
        self.draw_simulation(layout, context, rig)

    def draw_simulation(self, layout, context, rig):
        known, result = rig.sinew_tendons, show.result_of(rig)
        row = layout.row(align=True)
        row.scale_y = 1.3
        row.operator("sinew.tendon_simulate", icon="PLAY")
        row.prop(known, "live", text="", icon="FILE_REFRESH")
        if show.is_damaged(rig):
            paragraph(layout, sentence(check.DAMAGED), "ERROR")
        if result is None:
            return
        row.operator("sinew.tendon_clear", icon="TRASH", text="")
        layout.row(align=True).prop(known, "shown", expand=True)
        column = layout.column()
        column.use_property_split, column.use_property_decorate = not is_narrow(), False
        last = result.first + len(result) - 1
        if result.index(context.scene.frame_current) is None:
            paragraph(
                column, f"Frame {context.scene.frame_current} is not simulated: {result.first} to {last} are", "INFO"
            )
        if text := show.outdated(rig, context.scene):
            paragraph(column, sentence(text), "INFO")
        column.prop(known, "tension_limit")
        if not known.tension_limit:
            column.label(text=f"Red at {show.limit(rig, result):.1f} N, the largest tension")
        column.prop(known, "thickness")
        layout.operator("sinew.tendon_keys", icon="KEYINGSET")
        for text in result.warnings[:3]:
            paragraph(layout, text, "ERROR")


class InTendons(InSidebar):
    """A panel below that of the rig."""

    bl_parent_id = "SINEW_PT_tendons"

    @classmethod
    def poll(cls, context):
        return not host.problem() and check.active_rig(context) is not None


class SINEW_PT_tendon_build(InTendons, bpy.types.Panel):
    """Adds parts to the rig"""

    bl_label = "Build"

    def draw(self, context):
        layout = self.layout
        column = layout.column(align=True)
        column.operator("sinew.tendon_from_armature", icon="ARMATURE_DATA")
        column.operator("sinew.tendon_add_body", icon="MESH_CAPSULE")
        column.operator("sinew.tendon_add_joint", icon="CONSTRAINT")
        column = layout.column(align=True)
        column.operator("sinew.tendon_draw", icon="GREASEPENCIL")
        column.operator("sinew.tendon_from_curve", icon="CURVE_PATH")
        column = layout.column(align=True)
        column.operator_menu_enum("sinew.tendon_add_guide", "kind", icon="MESH_PLANE")
        column.operator_menu_enum("sinew.tendon_add_muscle", "kind", icon="FORCE_HARMONIC")
        column.operator("sinew.tendon_add_goal", icon="PIVOT_CURSOR")
        column.operator_menu_enum("sinew.tendon_add_event", "kind", icon="TIME")


class SINEW_PT_tendon_part(InTendons, bpy.types.Panel):
    """The active part of the rig"""

    bl_label = "Part"

    @classmethod
    def poll(cls, context):
        return not host.problem() and context.object is not None and bool(context.object.sinew_tendon.tag)

    def draw(self, context):
        layout, part = self.layout, context.object
        tag = part.sinew_tendon.tag
        layout.row().prop(part, "name", text=fields.title(tag), icon=ICONS[tag])
        if tag == "outside":
            paragraph(layout, "A joint of the armature that the scene's file names", "INFO")
            return
        if rig_parts.rig_of(part) is None:
            text = "In no rig: move it into a rig's collection, or make it new with Add Bodies or Tendons from Curves"
            paragraph(layout, text, "INFO")
        described, group = kinds.kind(tag), getattr(part.sinew_tendon, tag)
        draw_attributes(layout, described, group)
        if tag == "body":
            layout.label(text="Its mass is that of:")
        draw_children(layout, described, group)
        if tag == "joint":
            layout.operator("sinew.tendon_add_axis", icon="ADD")
            self.draw_angles(layout, context, part)
        elif tag == "goal_motion":
            draw_field(layout, group, "target")
        elif tag == "point":
            draw_rules(layout, group)

    @staticmethod
    def draw_angles(layout, context, part):
        rig = rig_parts.rig_of(part)
        found = show.angles(rig, context.scene.frame_current) if rig else {}
        turns = found.get(part)
        if turns:
            text = "   ".join(f"{axis} {turn:.1f}\N{DEGREE SIGN}" for axis, turn in zip("xyz", turns))
            layout.label(text="Now: " + text, icon="DRIVER_ROTATIONAL_DIFFERENCE")


def draw_rules(layout, here):
    """What ties a point."""
    for tag in kinds.RULES:
        for k, rule in enumerate(getattr(here, tag)):
            box = layout.box()
            row = box.row()
            row.label(text=fields.title(tag), icon=ICONS.get({"on_curve": "line"}.get(tag, "plane")))
            # An event can release it by that name.
            row.prop(rule, "label", text="", placeholder="Name")
            remove = row.operator("sinew.tendon_remove_rule", text="", icon="X", emboss=False)
            remove.kind, remove.index = tag, k
            draw_attributes(box, kinds.kind(tag), rule, ("name",))


class SINEW_PT_tendon_node(InTendons, bpy.types.Panel):
    """The active node of the tendon: what carries it, what ties it, whether the tendon slides through it"""

    bl_label = "Node"

    @classmethod
    def poll(cls, context):
        part = context.object
        if host.problem() or part is None or part.sinew_tendon.tag != "strand" or rig_parts.rig_of(part) is None:
            return False
        return len(part.sinew_tendon.strand.node) > 0

    def draw(self, context):
        layout, part = self.layout, context.object
        nodes = part.sinew_tendon.strand.node
        k = min(part.sinew_tendon.active_node, len(nodes) - 1)
        row = layout.row(align=True)
        row.operator("sinew.tendon_step_node", text="", icon="TRIA_LEFT").by = -1
        row.prop(part.sinew_tendon, "active_node", text=f"Node, 0 to {len(nodes) - 1}")
        row.operator("sinew.tendon_step_node", text="", icon="TRIA_RIGHT").by = 1
        if len(nodes) != len(curves.control_points(part) if context.mode == "OBJECT" else nodes):
            paragraph(layout, "The curve has changed: Check Rig updates its nodes", "INFO")
        node = nodes[k]
        draw_attributes(layout, kinds.kind("strand", "node"), node)
        owner, number = curves.owners(rig_parts.ordered(rig_parts.rig_of(part), "strand"))[node.point]
        if (owner, number) != (part, k):
            layout.label(text=f"Shares the point of {owner.name}", icon="LINKED")
        here = owner.sinew_tendon.strand.node[number].here
        draw_attributes(layout, kinds.kind("point"), here)
        row = buttons(layout)
        row.operator("sinew.tendon_nearest")
        if (owner, number) == (part, k):
            row.operator("sinew.tendon_share")
        else:
            row.operator_menu_enum("sinew.tendon_unshare", "which", text="Own Points")
        draw_rules(layout, here)
        row = buttons(layout)
        row.operator("sinew.tendon_constrain", icon="LINKED")
        row.operator_menu_enum("sinew.tendon_add_rule", "kind", text="Add Tie")


class SINEW_PT_tendon_settings(InTendons, bpy.types.Panel):
    """The rig's global numbers"""

    bl_label, bl_options = "Settings", {"DEFAULT_CLOSED"}

    def draw(self, context):
        known = check.active_rig(context).sinew_tendons
        self.layout.prop(known, "use_settings", text="Custom Settings")
        column = self.layout.column()
        column.active = known.use_settings
        draw_attributes(column, kinds.kind("settings"), known.settings)


class SINEW_UL_tendon_problems(bpy.types.UIList):
    """What the checker found"""

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_property, index=0, _flag=0):
        row = layout.row()
        row.label(text=item.message, icon="CANCEL" if item.error else "ERROR")
        if item.about is not None:
            row.operator("sinew.tendon_select_problem", text="", icon="RESTRICT_SELECT_OFF", emboss=False).index = index


class SINEW_PT_tendon_check(InTendons, bpy.types.Panel):
    """What is wrong with the rig"""

    bl_label = "Check"

    def draw(self, context):
        known = check.active_rig(context).sinew_tendons
        self.layout.operator("sinew.tendon_check", icon="CHECKMARK")
        if known.checked:
            paragraph(self.layout, known.checked)
        if known.problems:
            self.layout.template_list(
                "SINEW_UL_tendon_problems", "", known, "problems", known, "active_problem", rows=3
            )
            line = known.problems[min(known.active_problem, len(known.problems) - 1)]
            paragraph(self.layout, line.message)
            if any(line.cure == store.OWN_POINTS for line in known.problems):
                self.layout.operator(
                    "sinew.tendon_unshare", text="Own Points for All Copies", icon="UNLINKED"
                ).which = "rig"


CLASSES = (
    SINEW_UL_tendon_problems,
    SINEW_PT_tendons,
    SINEW_PT_tendon_build,
    SINEW_PT_tendon_part,
    SINEW_PT_tendon_node,
    SINEW_PT_tendon_check,
    SINEW_PT_tendon_settings,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
