"""What a farm does, `blender -b FILE -a`, renders the frames as they are on the timeline: blender --background --python
farm.py -- ZIP"""

import pathlib
import subprocess
import sys
import tempfile

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import file as shots
import support as s

FRAMES = range(10, 13)


def rendered(path, folder):
    """The pictures of a file's frames, by a Blender of its own."""
    run = [bpy.app.binary_path, "-b", path, "-o", f"{folder}/{pathlib.Path(path).stem}_####", "-a"]
    done = subprocess.run(run, capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "Traceback" not in said and "Error in" not in said, said
    return [shots.pixels_of(f"{folder}/{pathlib.Path(path).stem}_{frame:04d}.png") for frame in FRAMES], said


def run():
    s.install(*s.arguments())
    bpy.ops.wm.save_userpref()
    s.empty()
    ob, _ = shots.sliding(angle=2.0)
    scene = shots.stage(ob)
    # The range begins after the motion does.
    item = ob.sinew.nodes[0]
    item.use_start, item.start = True, 1
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    with tempfile.TemporaryDirectory() as folder:
        expected = []
        for frame in FRAMES:
            s.go_to(frame)
            scene.render.filepath = f"{folder}/still.png"
            bpy.ops.render.render(write_still=True)
            expected.append(shots.pixels_of(f"{folder}/still.png"))
        assert np.abs(expected[0] - expected[-1]).max() > 0.2
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/live.blend")
        assert bpy.ops.sinew.bake() == {"FINISHED"} and item.use_bake
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/baked.blend", copy=True)
        for name in ("live", "baked"):
            found, said = rendered(f"{folder}/{name}.blend", folder)
            assert all(np.array_equal(one, other) for one, other in zip(found, expected)), said
            print(f"{name}: ok", flush=True)


s.finish(run)
