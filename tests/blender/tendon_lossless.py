"""Nothing of a rigger's is lost, in the file, on the disk and in scenes: tendon_lossless.py ZIP SINEW [CASE...]"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import (
    CLI,
    ROOT,
    bpy,
    chosen,
    load,
    main,
    part,
    preset,
    refused,
    rig_now,
    rig_parts,
    same_bits,
    show,
    sinew,
    store,
    stored,
)

from bl_ext.user_default.sinew.bridge.tendon import animation
from mathutils import Matrix, Vector


def paths_that_lead_nowhere_are_refused():
    """A path beside a .blend that is not saved is no path; folders are made by nobody."""
    preset()
    assert not bpy.data.filepath, "this case comes before those that save"
    before = set(os.listdir())
    for operator in (sinew.tendon_export, sinew.tendon_import):
        refused(operator, "//rel.xml is relative to the .blend file, which has no folder yet", filepath="//rel.xml")
    with tempfile.TemporaryDirectory() as folder:
        refused(sinew.tendon_export, "is a folder", filepath=folder)
        refused(sinew.tendon_export, "there is no folder", filepath=f"{folder}/new/scene.xml")
        assert not contents(pathlib.Path(folder)) and set(os.listdir()) == before
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/saved.blend")
        assert sinew.tendon_export(filepath="//rel.xml") == {"FINISHED"} and pathlib.Path(folder, "rel.xml").is_file()


def the_last_simulation_is_kept():
    """However often a rig was simulated, undo, saving and opening keep the last simulation."""
    scene = bpy.context.scene
    rig = preset()
    for last in (3, 3, 6, 4):
        scene.frame_end = last
        assert sinew.tendon_simulate() == {"FINISHED"}
        assert bytes(rig[show.RESULT]) == show.result_of(rig).bytes()
    tensions = show.result_of(rig).arrays["tensions"].tolist()
    bpy.ops.ed.undo_push(message="simulated")
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.ed.undo_push(message="cube")
    bpy.ops.ed.undo()
    assert show.result_of(rig_now()).arrays["tensions"].tolist() == tensions
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/rig.blend"
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
    rig, scene = rig_now(), bpy.context.scene
    assert show.result_of(rig).arrays["tensions"].tolist() == tensions and len(tensions) == 4
    # A result that was damaged all the same is no traceback; the checker says what to do.
    whole = bytes(rig[show.RESULT])
    for damaged in (b"PK\3\4\24", whole[: len(whole) // 2], b"", "text", 1.5):
        del rig[show.RESULT]
        rig[show.RESULT] = damaged
        show.on_undo()
        scene.frame_set(2)
        assert show.result_of(rig) is None
        sinew.tendon_check()
        assert "the saved simulation is damaged: simulate again" in [p.message for p in rig.sinew_tendons.problems]
        refused(sinew.tendon_keys, "damaged: simulate again")
    assert sinew.tendon_simulate() == {"FINISHED"} and show.result_of(rig).arrays["tensions"].tolist() == tensions


def every_body_has_its_own_mesh():
    """Bodies whose names would be the same file's, on this system or another, keep their own shapes."""
    bpy.context.scene.frame_end = 3
    sinew.tendon_new_rig(label="Files")
    rig = bpy.data.collections["Files"]
    long = "o" * 63 if bpy.app.version < (5, 0) else "骨" * 80
    sizes = {"a/b": 0.05, "a:b": 0.5, "Bone": 0.1, "bone": 0.2, "scene": 0.3, long: 0.4}
    for name, size in sizes.items():
        bpy.ops.mesh.primitive_cube_add(size=size)
        bpy.context.object.name = name
        sinew.tendon_add_body(mode="held")
    part(rig, "body", "scene").sinew_tendon.body.shape.file = "scene.xml"
    files = store.store(rig, bpy.context.scene).files
    assert len({name.casefold() for name in files}) == len(files) == 1 + len(sizes), list(files)
    assert {"a_b.obj", "a_b_2.obj", "Bone.obj", "bone_2.obj", "scene.xml", "scene.obj"} < set(files)
    assert sinew.tendon_simulate() == {"FINISHED"}
    with tempfile.TemporaryDirectory() as folder:
        assert sinew.tendon_export(filepath=f"{folder}/files.xml") == {"FINISHED"}
        load.delete(rig)
        assert sinew.tendon_import(filepath=f"{folder}/files.xml") == {"FINISHED"}
    for body in rig_parts.parts(rig_now(), "body"):
        assert np.allclose(body.dimensions, sizes[rig_parts.name_in_scene(body)]), body.name
    # Bodies with one mesh share its file, as the scene has it.
    part(rig_now(), "body", "bone").data = part(rig_now(), "body", "Bone").data
    part(rig_now(), "body", "bone").sinew_tendon.body.shape.file = "Bone.obj"
    assert stored(rig_now()).count('file="Bone.obj"') == 2


def exported_finger(folder, moved="", frames=3):
    """The preset as a scene in a folder; its meshes are in another one, which the scene names as `moved` says."""
    bpy.context.scene.frame_end = frames
    rig, path = preset(), pathlib.Path(folder, "scene.xml")
    path.parent.mkdir(parents=True)
    assert sinew.tendon_export(filepath=str(path)) == {"FINISHED"}
    load.delete(rig)
    text = path.read_text("utf-8")
    for mesh in list(path.parent.glob("*.obj")):
        (path.parent / moved).mkdir(parents=True, exist_ok=True)
        mesh.rename(path.parent / moved / mesh.name)
        text = text.replace(f'"{mesh.name}"', f'"{moved}{mesh.name}"')
    path.write_text(text, "utf-8")
    return path


def contents(folder):
    """All files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()
    }


def files_of_others_are_left_alone():
    """Checking and simulating write into their own folder only; exporting replaces only what the rig exported."""
    with tempfile.TemporaryDirectory() as folder:
        away = f"{folder}/away/"
        path = exported_finger(pathlib.Path(folder, "scenes"), away)
        before = contents(folder)
        assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
        rig = rig_now()
        bodies = [body for body in rig_parts.parts(rig, "body") if body.type == "MESH"]
        for body in bodies:
            body.data.transform(Matrix.Scale(1.01, 4))
        bodies[0].sinew_tendon.body.shape.file = "../../../above.obj"
        bodies[1].sinew_tendon.body.shape.file = f"{away}..\\.."
        sinew.tendon_check()
        assert sinew.tendon_simulate() == {"FINISHED"}
        same_bits(rig, simulated=True)
        assert contents(folder) == before and not pathlib.Path(folder).parent.joinpath("above.obj").exists()
        # Exported beside the scene, with new references.
        out = pathlib.Path(folder, "out")
        refused(sinew.tendon_export, "there is no folder", filepath=f"{out}/scene.xml")
        out.mkdir()
        assert sinew.tendon_export(filepath=f"{out}/scene.xml") == {"FINISHED"}
        assert "above.obj" in contents(out) and len(contents(out)) == 1 + len(bodies)
        assert folder not in (out / "scene.xml").read_text("utf-8")
        # What the rig exported is replaced, a file that someone else wrote or changed is not.
        name = next(name for name in contents(out) if name not in ("above.obj", "scene.xml"))
        for body in bodies:
            body.data.transform(Matrix.Scale(1.01, 4))
        assert sinew.tendon_export(filepath=f"{out}/scene.xml") == {"FINISHED"}
        (out / name).write_bytes(b"mine")
        kept = contents(out)
        refused(sinew.tendon_export, f"{name} is there already", filepath=f"{out}/scene.xml")
        refused(sinew.tendon_export, "tick Overwrite", filepath=f"{out}/another.xml")
        assert contents(out) == kept
        assert sinew.tendon_export(filepath=f"{out}/scene.xml", overwrite=True) == {"FINISHED"}
        assert contents(out)[name] != b"mine"


def meshes_lie_in_folders():
    """Scenes name meshes in other folders: below theirs they are exported as they are, from above beside the scene."""
    for moved in ("bones/right/", "./", "../bones/"):
        with tempfile.TemporaryDirectory() as folder:
            path = exported_finger(pathlib.Path(folder, "scenes"), moved)
            assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
            rig = rig_now()
            sinew.tendon_check()
            assert not any(problem.error for problem in rig.sinew_tendons.problems)
            same_bits(rig)
            text, above = path.read_text("utf-8"), moved.startswith("..")
            assert stored(rig) == (text.replace(moved, "") if above else text)
            out = pathlib.Path(folder, "out")
            out.mkdir()
            assert sinew.tendon_export(filepath=f"{out}/scene.xml") == {"FINISHED"}
            meshes = {name for name in contents(out) if name.endswith(".obj")}
            assert meshes and all(
                pathlib.Path(name).parent == pathlib.Path("" if above else moved) for name in meshes
            ), meshes
            assert above or contents(out) == contents(path.parent)
            chosen(part(rig, "body", "Middle"))
            assert sinew.tendon_mirror(axis="x") == {"FINISHED"}
        for collection in [c for c in bpy.data.collections if c.sinew_tendons.is_rig]:
            load.delete(collection)


BVH = """HIERARCHY
ROOT Arm
{
  OFFSET 50 10 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Hand
  {
    OFFSET 20 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 5 0 0
    }
  }
}
MOTION
Frames: 4
Frame Time: 0.041666
50 10 0 0 0 0 0 0 0
51 10 0 0 0 0 20 0 0
52 10 0 0 0 0 40 0 0
53 10 0 0 0 0 60 0 0
"""
LED = """<strand_scene version="1">
  <space metres_per_unit="0.01"/>
  <armature file="../m.bvh" fps="24"/>
  <armature file="tables/root.csv"/>
  <armature file="bones.usda" joints="hip"/>
  <body name="thumb" at="10 5 0" in="Hand"><cuboid size="4 1 1"/></body>
  <joint name="weld" parent="Hand" child="thumb" at="8 5 0" in="Hand"/>
  <point name="tip" at="2 0 0" on="thumb" in="thumb"/>
  <point name="wall" at="90 0 0" on="world"/>
  <point name="hip" at="90 9 0" on="hip"/>
  <strand name="cord" stiffness="1e-6"><node point="tip"/><node point="wall"/></strand>
  <strand name="other" stiffness="1e-6"><node point="wall"/><node point="hip"/></strand>
</strand_scene>
"""


def led_by_files(folder):
    """A scene that is led by a BVH file, a table and a USD file."""
    path = pathlib.Path(folder, "scenes", "led.xml")
    (path.parent / "tables").mkdir(parents=True)
    (path.parent.parent / "m.bvh").write_text(BVH)
    (path.parent / "tables/root.csv").write_text("rest,root,1,0,0,7,0,1,0,0,0,0,1,0\n0,root,1,0,0,1,0,1,0,0,0,0,1,0\n")
    (path.parent / "bones.usda").write_bytes((ROOT / "tests/fuzz/corpus/usda/bones").read_bytes())
    (path.parent / "tables/root.csv.bvh").write_text(BVH.replace("52 10", "no 10"))
    path.write_text(LED)
    return path


def animations_lead_bodies():
    """The files of a scene's armatures are carried in the .blend: it simulates and exports without them."""
    scene = bpy.context.scene
    scene.frame_end = 4
    with tempfile.TemporaryDirectory() as folder:
        path = led_by_files(folder)
        for old, new, message in (
            ('joints="hip"', 'joints="Foot"', 'led.xml: armature (line 5): bones.usda: there is no joint "Foot"'),
            ('file="../m.bvh"', 'file="tables/root.csv.bvh"', 'armature (line 3): tables/root.csv.bvh:21: "no"'),
            ("bones.usda", "gone.usda", "armature (line 5): the animation gone.usda cannot be read"),
        ):
            path.write_text(LED.replace(old, new))
            refused(sinew.tendon_import, message, filepath=str(path))
            assert rig_now() is None
        path.write_text(LED)
        assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/led.blend")
        bpy.ops.wm.open_mainfile(filepath=f"{folder}/led.blend")
    rig, scene = rig_now(), bpy.context.scene
    assert stored(rig) == LED.replace("../m.bvh", "m.bvh")
    hand, thumb = (next(p for p in rig_parts.parts(rig) if p.name == name) for name in ("Hand", "thumb"))
    assert np.allclose(hand.location, (0.7, 0, 0.1)) and np.allclose(thumb.location, (0.8, 0, 0.15))
    sinew.tendon_check()
    assert not any(problem.error for problem in rig.sinew_tendons.problems), [
        p.message for p in rig.sinew_tendons.problems
    ]
    assert sinew.tendon_simulate() == {"FINISHED"}
    same_bits(rig, simulated=True)
    result = show.result_of(rig)
    places = result.arrays["body_matrices"].reshape(len(result), -1, 4, 4)[:, :, :3, 3]
    assert np.allclose(places[:, result.names["bodies"].index("Hand"), 0], [0.70, 0.71, 0.72, 0.73], atol=1e-5)
    with tempfile.TemporaryDirectory() as folder:
        assert sinew.tendon_export(filepath=f"{folder}/led.xml") == {"FINISHED"}
        written = contents(folder)
        assert (
            set(written) == {"led.xml", "m.bvh", "bones.usda", "tables/root.csv"} and written["m.bvh"] == BVH.encode()
        )
        # Mirrored as the message says: Blender's z is the file's y.
        chosen(thumb)
        refused(sinew.tendon_mirror, "`sinew strand SCENE.xml --mirror AXIS --write MIRRORED.xml`", axis="z")
        mirrored = [CLI, "strand", f"{folder}/led.xml", "--mirror", "y", "--write", f"{folder}/mirrored.xml"]
        subprocess.run(mirrored, check=True, capture_output=True)
        assert sinew.tendon_import(filepath=f"{folder}/mirrored.xml") == {"FINISHED"}
        other = bpy.data.collections["mirrored"]
        assert np.allclose(
            next(p for p in rig_parts.parts(other) if p.sinew_tendon.name_in_file == "thumb").location, (0.8, 0, -0.15)
        )
        load.delete(other)
    # A rig of an earlier version does not have them.
    del rig["sinew_tendon_armatures"]
    refused(sinew.tendon_simulate, "import its scene again")


def numbers_come_back_exactly():
    """Whatever the first frame, the rate and the unit: what nobody changed keeps its text, and lines their length."""
    scene = bpy.context.scene
    paths = [ROOT / f"examples/strand/{name}.xml" for name in ("crane", "hill", "reach")]
    paths += [ROOT / "tests/blender/data/every_element.xml", ROOT / "blender_addon/presets/finger/finger.xml"]
    for start, base, unit in (
        (1001, 1.0, 1.0),
        (1001, 1.001, 0.3048),
        (0, 1.001, 0.001),
        (86401, 1.001, 1000.0),
        (1, 1.0, 0.01),
    ):
        scene.frame_start, scene.frame_end, scene.render.fps_base, scene.unit_settings.scale_length = (
            start,
            start + 5,
            base,
            unit,
        )
        for path in paths:
            assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
            lines = set(path.read_text("utf-8").splitlines())
            changed = [line for line in stored(rig_now()).splitlines() if line not in lines]
            assert not changed, (path.name, start, base, unit, changed)
            load.delete(rig_now())


def lines_have_any_length():
    scene = bpy.context.scene
    text = '<strand_scene version="1">\n  <line name="rail" from="0 0 0" to="0 {} 0"/>\n</strand_scene>\n'
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "line.xml")
        for unit in (1.0, 0.001, 1000.0):
            for length in (30.0, 0.04, 0.00005, 4000.0):
                scene.unit_settings.scale_length = unit
                path.write_text(text.format(length))
                assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
                rig = rig_now()
                assert stored(rig) == text.format(length), (unit, length, stored(rig))
                line = part(rig, "line", "rail")
                bpy.context.view_layer.update()
                assert (
                    abs((line.matrix_world @ Vector((0, 0, line.empty_display_size))).length / (length / unit) - 1)
                    < 1e-6
                )
                load.delete(rig)


def lines_of_text_end_as_they_did():
    """Files with the line ends of other systems keep them, also in what is added."""
    for end in ("\n", "\r\n", "\r"):
        with tempfile.TemporaryDirectory() as folder:
            path = exported_finger(pathlib.Path(folder, "scenes"), frames=1)
            written = path.read_text("utf-8").replace("\n", end).encode("utf-8")
            path.write_bytes(written)
            assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
            rig, out = rig_now(), pathlib.Path(folder, "out.xml")
            assert sinew.tendon_export(filepath=str(out)) == {"FINISHED"}
            assert out.read_bytes() == written
            chosen(part(rig, "body", "Middle"))
            sinew.tendon_add_goal()
            sinew.tendon_check()
            assert sinew.tendon_export(filepath=str(out)) == {"FINISHED"}
            added = out.read_bytes().decode("utf-8")
            assert "<goal_place" in added and added.count("\n") == end.count("\n") * added.count(end), end
            load.delete(rig)
            path.write_bytes(written.replace(b"Middle", b"M\xefddle"))
            refused(sinew.tendon_import, "scene.xml: it is not UTF-8 text", filepath=str(path))


def a_changed_key_leaves_the_others():
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1001, 1010
    path = ROOT / "examples/strand/crane.xml"
    assert sinew.tendon_import(filepath=str(path)) == {"FINISHED"}
    rig, text = rig_now(), path.read_text("utf-8")
    winch = part(rig, "reel", "winch")
    keys = animation.curve(winch, "sinew_tendon.reel.activation").keyframe_points
    before = keys[1].co.y
    keys[1].co.y = 0.625
    now = [line for line in stored(rig).splitlines() if line not in text.splitlines()]
    assert len(now) == 1 and 'value="0.625"' in now[0], now
    keys[1].co.y = before
    assert stored(rig) == text
    keys[1].co.x += 0.5
    moved = [line for line in stored(rig).splitlines() if line not in text.splitlines()]
    assert len(moved) == 1 and "activation" in moved[0], moved


def main_cases():
    helpers = {"main_cases", "exported_finger", "contents", "led_by_files"}
    return {n: c for n, c in globals().items() if getattr(c, "__module__", "") == "__main__" and n not in helpers}


if __name__ == "__main__":
    main(main_cases())
