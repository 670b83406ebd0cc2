"""Blender's Armature modifier and Sinew's skinning node, side by side.

The same torus (40,000 vertices, 24 joints, 4 influences, single precision) in both; rounds alternate, so that both
see the same machine. Run with a Python that has `bpy`:

    cargo bench --bench skinning --no-run     # prints the path of the benchmark's executable
    python tests/bench/blender_armature.py EXECUTABLE [ROUNDS]
"""

import math
import os
import re
import statistics
import subprocess
import sys
import time

import bpy

RINGS, JOINTS, FRAMES = 200, 24, 60


def torus():
    points, faces = [], []
    for i in range(RINGS):
        for j in range(RINGS):
            u, v = math.tau * i / RINGS, math.tau * j / RINGS
            r = 1.0 + 0.3 * math.cos(v)
            points.append((r * math.cos(u), r * math.sin(u), 0.3 * math.sin(v)))
            a, b = i * RINGS, (i + 1) % RINGS * RINGS
            k = (j + 1) % RINGS
            faces.append((a + j, b + j, b + k, a + k))
    mesh = bpy.data.meshes.new("torus")
    mesh.from_pydata(points, [], faces)
    body = bpy.data.objects.new("torus", mesh)
    bpy.context.collection.objects.link(body)
    return body


def armature():
    data = bpy.data.armatures.new("rig")
    rig = bpy.data.objects.new("rig", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for k in range(JOINTS):
        u = math.tau * k / JOINTS
        bone = data.edit_bones.new(f"j{k}")
        bone.head = (math.cos(u), math.sin(u), 0.0)
        bone.tail = (math.cos(u), math.sin(u), 0.2)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def bind(body, rig):
    groups = [body.vertex_groups.new(name=f"j{k}") for k in range(JOINTS)]
    for i in range(RINGS):
        at = i * JOINTS / RINGS
        first, t = int(at), at - int(at)
        ring = list(range(i * RINGS, (i + 1) * RINGS))
        for k, w in ((0, 2.0 - t), (1, 1.0 + t), (JOINTS - 1, 1.0 - t), (2, t)):
            groups[(first + k) % JOINTS].add(ring, 0.25 * w, "REPLACE")
    modifier = body.modifiers.new("rig", "ARMATURE")
    modifier.object = rig
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
    return modifier


def frame_times(rig, body, modifier, enabled):
    """Milliseconds per frame of posing and evaluating, with or without the modifier."""
    modifier.show_viewport = enabled
    layer, times = bpy.context.view_layer, []
    for frame in range(FRAMES):
        for k, bone in enumerate(rig.pose.bones):
            bone.rotation_euler[1] = 0.01 * (frame + 1) * math.sin(k)
        body.data.update_tag()
        start = time.perf_counter()
        layer.update()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def blender(rig, body, modifier, preserve_volume):
    """What the modifier adds to a frame: the rig's own evaluation is taken off."""
    modifier.use_deform_preserve_volume = preserve_volume
    return frame_times(rig, body, modifier, True) - frame_times(rig, body, modifier, False)


def sinew(executable, method):
    name = f"skinning {method} 2 threads"
    arguments = [executable, "--bench", "--warm-up-time", "0.5", "--measurement-time", "1", name]
    text = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    value, unit = re.search(r"time:\s+\[\S+ \S+ (\S+) (\S+)", text).groups()
    return float(value) * {"ns": 1e-6, "µs": 1e-3, "us": 1e-3, "ms": 1.0, "s": 1e3}[unit]


def main():
    executable, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    bpy.ops.wm.read_factory_settings(use_empty=True)
    body, rig = torus(), armature()
    modifier = bind(body, rig)
    rows = {}
    for _ in range(rounds):
        for method, preserve in (("linear", False), ("dual_quaternion", True)):
            rows.setdefault(("Blender", method), []).append(blender(rig, body, modifier, preserve))
            rows.setdefault(("Sinew", method), []).append(sinew(executable, method))
    print(f"{RINGS * RINGS} vertices, {JOINTS} joints, 4 influences, median (range) of {rounds} rounds, ms per frame")
    for (who, method), times in sorted(rows.items(), key=lambda row: row[0][1]):
        print(f"{method:16} {who:8} {statistics.median(times):7.2f} ({min(times):.2f} to {max(times):.2f})")


main()
sys.stdout.flush()
os._exit(0)
