"""Muscles and the names of their bones: muscle_bones.py ZIP CASE..."""

import html
import pathlib
import re
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from muscles import settings_of, shape, with_muscles


def muscles_follow_bones_that_are_renamed(folder):
    """Muscles, pads and bones of the set: one bone in another frame, several at once, the sides exchanged, moved in
    edit mode, undone."""
    ob, rig = with_muscles()
    more = (
        '<pad name="fat" joint="Hand.L" centre="1.5 0 0.1" radius="0.3"/>'
        '<bone name="hard" joint="Oberarm.R" from="-0.5 0 0" to="-1 0 0" radius="0.1"/>'
    )
    settings_of(ob).param_muscles = settings_of(ob).param_muscles.replace("</muscle_set>", more + "</muscle_set>")
    bpy.ops.ed.undo_push(message="made")
    expected = [shape(ob, frame) for frame in (1, 2, 3, 4)][-1]

    def check(*present):
        bones = {html.unescape(name) for name in re.findall(r'joint="([^"]*)"', settings_of(ob).param_muscles)}
        assert bones == set(present), bones
        found = [shape(ob, frame) for frame in (1, 2, 3, 4)][-1]
        known = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene)
        assert known.timeline.warnings(4) == [] and np.array_equal(found, expected), (
            known.timeline.warnings(4),
            np.abs(found - expected).max(),
        )

    def renamed(**bones):
        for old, new in bones.items():
            rig.data.bones[old.replace("_", ".")].name = new
        bpy.context.view_layer.update()

    renamed(Oberarm_L="arm & <oben>.L")
    check("arm & <oben>.L", "Hand.L", "Oberarm.R", "Hand.R")
    renamed(Hand_L="hand.L", Oberarm_R="arm.R", Hand_R="hand.R")
    renamed(**{"arm & <oben>.L": "arm.L"})
    check("arm.L", "hand.L", "arm.R", "hand.R")
    before = settings_of(ob).param_muscles
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.armature.select_all(action="SELECT")
    assert bpy.ops.armature.flip_names() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert rig.data.bones["arm.R"].head_local.x > 0 and before != settings_of(ob).param_muscles, "sides are exchanged"
    check("arm.L", "hand.L", "arm.R", "hand.R")
    # Blender keeps an undo step before anything can follow.
    bpy.ops.ed.undo_push(message="flipped")
    rig.data.bones["arm.R"].name = "upper"
    bpy.ops.ed.undo_push(message="renamed")
    bpy.context.view_layer.update()
    rig.location.x += 1
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.ed.undo()
    ob, rig = bpy.data.objects["Body"], bpy.data.objects["Body Rig"]
    assert "upper" in rig.data.bones
    check("upper", "hand.L", "arm.L", "hand.R")
    bpy.ops.ed.undo()
    ob, rig = bpy.data.objects["Body"], bpy.data.objects["Body Rig"]
    check("arm.R", "hand.L", "arm.L", "hand.R")
    # A bone that is added and one that is renamed and moved in the same go.
    text = settings_of(ob).param_muscles
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["hand.R"].name = "paw"
    made = rig.data.edit_bones.new("added")
    made.head, made.tail, made.parent = (0, 0, 1), (0, 0, 2), rig.data.edit_bones["wurzel"]
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert settings_of(ob).param_muscles == text.replace('"hand.R"', '"paw"')
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["paw"].name = "claw"
    rig.data.edit_bones["claw"].head.z += 0.2
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert settings_of(ob).param_muscles == text.replace('"hand.R"', '"claw"')
    # In a file that was closed meanwhile, and a set that is a file of its own.
    path = f"{folder}/set.xml"
    pathlib.Path(path).write_text(settings_of(ob).param_muscles)
    settings_of(ob).param_muscles = path
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/renamed.blend")
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/renamed.blend")
    ob, rig = bpy.data.objects["Body"], bpy.data.objects["Body Rig"]
    rig.data.bones["claw"].name = "foot"
    bpy.context.view_layer.update()
    assert (
        settings_of(ob).param_muscles == text.replace('"hand.R"', '"foot"') and "claw" in pathlib.Path(path).read_text()
    )


if __name__ == "__main__":
    s.main(s.cases(globals()))
