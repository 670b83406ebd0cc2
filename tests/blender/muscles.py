"""Muscles on bodies: muscles.py ZIP CASE...

The bodies are turned, moved and scaled; their bones have odd names."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s
from alive import Window

from nodes import Layout

TURNED = ((3.0, -2.0, 1.0), (0.4, -0.7, 1.1), (1.5, 1.5, 1.5))


def arms(name="Body", place=TURNED, names=("wurzel", "Oberarm.L", "Hand.L", "Oberarm.R", "Hand.R"), length=1.0):
    """Two closed tubes to the left and right of a root, each with two bones; the left hand bends over the frames."""
    rig = s.link(bpy.data.objects.new(f"{name} Rig", bpy.data.armatures.new(f"{name} Rig")))
    rig.location, rig.rotation_euler, rig.scale = place
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    heads = (0, 0.2, 0.2 + length, -0.2, -0.2 - length)
    tails = (0.1, 0.2 + length, 0.2 + 2 * length, -0.2 - length, -0.2 - 2 * length)
    for bone, head, tail in zip(names, heads, tails):
        made = bones.new(bone)
        made.head, made.tail = (head, 0, 0.05 if bone == names[0] else 0), (tail, 0.02, 0)
    for child, parent in ((1, 0), (2, 1), (3, 0), (4, 3)):
        bones[names[child]].parent = bones[names[parent]]
    # Rolls are rarely mirrored.
    bones[names[3]].roll += 0.9
    bpy.ops.object.mode_set(mode="OBJECT")
    ob = tubes(name, length, names)
    ob.parent = rig
    ob.modifiers.new("Armature", "ARMATURE").object = rig
    posed = rig.pose.bones[names[2]]
    posed.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (12, 1.2)):
        posed.rotation_euler = (angle, 0, 0.2 * angle)
        posed.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    return ob, rig


def tubes(name, length, names):
    """The skin of both arms, with weights that change smoothly at the elbows."""
    around, along, points, faces = 20, 24, [], []
    for sign in (1, -1):
        first = len(points)
        for r in range(along + 1):
            x = sign * (0.1 + (0.2 + 2 * length) * r / along)
            points += [
                (x, 0.2 * np.cos(a), 0.2 * np.sin(a)) for a in sign * np.linspace(0, 2 * np.pi, around, endpoint=False)
            ]
        quads = [(r * around + a, r * around + (a + 1) % around) for r in range(along) for a in range(around)]
        faces += [(first + a, first + b, first + around + b, first + around + a) for a, b in quads]
        faces += [
            tuple(range(first, first + around))[::-1],
            tuple(range(first + along * around, first + (along + 1) * around)),
        ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    ob = s.link(bpy.data.objects.new(name, mesh))
    for side, upper, lower in ((1, names[1], names[2]), (-1, names[3], names[4])):
        groups = [ob.vertex_groups.new(name=bone) for bone in (upper, lower)]
        for vertex in mesh.vertices:
            if vertex.co.x * side > 0:
                share = float(np.clip((vertex.co.x * side - 0.2 - length) / 0.3 + 0.5, 0, 1))
                groups[0].add([vertex.index], 1 - share, "REPLACE")
                groups[1].add([vertex.index], share, "REPLACE")
    return ob


def with_muscles(**how):
    """A body with a muscle along each upper arm."""
    ob, rig = arms(**how)
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="bizeps.L", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    assert bpy.ops.sinew.muscles_mirror() == {"FINISHED"}
    return ob, rig


def settings_of(ob):
    return ob.sinew.nodes[0].of_muscle_skin


def names(ob):
    return [one.name for one in ob.sinew_muscles.names]


def shape(ob, frame):
    """The body as the muscles leave it in a frame, in its own space."""
    s.go_to(frame)
    assert s.state(ob)[0] == "computed", s.state(ob)
    return s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)


def muscles_are_made_from_posed_bones():
    ob, rig = arms()
    s.select(ob)
    assert not bpy.ops.sinew.muscle_create.poll()
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    s.refused("muscle skin already", bpy.ops.sinew.muscles_skin)
    s.select(rig)
    bpy.ops.object.mode_set(mode="POSE")
    s.refused("select two bones", bpy.ops.sinew.muscle_create)
    for bone in ("Oberarm.L", "Hand.L"):
        chosen = rig.pose.bones[bone]
        if hasattr(chosen, "select"):
            chosen.select = True
        else:
            chosen.bone.select = True
        rig.data.bones.active = rig.data.bones[bone]
    assert bpy.ops.sinew.muscle_create() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    assert names(ob) == ["Oberarm.L to Hand.L"]
    s.select(ob)
    assert bpy.ops.sinew.muscle_create(label="dünn", origin="Hand.L", insertion="Oberarm.L", size=0.03) == {"FINISHED"}
    s.refused("already", bpy.ops.sinew.muscle_create, label="dünn", origin="Hand.L", insertion="Oberarm.L")
    s.refused('no joint "Fuß"', bpy.ops.sinew.muscle_create, origin="Hand.L", insertion="Fuß")
    assert names(ob) == ["Oberarm.L to Hand.L", "dünn"] and s.part("bridge.muscles").chosen_name(ob) == "dünn"
    assert bpy.ops.sinew.muscle_remove() == {"FINISHED"} and names(ob) == ["Oberarm.L to Hand.L"]
    # From a tenth of its bone to a fifth of the other one, with 0.9 of the room that the tube of 0.2 leaves, in the
    # scale of the object.
    text = settings_of(ob).param_muscles
    size = float(text.partition(' size="')[2].partition('"')[0])
    assert 0.24 < size < 0.3, size
    place = [float(word) for word in text.partition(' insertion="')[2].partition('"')[0].split()]
    assert np.abs(np.array(place) - 1.5 * np.array((1.2 + 0.2, 0.004, 0))).max() < 1e-5, place
    assert bpy.ops.sinew.muscles_mirror() == {"FINISHED"} and names(ob) == [
        "Oberarm.L to Hand.L",
        "Oberarm.R to Hand.R",
    ]
    s.refused("nothing was added", bpy.ops.sinew.muscles_mirror)


def what_a_mirror_warns_of_is_shown():
    """An arm whose bones name no side: the image stays on them."""
    ob, _rig = arms(names=("wurzel", "Oberarm", "Hand", "Oberarm.R", "Hand.R"))
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="bizeps.L", origin="Oberarm", insertion="Hand") == {"FINISHED"}
    window = Window()
    assert window.click(s.part("ops.muscle.make").SINEW_OT_muscles_mirror, across="x") == {"FINISHED"}
    assert names(ob) == ["bizeps.L", "bizeps.R"]
    assert [kind for kind, _ in window.said] == [{"WARNING"}, {"INFO"}] and "stays on the same joints" in window.said[
        0
    ][1], window.said


def muscles_carry_the_skin_wherever_the_body_stands():
    """Turned, moved, scaled and moved again after the muscles were made: the shape in the body's own space stays the
    same."""
    expected = None
    for place in (((0, 0, 0), (0, 0, 0), (1, 1, 1)), TURNED):
        s.empty()
        ob, rig = with_muscles(place=place)
        rest = s.points(ob.data)
        assert np.abs(shape(ob, 1) - rest).max() < 1e-5, np.abs(shape(ob, 1) - rest).max()
        found = shape(ob, 6)
        if expected is not None:
            assert np.abs(found - expected).max() < 2e-3, np.abs(found - expected).max()
        expected = found
    settings_of(ob).param_weight_factor = 0.0
    by_bones = shape(ob, 6)
    assert 1e-3 < np.abs(by_bones - found).max() < 0.5
    settings_of(ob).param_weight_factor = 1.0
    before = shape(ob, 6)
    rig.location.x += 7
    rig.rotation_euler.z += 1.0
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(1)
    after = shape(ob, 6)
    assert np.abs(after - before).max() < 1e-4, np.abs(after - before).max()


def sets_survive_files_undo_and_names(folder):
    ob, rig = with_muscles()
    bpy.ops.ed.undo_push(message="made")
    played = shape(ob, 5)
    text = settings_of(ob).param_muscles
    assert text.lstrip().startswith("<") and names(ob) == ["bizeps.L", "bizeps.R"]
    bpy.context.scene.frame_set(1)
    assert bpy.ops.sinew.muscle_create(label="third", origin="Hand.L", insertion="wurzel", size=0.05) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="third")
    assert len(names(ob)) == 3
    bpy.ops.ed.undo()
    ob = bpy.data.objects["Body"]
    assert names(ob) == ["bizeps.L", "bizeps.R"] and settings_of(ob).param_muscles == text
    bpy.ops.ed.redo()
    ob = bpy.data.objects["Body"]
    assert len(names(ob)) == 3 and "third" in settings_of(ob).param_muscles
    bpy.ops.ed.undo()
    path = f"{folder}/muscles.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    ob = bpy.data.objects["Body"]
    assert names(ob) == ["bizeps.L", "bizeps.R"] and settings_of(ob).param_muscles == text
    assert np.array_equal(shape(ob, 5), played)
    ob.name = "Körper / 身体"
    assert np.array_equal(shape(ob, 5), played)
    # A set in a file: the list follows it, and the first change copies it into the .blend.
    pathlib.Path(f"{folder}/set.xml").write_text(text.replace("bizeps", "biceps"))
    settings_of(ob).param_muscles = "//set.xml"
    assert names(ob) == ["biceps.L", "biceps.R"]
    s.select(ob)
    ob.sinew_muscles.active = 0
    assert bpy.ops.sinew.muscle_remove() == {"FINISHED"} and names(ob) == ["biceps.R"]
    assert settings_of(ob).param_muscles.lstrip().startswith("<")
    settings_of(ob).param_muscles = "//nothing.xml"
    s.refused("cannot be read", bpy.ops.sinew.muscle_remove) if names(ob) else None
    s.refused("nothing.xml", bpy.ops.sinew.muscles_mirror)


def muscles_are_copied_to_other_proportions():
    source, _ = with_muscles()
    settings_of(source).param_bulge_factor = 1.7
    target, _ = arms("Zweiter", place=((-4.0, 5, 0), (0, 0, 2.0), (0.6, 0.6, 0.6)), length=1.6)
    s.select(target)
    assert bpy.ops.sinew.muscles_copy(source="Body") == {"FINISHED"}
    assert names(target) == names(source) and abs(settings_of(target).param_bulge_factor - 1.7) < 1e-6
    rest = s.points(target.data)
    assert np.abs(shape(target, 1) - rest).max() < 1e-5
    muscles = s.part("bridge.muscles")
    here = muscles.here_of(target, target.sinew.nodes[0], bpy.context)
    found = muscles.shape(here)
    inside = s.part("bridge.gather").moved(found.points, np.linalg.inv(here.rest_world))
    assert inside[:, 0].max() < 2.2 and np.abs(inside[:, 1:]).max() < 0.3, "inside the arms, and scaled to their length"
    assert inside[:, 0].max() > 2.0
    alone, _ = arms("Dritter", names=("a", "b", "c", "d", "e"))
    s.select(alone)
    s.refused("0 joint names in common", bpy.ops.sinew.muscles_copy, source="Body")
    assert not alone.sinew.nodes or not names(alone)
    empty = s.link(bpy.data.objects.new("Empty", None))
    s.select(empty)
    assert not bpy.ops.sinew.muscles_copy.poll()


def physiques_change_all_selected_bodies():
    first, _ = with_muscles()
    second, _ = arms("Zweiter", place=((-4.0, 5, 0), (0, 0, 2.0), (0.6, 0.6, 0.6)))
    s.select(second)
    assert bpy.ops.sinew.muscles_copy(source="Body") == {"FINISHED"}
    first.select_set(True)
    plain = {ob: shape(ob, 1) for ob in (first, second)}
    assert bpy.ops.sinew.muscles_physique(preset="heavy") == {"FINISHED"}
    assert bpy.ops.sinew.muscles_physique(preset="heavy", bulge=2.0) == {"FINISHED"}
    for ob in (first, second):
        found = settings_of(ob)
        factors = [getattr(found, f"param_{name}_factor") for name in ("size", "bulge", "stiffness", "damping")]
        assert np.allclose(factors, (2.0, 3.0, 0.3, 0.6)), factors
        heavy = shape(ob, 1)
        wider = np.linalg.norm(heavy[:, 1:], axis=1) - np.linalg.norm(plain[ob][:, 1:], axis=1)
        assert wider.max() > 0.02, wider.max()
    assert bpy.ops.sinew.muscles_physique(preset="as_made") == {"FINISHED"}
    assert np.abs(shape(first, 1) - plain[first]).max() < 1e-6
    options = {item[0] for item in s.part("ops.muscle.physique").known()}
    assert options == {"as_made", "heavy", "gaunt", "jelly", "athletic", "old", "average"}


def muscles_are_shown_and_chosen():
    ob, rig = with_muscles()
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"}
    live = ob.sinew_muscles.live
    assert live.name == "Body Muscles" and len(live.data.vertices) == 144 and len(live.data.polygons) == 128

    def places():
        values = s.points(live.data).astype(float)
        return values @ np.array(live.matrix_world)[:3, :3].T + np.array(live.matrix_world)[:3, 3]

    s.go_to(1)
    rest = places()
    shape(ob, 12)
    moved = np.linalg.norm(places() - rest, axis=1)
    assert moved[72:].max() < 1e-4 < 0.05 < moved[:72].max(), "only the left arm bends"
    assert len(live.data.polygons) == 128
    inside = np.linalg.inv(np.array(ob.matrix_world))
    local = rest @ inside[:3, :3].T + inside[:3, 3]
    assert np.abs(local[:, 1:]).max() < 0.2 and local[:72, 0].min() > 0.15 and local[72:, 0].max() < -0.15, (
        "they lie in the arms"
    )

    def chosen():
        index = np.empty(len(live.data.polygons), np.int32)
        live.data.polygons.foreach_get("material_index", index)
        return index

    ob.sinew_muscles.active = 0
    assert chosen()[:64].all() and not chosen()[64:].any()
    ob.sinew_muscles.active = 1
    assert chosen()[64:].all() and not chosen()[:64].any()
    assert bpy.ops.sinew.muscle_frame() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="third", origin="Hand.R", insertion="wurzel", size=0.05) == {"FINISHED"}
    assert len(live.data.vertices) == 216 and len(live.data.polygons) == 192
    s.go_to(12)
    assert s.state(ob)[0] == "computed", s.state(ob)
    # A copy of the body shows muscles of its own.
    copy = s.link(ob.copy())
    copy.data = ob.data.copy()
    s.select(copy)
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"} and copy.sinew_muscles.live != live
    bpy.data.objects.remove(copy)
    s.select(live)
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"} and "Body Muscles" not in bpy.data.objects
    s.select(ob)
    assert s.state(ob)[0] in ("computed", "missing")


def muscles_are_sculpted_at_rest():
    ob, rig = with_muscles()
    s.go_to(1)
    s.refused("no sculpted mesh", bpy.ops.sinew.muscles_take)
    ob.sinew_muscles.active = 0
    bpy.context.scene.frame_set(12)
    assert bpy.ops.sinew.muscles_sculpt(which="CHOSEN") == {"FINISHED"}
    made = ob.sinew_muscles.sculpt
    assert bpy.context.object == made and len(made.data.vertices) == 72
    assert bpy.ops.sinew.muscles_take() == {"FINISHED"} and "<offset" not in settings_of(ob).param_muscles, (
        "nothing was sculpted"
    )
    plain = shape(ob, 1)
    # A bump: the ring in the middle goes up by a tenth.
    for vertex in range(32, 40):
        made.data.vertices[vertex].co.z += 0.1
    made.data.update()
    s.select(made)
    assert bpy.ops.sinew.muscles_take() == {"FINISHED"}
    assert settings_of(ob).param_muscles.count("<offset") == 8
    muscles = s.part("bridge.muscles")
    here = muscles.here_of(ob, ob.sinew.nodes[0], bpy.context)
    found = s.part("bridge.gather").moved(muscles.shape(here).points, np.linalg.inv(here.rest_world))
    assert np.abs(found[:72] - s.points(made.data)).max() < 1e-6, "the muscle is where it was sculpted"
    assert np.abs(shape(ob, 1) - plain).max() < 1e-5, "at rest the skin stays"
    bent = shape(ob, 12)
    s.select(made)
    bpy.ops.object.mode_set(mode="EDIT")
    s.refused("edit mode", bpy.ops.sinew.muscles_take)
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    s.refused("do not add, remove or remesh", bpy.ops.sinew.muscles_take)
    assert np.array_equal(shape(ob, 12), bent)
    s.select(ob)
    assert bpy.ops.sinew.muscles_sculpt(which="ALL") == {"FINISHED"} and len(made.data.vertices) == 144
    made.shape_key_add(name="Basis")
    s.refused("shape keys", bpy.ops.sinew.muscles_take)
    made.shape_key_clear()
    s.select(ob)
    ob.sinew_muscles.active = 1
    assert bpy.ops.sinew.muscle_remove() == {"FINISHED"}
    s.refused("were changed since", bpy.ops.sinew.muscles_take)
    # Mirrored, the shape comes along, whatever the rolls of the bones are.
    assert bpy.ops.sinew.muscles_mirror() == {"FINISHED"} and settings_of(ob).param_muscles.count("<offset") == 16
    here = muscles.here_of(ob, ob.sinew.nodes[0], bpy.context)
    found = s.part("bridge.gather").moved(muscles.shape(here).points, np.linalg.inv(here.rest_world))
    images = found[:72] * (-1, 1, 1)
    off = np.linalg.norm(images[:, None] - found[None, 72:], axis=2).min(axis=1).max()
    assert off < 1e-5, off


def weights_are_made_and_painted():
    ob, rig = with_muscles()
    automatic = shape(ob, 12)
    s.refused("Make Weights", bpy.ops.sinew.muscle_paint)
    assert bpy.ops.sinew.muscle_weights() == {"FINISHED"}
    assert {"bizeps.L", "bizeps.R"} <= set(ob.vertex_groups.keys())
    made = shape(ob, 12)
    assert np.abs(made - automatic).max() < 0.03, np.abs(made - automatic).max()
    # A muscle that is left out does not shift the weights of the others: one that the rig leaves out, one that is
    # impossible, and one that cannot be read, which no operator throws away either.
    text = settings_of(ob).param_muscles
    ends = 'origin_joint="Oberarm.L" origin="0 0 0" insertion_joint="Hand.L" insertion="1 0 0"'
    for lost in (
        '<muscle name="lost" origin_joint="nowhere" origin="0 0 0" insertion_joint="nowhere" insertion="1 0 0" '
        'size="0.1"/>',
        f'<muscle name="lost" {ends} size="0.1" count="0"/>',
        f'<muscle name="lost" {ends} size="thick" count="2"/>',
    ):
        settings_of(ob).param_muscles = broken = text.replace("<muscle ", lost + "<muscle ", 1)
        assert np.array_equal(shape(ob, 12), made), lost
        if "thick" in lost:
            s.refused(
                'size is "thick"', bpy.ops.sinew.muscle_create, label="new", origin="Oberarm.L", insertion="Hand.L"
            )
            assert settings_of(ob).param_muscles == broken
        else:
            assert bpy.ops.sinew.muscle_create(label="new", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
            assert 'name="lost"' in settings_of(ob).param_muscles
    settings_of(ob).param_muscles = text
    assert bpy.ops.sinew.muscle_weights_automatic() == {"FINISHED"}
    again = shape(ob, 12)
    assert np.array_equal(again, automatic), np.abs(again - automatic).max()
    assert bpy.ops.sinew.muscle_weights() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="second.L", origin="Oberarm.L", insertion="Hand.L", size=0.25) == {
        "FINISHED"
    }
    assert bpy.ops.sinew.muscle_weights() == {"FINISHED"}
    ob.sinew_muscles.active = 0
    assert bpy.ops.sinew.muscle_paint() == {"FINISHED"} and ob.mode == "WEIGHT_PAINT"
    assert ob.vertex_groups.active.name == "bizeps.L"
    carried = [
        v.index
        for v in ob.data.vertices
        if any(ob.vertex_groups[g.group].name == "second.L" and g.weight > 0.2 for g in v.groups)
    ]
    assert len(carried) > 20
    # What a brush does: the weight of the active group, then an update.
    ob.vertex_groups["bizeps.L"].add(carried, 0.9, "REPLACE")
    ob.data.update()
    bpy.context.view_layer.update()
    for vertex in carried:
        weights = {ob.vertex_groups[g.group].name: g.weight for g in ob.data.vertices[vertex].groups}
        assert abs(weights["bizeps.L"] - 0.9) < 1e-6 and weights["second.L"] <= 0.1 + 1e-5, weights
    ob.sinew_muscles.active = 2
    assert ob.vertex_groups.active.name == "second.L"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.abs(shape(ob, 12) - automatic).max() > 1e-3
    ob.vertex_groups.remove(ob.vertex_groups["second.L"])
    bpy.context.view_layer.update()
    shape(ob, 12)
    for group in [g for g in ob.vertex_groups if g.name.startswith("bizeps")]:
        ob.vertex_groups.remove(group)
    ob.data.update()
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(1)
    assert s.state(ob)[0] == "failed" and "Make Weights" in s.state(ob)[1], s.state(ob)


def the_panel_offers_what_is_possible(folder):
    panel = s.part("ui.muscles").SINEW_PT_muscles

    def drawn():
        found = []
        own = {name: made for name, made in vars(panel).items() if name.startswith("draw")}
        type("Drawn", (), {**own, "layout": Layout(found)})().draw(bpy.context)
        return found

    ob, rig = arms()
    s.select(ob)
    assert drawn() == ["sinew.muscles_skin", "sinew.muscles_copy"]
    s.select(rig)
    assert not panel.poll(bpy.context)
    s.select(ob)
    assert panel.poll(bpy.context) and bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    there = drawn()
    assert "sinew.muscles_human" in there and not {
        "sinew.muscles_mirror",
        "sinew.muscles_physique",
        "sinew.muscle_weights",
    } & set(there), there
    assert bpy.ops.sinew.muscle_create(label="bizeps.L", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    there = drawn()
    assert "sinew.muscles_mirror" in there and "sinew.muscles_physique" in there and "sinew.muscle_paint" not in there
    assert bpy.ops.sinew.muscle_weights() == {"FINISHED"}
    assert "sinew.muscle_paint" in drawn() and "sinew.muscle_weights_automatic" in drawn()
    s.select(rig)
    assert panel.poll(bpy.context) and "Body" in drawn(), "the armature's body"
    pathlib.Path(f"{folder}/set.xml").write_text(settings_of(ob).param_muscles)
    settings_of(ob).param_muscles = f"{folder}/set.xml"
    assert any("come from a file" in text for text in drawn())
    assert bpy.ops.sinew.muscles_show() == {"FINISHED"}
    s.select(ob.sinew_muscles.live)
    assert "Body" in drawn(), "the muscles' body"


def bad_bodies_are_reported():
    bare = s.tube("Bare")
    s.select(bare)
    s.refused("no armature moves", bpy.ops.sinew.muscles_skin)
    rig = s.link(bpy.data.objects.new("R", bpy.data.armatures.new("R")))
    bare.modifiers.new("Armature", "ARMATURE").object = rig
    s.select(bare)
    s.refused("bind it first", bpy.ops.sinew.muscles_skin)
    assert not bare.sinew.nodes
    ob, rig = arms()
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    s.refused('bones of "Body Rig" are not those of a human', bpy.ops.sinew.muscles_human)
    found = s.part("bridge.bone_roles").found(rig.data)
    assert not any(row.bone for row in found.rows()) and "no human" in found.warnings[0], found
    s.refused("no muscles yet", bpy.ops.sinew.muscles_show)
    s.refused("no muscles yet", bpy.ops.sinew.muscles_sculpt)
    s.refused("no muscles yet", bpy.ops.sinew.muscle_weights)
    s.refused("no muscle to remove", bpy.ops.sinew.muscle_remove)
    assert bpy.ops.sinew.muscle_create(label="Hand.L", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    s.refused("is a muscle and a bone", bpy.ops.sinew.muscle_weights)
    bpy.ops.object.mode_set(mode="EDIT")
    s.refused("edit mode", bpy.ops.sinew.muscle_create, origin="Oberarm.L", insertion="Hand.L")


OTHERS = ("arms", "tubes", "with_muscles", "settings_of", "names", "shape")
CASES = {name: case for name, case in s.cases(globals()).items() if name not in OTHERS}

if __name__ == "__main__":
    s.main(CASES)
