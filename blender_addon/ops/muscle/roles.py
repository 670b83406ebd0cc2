"""Keeps the role of a bone, or has it found again."""

import bpy
from bpy.props import StringProperty

from ...bridge import bone_roles, muscles
from ...bridge.problem import Problem, sentence
from ...sinew.loader import Error
from .target import armature_of, body_of


def armature_in(context):
    """The armature that carries the muscles of the body in question, or None."""
    ob = body_of(context)
    rig = armature_of(ob, muscles.node_of(ob)) if ob is not None else None
    return rig.data if rig is not None else None


class SINEW_OT_bone_role_keep(bpy.types.Operator):
    """Keeps this bone for the role, whatever is found later, or has the role found again"""

    bl_idname, bl_label = "sinew.bone_role_keep", "Keep Bone Role"
    bl_options = {"REGISTER", "UNDO"}
    role: StringProperty(name="Role", description="What the bone does, such as forearm.L")

    @classmethod
    def poll(cls, context):
        armature = armature_in(context)
        return armature is not None and bone_roles.is_editable(armature)

    @classmethod
    def description(cls, context, properties):
        try:
            row = bone_roles.found(armature_in(context)).row(properties.role)
        except (AttributeError, Problem, Error):
            return ""
        if row is None or not row.bone:
            return "No bone was found that does this: choose one"
        then = "have it found again" if row.certainty == "chosen" else "keep this bone for it"
        return sentence(f"{row.certainty}: {row.why}. Click to {then}")

    def execute(self, context):
        armature = armature_in(context)
        try:
            row = bone_roles.found(armature).row(self.role)
            if row is None or not row.bone:
                raise Problem(f'no bone has the role "{self.role}": choose one')
            bone_roles.choose(armature, row.role, "" if row.certainty == "chosen" else row.bone)
        except (Problem, Error) as problem:
            self.report({"ERROR"}, sentence(str(problem)))
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (SINEW_OT_bone_role_keep,)
