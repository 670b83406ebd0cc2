"""The body as its deforming modifiers leave it, also where later modifiers make other vertices of it.

Where they do, a Geometry Nodes modifier in front of them stores each vertex's place and number as attributes. Modifiers such
as Subdivision Surface, Mirror, Array and Solidify keep the vertices they get first in order, which the numbers prove."""

import bpy
import numpy as np

from .problem import Problem

NAME = "Sinew Capture"
PLACE, NUMBER = "sinew_place", "sinew_number"

CHANGES_VERTICES = {
    "ARRAY", "BEVEL", "BOOLEAN", "BUILD", "DECIMATE", "EDGE_SPLIT", "EXPLODE", "MASK", "MIRROR", "MULTIRES", "NODES", "REMESH",
    "SCREW", "SKIN", "SOLIDIFY", "SUBSURF", "TRIANGULATE", "VOLUME_TO_MESH", "WELD", "WIREFRAME",
}
DEFORMS = {
    "ARMATURE", "CAST", "CLOTH", "CORRECTIVE_SMOOTH", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM", "LAPLACIANSMOOTH", "LATTICE",
    "MESH_CACHE", "MESH_DEFORM", "MESH_SEQUENCE_CACHE", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "SOFT_BODY", "SURFACE_DEFORM",
    "WARP", "WAVE",
}


def node_group():
    """The Geometry Nodes that store places and numbers."""
    found = bpy.data.node_groups.get(NAME)
    if found is not None and found.library is None:
        return found
    made = bpy.data.node_groups.new(NAME, "GeometryNodeTree")
    made.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    made.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    nodes, links = made.nodes, made.links
    socket = nodes.new("NodeGroupInput").outputs[0]
    for x, (name, data_type, field) in enumerate(
        ((PLACE, "FLOAT_VECTOR", "GeometryNodeInputPosition"), (NUMBER, "INT", "GeometryNodeInputIndex"))
    ):
        store, value = nodes.new("GeometryNodeStoreNamedAttribute"), nodes.new(field)
        store.data_type, store.domain = data_type, "POINT"
        store.inputs["Name"].default_value = name
        store.location, value.location = (200 * x + 200, 0), (200 * x, -200)
        links.new(socket, store.inputs["Geometry"])
        links.new(value.outputs[0], next(s for s in store.inputs if s.name == "Value" and s.enabled))
        socket = store.outputs[0]
    out = nodes.new("NodeGroupOutput")
    out.location = (800, 0)
    links.new(socket, out.inputs[0])
    return made


def is_capture(modifier):
    return modifier.type == "NODES" and modifier.node_group is not None and modifier.node_group.name.startswith(NAME)


def is_ours(modifier):
    return modifier.type == "NODES" and modifier.node_group is not None and modifier.node_group.name.startswith("Sinew ")


def first_change(ob):
    """The first modifier that may change the vertices: its place in the stack, or None."""
    places = (k for k, m in enumerate(ob.modifiers) if m.type in CHANGES_VERTICES and not is_ours(m))
    return next(places, None)


def update(ob, always=False):
    """Puts the capturing modifier where it belongs, or takes it away where nothing needs it."""
    here = next((m for m in ob.modifiers if is_capture(m)), None)
    if first_change(ob) is None and not always:
        if here is not None:
            ob.modifiers.remove(here)
        return
    if here is None:
        here = ob.modifiers.new(NAME, "NODES")
        here.node_group = node_group()
        here.show_expanded = False
    others = [m for m in ob.modifiers if m != here]
    place = next((k for k, m in enumerate(others) if m.type in CHANGES_VERTICES), len(others))
    ob.modifiers.move(ob.modifiers.find(here.name), place)


def deformed(ob, evaluated):
    """The vertices of an evaluated object in the order of the original mesh."""
    mesh, count = evaluated.data, len(ob.data.vertices)
    place, number = mesh.attributes.get(PLACE), mesh.attributes.get(NUMBER)
    if place is None or number is None:
        if len(mesh.vertices) != count:
            raise Problem(changes_message(ob, len(mesh.vertices)))
        return read(mesh.attributes["position"], count)
    if len(mesh.vertices) < count or place.domain != "POINT":
        raise Problem(changes_message(ob, len(mesh.vertices)))
    numbers = np.empty(len(mesh.vertices), np.int32)
    number.data.foreach_get("value", numbers)
    if not np.array_equal(numbers[:count], np.arange(count, dtype=np.int32)):
        raise Problem(changes_message(ob, len(mesh.vertices)))
    check_order(ob)
    return read(place, len(mesh.vertices))[:count]


def check_order(ob):
    """Refuses modifiers that deform behind the capture."""
    behind = False
    for modifier in ob.modifiers:
        if is_capture(modifier):
            behind = True
        elif behind and modifier.type in DEFORMS and modifier.show_viewport:
            raise Problem(
                f'the modifier "{modifier.name}" of "{ob.name}" deforms after the vertices may have changed: '
                "move it up in the stack, above those that subdivide or add, and press Update Capture"
            )


def changes_message(ob, count):
    names = ", ".join(f'"{m.name}"' for m in ob.modifiers if m.type in CHANGES_VERTICES and not is_ours(m))
    of = f"the modifiers {names}" if names else "the modifiers"
    return (
        f'{of} of "{ob.name}" make {count} vertices of {len(ob.data.vertices)}: press Update Capture; if that does not help, '
        "they remove or reorder vertices and must be turned off or applied"
    )


def read(attribute, count):
    values = np.empty(3 * count, np.float32)
    attribute.data.foreach_get("vector", values)
    return values.reshape(-1, 3)
