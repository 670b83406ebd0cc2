"""What goes wrong by itself: keyed settings, renders that subdivide, copies of baked bodies, sources that are edited,
outputs with odd targets. unasked.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s


def sliding():
    ob = s.tube()
    s.armature(ob)
    return ob, s.slide(ob)


def rendered(ob):
    """The UVs of each frame of a rendered animation, as they are when the frame is done."""
    scene, found = bpy.context.scene, {}
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "BLENDER_WORKBENCH", 16, 16
    if scene.camera is None:
        scene.camera = s.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))

    def keep(scene, *_):
        found[scene.frame_current] = s.uvs(ob).copy()

    bpy.app.handlers.render_post.append(keep)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.render_post.remove(keep)
    return found


def keyed_settings_are_those_of_the_rendered_frame(folder):
    ob, item = sliding()
    bpy.context.scene.render.filepath = f"{folder}/"
    for frame, value in ((1, 0.0), (12, 0.45)):
        item.of_skin_slider.param_poisson = value
        ob.keyframe_insert("sinew.nodes[0].of_skin_slider.param_poisson", frame=frame)
    s.go_to(1)
    bpy.ops.sinew.forget()
    played = {frame: values.copy() for frame, values in s.play(ob, range(1, 13)).items()}
    s.go_to(1)
    bpy.ops.sinew.forget()
    found = rendered(ob)
    assert sorted(found) == list(range(1, 13))
    assert all(np.array_equal(found[frame], played[frame]) for frame in found)


def subdivision_in_renders_alone_keeps_the_slide(folder):
    ob, _ = sliding()
    bpy.context.scene.render.filepath = f"{folder}/"
    made = ob.modifiers.new("Subdivision", "SUBSURF")
    made.levels, made.render_levels = 0, 1
    bpy.context.view_layer.update()
    played = {frame: values.copy() for frame, values in s.play(ob, range(1, 13)).items()}
    found = rendered(ob)
    assert all(np.array_equal(found[frame], played[frame]) for frame in found), s.state(ob)


def bodies_that_viewports_hide_are_computed_for_renders(folder):
    """By the object, by its collection, or by one around that."""
    ob, item = sliding()
    scene = bpy.context.scene
    scene.render.filepath = f"{folder}/"
    played = {frame: values.copy() for frame, values in s.play(ob, range(1, 13)).items()}
    outer, inner = (bpy.data.collections.new(name) for name in ("Outer", "Inner"))
    scene.collection.children.link(outer)
    outer.children.link(inner)
    for one in (ob, bpy.data.objects["Rig"]):
        inner.objects.link(one)
        scene.collection.objects.unlink(one)
    scene.frame_start, item.start, item.use_start = 11, 1, True
    for hidden in (ob, inner, outer):
        scene.frame_set(1)
        hidden.hide_viewport = True
        s.part("bridge.runtime").touched(ob)
        found = rendered(ob)
        assert sorted(found) == [11, 12] and hidden.hide_viewport
        assert all(np.array_equal(found[frame], played[frame]) for frame in found), hidden
        hidden.hide_viewport = False


def multires_slides_at_level_0_and_baked(folder):
    """Nothing can be captured in front of Multires, which reads the mesh as it is stored."""
    ob, _ = sliding()
    played = {frame: values.copy() for frame, values in s.play(ob, range(1, 13)).items()}
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    s.go_to(1)
    multires = ob.modifiers.new("Multires", "MULTIRES")
    s.select(ob)
    bpy.ops.object.multires_subdivide(modifier="Multires", mode="CATMULL_CLARK")
    s.refused("set its viewport level to 0", bpy.ops.sinew.skin_add)
    assert not ob.sinew.nodes
    multires.levels = 0
    s.slide(ob)
    ob.modifiers.new("Subdivision", "SUBSURF")
    assert bpy.ops.sinew.capture_update() == {"FINISHED"}
    slide = ["Sinew Slide Apart", "Subdivision", "Sinew Slide Added"]
    assert [m.name for m in ob.modifiers] == ["Armature", "Multires", "Sinew Capture", *slide]
    s.go_to(12)
    assert np.array_equal(s.uvs(ob), played[12])
    # Rendered with more, its vertices are not those of the body: that is said, and a bake does not need them.
    bpy.context.scene.render.filepath = f"{folder}/"
    rest = s.uvs(ob, "UVMap")
    assert all(np.array_equal(values, rest) for values in rendered(ob).values())
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.select(ob)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    found = rendered(ob)
    assert all(np.array_equal(found[frame], played[frame]) for frame in played)


def skin_that_is_added_again_starts_from_the_map_at_rest():
    ob, item = sliding()
    played = s.play(ob, range(1, 13))[12].copy()
    assert bpy.ops.sinew.node_remove() == {"FINISHED"}
    item = s.slide(ob)
    assert (item.of_skin_slider.in_rest.name, item.of_skin_slider.out_uvs.name) == ("UVMap", "Sinew")
    s.go_to(1)
    assert np.array_equal(s.play(ob, range(1, 13))[12], played)
    # By hand, the map at rest is no output.
    rest = s.uvs(ob, "UVMap").copy()
    item.of_skin_slider.out_uvs.name = "UVMap"
    bpy.context.scene.frame_set(2)
    assert s.state(ob)[0] == "failed" and "at rest" in s.state(ob)[1], s.state(ob)
    assert np.array_equal(s.uvs(ob, "UVMap"), rest)
    item.of_skin_slider.out_uvs.name = ""
    count = len(ob.data.uv_layers)
    for frame in range(1, 5):
        bpy.context.scene.frame_set(frame)
    assert s.state(ob)[0] == "failed" and "a name" in s.state(ob)[1], s.state(ob)
    assert len(ob.data.uv_layers) == count, "nothing is made for an output without a name"


def a_copy_is_baked_into_a_file_of_its_own(folder):
    ob, _ = sliding()
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.select(ob)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    played = s.play_baked(ob, 12)
    copy = ob.copy()
    copy.data = ob.data.copy()
    s.link(copy)
    copy.modifiers.remove(copy.modifiers["Armature"])
    s.select(copy)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    first, second = ob.sinew.nodes[0], copy.sinew.nodes[0]
    assert first.bake_path != second.bake_path and first.uid != second.uid
    assert np.array_equal(s.play_baked(ob, 12), played), "the first body still has its own"
    assert not np.array_equal(s.play_baked(copy, 12), played)
    # Another file of the same scene has bakes of its own, too.
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot_v2.blend")
    s.select(ob)
    before = first.bake_path
    assert bpy.ops.sinew.bake() == {"FINISHED"} and ob.sinew.nodes[0].bake_path != before


def clocks_and_sources_that_change_are_noticed():
    ob, item = sliding()
    item.of_skin_slider.param_mode = "dynamic"
    scene = bpy.context.scene
    slow = s.play(ob, range(1, 6))[5].copy()
    scene.render.fps = 48
    fast = s.play(ob, range(1, 6))[5].copy()
    assert not np.array_equal(slow, fast)
    bpy.ops.sinew.forget()
    assert np.array_equal(s.play(ob, range(1, 6))[5], fast), "as if computed anew"
    scene.frame_start = 3
    late = s.play(ob, range(3, 6))[5].copy()
    bpy.ops.sinew.forget()
    assert np.array_equal(s.play(ob, range(3, 6))[5], late) and not np.array_equal(late, fast)
    # Riders are where their points are put.
    cloud = bpy.data.meshes.new("cloud")
    cloud.from_pydata([(0.5, 0, 3), (0, 0.5, 3)], [], [])
    roots = s.link(bpy.data.objects.new("Roots", cloud))
    target = s.link(bpy.data.objects.new("Riding", bpy.data.meshes.new("riding")))
    settings = item.of_skin_slider
    settings.in_riders.choice, settings.in_riders.object = "POINTS", roots
    settings.out_rider_points.choice, settings.out_rider_points.object = "POINTS", target
    s.play(ob, range(3, 6))
    before = s.points(target.data).copy()
    for vertex in cloud.vertices:
        vertex.co.z -= 1
    cloud.update()
    bpy.context.view_layer.update()
    s.play(ob, range(3, 6))
    assert np.abs(s.points(target.data) - before).max() > 0.5, "the riders were moved"


def meshes_and_empty_sources_are_left_alone():
    ob, item = sliding()
    settings = item.of_skin_slider
    prop = s.tube("Prop", around=5, along=4)
    faces = len(prop.data.polygons)
    cloud = bpy.data.meshes.new("cloud")
    cloud.from_pydata([(0.5, 0, 3)], [], [])
    settings.in_riders.choice, settings.in_riders.object = "POINTS", s.link(bpy.data.objects.new("Roots", cloud))
    settings.out_rider_points.choice, settings.out_rider_points.object = "POINTS", prop
    bpy.context.scene.frame_set(1)
    assert s.state(ob)[0] == "failed" and "edges or faces" in s.state(ob)[1], s.state(ob)
    assert len(prop.data.polygons) == faces
    settings.out_rider_points.choice = "NONE"
    curve = bpy.data.curves.new("none", "CURVE")
    hair = bpy.data.hair_curves.new("none")
    for name, data in (("Curve", curve), ("Hair", hair), ("Nothing", None)):
        settings.in_riders.object = s.link(bpy.data.objects.new(name, data))
        bpy.context.scene.frame_set(1)
        assert s.state(ob)[0] == "failed" and f'"{name}"' in s.state(ob)[1], s.state(ob)
    # Curves and hair without points set no slide direction, which is no error; an empty, which has no curves at all, is
    # one.
    settings.in_riders.choice = "NONE"
    settings.in_slide.choice = "CURVES"
    for name, state in (("Curve", "computed"), ("Hair", "computed"), ("Nothing", "failed")):
        settings.in_slide.object = bpy.data.objects[name]
        bpy.context.scene.frame_set(1)
        assert s.state(ob)[0] == state, (name, s.state(ob))


def bodies_in_instanced_collections_slide():
    ob, _ = sliding()
    played = s.play(ob, range(1, 13))[12].copy()
    s.go_to(1)
    bpy.ops.sinew.forget()
    collection = bpy.data.collections.new("Character")
    for one in (ob, bpy.data.objects["Rig"]):
        collection.objects.link(one)
        bpy.context.scene.collection.objects.unlink(one)
    stand_in = s.link(bpy.data.objects.new("Stand-in", None))
    stand_in.instance_type, stand_in.instance_collection = "COLLECTION", collection
    for frame in range(1, 13):
        bpy.context.scene.frame_set(frame)
    assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), played)


def a_disk_that_fills_up_ends_the_bake(folder):
    ob, item = sliding()
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.select(ob)
    writer = s.part("core.bake").BakeWriter

    class Full:
        """A file on a disk that is full."""

        fp = None

        def writestr(self, *_):
            raise OSError(28, "No space left on device")

        def close(self):
            raise OSError(28, "No space left on device")

    begin = writer.__init__

    def full(self, *arguments):
        begin(self, *arguments)
        self._zip.close()
        self._zip = Full()

    writer.__init__ = full
    try:
        s.refused("No space left", bpy.ops.sinew.bake)
    finally:
        writer.__init__ = begin
    assert not list(pathlib.Path(folder).glob("*.part")) and not item.use_bake
    assert bpy.ops.sinew.bake() == {"FINISHED"} and item.use_bake, "once there is space"


def what_is_renamed_is_followed():
    ob, item = sliding()
    group = ob.vertex_groups.new(name="held")
    group.add(range(24, 48), 1.0, "REPLACE")
    settings = item.of_skin_slider
    settings.in_hold.choice, settings.in_hold.name = "GROUP", "held"
    played = s.play(ob, range(1, 13))
    count = len(ob.data.uv_layers), len(ob.data.attributes)
    ob.data.uv_layers["Sinew"].name = "slid"
    bpy.context.view_layer.update()
    ob.data.uv_layers["UVMap"].name = "at rest"
    bpy.context.view_layer.update()
    ob.data.attributes["Sinew Stretch"].name = "stretched"
    group.name = "held still"
    bpy.context.view_layer.update()
    assert (settings.out_uvs.name, settings.in_rest.name) == ("slid", "at rest")
    assert (settings.out_stretch.name, settings.in_hold.name) == ("stretched", "held still")
    known = s.part("bridge.runtime").known(ob, item, bpy.context.scene)
    assert len(known.timeline.frames()) == 12, "nothing is computed again"
    for frame in (7, 12):
        bpy.context.scene.frame_set(frame)
        assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob, "slid"), played[frame])
    assert (len(ob.data.uv_layers), len(ob.data.attributes)) == count, "nothing is made beside what was renamed"


def maps_of_an_exchanged_mesh_are_others():
    """They are no new names of those of the mesh before, and are not written over."""
    ob, item = sliding()
    settings = item.of_skin_slider
    expected = s.play(ob, range(1, 5))[4]
    bpy.context.scene.frame_set(1)
    before, other = ob.data, ob.data.copy()
    other.uv_layers["Sinew"].name = "lightmap"
    light = np.linspace(0, 1, 2 * len(other.loops), dtype=np.float32)
    other.uv_layers["lightmap"].uv.foreach_set("vector", light)
    ob.data = other
    bpy.context.view_layer.update()
    s.play(ob, range(1, 5))
    assert settings.out_uvs.name == "Sinew" and np.array_equal(s.uvs(ob, "lightmap"), light)
    assert np.array_equal(s.uvs(ob), expected), "the same body slides alike"
    ob.data = before
    bpy.context.view_layer.update()
    assert np.array_equal(s.play(ob, range(1, 5))[4], expected) and settings.out_uvs.name == "Sinew"


def what_is_read_and_deleted_is_said():
    """Not only once the file is opened again, when no undo brings it back. Scripts may delete without telling
    Blender."""
    ob, item = sliding()
    settings = item.of_skin_slider
    ob.data.attributes.new("soft", "FLOAT", "POINT")
    ob.vertex_groups.new(name="held")
    settings.in_hold.choice, settings.in_hold.name = "ATTRIBUTE", "soft"
    settings.in_fixed.choice, settings.in_fixed.name = "GROUP", "held"
    for name, kept, again in (
        ("soft", ob.data.attributes, lambda: ob.data.attributes.new("soft", "FLOAT", "POINT")),
        ("held", ob.vertex_groups, lambda: ob.vertex_groups.new(name="held")),
        ("UVMap", ob.data.uv_layers, lambda: ob.data.uv_layers.new(name="UVMap")),
    ):
        bpy.context.scene.frame_set(1)
        s.play(ob, range(1, 4))
        kept.remove(kept[name])
        bpy.context.scene.frame_set(4)
        assert s.state(ob)[0] == "failed" and f'"{name}"' in s.state(ob)[1], (name, s.state(ob))
        again()
    bpy.context.view_layer.update()
    s.play(ob, [1, 2])


def what_is_renamed_in_edit_mode_is_followed():
    """Unless it was replaced: what is removed and added has no new name."""
    ob, item = sliding()
    ob.vertex_groups.new(name="held").add(range(24, 48), 1.0, "REPLACE")
    settings = item.of_skin_slider
    settings.in_hold.choice, settings.in_hold.name = "GROUP", "held"
    played = s.play(ob, range(1, 13))
    s.select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.view_layer.update()
    for collection, old, new in (
        (ob.data.uv_layers, "Sinew", "slid"),
        (ob.data.uv_layers, "UVMap", "at rest"),
        (ob.vertex_groups, "held", "kept"),
    ):
        collection[old].name = new
        bpy.context.view_layer.update()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert (settings.out_uvs.name, settings.in_rest.name, settings.in_hold.name) == ("slid", "at rest", "kept")
    for frame in (7, 12):
        s.go_to(frame)
        assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob, "slid"), played[frame]), s.state(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.view_layer.update()
    ob.vertex_groups.active = ob.vertex_groups["kept"]
    ob.data.uv_layers.active = ob.data.uv_layers["at rest"]
    groups, maps = bpy.ops.object, bpy.ops.mesh
    for step in (groups.vertex_group_remove, groups.vertex_group_add, maps.uv_texture_remove, maps.uv_texture_add):
        step()
        bpy.context.view_layer.update()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert (settings.out_uvs.name, settings.in_rest.name, settings.in_hold.name) == ("slid", "at rest", "kept")


def a_map_that_is_deleted_comes_back_as_it_was(folder):
    """At once, in any frame: active for rendering, selected, or neither, as it was when it was deleted."""
    ob, item = sliding()
    played = s.play(ob, range(1, 13))

    def used():
        layers = bpy.data.objects["Body"].data.uv_layers
        return next(layer.name for layer in layers if layer.active_render), layers.active.name

    def use(rendered, selected):
        layers = ob.data.uv_layers
        layers[rendered].active_render, layers.active = True, layers[selected]
        bpy.context.view_layer.update()

    def delete(name="Sinew"):
        mesh = bpy.data.objects["Body"].data
        mesh.uv_layers.remove(mesh.uv_layers[name])
        # As the interface does.
        mesh.update_tag()

    for rendered, selected in (("Sinew", "Sinew"), ("UVMap", "Sinew"), ("Sinew", "UVMap"), ("UVMap", "UVMap")):
        for now, then in ((7, 7), (7, 8), (12, 3)):
            s.go_to(now)
            use(rendered, selected)
            delete()
            if then == now:
                bpy.context.view_layer.update()
            else:
                s.go_to(then)
            assert used() == (rendered, selected), (rendered, selected, now, then, used())
            assert s.state(ob)[0] == "computed" and np.array_equal(s.evaluated_uvs(ob), played[then]), then
    use("Sinew", "Sinew")
    # In edit mode, it comes back afterwards.
    s.select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.uv_texture_remove()
    bpy.context.view_layer.update()
    assert ob.data.uv_layers.keys() == ["UVMap"]
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert used() == ("Sinew", "Sinew") and np.array_equal(s.evaluated_uvs(ob), played[3])
    # Where nothing is computed, too.
    bpy.ops.sinew.forget()
    bpy.context.scene.frame_set(6)
    delete()
    bpy.context.view_layer.update()
    assert (
        s.state(ob)[0] == "missing" and used() == ("Sinew", "Sinew") and np.array_equal(s.uvs(ob), s.uvs(ob, "UVMap"))
    )
    # Under another name; a map that is chosen instead is another one, and touches nothing.
    s.go_to(9)
    ob.data.uv_layers["Sinew"].name = "slid"
    bpy.context.view_layer.update()
    delete("slid")
    bpy.context.view_layer.update()
    assert used() == ("slid", "slid") and np.array_equal(s.evaluated_uvs(ob, "slid"), played[9])
    item.of_skin_slider.out_uvs.name = "other"
    bpy.context.view_layer.update()
    s.go_to(10)
    assert used() == ("slid", "slid") and np.array_equal(s.uvs(ob, "other"), played[10])
    # The file knows it.
    item.of_skin_slider.out_uvs.name = "slid"
    s.go_to(1)
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/shot.blend")
    delete("slid")
    s.go_to(1)
    assert used() == ("slid", "slid"), used()


def undo_keeps_what_still_holds():
    ob, _ = sliding()
    s.link(bpy.data.objects.new("Lamp", None))

    def known():
        body = bpy.data.objects["Body"]
        return s.part("bridge.runtime").known(body, body.sinew.nodes[0], bpy.context.scene)

    def step(change):
        change()
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message="step")
        bpy.ops.ed.undo()
        bpy.context.view_layer.update()

    def key():
        bone = bpy.data.objects["Rig"].pose.bones["upper"]
        bone.rotation_euler = (0, 2, 0)
        bone.keyframe_insert("rotation_euler", frame=4)

    played = s.play(ob, range(1, 13))
    s.go_to(6)
    bpy.ops.ed.undo_push(message="start")
    step(lambda: setattr(bpy.data.objects["Lamp"], "location", (3, 0, 0)))
    assert known().timeline.frames() == list(range(1, 13)) and known().state == "computed"
    # Redo of a key in a frame that is not shown, and its undo.
    key()
    bpy.ops.ed.undo_push(message="key")
    bpy.ops.ed.undo()
    s.go_to(12)
    s.go_to(6)
    assert np.array_equal(s.uvs(bpy.data.objects["Body"]), played[6])
    bpy.ops.ed.redo()
    bpy.context.view_layer.update()
    assert known().state == "preview", known().message
    s.go_to(6)
    assert not np.array_equal(s.uvs(bpy.data.objects["Body"]), played[6])
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert known().state == "outdated" and np.array_equal(s.uvs(bpy.data.objects["Body"]), played[6]), known().message
    s.go_to(6)
    assert known().state == "computed" and np.array_equal(s.uvs(bpy.data.objects["Body"]), played[6])
    # A parameter: nothing is computed again.
    s.go_to(12)
    step(lambda: setattr(bpy.data.objects["Body"].sinew.nodes[0].of_skin_slider, "param_poisson", 0.1))
    assert known().timeline.frames() == list(range(1, 13)) and known().state == "computed", known().message
    bpy.context.scene.frame_set(6)
    assert known().state == "computed" and np.array_equal(s.uvs(bpy.data.objects["Body"]), played[6])


if __name__ == "__main__":
    s.main(s.cases(globals()))
