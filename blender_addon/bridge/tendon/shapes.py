"""Converts meshes of bodies between Blender and the OBJ files of a scene, in the body's own axes."""

import zlib

import bpy
import numpy as np

from ...core import single, strand_obj
from ...core.timeline import fingerprint
from ...sinew.node import Mesh
from .. import arrays
from . import places

import bmesh
from mathutils import Matrix
from mathutils.bvhtree import BVHTree

# Where a mesh keeps the file that it was read from, and its hash at that time.
TEXT, DIGEST = "sinew_obj", "sinew_obj_digest"


def mesh_from(name, points, faces):
    """A mesh of Blender."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.asarray(points).tolist(), [], faces)
    mesh.validate()
    return mesh


def read(name, shape, data):
    """The mesh that a shape of a scene names; it keeps the file's text, which is written again if nothing changes."""
    found = shape.document.mesh(shape.id)
    mesh = mesh_from(name, found.positions, _faces(found.corner_vertices, found.face_sizes))
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
    """The size and the middle of a mesh that draws a cuboid of a scene; (None, None) for meshes that a user modelled. A
    cuboid is known by the order of its corners and faces, which is not that of Blender's cubes."""
    points, corners, sizes = _arrays(mesh)
    unit, faces = strand_obj.cuboid((1, 1, 1))
    if len(points) != len(unit) or _faces(corners, sizes) != faces or mesh.shape_keys is not None:
        return None, None
    size, middle = points[-1] - points[0], (points[-1] + points[0]) / 2
    is_cuboid = np.allclose(points, middle + unit * size, rtol=0, atol=1e-5 * np.abs(points).max())
    return (size, middle) if is_cuboid else (None, None)


def redraw(part):
    """Draws the cuboid of a body with its size. It keeps its place, its materials and whatever else the mesh has."""
    body = part.sinew_tendon.body
    points = strand_obj.cuboid(body.cuboid.size)[0]
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
    """The faces of a body's mesh as modelled, in the world, in a tree that finds the nearest; None without faces.
    Blender's own search needs what it has evaluated, which hidden objects are not."""
    if part.type != "MESH" or not part.data.polygons:
        return None
    part.update_from_editmode()
    points, corners, sizes = _arrays(part.data)
    return BVHTree.FromPolygons(arrays.moved(points, np.array(places.modelled(part))).tolist(), _faces(corners, sizes))


def text(part, shape):
    """The OBJ file of a body's mesh as bytes; `shape` is its element in the document that is written."""
    if part.type != "MESH":
        return b""
    # From the object's own axes to its body's: the scale that the rigid body does not have.
    mesh, own = part.data, np.array(Matrix(places.frame(part)).inverted() @ places.modelled(part))[:3, :3]
    if np.allclose(own, np.eye(3), atol=1e-5) and mesh.get(DIGEST) == _digest(mesh):
        return zlib.decompress(bytes(mesh[TEXT]))
    points, corners, sizes = _arrays(mesh)
    if not np.isfinite(points).all():
        # Which `problems` reports.
        return b""
    faces = _faces(corners, sizes)
    if np.linalg.det(own) < 0:
        faces = [face[::-1] for face in faces]
    flat = [vertex for face in faces for vertex in face]
    moved = np.array([single.rounded(point) for point in points @ own.T]).reshape(-1, 3)
    return shape.document.set_mesh(shape.id, Mesh(moved, sizes, flat))


def problems(part):
    """What is wrong with a mesh as the shape of a body, [(error, message)]."""
    if not part.data.polygons:
        return [(False, "its mesh has no faces")]
    points, corners, sizes = _arrays(part.data)
    broken = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(broken):
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        at = " ".join(map(str, points[broken[0]]))
        return [
            (
                True,
                f"{part.name}: vertex {broken[0]} of its mesh{more} is nowhere, at {at}: delete it, or give it a place",
            )
        ]
    count = strand_obj.open_edges(_faces(corners, sizes))
    return [(False, f"its mesh is not closed: {count} open edges or faces the wrong way round")] if count else []
