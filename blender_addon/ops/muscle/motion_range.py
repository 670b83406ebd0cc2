"""Muscles over the range of motion of the joints: what flips, collides, jumps or shortens to nothing."""

import bpy
from bpy.props import FloatProperty

from ...bridge import host, muscles
from ...bridge.muscles import ROLE
from ...bridge.problem import Problem
from .target import OnMuscles, armature_of, of_a_human, on_set, rig_of

TEXT = "Sinew Range of Motion"
ROLES = "Sinew Bone Roles"


class SINEW_OT_muscles_range(OnMuscles, bpy.types.Operator):
    """Turns every bone of a human rig through its range of motion, and lists what flips, collides, jumps or shortens to
    nothing in a text. Nothing is changed. Ranges count from straight elbows and knees, upper arms that are half raised,
    and otherwise from the rest pose"""

    bl_idname, bl_label = "sinew.muscles_range", "Test Range of Motion"
    bl_options = {"REGISTER"}
    push: FloatProperty(
        name="Push",
        description="How far muscles and bones push muscles away: the body shows the same with Push Muscles "
        "and Push from Bones of its node at this value",
        default=1,
        min=0,
        max=1,
    )
    degrees: FloatProperty(
        name="At Most",
        description="No bone turns further than this from rest, in degrees; 0 for no limit",
        default=0,
        min=0,
        max=180,
    )

    def change_muscles(self, context, ob, item):
        if not muscles.names_of(item):
            raise Problem(f'"{ob.name}" has no muscles yet')
        rig, push, degrees = rig_of(ob, item, context), self.push, self.degrees

        def test(found):
            problems = found.range(rig, push, degrees)
            return problems, found.warnings[len(problems) :]

        testing = on_set(item, test)
        yield testing
        with of_a_human("ranges are known only for the bones"):
            problems, others = testing.result()
        text = bpy.data.texts.get(TEXT) or bpy.data.texts.new(TEXT)
        text.clear()
        same = (
            f"Tested with Push {self.push:g}: set Push Muscles and Push from Bones of the node to {self.push:g} to see "
            f"the same"
        )
        text.write(
            "\n".join(
                [f"{ob.name}: {len(problems)} problems", same, *problems, *(f"warning: {line}" for line in others), ""]
            )
        )
        first = f": {problems[0]}" if problems else ""
        self.report(
            {"WARNING"} if problems else {"INFO"}, f'{len(problems)} problems{first}; all are in the text "{TEXT}"'
        )


class SINEW_OT_muscles_roles(OnMuscles, bpy.types.Operator):
    """Lists in a text which bone of a human rig is the thigh, the forearm and so on, as muscles are placed by it, and
    what is doubtful"""

    bl_idname, bl_label = "sinew.muscles_roles", "List Bone Roles"
    bl_options = {"REGISTER"}

    def change_muscles(self, context, ob, item):
        found = rig_of(ob, item, context).roles(library=host.library())
        doubtful = [each for each in found["roles"] if each["certainty"] in ("doubtful", "disputed")]
        text = bpy.data.texts.get(ROLES) or bpy.data.texts.new(ROLES)
        text.clear()
        text.write(f"{armature_of(ob, item).name}: {len(found['roles'])} roles, {len(doubtful)} of them doubtful\n")
        text.write(f'To correct one, give its bone the custom property "{ROLE}", such as "forearm.L"\n\n')
        for each in found["roles"]:
            rivals = f"; it may be {' or '.join(each['rivals'])}" if each["rivals"] else ""
            text.write(f"{each['role']:<14} {each['joint']:<28} {each['certainty']}: {each['why']}{rivals}\n")
        text.write("".join(f"warning: {line}\n" for line in found["warnings"]))
        level = {"WARNING"} if doubtful or found["warnings"] else {"INFO"}
        self.report(
            level, f'{len(found["roles"])} roles, {len(doubtful)} of them doubtful; all are in the text "{ROLES}"'
        )


CLASSES = (SINEW_OT_muscles_range, SINEW_OT_muscles_roles)
