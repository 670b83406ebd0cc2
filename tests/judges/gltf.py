"""Blender's view of glTF: `look FILE FPS` prints the points and corner UVs of the mesh in each frame, as JSON; `make
FILE FORMAT` exports a tube with joints, blend shapes and their motion, and prints the same of what it exported, with
the joints."""

import json
import math
import os
import sys

import bpy

from mathutils import Matrix, Vector


def look(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = int(fps)
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    ball = next(thing for thing in bpy.data.objects if thing.type == "MESH")
    first, last = (round(end) for end in ball.data.shape_keys.animation_data.action.frame_range)
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        shape = ball.evaluated_get(bpy.context.evaluated_depsgraph_get())
        points = [list(shape.matrix_world @ v.co) for v in shape.data.vertices]
        corners = [loop.vertex_index for loop in shape.data.loops]
        uvs = [list(uv.vector) for uv in shape.data.uv_layers[0].uv]
        print("TOLD", json.dumps([frame - first, points, corners, uvs]))


# From z up to y up.
TURN = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
ROUND, ALONG = 9, 7


def tube():
    """A tube along z, open at its ends, with a seam in its UVs."""
    points, faces, uvs = [], [], []
    for row in range(ALONG):
        for k in range(ROUND):
            angle = 2 * math.pi * k / ROUND
            points.append((0.3 * math.cos(angle), 0.25 * math.sin(angle), row * 0.5 + 0.01 * k))
    for row in range(ALONG - 1):
        for k in range(ROUND):
            after = (k + 1) % ROUND
            corners = ((row, k, k), (row, after, k + 1), (row + 1, after, k + 1), (row + 1, k, k))
            faces.append([r * ROUND + c for r, c, _ in corners])
            uvs.extend((u / ROUND, r / ALONG) for r, _, u in corners)
    data = bpy.data.meshes.new("tube")
    data.from_pydata(points, [], faces)
    layer = data.uv_layers.new(name="UVMap")
    for loop, uv in zip(layer.uv, uvs):
        loop.vector = uv
    for name in ("red", "blue"):
        data.materials.append(bpy.data.materials.new(name))
    for face in data.polygons:
        face.material_index = int(face.center.z > 1.2)
    thing = bpy.data.objects.new("Tube", data)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def bones(thing):
    """An armature, in a space of its own, of three bones along the tube."""
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("rig"))
    bpy.context.scene.collection.objects.link(armature)
    armature.location, armature.scale = (0.1, -0.2, 0.3), (0.5, 0.5, 0.5)
    armature.rotation_euler = (0.2, 0.1, 0.5)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    before = None
    for k in range(3):
        bone = armature.data.edit_bones.new(f"bone {k}")
        bone.head, bone.tail, bone.roll = (0, 0, k), (0.05, 0, k + 1), 0.3 * k
        bone.parent = before
        before = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    groups = [thing.vertex_groups.new(name=bone.name) for bone in armature.data.bones]
    for vertex in thing.data.vertices:
        shares = [max(0.0, 1.2 - abs(vertex.co.z - 0.5 - k)) for k in range(3)]
        for group, share in zip(groups, shares):
            if share > 0:
                group.add([vertex.index], share / sum(shares), "REPLACE")
    thing.parent = armature
    thing.modifiers.new("Armature", "ARMATURE").object = armature
    return armature


def animate(thing, armature):
    thing.shape_key_add(name="Basis")
    for name, move in (
        ("bulge", lambda p: Vector((0.5 * p.x, 0.5 * p.y, 0))),
        ("tip", lambda p: Vector((0, p.z > 2.4, 0.2))),
    ):
        key = thing.shape_key_add(name=name, from_mix=False)
        for point, vertex in zip(key.data, thing.data.vertices):
            if name == "bulge" or vertex.co.z > 2.4:
                point.co = vertex.co + move(vertex.co)
        for frame, value in ((1, 0.0), (9 if name == "bulge" else 5, 1.0), (14, 0.0)):
            key.value = value
            key.keyframe_insert("value", frame=frame)
    for k, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = "QUATERNION"
        for frame, angle in ((1, 0.0), (6, 0.7 + 0.2 * k), (14, -0.5)):
            bone.rotation_quaternion = Matrix.Rotation(angle, 4, Vector((1, 0.3 * k, 0.2))).to_quaternion()
            bone.scale = (1, 1 + 0.3 * angle, 1)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            bone.keyframe_insert("scale", frame=frame)


def mixed(thing):
    """The vertices as the shape keys mix them, before bones move them."""
    first, *others = thing.data.shape_keys.key_blocks
    found = [point.co.copy() for point in first.data]
    for key in others:
        for k, (point, home) in enumerate(zip(key.data, first.data)):
            found[k] += key.value * (point.co - home.co)
    return found


def turned(point):
    return list((TURN @ point.to_4d()).to_3d())


def make(path, form):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 14
    thing = tube()
    armature = bones(thing)
    animate(thing, armature)
    scene.frame_set(1)
    bpy.ops.export_scene.gltf(filepath=path, export_format=form, export_optimize_animation_size=False)
    data = thing.data
    corners = [[loop.vertex_index, *uv.vector] for loop, uv in zip(data.loops, data.uv_layers[0].uv)]
    rest = [turned(thing.matrix_world @ vertex.co) for vertex in data.vertices]
    print("TOLD", json.dumps({"rest": rest, "corners": corners}))
    for frame in range(1, 15):
        scene.frame_set(frame)
        shape = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        points = [turned(shape.matrix_world @ vertex.co) for vertex in shape.data.vertices]
        world, joints = armature.matrix_world, {}
        for bone in armature.pose.bones:
            moved = world @ bone.matrix @ (world @ bone.bone.matrix_local).inverted()
            joints[bone.name] = [list(row) for row in TURN @ moved @ TURN.inverted()]
        acted = [turned(thing.matrix_world @ place) for place in mixed(thing)]
        print("TOLD", json.dumps({"frame": frame, "points": points, "acted": acted, "joints": joints}))


code = 1
try:
    {"look": look, "make": make}[sys.argv[1]](*sys.argv[2:])
    code = 0
finally:
    sys.stdout.flush()
    sys.stderr.flush()
    if code == 0:
        os._exit(0)
