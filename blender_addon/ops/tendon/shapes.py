"""Converts meshes of bodies between Blender and the OBJ files of a scene, in the body's own axes."""

import zlib

import bmesh
import bpy
import numpy as np
from mathutils import Matrix
from mathutils.bvhtree import BVHTree

from ...bridge import arrays
from ...core import strand_obj
from ...core.timeline import fingerprint
from . import places

# Where a mesh keeps the file that it was read from, and its hash at that time.
TEXT, DIGEST = "sinew_obj", "sinew_obj_digest"


def mesh_from(name, points, faces, scale):
    """A mesh of Blender, its lengths scaled."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((np.asarray(points) * scale).tolist(), [], faces)
    mesh.validate()
    return mesh


def read(name, data, file, scale):
    """The mesh in an OBJ file; it keeps the file's text, which is written again if nothing changes."""
    points, faces = strand_obj.read(data.decode("utf-8", "replace"), file)
    mesh = mesh_from(name, points, faces, scale)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh[TEXT] = zlib.compress(data)
    mesh[DIGEST] = _digest(mesh)
    return mesh


def _arrays(mesh):
    # In edit mode, attributes are empty.
    points = arrays.floats(mesh.vertices, "co", 3)
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    sizes = np.empty(len(mesh.polygons), np.int32)
    mesh.polygons.foreach_get("loop_total", sizes)
    return points, corners, sizes


def _digest(mesh):
    return fingerprint(*_arrays(mesh)).hex()


def _faces(corners, sizes):
    """The corners of each face."""
    ends = np.cumsum(sizes)
    return [corners[end - size : end].tolist() for end, size in zip(ends, sizes)]


def drawn_cuboid(mesh):
    """The size and the middle of a mesh that draws a cuboid of a scene; (None, None) for meshes that a user modelled. A cuboid is known by
    the order of its corners and faces, which is not that of Blender's cubes."""
    points, corners, sizes = _arrays(mesh)
    unit, faces = strand_obj.cuboid((1, 1, 1))
    if len(points) != len(unit) or _faces(corners, sizes) != faces or mesh.shape_keys is not None:
        return None, None
    size, middle = points[-1] - points[0], (points[-1] + points[0]) / 2
    is_cuboid = np.allclose(points, middle + unit * size, rtol=0, atol=1e-5 * np.abs(points).max())
    return (size, middle) if is_cuboid else (None, None)


def redraw(part, scale):
    """Draws the cuboid of a body with its size, which is in the rig's unit: `scale` of Blender's. It keeps its place, its materials and
    whatever else the mesh has."""
    body = part.sinew_tendon.body
    points = strand_obj.cuboid(body.cuboid.size)[0] * scale
    if part.type != "MESH" or body.use_shape or not np.isfinite(points).all():
        return
    part.update_from_editmode()
    size, _ = drawn_cuboid(part.data)
    if size is None or np.array_equal(arrays.floats(part.data.vertices, "co", 3), points.astype(np.float32)):
        return
    if part.mode != "EDIT":
        if any(other.data == part.data for other in bpy.data.objects if other != part):
            part.data = part.data.copy()
        part.data.vertices.foreach_set("co", points.astype(np.float32).ravel())
        part.data.update()
        return
    edited = bmesh.from_edit_mesh(part.data)
    for vertex, place in zip(edited.verts, points):
        vertex.co = place
    bmesh.update_edit_mesh(part.data)


def surface(part):
    """The faces of a body's mesh as modelled, in the world, in a tree that finds the nearest; None without faces. Blender's own search
    needs what it has evaluated, which hidden objects are not."""
    if part.type != "MESH" or not part.data.polygons:
        return None
    part.update_from_editmode()
    points, corners, sizes = _arrays(part.data)
    return BVHTree.FromPolygons(arrays.moved(points, np.array(places.modelled(part))).tolist(), _faces(corners, sizes))


def _own_matrix(part, space):
    """From an object's own axes to its body's, in the scene's unit: the scale that the rigid body does not have."""
    rigid = Matrix(places.frame(part))
    return np.array(rigid.inverted() @ places.modelled(part)) * (1 / space.scale)


def text(part, space):
    """The OBJ file of a body's mesh as bytes."""
    if part.type != "MESH":
        return b""
    mesh, own = part.data, _own_matrix(part, space)[:3, :3]
    unscaled = np.allclose(own * space.scale, np.eye(3), atol=1e-5)
    if unscaled and mesh.get(DIGEST) == _digest(mesh):
        return zlib.decompress(bytes(mesh[TEXT]))
    points, corners, sizes = _arrays(mesh)
    faces = _faces(corners, sizes)
    if np.linalg.det(own) < 0:
        faces = [face[::-1] for face in faces]
    return strand_obj.write(points @ own.T, faces).encode("utf-8")


def problems(part):
    """What is wrong with a mesh as the shape of a body, [(error, message)]."""
    if not part.data.polygons:
        return [(False, "its mesh has no faces")]
    points, corners, sizes = _arrays(part.data)
    broken = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(broken):
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        at = " ".join(map(str, points[broken[0]]))
        return [(True, f"{part.name}: vertex {broken[0]} of its mesh{more} is nowhere, at {at}: delete it, or give it a place")]
    count = strand_obj.open_edges(_faces(corners, sizes))
    return [(False, f"its mesh is not closed: {count} open edges or faces the wrong way round")] if count else []
