"""The curves of strands: one control point for each node, kept together while points come and go."""

import difflib

import bpy

from . import places, rig_parts

from mathutils import Vector

# How a curve of several splines becomes as many curves.
SEPARATE = "in edit mode, select one with L and separate it with P"


def control_points(part):
    """The control points of a curve's first spline, in the curve's own axes."""
    if part.type != "CURVE" or not part.data.splines:
        return []
    part.update_from_editmode()
    spline = part.data.splines[0]
    if spline.type == "BEZIER":
        return [p.co.copy() for p in spline.bezier_points]
    return [p.co.to_3d() for p in spline.points]


def world_points(part):
    """The control points in the world as modelled."""
    matrix = places.modelled(part)
    return [matrix @ p for p in control_points(part)]


def set_control_point(part, k, place):
    """Moves a control point, given in the world as modelled."""
    own = places.modelled(part).inverted_safe() @ Vector(place)
    spline = part.data.splines[0]
    if spline.type == "BEZIER":
        point = spline.bezier_points[k]
        moved = own - point.co
        point.handle_left += moved
        point.handle_right += moved
        point.co = own
    else:
        spline.points[k].co = (*own, 1.0)
    if k < len(part.sinew_tendon.strand.node):
        part.sinew_tendon.strand.node[k].co = own


def make(name, points, radius):
    """A curve object through points of the world."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution = "3D", radius, 2
    spline = data.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points):
        point.co = (*place, 1.0)
    return bpy.data.objects.new(name, data)


def free_name(rig, stem):
    """A name for a new point that no node of the rig has."""
    taken = {n.point for o in rig_parts.parts(rig, "strand") for n in o.sinew_tendon.strand.node}
    taken |= {o.name for o in rig_parts.parts(rig, "point")}
    number = 1
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"


def sync(part):
    """Brings the nodes in line with the curve's control points: nodes keep what they have where their points stayed."""
    points, nodes = control_points(part), part.sinew_tendon.strand.node
    if is_reversed(points, [Vector(node.co) for node in nodes]):
        _reverse(part, rig_parts.rig_of(part))
    elif len(points) != len(nodes):
        _rearrange(part, points, rig_parts.rig_of(part))
    for node, point in zip(nodes, points):
        if Vector(node.co) != point:
            node.co = point
    part.sinew_tendon.active_node = min(part.sinew_tendon.active_node, max(len(nodes) - 1, 0))


def is_reversed(points, before):
    """Whether someone switched the direction of a curve."""
    return points == before[::-1] != before


def _reverse(part, rig):
    """Switches the direction of the nodes, and of what counts along them, so that everything stays where it is."""
    nodes = part.sinew_tendon.strand.node
    known = [node.material for node in nodes if node.use_material]
    for node in nodes:
        if node.use_material:
            node.material = min(known) + max(known) - node.material
    for k in range(1, len(nodes)):
        nodes.move(k, 0)
    part.sinew_tendon.active_node = max(len(nodes) - 1 - part.sinew_tendon.active_node, 0)
    for other in rig_parts.parts(rig, "reel", "hill", "cut", "lengthen") if rig else ():
        group = getattr(other.sinew_tendon, other.sinew_tendon.tag)
        if group.strand != part:
            continue
        if other.sinew_tendon.tag == "reel":
            group.end = {"first": "last", "last": "first"}[group.end]
        else:
            group.segment = max(len(nodes) - 2 - group.segment, 0)


def _rearrange(part, points, rig):
    nodes = part.sinew_tendon.strand.node
    before, now = ([tuple(p) for p in some] for some in ([n.co for n in nodes], points))
    changes = difflib.SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
    # From the end, so that earlier numbers stay.
    for what, i, j, m, n in reversed(changes):
        if what == "equal":
            continue
        for k in reversed(range(i + min(n - m, j - i), j)):
            nodes.remove(k)
        for k in range(i + min(n - m, j - i), i + (n - m)):
            node = nodes.add()
            node.point = free_name(rig, part.name) if rig else f"{part.name} {k + 1}"
            node.co = now[m + k - i]
            _inherit(nodes, node, k)
            nodes.move(len(nodes) - 1, k)


def _inherit(nodes, node, k):
    """A point drawn between two others lies on the body of its neighbour, and lets material through."""
    neighbours = [nodes[n] for n in (k - 1, k) if 0 <= n < len(nodes) - 1]
    on = [n.here.on for n in neighbours if n.here.carrier == "body" and n.here.on]
    if on:
        node.here.carrier, node.here.on = "body", on[0]


def size_of(parts):
    """The largest coordinate of parts, which decides what counts as the same place."""
    return max((max(map(abs, part.matrix_world.translation)) for part in parts), default=0.0)


def is_apart(one, other, size):
    """Whether two places of a rig of this size are not the same."""
    return (one - other).length > 1e-5 * max(size, 1e-9)


def spread(strands, found, size):
    """Copies the data of shared points to every node that shares them and lies there, so that a deleted strand takes
    none away; `found` are the owners. Nodes of copied strands lie elsewhere, and keep what they were copied with."""
    at = {part: world_points(part) for part in strands}
    for part in strands:
        for k, (node, place) in enumerate(zip(part.sinew_tendon.strand.node, at[part])):
            owner, number = found[node.point]
            if (owner, number) != (part, k) and not is_apart(at[owner][number], place, size):
                rig_parts.copy(owner.sinew_tendon.strand.node[number].here, node.here)


def owners(strands):
    """Which node holds the data of each point: {name: (object, number)}, the first that names it."""
    found = {}
    for part in strands:
        for k, node in enumerate(part.sinew_tendon.strand.node):
            found.setdefault(node.point, (part, k))
    return found
