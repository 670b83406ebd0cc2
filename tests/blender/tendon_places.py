"""Where bodies of tendon rigs are: parents, keys, deltas, scales: tendon_places.py ZIP SINEW [CASE...]"""

import itertools
import pathlib
import sys
import tempfile
import types

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support
from tendon_support import bpy, chosen, clean, main, refused, rod, show, sinew, stored

from bl_ext.user_default.sinew.bridge.tendon import curves, places
from bl_ext.user_default.sinew.ops.tendon import route
from mathutils import Matrix, Quaternion, Vector


def chain(order=("Base", "Middle", "Tip")):
    """Three rods along x that hang by hinges, made bodies in an order; the base is led. Gives the rig and its bodies by
    name."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 9
    scene.frame_set(1)
    sinew.tendon_new_rig(label="Chain")
    starts = {"Base": 0.0, "Middle": 0.05, "Tip": 0.1}
    made = {name: rod(name, (starts[name], 0, 0), 0.05) for name in order}
    for name, body in made.items():
        chosen(body)
        sinew.tendon_add_body(mode="led" if name == "Base" else "free")
    for parent, child in (("Base", "Middle"), ("Middle", "Tip")):
        scene.cursor.matrix = Matrix.Translation((starts[child], 0, 0))
        chosen(made[child], made[parent])
        sinew.tendon_add_joint(axis="turn_y")
    return bpy.data.collections["Chain"], made


def slide(thing, before, after, frames=(1, 9)):
    """Keys a move along x."""
    for frame, x in zip(frames, (before, after)):
        thing.location.x = x
        thing.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(frames[0])


def wanted(rig, bodies, frame):
    """Where the result has bodies in a frame."""
    result = show.result_of(rig)
    matrices = result.arrays["body_matrices"][result.index(frame)]
    at = [matrices[result.names["bodies"].index(name)].reshape(4, 4) for name in bodies]
    return np.array([places.rigid(Matrix(matrix)) for matrix in at])


def shown(bodies):
    """Where bodies are shown."""
    return np.array([places.rigid(body.matrix_world) for body in bodies.values()])


def shown_as_simulated(rig, bodies, frames=(1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 9, 9, 4, 8, 8, 1)):
    """Bodies must be shown where they were simulated, played, jumped to and set again."""
    scene = bpy.context.scene
    for frame in frames:
        scene.frame_set(frame)
        off = np.abs(shown(bodies) - wanted(rig, bodies, frame)).max()
        assert off < 2e-6, (frame, off, shown(bodies)[:, :3, 3], wanted(rig, bodies, frame)[:, :3, 3])


def carried_bodies_are_shown_where_they_were_simulated():
    scene = bpy.context.scene
    orders = ("Base", "Middle", "Tip"), ("Tip", "Middle", "Base")
    for order, how in itertools.product(orders, ("body", "bone", "between", "keys")):
        rig, made = chain(order)
        slide(made["Base"], 0.0, 0.3)
        carry(made, how)
        free = {name: made[name] for name in ("Middle", "Tip")}
        assert sinew.tendon_simulate() == {"FINISHED"}
        bpy.context.view_layer.update()
        assert np.abs(shown(free) - wanted(rig, free, 1)).max() < 2e-6, "once it is simulated"
        shown_as_simulated(rig, free)
        if how in ("body", "keys"):
            same_bits_in_any_order(free)
        scene.frame_set(6)
        rig.sinew_tendons.shown = "modelled"
        rig.sinew_tendons.shown = "simulated"
        bpy.context.view_layer.update()
        assert np.abs(shown(free) - wanted(rig, free, 6)).max() < 2e-6, "shown again"
        clean()


def same_bits_in_any_order(bodies):
    """What is played and what is jumped to is the same to the last bit."""
    scene, found = bpy.context.scene, []
    for order in (range(1, 10), (5, 1, 9, 4, 2, 8, 3, 7, 6)):
        now = {}
        for frame in order:
            scene.frame_set(frame)
            now[frame] = [tuple(map(tuple, body.matrix_world)) for body in bodies.values()]
        found.append(now)
    assert found[0] == found[1]


def carry(made, how):
    """Parents the middle to what moves and the tip to the middle."""
    if how == "body":
        places.attach(made["Middle"], made["Base"])
        places.attach(made["Tip"], made["Middle"])
    elif how == "bone":
        data = bpy.data.armatures.new("Lead")
        lead = bpy.data.objects.new("Lead", data)
        bpy.context.scene.collection.objects.link(lead)
        chosen(lead)
        bpy.ops.object.mode_set(mode="EDIT")
        bone = data.edit_bones.new("Bone")
        bone.head, bone.tail = (0, 0, 0), (0, 0, 0.1)
        bpy.ops.object.mode_set(mode="OBJECT")
        pose = lead.pose.bones["Bone"]
        pose.rotation_mode = "XYZ"
        for frame, turn in ((1, 0.0), (9, 0.8)):
            pose.rotation_euler.x = turn
            pose.keyframe_insert("rotation_euler", frame=frame)
        bpy.context.scene.frame_set(1)
        before = made["Middle"].matrix_world.copy()
        made["Middle"].parent, made["Middle"].parent_type, made["Middle"].parent_bone = lead, "BONE", "Bone"
        made["Middle"].matrix_parent_inverse = (
            data.bones["Bone"].matrix_local @ Matrix.Translation((0, 0.1, 0))
        ).inverted()
        bpy.context.view_layer.update()
        assert (made["Middle"].matrix_world.translation - before.translation).length < 1e-6
        places.attach(made["Tip"], made["Middle"])
    elif how == "between":
        empty = bpy.data.objects.new("Between", None)
        bpy.context.scene.collection.objects.link(empty)
        slide(empty, 0.0, 0.02)
        bpy.context.view_layer.update()
        places.attach(made["Middle"], made["Base"])
        empty.parent = made["Middle"]
        bpy.context.view_layer.update()
        made["Tip"].parent = empty
        made["Tip"].matrix_parent_inverse = empty.matrix_world.inverted()
    else:
        slide(made["Tip"], 0.1, 0.2)


def carried():
    """A simulated chain of bodies, children first, whose base slides and carries the others: the rig and its bodies by
    name."""
    rig, made = chain(("Tip", "Middle", "Base"))
    slide(made["Base"], 0.0, 0.3)
    carry(made, "body")
    assert sinew.tendon_simulate() == {"FINISHED"}
    return rig, made


def carried_bodies_are_rendered_where_they_were_simulated():
    """A rendered frame shows what playback shows, whichever frame was shown before."""
    scene = bpy.context.scene
    rig, made = carried()
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "BLENDER_WORKBENCH", 160, 90
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.matrix_world = Matrix.Translation((0.25, -0.5, 0)) @ Matrix.Rotation(np.pi / 2, 4, "X")
    camera.data.clip_start, scene.camera = 0.001, camera

    def picture(path):
        image = bpy.data.images.load(path)
        pixels = np.empty(160 * 90 * 4, np.float32)
        image.pixels.foreach_get(pixels)
        return pixels

    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = f"{folder}/####"
        bpy.ops.render.render(animation=True)
        played = picture(f"{folder}/0009.png")
        scene.frame_set(1)
        scene.frame_start = 9
        scene.render.filepath = f"{folder}/jumped####"
        bpy.ops.render.render(animation=True)
        jumped = picture(f"{folder}/jumped0009.png")
        # As it is without parents, which needs no care.
        scene.frame_set(9)
        for name in ("Tip", "Middle"):
            matrix = made[name].matrix_world.copy()
            made[name].parent = None
            places.clear_delta(made[name])
            made[name].matrix_world = matrix
        rig.sinew_tendons.digest = ""
        scene.render.filepath = f"{folder}/plain####"
        bpy.ops.render.render(animation=True)
        plain = picture(f"{folder}/plain0009.png")
    assert np.ptp(plain) > 0.1, "nothing is seen"
    assert np.abs(played - plain).max() < 0.05 and np.abs(jumped - plain).max() < 0.05


def skin_meets_carried_bodies_in_their_frame():
    """Skin that hangs on bodies slides as over bodies that move in the same way by keys alone: played, caught up with,
    and rendered."""
    scene = bpy.context.scene
    rig, made = carried()
    free = {name: made[name] for name in ("Middle", "Tip")}
    skin = support.tube("Skin", length=4.0)
    skin.matrix_world = Matrix.Rotation(np.pi / 2, 4, "Y") @ Matrix.Scale(0.15 / 4, 4)
    bpy.context.view_layer.update()
    for name, low, high in (("Middle", 9, 16), ("Tip", 17, 25)):
        hook = skin.modifiers.new(name, "HOOK")
        hook.object, hook.falloff_type = free[name], "NONE"
        hook.matrix_inverse = free[name].matrix_world.inverted() @ skin.matrix_world
        hook.vertex_indices_set(range(24 * low, 24 * high))
    support.slide(skin)

    def played():
        found = support.play(skin, range(1, 10))
        bpy.ops.sinew.forget()
        return found

    def rendered(folder):
        scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "BLENDER_WORKBENCH", 16, 16
        scene.render.filepath = f"{folder}/"
        scene.camera = support.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
        found = {}

        def keep(scene, *_):
            found[scene.frame_current] = support.uvs(skin).copy()

        bpy.app.handlers.render_post.append(keep)
        bpy.ops.render.render(animation=True)
        bpy.app.handlers.render_post.remove(keep)
        return found

    def caught_up():
        scene.frame_set(1)
        bpy.ops.sinew.forget()
        support.go_to(9)
        return {9: support.uvs(skin).copy()}

    scene.frame_set(5)
    ways = [played(), caught_up()]
    with tempfile.TemporaryDirectory() as folder:
        scene.frame_set(7)
        bpy.ops.sinew.forget()
        ways.append(rendered(folder))
    worlds = {}
    for frame in range(1, 10):
        scene.frame_set(frame)
        worlds[frame] = {name: body.matrix_world.copy() for name, body in free.items()}
    rig.sinew_tendons.digest = ""
    for body in free.values():
        body.parent = None
        places.clear_delta(body)
    for frame, matrices in worlds.items():
        for name, matrix in matrices.items():
            body = free[name]
            body.rotation_mode = "QUATERNION"
            body.location, body.rotation_quaternion, _ = matrix.decompose()
            body.keyframe_insert("location", frame=frame)
            body.keyframe_insert("rotation_quaternion", frame=frame)
    scene.frame_set(1)
    bpy.ops.sinew.forget()
    plain = played()
    assert np.abs(plain[9] - plain[1]).max() > 0.01, "nothing slides"
    for found in ways:
        off = {frame: float(np.abs(values - plain[frame]).max()) for frame, values in found.items()}
        assert max(off.values()) < 1e-3, off


def the_frame_in_which_it_is_simulated_does_not_matter():
    scene = bpy.context.scene

    def keys(made):
        slide(made["Base"], 0.0, 0.1)

    def free_keys(made):
        slide(made["Base"], 0.0, 0.1)
        slide(made["Tip"], 0.1, 0.3)

    def driver(made):
        made["Base"].driver_add("location", 2).driver.expression = "frame / 100"

    def parent(made):
        root = bpy.data.objects.new("Root", None)
        scene.collection.objects.link(root)
        bpy.context.view_layer.update()
        for one in list(bpy.data.objects):
            if one.parent is None and one != root:
                one.parent = root
        slide(root, 0.0, 0.2)

    for how in (keys, free_keys, driver, parent):
        rig, made = chain()
        sinew.tendon_draw(label="Cord", points="0.01 0 0.012; 0.06 0 0.012; 0.13 0 0.012")
        how(made)
        scene.frame_set(1)
        text = stored(rig)
        assert sinew.tendon_simulate() == {"FINISHED"}
        arrays, digest = show.result_of(rig).arrays, rig.sinew_tendons.digest
        for frame in (5, 9):
            rig.sinew_tendons.shown = "modelled"
            scene.frame_set(frame)
            assert stored(rig) == text and scene.frame_current == frame, (how, frame)
            sinew.tendon_check()
            assert not [p.message for p in rig.sinew_tendons.problems if p.error], how
            show.forget(rig)
            assert sinew.tendon_simulate() == {"FINISHED"}
            assert rig.sinew_tendons.digest == digest and scene.frame_current == frame
            again = show.result_of(rig).arrays
            assert all(np.array_equal(arrays[name], again[name]) for name in arrays), (how, frame)
        shown_as_simulated(rig, {name: made[name] for name in ("Middle", "Tip")})
        scene.frame_set(5)
        said = []
        route.tell_frame(types.SimpleNamespace(report=lambda kind, words: said.append((kind, words))), scene, rig)
        assert said and said[0][0] == {"WARNING"} and "frame 1, where Base may be elsewhere" in said[0][1], said
        clean()


def bodies_that_blender_places_elsewhere_are_reported():
    rig, made = chain()

    def listed():
        sinew.tendon_check()
        return [(p.message, p.about) for p in rig.sinew_tendons.problems]

    slide(made["Base"], 0.0, 0.1)
    assert not listed()
    made["Base"].sinew_tendon.body.mode = "held"
    words = "Base is held, but keys, drivers, constraints or a parent move it: make it led, or remove them"
    assert listed() == [(words, made["Base"])]
    made["Base"].animation_data_clear()
    assert not listed()
    root = bpy.data.objects.new("Root", None)
    bpy.context.scene.collection.objects.link(root)
    made["Base"].parent = root
    assert not listed()
    slide(root, 0.0, 0.1)
    assert listed() == [(words, made["Base"])]
    root.animation_data_clear()
    bound = made["Tip"].constraints.new("COPY_LOCATION")
    assert listed() == [("Tip is free, but its constraints place it: make it led, or remove them", made["Tip"])]
    bound.mute = True
    assert not listed()


def undo_shows_carried_bodies_where_they_were_simulated():
    scene = bpy.context.scene
    rig, made = carried()
    for frame in (9, 4):
        scene.frame_set(frame)
        bpy.ops.ed.undo_push(message=f"frame {frame}")
    sinew.tendon_clear()
    bpy.ops.ed.undo_push(message="clear")
    for operator, frame in ((bpy.ops.ed.undo, 4), (bpy.ops.ed.undo, 9), (bpy.ops.ed.redo, 4)):
        operator()
        scene, rig = bpy.context.scene, bpy.data.collections["Chain"]
        bpy.context.view_layer.update()
        free = {name: bpy.data.objects[name] for name in ("Middle", "Tip")}
        assert np.abs(shown(free) - wanted(rig, free, scene.frame_current)).max() < 2e-6, (frame, scene.frame_current)
    shown_as_simulated(rig, free)


def deltas_are_kept():
    """Objects that are placed by their delta transforms stay where they are: as modelled, simulated and cleared."""
    scene = bpy.context.scene
    scene.frame_end = 4
    for mode, rotation in itertools.product(("free", "held", "led"), ("XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE")):
        sinew.tendon_new_rig(label="Rig")
        rig = bpy.data.collections["Rig"]
        body = rod("Body", (0.01, 0.02, 0.03), 0.05)
        body.rotation_mode, body.rotation_euler, body.rotation_axis_angle = rotation, (0.1, 0.2, 0.3), (0.4, 0, 0, 1)
        body.rotation_quaternion = Quaternion((0, 1, 0), 0.7)
        body.scale = (1, 2, 3)
        body.delta_location, body.delta_scale = (0.1, 0.2, 0.3), (2, 1, 0.5)
        body.delta_rotation_euler, body.delta_rotation_quaternion = (0.3, -0.2, 0.1), Quaternion((1, 0, 0), 0.5)
        bpy.context.view_layer.update()
        before = np.array(body.matrix_world)
        chosen(body)
        assert sinew.tendon_add_body(mode=mode) == {"FINISHED"}

        def stayed():
            bpy.context.view_layer.update()
            return np.allclose(before, body.matrix_world, atol=1e-6)

        assert stayed() and np.allclose(before, places.modelled(body), atol=1e-6), (mode, rotation)
        scene.gravity = (0, 0, -9.81)
        assert sinew.tendon_simulate() == {"FINISHED"}
        scene.frame_set(1)
        assert stayed(), (mode, rotation)
        scene.frame_set(4)
        sinew.tendon_clear()
        assert stayed(), (mode, rotation)
        # Made a body again, what a simulation shows is not taken for its place.
        sinew.tendon_simulate()
        scene.frame_set(4)
        chosen(body)
        sinew.tendon_add_body(mode=mode)
        sinew.tendon_clear()
        assert stayed(), (mode, rotation)
        clean()
    rig, made = chain()
    curve = curves.make("Cord", [Vector((x, 0, 0.012)) for x in (-0.39, -0.34, -0.27)], 0.0)
    scene.collection.objects.link(curve)
    curve.delta_location.x = 0.4
    chosen(curve)
    sinew.tendon_from_curve()
    assert [node.here.on.name for node in curve.sinew_tendon.strand.node] == ["Base", "Middle", "Tip"]
    moving = rod("Moving", (0, 0, 0), 0.05)
    moving.delta_location.x = 1
    slide(moving, 0.0, 0.1)
    chosen(moving)
    refused(sinew.tendon_add_body, "Moving has keys or drivers beside delta transforms", mode="led")
    moving.animation_data_clear()
    moving.keyframe_insert("delta_location", frame=1)
    refused(sinew.tendon_add_body, "Moving has keys or drivers beside delta transforms", mode="free")
    assert sinew.tendon_add_body(mode="led") == {"FINISHED"}


def main_cases():
    helpers = {"carried", "carry", "chain", "main_cases", "same_bits_in_any_order", "shown", "shown_as_simulated"}
    helpers |= {"slide", "wanted"}
    return {n: c for n, c in globals().items() if getattr(c, "__module__", "") == "__main__" and n not in helpers}


if __name__ == "__main__":
    main(main_cases())
