"""Tendons routed along bones of all kinds, shown and hidden: tendon_routes.py ZIP SINEW [CASE...]"""

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import (
    ROOT,
    armature,
    bpy,
    chosen,
    clean,
    fields,
    main,
    part,
    refused,
    rig_parts,
    rod,
    same_bits,
    show,
    sinew,
    stored,
)

from bl_ext.user_default.sinew.bridge.tendon import ties
from bl_ext.user_default.sinew.ops.tendon import bodies
from mathutils import Matrix


def chain(unit=1.0):
    """A held rod and two free ones along x, 14.5 cm long, in a scene of that unit in metres."""
    bpy.context.scene.unit_settings.scale_length = unit
    sinew.tendon_new_rig(label="Chain")
    made = [rod(f"Link {k}", (0.05 * k / unit, 0, 0), 0.045 / unit, 0.006 / unit) for k in range(3)]
    for k, one in enumerate(made):
        chosen(one)
        assert sinew.tendon_add_body(mode="free" if k else "held", density=1900) == {"FINISHED"}
    return bpy.data.collections["Chain"], made


def draw(unit=1.0, label="Cord"):
    """A tendon above the chain."""
    places = ((0.01, 0.012), (0.06, 0.012), (0.12, 0.012))
    assert sinew.tendon_draw(label=label, points="; ".join(f"{x / unit} 0 {z / unit}" for x, z in places)) == {
        "FINISHED"
    }
    return bpy.data.objects[label]


def new_tendons_are_as_thick_as_the_rig_is_large():
    """Also before Blender has evaluated the new curve, in any unit; and joints of new bodies are drawn in
    proportion."""
    for unit in (1.0, 0.1, 0.01):
        clean()
        rig, _ = chain(unit)
        radii = [draw(unit, name).sinew_tendon.strand.radius * unit for name in ("Cord", "Second")]
        assert np.allclose(radii, 0.005 * 0.145, rtol=1e-5), (unit, radii)
    for size in (1.0, 0.02):
        clean()
        made = armature(3, 0.05 * size)
        sinew.tendon_new_rig(label="Arm")
        chosen(made)
        assert sinew.tendon_from_armature() == {"FINISHED"}
        rig = bpy.data.collections["Arm"]
        assert np.isclose(bodies.extent(rig), 0.15 * size, rtol=1e-5), bodies.extent(rig)
        drawn = [joint.empty_display_size for joint in rig_parts.parts(rig, "joint")]
        assert len(drawn) == 2 and max(drawn) < 0.01 * size, drawn
    # Curves with a thickness keep it, whatever their scale and the radii of their points.
    clean()
    rig, _ = chain()
    for kind in ("POLY", "BEZIER"):
        thick = curve(kind, kind)
        thick.data.transform(Matrix.Scale(50, 4))
        thick.scale, thick.data.bevel_depth = (0.02, 0.02, 0.02), 0.002
        for point in thick.data.splines[0].bezier_points or thick.data.splines[0].points:
            point.radius = 25
        chosen(thick)
        before = thick.dimensions.y
        assert sinew.tendon_from_curve() == {"FINISHED"}
        bpy.context.view_layer.update()
        assert np.isclose(thick.sinew_tendon.strand.radius, 0.001) and np.isclose(thick.dimensions.y, before), (
            thick.dimensions
        )
        thick.sinew_tendon.strand.radius = 0.003
        bpy.context.view_layer.update()
        assert np.isclose(thick.dimensions.y, 3 * before, rtol=1e-3), (before, thick.dimensions)
    # A first body without a size: there is none yet.
    clean()
    sinew.tendon_new_rig(label="Point")
    bpy.ops.object.empty_add()
    assert sinew.tendon_add_body(mode="held") == {"FINISHED"} and sinew.tendon_draw() == {"FINISHED"}
    first, last = (point.co.to_3d() for point in bpy.context.object.data.splines[0].points)
    assert (first - last).length > 0.05, (first, last)


def off(rig, things, how):
    """Hides objects in one of the ways that Blender has."""
    layer = bpy.context.view_layer
    if how == "with H":
        for one in things:
            one.hide_set(True)
    elif how == "in viewports":
        for one in things:
            one.hide_viewport = True
    else:
        inner = bpy.data.collections.new("Inner")
        rig.children.link(inner)
        for one in things:
            for home in one.users_collection:
                home.objects.unlink(one)
            inner.objects.link(one)
        layer.layer_collection.children[rig.name].children["Inner"].exclude = True
    layer.update()


HIDDEN = ("with H", "in viewports", "excluded")


def points_find_bodies_that_are_hidden_or_edited():
    for how in (*HIDDEN, "edited"):
        clean()
        rig, made = chain()
        # Uneven scale: what is nearest in an object's own axes need not be in the world.
        made[1].scale = (1, 5, 1)
        if how == "edited":
            chosen(made[1])
            bpy.ops.object.mode_set(mode="EDIT")
        else:
            off(rig, made, how)
        nodes = draw().sinew_tendon.strand.node
        assert [node.here.on for node in nodes] == made, (how, [node.here.on for node in nodes])


def what_is_hidden_moves_or_is_reported():
    """Led bodies and driven muscles that are hidden give the bits of those that are seen; where Blender does not
    compute them, that is reported."""
    words = "is off in the view layer, or its collection is, so that Blender does not compute how it moves"
    ours = None
    for how in ("", *HIDDEN):
        clean()
        scene = bpy.context.scene
        scene.frame_end = 4
        rig, made = chain()
        made[0].sinew_tendon.body.mode = "led"
        for frame, x in ((1, 0.0), (4, 0.02)):
            made[0].location.x = x
            made[0].keyframe_insert("location", frame=frame)
        draw()
        assert sinew.tendon_add_muscle(strength=20) == {"FINISHED"}
        muscle = part(rig, "muscle", "Cord Muscle")
        driver = muscle.driver_add("sinew_tendon.muscle.activation").driver
        driver.type, driver.expression = "SCRIPTED", "frame / 100"
        # Whichever frame is shown.
        scene.frame_set(3)
        if how:
            off(rig, rig_parts.parts(rig), how)
        bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection.children[rig.name]
        if how in HIDDEN[1:]:
            refused(sinew.tendon_simulate, f"Link 0 {words}")
            about = {problem.about for problem in rig.sinew_tendons.problems if words in problem.message}
            assert about == {made[0], muscle, *(o for o in rig_parts.parts(rig) if o.parent == made[0])}, about
            continue
        assert sinew.tendon_simulate() == {"FINISHED"}
        arrays = show.result_of(rig).arrays
        ours = ours or arrays
        assert np.ptp(arrays["body_matrices"], axis=0).max() > 0.01 and arrays["activations"][-1].max() > 0.03
        assert all(np.array_equal(ours[name], arrays[name]) for name in ours), how


def armatures_that_are_hidden_get_no_keys():
    """Blender does not pose them, so their bones would be keyed at rest, and no longer follow."""
    made = armature()
    sinew.tendon_new_rig(label="Arm")
    chosen(made)
    assert sinew.tendon_from_armature() == {"FINISHED"}
    draw()
    bpy.context.scene.frame_end = 4
    assert sinew.tendon_simulate() == {"FINISHED"}
    bpy.context.scene.frame_set(4)
    place = bpy.data.objects["Bone 2"].matrix_world.translation.copy()
    bound = [len(bone.constraints) for bone in made.pose.bones]
    made.hide_viewport = True
    refused(sinew.tendon_keys, "Rig: hidden, so that Blender does not pose its bones: show it first")
    assert [len(bone.constraints) for bone in made.pose.bones] == bound == [0, 2, 2]
    made.hide_viewport = False
    assert sinew.tendon_keys() == {"FINISHED"}
    bpy.context.scene.frame_set(4)
    bpy.context.view_layer.update()
    assert (made.pose.bones["Bone 2"].matrix.translation - place).length < 1e-6 and place.z < -1e-3, place


def objects_that_cannot_be_parts_leave_the_others_undisturbed():
    rig, made = chain()
    whole, parted = (curve(name) for name in ("Whole", "Parted"))
    parted.data.splines.new("POLY")
    chosen(whole, parted)
    assert sinew.tendon_from_curve() == {"FINISHED"}, "undo has a step for what was done"
    assert whole.sinew_tendon.tag == "strand" and not parted.sinew_tendon.tag
    chosen(parted)
    refused(
        sinew.tendon_from_curve,
        "Parted has 2 splines, but a tendon is one: in edit mode, select one with L and separate it with P",
    )
    loose = rod("Loose", (0, 1, 0), 0.05)
    chosen(loose, parted)
    assert sinew.tendon_add_body(mode="held") == {"FINISHED"}
    assert loose.sinew_tendon.tag == "body" and not parted.sinew_tendon.tag
    chosen(parted)
    refused(sinew.tendon_add_body, "Parted is neither a mesh nor an empty")


def curve(name, kind="POLY", places=((0.01, 0, 0.012), (0.06, 0, 0.012), (0.12, 0, 0.012))):
    """A curve as a modeller draws it, in no rig."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new(kind)
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    points.add(len(places) - 1)
    for point, place in zip(points, places):
        point.co = place if kind == "BEZIER" else (*place, 1)
    made = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(made)
    return made


def what_blender_shows_elsewhere_is_reported():
    """In whichever frame, as modelled: a curve placed by constraints, by deltas of what carries its parent, or on a
    posed bone."""
    words = "Cord: Blender shows it elsewhere than it is simulated: "

    def check(away):
        for frame in (5, 1):
            bpy.context.scene.frame_set(frame)
            chosen(bpy.data.objects["Cord"])
            assert sinew.tendon_check() == {"FINISHED"}
            lines = [(problem.message, problem.about) for problem in rig.sinew_tendons.problems]
            assert len(lines) == away, (away, frame, lines)
            assert all(text.startswith(words) and about == bpy.data.objects["Cord"] for text, about in lines), lines

    for how in ("constraint", "deltas", "keyed pose", "posed"):
        clean()
        rig, _ = chain()
        cord = draw()
        check(False)
        above, middle = (bpy.data.objects.new(name, None) for name in ("Above", "Between"))
        for one in (above, middle):
            bpy.context.scene.collection.objects.link(one)
        if how == "constraint":
            above.location.y = 0.5
            cord.constraints.new("COPY_LOCATION").target = above
        elif how == "deltas":
            middle.parent, cord.parent, above.rotation_euler, middle.delta_location = (
                above,
                middle,
                (1, 2, 3),
                (0, 0.25, 0),
            )
        else:
            bones = armature(1, 0.1)
            cord.parent, cord.parent_type, cord.parent_bone = bones, "BONE", "Bone 0"
            cord.matrix_parent_inverse = (bones.data.bones[0].matrix_local @ Matrix.Translation((0, 0.1, 0))).inverted()
            turned = bones.pose.bones[0]
            turned.rotation_mode = "XYZ"
            for frame, angle in ((1, 0.5 if how == "posed" else 0.0), (9, 1.0)):
                turned.rotation_euler.x = angle
                turned.keyframe_insert("rotation_euler", frame=frame)
        check(how != "keyed pose")
        assert sinew.tendon_simulate() == {"FINISHED"}, "it is a warning"
    # What hangs on a led body goes with it wherever it is led: that is no other place.
    clean()
    made = armature()
    made.pose.bones["Bone 0"].rotation_mode, made.pose.bones["Bone 0"].rotation_euler = "XYZ", (0.5, 0, 0)
    sinew.tendon_new_rig(label="Arm")
    chosen(made)
    assert sinew.tendon_from_armature() == {"FINISHED"}
    body, rig = bpy.data.objects["Bone 0"], bpy.data.collections["Arm"]
    for kind in ("line", "plane"):
        chosen(body)
        assert sinew.tendon_add_guide(kind=kind) == {"FINISHED"}
        assert bpy.context.object.parent == body
    bpy.context.view_layer.update()
    assert sinew.tendon_check() == {"FINISHED"}
    assert not any("Blender shows it elsewhere" in problem.message for problem in rig.sinew_tendons.problems)
    # A NURBS curve does not touch its points, and shape keys are not read.
    clean()
    rig, _ = chain()
    for kind, words in (("NURBS", "passes its points by"), ("POLY", ""), ("BEZIER", "")):
        cord = curve(kind, kind)
        chosen(cord)
        assert sinew.tendon_from_curve() == {"FINISHED"} and sinew.tendon_check() == {"FINISHED"}
        lines = [problem.message for problem in rig.sinew_tendons.problems if problem.about == cord]
        assert len(lines) == bool(words) and all(words in line for line in lines), lines
    cord.shape_key_add(name="Basis")
    sinew.tendon_check()
    assert [problem.about for problem in rig.sinew_tendons.problems if "shape keys" in problem.message] == [cord]


def switched_curves_pull_as_before():
    """The direction of a curve is a matter of counting: ties, muscles and events stay where they are."""
    poses = {}
    for kind in ("muscle", "reel", "hill"):
        for switched in (False, True):
            clean()
            scene = bpy.context.scene
            scene.frame_end = 5
            rig, made = chain()
            for child, parent in zip(made[1:], made):
                scene.cursor.location = child.location
                chosen(child, parent)
                assert sinew.tendon_add_joint(axis="turn_y") == {"FINISHED"}
                part(rig, "joint", f"{child.name} Joint").sinew_tendon.joint.axis[0].damping = 0.01
            cord = draw()
            places = "0.03 0 0.012; 0.06 0 0.012; 0.09 0 0.012; 0.11 0 0.012"
            other = sinew.tendon_draw(label="Other", points=places) and bpy.data.objects["Other"]
            for node, material in zip(other.sinew_tendon.strand.node, (0.01, 0.041, 0.073, 0.094)):
                node.use_material, node.material = True, material
            chosen(other)
            other.sinew_tendon.active_node = 0
            assert sinew.tendon_add_muscle(kind=kind, strength=5) == {"FINISHED"}
            puller = part(rig, kind, f"Other {fields.title(kind)}").sinew_tendon
            getattr(puller, kind).activation = 0.5
            chosen(other)
            assert sinew.tendon_add_event(kind="cut") == {"FINISHED"}
            bpy.data.objects["Cut"].sinew_tendon.cut.time = 0.1
            chosen(cord, other)
            if switched:
                bpy.ops.object.mode_set(mode="EDIT")
                bpy.ops.curve.select_all(action="SELECT")
                bpy.ops.curve.switch_direction()
                bpy.ops.object.mode_set(mode="OBJECT")
            assert sinew.tendon_simulate() == {"FINISHED"}
            poses.setdefault(kind, []).append(show.result_of(rig).arrays["joint_turns"][:, :, 1])
        one, two = poses[kind]
        assert np.ptp(one, axis=0).max() > 5 and np.abs(one - two).max() < 1e-3, (kind, one, two)


def places_that_are_none_are_refused_or_reported():
    """And they leave the size of the rig, by which others are made, as it was."""
    rig, _ = chain()
    for places in ("1 2; 3 4", "a b c; d e f", "1 2 3", "1 2 3;", "nan 0 0; 1 1 1"):
        refused(sinew.tendon_draw, "a tendon needs at least two points of three numbers each", points=places)
    nowhere = curve("Nowhere", places=((0, 0, 0.012), (float("nan"), 0, 0), (0.12, 0, 0.012)))
    chosen(nowhere)
    assert sinew.tendon_from_curve() == {"FINISHED"} and sinew.tendon_check() == {"FINISHED"}
    assert [problem.about for problem in rig.sinew_tendons.problems if problem.error] == [nowhere]
    assert np.isclose(draw().sinew_tendon.strand.radius, 0.005 * 0.145, rtol=1e-5)


def scaled_cuboids_are_reported():
    """What a scene's cuboid is drawn as is no shape of its own: its scale is not simulated."""
    assert sinew.tendon_import(filepath=str(ROOT / "examples/strand/reach.xml")) == {"FINISHED"}
    rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    body = next(one for one in rig_parts.parts(rig, "body") if one.sinew_tendon.body.use_cuboid)
    for scale in (1, 2):
        body.scale = (1, scale, 1)
        bpy.context.view_layer.update()
        assert sinew.tendon_check() == {"FINISHED"}
        lines = [(problem.about, "Size of its cuboid" in problem.message) for problem in rig.sinew_tendons.problems]
        assert lines == ([(body, True)] if scale != 1 else []), lines


def exports_say_where_they_cannot_write():
    chain()
    draw()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/{'x' * 300}.xml"
        refused(sinew.tendon_export, f"Error: {path}: File name too long", filepath=path)


def events_release_what_is_renamed():
    """Ties with and without names of their own, read from a scene and made here: the event follows whatever is renamed,
    and only that."""
    assert sinew.tendon_preset(preset="finger") == {"FINISHED"}
    rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    strand = part(rig, "strand", "FDP")
    bpy.context.scene.frame_end = 3
    for tag in ("in_plane", "on_curve"):
        holder, k, tie = next(
            (one, k, tie) for one, k, here in ties.holders(rig) for tie in getattr(here, tag) if not tie.label
        )
        name = ties.names_of([(tag, tie, ties.here_name(holder, k))])[0]
        chosen(strand)
        assert sinew.tendon_add_event(kind="release") == {"FINISHED"}
        event = next(
            one for one in rig_parts.parts(rig, "release") if not one.sinew_tendon.release.rule
        ).sinew_tendon.release
        event.rule, event.time = name, 0.5
    rules = [one.sinew_tendon.release.rule for one in rig_parts.ordered(rig, "release")]
    for k, one in enumerate(rig_parts.parts(rig)):
        one.name = f'\u0416{k} "&<'
    chosen(strand)
    assert sinew.tendon_check() == {"FINISHED"} and not rig.sinew_tendons.problems, [
        p.message for p in rig.sinew_tendons.problems
    ]
    now = [one.sinew_tendon.release.rule for one in rig_parts.ordered(rig, "release")]
    assert not set(now) & set(rules), (rules, now)
    same_bits(rig)
    tie.label = "Reins"
    sinew.tendon_check()
    tie.label = "Straps"
    assert sinew.tendon_check() == {"FINISHED"} and not any(problem.error for problem in rig.sinew_tendons.problems)
    last = [one.sinew_tendon.release.rule for one in rig_parts.ordered(rig, "release")]
    assert sorted(set(last) - set(now)) == ["Straps"] and len(set(last) & set(now)) == 1, last


def messages_name_parts_once():
    rig, made = chain()
    cord = draw()
    bpy.context.scene.cursor.location = (0.06, 0, 0.012)
    for name in ("Plane", "\u5e73\u9762"):
        chosen(made[0])
        assert sinew.tendon_add_guide(kind="plane") == {"FINISHED"}
        plane = bpy.context.object
        plane.name, plane.sinew_tendon.plane.bone = name, made[0]
        cord.sinew_tendon.active_node = 1
        chosen(plane, cord)
        assert sinew.tendon_constrain(off_bone=True) == {"FINISHED"} and sinew.tendon_check() == {"FINISHED"}
        lines = [
            (problem.message.count(name), problem.about) for problem in rig.sinew_tendons.problems if problem.error
        ]
        assert lines == [(1, plane)], [problem.message for problem in rig.sinew_tendons.problems]
        bpy.data.objects.remove(plane)
        here = cord.sinew_tendon.strand.node[1].here
        here.in_plane.clear()
        here.off_bone.clear()
    # A body copies a bone's location and its rotation: when the bone is gone, one line tells of both.
    made = armature()
    chosen(made)
    assert sinew.tendon_from_armature(lead="armature") == {"FINISHED"}
    chosen(made)
    bpy.ops.object.mode_set(mode="EDIT")
    made.data.edit_bones.remove(made.data.edit_bones["Bone 2"])
    bpy.ops.object.mode_set(mode="OBJECT")
    chosen(cord)
    assert sinew.tendon_check() == {"FINISHED"}
    assert sum('led by the bone "Bone 2"' in problem.message for problem in rig.sinew_tendons.problems) == 1


def directions_are_along_blenders_axes():
    """Gravity and velocities, also in scenes in which y is up; what nobody changes keeps its text."""
    scene, usual = bpy.context.scene, tuple(bpy.context.scene.gravity)
    assert sinew.tendon_preset(preset="finger") == {"FINISHED"}
    rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    text, known = stored(rig), rig.sinew_tendons
    assert 'up="y"' in text or "up=" not in text
    known.use_settings = known.settings.use_gravity = True
    body = part(rig, "body", "Middle").sinew_tendon.body
    body.use_velocity = body.use_angular_velocity = True
    known.settings.gravity, body.velocity, body.angular_velocity = (0, 0, -1.625), (1, 2, 3), (10, 20, 30)
    changed = stored(rig)
    for word in ('gravity="0 -1.625 0"', 'velocity="1 3 -2"', 'angular_velocity="10 30 -20"'):
        assert word in changed, word
    scene.gravity = (0, 0, -1.625)
    chosen(part(rig, "joint", "PIP"))
    assert sinew.tendon_check() == {"FINISHED"} and not rig.sinew_tendons.problems, [
        p.message for p in rig.sinew_tendons.problems
    ]
    scene.gravity = usual
    # Read again, they are what they were.
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/moon.xml"
        assert sinew.tendon_export(filepath=path) == {"FINISHED"}
        before = set(bpy.data.collections)
        assert sinew.tendon_import(filepath=path) == {"FINISHED"}
    again = next(iter(set(bpy.data.collections) - before))
    assert stored(again) == changed and np.allclose(again.sinew_tendons.settings.gravity, (0, 0, -1.625))
    other = next(
        one for one in rig_parts.parts(again, "body") if one.sinew_tendon.name_in_file == "Middle"
    ).sinew_tendon.body
    assert tuple(other.velocity) == (1, 2, 3) and tuple(other.angular_velocity) == (10, 20, 30)


def muscles_need_two_points():
    rig, _ = chain()
    cord = draw()
    cord.data.splines.clear()
    cord.data.splines.new("POLY")
    before = set(bpy.data.objects)
    for kind in ("muscle", "reel", "hill"):
        chosen(cord)
        refused(sinew.tendon_add_muscle, "Cord needs at least two points", kind=kind)
    assert set(bpy.data.objects) == before


if __name__ == "__main__":
    main(
        {
            case.__name__: case
            for case in (
                new_tendons_are_as_thick_as_the_rig_is_large,
                points_find_bodies_that_are_hidden_or_edited,
                what_is_hidden_moves_or_is_reported,
                armatures_that_are_hidden_get_no_keys,
                objects_that_cannot_be_parts_leave_the_others_undisturbed,
                what_blender_shows_elsewhere_is_reported,
                switched_curves_pull_as_before,
                scaled_cuboids_are_reported,
                events_release_what_is_renamed,
                directions_are_along_blenders_axes,
                places_that_are_none_are_refused_or_reported,
                messages_name_parts_once,
                exports_say_where_they_cannot_write,
                muscles_need_two_points,
            )
        }
    )
