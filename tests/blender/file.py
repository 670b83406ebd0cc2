"""Files, renders and bakes: file.py ZIP CASE..."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s


def beside(folder):
    """What lies beside the file and its computed frames."""
    return sorted(name for name in os.listdir(folder) if name not in ("shot.blend", "shot.sinewframes"))


def sliding(frames=range(1, 13), angle=1.0):
    ob = s.tube()
    s.armature(ob, angle=angle)
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
    assert (
        len(baked) == 1 and "身体 _ Körper" in baked[0] and not [n for n in os.listdir(folder) if n.endswith(".part")]
    ), os.listdir(folder)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=path)
    ob, scene = bpy.data.objects["身体 / Körper"], bpy.context.scene
    for frame in (9, 2, 12):
        scene.frame_set(frame)
        assert s.state(ob)[0] == "baked" and np.array_equal(s.evaluated_uvs(ob), played[frame]), (frame, s.state(ob))
    # Settings that have changed since are reported.
    item = ob.sinew.nodes[0]
    before, item.of_skin_slider.param_poisson = item.of_skin_slider.param_poisson, 0.1
    scene.frame_set(9)
    assert s.state(ob)[0] == "baked" and "bake again" in s.state(ob)[1], s.state(ob)
    item.of_skin_slider.param_poisson = before
    scene.frame_set(2)
    assert s.state(ob) == ("baked", ""), s.state(ob)
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
    assert s.state(ob)[0] == "failed" and "not a bake, or is damaged" in s.state(ob)[1], s.state(ob)


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
    assert beside(folder) == [], os.listdir(folder)


def bakes_are_exact(folder):
    """Whatever the quality of live frames is; it is the same afterwards, however the bake ends."""
    ob, exact = sliding()
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    item, scene = ob.sinew.nodes[0], bpy.context.scene
    item.of_skin_slider.param_quality = "preview"
    live = s.play(ob, range(1, 13))
    assert not np.array_equal(live[12], exact[12])
    item.bake_path = "//notes.zip"
    pathlib.Path(f"{folder}/notes.zip").write_bytes(b"PK notes")
    s.refused("not a bake: choose another name", bpy.ops.sinew.bake)
    assert item.of_skin_slider.param_quality == "preview"
    item.bake_path = ""
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    assert item.of_skin_slider.param_quality == "preview"
    for frame in (9, 2, 12):
        scene.frame_set(frame)
        assert s.state(ob) == ("baked", "") and np.array_equal(s.evaluated_uvs(ob), exact[frame]), (frame, s.state(ob))
    # Live again, the frames are those of the quality.
    item.use_bake = False
    assert np.array_equal(s.play(ob, range(1, 13))[12], live[12])


def bakes_replace_nothing_but_bakes(folder):
    """A file that someone has chosen by mistake, such as the scene itself, stays as it is."""
    ob, _ = sliding(range(1, 3))
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    pathlib.Path(f"{folder}/notes.zip").write_bytes(b"PK notes")
    item = ob.sinew.nodes[0]
    for name in ("shot.blend", "notes.zip"):
        before = pathlib.Path(f"{folder}/{name}").read_bytes()
        item.bake_path = f"//{name}"
        s.refused("not a bake: choose another name", bpy.ops.sinew.bake)
        assert pathlib.Path(f"{folder}/{name}").read_bytes() == before and not item.use_bake
    assert beside(folder) == ["notes.zip"], os.listdir(folder)
    # A bake of any name is replaced, and what is named as one, even if it is damaged.
    pathlib.Path(f"{folder}/damaged.sinewbake").write_bytes(b"PK rubbish")
    for name in ("shot.bake", "shot.bake", "damaged.sinewbake"):
        item.bake_path = f"//{name}"
        assert bpy.ops.sinew.bake() == {"FINISHED"}, name
        s.play_baked(ob, 7)


def bodies_that_are_hidden_are_not_baked(folder):
    """What they showed last would be in every frame."""
    ob, _ = sliding(range(1, 6))
    inner = bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(inner)
    inner.objects.link(ob)
    bpy.context.scene.collection.objects.unlink(ob)
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.play(ob, range(1, 6))
    # Hidden from the beginning, or during the bake.
    for before in (True, False):

        def hide(scene, _graph=None):
            ob.hide_viewport = before or scene.frame_current >= 4

        hide(bpy.context.scene)
        bpy.context.view_layer.update()
        bpy.app.handlers.frame_change_pre.append(hide)
        try:
            s.refused("is hidden in viewports", bpy.ops.sinew.bake)
        finally:
            bpy.app.handlers.frame_change_pre.remove(hide)
        assert beside(folder) == [] and not ob.sinew.nodes[0].use_bake
        ob.hide_viewport = False
    inner.hide_viewport = True
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = ob
    if bpy.context.object == ob:
        s.refused("is hidden in viewports", bpy.ops.sinew.bake)
    inner.hide_viewport = False
    s.select(ob)
    assert bpy.ops.sinew.bake() == {"FINISHED"}


def scenes_that_are_deleted_stop_what_plays_them(folder):
    """Bake and Catch Up, between the frames in which others have their turn."""
    from types import SimpleNamespace

    bake = s.part("ops.bake")
    ob, _ = sliding(range(1, 3))
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    for made in (bake.SINEW_OT_bake, bake.SINEW_OT_catch_up):
        other = bpy.context.scene.copy()
        own = {name: part for name, part in vars(made).items() if not name.startswith(("bl_", "__"))}
        said, context = [], Interface()
        operator = type(
            "Plays", (bake.Plays,), {**own, "bl_label": "Plays", "report": lambda _, *words: said.append(words)}
        )()
        context.scene = other
        other.frame_set(12)
        assert operator.set_up(context)
        operator._timer = "a timer"
        for _ in range(3):
            assert operator.modal(context, SimpleNamespace(type="TIMER")) == {"RUNNING_MODAL"}
        bpy.data.scenes.remove(other)
        context.scene, found = bpy.context.scene, {"RUNNING_MODAL"}
        while found == {"RUNNING_MODAL"}:
            found = operator.modal(context, SimpleNamespace(type="TIMER"))
        assert found == {"CANCELLED"}
        assert said == [({"ERROR"}, "The scene was deleted")] and context.shown[-3:] == ["no timer", "end", None], (
            said,
            context.shown,
        )
        assert beside(folder) == [] and not ob.sinew.nodes[0].use_bake, os.listdir(folder)
    s.play(ob, range(1, 4))


def files_that_are_not_saved_have_no_bake_beside_them():
    bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
    ob, _ = sliding(range(1, 3))
    item, there = ob.sinew.nodes[0], sorted(os.listdir("."))
    for path in ("", "//beside.bake", "//bakes/beside.bake"):
        item.bake_path = path
        s.refused("save the file first", bpy.ops.sinew.bake)
    assert sorted(os.listdir(".")) == there and not item.use_bake


class Interface:
    """A context with a window, as modal operators see it; of what they compute, they see the end in a later event."""

    def __init__(self):
        s.part("ops.in_thread").SLICE = 0.0
        self.shown, self.window, self.scene, self.object = [], None, bpy.context.scene, bpy.context.object
        self.window_manager = self.workspace = self

    def event_timer_remove(self, _timer):
        self.shown.append("no timer")

    def progress_update(self, value):
        self.shown.append(value)

    def progress_end(self):
        self.shown.append("end")

    def status_text_set(self, text):
        self.shown.append(text)


def esc_stops_a_bake_and_leaves_nothing_behind(folder):
    """The bake's modal steps with events as a window sends them; without one Blender bakes at once."""
    from types import SimpleNamespace

    bake = s.part("ops.bake")
    ob, _ = sliding(range(1, 3))
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.select(ob)
    own = {name: made for name, made in vars(bake.SINEW_OT_bake).items() if not name.startswith(("bl_", "__"))}
    for last in ("ESC", "TIMER"):
        said = []
        operator = type(
            "Bake", (bake.Plays,), {**own, "bl_label": "Bake", "report": lambda _, *words: said.append(words)}
        )()
        context = Interface()
        assert operator.set_up(context)
        operator._timer = "a timer"
        while context.scene.frame_current < 5:
            assert operator.modal(context, SimpleNamespace(type="TIMER")) == {"RUNNING_MODAL"}
        assert operator.modal(context, SimpleNamespace(type="MOUSEMOVE")) == {"PASS_THROUGH"}
        assert context.scene.frame_current == 5 and context.shown[-1].startswith("Bake: frame 5, 7 to go"), (
            context.shown
        )
        found = {"RUNNING_MODAL"}
        while found == {"RUNNING_MODAL"}:
            found = operator.modal(context, SimpleNamespace(type=last))
        assert context.shown[-3:] == ["no timer", "end", None] and context.scene.frame_current == 2
        if last == "ESC":
            assert found == {"CANCELLED"} and "stopped" in said[0][1] and beside(folder) == [], os.listdir(folder)
            assert not ob.sinew.nodes[0].use_bake and ob.sinew.nodes[0].live
        else:
            assert found == {"FINISHED"} and "12 frames" in said[0][1] and ob.sinew.nodes[0].use_bake


def a_disk_that_cannot_be_written_is_said(folder):
    ob, _ = sliding(range(1, 3))
    blocked = pathlib.Path(folder) / "file"
    blocked.write_text("in the way")
    ob.sinew.nodes[0].bake_path = str(blocked / "x.sinewbake")
    s.refused("cannot be written", bpy.ops.sinew.bake)
    assert not ob.sinew.nodes[0].use_bake and ob.sinew.nodes[0].live
    # A folder, which is said before any frame is computed.
    known = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene)
    ob.sinew.nodes[0].bake_path = folder
    s.refused("this is a folder", bpy.ops.sinew.bake)
    assert known.timeline.frames() == [1, 2] and list(pathlib.Path(folder).iterdir()) == [blocked], (
        known.timeline.frames()
    )
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
    for call in (
        bpy.ops.sinew.node_remove,
        lambda: bpy.ops.sinew.node_add(kind="skinning"),
        bpy.ops.sinew.capture_update,
    ):
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


def maps_and_bakes_are_undone(folder):
    ob, played = sliding()
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.select(ob)

    def seen():
        ob = bpy.data.objects["Body"]
        item, hold = ob.sinew.nodes[0], ob.sinew.nodes[0].of_skin_slider.in_hold
        return (
            ob.mode,
            [group.name for group in ob.vertex_groups],
            hold.choice,
            hold.name,
            [one.name for one in ob.data.color_attributes],
            item.coloured,
            item.use_bake,
            item.bake_path,
        )

    for call, arguments in (
        (bpy.ops.sinew.paint, {"port": "hold"}),
        (bpy.ops.object.mode_set, {"mode": "OBJECT"}),
        (bpy.ops.sinew.show_map, {"map": "in hold"}),
        (bpy.ops.sinew.show_map, {"map": "none"}),
        (bpy.ops.sinew.bake, {}),
    ):
        s.done_and_undone(seen, call, **arguments)
    # Painting with the map's default everywhere changed nothing.
    assert np.array_equal(s.play_baked(bpy.data.objects["Body"], 12), played[12])


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
    # With inertia the frames before live on; skin at rest hardly remembers how it came there.
    ob.sinew.nodes[0].of_skin_slider.param_mode = "dynamic"
    played = s.play(ob, range(1, 13))
    second = bpy.data.scenes.new("second")
    second.collection.objects.link(ob)
    second.collection.objects.link(bpy.data.objects["Rig"])
    second.frame_start = 4
    bpy.context.window.scene = second
    s.go_to(8)
    assert s.state(ob, scene=second)[0] == "computed" and not np.array_equal(s.uvs(ob), played[8]), (
        "in the scene that starts at frame 4, frame 8 must be computed and differ"
    )
    bpy.context.window.scene = bpy.data.scenes[0]
    assert np.array_equal(s.play(ob, [8])[8], played[8])
    scene = bpy.data.scenes[0]
    slow = s.play(ob, range(1, 6))
    scene.render.fps = 48
    fast = s.play(ob, range(1, 6))
    assert not np.array_equal(slow[5], fast[5]), "at twice the rate, frame 5 must differ: it comes after half the time"


def stage(ob):
    """A camera that looks at the tube, whose material is a checkered picture."""
    scene = bpy.context.scene
    picture = bpy.data.images.new("checker", 256, 256)
    board = (np.indices((256, 256)) // 8).sum(axis=0) % 2
    pixels = np.stack([board, 0.5 * board, 1 - board, np.ones_like(board)], axis=-1)
    picture.pixels.foreach_set(pixels.astype(np.float32).ravel())
    picture.pack()
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
    scene.render.resolution_x, scene.render.resolution_y = 320, 240
    return scene


def renders_show_the_frame(folder):
    ob, played = sliding(angle=2.0)
    scene = stage(ob)
    scene.render.filepath = f"{folder}/live_"
    # The range begins late, and nothing is remembered: what it follows from is computed when the render comes to it.
    scene.frame_start, scene.frame_end, scene.frame_step = 10, 12, 2
    ob.sinew.nodes[0].use_start, ob.sinew.nodes[0].start = True, 1
    bpy.ops.render.render(animation=True)
    live = pixels_of(f"{folder}/live_0012.png")
    # The same frame, played to, is the same picture; with the skin held it is another.
    s.go_to(12)
    assert np.array_equal(s.uvs(ob), played[12])
    scene.render.filepath = f"{folder}/still.png"
    bpy.ops.render.render(write_still=True)
    assert np.array_equal(pixels_of(f"{folder}/still.png"), live)
    # A still of a frame that was jumped to is computed for the picture.
    bpy.ops.sinew.forget()
    scene.frame_set(1)
    scene.frame_set(12)
    assert s.state(ob)[0] == "missing"
    scene.render.filepath = f"{folder}/jumped.png"
    bpy.ops.render.render(write_still=True)
    assert np.array_equal(pixels_of(f"{folder}/jumped.png"), live) and s.state(ob)[0] == "computed", s.state(ob)
    # What moves the body in renders alone is reported where a frame follows from those of viewports.
    known = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], scene)
    assert not known.of_render and not known.timeline.warnings(12), known.timeline.warnings(12)
    cast = ob.modifiers.new("Thick", "CAST")
    cast.factor, cast.show_viewport = 0.1, False
    scene.frame_set(11)
    s.go_to(11)
    scene.frame_set(12)
    scene.render.filepath = f"{folder}/otherwise.png"
    bpy.ops.render.render(write_still=True)
    assert '"Thick" moves the body in renders' in known.of_render and "frame 12" in known.of_render, known.of_render
    ob.modifiers.remove(cast)
    bpy.context.view_layer.update()
    s.go_to(12)
    bpy.ops.render.render(write_still=True)
    assert not known.of_render and np.array_equal(s.uvs(ob), played[12])
    # A range from a bake.
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    s.select(ob)
    assert bpy.ops.sinew.bake() == {"FINISHED"}
    scene.render.filepath = f"{folder}/baked_"
    bpy.ops.render.render(animation=True)
    assert s.state(ob)[0] == "baked" and np.array_equal(pixels_of(f"{folder}/baked_0012.png"), live)
    ob.sinew.nodes[0].use_bake = ob.sinew.nodes[0].live = False
    ob.data.uv_layers["Sinew"].uv.foreach_set("vector", s.uvs(ob, "UVMap"))
    ob.data.update()
    scene.render.filepath = f"{folder}/held.png"
    bpy.ops.render.render(write_still=True)
    keep = os.environ.get("SINEW_PICTURES")
    for name in ("live_0012.png", "held.png") if keep else ():
        shutil.copy(f"{folder}/{name}", keep)
    difference = np.abs(pixels_of(f"{folder}/held.png") - live).max(axis=2)
    assert 0.002 < (difference > 0.2).mean() < 0.2, (difference > 0.2).mean()


READ_USD = """
import json, sys
from pxr import Usd, UsdGeom
stage = Usd.Stage.Open(sys.argv[1])
mesh = next(prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh))
there = [p for p in UsdGeom.PrimvarsAPI(mesh).GetPrimvars() if str(p.GetTypeName()) == "texCoord2f[]"]
uvs = next(p for p in there if p.GetTimeSamples())
print("JSON" + json.dumps({frame: [n for uv in uvs.ComputeFlattened(frame) for n in uv] for frame in (1, 7, 12)}))
"""

READ_ALEMBIC = """
import json, sys
from alembic3d import Abc, AbcGeom
def meshes(thing):
    for child in (thing.getChild(k) for k in range(thing.getNumChildren())):
        yield from [child] if AbcGeom.IPolyMesh.matches(child.getHeader()) else meshes(child)
found = next(meshes(Abc.IArchive(sys.argv[1]).getTop()))
uvs = AbcGeom.IPolyMesh(found.getParent(), found.getName()).getSchema().getUVsParam()
found = {}
for frame in (1, 7, 12):
    sample = uvs.getExpandedValue(Abc.ISampleSelector(frame / 24))
    found[frame] = [n for uv in sample.getVals() for n in (uv[0], uv[1])]
print("JSON" + json.dumps(found))
"""


def exports_carry_the_slide(folder):
    ob, played = sliding()
    bpy.context.scene.frame_set(1)
    # With armatures USD would get the body at rest and a skeleton.
    bpy.ops.wm.usd_export(
        filepath=f"{folder}/shot.usdc", export_animation=True, export_uvmaps=True, export_armatures=False
    )
    bpy.ops.wm.alembic_export(filepath=f"{folder}/shot.abc", as_background_job=False, start=1, end=12, uvs=True)
    for script, path in ((READ_USD, f"{folder}/shot.usdc"), (READ_ALEMBIC, f"{folder}/shot.abc")):
        reader = os.environ.get("SINEW_READER", sys.executable)
        out = subprocess.run([reader, "-c", script, path], capture_output=True, text=True)
        assert out.returncode == 0, out.stderr
        found = json.loads(out.stdout.partition("JSON")[2])
        for frame in (1, 7, 12):
            there = np.array(found[str(frame)], np.float32)
            assert there.shape == played[frame].shape, (path, there.shape)
            # Alembic stores the corners of a face in the other order.
            pairs = (there.reshape(-1, 4, 2), played[frame].reshape(-1, 4, 2))
            away = np.abs(pairs[0].sum(axis=1) - pairs[1].sum(axis=1)).max()
            assert away < 1e-5, (path, frame, away)


def pixels_of(path):
    image = bpy.data.images.load(path)
    found = np.array(image.pixels, np.float32).reshape(image.size[1], image.size[0], 4)[..., :3]
    bpy.data.images.remove(image)
    return found


CASES = s.cases(globals())

if __name__ == "__main__":
    s.main(CASES)
