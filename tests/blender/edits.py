"""Edits that show in other frames than the one at hand, or in other scenes: frames that were computed before them are
not shown as computed. And those that move nothing, which cost no frames. edits.py ZIP CASE..."""

import pathlib
import struct
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s

# How a frame is shown of which an edit may have changed the result: at rest, or as it was.
WAITING = ("missing", "outdated")


def stage(placed=False):
    """A body that slides with inertia, so that each frame depends on all before it; on a moved and turned parent, if
    `placed`."""
    ob = s.tube()
    rig = s.armature(ob)
    if placed:
        parent = s.link(bpy.data.objects.new("Parent", None))
        parent.location, parent.rotation_euler, parent.scale = (3, -2, 1), (0.3, 0.2, 1), (2, 2, 2)
        ob.parent = rig.parent = parent
    item = s.slide(ob)
    item.of_skin_slider.param_mode = "dynamic"
    update()
    return ob, rig, item


def update():
    bpy.context.view_layer.update()


def trusted(ob, scene=None):
    return s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], scene or bpy.context.scene).timeline.frames()


def from_scratch(ob, frame):
    s.select(ob)
    assert bpy.ops.sinew.forget() == {"FINISHED"}
    return s.play(ob, range(1, frame + 1))[frame].copy()


def must_be_noticed(ob, edit, name, start=1):
    """Played, then edited in the first frame: another frame is caught up with before it counts as computed."""
    s.go_to(start)
    before = s.play(ob, range(start, 13))[8].copy()
    bpy.context.scene.frame_set(start)
    edit()
    update()
    bpy.context.scene.frame_set(8)
    assert s.state(ob)[0] in WAITING, (name, s.state(ob))
    assert bpy.ops.sinew.catch_up() == {"FINISHED"}
    caught_up = s.evaluated_uvs(ob).copy()
    assert not np.array_equal(caught_up, before), (name, "the edit matters")
    assert np.array_equal(caught_up, from_scratch(ob, 8)), name


def paint_weights(ob):
    upper, lower = ob.vertex_groups["upper"], ob.vertex_groups["lower"]
    for vertex in ob.data.vertices:
        weight = float(np.clip(vertex.co.z / 4 * 1.5 - 0.3, 0, 1))
        upper.add([vertex.index], weight, "REPLACE")
        lower.add([vertex.index], 1 - weight, "REPLACE")
    ob.data.update()


def move_joint(rig):
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["lower"].tail.z = rig.data.edit_bones["upper"].head.z = 1.4
    bpy.ops.object.mode_set(mode="OBJECT")


def limit(rig):
    made = rig.pose.bones["upper"].constraints.new("LIMIT_ROTATION")
    made.use_limit_y, made.max_y, made.owner_space = True, 0.3, "LOCAL"


def edits_at_rest_that_change_later_frames_are_noticed():
    """In the first frame the body stands at rest, and none of these shows there."""
    for placed in (False, True):
        s.empty()
        ob, rig, _ = stage(placed)
        modifier = ob.modifiers["Armature"]
        for edit in (
            lambda: paint_weights(ob),
            lambda: move_joint(rig),
            lambda: limit(rig),
            lambda: setattr(rig.pose.bones["upper"].constraints[0], "influence", 0.5),
            lambda: setattr(modifier, "use_deform_preserve_volume", True),
            lambda: setattr(modifier, "vertex_group", "lower"),
            lambda: setattr(modifier, "show_viewport", False),
            lambda: setattr(modifier, "show_viewport", True),
            lambda: setattr(rig.data, "pose_position", "REST"),
        ):
            must_be_noticed(ob, edit, edit.__code__.co_names)


def exports_change_nothing(folder):
    """When one begins, Blender reports the keys as edited. What is edited then is noticed."""
    ob, rig, item = stage()
    # Frames are computed that are not exported.
    scene, item.use_start, item.start = bpy.context.scene, True, 1
    scene.frame_start, scene.frame_end = 5, 6
    played = s.play(ob, range(1, 13))
    for name, export in (("Alembic", bpy.ops.wm.alembic_export), ("USD", bpy.ops.wm.usd_export)):
        scene.frame_set(3)
        s.select(ob)
        more = {} if name == "Alembic" else {"export_animation": True}
        assert export(filepath=f"{folder}/shot.{'abc' if name == 'Alembic' else 'usdc'}", **more) == {"FINISHED"}
        update()
        assert trusted(ob) == list(range(1, 13)), (name, trusted(ob))
        for frame in (3, 8, 12):
            scene.frame_set(frame)
            assert s.state(ob)[0] == "computed", (name, frame, s.state(ob))
            assert np.array_equal(s.evaluated_uvs(ob), played[frame]), (name, frame)
    curve = next(iter(s.part("bridge.animation").curves_of(rig.animation_data.action)))
    must_be_noticed(ob, lambda: curve.keyframe_points.insert(12, 0.7), "a key after an export")


def sculpted_corrections_are_noticed():
    """A shape that a bone brings in is sculpted where it does not show."""
    ob, rig, _ = stage()
    ob.shape_key_add(name="Basis")
    shape = ob.shape_key_add(name="correction")
    driver = shape.driver_add("value").driver
    driver.type, variable = "SCRIPTED", driver.variables.new()
    variable.name, target = "turn", variable.targets[0]
    target.id, target.data_path, driver.expression = rig, 'pose.bones["upper"].rotation_euler[1]', "turn"
    update()

    def sculpt():
        for vertex, point in zip(ob.data.vertices, shape.data):
            if vertex.co.z > 1.5:
                point.co = (vertex.co.x * 1.6, vertex.co.y * 0.6, vertex.co.z)
        ob.data.update()

    must_be_noticed(ob, sculpt, "sculpted")
    must_be_noticed(ob, lambda: setattr(shape, "mute", True), "muted")


def caches_and_geometry_nodes_that_are_exchanged_are_noticed(folder):
    ob = s.tube()
    places = s.points(ob.data).astype(np.float64)

    def write(path, amount):
        with open(path, "wb") as out:
            out.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, len(places), 0, 1, 12))
            for frame in range(12):
                turn = np.clip((places[:, 2] - 1.5) / 1.5, 0, 1) * amount * frame / 11
                posed, up = places.copy(), np.where(places[:, 2] > 1.5, places[:, 2] - 2, 0)
                posed[:, 0] = places[:, 0] * np.cos(turn) + up * np.sin(turn)
                posed[:, 2] += up * (np.cos(turn) - 1) - places[:, 0] * np.sin(turn)
                out.write(posed.astype("<f4").tobytes())

    for name, amount in (("v01", 0.4), ("v02", 1.6)):
        write(f"{folder}/{name}.pc2", amount)
    made = ob.modifiers.new("Cache", "MESH_CACHE")
    made.cache_format, made.filepath, made.frame_start = "PC2", f"{folder}/v01.pc2", 1
    update()
    s.slide(ob).of_skin_slider.param_mode = "dynamic"
    update()
    must_be_noticed(ob, lambda: setattr(made, "filepath", f"{folder}/v02.pc2"), "another version of the cache")
    # Geometry Nodes that lift the body by the frame.
    tree = bpy.data.node_groups.new("Lift", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    start, end, put = (
        tree.nodes.new(kind) for kind in ("NodeGroupInput", "NodeGroupOutput", "GeometryNodeSetPosition")
    )
    time, stretch, offset = (
        tree.nodes.new(kind) for kind in ("GeometryNodeInputSceneTime", "ShaderNodeMath", "ShaderNodeVectorMath")
    )
    stretch.operation, offset.operation = "SUBTRACT", "MULTIPLY"
    stretch.inputs[1].default_value, place = 1, tree.nodes.new("GeometryNodeInputPosition")
    by = tree.nodes.new("ShaderNodeVectorMath")
    by.operation, by.inputs[1].default_value = "MULTIPLY", (0, 0, 0.01)
    for one, other in (
        (start.outputs[0], put.inputs[0]),
        (put.outputs[0], end.inputs[0]),
        (time.outputs["Frame"], stretch.inputs[0]),
        (stretch.outputs[0], offset.inputs[0]),
        (place.outputs[0], offset.inputs[1]),
        (offset.outputs[0], by.inputs[0]),
        (by.outputs[0], put.inputs["Offset"]),
    ):
        tree.links.new(one, other)
    nodes = ob.modifiers.new("Lift", "NODES")
    nodes.node_group = tree
    update()
    must_be_noticed(ob, lambda: setattr(by.inputs[1], "default_value", (0, 0, 0.03)), "a number in Geometry Nodes")


def what_was_undone_is_noticed():
    """What moves the body, in a frame in which that does not show, is undone and done again."""
    ob, rig, _ = stage()
    bpy.ops.ed.undo_push(message="before")
    s.select(ob)
    ob.modifiers["Armature"].use_deform_preserve_volume = True
    paint_weights(ob)
    update()
    bpy.ops.ed.undo_push(message="after")
    for step in (bpy.ops.ed.undo, bpy.ops.ed.redo):
        s.play(bpy.data.objects["Body"], range(1, 13))
        bpy.context.scene.frame_set(1)
        step()
        update()
        ob = bpy.data.objects["Body"]
        bpy.context.scene.frame_set(8)
        assert s.state(ob)[0] in WAITING, (step, s.state(ob))
        s.go_to(8)
        caught_up = s.evaluated_uvs(ob).copy()
        assert np.array_equal(caught_up, from_scratch(ob, 8)), step


def poses_without_keys_in_the_first_frame_are_previews():
    """They are gone in the next frame, which must not go on from them."""
    ob, rig, _ = stage()
    s.go_to(1)
    played = {frame: values.copy() for frame, values in s.play(ob, range(1, 13)).items()}
    scene, bone = bpy.context.scene, rig.pose.bones["upper"]
    for jump in (False, True):
        scene.frame_set(1)
        bone.rotation_euler = (0, -1, 0.5)
        update()
        assert s.state(ob)[0] == "preview" and not np.array_equal(s.uvs(ob), played[1]), s.state(ob)
        scene.frame_set(8 if jump else 2)
        assert s.state(ob)[0] in WAITING, s.state(ob)
        s.go_to(8)
        assert np.array_equal(s.uvs(ob), played[8])
    # What has a key, or nothing that could bring it back, stays.
    scene.frame_set(1)
    bone.rotation_euler = (0, -0.2, 0)
    bone.keyframe_insert("rotation_euler", frame=1)
    update()
    assert s.state(ob)[0] == "computed", s.state(ob)
    scene.frame_set(2)
    assert s.state(ob)[0] == "computed", s.state(ob)
    ob.animation_data_clear()
    scene.frame_set(1)
    paint_weights(ob)
    update()
    assert s.state(ob)[0] == "computed", s.state(ob)
    scene.frame_set(2)
    assert s.state(ob)[0] == "computed", s.state(ob)


def edits_that_move_nothing_cost_no_frames(folder):
    ob, rig, item = stage()
    ob.modifiers.new("Subdivision", "SUBSURF")
    assert bpy.ops.sinew.capture_update() == {"FINISHED"}
    modifier, bone = ob.modifiers["Armature"], rig.pose.bones["upper"]
    # Settings that have keys are no edits in another frame than that of their keys.
    turned = bone.constraints.new("LIMIT_ROTATION")
    for frame, amount in ((1, 0), (12, 1)):
        turned.influence = amount
        turned.keyframe_insert("influence", frame=frame)
    update()
    s.go_to(1)
    s.play(ob, range(1, 13))
    s.go_to(7)
    assert trusted(ob) == list(range(1, 13))
    s.select(ob)

    def render():
        scene = bpy.context.scene
        scene.render.filepath, scene.render.engine = f"{folder}/", "BLENDER_WORKBENCH"
        scene.render.resolution_x = scene.render.resolution_y = 16
        scene.camera = scene.camera or s.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
        bpy.ops.render.render()

    def modes():
        for mode in ("WEIGHT_PAINT", "EDIT", "SCULPT", "OBJECT"):
            bpy.ops.object.mode_set(mode=mode)
            update()

    def bones():
        s.select(rig)
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="SELECT")
        update()
        bpy.ops.object.mode_set(mode="OBJECT")
        s.select(ob)

    for edit in (
        modes,
        bones,
        render,
        lambda: bpy.ops.sinew.show_map(map="out slide_distance"),
        lambda: ob.data.materials.append(bpy.data.materials.new("Skin")),
        lambda: setattr(ob, "display_type", "WIRE"),
        lambda: setattr(rig.data, "display_type", "STICK"),
        lambda: setattr(modifier, "show_expanded", False),
        lambda: setattr(ob.data.uv_layers["UVMap"], "active_render", True),
        lambda: s.link(bpy.data.objects.new("Prop", None)),
        lambda: setattr(item, "live", False),
        lambda: setattr(item, "live", True),
        lambda: ob.hide_set(True),
        lambda: ob.hide_set(False),
        rig.update_tag,
    ):
        edit()
        update()
        assert trusted(ob) == list(range(1, 13)), (edit.__code__.co_names, trusted(ob))
    assert s.state(ob)[0] == "computed"


def edits_between_frames_are_noticed():
    ob, rig, _ = stage()
    s.play(ob, range(1, 13))
    scene = bpy.context.scene
    scene.frame_set(10, subframe=0.5)
    assert s.state(ob) == ("computed", "Between frames: frame 12 is shown")
    scene.frame_set(6, subframe=0.5)
    bone = rig.pose.bones["upper"]
    bone.rotation_euler = (1.5, 0, 1.0)
    bone.keyframe_insert("rotation_euler", frame=6.5)
    update()
    assert s.state(ob)[0] in WAITING, s.state(ob)
    scene.frame_set(12)
    assert s.state(ob)[0] in WAITING, s.state(ob)
    s.go_to(12)
    caught_up = s.evaluated_uvs(ob).copy()
    assert np.array_equal(caught_up, from_scratch(ob, 12))
    scene.frame_set(6, subframe=0.25)
    paint_weights(ob)
    update()
    scene.frame_set(12)
    assert s.state(ob)[0] in WAITING, s.state(ob)


def edits_in_another_scene_are_noticed():
    """Whether that shows the body, too, or its rig alone."""
    ob, rig, _ = stage()
    first = bpy.context.scene
    for shown in ((ob, rig), (rig,)):
        s.play(ob, range(1, 13))
        first.frame_set(12)
        other = bpy.data.scenes.new("Other")
        other.frame_start, other.frame_end = 1, 12
        for one in shown:
            other.collection.objects.link(one)
        for edit in ("keyed", "limited"):
            s.play(ob, range(1, 13))
            bpy.context.window.scene = other
            other.frame_set(1 if edit == "limited" else 4)
            bone = rig.pose.bones["upper"]
            if edit == "keyed":
                bone.rotation_euler = (0, -1 if len(shown) == 1 else -2, 0)
                bone.keyframe_insert("rotation_euler", frame=4)
            else:
                limit(rig)
            update()
            assert s.state(ob, scene=first)[0] in WAITING, (shown, edit, s.state(ob, scene=first))
            bpy.context.window.scene = first
            first.frame_set(12)
            assert s.state(ob, scene=first)[0] in WAITING, (shown, edit, s.state(ob, scene=first))
            s.go_to(12)
            caught_up = s.evaluated_uvs(ob).copy()
            assert np.array_equal(caught_up, from_scratch(ob, 12)), (shown, edit)
        for one in list(bone.constraints):
            bone.constraints.remove(one)
        bpy.data.scenes.remove(other)
        update()


def every_scene_that_shows_a_body_locks_the_interface(folder):
    """Where it is linked, appended or opened. Who turns it off is warned."""
    ob, rig, item = stage()
    panels = s.part("ui.panels")
    bpy.ops.scene.new(type="NEW")
    scene = bpy.context.scene
    assert not scene.render.use_lock_interface
    for one in (ob, rig):
        scene.collection.objects.link(one)
    update()
    assert scene.render.use_lock_interface
    assert not panels.advice(ob, item, scene)
    scene.render.use_lock_interface = False
    scene.frame_set(2)
    assert not scene.render.use_lock_interface, "it stays off"
    assert "Lock Interface" in panels.advice(ob, item, scene)[0]
    other = bpy.data.scenes.new("Not on show")
    other.collection.objects.link(ob)
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/shot.blend")
    assert all(scene.render.use_lock_interface for scene in bpy.data.scenes)
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/other.blend")
    bpy.ops.scene.new(type="NEW")
    bpy.ops.wm.append(directory=f"{folder}/shot.blend/Object/", filename="Body")
    update()
    assert bpy.context.scene.render.use_lock_interface


def bakes_say_what_has_changed_since(folder):
    """Keys, maps, the mesh, time and units; and nothing where nothing has, also far from the origin."""
    for away in (0, 1000):
        s.empty()
        ob, rig, item = stage()
        rig.location.x = ob.location.x = away
        update()
        scene = bpy.context.scene
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/{away}.blend")

        def bake():
            s.select(ob)
            assert bpy.ops.sinew.bake() == {"FINISHED"}
            for frame in (12, 3, 7):
                scene.frame_set(frame)
                assert s.state(ob) == ("baked", ""), (frame, s.state(ob))

        def warned_of(words, frame=9):
            scene.frame_set(frame)
            assert s.state(ob)[0] == "baked" and words in s.state(ob)[1], (words, s.state(ob))

        bake()
        bone = rig.pose.bones["upper"]
        bone.rotation_euler = (0.3, 0.6, 0.1)
        bone.keyframe_insert("rotation_euler", frame=10)
        update()
        warned_of("moved otherwise")
        scene.frame_set(1)
        assert s.state(ob) == ("baked", ""), "the first frame is the same"
        bake()
        group = ob.vertex_groups.new(name="held")
        group.add([300], 1.0, "REPLACE")
        item.of_skin_slider.in_fixed.name, item.of_skin_slider.in_fixed.choice = "held", "GROUP"
        update()
        warned_of("other maps")
        bake()
        group.add([310], 0.5, "REPLACE")
        ob.data.update()
        update()
        warned_of("other maps")
        bake()
        ob.data.vertices[200].co.x += 0.05
        ob.data.update()
        update()
        warned_of("another mesh")
        bake()
        paint_weights(ob)
        update()
        warned_of("moved otherwise")
        bake()
        scene.render.frame_map_new = 200
        warned_of("moved otherwise", 6)
        scene.render.frame_map_new = 100
        scene.unit_settings.scale_length = 0.5
        warned_of("other settings")
        scene.unit_settings.scale_length = 1
        item.of_skin_slider.param_poisson = 0.1
        warned_of("other settings")
    # Keys of a setting, and the file opened again, in whatever frame.
    for frame, value in ((1, 0.0), (12, 0.45)):
        item.of_skin_slider.param_poisson = value
        ob.keyframe_insert("sinew.nodes[0].of_skin_slider.param_poisson", frame=frame)
    bake()
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    ob, scene = bpy.data.objects["Body"], bpy.context.scene
    for frame in (7, 1, 12):
        scene.frame_set(frame)
        assert s.state(ob) == ("baked", ""), (frame, s.state(ob))
    ob.sinew.nodes[0].of_skin_slider.param_poisson = 0.3
    ob.keyframe_insert("sinew.nodes[0].of_skin_slider.param_poisson", frame=12)
    update()
    warned_of("moved otherwise", 11)


def playback_that_leaves_frames_out_is_reported():
    """In a window that plays: here there is none, so that it is said to."""
    ob, _, _ = stage()
    scene, part = bpy.context.scene, s.part("bridge.frame")
    scene.sync_mode = "FRAME_DROP"
    scene.frame_set(6)
    assert s.state(ob)[0] == "missing" and "Play Every Frame" not in s.state(ob)[1], "a jump"
    part.is_playing = lambda: True
    for sync in ("NONE", "FRAME_DROP", "AUDIO_SYNC"):
        scene.sync_mode = sync
        s.select(ob)
        bpy.ops.sinew.forget()
        for frame in (1, 2, 3, 5, 6):
            scene.frame_set(frame)
        assert s.state(ob)[0] == "missing" and ("Play Every Frame" in s.state(ob)[1]) == (sync != "NONE"), s.state(ob)


if __name__ == "__main__":
    s.main(s.cases(globals()))
