"""Tendon rigs on two sides of an armature, and bodies whose leaders are gone: tendon_sides.py ZIP SINEW [CASE...]"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_armature import bodies_of
from tendon_check import listed
from tendon_support import armature, bpy, chosen, clean, main, part, rig_now, rig_parts, rod, sinew

CHAIN = [f"Finger {k}" for k in range(3)]


def two_hands():
    """An armature with a finger on each side of x = 0, turned, moved and scaled within that plane; the two fingers turn
    alike in mirror image, and the right one also by itself from frame 5 on."""
    made = armature()
    chosen(made)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = made.data.edit_bones
    for k, name in enumerate(CHAIN):
        bones[f"Bone {k}"].name = f"{name}.L"
        bones[f"{name}.L"].head.x += 0.1
    bones[f"{CHAIN[2]}.L"].tail.x += 0.1
    for name in CHAIN:
        bones[f"{name}.L"].roll = 0.4
    bpy.ops.armature.select_all(action="SELECT")
    bpy.ops.armature.symmetrize()
    bpy.ops.object.mode_set(mode="OBJECT")
    made.location, made.rotation_euler, made.scale = (0, 0.3, -0.2), (0.6, 0, 0), (2, 2, 2)
    for side, sign in (("L", 1), ("R", -1)):
        root = made.pose.bones[f"{CHAIN[0]}.{side}"]
        root.rotation_mode = "XYZ"
        for frame, turn in ((1, 0.0), (4, 0.5), (5, 0.5), (8, 0.5 if side == "L" else 0.9)):
            root.rotation_euler = (turn, 0, sign * turn)
            root.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 8
    bpy.context.scene.frame_set(1)
    bpy.context.view_layer.update()
    return made


def left_rig(rig_object, lead="roots"):
    """A rig of the left bones."""
    sinew.tendon_new_rig(label="Finger.L")
    chosen(rig_object)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in rig_object.pose.bones:
        (bone if bpy.app.version >= (5, 0, 0) else bone.bone).select = bone.name.endswith("L")
    assert sinew.tendon_from_armature(lead=lead) == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    return bpy.data.collections["Finger.L"]


def places_of(rig_object, side, frames):
    """The heads of the bones of a side in some frames, in the world."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        pose = rig_object.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        found.append([rig_object.matrix_world @ pose[f"{name}.{side}"].tail for name in CHAIN])
    return np.array(found)


def mirrored_rigs_follow_the_bones_of_the_other_side():
    rig_object = two_hands()
    rig = left_rig(rig_object)
    # Something that hangs on a bone.
    hung = rod("Bead.L", (0.1, 0.3, -0.2), 0.02)
    chosen(hung)
    hung.parent, hung.parent_type, hung.parent_bone = rig_object, "BONE", f"{CHAIN[0]}.L"
    bpy.context.view_layer.update()
    assert sinew.tendon_add_body(mode="led") == {"FINISHED"}
    chosen(part(rig, "body", f"{CHAIN[0]}.L"))
    assert sinew.tendon_mirror(axis="x") == {"FINISHED"}
    other = bpy.data.collections["Finger.R"]
    tied = {bone.name: {c.target.name for c in bone.constraints} for bone in rig_object.pose.bones if bone.constraints}
    assert tied == {f"{name}.{side}": {f"{name}.{side}"} for name in CHAIN[1:] for side in "LR"}, tied
    root, bead = part(other, "body", f"{CHAIN[0]}.R"), part(other, "body", "Bead.R")
    assert {(c.target, c.subtarget) for c in root.constraints} == {(rig_object, f"{CHAIN[0]}.R")}
    assert (bead.parent, bead.parent_bone) == (rig_object, f"{CHAIN[0]}.R")
    for one in (rig, other):
        chosen(next(iter(rig_parts.parts(one, "body"))))
        assert not listed(one), listed(one)
        assert sinew.tendon_simulate() == {"FINISHED"}
    # As long as both fingers are led alike they do alike; then the right one goes its own way.
    frames = (1, 3, 5, 8)
    left, right = (places_of(rig_object, side, frames) for side in "LR")
    off = np.abs(left * (-1, 1, 1) - right).max(axis=(1, 2))
    assert np.abs(left[2] - left[0]).max() > 0.02 and off[:3].max() < 1e-4 and off[3] > 0.005, off
    bpy.context.scene.frame_set(4)
    places = [
        np.array(part(one, "body", f"Bead.{side}").matrix_world.translation) for one, side in ((rig, "L"), (other, "R"))
    ]
    assert np.abs(places[0] * (-1, 1, 1) - places[1]).max() < 1e-5, places
    assert sinew.tendon_keys() == {"FINISHED"}
    assert np.abs(places_of(rig_object, "R", frames) - right).max() < 1e-4


def bones_that_cannot_be_tied_are_reported():
    def mirror(rig, axis="x"):
        """Mirrors a rig and gives the other one with the bodies that the checker says are led by nothing."""
        before = set(bpy.data.collections)
        chosen(rig_parts.parts(rig, "body")[0])
        assert sinew.tendon_mirror(axis=axis) == {"FINISHED"}
        other = next(iter(set(bpy.data.collections) - before))
        chosen(rig_parts.parts(other, "body")[0])
        return other, [text for text, _ in listed(other)]

    # No sides; bones of the other side that are elsewhere; those that have bodies.
    rig = bodies_of(armature(), "roots")
    other, said = mirror(rig)
    assert len(said) == 1 and '"Bone 0" of "Rig" has no bone on the other side' in said[0], said
    clean()
    rig_object = two_hands()
    rig = left_rig(rig_object, "armature")
    other, said = mirror(rig, "y")
    assert not any(bone.constraints for bone in rig_object.pose.bones) and not any(
        body.constraints for body in rig_parts.parts(other, "body")
    )
    other, said = mirror(rig)
    assert not said and len([c for body in rig_parts.parts(other, "body") for c in body.constraints]) == 6, said
    third, said = mirror(rig)
    assert not any(body.constraints for body in rig_parts.parts(third, "body"))
    clean()
    rig_object = two_hands()
    rig_object.animation_data_clear()
    rig = left_rig(rig_object, "armature")
    for axis, reason in (
        ("y", "no mirror image on the other side"),
        ("x", ""),
        ("x", "bodies on the other side already"),
    ):
        other, said = mirror(rig, axis)
        assert len(said) == (3 if reason else 0) and all(reason in text for text in said), said


def bodies_whose_leaders_are_gone_are_reported():
    """Deleted, brought back, and led by something else; a bone that is deleted, and a field that is empty."""
    rig_object = armature()
    rig = bodies_of(rig_object, "armature")
    body = part(rig, "body", "Bone 1")
    assert not listed(rig), listed(rig)
    body.constraints.new("COPY_SCALE")
    assert [("deleted" in text, about) for text, about in listed(rig)] == [(True, body)], listed(rig)
    body.constraints.remove(body.constraints[-1])
    bpy.ops.ed.undo_push(message="made")
    chosen(rig_object)
    bpy.ops.object.mode_set(mode="EDIT")
    rig_object.data.edit_bones.remove(rig_object.data.edit_bones["Bone 2"])
    bpy.ops.object.mode_set(mode="OBJECT")
    chosen(body)
    assert {('the bone "Bone 2"' in text, about.name) for text, about in listed(rig)} == {(True, "Bone 2")}, listed(rig)
    bpy.ops.ed.undo_push(message="bone deleted")
    bpy.ops.ed.undo()
    chosen(bpy.data.objects["Rig"])
    assert bpy.ops.object.delete() == {"FINISHED"}
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="deleted")
    rig = rig_now()
    body = part(rig, "body", "Bone 1")
    chosen(body)
    lost = [about.name for text, about in listed(rig) if "deleted" in text and "is led, but" in text]
    assert sorted(lost) == ["Bone 0", "Bone 1", "Bone 2"], listed(rig)
    body.keyframe_insert("location", frame=1)
    part(rig, "body", "Bone 0").sinew_tendon.body.mode = "held"
    part(rig, "body", "Bone 2").constraints.new("COPY_LOCATION").target = body
    assert not listed(rig), listed(rig)
    bpy.ops.ed.undo_push(message="led")
    for _ in range(2):
        bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    chosen(part(rig_now(), "body", "Bone 1"))
    assert not listed(rig_now()), listed(rig_now())


if __name__ == "__main__":
    main(
        {
            case.__name__: case
            for case in (
                mirrored_rigs_follow_the_bones_of_the_other_side,
                bones_that_cannot_be_tied_are_reported,
                bodies_whose_leaders_are_gone_are_reported,
            )
        }
    )
