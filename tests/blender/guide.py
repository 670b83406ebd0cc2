"""The pages of the add-on's README, step by step as they stand there, and the example that it names: guide.py ZIP
CASE..."""

import importlib.util
import os
import pathlib
import re
import shutil
import sys
import textwrap

import bpy
import numpy as np

from mathutils import Matrix

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import muscles as limbs
import support as s

ROOT = pathlib.Path(__file__).parents[2]
README = (ROOT / "blender_addon/README.md").read_text("utf-8")
MUSCLES = (ROOT / "blender_addon/README_muscles.md").read_text("utf-8")
# Where pictures are kept, to be looked at.
PICTURES = ROOT / "target/blender"


class Page:
    """A page of a README: `do` runs its steps, one after the other, after what stands at the head of the README."""

    def __init__(self, title, readme=README, **names):
        self.text = next(page for page in readme.split("\n## ")[1:] if page.startswith(title))
        steps = re.split(r"^(?=\d\. )", self.text, flags=re.M)[1:]
        self.steps = [re.findall(r"```python\n(.*?)```", step, re.S) for step in steps]
        self.names = {}
        for code in re.findall(r"```python\n(.*?)```", readme.partition("\n## ")[0], re.S):
            exec(code, self.names)
        assert set(names) <= set(self.names), "names that only the test knows"
        self.names.update(names)
        self.done = 0

    def do(self):
        for code in self.steps[self.done]:
            exec(textwrap.dedent("   " + code.lstrip(" ")), self.names)
        self.done += 1

    def check_buttons(self):
        """What is bold is a button, a panel or a field of the add-on."""
        assert self.done == len(self.steps), self.text
        labels = {
            c.bl_label
            for kind in (bpy.types.Operator, bpy.types.Panel)
            for c in kind.__subclasses__()
            if hasattr(c, "bl_label")
        }
        labels |= {port.title for port in s.part("bridge.host").kinds()["skin_slider"].inputs}
        for kind in ("skin_slider", "muscle_skin"):
            params = s.part("bridge.host").kinds()[kind].params
            labels |= {text for param in params for text in (param.title, param.group, f"{param.group} (Advanced)")}
        for bold in re.findall(r"\*\*(.*?)\*\*", self.text, re.S):
            assert " ".join(bold.split()) in labels, bold


def away(ob):
    """How far each corner's UV is from rest."""
    moved = (s.evaluated_uvs(ob) - s.uvs(ob, "UVMap")).reshape(-1, 2)
    return np.abs(moved - np.round(moved)).max(axis=1)


def sliding_is_added_in_five_steps(folder):
    ob = s.tube()
    s.armature(ob)
    scene = bpy.context.scene
    page = Page("Add sliding skin to a shot")
    assert len(page.steps) == 5
    page.do()
    page.do()
    assert len(ob.sinew.nodes) == 1 and ob.data.uv_layers.active.name == "Sinew"
    page.do()
    assert s.state(ob)[0] == "computed" and away(ob).max() > 0.002
    played = s.evaluated_uvs(ob)
    page.do()
    assert s.state(ob)[0] == "computed" and np.array_equal(s.evaluated_uvs(ob), played)
    camera = s.link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.location, camera.rotation_euler = (9, 0, 2), (np.pi / 2, 0, np.pi / 2)
    scene.camera, scene.render.engine = camera, "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.filepath = 64, 48, f"{folder}/"
    scene.frame_start, ob.sinew.nodes[0].use_start = 11, True
    page.do()
    assert sorted(os.listdir(folder)) == ["0011.png", "0012.png"]
    s.go_to(12)
    assert np.array_equal(s.evaluated_uvs(ob), played), "the render changed nothing"
    page.check_buttons()


def painted_maps_hold_in_three_steps():
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    s.go_to(12)
    free = away(ob)
    page = Page("Paint what holds the skin")
    assert len(page.steps) == 3
    page.do()
    assert ob.mode == "WEIGHT_PAINT" and ob.vertex_groups.active.name == "Sinew Fixed"
    page.do()
    assert s.state(ob)[0] == "computed"
    corners = np.array([loop.vertex_index for loop in ob.data.loops])
    low = np.array([vertex.co.z for vertex in ob.data.vertices])[corners] < 1
    assert away(ob)[low].max() < 1e-6 < 1e-4 < free[low].max() and away(ob)[~low].max() > 1e-3
    page.do()
    colours = np.empty(4 * len(ob.data.vertices), np.float32)
    ob.data.color_attributes["Sinew Colours"].data.foreach_get("color", colours)
    colours = colours.reshape(-1, 4)
    held = colours[corners[low]]
    assert (held[:, 2] > held[:, 0]).all() and (colours[:, 0] > 0.5).any(), "held skin is blue, and some is red"
    page.check_buttons()


def a_bake_goes_to_the_farm_in_three_steps(folder):
    ob = s.tube()
    s.armature(ob)
    s.slide(ob)
    played = s.play(ob, range(1, 13))
    farm = f"{folder}/farm"
    os.mkdir(farm)
    page = Page("Bake for the farm", folder=folder)
    assert len(page.steps) == 3
    page.do()
    assert ob.sinew.nodes[0].use_bake
    page.do()
    for name in os.listdir(folder):
        if name != "farm":
            shutil.copy(f"{folder}/{name}", farm)
    bpy.ops.wm.open_mainfile(filepath=f"{farm}/shot.blend")
    ob = bpy.data.objects["Body"]
    for frame in (9, 2, 12):
        bpy.context.scene.frame_set(frame)
        assert s.state(ob)[0] == "baked" and np.array_equal(s.evaluated_uvs(ob), played[frame]), s.state(ob)
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/shot.blend")
    ob = bpy.data.objects["Body"]
    page.do()
    bpy.context.scene.frame_set(12)
    assert s.state(ob)[0] == "baked" and not np.array_equal(s.evaluated_uvs(ob), played[12]), (
        "the change is in the bake"
    )
    page.check_buttons()


def charts_are_made_in_four_steps():
    ob = s.tube()
    page = Page("Make a UV map of charts")
    assert len(page.steps) == 4
    page.do()
    assert any(edge.use_seam for edge in ob.data.edges)
    page.do()
    assert ob.data.color_attributes.active_color.name == "Sinew Chart Colours"
    page.do()
    assert ob.data.uv_layers.active.name == "Charts"
    flat = s.uvs(ob, "Charts")
    assert flat.min() >= 0 and flat.max() <= 1 and np.ptp(flat) > 0.5
    page.do()
    page.check_buttons()


def bulging(ob):
    """How far the muscles move each vertex from where bones alone would have it, in the body's own space."""
    settings, frame = ob.sinew.nodes[0].of_muscle_skin, bpy.context.scene.frame_current
    shapes = []
    for factor in (1.0, 0.0):
        settings.param_weight_factor = factor
        s.go_to(frame)
        assert s.state(ob)[0] == "computed", s.state(ob)
        shapes.append(s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data))
    settings.param_weight_factor = 1.0
    s.go_to(frame)
    return np.linalg.norm(shapes[0] - shapes[1], axis=1)


def look_at(body, name, shown):
    """Renders a body from its front, for people to look at; with `shown` false, without its skin."""
    scene, world = bpy.context.scene, body.matrix_world
    camera = s.link(bpy.data.objects.new("Looking", bpy.data.cameras.new("Looking")))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 5 * world.to_scale().x
    camera.matrix_world = world.normalized() @ Matrix.Translation((0, -8, 0)) @ Matrix.Rotation(np.pi / 2, 4, "X")
    scene.camera, scene.render.engine = camera, "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 900, 400, 100
    scene.display.shading.show_cavity, body.hide_render = True, not shown
    scene.render.filepath = f"{PICTURES}/{name}.png"
    bpy.ops.render.render(write_still=True)
    body.hide_render = False
    bpy.data.objects.remove(camera)


def muscles_are_added_in_five_steps():
    ob, _ = limbs.arms()
    page = Page("Add muscles to a character", MUSCLES)
    assert len(page.steps) == 5
    for _ in range(4):
        page.do()
    assert limbs.names(ob) == ["biceps.L", "biceps.R"] and ob.sinew_muscles.live is not None
    page.do()
    assert s.state(ob)[0] == "computed" and bulging(ob).max() > 0.01
    look_at(ob, "muscles_shown", False)
    look_at(ob, "muscles_carry", True)
    page.check_buttons()


def numbers_of_one_muscle_are_changed_in_two_steps():
    ob, _ = limbs.with_muscles()
    for muscle, name in zip(ob.sinew_muscles.names, ("biceps.L", "biceps.R")):
        muscle.name = name
    page = Page("Change the numbers of one muscle", MUSCLES)
    assert len(page.steps) == 2
    s.go_to(12)
    before = bulging(ob)
    page.do()
    s.go_to(12)
    assert np.abs(bulging(ob) - before).max() > 0.01
    page.do()
    assert [round(muscle.bulge, 6) for muscle in ob.sinew_muscles.names] == [0.9, 0.9]
    page.check_buttons()


def muscles_are_sculpted_and_painted_in_four_steps():
    ob, _ = limbs.with_muscles()
    s.go_to(12)
    page = Page("Sculpt and paint", MUSCLES)
    assert len(page.steps) == 4
    page.do()
    assert bpy.context.object == ob.sinew_muscles.sculpt
    page.do()
    assert limbs.settings_of(ob).param_muscles.count("<offset") == 8
    look_at(ob, "muscles_sculpted", False)
    page.do()
    assert {"bizeps.L", "bizeps.R"} <= set(ob.vertex_groups.keys())
    s.go_to(12)
    before = bulging(ob)
    page.do()
    s.go_to(12)
    assert s.state(ob)[0] == "computed" and np.abs(bulging(ob) - before).max() > 0.01
    page.check_buttons()


def physiques_go_to_other_bodies_in_two_steps():
    ob, _ = limbs.with_muscles()
    second, _ = limbs.arms("Second", place=((-4.0, 5, 0), (0, 0, 2.0), (0.6, 0.6, 0.6)), length=1.4)
    page = Page("Physiques", MUSCLES)
    assert len(page.steps) == 2
    page.do()
    page.do()
    for body in (ob, second):
        assert abs(limbs.settings_of(body).param_size_factor - 2.0) < 1e-6 and len(limbs.names(body)) == 2
        s.go_to(12)
        assert bulging(body).max() > 0.02
    page.check_buttons()


def the_example_with_muscles(folder):
    """As the page's command makes it, then opened as anyone does."""
    example = loaded("human_muscles")
    assert "examples/blender/human_muscles.py -- target/human muscles.blend" in MUSCLES
    example.main([str(ROOT / "target/human"), f"{folder}/muscles.blend"])
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/muscles.blend")
    ob, scene = bpy.data.objects["With Muscles"], bpy.context.scene
    assert len(ob.sinew_muscles.names) > 80
    s.go_to(40)
    assert s.state(ob)[0] == "computed", s.state(ob)
    shown = bpy.data.objects["Muscles"].sinew_muscles.live
    assert len(shown.data.polygons) > 5000 and s.state(bpy.data.objects["Muscles"])[0] == "computed"
    scene.render.filepath, scene.render.resolution_percentage = f"{PICTURES}/human_muscles.png", 100
    bpy.ops.render.render(write_still=True)
    s.select(ob)
    assert bpy.ops.sinew.muscles_range(degrees=15) == {"FINISHED"}
    lines = [line.body for line in bpy.data.texts["Sinew Range of Motion"].lines]
    assert lines[0].startswith("With Muscles: ") and lines[0].endswith(" problems"), lines[:3]
    moved = bulging(ob)
    arm = ob.vertex_groups["upperarm01.L"].index
    carried = [v.index for v in ob.data.vertices if any(g.group == arm and g.weight > 0.5 for g in v.groups)]
    assert 0.0005 < np.quantile(moved[carried], 0.9) < 0.04 and 0.01 < moved.max() < 0.08, (
        np.quantile(moved[carried], 0.9),
        moved.max(),
    )


def loaded(name):
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/blender/{name}.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


def the_example_slides(folder):
    """As the README's command makes it, then opened as anyone does."""
    example = loaded("human")
    assert "examples/blender/human.py -- target/human human.blend" in README
    example.main([str(ROOT / "target/human"), f"{folder}/human.blend"])
    bpy.ops.wm.open_mainfile(filepath=f"{folder}/human.blend")
    ob, scene = bpy.data.objects["Sliding"], bpy.context.scene
    frame = 30
    s.go_to(frame)
    assert s.state(ob)[0] == "computed", s.state(ob)
    moved, corners = away(ob), np.array([loop.vertex_index for loop in ob.data.loops])
    groups = {group.name: group.index for group in ob.vertex_groups}
    fixed = {v.index for v in ob.data.vertices for g in v.groups if g.group == groups["Sinew Fixed"] and g.weight == 1}
    held = np.isin(corners, list(fixed))
    assert len(fixed) > 300 and moved[held].max() < 1e-6, (len(fixed), moved[held].max())
    assert 0.002 < np.quantile(moved, 0.99) < 0.1, np.quantile(moved, 0.99)
    scene.render.resolution_percentage = 50
    pictures = []
    for name in ("sliding", "rest"):
        scene.render.filepath = f"{PICTURES}/human_{name}.png"
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pixels = np.empty(len(image.pixels), np.float32)
        image.pixels.foreach_get(pixels)
        pictures.append(pixels.reshape(image.size[1], image.size[0], 4)[..., :3])
        ob.sinew.nodes[0].live = False
        ob.data.uv_layers["Sinew"].uv.foreach_set("vector", s.uvs(ob, "UVMap"))
        ob.data.update()
    different = np.abs(pictures[0] - pictures[1]).max(axis=2) > 0.15
    left, right = np.array_split(different, 2, axis=1)
    assert left.mean() < 1e-3 and right.mean() > 0.01, (left.mean(), right.mean())


CASES = {
    name: case
    for name, case in s.cases(globals()).items()
    if name not in ("Page", "away", "bulging", "look_at", "loaded")
}

if __name__ == "__main__":
    s.main(CASES)
