"""Hair curves that ride on skin: carried from where they were drawn, and back."""

import numpy as np

from .arrays import floats, inverse, moved, positions, set_positions

# Where the points of hair curves were before they were carried, by what matrix each curve was, and where in the world
# the object was then: attributes and a group of properties of the data, since carrying writes positions. USD has no
# such matrices: what begins with a dot, and groups, are left out of it, and it does not warn of them in every frame.
REST, CARRIED_BY, CARRIED_IN, WORLD = "sinew_rest_position", ".sinew_carried_by", "sinew_carried", "world"
# What older versions of the add-on call the matrices; where there are both, one of these was the last to carry the
# hair.
OLDER_BY, OLDER_IN = "sinew_carried_by", "sinew_carried_in"


def by_curve(data, points):
    """The points of hair curves as a list of arrays."""
    return [points[c.first_point_index : c.first_point_index + c.points_length] for c in data.curves]


def carried(data, matrices, places):
    """The points of hair curves, each by its curve's matrix."""
    lengths = np.fromiter((curve.points_length for curve in data.curves), np.int64, len(data.curves))
    each = np.repeat(matrices, lengths, axis=0)
    return (np.einsum("nij,nj->ni", each[:, :3, :3], places) + each[:, :3, 3]).astype(np.float32)


def carried_by(data):
    """The attribute of hair curves with the matrices by which they were carried; None before."""
    return data.attributes.get(OLDER_BY) or data.attributes.get(CARRIED_BY)


def carried_in(data):
    """The matrix of the object of hair curves when they were carried, as a list; None before."""
    return data[OLDER_IN] if OLDER_IN in data else data.get(CARRIED_IN, {}).get(WORLD)


def at_rest(data, world):
    """The points of hair curves before they were carried; `world` is the matrix of their object. Those that are no
    longer where they were carried to have been combed since: they are carried back. Curves that were added since have
    not been carried: they are where they were drawn."""
    rest, by, points = data.attributes.get(REST), carried_by(data), positions(data)
    if rest is None or by is None:
        return points
    rest, matrices = floats(rest.data, "vector", 3), floats(by.data, "value", 16).reshape(-1, 4, 4).astype(np.float64)
    # Blender stores matrices by columns.
    matrices = matrices.transpose(0, 2, 1)
    added = matrices[:, 3, 3] == 0
    matrices[added] = np.identity(4)
    there = carried(data, matrices, rest)
    combed = (points != there).any(axis=1)
    if combed.any():
        applied = transform_applied(data, world, points, there)
        if applied is not None:
            return moved(rest.astype(np.float64), applied).astype(np.float32)
        rest[combed] = carried(data, np.linalg.inv(matrices), points)[combed]
    return rest


def transform_applied(data, world, points, there):
    """The matrix by which Object > Apply has moved all points since they were carried `there`; None if it has not."""
    before = carried_in(data)
    if before is None:
        return None
    matrix = inverse(world) @ np.array(before, np.float64).reshape(4, 4)
    if np.allclose(matrix, np.identity(4), atol=1e-6):
        return None
    moved_so = moved(there.astype(np.float64), matrix)
    return matrix if np.abs(points - moved_so).max() <= 1e-5 * max(1e-9, np.abs(moved_so).max()) else None


def carry(data, matrices, world):
    """Puts the points of hair curves where matrices carry them from rest, and keeps rest, matrices and the object's
    own, `world`."""
    rest, matrices = at_rest(data, world), matrices.astype(np.float32)
    if OLDER_BY in data.attributes:
        data.attributes.remove(data.attributes[OLDER_BY])
        data.pop(OLDER_IN, None)
    for name, data_type, domain, field, values in (
        (REST, "FLOAT_VECTOR", "POINT", "vector", rest),
        (CARRIED_BY, "FLOAT4X4", "CURVE", "value", matrices.transpose(0, 2, 1)),
    ):
        kept = data.attributes.get(name) or data.attributes.new(name, data_type, domain)
        kept.data.foreach_set(field, np.ascontiguousarray(values).ravel())
    data[CARRIED_IN] = {WORLD: world.ravel().tolist()}
    set_positions(data, carried(data, matrices.astype(np.float64), rest))
    data.update_tag()


def lay_down(ob):
    """Puts the hair of an object back to where it was drawn."""
    if ob is not None and ob.type == "CURVES" and ob.data.attributes.get(REST):
        carry(ob.data, np.tile(np.identity(4), (len(ob.data.curves), 1, 1)), np.array(ob.matrix_world, np.float64))
