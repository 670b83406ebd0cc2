"""What bones do, as the panel lists it and people correct it: bone_roles.py ZIP CASE..."""

import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from human_joints import joints_of_human

from nodes import Layout


def human(label="bone {}"):
    """A body on the rig of a human whose names say nothing; the role of each bone."""
    rig = s.link(bpy.data.objects.new("Human Rig", bpy.data.armatures.new("Human Rig")))
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bones, joints = rig.data.edit_bones, joints_of_human()
    for k, (_, above, (x, y, z)) in enumerate(joints):
        made = bones.new(label.format(k))
        made.head = (x / 100, -z / 100, y / 100)
        made.tail = (x / 100, -z / 100, y / 100 + 0.02)
        if above >= 0:
            made.parent = bones[label.format(above)]
    bpy.ops.object.mode_set(mode="OBJECT")
    ob = s.tube("Human")
    group = ob.vertex_groups.new(name=label.format(0))
    group.add(range(len(ob.data.vertices)), 1.0, "REPLACE")
    ob.modifiers.new("Armature", "ARMATURE").object = rig
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    return ob, rig, {role: label.format(k) for k, (role, _, _) in enumerate(joints)}


def listed(rig):
    """The bone and the certainty of each role, as the panel's fields show them."""
    roles = s.part("bridge.bone_roles")
    found = roles.found(rig.data)
    for row in found.rows():
        assert getattr(rig.data.sinew_roles, roles.field_of(row)) == row.bone, row
    return {row.role: (row.bone, row.certainty) for row in found.rows()}


def enter(rig, role, bone):
    """As someone who chooses a bone in the field of a role."""
    roles = s.part("bridge.bone_roles")
    setattr(rig.data.sinew_roles, roles.field_of(roles.found(rig.data).row(role)), bone)


def drawn():
    """What the panel shows."""
    seen, panel = [], s.part("ui.muscles").SINEW_PT_bone_roles
    assert panel.poll(bpy.context)
    own = {name: getattr(panel, name) for name in ("draw", "draw_role")}
    type("Drawn", (), {**own, "layout": Layout(seen)})().draw(bpy.context)
    return seen


def roles_are_listed_by_parts_of_the_body():
    _, rig, expected = human()
    found = listed(rig)
    assert {role: bone for role, (bone, _) in found.items() if bone} == expected, found
    assert all(certainty in ("sure", "likely") for bone, certainty in found.values() if bone), found
    seen = drawn()
    assert "Left Arm: 4 of 4" in seen and "Right Leg: 4 of 4" in seen and "Left Hand: 0 of 15" in seen, seen
    assert "Upper Arm" in seen and "Thumb 1" in seen and seen.count("sinew.bone_role_keep") == len(found), seen


def roles_are_corrected_kept_and_found_again():
    _, rig, bones = human()
    bpy.context.view_layer.update()
    roles = s.part("bridge.bone_roles")
    keep = next(one for one in s.part("ops.muscle.roles").CLASSES if one.bl_idname == "sinew.bone_role_keep")
    hint = lambda role: keep.description(bpy.context, type("Given", (), {"role": role})())
    assert "Click to keep" in hint("hand.L") and "place" in hint("hand.L"), hint("hand.L")
    assert "No bone was found" in hint("thumb1.L"), hint("thumb1.L")
    # A toe that is none, and a spine that has one joint less.
    enter(rig, "head", bones["neck1"])
    found = listed(rig)
    assert found["head"] == (bones["neck1"], "chosen") and rig.data.bones[bones["neck1"]]["sinew_role"] == "head", found
    assert "Click to have it found again" in hint("head"), hint("head")
    # Another bone for it: the first one is free.
    enter(rig, "head", bones["head"])
    assert listed(rig)["head"] == (bones["head"], "chosen")
    assert "sinew_role" not in rig.data.bones[bones["neck1"]].keys()
    # The empty field has it found again.
    enter(rig, "head", "")
    assert listed(rig)["head"][0] == bones["head"] and listed(rig)["head"][1] != "chosen"
    assert not any("sinew_role" in bone.keys() for bone in rig.data.bones)
    s.done_and_undone(
        lambda: listed(bpy.data.objects["Human Rig"])["hand.R"], bpy.ops.sinew.bone_role_keep, role="hand.R"
    )
    rig = bpy.data.objects["Human Rig"]
    assert listed(rig)["hand.R"] == (bones["hand.R"], "chosen")
    # A bone that is renamed keeps its role; the library hears of it where muscles are placed.
    rig.data.bones[bones["hand.R"]].name = "paw"
    assert listed(rig)["hand.R"] == ("paw", "chosen")
    muscles, target = s.part("bridge.muscles"), s.part("ops.muscle.target")
    ob = bpy.data.objects["Human"]
    s.select(ob)
    assert target.rig_of(ob, muscles.node_of(ob), bpy.context).chosen == {"hand.R": "paw"}
    s.refused("no bone has the role", bpy.ops.sinew.bone_role_keep, role="thumb1.L")
    # What nobody knows is said in the panel, and the fields are empty.
    rig.data.bones["paw"]["sinew_role"] = "claw"
    seen = drawn()
    assert any('"claw" is no role' in text for text in seen), seen
    assert rig.data.sinew_roles.bone_0 == "" and roles.SLOTS > 100


if __name__ == "__main__":
    s.main(s.cases(globals()))
