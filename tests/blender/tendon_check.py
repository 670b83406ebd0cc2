"""What the checker tells of parts that the simulation does not read, and rigs with copied parts: tendon_check.py ZIP SINEW [CASE...]"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon import author_finger  # noqa: E402
from tendon_support import armature, bpy, chosen, key, main, part, props, refused, same_bits, sinew, stored  # noqa: E402
from bl_ext.user_default.sinew.ops.tendon import animation  # noqa: E402


def told(rig):
    """The checker's lines, and the parts that they are about."""
    bpy.context.view_layer.update()
    assert sinew.tendon_check() == {"FINISHED"}
    return [(line.message, line.about) for line in rig.sinew_tendons.problems]


def what_is_not_simulated_is_told():
    rig = author_finger()
    assert not told(rig), told(rig)
    middle, flexor, held = part(rig, "body", "Middle"), part(rig, "strand", "Flexor"), part(rig, "body", "Metacarpal")
    middle.modifiers.new("Thick", "SOLIDIFY")
    assert [(text.count('"Thick"'), about) for text, about in told(rig)] == [(1, middle)], told(rig)
    middle.modifiers.clear()
    middle.shape_key_add(name="Basis")
    assert [("shape keys" in text, about) for text, about in told(rig)] == [(True, middle)], told(rig)
    middle.shape_key_clear()
    flexor.data.splines[0].use_cyclic_u = True
    assert [("Cyclic" in text, about) for text, about in told(rig)] == [(True, flexor)], told(rig)
    flexor.data.splines[0].use_cyclic_u = False
    held.keyframe_insert("location", frame=1)
    assert [("make it led" in text, about) for text, about in told(rig)] == [(True, held)], told(rig)
    held.animation_data_clear()
    follow = middle.constraints.new("COPY_LOCATION")
    assert [("make it led" in text, about) for text, about in told(rig)] == [(True, middle)], told(rig)
    follow.mute = True
    chosen(middle)
    sinew.tendon_add_guide(kind="circle")
    circle = bpy.context.object
    circle.scale = (3, 3, 3)
    assert [("Radius" in text, about) for text, about in told(rig)] == [(True, circle)], told(rig)
    circle.scale = (1, 1, 1)
    assert not told(rig), told(rig)


def a_copied_tendon_gets_its_own_points():
    rig = author_finger()
    chosen(part(rig, "strand", "Flexor"))
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    copy.location.y += 0.004
    found = told(rig)
    assert len(found) == 5 and all("Own Point" in text and about == copy for text, about in found), found
    ties = [[len(node.here.on_curve), node.here.on] for node in copy.sinew_tendon.strand.node]
    chosen(copy)
    assert sinew.tendon_unshare(every=True) == {"FINISHED"}
    assert not told(rig), told(rig)
    assert [[len(node.here.on_curve), node.here.on] for node in copy.sinew_tendon.strand.node] == ties
    names = [node.point for strand in props.parts(rig, "strand") for node in strand.sinew_tendon.strand.node]
    assert len(set(names)) == 10, names
    same_bits(rig)


def curves_pull_as_blender_shows_them():
    rig = author_finger()
    muscle, scene = part(rig, "muscle", "Flexor Muscle"), bpy.context.scene
    path = "sinew_tendon.muscle.activation"
    key(muscle, path, 7, 1.0)
    curve = animation.curve(muscle, path)
    for point in curve.keyframe_points:
        point.interpolation = "BACK"
    assert max(curve.evaluate(frame) for frame in range(1, 8)) > 1
    assert not told(rig), told(rig)
    keys = animation.track(muscle, path, 1, (1, 13), 24)
    assert len(keys) > 3, keys
    for seconds, values in keys:
        scene.frame_set(round(1 + 24 * seconds))
        assert values == (muscle.sinew_tendon.muscle.activation,), (seconds, values)
    # Muted, it does not pull at all.
    curve.mute = True
    muscle.sinew_tendon.muscle.activation = 0.25
    assert animation.track(muscle, path, 1, (1, 13), 24) == [(0.0, (0.25,))] and 'activation="0.25"' in stored(rig)


def bones_get_one_body_each():
    for lead in ("roots", "armature"):
        for ob in list(bpy.data.objects):
            bpy.data.objects.remove(ob)
        rig_object = armature()
        sinew.tendon_new_rig()
        chosen(rig_object)
        assert sinew.tendon_from_armature(lead=lead) == {"FINISHED"}
        before = len(bpy.data.objects)
        chosen(rig_object)
        refused(sinew.tendon_from_armature, "bodies exist for Bone 0, Bone 1, Bone 2", lead=lead)
        assert len(bpy.data.objects) == before


if __name__ == "__main__":
    main({case.__name__: case for case in (
        what_is_not_simulated_is_told, a_copied_tendon_gets_its_own_points, curves_pull_as_blender_shows_them,
        bones_get_one_body_each,
    )})
