"""The Sinew tab of the sidebar: made from the library's descriptions, whatever nodes there are."""

import textwrap

import bpy

from ..bridge import guard, host, kept, properties, runtime, subdivision
from ..bridge.colours import paintable
from ..bridge.problem import counted, sentence
from ..ops.nodes import active_node
from ..sinew.describe import is_shown

ICONS = {
    runtime.COMPUTED: "CHECKMARK",
    runtime.BAKED: "FILE_TICK",
    runtime.PREVIEW: "INFO",
    runtime.OUTDATED: "TIME",
    runtime.MISSING: "TIME",
    runtime.FAILED: "ERROR",
    runtime.COMPUTING: "TIME",
    runtime.LEFT_OUT: "ERROR",
    runtime.OFF: "PAUSE",
}
STATES = {
    runtime.COMPUTED: "This frame is computed",
    runtime.BAKED: "This frame is baked",
    runtime.OFF: "Live is off",
}


def letters():
    """How many letters the sidebar is wide, with its tabs."""
    region = bpy.context.region
    return int(region.width / (7 * bpy.context.preferences.system.ui_scale)) if region else 70


def is_narrow():
    """Whether fields need the whole width: numbers beside their titles would be cut off, and 30000 look like 3000."""
    return letters() < NARROW


def paragraph(layout, text, icon="NONE"):
    """Text over as many lines as the panel's width asks for."""
    # Boxes, icons and tabs take the width of ten letters.
    width = max(20, letters() - 10)
    column = layout.column(align=True)
    for line in textwrap.wrap(text, width):
        column.label(text=line, icon=icon)
        icon = "BLANK1" if icon != "NONE" else "NONE"


def draw_failures(layout):
    """Errors of the add-on itself, in red."""
    for text in guard.messages():
        box = layout.box()
        box.alert = True
        paragraph(box, text, "ERROR")


def advice(ob, item, scene):
    """What makes a node faster on this body, and its renders safe: a list of texts."""
    found, slow = [], subdivision.slow(ob, item)
    if slow:
        found.append(slow)
    if not scene.render.use_lock_interface and item.live and not item.use_bake:
        found.append("Render > Lock Interface is off in this scene: renders show frames that are not computed at rest")
    return found


# The part of a panel's width that titles take: more than in Blender, where they are cut off.
TITLES = 0.5
# Blender's sidebar is 40 letters wide at first.
NARROW = 36


def beside(layout, title, alignment="RIGHT"):
    """Rows for the title of fields and for these: below it where the panel is narrow or the title long. Titles that
    begin alike could not be told apart if they were cut off."""
    # Tabs and borders take the width of three letters.
    if is_narrow() or len(title) > TITLES * (letters() - 3):
        column = layout.column(align=True)
        return column.row(align=True), column.row(align=True)
    split = layout.split(factor=TITLES)
    words = split.row(align=True)
    words.alignment = alignment
    return words, split.row(align=True)


def titled(layout, title):
    """A row of fields with their title."""
    words, fields = beside(layout, title)
    if title or not is_narrow():
        words.label(text=title)
    return fields


def buttons(layout):
    """Where buttons stand side by side, or below each other where the panel is narrow."""
    return layout.column(align=True) if is_narrow() else layout.row(align=True)


def draw_field(layout, data, name):
    """A property with its title, and the dot that keys it."""
    about = data.bl_rna.properties[name]
    row = titled(layout, about.name)
    row.column(align=True).prop(data, name, text="")
    if about.is_animatable and not getattr(about, "is_array", False):
        row.prop_decorator(data, name)


class InSidebar:
    """A panel of the tab."""

    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Sinew"


class OfNode(InSidebar):
    """A panel that needs a node which the library knows."""

    bl_parent_id, bl_order = "SINEW_PT_main", 3

    @classmethod
    def poll(cls, context):
        item = active_node(context)
        return item is not None and item.kind in host.kinds()


class SINEW_UL_nodes(bpy.types.UIList):
    """The nodes of an object."""

    def draw_item(self, context, layout, data, item, _icon, _active_data, _active_property):
        known = runtime.known(data.id_data, item, context.scene)
        layout.prop(item, "name", text="", emboss=False, icon=ICONS[known.state if known else runtime.OFF])
        layout.prop(item, "live", text="", icon="PLAY" if item.live else "PAUSE", emboss=False)


class SINEW_MT_nodes(bpy.types.Menu):
    """Every node that the library has"""

    bl_label = "Add Node"

    def draw(self, _context):
        for kind in host.kinds().values():
            self.layout.operator("sinew.node_add", text=kind.title).kind = kind.id


class SINEW_PT_main(InSidebar, bpy.types.Panel):
    """The Sinew nodes of the active object"""

    bl_label = "Sinew"

    def draw(self, context):
        layout = self.layout
        if host.problem():
            paragraph(layout, host.problem(), "ERROR")
            return
        draw_failures(layout)
        layout.operator("sinew.skin_add", icon="MOD_CLOTH")
        ob = context.object
        if ob is None or ob.type != "MESH" and not ob.sinew.nodes:
            layout.label(text="Select the body, a mesh", icon="INFO")
            return
        row = layout.row()
        row.template_list("SINEW_UL_nodes", "", ob.sinew, "nodes", ob.sinew, "active", rows=2)
        buttons = row.column(align=True)
        buttons.menu("SINEW_MT_nodes", text="", icon="ADD")
        buttons.operator("sinew.node_remove", text="", icon="REMOVE")
        item = active_node(context)
        if item is not None:
            self.draw_state(layout, context, ob, item)

    def draw_state(self, layout, context, ob, item):
        if item.kind not in host.kinds():
            paragraph(layout, f'The library has no node "{item.kind}"', "ERROR")
            return
        known = runtime.known(ob, item, context.scene)
        if known is None:
            return
        frames, advised = known.timeline.frames(), advice(ob, item, context.scene)
        warnings = known.timeline.warnings(context.scene.frame_current) + [known.of_render] * bool(known.of_render)
        # What needs attention, and is no failure.
        facts = [*known.remarks, *known.in_vain, *advised, *[kept.problem()] * bool(kept.problem())]
        is_said = known.message in guard.messages()
        if is_said and not (frames or warnings or facts):
            return
        box = layout.box()
        words = box.column()
        words.alert = known.state in (runtime.FAILED, runtime.LEFT_OUT)
        if not is_said:
            paragraph(words, sentence(known.message or STATES.get(known.state, "")), ICONS[known.state])
        for text in warnings:
            paragraph(box, sentence(text), "ERROR")
        for text in facts:
            paragraph(box, sentence(text), "INFO")
        if known.state in runtime.WAITING:
            box.operator("sinew.catch_up", icon="FRAME_NEXT")
        if "Update Capture" in " ".join([known.message * (known.state == runtime.FAILED), *advised]):
            box.operator("sinew.capture_update", icon="MODIFIER")
        if frames:
            row = box.row()
            text = (
                f"{counted(len(frames), 'frame')}, {known.timeline.used / 2**20:.1f} of "
                f"{known.timeline.limit / 2**20:.0f} MB"
            )
            paragraph(row, text)
            row.operator("sinew.forget", text="", icon="TRASH")


# What most people set, under headings that say what it decides: by the node's id; "in" are inputs, "param" parameters.
BASICS = {
    "skin_slider": {
        "What is fixed": (("in", "fixed"), ("in", "hold")),
        "How firmly": (("param", "tie_reach"),),
        "How stiff": (("param", "young"),),
        "How it moves": (("param", "mode"), ("param", "snap_speed"), ("param", "friction_time")),
        "How fast": (("param", "quality"),),
    },
    "muscle_skin": {
        "How strong": (("param", "bulge"), ("param", "jiggle")),
        "How large": (("param", "size_factor"),),
    },
}


def basics(kind):
    """The headings of the simple part; that of other nodes is their first group of parameters."""
    if kind.id in BASICS:
        return BASICS[kind.id]
    groups = (
        (name, [p for p in params if not p.advanced and not properties.is_hosts(p)])
        for name, params in kind.groups().items()
    )
    first = next(((name, params) for name, params in groups if params), None)
    return {first[0]: [("param", param.id) for param in first[1]]} if first else {}


class SINEW_PT_basics(OfNode, bpy.types.Panel):
    """What most people set"""

    bl_idname, bl_label, bl_order = "SINEW_PT_basics", "Basics", 0

    def draw(self, context):
        item, layout = active_node(context), self.layout
        kind, settings = host.kinds()[item.kind], properties.settings(item)
        for heading, fields in basics(kind).items():
            column = layout.column()
            column.label(text=heading)
            for arrow, name in fields:
                if arrow == "in":
                    draw_input(column, kind, settings, kind.input(name), context.object)
                elif is_shown(kind, kind.param(name), lambda param: getattr(settings, f"param_{param}")):
                    draw_field(column, settings, f"param_{name}")


def draw_input(layout, kind, settings, port, ob):
    """Where an input comes from, with a brush if it can be painted."""
    row = draw_binding(layout, getattr(settings, f"in_{port.id}"), port, properties.SOURCES, ob)
    if port in paintable(kind):
        row.operator("sinew.paint", text="", icon="BRUSH_DATA").port = port.id


def under_headings(layout, groups):
    """The ports of a node, each with the column in which it is drawn: one for each group, with a heading if there are
    several."""
    for heading, ports in groups.items():
        column = layout.column()
        if len(groups) > 1:
            column.label(text=heading)
        yield from ((port, column) for port in ports)


class SINEW_PT_maps(OfNode, bpy.types.Panel):
    """All of the node's inputs"""

    bl_idname, bl_label, bl_order, bl_options = "SINEW_PT_maps", "Inputs", 1, {"DEFAULT_CLOSED"}

    def draw(self, context):
        item = active_node(context)
        kind, settings = host.kinds()[item.kind], properties.settings(item)
        self.layout.operator_menu_enum("sinew.show_map", "map", icon="COLOR")
        for port, layout in under_headings(self.layout, kind.port_groups(inputs=True)):
            draw_input(layout, kind, settings, port, context.object)


class SINEW_PT_outputs(OfNode, bpy.types.Panel):
    """Where the node's results go"""

    bl_idname, bl_label, bl_options = "SINEW_PT_outputs", "Outputs", {"DEFAULT_CLOSED"}

    def draw(self, context):
        item = active_node(context)
        kind, settings = host.kinds()[item.kind], properties.settings(item)
        for port, layout in under_headings(self.layout, kind.port_groups(inputs=False)):
            draw_binding(layout, getattr(settings, f"out_{port.id}"), port, properties.TARGETS, context.object)


# What an empty field for an object means, by the choice.
EMPTY = {
    "REST": "This object",
    "BODY": "This object",
    "PROPERTY": "This object",
    **dict.fromkeys(("WEIGHTS", "POSE", "BONES"), "Its armature"),
}


def draw_binding(layout, bound, port, table, ob):
    """A port: where it comes from or goes to, and below it the fields of that; gives the row, which has space for
    more."""
    column = layout.column(align=True)
    title = port.title + (" *" if port.required and bound.choice == "NONE" else "")
    words, row = beside(column, title, "EXPAND")
    words.label(text=title)
    row.prop(bound, "choice", text="")
    for field in table[bound.choice][2]:
        fields = titled(column, "Reach" if field == "reach" else "")
        if field == "name" and bound.choice == "GROUP":
            fields.prop_search(bound, field, ob, "vertex_groups", text="")
        elif field == "name" and bound.choice in ("REST", "UV") and ob.type == "MESH":
            fields.prop_search(bound, field, ob.data, "uv_layers", text="")
        else:
            fields.prop(
                bound, field, text="", placeholder=EMPTY.get(bound.choice, "Object") if field == "object" else ""
            )
    return row


class SINEW_PT_settings(OfNode, bpy.types.Panel):
    """All of the node's parameters, under the headings of its description"""

    bl_idname, bl_label, bl_order, bl_options = "SINEW_PT_settings", "Settings", 2, {"DEFAULT_CLOSED"}

    def draw(self, context):
        item = active_node(context)
        kind, settings = host.kinds()[item.kind], properties.settings(item)

        def value_of(param):
            return getattr(settings, f"param_{param}")

        for group, params in kind.groups().items():
            shown = [p for p in params if not properties.is_hosts(p) and is_shown(kind, p, value_of)]
            self.draw_group(kind, group, [p for p in shown if not p.advanced], settings, False)
            self.draw_group(kind, f"{group} (Advanced)", [p for p in shown if p.advanced], settings, True)

    def draw_group(self, kind, name, params, settings, closed):
        if not params:
            return
        head, body = self.layout.panel(f"sinew_{kind.id}_{name}", default_closed=closed)
        head.label(text=name)
        if body is not None:
            for param in params:
                draw_field(body, settings, f"param_{param.id}")


class SINEW_PT_bake(OfNode, bpy.types.Panel):
    """When the motion begins, and the bake"""

    bl_idname, bl_label, bl_order, bl_options = "SINEW_PT_bake", "Timeline and Bake", 5, {"DEFAULT_CLOSED"}

    def draw(self, context):
        item = active_node(context)
        layout = self.layout
        layout.use_property_split = not is_narrow()
        row = layout.row() if is_narrow() else layout.row(heading="Own Start")
        row.prop(item, "use_start", text="Own Start" if is_narrow() else "")
        sub = row.row()
        sub.active = item.use_start
        sub.prop(item, "start", text="")
        layout.operator("sinew.bake", icon="RENDER_ANIMATION")
        layout.prop(item, "use_bake")
        layout.prop(item, "bake_path", text="File")


CLASSES = (
    SINEW_UL_nodes,
    SINEW_MT_nodes,
    SINEW_PT_main,
    SINEW_PT_basics,
    SINEW_PT_maps,
    SINEW_PT_settings,
    SINEW_PT_outputs,
    SINEW_PT_bake,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
