"""Files, renders and bakes: file.py ZIP CASE..."""

import os
import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s  # noqa: E402


def sliding(frames=range(1, 13)):
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    return ob, s.play(ob, frames)


def bakes_survive_reload(folder):
    ob, played = sliding()
    ob.name = "身体 / Körper"
    s.refused("save the file first", bpy.ops.sinew.bake)
    path = f"{folder}/shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.context.scene.frame_set(5)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    assert bpy.context.scene.frame_current == 5
    baked = [name for name in os.listdir(folder) if name.endswith(".sinewbake")]
    assert len(baked) == 1 and "身体 _ Körper" in baked[0] and not [n for n in os.listdir(folder) if n.endswith(".part")], os.listdir(folder)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=path)
    ob, scene = bpy.data.objects["身体 / Körper"], bpy.context.scene
    for frame in (9, 2, 12):
        scene.frame_set(frame)
        assert s.state(ob)[0] == "baked" and np.array_equal(s.evaluated_uvs(ob), played[frame]), (frame, s.state(ob))
    scene.frame_set(40)
    assert s.state(ob)[0] == "missing" and "1 to 12" in s.state(ob)[1], s.state(ob)
    assert np.array_equal(s.uvs(ob), s.uvs(ob, "UVMap"))
    os.remove(f"{folder}/{baked[0]}")
    bpy.ops.wm.open_mainfile(filepath=path)
    ob = bpy.data.objects["身体 / Körper"]
    bpy.context.scene.frame_set(3)
    assert s.state(ob)[0] == "failed" and "bake again" in s.state(ob)[1], s.state(ob)
    pathlib.Path(f"{folder}/{baked[0]}").write_bytes(b"PK rubbish")
    ob.sinew.nodes[0].use_bake = True
    bpy.context.scene.frame_set(4)
    assert s.state(ob)[0] == "failed" and "no bake, or a broken one" in s.state(ob)[1], s.state(ob)


def what_is_deleted_during_a_bake_stops_it(folder):
    ob, _ = sliding(range(1, 3))
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")

    def delete(scene, _graph):
        if scene.frame_current == 6 and "Body" in bpy.data.objects:
            bpy.data.objects.remove(bpy.data.objects["Body"])

    bpy.app.handlers.frame_change_pre.append(delete)
    try:
        s.refused("was deleted", bpy.ops.sinew.bake)
    finally:
        bpy.app.handlers.frame_change_pre.remove(delete)
    assert os.listdir(folder) == ["shot.blend"], os.listdir(folder)


def a_disk_that_cannot_be_written_is_said(folder):
    ob, _ = sliding(range(1, 3))
    blocked = pathlib.Path(folder) / "file"
    blocked.write_text("in the way")
    ob.sinew.nodes[0].bake_path = str(blocked / "x.sinewbake")
    s.refused("cannot be written", bpy.ops.sinew.bake)
    assert not ob.sinew.nodes[0].use_bake and ob.sinew.nodes[0].live
    bpy.context.scene.frame_set(3)
    assert s.state(ob)[0] == "computed"


def undo_and_redo_go_back_and_forth():
    ob = s.tube()
    s.armature(ob)
    s.select(ob)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.sinew.skin_add()
    bpy.ops.ed.undo_push(message="skin")
    expected = s.play(bpy.data.objects["Body"], range(1, 5))
    bpy.data.objects["Body"].sinew.nodes[0].of_skin_slider.param_young = 90000
    bpy.ops.ed.undo_push(message="stiffer")
    bpy.ops.ed.undo()
    ob = bpy.data.objects["Body"]
    assert ob.sinew.nodes[0].of_skin_slider.param_young == 30000
    bpy.context.scene.frame_set(1)
    again = s.play(ob, range(1, 5))
    assert all(np.array_equal(again[frame], expected[frame]) for frame in again)
    bpy.ops.ed.undo()
    ob = bpy.data.objects["Body"]
    assert not ob.sinew.nodes and "Sinew" not in ob.data.uv_layers
    bpy.context.scene.frame_set(3)
    bpy.ops.ed.redo()
    ob = bpy.data.objects["Body"]
    assert len(ob.sinew.nodes) == 1 and np.array_equal(s.play(ob, [3])[3], expected[3])
    bpy.context.view_layer.objects.active = ob
    for call in (bpy.ops.sinew.node_remove, lambda: bpy.ops.sinew.node_add(kind="skinning"), bpy.ops.sinew.capture_update):
        count = len(ob.sinew.nodes)
        call()
        bpy.ops.ed.undo_push(message="step")
        after = len(bpy.data.objects["Body"].sinew.nodes)
        bpy.ops.ed.undo()
        assert len(bpy.data.objects["Body"].sinew.nodes) == count
        bpy.ops.ed.redo()
        ob = bpy.data.objects["Body"]
        assert len(ob.sinew.nodes) == after
        bpy.context.view_layer.objects.active = ob
        bpy.context.scene.frame_set(2)


def objects_scenes_names_and_rates_are_their_own():
    ob, played = sliding()
    other = s.tube("Other")
    s.armature(other, angle=0.4)
    s.slide(other)
    both = s.play(other, range(1, 13))
    assert not np.array_equal(both[12], played[12]) and np.array_equal(s.play(ob, [12])[12], played[12])
    ob.name, ob.data.name = "мышца", "сетка"
    assert np.array_equal(s.play(ob, [6])[6], played[6])
    copy = ob.copy()
    copy.data = ob.data.copy()
    s.link(copy)
    assert np.array_equal(s.play(copy, [6])[6], played[6])
    second = bpy.data.scenes.new("second")
    second.collection.objects.link(ob)
    second.collection.objects.link(bpy.data.objects["Rig"])
    second.frame_start = 4
    bpy.context.window.scene = second
    second.frame_set(8)
    assert s.state(ob, scene=second)[0] == "computed" and not np.array_equal(s.uvs(ob), played[8]), "it begins later"
    bpy.context.window.scene = bpy.data.scenes[0]
    assert np.array_equal(s.play(ob, [8])[8], played[8])
    scene = bpy.data.scenes[0]
    ob.sinew.nodes[0].of_skin_slider.param_mode = "dynamic"
    slow = s.play(ob, range(1, 6))
    scene.render.fps = 48
    ob.update_tag()
    fast = s.play(ob, range(1, 6))
    assert not np.array_equal(slow[5], fast[5]), "half the time has passed"


def renders_show_the_frame(folder):
    ob, played = sliding()
    scene = bpy.context.scene
    picture = bpy.data.images.new("checker", 256, 256)
    board = (np.indices((256, 256)) // 16).sum(axis=0) % 2
    pixels = np.stack([board, 0.5 * board, 1 - board, np.ones_like(board)], axis=-1)
    picture.pixels.foreach_set(pixels.astype(np.float32).ravel())
    material = bpy.data.materials.new("skin")
    material.use_nodes = True
    image = material.node_tree.nodes.new("ShaderNodeTexImage")
    image.image = picture
    material.node_tree.links.new(image.outputs[0], material.node_tree.nodes["Principled BSDF"].inputs[0])
    material.node_tree.nodes.active = image
    ob.data.materials.append(material)
    camera = s.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.location, camera.rotation_euler = (9, -1, 2), (np.pi / 2, 0, np.pi / 2 - 0.11)
    scene.camera = camera
    scene.render.engine, scene.display.shading.color_type = "BLENDER_WORKBENCH", "TEXTURE"
    scene.render.resolution_x, scene.render.resolution_y = 160, 120
    scene.render.filepath = f"{folder}/live_"
    scene.frame_start, scene.frame_end = 11, 12
    ob.sinew.nodes[0].use_start, ob.sinew.nodes[0].start = True, 1
    seen = {}

    def look(render_scene, graph):
        if graph.mode == "RENDER":
            mesh = ob.evaluated_get(graph).data
            seen[render_scene.frame_current] = np.array([v for uv in mesh.uv_layers["Sinew"].uv for v in uv.vector], np.float32)

    bpy.ops.render.render(animation=True)
    live = pixels_of(f"{folder}/live_0012.png")
    assert np.array_equal(s.uvs(ob), played[scene.frame_current]) or s.state(ob)[0] == "computed"
    # The same frame, played to, is the same picture; with the skin held it is another.
    scene.frame_set(12)
    scene.render.filepath = f"{folder}/still.png"
    bpy.ops.render.render(write_still=True)
    assert np.array_equal(pixels_of(f"{folder}/still.png"), live)
    ob.data.uv_layers["UVMap"].active_render = True
    ob.data.uv_layers.active = ob.data.uv_layers["UVMap"]
    scene.render.filepath = f"{folder}/held.png"
    bpy.ops.render.render(write_still=True)
    difference = np.abs(pixels_of(f"{folder}/held.png") - live).max(axis=2)
    assert 0.01 < (difference > 0.2).mean() < 0.5, (difference > 0.2).mean()
    if keep := os.environ.get("SINEW_PICTURES"):
        import shutil

        for name in ("live_0012.png", "held.png"):
            shutil.copy(f"{folder}/{name}", keep)


def pixels_of(path):
    image = bpy.data.images.load(path)
    found = np.array(image.pixels, np.float32).reshape(image.size[1], image.size[0], 4)[..., :3]
    bpy.data.images.remove(image)
    return found


CASES = s.cases(globals())

if __name__ == "__main__":
    s.main(CASES)
