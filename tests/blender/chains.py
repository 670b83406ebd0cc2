"""Several nodes, scenes and objects that have to do with each other, and names and frames out of the ordinary:
chains.py ZIP CASE..."""

import os
import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s

# How a frame is shown of which an edit may have changed the result: at rest, or as it was.
WAITING = ("missing", "outdated")
from hair import DRAWN, haired  # noqa: E402


def bodies_in_two_scenes_and_in_the_background_show_their_own_frame():
    ob = s.tube()
    rig = s.armature(ob)
    s.slide(ob)
    played = s.play(ob, range(1, 13))
    here = bpy.context.scene
    other = bpy.data.scenes.new("other")
    for one in (ob, rig):
        other.collection.objects.link(one)
    s.go_to(6)
    bpy.context.window.scene = other
    other.frame_start, other.frame_end = 1, 12
    for frame in range(1, 13):
        other.frame_set(frame)
    assert np.array_equal(s.uvs(ob), played[12])
    bpy.context.window.scene = here
    here.frame_set(6)
    assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), played[6]), (
        "what the other scene has written is replaced"
    )
    # As the background of a scene.
    front = bpy.data.scenes.new("front")
    front.background_set = other
    bpy.context.window.scene = front
    for frame in range(1, 8):
        front.frame_set(frame)
    assert np.array_equal(s.uvs(ob), played[7])


def baked_hair_is_right_in_any_frame(folder):
    ob = s.tube()
    s.armature(ob)
    item = s.slide(ob)
    for frame, x in ((1, 0.0), (12, 5.0)):
        ob.location.x = x
        ob.keyframe_insert("location", frame=frame)
    s.go_to(1)
    _, hair = haired(item, DRAWN)
    found = {frame: (s.go_to(frame), s.points(hair).copy())[1] for frame in range(1, 13)}
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.select(ob)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    s.go_to(9)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/shot.blend")
    ob, hair = bpy.data.objects["Body"], bpy.data.objects["Hair"].data
    for frame in (9, 12, 3):
        bpy.context.scene.frame_set(frame)
        assert s.state(ob)[0] == "baked" and np.abs(s.points(hair) - found[frame]).max() < 1e-5, (frame, s.state(ob))
    # Hair that is not carried any more goes back to where it lay at rest.
    ob.sinew.nodes[0].of_skin_slider.out_rider_matrices.choice = "NONE"
    bpy.context.scene.frame_set(4)
    assert np.abs(s.points(hair) - DRAWN).max() < 1e-5
    item = ob.sinew.nodes[0]
    item.use_start, item.start, item.use_bake = True, 30, False
    s.select(ob)
    s.refused("nothing to bake", bpy.ops.sinew.bake)


def fetched(collection):
    """An object whose Geometry Nodes show a collection."""
    shower = s.link(bpy.data.objects.new("Shower", bpy.data.meshes.new("Shower")))
    tree = bpy.data.node_groups.new("Fetch", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    fetch, end = tree.nodes.new("GeometryNodeCollectionInfo"), tree.nodes.new("NodeGroupOutput")
    fetch.inputs[0].default_value = collection
    tree.links.new(fetch.outputs[0], end.inputs[0])
    shower.modifiers.new("Fetch", "NODES").node_group = tree


def bodies_that_geometry_nodes_fetch_are_computed():
    ob = s.tube()
    rig = s.armature(ob)
    s.slide(ob)
    played = s.play(ob, range(1, 13))
    s.go_to(1)
    bpy.ops.sinew.forget()
    scene = bpy.context.scene
    kept = bpy.data.collections.new("Kept")
    for one in (ob, rig):
        kept.objects.link(one)
        scene.collection.objects.unlink(one)
    fetched(kept)
    for frame in range(1, 13):
        scene.frame_set(frame)
        assert np.array_equal(s.uvs(ob), played[frame]), frame
    assert s.state(ob)[0] == "computed"


def things_without_keys_that_pass_in_other_frames_are_noticed():
    ob = s.tube()
    rig = s.armature(ob)
    # The upper bone follows an object in the middle frames only.
    follow = rig.pose.bones["upper"].constraints.new("COPY_ROTATION")
    follow.target = target = s.link(bpy.data.objects.new("Target", None))
    for frame, influence in ((3, 0.0), (6, 1.0), (9, 0.0)):
        follow.influence = influence
        follow.keyframe_insert("influence", frame=frame)
    s.slide(ob)
    before = s.play(ob, range(1, 13))
    s.go_to(1)
    s.link(bpy.data.objects.new("Unrelated", None)).location = (1, 2, 3)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(12)
    assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), before[12]), (
        "what the body does not depend on is left alone"
    )
    s.go_to(1)
    target.rotation_euler = (0.5, 0.5, 0)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(12)
    assert s.state(ob)[0] in WAITING, s.state(ob)
    after = s.play(ob, range(1, 13))
    assert (
        s.state(ob)[0] == "computed" and np.array_equal(after[1], before[1]) and not np.array_equal(after[6], before[6])
    )
    # A jump shows what was played since.
    s.go_to(1)
    bpy.context.scene.frame_set(12)
    assert s.state(ob)[0] == "computed" and np.array_equal(s.uvs(ob), after[12])
    # The shape of what others follow, here of something that the target stands on.
    ground = target.parent = s.tube("Ground")
    bpy.context.view_layer.update()
    s.play(ob, range(1, 13))
    s.go_to(1)
    ground.data.vertices[0].co.x += 1
    ground.data.update()
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "computed" and s.part("bridge.runtime").known(
        ob, ob.sinew.nodes[0], bpy.context.scene
    ).timeline.frames() == [1]
    s.play(ob, range(1, 13))
    # Without the target there is nothing to follow.
    bpy.data.objects.remove(target)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(12)
    # It was removed in this frame, which may show a preview of that.
    assert s.state(ob)[0] in ("preview", *WAITING), s.state(ob)
    s.play(ob, range(1, 13))


def drivers_and_strips_that_act_in_other_frames_are_noticed():
    ob = s.tube()
    rig = s.armature(ob)
    item = s.slide(ob)
    item.of_skin_slider.param_mode = "dynamic"
    rig["amount"] = 0.0
    driver = rig.pose.bones["lower"].driver_add("location", 0).driver
    driver.expression = "amount * max(0, 4 - abs(frame - 6))"
    read = driver.variables.new()
    read.name, read.targets[0].id, read.targets[0].data_path = "amount", rig, '["amount"]'
    s.play(ob, range(1, 13))
    s.go_to(1)
    # In this frame it shows nothing.
    rig["amount"] = 0.1
    rig.update_tag()
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(12)
    assert s.state(ob)[0] in WAITING, s.state(ob)
    s.go_to(1)
    changed = s.play(ob, range(1, 13))[12]
    bpy.ops.sinew.forget()
    s.go_to(1)
    assert np.array_equal(s.play(ob, range(1, 13))[12], changed)
    s.go_to(1)
    driver.expression = "0 * amount"
    rig.update_tag()
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(12)
    assert s.state(ob)[0] in WAITING, s.state(ob)
    # Neither a change that does not affect the animation nor an update between frames is a reason to discard computed
    # frames.
    s.go_to(1)
    s.play(ob, range(1, 13))
    rig.show_in_front = True
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(6, subframe=0.5)
    ob.update_tag()
    bpy.context.view_layer.update()
    known = s.part("bridge.runtime").known(ob, item, bpy.context.scene)
    assert len(known.timeline.frames()) == 12, known.timeline.frames()


def bodies_off_in_viewports_are_computed_for_renders(folder):
    ob = s.tube()
    s.armature(ob)
    item = s.slide(ob)
    played = s.play(ob, range(1, 13))
    s.go_to(1)
    bpy.ops.sinew.forget()
    scene = bpy.context.scene
    item.use_start, item.start = True, 1
    ob.hide_viewport = True
    scene.frame_start, scene.render.filepath = 10, f"{folder}/"
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "BLENDER_WORKBENCH", 16, 16
    scene.camera = s.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    found = {}
    keep = lambda scene, *_: found.setdefault(scene.frame_current, s.uvs(ob).copy())
    bpy.app.handlers.render_post.append(keep)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.render_post.remove(keep)
    assert sorted(found) == [10, 11, 12] and all(np.array_equal(found[frame], played[frame]) for frame in found)
    assert ob.hide_viewport


def names_that_are_taken_or_too_long_harm_nothing():
    ob = s.tube()
    s.armature(ob)
    item = s.slide(ob)
    settings = item.of_skin_slider
    places = s.points(ob.data).copy()
    held = ob.data.attributes.new("hold", "FLOAT", "POINT")
    held.data.foreach_set("value", np.full(len(ob.data.vertices), 0.5, np.float32))
    settings.out_slide_vector.choice, settings.out_slide_vector.name = "ATTRIBUTE", "position"
    bpy.context.scene.frame_set(2)
    assert s.state(ob)[0] == "failed" and "Blender's own" in s.state(ob)[1], s.state(ob)
    assert np.array_equal(s.points(ob.data), places)
    settings.out_slide_vector.choice = "NONE"
    settings.in_hold.choice, settings.in_hold.name = "ATTRIBUTE", "hold"
    settings.out_slide_distance.name = "hold"
    bpy.context.scene.frame_set(3)
    assert s.state(ob)[0] == "failed" and "read as an input" in s.state(ob)[1], s.state(ob)
    assert all(one.value == 0.5 for one in ob.data.attributes["hold"].data)
    settings.out_slide_distance.name = "Sinew Stretch"
    bpy.context.scene.frame_set(4)
    assert s.state(ob)[0] == "failed" and "two outputs" in s.state(ob)[1], s.state(ob)
    ob.vertex_groups.new(name="painted")
    settings.out_slide_distance.name = "painted"
    bpy.context.scene.frame_set(5)
    assert s.state(ob)[0] == "failed" and "vertex group" in s.state(ob)[1], s.state(ob)
    settings.out_slide_distance.name = "Sinew Slide"
    for name in ("ש" * 60, "長" * 100):
        settings.out_uvs.name, settings.out_stretch.name = name, "2" + name
        for frame in range(1, 4):
            s.go_to(frame)
        assert s.state(ob)[0] == "failed" and "a shorter name" in s.state(ob)[1], s.state(ob)
        assert len(ob.data.uv_layers) == 2
    settings.out_uvs.name, settings.out_stretch.name = "長" * 20, "ש" * 30
    for frame in range(1, 4):
        s.go_to(frame)
    assert s.state(ob)[0] == "computed" and "長" * 20 in ob.data.uv_layers, s.state(ob)
    # A map that replaces another in edit mode is no new name of it.
    settings.out_uvs.name, settings.out_stretch.choice = "Sinew", "NONE"
    s.go_to(1)
    s.select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.frame_set(2)
    ob.data.uv_layers.remove(ob.data.uv_layers["Sinew"])
    ob.data.uv_layers.new(name="Lightmap")
    bpy.ops.object.mode_set(mode="OBJECT")
    light = s.uvs(ob, "Lightmap").copy()
    s.go_to(3)
    assert settings.out_uvs.name == "Sinew" and np.array_equal(s.uvs(ob, "Lightmap"), light)


def paths_that_are_no_utf8_are_said_as_far_as_they_can_be(folder):
    """As on disks that old systems have written: bakes work there, and messages can be reported and printed."""
    place = os.fsencode(folder) + b"/l\xe4nge"
    os.makedirs(place)
    sys.stdout.reconfigure(errors="strict")
    ob = s.tube("\u4f53 \u0423\u0441")
    s.armature(ob)
    s.slide(ob)
    bpy.ops.wm.save_as_mainfile(filepath=os.fsdecode(place + b"/sch\xf6n.blend"))
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    found = [name for name in os.listdir(place) if name.endswith(b".sinewbake")]
    assert len(found) == 1 and found[0].startswith(b"sch\xf6n "), found
    bpy.context.scene.frame_set(5)
    assert s.state(ob)[0] == "baked", s.state(ob)
    os.remove(place + b"/" + found[0])
    ob.sinew.nodes[0].use_bake = True
    bpy.context.scene.frame_set(6)
    assert s.state(ob)[0] == "failed" and "l\\xe4nge" in s.state(ob)[1] and "is missing" in s.state(ob)[1], s.state(ob)
    s.state(ob)[1].encode()
    ob.sinew.nodes[0].bake_path = os.fsdecode(place)
    s.refused("this is a folder", bpy.ops.sinew.bake)
    bpy.ops.sinew.node_remove()
    assert bpy.ops.sinew.node_add(kind="strand") == {"FINISHED"}
    ob.sinew.nodes[0].of_strand.param_scene = "//scene.xml"
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "failed" and "no UTF-8: rename the file" in s.state(ob)[1], s.state(ob)


def files_survive_an_add_on_that_is_off_or_has_no_library(folder):
    """What the add-on has made stays in the file, and works again afterwards. Turned on again, it knows nothing of
    before."""
    import addon_utils

    ob = s.tube()
    rig = s.armature(ob)
    s.slide(ob)
    settings = ob.sinew.nodes[0].of_skin_slider
    hair = bpy.data.objects.new("Hair", bpy.data.hair_curves.new("Hair"))
    s.link(hair).data.add_curves([2, 2])
    hair.data.attributes["position"].data.foreach_set("vector", [0.5, 0, 3, 0.6, 0, 3, 0.5, 0, 1, 0.6, 0, 1])
    settings.in_riders.choice, settings.in_riders.object = "POINTS", hair
    settings.out_rider_matrices.choice, settings.out_rider_matrices.object = "HAIR", hair
    settings.out_slid_points.choice, settings.param_poisson = "SHAPE", 0.25
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(1)
    s.play(ob, range(1, 8))

    def seen():
        made = [[modifier.name for modifier in one.modifiers] for one in (ob, hair)]
        return made, [node.uid for node in ob.sinew.nodes] if hasattr(ob, "sinew") else None

    before = seen()
    addon_utils.disable(s.ADDON)
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["upper"].head.x += 0.2
    bpy.ops.object.mode_set(mode="OBJECT")
    addon_utils.enable(s.ADDON)
    s.select(ob)
    assert seen() == before
    s.play(ob, range(1, 8))
    rig.update_tag()
    rig.data.update_tag()
    bpy.context.view_layer.update()
    assert s.state(ob)[0] == "computed", ("nothing was edited since it was turned on", s.state(ob))
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/kept.blend")
    addon_utils.disable(s.ADDON)
    os.environ["SINEW_LIBRARY"] = f"{folder}/nothing.so"
    addon_utils.enable(s.ADDON)
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/kept.blend")
    ob, hair = bpy.data.objects["Body"], bpy.data.objects["Hair"]
    s.select(ob)
    ob.sinew.nodes[0].use_start = True
    ob.sinew.nodes[0].use_start = False
    for frame in range(1, 4):
        bpy.context.scene.frame_set(frame)
    for operator, given in (("paint", {"port": "fixed"}), ("bake", {}), ("capture_update", {}), ("show_map", {})):
        s.refused("nothing.so is missing", getattr(bpy.ops.sinew, operator), **given)
    bpy.ops.sinew.forget()
    assert seen() == before, (before, seen())
    bpy.ops.wm.save_mainfile()
    addon_utils.disable(s.ADDON)
    del os.environ["SINEW_LIBRARY"]
    addon_utils.enable(s.ADDON)
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/kept.blend")
    ob, hair = bpy.data.objects["Body"], bpy.data.objects["Hair"]
    assert seen() == before and abs(ob.sinew.nodes[0].of_skin_slider.param_poisson - 0.25) < 1e-6
    s.select(ob)
    s.play(ob, range(1, 4))
    # A node of a later release of the library.
    ob.sinew.nodes[0].kind = "of_a_later_release"
    for operator, given in (("paint", {"port": "fixed"}), ("bake", {}), ("capture_update", {}), ("show_map", {})):
        s.refused('no node "of_a_later_release"', getattr(bpy.ops.sinew, operator), **given)
    s.select(s.tube("Other"))
    assert bpy.ops.sinew.skin_add() == {"FINISHED"}
    assert seen() == before, (before, seen())


def what_is_deleted_leaves_no_frames_behind():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    s.play(ob, range(1, 4))
    runtimes, uid = s.part("bridge.runtime")._runtimes, ob.session_uid
    assert [key for key in runtimes if key[0] == uid]
    bpy.data.objects.remove(ob)
    s.link(bpy.data.objects.new("In its place", None))
    bpy.context.view_layer.update()
    assert not [key for key in runtimes if key[0] == uid]


if __name__ == "__main__":
    s.main(s.cases(globals()))
