"""What the cases of tendon rigs share: the add-on installed from its zip, the command line, rigs and results."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import bpy
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).parent))

from support import empty, install  # noqa: E402

ZIP, CLI, *NAMES = sys.argv[1:]
install(ZIP)

from bl_ext.user_default.sinew.bridge.tendon import animation, fields, load, props, rig_parts, show, store  # noqa: E402, F401
from bl_ext.user_default.sinew.ops.tendon import live  # noqa: E402, F401

sinew = bpy.ops.sinew


def main(cases):
    """Runs the cases that the command line names after the zip and the program `sinew`, all of them where it names
    none."""
    failed = False
    try:
        for name in NAMES or cases:
            clean()
            cases[name]()
            print(f"{name}: ok", flush=True)
    except BaseException:
        traceback.print_exc()
        failed = True
    sys.stdout.flush()
    sys.stderr.flush()
    # Blender can hang when it ends.
    os._exit(1 if failed else 0)


def clean():
    """A new file with the add-on on."""
    empty()
    for rig in list(bpy.data.collections):
        bpy.data.collections.remove(rig)
    scene = bpy.context.scene
    scene.unit_settings.scale_length = 1.0
    scene.cursor.matrix = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


def refused(operator, part, **arguments):
    """The operator must say no with a message that contains the part; in Blender that is a RuntimeError of the
    report."""
    try:
        operator(**arguments)
    except RuntimeError as error:
        assert part in str(error), error
        assert "Traceback" not in str(error), error
        return
    raise AssertionError(f"it was done; expected: {part}")


def chosen(*parts):
    """Selects objects; the last one is active."""
    bpy.context.view_layer.update()
    for other in bpy.context.view_layer.objects:
        other.select_set(other in parts)
    bpy.context.view_layer.objects.active = parts[-1]


def stored(rig):
    """The rig's scene as text."""
    return store.store(rig, bpy.context.scene).files["scene.xml"].decode()


def preset(name="finger"):
    """A rig of a preset."""
    assert sinew.tendon_preset(preset=name) == {"FINISHED"}
    return next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)


def command_line(rig, mirror=()):
    """The rig exported, and what the command line makes of it: the joints of every frame."""
    scene = bpy.context.scene
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/exported.xml"
        assert sinew.tendon_export(filepath=path) == {"FINISHED"}
        fps = scene.render.fps / scene.render.fps_base
        seconds = (scene.frame_end - scene.frame_start) / fps
        run = [CLI, "strand", path, "--seconds", repr(seconds), "--fps", repr(fps), "--out", f"{folder}/out", *mirror]
        done = subprocess.run(run, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(pathlib.Path(folder, "out/joints.json").read_text())


def same_bits(rig, simulated=False):
    """Simulates unless that is done, and compares every joint of every frame with the command line's; gives the largest
    angle."""
    assert simulated or sinew.tendon_simulate() == {"FINISHED"}
    result, theirs = show.result_of(rig), command_line(rig)
    written = re.search(r'<space metres_per_unit="([^"]*)"', rig.sinew_tendons.document)
    unit = float(written[1] if written else 1) / animation.metres(bpy.context.scene)
    assert len(result) == len(theirs) > 2, (len(result), len(theirs))
    largest = 0.0
    for k, row in enumerate(theirs):
        for j, name in enumerate(result.names["joints"]):
            ours = [*result.arrays["joint_turns"][k][j], *result.arrays["joint_moves"][k][j]]
            # Moves are in the unit of the scene's file there, in Blender's here.
            wanted = (
                [*row["joints"][name][:3], *(np.array(row["joints"][name][3:]) * unit)]
                if unit != 1
                else row["joints"][name]
            )
            assert ours[:3] == wanted[:3] and np.allclose(
                ours[3:], wanted[3:], rtol=0 if unit == 1 else 1e-14, atol=0
            ), (k, name, ours, wanted)
            largest = max(largest, *map(abs, ours[:3]))
    return largest


def part(rig, tag, name):
    """A part by kind and name."""
    return next(o for o in rig_parts.parts(rig, tag) if o.name == name)


def key(thing, path, frame, value):
    """Keys a property."""
    group, _, name = path.rpartition(".")
    setattr(thing.path_resolve(group) if group else thing, name, value)
    thing.keyframe_insert(path, frame=frame)


def rig_now():
    """The rig of the file, found anew: undo replaces everything."""
    return next((c for c in bpy.data.collections if c.sinew_tendons.is_rig), None)


def rod(name, start, length, radius=0.008):
    """A closed rod along x with its origin at one end, as a modeller leaves it."""
    sides = 12
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    points = [(x, radius * np.cos(a), radius * np.sin(a)) for x in (0, length) for a in turn]
    faces = [[k, (k + 1) % sides, sides + (k + 1) % sides, sides + k] for k in range(sides)]
    faces += [list(range(sides))[::-1], list(range(sides, 2 * sides))]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    made = bpy.data.objects.new(name, mesh)
    made.location = start
    bpy.context.scene.collection.objects.link(made)
    return made


def armature(bones=3, length=0.05):
    """A chain of bones along x that bends about its bones' x axes."""
    data = bpy.data.armatures.new("Rig")
    made = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(made)
    chosen(made)
    bpy.ops.object.mode_set(mode="EDIT")
    before = None
    for k in range(bones):
        bone = data.edit_bones.new(f"Bone {k}")
        bone.head, bone.tail = (k * length, 0, 0), ((k + 1) * length, 0, 0)
        bone.parent, bone.use_connect = before, before is not None
        bone.roll = 0
        before = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in made.pose.bones:
        bone.use_ik_limit_x, bone.ik_min_x, bone.ik_max_x = True, -0.1, 1.5
        bone.lock_ik_y = bone.lock_ik_z = True
    return made
