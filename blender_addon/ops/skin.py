"""Sliding skin in one click."""

import bpy

from ..bridge import capture, host, materials, properties, runtime, skeleton
from ..bridge.problem import Problem, sentence
from .in_thread import ShowsFrame
from .nodes import Before, added

KIND = "skin_slider"
UV_MAP = "Sinew"
# What an animator looks at, besides the texture: output -> attribute.
MAPS = {"slide_distance": "Sinew Slide", "stretch": "Sinew Stretch", "wrinkle_amplitude": "Sinew Wrinkles"}


def rest_map(ob):
    """The UV map that becomes the one at rest, on a body that can have sliding skin; refuses others."""
    runtime.check_writable(ob)
    if any(item.kind == KIND for item in ob.sinew.nodes):
        raise Problem(f'"{ob.name}" has sliding skin already')
    mesh = ob.data
    if not mesh.polygons:
        raise Problem(f'"{ob.name}" has no faces')
    if not mesh.uv_layers:
        raise Problem(f'"{ob.name}" has no UV map: unwrap it first (UV > Unwrap in edit mode)')
    if mesh.users > 1 and any(o != ob and o.data == mesh for o in bpy.data.objects):
        raise Problem(
            f'"{ob.name}" shares its mesh with another object: make it single-user first (Object > Relations)'
        )
    # A map left behind by removed skin is not a rest map.
    layers = [layer for layer in mesh.uv_layers if layer.name != UV_MAP]
    if not layers:
        raise Problem(
            f'the only UV map of "{ob.name}" is called "{UV_MAP}", the name of the map that the skin writes: rename it'
        )
    return next((layer for layer in layers if layer.active_render), layers[0]).name


class Added:
    """A skin slider with defaults, added to a mesh; refused with a Problem where that cannot be."""

    def __init__(self, ob):
        self.ob, self.rest = ob, rest_map(ob)
        # Modifiers can make maps that the mesh itself does not have.
        seen = ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        self.taken = UV_MAP in ob.data.uv_layers or UV_MAP in seen.uv_layers
        self._before = Before(ob)
        with added(ob):
            settings = properties.settings(properties.new_node(ob, host.kinds()[KIND]))
            with runtime.busy():
                settings.in_rest.name, settings.out_uvs.name = self.rest, UV_MAP
                # For working: bakes are exact.
                settings.param_quality = "normal"
                if skeleton.acts(ob):
                    settings.in_acted.choice = "KEYS"
                for port, name in MAPS.items():
                    bound = getattr(settings, f"out_{port}")
                    bound.choice, bound.name = "ATTRIBUTE", name
            runtime.prepare(ob)

    def settle(self):
        """Lets renders, materials and what is selected use the slid UVs; gives warnings."""
        # Materials look at the first of these, Workbench and texture paint at the second.
        layer = self.ob.data.uv_layers[UV_MAP]
        layer.active_render, self.ob.data.uv_layers.active = True, layer
        stopped = stop_reading_uvs(self.ob) if self.taken else ()
        return [*stopped, *materials.switch(self.ob, self.rest, UV_MAP)]

    def take_back(self):
        self._before.take_back()


def add_skin(ob):
    """Adds a skin slider with defaults to a mesh; gives warnings."""
    return Added(ob).settle()


def stop_reading_uvs(ob):
    """Lets the modifiers that read UV maps from a file leave the skin's alone, as where the file was exported with
    sliding skin."""
    for modifier in capture.reading_uvs(ob):
        modifier.read_data -= {"UV"}
        yield (
            f'the modifier "{modifier.name}" of "{ob.name}" reads UV maps from its file, where "{UV_MAP}" may be one '
            f"of them: its UV was turned "
            "off, so that it does not overwrite what the skin writes"
        )


class OnBody:
    """For operators on the active object, which becomes a body."""

    @classmethod
    def poll(cls, context):
        if not host.kinds():
            cls.poll_message_set(host.problem())
            return False
        if context.object is None or context.object.type != "MESH":
            cls.poll_message_set("Select the body, a mesh")
            return False
        return True


class SINEW_OT_skin_add(OnBody, ShowsFrame, bpy.types.Operator):
    """Lets the skin of the selected bodies slide: their textures move over them as the animation bends them"""

    bl_idname, bl_label, bl_options = "sinew.skin_add", "Add Sliding Skin", {"REGISTER", "UNDO"}

    def change(self, context):
        bodies = [ob for ob in context.selected_objects if ob.type == "MESH"] or [context.object]
        self._added = []
        for ob in bodies:
            try:
                self._added.append(Added(ob))
            except Problem as problem:
                self.report({"ERROR"}, sentence(problem))
        return bool(self._added)

    def settle(self, context):
        for warning in [warning for one in self._added for warning in one.settle()]:
            self.report({"WARNING"}, sentence(warning))

    def take_back(self, context):
        for one in reversed(self._added):
            one.take_back()


register, unregister = bpy.utils.register_classes_factory((SINEW_OT_skin_add,))
