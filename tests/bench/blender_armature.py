"""Blender's Armature modifier and Sinew's nodes skinning and muscle_skin, side by side in one process.

The same torus (40,000 vertices, 24 joints, 4 influences), rig and weights in both; rounds alternate, so that both see
the same machine. Sinew is called through its C ABI, f32 in place, as an add-on would. The moved vertices of the two are
compared as well. The node muscle_skin has 80 muscles, each vertex four muscle vertices. `sh tests/bench.sh blender`
runs it with a Python that has `bpy`.

    python tests/bench/blender_armature.py LIBRARY [ROUNDS]
"""

import ctypes
import math
import os
import statistics
import sys
import time

import bpy
import numpy as np

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


class Array(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("element", ctypes.c_int32),
        ("components", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("stride", ctypes.c_uint64),
    ]

    def __init__(self, values, components):
        element = {np.float32: 1, np.float64: 2, np.uint32: 4}[values.dtype.type]
        size = ctypes.sizeof(Array)
        super().__init__(size, element, components, 0, values.ctypes.data, values.size // components, 0)


def rows(matrices):
    return np.array([[x for row in m for x in row] for m in matrices], dtype=np.float64)


class Sinew:
    """A node on the mesh, weights and rest pose of the Blender scene."""

    def __init__(self, path, body, rig, node="skinning"):
        self.library = ctypes.CDLL(path)
        self.library.sinew_last_error_message.restype = ctypes.c_char_p
        self.context, self.node = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("sinew_context_create", None, ctypes.byref(self.context))
        self.call("sinew_node_create", self.context, node.encode(), ctypes.byref(self.node))
        vertices = body.data.vertices
        joint_of = {group.index: rig.pose.bones.find(group.name) for group in body.vertex_groups}
        pairs = [[(joint_of[g.group], g.weight) for g in v.groups] for v in vertices]
        self.set("influence_counts", np.array([len(p) for p in pairs], dtype=np.uint32), 1)
        self.set("influence_joints", np.array([j for p in pairs for j, _ in p], dtype=np.uint32), 1)
        self.set("influence_weights", np.array([w for p in pairs for _, w in p], dtype=np.float32), 1)
        self.set("rest_joints", rows(bone.bone.matrix_local for bone in rig.pose.bones), 16)
        self.rest = np.array([x for v in vertices for x in v.co], dtype=np.float32)

    def add_muscles(self, count):
        """Muscles along the ring, from each joint to the next, that reach every vertex."""
        first = np.arange(count, dtype=np.uint32) % JOINTS
        second = (first + 1) % JOINTS
        lift = 0.15 * np.sin(2.4 * np.arange(count))
        for port, joints in (("origin", first), ("insertion", second)):
            u = math.tau * joints / JOINTS
            self.set(f"muscle_{port}_joints", joints.astype(np.uint32), 1)
            self.set(f"muscle_{port}s", np.column_stack((np.cos(u), np.sin(u), lift)).ravel(), 3)
        self.set("muscle_sizes", np.full(count, 0.1), 1)
        self.call("sinew_node_set_real", self.node, b"reach", ctypes.c_double(50.0))
        self.call("sinew_node_set_int", self.node, b"nearest", ctypes.c_int64(4))

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise RuntimeError(self.library.sinew_last_error_message().decode())

    def set(self, port, values, components):
        self.call("sinew_node_set_array", self.node, port.encode(), ctypes.byref(Array(values, components)))

    def frame(self, rig, method, frame):
        """Moves the points; returns them and the milliseconds of the two calls."""
        self.call("sinew_node_set_text", self.node, b"method", method.encode())
        pose, points = rows(bone.matrix for bone in rig.pose.bones), self.rest.copy()
        array = Array(points, 3)
        start = time.perf_counter()
        self.set("joints", pose, 16)
        self.call(
            "sinew_node_deform",
            self.node,
            ctypes.c_int64(frame),
            ctypes.c_double(frame / 24.0),
            ctypes.byref(array),
            ctypes.byref(array),
        )
        return points, 1e3 * (time.perf_counter() - start)


def blender_points(body):
    mesh = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.attributes["position"].data.foreach_get("vector", points)
    return points


def main():
    library, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    bpy.ops.wm.read_factory_settings(use_empty=True)
    body, rig = torus(), armature()
    modifier = bind(body, rig)
    bpy.context.view_layer.update()
    sinew, muscles = Sinew(library, body, rig), Sinew(library, body, rig, "muscle_skin")
    muscles.add_muscles(80)
    times, apart = {}, {}
    for _ in range(rounds):
        for method, preserve in (("linear", False), ("dual_quaternion", True)):
            times.setdefault((method, "Blender"), []).append(blender(rig, body, modifier, preserve))
            modifier.show_viewport = True
            bpy.context.view_layer.update()
            frames = [sinew.frame(rig, method, frame) for frame in range(FRAMES)]
            times.setdefault((method, "Sinew"), []).append(statistics.median(ms for _, ms in frames))
            with_muscles = [muscles.frame(rig, method, frame) for frame in range(FRAMES)]
            times.setdefault((method, "Muscles"), []).append(statistics.median(ms for _, ms in with_muscles))
            apart[method] = float(np.abs(frames[-1][0] - blender_points(body)).max())
    print(
        f"{RINGS * RINGS} vertices, {JOINTS} joints, 4 influences, {os.cpu_count()} threads; ms per frame,"
        f" median (range) of {rounds} rounds"
    )
    for (method, who), t in times.items():
        print(f"{method:16} {who:8} {statistics.median(t):7.2f} ({min(t):.2f} to {max(t):.2f})")
    for method, distance in apart.items():
        ratio = statistics.median(times[method, "Blender"]) / statistics.median(times[method, "Sinew"])
        print(f"{method:16} Blender / Sinew {ratio:.2f}; vertices at most {distance:.1e} apart")
        ratio = statistics.median(times[method, "Blender"]) / statistics.median(times[method, "Muscles"])
        print(f"{method:16} Blender / Sinew with 80 muscles {ratio:.2f}")


main()
sys.stdout.flush()
os._exit(0)
