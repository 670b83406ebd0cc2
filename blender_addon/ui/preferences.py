"""The add-on's preferences."""

import bpy
from bpy.props import IntProperty

from ..bridge import host


class SINEW_preferences(bpy.types.AddonPreferences):
    """How much memory computed frames may take."""

    bl_idname = __package__.rpartition(".")[0]
    memory: IntProperty(
        name="Memory for Frames (MB)",
        description="Computed frames of each node stay in memory up to this size; "
        "the least recently shown are discarded first",
        default=1024,
        min=16,
        soft_max=16384,
    )
    kept: IntProperty(
        name="Frames Beside Saved Files (MB)",
        description=(
            "When a file is saved, the computed frames of all its nodes are written beside it up to this size, so "
            "that it opens with them; "
            "0 for none. Nothing is written for files that are not saved"
        ),
        default=512,
        min=0,
        soft_max=16384,
    )

    def draw(self, _context):
        if host.problem():
            self.layout.label(text=host.problem(), icon="ERROR")
        else:
            major, minor = host.library().abi_version
            self.layout.label(text=f"Library {host.library().release}, interface {major}.{minor}")
        self.layout.prop(self, "memory")
        self.layout.prop(self, "kept")


register, unregister = bpy.utils.register_classes_factory((SINEW_preferences,))
