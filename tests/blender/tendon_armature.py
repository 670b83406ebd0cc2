"""Tendon rigs and armatures, one leading the other: tendon_armature.py ZIP SINEW [CASE...]"""

import pathlib
import sys
import tempfile
import types

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import (
    armature,
    bpy,
    chosen,
    clean,
    load,
    main,
    part,
    refused,
    rig_now,
    rig_parts,
    same_bits,
    show,
    sinew,
    stored,
)

from bl_ext.user_default.sinew.bridge import listeners
from bl_ext.user_default.sinew.bridge.tendon import following
from bl_ext.user_default.sinew.ops.tendon import bodies, simulate
from mathutils import Matrix, Vector


def tendons_lead_an_armature():
    scene = bpy.context.scene
    scene.frame_end = 10
    rig_object = armature()
    sinew.tendon_new_rig()
    chosen(rig_object)
    assert sinew.tendon_from_armature(lead="roots") == {"FINISHED"}
    rig = rig_now()
    bpy.context.view_layer.update()
    bodies = {b.name: b.sinew_tendon.body.mode for b in rig_parts.parts(rig, "body")}
    assert bodies == {"Bone 0": "led", "Bone 1": "free", "Bone 2": "free"}, bodies
    assert len(rig_parts.parts(rig, "joint")) == 2
    axis = part(rig, "joint", "Bone 1 Joint").sinew_tendon.joint.axis[0]
    assert axis.label == "turn_x" and axis.may == "limits" and abs(axis.may_limits[1] - 85.94) < 0.01
    for joint in rig_parts.parts(rig, "joint"):
        joint.sinew_tendon.joint.axis[0].damping = 0.002
    # Toward the side to which the joints' limits let it bend.
    side = (rig_object.matrix_world @ rig_object.data.bones[1].matrix_local).to_3x3() @ Vector((0, 0, 0.01))
    points = [Vector((x, 0, 0)) + side for x in (-0.02, 0.04, 0.06, 0.09, 0.11)]
    sinew.tendon_draw(label="Flexor", points=";".join(f"{p.x} {p.y} {p.z}" for p in points))
    sinew.tendon_add_muscle(kind="muscle", strength=20, travel=0.04)
    part(rig, "muscle", "Flexor Muscle").sinew_tendon.muscle.activation = 0.2
    assert same_bits(rig) > 10
    scene.frame_set(10)
    tip = rig_object.pose.bones["Bone 2"]
    bent = (rig_object.matrix_world @ tip.matrix).translation
    assert (bent - part(rig, "body", "Bone 2").matrix_world.translation).length < 1e-5
    rest = rig_object.data.bones["Bone 2"].matrix_local.translation
    assert (bent - rest).length > 0.003, bent
    # Renaming bones breaks nothing: Blender keeps its own constraints.
    rig_object.data.bones["Bone 0"].name = "\N{CJK UNIFIED IDEOGRAPH-9AA8}"
    text = stored(rig)
    assert sinew.tendon_keys() == {"FINISHED"}
    assert not any(c.target for b in rig_object.pose.bones for c in b.constraints)
    scene.frame_set(1)
    scene.frame_set(10)
    assert ((rig_object.matrix_world @ tip.matrix).translation - bent).length < 1e-4
    assert stored(rig) == text
    # A deleted armature leaves its bodies, which stay where they are.
    bpy.data.objects.remove(rig_object)
    assert sinew.tendon_simulate() == {"FINISHED"}


def keys_that_cannot_follow_are_reported():
    for scale, uneven in (((2, 2, 2), False), ((1, 1, 2), True)):
        bpy.context.scene.frame_end = 6
        rig_object = armature()
        rig_object.rotation_euler = (0.3, 0.5, 0.2)
        rig = bodies_of(rig_object, "roots")
        # Scaled after its bodies were made: bones that turn are skewed.
        rig_object.scale = scale
        bpy.context.scene.gravity = (0, 0, -9.81)
        assert sinew.tendon_simulate() == {"FINISHED"}
        sinew.tendon_check()
        listed = [(p.message, p.about) for p in rig.sinew_tendons.problems if "is scaled unevenly" in p.message]
        assert [about for _, about in listed] == [rig_object] * uneven
        warnings = keyed(rig)
        assert bool(warnings) == uneven, warnings
        assert not uneven or listed[0][0] in warnings[0], warnings
        load.delete(rig)
        bpy.data.objects.remove(rig_object)


def keyed(rig):
    """Writes a rig's motion as keys and gives the warnings."""
    said = []
    simulate.SINEW_OT_tendon_keys.on_rig(
        types.SimpleNamespace(report=lambda *words: said.append(words)), bpy.context, rig
    )
    return [text for kind, text in said if kind == {"WARNING"}]


def bodies_of(rig_object, lead):
    """A rig of the bones of an armature."""
    bpy.context.view_layer.update()
    sinew.tendon_new_rig()
    chosen(rig_object)
    assert sinew.tendon_from_armature(lead=lead) == {"FINISHED"}
    bpy.context.view_layer.update()
    return rig_now()


def scaled(scale, carried):
    """An armature with a scale of its own or of its parent; at the end of the scene its root has turned."""
    rig_object = armature()
    rig_object.location, rig_object.rotation_euler = (0.1, 0.2, 0.3), (0.3, 0.5, 0.2)
    if carried:
        rig_object.parent = bpy.data.objects.new("Root", None)
        bpy.context.scene.collection.objects.link(rig_object.parent)
        rig_object.parent.rotation_euler = (0.7, 0, 0.4)
    (rig_object.parent or rig_object).scale = scale
    root = rig_object.pose.bones[0]
    root.rotation_mode = "XYZ"
    for frame, turn in ((1, 0.0), (6, 0.8)):
        root.rotation_euler.z = turn
        root.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    return rig_object


def agree(rig, rig_object):
    """Bodies must lie along their bones, and joints must turn as bones do."""
    turns = show.angles(rig, bpy.context.scene.frame_current)
    for body in rig_parts.parts(rig, "body"):
        bone = rig_object.pose.bones[body.name]
        ends = [rig_object.matrix_world @ place for place in (bone.head, bone.tail)]
        tip = max((v.co for v in body.data.vertices), key=lambda place: place.y)
        now = [body.matrix_world.translation, body.matrix_world @ tip]
        assert max((a - b).length for a, b in zip(ends, now)) < 1e-5, (body.name, ends, now)
        joint = next((j for j in turns if j.sinew_tendon.joint.child == body), None)
        if joint is not None:
            rest = bone.parent.bone.matrix_local.inverted() @ bone.bone.matrix_local
            posed = rest.inverted() @ bone.parent.matrix.inverted() @ bone.matrix
            assert abs(np.degrees(posed.to_euler().x) - turns[joint][0]) < 0.05, (posed.to_euler(), turns[joint])


def armatures_with_scales():
    scene = bpy.context.scene
    scene.frame_end, scene.gravity = 6, (0, 0, -9.81)
    largest = 0
    for scale in ((1, 1, 1), (2, 2, 2), (1, -1, -1)):
        for lead, carried in (("roots", False), ("roots", True), ("armature", True)):
            rig_object = scaled(scale, carried)
            rig = bodies_of(rig_object, lead)
            agree(rig, rig_object)
            assert sinew.tendon_simulate() == {"FINISHED"}
            for frame in (1, 6, 3):
                scene.frame_set(frame)
                agree(rig, rig_object)
            if lead == "roots":
                largest = max(largest, *(abs(turn[0]) for turn in show.angles(rig, 6).values()))
                assert not keyed(rig)
            clean()
            scene.frame_end, scene.gravity = 6, (0, 0, -9.81)
    assert largest > 5, largest
    uneven, mirrored = '"Rig" is scaled unevenly', '"Rig" is mirrored'
    apply, parent = (
        ": apply its scale (Object > Apply > Scale)",
        ' by its parent "Root": give the parent a scale of three equal',
    )
    for scale, words in (((1, 2, 1), uneven), ((-1, 2, 1), uneven), ((-1, 1, 1), mirrored), ((-2, -2, -2), mirrored)):
        for carried in (False, True):
            # Messages say who scales it.
            rig_object = scaled(scale, carried)
            bpy.context.view_layer.update()
            sinew.tendon_new_rig()
            chosen(rig_object)
            refused(sinew.tendon_from_armature, words + (parent if carried else apply))
            assert not rig_parts.parts(rig_now())
            if not carried:
                # What the message says helps.
                rig_object.animation_data_clear()
                bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
                assert sinew.tendon_from_armature() == {"FINISHED"}
                bpy.context.view_layer.update()
                agree(rig_now(), rig_object)
            clean()


def an_armature_leads():
    scene = bpy.context.scene
    scene.frame_end = 9
    rig_object = armature()
    rig_object.location, rig_object.scale = (1, 2, 3), (2, 2, 2)
    bpy.context.view_layer.update()
    sinew.tendon_new_rig()
    chosen(rig_object)
    sinew.tendon_from_armature(lead="armature")
    rig = rig_now()
    at = [Matrix.Translation((1, 2, 3)) @ Vector((2 * x, 0, -0.02)) for x in (0.01, 0.06, 0.11)]
    sinew.tendon_draw(label="Cord", points=";".join(f"{p.x} {p.y} {p.z}" for p in at))
    bone = rig_object.pose.bones["Bone 1"]
    bone.rotation_mode = "XYZ"
    for frame, turn in ((1, 0.0), (9, 0.6)):
        bone.rotation_euler.x = turn
        bone.keyframe_insert("rotation_euler", frame=frame)
    text = stored(rig)
    assert text.count("<key ") >= 16, text.count("<key ")
    assert sinew.tendon_simulate() == {"FINISHED"}
    scene.frame_set(9)
    result = show.result_of(rig)
    row = result.arrays["body_matrices"][8][result.names["bodies"].index("Bone 2")]
    there = part(rig, "body", "Bone 2").matrix_world
    assert np.allclose(row.reshape(4, 4)[:3, 3], there.translation, atol=1e-5)
    slid = result.arrays["strand_points"]
    assert np.abs(slid[8] - slid[0]).max() > 0.01


def bodies_and_words(lead):
    """Makes bodies from the active armature and gives what the operator reports."""
    said, kind = [], bodies.SINEW_OT_tendon_from_armature
    operator = types.SimpleNamespace(lead=lead, density=1900.0, report=lambda _, words: said.append(words))
    operator.body = lambda *rest: kind.body(operator, *rest)
    kind.on_rig(operator, bpy.context, rig_now())
    return said


def bones_that_leave_their_pose_are_reported():
    """Bodies are made where bones rest; bones that were posed go there."""
    rig_object = armature()
    for bone in rig_object.pose.bones:
        bone.rotation_mode = "XYZ"
    sinew.tendon_new_rig()
    for lead, x, names in (
        ("roots", 0.4, "Bone 1 and 1 more left the pose"),
        ("roots", 0.0, ""),
        ("armature", 0.4, ""),
    ):
        rig_object.pose.bones["Bone 1"].rotation_euler.x = x
        bpy.context.view_layer.update()
        chosen(rig_object)
        words = bodies_and_words(lead)
        assert len(words) == bool(names) and names in "".join(words), (lead, x, words)
        for body in list(bpy.data.objects):
            if body.sinew_tendon.tag:
                bpy.data.objects.remove(body)
    # What followed them is made anew, not twice: bones of removed bodies are left with constraints without a target.
    rig_object.pose.bones["Bone 1"].rotation_euler.x = 0.0
    chosen(rig_object)
    assert sinew.tendon_from_armature(lead="roots") == {"FINISHED"}
    assert [len(bone.constraints) for bone in rig_object.pose.bones] == [0, 2, 2]
    limit = rig_object.pose.bones["Bone 2"].constraints.new("LIMIT_SCALE")
    load.delete(rig_now())
    assert [list(bone.constraints) for bone in rig_object.pose.bones] == [[], [], [limit]]


def copies():
    """The constraints that copy places of what is in the scene, [(of what, name, target)], and what they are on."""
    scene = bpy.context.scene
    followers = [f for o in scene.objects for f in (o, *(o.pose.bones if o.pose else ()))]
    return sorted(
        (f.name, c.name, c.target.name if c.target else "")
        for f in followers
        for c in f.constraints
        if c.type.startswith("COPY")
    )


def what_followed_deleted_things_is_left_as_it_was():
    """Bodies or armatures that are deleted take with them by what others followed them, at once; undo brings both back,
    as often as one likes. What the user added stays."""
    for lead, all_of_it in (("roots", True), ("armature", True), ("roots", False)):
        rig_object = armature()
        rig = bodies_of(rig_object, lead)
        bone = rig_object.pose.bones["Bone 2"]
        bone.constraints.new("COPY_LOCATION")
        there = copies()
        assert len(there) == 7
        # An emptied field is about to be filled.
        ours = next(
            c
            for f in (*rig_object.pose.bones, *rig_parts.parts(rig, "body"))
            for c in f.constraints
            if c.name.startswith("Sinew")
        )
        target, ours.target, ours.influence = ours.target, None, 0.75
        bpy.context.view_layer.update()
        ours.target = target
        assert copies() == there
        bpy.context.scene.frame_end = 4
        if lead == "roots":
            assert sinew.tendon_simulate() == {"FINISHED"} and "Sinew Simulated" in rig_object
        bpy.ops.ed.undo_push(message="before")
        kinds = () if all_of_it else ("body",)
        chosen(*([rig_object] if lead == "armature" else rig_parts.parts(rig, *kinds)))
        # Blender keeps the step before it calls handlers.
        heard = [("depsgraph_update_post", following.scene_edited)]
        listeners.remove(heard)
        assert bpy.ops.object.delete() == {"FINISHED"}
        bpy.ops.ed.undo_push(message="deleted")
        listeners.add(heard, first=True)
        left = [("Bone 2", "Copy Location", "")] if lead == "roots" else []

        def is_clean():
            bpy.context.view_layer.update()
            seen = bpy.data.objects.get("Rig")
            return copies() == left and (
                lead == "armature" or ("Sinew Simulated" not in seen and seen.animation_data is None)
            )

        bpy.context.scene.objects[0].location.x += 1
        assert is_clean(), copies()
        for _ in range(2):
            bpy.ops.ed.undo()
            bpy.context.view_layer.update()
            assert copies() == there, copies()
            followers = (f for o in bpy.data.objects for f in (o, *(o.pose.bones if o.pose else ())))
            influences = [c.influence for f in followers for c in f.constraints if c.type.startswith("COPY")]
            assert sorted(influences) == [0.75] + 6 * [1.0], influences
            bpy.ops.ed.redo()
            assert is_clean(), copies()
        # One step more, and back.
        bpy.ops.ed.undo_push(message="more")
        bpy.ops.ed.undo()
        assert is_clean(), copies()
        # Bones may have bodies again.
        if lead == "roots":
            rig_object = bpy.data.objects["Rig"]
            bodies_of(rig_object, "armature")
            load.delete(rig_now())
        clean()


def what_is_put_into_another_collection_is_followed():
    rig_object = armature()
    rig = bodies_of(rig_object, "roots")
    there, body = copies(), part(rig, "body", "Bone 2")
    rig.objects.unlink(body)
    bpy.context.view_layer.update()
    assert len(copies()) == len(there) - 2, "it is in no collection"
    inner = bpy.data.collections.new("Inner")
    rig.children.link(inner)
    inner.objects.link(body)
    bpy.context.view_layer.update()
    assert copies() == there


def what_follows_other_files_goes_on():
    """What is linked from another file by what follows it alone is in no collection, but not deleted."""
    with tempfile.TemporaryDirectory() as folder:
        bpy.data.libraries.write(f"{folder}/lead.blend", {armature()})
        clean()
        with bpy.data.libraries.load(f"{folder}/lead.blend", link=True) as (there, found):
            found.objects = there.objects
        lead = found.objects[0]
        body, other = (bpy.data.objects.new(name, None) for name in ("Body", "Other"))
        for one in (body, other):
            bpy.context.scene.collection.objects.link(one)
        following.copy_place(body, lead, "Bone 1")
        bpy.context.view_layer.update()
        bpy.data.objects.remove(other)
        bpy.context.view_layer.update()
        assert not lead.users_collection and [c.target for c in body.constraints] == [lead, lead]
        bpy.data.objects.remove(lead)
        bpy.context.view_layer.update()


def bones_in_edit_mode_get_bodies():
    rig_object = armature()
    sinew.tendon_new_rig()
    chosen(rig_object)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig_object.data.edit_bones.new("New")
    bone.head, bone.tail, bone.parent = (0, 0, 0.1), (0, 0, 0.2), rig_object.data.edit_bones["Bone 2"]
    assert sinew.tendon_from_armature(lead="roots") == {"FINISHED"}
    assert {body.name for body in rig_parts.parts(rig_now(), "body")} == {"Bone 0", "Bone 1", "Bone 2", "New"}


def main_cases():
    helpers = {"agree", "bodies_of", "copies", "keyed", "scaled", "bodies_and_words", "main_cases"}
    return {n: c for n, c in globals().items() if getattr(c, "__module__", "") == "__main__" and n not in helpers}


if __name__ == "__main__":
    main(main_cases())
