"""The body as its deforming modifiers leave it, even if later modifiers change its vertices.

Where they do, a Geometry Nodes modifier in front of them stores each vertex's place and number as attributes. Modifiers
such as Subdivision Surface, Mirror, Array and Solidify keep the incoming vertices first and in order, which the numbers
verify."""

import bpy
import numpy as np

from . import bone_shapes, relations
from .problem import Problem

NAME, SHAPE = "Sinew Capture", "Sinew Shape"
PLACE, NUMBER = "sinew_place", "sinew_number"

# Without Multires: it reads the mesh as it is stored, so nothing of ours can stand in front of it.
CHANGES_VERTICES = {
    "ARRAY",
    "BEVEL",
    "BOOLEAN",
    "BUILD",
    "DECIMATE",
    "EDGE_SPLIT",
    "EXPLODE",
    "MASK",
    "MIRROR",
    "NODES",
    "REMESH",
    "SCREW",
    "SKIN",
    "SOLIDIFY",
    "SUBSURF",
    "TRIANGULATE",
    "VOLUME_TO_MESH",
    "WELD",
    "WIREFRAME",
}
DEFORMS = {
    "ARMATURE",
    "CAST",
    "CLOTH",
    "CORRECTIVE_SMOOTH",
    "CURVE",
    "DISPLACE",
    "HOOK",
    "LAPLACIANDEFORM",
    "LAPLACIANSMOOTH",
    "LATTICE",
    "MESH_CACHE",
    "MESH_DEFORM",
    "MESH_SEQUENCE_CACHE",
    "SHRINKWRAP",
    "SIMPLE_DEFORM",
    "SMOOTH",
    "SOFT_BODY",
    "SURFACE_DEFORM",
    "WARP",
    "WAVE",
}
# Geometry Nodes that keep all vertices in their order: those that may move them, and those that do not.
MOVING_NODES = {"GeometryNodeSetPosition", "GeometryNodeTransform", "GeometryNodeScaleElements"}
KEEPING_NODES = MOVING_NODES | {
    "GeometryNodeBake",
    "GeometryNodeCaptureAttribute",
    "GeometryNodeFlipFaces",
    "GeometryNodeIndexSwitch",
    "GeometryNodeMenuSwitch",
    "GeometryNodeRemoveAttribute",
    "GeometryNodeRepeatInput",
    "GeometryNodeRepeatOutput",
    "GeometryNodeReplaceMaterial",
    "GeometryNodeSetGeometryName",
    "GeometryNodeSetID",
    "GeometryNodeSetMaterial",
    "GeometryNodeSetMaterialIndex",
    "GeometryNodeSetMeshNormal",
    "GeometryNodeSetShadeSmooth",
    "GeometryNodeSimulationInput",
    "GeometryNodeSimulationOutput",
    "GeometryNodeStoreNamedAttribute",
    "GeometryNodeSwitch",
    "NodeReroute",
}


def origins(tree, output):
    """The inputs of Geometry Nodes whose vertices an output has, all of them in their order, by the sockets'
    identifiers; among them None if nodes may change the vertices, or make others."""
    end = next((node for node in tree.nodes if node.type == "GROUP_OUTPUT" and node.is_active_output), None)
    left, found, looked = [(end and next((s for s in end.inputs if s.identifier == output), None))], set(), set()
    while left:
        socket = left.pop()
        if socket is None or not socket.links:
            found.add(None)
            continue
        node, source = socket.links[0].from_node, socket.links[0].from_socket.identifier
        if (node, source) in looked:
            continue
        looked.add((node, source))
        sockets = [one for one in node.inputs if one.type == "GEOMETRY"]
        if node.type == "GROUP_INPUT":
            found.add(source)
        elif node.type == "GROUP" and node.node_tree is not None and not node.mute:
            inside = origins(node.node_tree, source)
            found.update(inside & {None})
            left += [one for one in sockets if one.identifier in inside]
        elif node.mute or node.bl_idname in KEEPING_NODES:
            left += sockets
        else:
            found.add(None)
    return found


def keeps_vertices(tree):
    """Whether Geometry Nodes give a modifier all vertices that it has, in their order."""
    if tree is None:
        return True
    sockets = [
        item
        for item in tree.interface.items_tree
        if item.item_type == "SOCKET" and item.socket_type == "NodeSocketGeometry"
    ]
    start, end = (
        next((item.identifier for item in sockets if item.in_out == kind), None) for kind in ("INPUT", "OUTPUT")
    )
    return start is not None and origins(tree, end) == {start}


def moves_vertices(tree):
    """Whether Geometry Nodes may move vertices."""
    return any(node.bl_idname in MOVING_NODES for node in relations.working_nodes(tree))


def geometry_nodes(name, fill, texts=()):
    """This file's own Geometry Nodes of that name; if missing, they are created, and `fill(nodes, links, start, end)`
    adds what goes between the geometry sockets. `texts`: their other inputs, all of them names."""
    found = bpy.data.node_groups.get(name)
    if found is not None and found.library is None:
        return found
    made = bpy.data.node_groups.new(name, "GeometryNodeTree")
    made.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    made.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    for text in texts:
        made.interface.new_socket(text, in_out="INPUT", socket_type="NodeSocketString")
    start, end = made.nodes.new("NodeGroupInput"), made.nodes.new("NodeGroupOutput")
    end.location = (800, 0)
    fill(made.nodes, made.links, start.outputs[0], end.inputs[0])
    return made


def store(nodes, links, socket, name, data_type, value):
    """A node that stores what `value` gives as an attribute of the points; gives the socket with the geometry after
    it."""
    made = nodes.new("GeometryNodeStoreNamedAttribute")
    made.data_type, made.domain = data_type, "POINT"
    made.inputs["Name"].default_value = name
    made.location = (200 + socket.node.location.x, 0)
    links.new(socket, made.inputs["Geometry"])
    links.new(value, next(s for s in made.inputs if s.name == "Value" and s.enabled))
    return made.outputs[0]


def named(nodes, name, data_type):
    """A node that reads an attribute or a vertex group: its sockets for the values and for whether it exists."""
    made = nodes.new("GeometryNodeInputNamedAttribute")
    made.data_type = data_type
    made.inputs["Name"].default_value = name
    return next(s for s in made.outputs if s.name == "Attribute" and s.enabled), next(
        s for s in made.outputs if s.name == "Exists"
    )


def store_places(nodes, links, socket, end):
    """Nodes that store places and numbers."""
    for x, (name, data_type, field) in enumerate(
        ((PLACE, "FLOAT_VECTOR", "GeometryNodeInputPosition"), (NUMBER, "INT", "GeometryNodeInputIndex"))
    ):
        value = nodes.new(field)
        value.location = (200 * x, -200)
        socket = store(nodes, links, socket, name, data_type, value.outputs[0])
    links.new(socket, end)


def uses(modifier, name):
    """Whether a modifier is Geometry Nodes whose group's name begins with `name`."""
    return modifier.type == "NODES" and modifier.node_group is not None and modifier.node_group.name.startswith(name)


def shape_name(modifier):
    """The attribute with the shape that a modifier shows; None for other modifiers."""
    return modifier.node_group.name.removeprefix(f"{SHAPE} ") if uses(modifier, SHAPE) else None


def is_capture(modifier):
    return uses(modifier, NAME)


def is_ours(modifier):
    return uses(modifier, "Sinew ")


def may_change(modifier):
    """Whether a modifier, not one of ours, may change the vertices."""
    if modifier.type not in CHANGES_VERTICES or is_ours(modifier):
        return False
    return modifier.type != "NODES" or not keeps_vertices(modifier.node_group)


def first_change(ob):
    """The first modifier that may change the vertices: its place in the stack, or None."""
    return next((k for k, m in enumerate(ob.modifiers) if may_change(m)), None)


def going_on(ob):
    """The modifiers that deform the body from the shape that a node has put in the place of the bones': those behind
    its modifier, up to the first that belongs to another node or may change the vertices."""
    names, found, behind = bone_shapes.all_names(ob), [], False
    for modifier in ob.modifiers if names else ():
        if is_ours(modifier):
            behind = shape_name(modifier) in names or behind and is_capture(modifier)
        elif behind and may_change(modifier):
            break
        elif behind and (modifier.type in DEFORMS or modifier.type == "NODES" and moves_vertices(modifier.node_group)):
            found.append(modifier)
    return found


def check_multires(ob, rendered=False):
    """Refuses Multires that changes the vertices, in renders or in viewports: they cannot be captured in front of
    it."""
    for modifier in [m for m in ob.modifiers if m.type == "MULTIRES"]:
        level, on = (
            (modifier.render_levels, modifier.show_render) if rendered else (modifier.levels, modifier.show_viewport)
        )
        if on and level > 0:
            raise Problem(
                f'nothing can be captured in front of the Multires modifier "{modifier.name}" of "{ob.name}": set its '
                f"viewport level to 0, "
                "and bake before you render with more"
            )


def differs_in_renders(ob):
    """Whether the first modifier that may change the vertices does so differently in renders and in the viewport, and
    nothing captures them in front of it. Geometry Nodes may be what moves the body, and are left to the user."""
    place = first_change(ob)
    if place is None or any(is_capture(m) for m in ob.modifiers):
        return False
    modifier = ob.modifiers[place]
    levels = (getattr(modifier, "levels", 0), getattr(modifier, "render_levels", 0))
    shown = (modifier.show_viewport, modifier.show_render)
    return modifier.type != "NODES" and (levels[0] != levels[1] or shown[0] != shown[1])


def reading_uvs(ob):
    """The modifiers that read UV maps from a file: they overwrite those of the same names."""
    return [
        m
        for m in ob.modifiers
        if m.type == "MESH_SEQUENCE_CACHE" and "UV" in m.read_data and (m.show_viewport or m.show_render)
    ]


def moves_otherwise_in_renders(ob):
    """The names of modifiers that deform a body in renders alone, or in viewports alone; an empty text without any."""
    return ", ".join(f'"{m.name}"' for m in ob.modifiers if m.type in DEFORMS and m.show_viewport != m.show_render)


def update(ob):
    """Puts the capturing modifier where it belongs, or takes it away where nothing needs it: no modifier may change the
    vertices, and none shows a shape, which moves those that are read."""
    check_multires(ob)
    # What a capture that was applied has left in the mesh.
    for name in (PLACE, NUMBER):
        if name in ob.data.attributes:
            ob.data.attributes.remove(ob.data.attributes[name])
    here = next((m for m in ob.modifiers if is_capture(m)), None)
    if first_change(ob) is None and not any(shape_name(m) for m in ob.modifiers):
        if here is not None:
            ob.modifiers.remove(here)
        return
    if here is None:
        here = ob.modifiers.new(NAME, "NODES")
        here.node_group = geometry_nodes(NAME, store_places)
        here.show_expanded = False
    here.show_viewport = here.show_render = True
    others = [m for m in ob.modifiers if m != here]
    place = next((k for k, m in enumerate(others) if is_ours(m) or may_change(m)), len(others))
    ob.modifiers.move(ob.modifiers.find(here.name), place)


def deformed(ob, evaluated, rendered):
    """The vertices of an evaluated object in the order of the original mesh; `rendered`: whether it was evaluated for a
    render."""
    check_multires(ob, rendered)
    mesh, count = evaluated.data, len(ob.data.vertices)
    # Attributes of that name that no modifier of this object writes are of another time, or of another object.
    captured = any(is_capture(m) and (m.show_render if rendered else m.show_viewport) for m in ob.modifiers)
    place, number = (mesh.attributes.get(name) if captured else None for name in (PLACE, NUMBER))
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
    """Refuses modifiers that deform after the capture, but for those that go on from a shape that a node has put
    there."""
    behind = captured = False
    for modifier in ob.modifiers:
        if is_ours(modifier) or may_change(modifier):
            captured = is_capture(modifier)
            behind = captured or may_change(modifier) or behind and not uses(modifier, SHAPE)
        elif behind and modifier.type in DEFORMS and modifier.show_viewport:
            raise Problem(
                f'the modifier "{modifier.name}" of "{ob.name}" deforms after the vertices may have changed: '
                "move it up in the stack, above those that subdivide or add, and press Update Capture"
            )
        elif captured and modifier.type == "NODES" and modifier.show_viewport and moves_vertices(modifier.node_group):
            raise Problem(
                f'the modifier "{modifier.name}" of "{ob.name}" moves vertices after they are captured: press Update '
                f"Capture"
            )


def changes_message(ob, count):
    names = ", ".join(f'"{m.name}"' for m in ob.modifiers if may_change(m))
    of = f"the modifiers {names}" if names else "the modifiers"
    return (
        f'{of} of "{ob.name}" turn {len(ob.data.vertices)} vertices into {count}: press Update Capture; if that does '
        f"not help, "
        "they remove or reorder vertices and must be turned off or applied"
    )


def read(attribute, count):
    values = np.empty(3 * count, np.float32)
    attribute.data.foreach_get("vector", values)
    return values.reshape(-1, 3)
