"""The lines of curve objects: their points as they are stored, and as Blender draws them, in the middle of what is
thick."""

import numpy as np

from . import hair
from .arrays import positions
from .problem import Problem

import mathutils


def stored(ob):
    """The points of a curve object's curves: a list of arrays, in the object's space."""
    if ob.type == "CURVES":
        return hair.by_curve(ob.data, positions(ob.data))
    check(ob)
    return [
        coordinates(spline.bezier_points if spline.type == "BEZIER" else spline.points) for spline in ob.data.splines
    ]


def drawn(ob, depsgraph):
    """As `stored`, with the points that Blender draws."""
    if ob.type == "CURVES":
        return stored(ob)
    check(ob)
    evaluated = ob.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    if mesh is None:
        # No splines.
        return []
    try:
        if not mesh.polygons:
            flat = positions(mesh)
            return [flat[list(edge.vertices)] for edge in mesh.edges]
    finally:
        evaluated.to_mesh_clear()
    # A curve that is thick or filled is a mesh of faces, whose edges go around it as well as along.
    if any(modifier.show_viewport or modifier.show_render for modifier in ob.modifiers) or ob.data.shape_keys:
        raise Problem(
            f'"{ob.name}" has faces as well as modifiers or shape keys, and its line cannot be found: set Extrude and '
            f"Bevel of its geometry to 0, "
            "and Fill Mode to None"
        )
    return [LINES[spline.type](spline) for spline in ob.data.splines]


def check(ob):
    if ob.type != "CURVE":
        raise Problem(f'"{ob.name}" is not a curve: choose a curve object')


def coordinates(points, name="co"):
    return np.array([tuple(getattr(point, name))[:3] for point in points], np.float32).reshape(-1, 3)


def poly_line(spline):
    points = coordinates(spline.points)
    return np.concatenate([points, points[:1]]) if spline.use_cyclic_u else points


def bezier_line(spline):
    points = list(spline.bezier_points)
    pieces = [coordinates(points[:1])]
    for start, end in zip(points, points[1:] + points[:1] if spline.use_cyclic_u else points[1:]):
        straight = start.handle_right_type == "VECTOR" and end.handle_left_type == "VECTOR"
        count = 2 if straight else spline.resolution_u + 1
        piece = mathutils.geometry.interpolate_bezier(start.co, start.handle_right, end.handle_left, end.co, count)
        pieces.append(np.array(piece[1:], np.float32).reshape(-1, 3))
    return np.concatenate(pieces)


def knots_of(count, order, spline):
    """The knots of a NURBS curve, one apart: evenly, at its ends together so that it reaches its first and last point,
    or together at each of the points between which it is a Bézier curve."""
    places = np.arange(count + order)
    if spline.use_cyclic_u:
        return places
    if spline.use_bezier_u:
        places = (places - 1) // (order - 1) if spline.use_endpoint_u else (places + order - 3) // (order - 1)
    return np.clip(places, places[order - 1], places[count]) if spline.use_endpoint_u else places


def nurbs_line(spline):
    """The rational B-spline, from the recursion of Cox and de Boor for its basis."""
    points, order = (
        np.array([tuple(point.co) for point in spline.points], np.float64),
        min(spline.order_u, len(spline.points)),
    )
    if spline.use_cyclic_u and spline.use_endpoint_u:
        raise Problem(
            "a NURBS curve that is thick and closed has Endpoint on, and its line cannot be found: turn Endpoint off"
        )
    if spline.use_cyclic_u:
        # The first points come again at the end.
        points = np.concatenate([points, points[: order - 1]])
    if order < 2:
        return points[:, :3].astype(np.float32)
    knots = knots_of(len(points), order, spline)
    spans = int(knots[len(points)] - knots[order - 1])
    at = np.linspace(knots[order - 1], knots[len(points)], spans * spline.resolution_u + 1)[:, None]
    # The end belongs to the span before it.
    at[-1] = np.nextafter(at[-1], -np.inf)
    basis = ((knots[:-1] <= at) & (at < knots[1:])).astype(np.float64)
    for degree in range(1, order):
        width = knots[degree:] - knots[:-degree]
        rising = np.where(width > 0, (at - knots[:-degree]) / np.maximum(width, 1), 0)
        basis = rising[:, :-1] * basis[:, :-1] + (1 - rising[:, 1:]) * (width[1:] > 0) * basis[:, 1:]
    weights = basis * points[:, 3]
    return (weights @ points[:, :3] / weights.sum(axis=1, keepdims=True)).astype(np.float32)


LINES = {"POLY": poly_line, "BEZIER": bezier_line, "NURBS": nurbs_line}
