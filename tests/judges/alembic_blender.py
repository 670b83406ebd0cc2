"""Writes an Alembic file from Blender, or prints as JSON what Blender finds in one.

alembic_blender.py write FILE
alembic_blender.py read FILE FRAME...
"""

import json
import os
import sys

import bpy


def scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    found = bpy.context.scene
    found.render.fps = 24
    return found


def add(name, data, parent=None):
    made = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(made)
    made.parent = parent
    return made


def mesh():
    made = bpy.data.meshes.new("shape")
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0.5), (2, 1, 0.5)]
    made.from_pydata(points, [], [(0, 1, 2, 3), (1, 4, 5), (1, 5, 2)])
    uvs = made.uv_layers.new(name="UVMap")
    for loop in made.loops:
        uvs.uv[loop.index].vector = (points[loop.vertex_index][0] / 2, 0.5 + loop.index // 4 / 10)
    weight = made.attributes.new("weight", "FLOAT", "POINT")
    for k, value in enumerate(weight.data):
        value.value = k / 4
    return made


def write(path):
    here = scene()
    here.frame_start, here.frame_end = 1, 4
    root = add("root", None)
    root.rotation_euler = (0.1, 0.2, 0.5)
    for frame, x in ((1, 1), (4, 2)):
        root.location = (x, 2, 3)
        root.keyframe_insert("location", frame=frame)
    body = add("body", mesh(), root)
    body.location = (0, 0, 1)
    body.shape_key_add(name="Basis")
    raised = body.shape_key_add(name="raised")
    for point in raised.data:
        point.co.z += 1
    for frame, value in ((1, 0), (4, 1)):
        raised.value = value
        raised.keyframe_insert("value", frame=frame)
    line = bpy.data.curves.new("line", "CURVE")
    line.dimensions = "3D"
    spline = line.splines.new("POLY")
    spline.points.add(2)
    for k, point in enumerate(spline.points):
        point.co, point.radius = (k, k * k, 0, 1), 0.5 + k
    add("tendon", line)
    bpy.ops.wm.alembic_export(filepath=path, as_background_job=False, start=1, end=4)


def found(thing, graph):
    seen = thing.evaluated_get(graph)
    data = seen.to_mesh() if thing.type == "MESH" else seen.data
    out = {"world": [number for row in seen.matrix_world for number in row]}
    if thing.type == "MESH":
        layer = data.uv_layers.active
        out["points"] = [number for vertex in data.vertices for number in vertex.co]
        out["faces"] = [list(face.vertices) for face in data.polygons]
        out["uvs"] = [number for uv in layer.uv for number in uv.vector] if layer else []
        out["uv_set"] = layer.name if layer else None
        out["normals"] = [number for normal in data.corner_normals for number in normal.vector]
        skip = ("position", ".edge_verts", ".corner_vert", ".corner_edge", "custom_normal")
        out["maps"] = {
            a.name: [n for v in a.data for n in ([v.value] if hasattr(v, "value") else v.vector)]
            for a in data.attributes
            if a.name not in skip and a.data_type in ("FLOAT", "FLOAT_VECTOR")
        }
    elif hasattr(data, "points"):
        out["points"] = [number for point in data.points for number in point.position]
        out["radii"] = [point.radius for point in data.points]
    elif hasattr(data, "splines"):
        points = [point for spline in data.splines for point in spline.points]
        out["points"] = [number for point in points for number in point.co[:3]]
        out["radii"] = [point.radius for point in points]
    return out


def read(path, frames):
    here = scene()
    bpy.ops.wm.alembic_import(filepath=path, as_background_job=False, set_frame_range=True)
    out = {"range": [here.frame_start, here.frame_end], "frames": []}
    for frame in frames:
        here.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        out["frames"].append({thing.name: found(thing, graph) for thing in bpy.data.objects})
    print("JSON" + json.dumps(out))


if sys.argv[1] == "write":
    write(sys.argv[2])
else:
    read(sys.argv[2], [int(frame) for frame in sys.argv[3:]])
sys.stdout.flush()
os._exit(0)
