"""Blender on BVH: `read FILE` prints how each bone of the file moves, `write FILE` writes an animation and prints it.

A line is: frame, bone, and the upper three rows of what takes the bone from rest to the frame.
"""

import os
import sys

import bpy

import addon_utils  # there once bpy is
from mathutils import Euler


def show(rig, frames):
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        for bone in rig.pose.bones:
            moved = bone.matrix @ bone.bone.matrix_local.inverted()
            numbers = [str(moved[row][column]) for row in range(3) for column in range(4)]
            print("MOVED", frame, bone.name, *numbers)


def read(path):
    # These axes are Blender's own, so that nothing is turned.
    bpy.ops.import_anim.bvh(filepath=path, frame_start=1, axis_forward="Y", axis_up="Z")
    rig = bpy.context.object
    last = int(rig.animation_data.action.frame_range[1])
    show(rig, range(1, last + 1))


def write(path):
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    bones.remove(bones[0])
    heads = [(1, 2, 3), (1, 2, 7), (1, 3, 9), (-1, 2, 4)]
    tails = [(1, 2, 7), (1, 3, 9), (2, 3, 9), (-3, 2, 5)]
    for index, parent in enumerate([None, 0, 1, 0]):
        bone = bones.new(f"bone {index}")
        bone.head, bone.tail, bone.roll = heads[index], tails[index], 0.3 * index
        bone.parent = None if parent is None else bones[parent]
    bpy.ops.object.mode_set(mode="POSE")
    for frame in range(1, 6):
        for index, bone in enumerate(rig.pose.bones):
            bone.rotation_mode = ["XYZ", "ZXY", "YZX", "QUATERNION"][index]
            angle = 0.2 * frame + 0.1 * index
            turn = Euler((angle, -0.5 * angle, 0.7 * angle))
            bone.rotation_euler = turn
            bone.rotation_quaternion = turn.to_quaternion()
            bone.location = (0.3 * frame, -0.1 * index, 0.2)
            for path_of in ["rotation_euler", "rotation_quaternion", "location"]:
                bone.keyframe_insert(path_of, frame=frame)
    bpy.ops.export_anim.bvh(filepath=path, frame_start=1, frame_end=5, root_transform_only=False, rotate_mode="NATIVE")
    show(rig, range(1, 6))


bpy.ops.wm.read_factory_settings(use_empty=True)
addon_utils.enable("io_anim_bvh")
code = 1
try:
    {"read": read, "write": write}[sys.argv[1]](sys.argv[2])
    code = 0
finally:
    sys.stdout.flush()
    sys.stderr.flush()
    if code == 0:
        os._exit(0)
