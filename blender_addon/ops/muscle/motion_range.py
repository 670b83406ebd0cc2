"""Muscles over the range of motion of the joints: what flips, collides, jumps or shortens to nothing."""

import bpy
from bpy.props import FloatProperty

from ...bridge import muscles
from ...bridge.problem import Problem
from .target import OnMuscles, of_a_human, on_set, rig_of

TEXT = "Sinew Range of Motion"


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


CLASSES = (SINEW_OT_muscles_range,)
