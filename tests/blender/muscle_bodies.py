"""Muscles on bodies as characters have them: muscle_bodies.py ZIP CASE..."""

import pathlib
import sys
from xml.etree import ElementTree

import bpy
import numpy as np

import mathutils

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from muscles import TURNED, arms, names, settings_of, shape, with_muscles

LAST = 12
SHIFT = mathutils.Vector((3.0, -2.0, 0.7))


def evaluated(ob):
    return s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)


def by_bones(**how):
    """A body with a muscle that carries nothing and skin that is not relaxed: its node moves it by bones alone."""
    ob, rig = arms(**how)
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="none", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    settings_of(ob).param_weight_factor = settings_of(ob).param_relax = 0.0
    return ob, rig


def check_like_blender(ob, what):
    """The node must move the body as the Armature modifier does."""
    bpy.context.view_layer.update()
    found = shape(ob, LAST).copy()
    ob.sinew.nodes[0].live = False
    bpy.context.view_layer.update()
    expected = evaluated(ob).copy()
    ob.sinew.nodes[0].live = True
    bpy.context.scene.frame_set(1)
    assert np.abs(found - expected).max() < 1e-5, (what, np.abs(found - expected).max())
    return found


def what_the_armature_leaves_in_place_stays_on_the_body():
    """Vertices without weights, bones that do not deform, and a vertex group of the modifier, each changed after frames
    were computed; the body is turned, moved and scaled."""
    ob, rig = by_bones()
    bent = check_like_blender(ob, "at first")
    hand, modifier = rig.data.bones["Hand.L"], ob.modifiers["Armature"]
    hand.use_deform = False
    assert np.abs(check_like_blender(ob, "a bone that does not deform") - bent).max() > 0.5
    hand.use_deform = True
    group = ob.vertex_groups.new(name="part")
    group.add(list(range(350)), 0.25, "REPLACE")
    modifier.vertex_group = "part"
    partly = check_like_blender(ob, "a vertex group of the modifier")
    assert np.abs(partly - bent).max() > 0.5
    modifier.invert_vertex_group = True
    assert np.abs(check_like_blender(ob, "inverted") - partly).max() > 0.3
    modifier.vertex_group = ""
    for one in ob.vertex_groups:
        one.remove([3, 4, 400])
    loose = check_like_blender(ob, "vertices without weights")
    assert np.abs(loose - bent).max(axis=1)[[3, 4, 400]].max() > 0.5
    said = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).remarks
    assert any(
        "vertices without weights of bones move with the object alone: 3, the first is vertex 3" in text
        for text in said
    ), said


def bones_that_are_edited_at_rest_are_read_again():
    ob, rig = by_bones()
    bent = check_like_blender(ob, "at first")
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["Hand.L"].head.z += 0.3
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.abs(check_like_blender(ob, "another rest pose") - bent).max() > 0.1
    # Bendy bones bend as the pose says; the node knows one place for each bone.
    remarks = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene)
    assert not remarks.remarks
    rig.data.bones["Oberarm.L"].bbone_segments = 4
    bpy.context.view_layer.update()
    assert remarks.remarks == ['bendy bones carry the body as straight ones: "Oberarm.L"'], remarks.remarks


def mirrored_bodies_keep_their_muscles():
    """A negative scale turns faces over, but Blender shows their normals outwards: muscles carry the skin as on the
    body that is mirrored."""
    ob, _rig = with_muscles()
    expected, (place, turn, _scale) = shape(ob, LAST), TURNED
    for scale in ((-1.5, 1.5, 1.5), (1.5, -1.5, 1.5)):
        s.empty()
        ob, _rig = with_muscles(place=(place, turn, scale))
        found = shape(ob, LAST)
        assert np.abs(found - expected).max() < 1e-4, (scale, np.abs(found - expected).max())
        said = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).printed
        assert not [text for text in said if "carry no skin" in text or "carries no skin" in text], said


def shape_keys_act_before_bones_and_muscles():
    """Keyed, driven, muted, in a vertex group, and relative to another key."""
    ob, rig = arms()
    part = ob.vertex_groups.new(name="part")
    part.add(list(range(100, 160)), 0.5, "REPLACE")
    ob.shape_key_add(name="Basis")
    made = [ob.shape_key_add(name=name) for name in ("keyed", "driven", "muted", "part", "relative")]
    for number, key in enumerate(made):
        for vertex in range(120, 200):
            key.data[vertex].co.z += 0.05 * (number + 1)
        key.value = 0.7
    keyed, driven, muted, partly, relative = made
    for frame, value in ((1, 0.0), (LAST, 1.0)):
        keyed.value = value
        keyed.keyframe_insert("value", frame=frame)
    driven.driver_add("value").driver.expression = "frame / 20"
    muted.mute, partly.vertex_group, relative.relative_key = True, "part", muted
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"} and settings_of(ob).in_points.choice == "KEYS"
    assert bpy.ops.sinew.muscle_create(label="bizeps.L", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    settings_of(ob).param_weight_factor = settings_of(ob).param_relax = 0.0
    check_like_blender(ob, "shape keys")
    keyed.mute = True
    without = check_like_blender(ob, "one of them is muted")
    keyed.mute = False
    assert np.abs(check_like_blender(ob, "and no longer") - without).max() > 0.04
    settings_of(ob).param_weight_factor = 1.0
    with_it = shape(ob, LAST)
    keyed.mute = True
    assert np.abs(shape(ob, LAST) - with_it).max() > 0.04, "the muscles carry it, too"
    # One that got its muscles before its keys is reported.
    settings_of(ob).in_points.choice = "REST"
    bpy.context.scene.frame_set(1)
    said = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).remarks
    assert any('the shape keys of "Body" are not read: choose Shape Keys' in text for text in said), said
    ob.data.shape_keys.use_relative = False
    settings_of(ob).in_points.choice = "KEYS"
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "failed" and "absolute" in s.state(ob)[1], s.state(ob)


def long_names_of_muscles_fit_their_vertex_groups():
    """Blender cuts the names of vertex groups after 63 bytes."""
    bones = (
        "wurzel",
        "Oberarm" + 40 * "ü" + ".L",
        "Hand" + 50 * "a" + ".L",
        "Oberarm" + 40 * "ü" + ".R",
        "Hand" + 50 * "a" + ".R",
    )
    bones = tuple(bone if len(bone.encode()) < 63 else bone.replace(40 * "ü", 20 * "ü") for bone in bones)
    ob, _rig = arms(names=bones)
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    s.refused("too long", bpy.ops.sinew.muscle_create, label="x" * 64, origin=bones[1], insertion=bones[2])
    for _ in range(2):
        assert bpy.ops.sinew.muscle_create(origin=bones[1], insertion=bones[2]) == {"FINISHED"}
    first, second = names(ob)
    assert (
        max(len(name.encode()) for name in names(ob)) <= 63 and second.endswith(" 2") and first.startswith(bones[1])
    ), names(ob)
    automatic = shape(ob, LAST)
    assert bpy.ops.sinew.muscle_weights() == {"FINISHED"} and set(names(ob)) <= set(ob.vertex_groups.keys())
    assert np.abs(shape(ob, LAST) - automatic).max() < 0.03
    ob.sinew_muscles.names[0].name = "y" * 80
    assert names(ob)[0] == "y" * 63 and "y" * 63 in ob.vertex_groups
    assert np.abs(shape(ob, LAST) - automatic).max() < 0.03
    # A set from elsewhere may have longer ones.
    settings_of(ob).param_muscles = settings_of(ob).param_muscles.replace("y" * 63, "y" * 64)
    s.refused("too long for the vertex group", bpy.ops.sinew.muscle_weights)


def muscles_keep_their_places_when_the_scale_is_applied(folder):
    """Of the body and its armature, also undone; in a file of before, too. A scale that is changed is not applied."""
    ob, rig = with_muscles()
    expected = shape(ob, LAST) * 1.5
    settings_of(ob).param_weight_factor = 0.0
    assert np.abs(shape(ob, LAST) * 1.5 - expected).max() > 0.02, "the muscles show"
    settings_of(ob).param_weight_factor = 1.0
    ob.sinew.nodes[0].rest_samples = 24 * (0,)
    bpy.context.scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/scaled.blend")
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/scaled.blend")
    ob, rig = bpy.data.objects["Body"], bpy.data.objects["Body Rig"]
    s.select(ob)
    rig.select_set(True)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.object.transform_apply(location=False, rotation=False, scale=True) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="applied")
    assert tuple(ob.scale) == (1, 1, 1) and np.allclose(ob.sinew.nodes[0].rest_world, np.identity(4).ravel(), atol=1e-6)
    assert np.abs(shape(ob, LAST) - expected).max() < 2e-4, np.abs(shape(ob, LAST) - expected).max()
    said = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).printed
    assert not said, said
    bpy.ops.ed.undo()
    ob = bpy.data.objects["Body"]
    assert np.abs(shape(ob, LAST) * 1.5 - expected).max() < 2e-4
    before = list(ob.sinew.nodes[0].rest_world)
    bpy.data.objects["Body Rig"].scale = (3, 3, 3)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(1)
    assert list(ob.sinew.nodes[0].rest_world) == before


def muscles_keep_their_places_whatever_is_applied():
    """Location, rotation and scale of body and armature, in a frame in which what they hang on is elsewhere, undone and
    done again. What is moved, or whose mesh is moved in edit mode, is not applied."""

    def in_world(ob):
        points = shape(ob, LAST)
        return points @ np.array(ob.matrix_world)[:3, :3].T + np.array(ob.matrix_world)[:3, 3]

    for location, rotation, scale in (
        (True, False, False),
        (False, True, False),
        (False, True, True),
        (True, True, True),
    ):
        s.empty()
        ob, rig = with_muscles()
        rig.parent = mover = s.link(bpy.data.objects.new("Mover", None))
        for frame, x in ((1, 0.0), (LAST, 2.0)):
            mover.location.x = x
            mover.keyframe_insert("location", frame=frame)
        s.go_to(1)
        expected = in_world(ob)
        rest = list(ob.sinew.nodes[0].rest_world)
        settings_of(ob).param_weight_factor = 0.0
        assert np.abs(in_world(ob) - expected).max() > 0.02, "the muscles show"
        settings_of(ob).param_weight_factor = 1.0
        bpy.context.scene.frame_set(7)
        s.select(ob)
        rig.select_set(True)
        bpy.ops.ed.undo_push(message="before")
        assert bpy.ops.object.transform_apply(location=location, rotation=rotation, scale=scale) == {"FINISHED"}
        bpy.ops.ed.undo_push(message="applied")
        for step in (lambda: None, bpy.ops.ed.undo, bpy.ops.ed.redo):
            step()
            ob = bpy.data.objects["Body"]
            bpy.context.view_layer.update()
            s.go_to(1)
            assert np.abs(in_world(ob) - expected).max() < 1e-4, (
                location,
                rotation,
                scale,
                step,
                np.abs(in_world(ob) - expected).max(),
            )
            said = set(s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).printed)
            # Said before it had any.
            said.discard("there are no muscles, so joints alone move the skin")
            assert not [text for text in said if "skin" in text or "outside" in text], said
        assert np.abs(np.subtract(ob.sinew.nodes[0].rest_world, rest)).max() > 0.1
        bpy.context.scene.frame_set(1)
        rest = list(ob.sinew.nodes[0].rest_world)
        bpy.data.objects["Mover"].location.y += 3
        bpy.context.view_layer.update()
        s.select(ob)
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.transform.translate(value=(0.1, 0, 0))
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.update()
        assert list(ob.sinew.nodes[0].rest_world) == rest


def locked_weights_stay_while_others_are_painted():
    ob, _rig = with_muscles()
    for label in ("second.L", "third.L"):
        assert bpy.ops.sinew.muscle_create(label=label, origin="Oberarm.L", insertion="Hand.L", size=0.25) == {
            "FINISHED"
        }
    assert bpy.ops.sinew.muscle_weights() == {"FINISHED"}
    vertices = list(range(100, 160))
    for name, weight in (("bizeps.L", 0.1), ("second.L", 0.3), ("third.L", 0.5)):
        ob.vertex_groups[name].add(vertices, weight, "REPLACE")
    ob.vertex_groups["second.L"].lock_weight = True
    ob.sinew_muscles.active = 0
    assert bpy.ops.sinew.muscle_paint() == {"FINISHED"}

    def painted(weight):
        ob.vertex_groups["bizeps.L"].add(vertices, weight, "REPLACE")
        ob.data.update()
        bpy.context.view_layer.update()
        return [
            [ob.vertex_groups[name].weight(vertex) for vertex in vertices]
            for name in ("bizeps.L", "second.L", "third.L")
        ]

    assert np.allclose(painted(0.4), [[0.4], [0.3], [0.3]], atol=1e-6)
    assert np.allclose(painted(0.9), [[0.9], [0.3], [0.0]], atol=1e-6), "the locked one alone is more than what is left"
    # Painted on both sides at once, those of the muscle and of its counterpart stay as they were painted.
    ob.data.use_mirror_x = ob.data.use_mirror_vertex_groups = True
    other_side = [vertex.index for vertex in ob.data.vertices if vertex.co.x < -1]
    for name, weight in (("bizeps.R", 0.7), ("third.L", 0.6)):
        ob.vertex_groups[name].add(other_side, weight, "REPLACE")
    painted(0.9)
    found = [[ob.vertex_groups[name].weight(vertex) for vertex in other_side] for name in ("bizeps.R", "third.L")]
    assert np.allclose(found, [[0.7], [0.3]], atol=1e-6), found
    bpy.ops.object.mode_set(mode="OBJECT")


def modifiers_behind_the_armature_go_on_from_the_muscles():
    """A smoothing one and a second armature, there before the muscles; one in front is reported."""
    ob, rig = arms()
    smooth = ob.modifiers.new("Smooth", "CORRECTIVE_SMOOTH")
    smooth.factor, smooth.iterations = 0.8, 10
    other = s.link(rig.copy())
    other.animation_data_clear()
    other.pose.bones["Hand.L"].rotation_euler = (0, 0, 0.4)
    ob.modifiers.new("Second", "ARMATURE").object = other
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    kinds = [m.type if m.type != "NODES" else m.name.rpartition(" ")[0] for m in ob.modifiers]
    assert kinds[0] == "ARMATURE" and kinds[-2:] == ["CORRECTIVE_SMOOTH", "ARMATURE"], kinds
    assert bpy.ops.sinew.muscle_create(label="none", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    settings_of(ob).param_weight_factor = settings_of(ob).param_relax = 0.0
    found = []
    for on in (True, False):
        smooth.show_viewport = ob.modifiers["Second"].show_viewport = on
        s.go_to(LAST)
        found.append((evaluated(ob).copy(), s.state(ob)))
        ob.sinew.nodes[0].live = False
        bpy.context.view_layer.update()
        assert np.abs(found[-1][0] - evaluated(ob)).max() < 1e-5, (on, found[-1][1])
        ob.sinew.nodes[0].live = True
        s.go_to(1)
    assert np.abs(found[0][0] - found[1][0]).max() > 0.1
    # Skin that slides over the muscles reads the body without them, which is no mistake of the user's; behind a
    # subdivision it is one.
    capture, smooth.show_viewport = s.part("bridge.capture"), True
    capture.check_order(ob)
    ob.modifiers.move(ob.modifiers.find(ob.modifiers.new("Finer", "SUBSURF").name), 3)
    try:
        capture.check_order(ob)
        raise AssertionError([m.name for m in ob.modifiers])
    except s.part("bridge.problem").Problem as problem:
        assert '"Smooth"' in str(problem), problem
    ob.modifiers.remove(ob.modifiers["Finer"])
    taper = ob.modifiers.new("Taper", "SIMPLE_DEFORM")
    ob.modifiers.move(ob.modifiers.find(taper.name), 0)
    s.part("bridge.runtime").touched(ob)
    bpy.context.scene.frame_set(1)
    said = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).remarks
    assert any('in front of the Armature modifier have no effect: "Taper"' in text for text in said), said


def muscles_are_mirrored_onto_bones_beside_the_origin():
    """The body was moved in edit mode: the image lies on the right bones as the original on the left ones."""
    ob, rig = arms()
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in rig.data.edit_bones:
        bone.head, bone.tail = bone.head + SHIFT, bone.tail + SHIFT
    bpy.ops.object.mode_set(mode="OBJECT")
    for vertex in ob.data.vertices:
        vertex.co = vertex.co + SHIFT
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="bizeps.L", origin="Oberarm.L", insertion="Hand.L", size=0.05) == {
        "FINISHED"
    }
    assert bpy.ops.sinew.muscles_mirror() == {"FINISHED"} and names(ob) == ["bizeps.L", "bizeps.R"]
    left, right = (read_ends(settings_of(ob).param_muscles, k) for k in (0, 1))
    bones = rig.data.bones
    for k, bone in enumerate(("Oberarm", "Hand")):
        # The set is in the size of the body in the scene.
        away = [
            np.array(end[k]) - 1.5 * bones[f"{bone}.{side}"].head_local for end, side in ((left, "L"), (right, "R"))
        ]
        assert np.abs(away[0] * (-1, 1, 1) - away[1]).max() < 1e-5, (bone, away)


def read_ends(text, which):
    """Origin and insertion of a muscle in the XML of a set."""
    muscle = ElementTree.fromstring(text).findall("muscle")[which]
    return [[float(word) for word in muscle.get(end).split()] for end in ("origin", "insertion")]


def an_armature_in_edit_mode_says_so():
    ob, rig = with_muscles()
    found = shape(ob, 6)
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.frame_set(7)
    assert s.state(ob)[0] == "failed" and s.state(ob)[1].endswith("in which bones have no pose: leave it"), s.state(ob)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.array_equal(shape(ob, 6), found)


if __name__ == "__main__":
    OTHERS = ("read_ends", "evaluated", "by_bones", "check_like_blender")
    s.main({name: case for name, case in s.cases(globals()).items() if name not in OTHERS})
