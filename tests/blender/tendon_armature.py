"""Tendon rigs and armatures, one leading the other: tendon_armature.py ZIP SINEW [CASE...]"""

import pathlib
import sys
import types

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import armature, bpy, chosen, load, main, part, props, rig_now, same_bits, show, sinew, stored  # noqa: E402
from bl_ext.user_default.sinew.ops.tendon import simulate  # noqa: E402
from mathutils import Matrix, Vector  # noqa: E402, there once bpy is


def tendons_lead_an_armature():
    scene = bpy.context.scene
    scene.frame_end = 10
    rig_object = armature()
    sinew.tendon_new_rig()
    chosen(rig_object)
    assert sinew.tendon_from_armature(lead="roots") == {"FINISHED"}
    rig = rig_now()
    bpy.context.view_layer.update()
    bodies = {b.name: b.sinew_tendon.body.mode for b in props.parts(rig, "body")}
    assert bodies == {"Bone 0": "led", "Bone 1": "free", "Bone 2": "free"}, bodies
    assert len(props.parts(rig, "joint")) == 2
    axis = part(rig, "joint", "Bone 1 Joint").sinew_tendon.joint.axis[0]
    assert axis.label == "turn_x" and axis.may == "limits" and abs(axis.may_limits[1] - 85.94) < 0.01
    for joint in props.parts(rig, "joint"):
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


def keys_that_cannot_follow_are_told():
    for scale, uneven in (((2, 2, 2), False), ((1, 1, 2), True)):
        bpy.context.scene.frame_end = 6
        rig_object = armature()
        rig_object.scale = scale
        rig_object.rotation_euler = (0.3, 0.5, 0.2)
        bpy.context.view_layer.update()
        sinew.tendon_new_rig()
        chosen(rig_object)
        sinew.tendon_from_armature(lead="roots")
        bpy.context.scene.gravity = (0, 0, -9.81)
        rig = rig_now()
        assert sinew.tendon_simulate() == {"FINISHED"}
        said = []
        simulate.SINEW_OT_tendon_keys.on_rig(types.SimpleNamespace(report=lambda *words: said.append(words)), bpy.context, rig)
        warnings = [text for kind, text in said if kind == {"WARNING"}]
        assert bool(warnings) == uneven, said
        assert not uneven or '"Rig" is scaled unevenly' in warnings[0], warnings
        load.delete(rig)
        bpy.data.objects.remove(rig_object)


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


def main_cases():
    return {name: case for name, case in globals().items() if getattr(case, "__module__", "") == "__main__" and name != "main_cases"}


if __name__ == "__main__":
    main(main_cases())
