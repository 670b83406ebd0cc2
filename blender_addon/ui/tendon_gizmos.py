"""Handles in the view that move planes along their normals, tilt planes and lines, and set how long a line is."""

import bpy

from ..bridge import guard
from ..bridge.tendon import props, rig_parts

from mathutils import Matrix, Vector

AXES = {"X": (0.9, 0.3, 0.3), "Y": (0.4, 0.75, 0.2), "Z": (0.35, 0.65, 1.0)}
# Turns a dial, which lies in the plane of its own x and y, about an axis of the part.
ABOUT = {"X": Vector((1, 0, 0)), "Y": Vector((0, 1, 0))}


@guard.guarded("while the length of a line was kept")
def push_length():
    bpy.ops.ed.undo_push(message="Line Length")


class SINEW_GGT_tendon_guide(bpy.types.GizmoGroup):
    """Handles of the active plane or line of a tendon rig"""

    bl_idname, bl_label = "SINEW_GGT_tendon_guide", "Tendon Guide"
    bl_space_type, bl_region_type, bl_options = "VIEW_3D", "WINDOW", {"3D", "PERSISTENT", "DEPTH_3D"}

    @classmethod
    def poll(cls, context):
        part = context.object
        if (
            not props.is_registered()
            or part is None
            or part.mode != "OBJECT"
            or part.sinew_tendon.tag not in ("plane", "line")
            or not part.select_get()
        ):
            return False
        rig = rig_parts.rig_of(part)
        # While the simulation is shown, parts are not where they were modelled.
        return part.is_editable and rig is not None and rig.sinew_tendons.shown == "modelled"

    def setup(self, _context):
        self.along = self.handle("GIZMO_GT_arrow_3d", "transform.translate", "Z")
        self.dials = {axis: self.handle("GIZMO_GT_dial_3d", "transform.rotate", axis) for axis in ABOUT}
        self.length = self.coloured(self.gizmos.new("GIZMO_GT_arrow_3d"), "Z")
        self.length.draw_style = "BOX"
        self.measured, self.dragged = None, False

    def coloured(self, gizmo, axis):
        gizmo.color, gizmo.alpha = AXES[axis], 0.6
        gizmo.color_highlight, gizmo.alpha_highlight = (1, 1, 1), 0.9
        return gizmo

    def handle(self, kind, operator, axis):
        """A handle that drags the part by one of Blender's own operators, along or about an axis of the part."""
        gizmo = self.coloured(self.gizmos.new(kind), axis)
        given = gizmo.target_set_operator(operator)
        given.orient_type, given.constraint_axis, given.release_confirm = (
            "LOCAL",
            [name == axis for name in "XYZ"],
            True,
        )
        if operator == "transform.rotate":
            given.orient_axis = axis
        return gizmo

    def refresh(self, context):
        """The length is the active line's."""
        part = context.object
        self.length.hide = part.sinew_tendon.tag != "line"
        if part != self.measured:
            self.length.target_set_prop("offset", part, "empty_display_size")
            self.measured = part

    def invoke_prepare(self, _context, gizmo):
        self.dragged = gizmo == self.length

    def draw_prepare(self, context):
        if self.dragged and not self.length.is_modal:
            # Blender's operators push undo steps, properties do not; and nothing may push while the view draws.
            bpy.app.timers.register(push_length)
            self.dragged = False
        place, rotation, _ = context.object.matrix_world.decompose()
        axes = Matrix.LocRotScale(place, rotation, None)
        self.along.matrix_basis = self.length.matrix_basis = axes
        for axis, dial in self.dials.items():
            turned = Vector((0, 0, 1)).rotation_difference(ABOUT[axis]).to_matrix().to_4x4()
            dial.matrix_basis, dial.scale_basis = axes @ turned, 0.7


register, unregister = bpy.utils.register_classes_factory((SINEW_GGT_tendon_guide,))
