"""Numbers of meshes and hair as arrays, and transforms."""

import itertools

import numpy as np

from .problem import Problem

import bmesh

IDENTITY = np.identity(4)


def is_identity(matrix):
    return bool((matrix == IDENTITY).all())


def floats(collection, field, components):
    """A field of a collection as rows, at the speed of memory."""
    values = np.empty(len(collection) * components, np.float32)
    collection.foreach_get(field, values)
    return values.reshape(-1, components)


def positions(data):
    """The points of a mesh or of hair curves; without any there is no attribute either."""
    found = data.attributes.get("position")
    return floats(found.data, "vector", 3) if found else np.zeros((0, 3), np.float32)


def set_positions(data, values):
    """Moves the points of a mesh or of hair curves."""
    if len(values) > 0:
        data.attributes["position"].data.foreach_set("vector", np.ascontiguousarray(values, np.float32).ravel())


def moved(points, matrix):
    """Points transformed by a matrix; untouched if it is the identity."""
    if is_identity(matrix):
        return points
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def inverse(matrix):
    """The inverse of a transform. numpy's own starts threads for these sixteen numbers, which takes milliseconds where
    others compute."""
    a, b, c = (list(map(float, row)) for row in matrix[:3])
    cofactors = [
        [b[1] * c[2] - b[2] * c[1], a[2] * c[1] - a[1] * c[2], a[1] * b[2] - a[2] * b[1]],
        [b[2] * c[0] - b[0] * c[2], a[0] * c[2] - a[2] * c[0], a[2] * b[0] - a[0] * b[2]],
        [b[0] * c[1] - b[1] * c[0], a[1] * c[0] - a[0] * c[1], a[0] * b[1] - a[1] * b[0]],
    ]
    volume = a[0] * cofactors[0][0] + a[1] * cofactors[1][0] + a[2] * cofactors[2][0]
    if volume == 0:
        raise Problem("an object has a scale of zero: give it another one, or hide it")
    rows = [[cell / volume for cell in row] for row in cofactors]
    shifts = [-(row[0] * a[3] + row[1] * b[3] + row[2] * c[3]) for row in rows]
    return np.array([[*row, shift] for row, shift in zip(rows, shifts)] + [[0.0, 0.0, 0.0, 1.0]])


def mesh_of(ob):
    if ob.type != "MESH":
        raise Problem(f'"{ob.name}" is not a mesh: choose a mesh object')
    if ob.mode == "EDIT":
        raise Problem(f'"{ob.name}" is in edit mode: leave it, and the node computes again')
    return ob.data


def weights_by_vertex(mesh, indices, outside=0.0):
    """The weights of vertex groups: one row per vertex, one column per index of a group; `outside` where a vertex is
    not in it. Geometry Nodes on a temporary object would read them sooner still; but frames are also read in the thread
    of a render, where objects must not come and go."""
    found = np.full((len(mesh.vertices), len(indices)), outside, np.float32)
    read = bmesh.new()
    try:
        read.from_mesh(mesh, face_normals=False, vertex_normals=False)
        layer = read.verts.layers.deform.active
        if layer is None:
            return found
        if len(indices) == 1:
            found[:, 0] = np.fromiter(
                (vertex[layer].get(indices[0], outside) for vertex in read.verts), np.float32, len(found)
            )
            return found
        given = [vertex[layer].items() for vertex in read.verts]
    finally:
        read.free()
    rows = np.repeat(np.arange(len(given)), np.fromiter(map(len, given), np.int64, len(given)))
    flat = np.array(list(itertools.chain.from_iterable(given)), np.float64).reshape(-1, 2)
    columns = np.full(1 + max([int(flat[:, 0].max(initial=0)), *indices]), -1)
    columns[list(indices)] = np.arange(len(indices))
    columns = columns[flat[:, 0].astype(np.int64)]
    kept = columns >= 0
    found[rows[kept], columns[kept]] = flat[kept, 1]
    return found
