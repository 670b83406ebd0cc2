"""UV maps that follow frames, through Subdivision Surface.

Blender prepares a subdivision anew, which takes seconds on a body of a few thousand vertices, whenever corners of a
vertex part or meet in any UV map, as slid ones do where faces pass a seam. So what is subdivided is the map at rest,
twice, and the slide goes through as a plain attribute: modifiers in front of Subdivision Surface set it apart, and
modifiers behind it add it again. UVs at rest are smoothed as the modifier says, and the slide is interpolated linearly
within each face of the mesh."""

from . import capture, host, node_inputs, properties, scatter
from .problem import Problem

# The Geometry Nodes in front of Subdivision Surface, and those behind it.
APART, ADDED = "Sinew Slide Apart", "Sinew Slide Added"
# What their inputs are called: the map that is slid, the one that it is at rest, and the attribute of the slide.
SLID, REST, CARRIER = "Slid UVs", "UVs at Rest", "Slide"
CARRIERS = "sinew_slide_"


def stored(nodes, links, socket, name, data_type, value, chosen):
    """A node that stores a value as an attribute of the corners, where `chosen`; gives the socket with the geometry
    after it."""
    made = nodes.new("GeometryNodeStoreNamedAttribute")
    made.data_type, made.domain = data_type, "CORNER"
    for given, target in ((socket, "Geometry"), (name, "Name"), (chosen, "Selection")):
        links.new(given, made.inputs[target])
    links.new(value, next(s for s in made.inputs if s.name == "Value" and s.enabled))
    return made.outputs[0]


def read(nodes, links, name):
    """A node that reads an attribute whose name is given: its sockets for the values and for whether it exists."""
    made = nodes.new("GeometryNodeInputNamedAttribute")
    made.data_type = "FLOAT_VECTOR"
    links.new(name, made.inputs["Name"])
    return next(s for s in made.outputs if s.name == "Attribute" and s.enabled), next(
        s for s in made.outputs if s.name == "Exists"
    )


def computed(nodes, links, operation, one, other):
    made = nodes.new("ShaderNodeVectorMath")
    made.operation = operation
    links.new(one, made.inputs[0])
    links.new(other, made.inputs[1])
    return made.outputs[0]


def set_apart(nodes, links, given, end):
    """What is slid becomes as at rest, and the difference an attribute."""
    slid, rest, carrier = (given[name] for name in (SLID, REST, CARRIER))
    (now, _), (before, there) = read(nodes, links, slid), read(nodes, links, rest)
    geometry = stored(
        nodes, links, given["Geometry"], carrier, "FLOAT_VECTOR", computed(nodes, links, "SUBTRACT", now, before), there
    )
    links.new(stored(nodes, links, geometry, slid, "FLOAT2", before, there), end)


def add_again(nodes, links, given, end):
    """The difference is added to what is at rest."""
    slid, rest, carrier = (given[name] for name in (SLID, REST, CARRIER))
    (before, _), (slide, there) = read(nodes, links, rest), read(nodes, links, carrier)
    geometry = stored(
        nodes, links, given["Geometry"], slid, "FLOAT2", computed(nodes, links, "ADD", before, slide), there
    )
    away = nodes.new("GeometryNodeRemoveAttribute")
    links.new(geometry, away.inputs["Geometry"])
    links.new(carrier, away.inputs["Name"])
    links.new(away.outputs[0], end)


def tree_of(name):
    """The Geometry Nodes of that name."""
    fill = {APART: set_apart, ADDED: add_again}[name]
    return capture.geometry_nodes(
        name, lambda nodes, links, start, end: fill(nodes, links, start.node.outputs, end), (SLID, REST, CARRIER)
    )


def half_of(modifier):
    """Which half of a pair a modifier is; None for others."""
    return next((name for name in (APART, ADDED) if capture.uses(modifier, name)), None)


def is_ours(modifier):
    return half_of(modifier) is not None


def moves_apart(kind, settings):
    """Whether corners of a vertex part and meet in the UVs that a node writes: not where they are held at seams."""
    return getattr(settings, "param_uv_seams", "nearest") == "nearest" and any(
        bound.choice == "UV" for _, bound in scatter.wanted(kind, settings)
    )


def pairs_of(ob):
    """The inputs of each pair that an object needs: for the UV maps that its nodes write so that corners part and meet,
    and that follow from one of the same mesh."""
    known = [
        (host.kinds()[item.kind], properties.settings(item)) for item in ob.sinew.nodes if item.kind in host.kinds()
    ]
    maps = [one for node in known if moves_apart(*node) for one in scatter.uv_maps(ob, *node)]
    return [{SLID: slid, REST: rest, CARRIER: f"{CARRIERS}{k}"} for k, (slid, rest) in enumerate(maps)]


def is_adaptive(ob, modifier):
    """Whether Cycles subdivides a body itself, by a modifier that must be the last."""
    of_object = getattr(getattr(ob, "cycles", None), "use_adaptive_subdivision", False)
    return modifier.type == "SUBSURF" and (of_object or getattr(modifier, "use_adaptive_subdivision", False))


def wanted(ob):
    """The stack as it should be: modifiers, and in place of ours (name, inputs)."""
    pairs, found = pairs_of(ob), []
    for modifier in [m for m in ob.modifiers if not is_ours(m)]:
        around = pairs if modifier.type == "SUBSURF" and not is_adaptive(ob, modifier) else ()
        found += [*((APART, inputs) for inputs in around), modifier, *((ADDED, inputs) for inputs in around)]
    return found


def as_it_is(ob):
    """The stack in the same form."""
    on = [is_ours(m) and m.show_viewport and m.show_render for m in ob.modifiers]
    return [(half_of(m), node_inputs.by_name(m)) if ours else m for m, ours in zip(ob.modifiers, on)]


def update(ob):
    """Puts the pairs where they belong, or takes them away where nothing needs them."""
    # Bodies can be converted to other types, with their nodes.
    if ob.type != "MESH":
        return
    # What one that was applied has left in the mesh.
    for name in [name for name in ob.data.attributes.keys() if name.startswith(CARRIERS)]:
        ob.data.attributes.remove(ob.data.attributes[name])
    stack = wanted(ob)
    if stack == as_it_is(ob):
        return
    for modifier in [m for m in ob.modifiers if is_ours(m)]:
        ob.modifiers.remove(modifier)
    for place, part in enumerate(stack):
        if isinstance(part, tuple):
            name, inputs = part
            made = ob.modifiers.new(name, "NODES")
            made.node_group, made.show_expanded = tree_of(name), False
            node_inputs.put(made, inputs)
            ob.modifiers.move(len(ob.modifiers) - 1, place)
    ob.update_tag()


def rename(ob):
    """Lets the pairs follow the names of the maps, where they stand."""
    by_carrier = {inputs[CARRIER]: inputs for inputs in pairs_of(ob)}
    for modifier in [m for m in ob.modifiers if is_ours(m)]:
        inputs = node_inputs.by_name(modifier)
        named = by_carrier.get(inputs[CARRIER], inputs)
        if inputs != named:
            node_inputs.put(modifier, named)
            ob.update_tag()


def check(ob, rendered):
    """Refuses halves without their other half: the slide would be lost on the way."""
    apart, last = [], None
    for modifier in [m for m in ob.modifiers if is_ours(m) and (m.show_render if rendered else m.show_viewport)]:
        inputs, last = node_inputs.by_name(modifier), modifier
        if half_of(modifier) == APART and inputs not in apart:
            apart.append(inputs)
        elif half_of(modifier) == ADDED and inputs in apart:
            apart.remove(inputs)
        else:
            raise Problem(alone(ob, modifier))
    if apart:
        raise Problem(alone(ob, last))


def alone(ob, modifier):
    """What to say of one half without the other."""
    return (
        f'the modifier "{modifier.name}" of "{ob.name}" needs its counterpart on the other side of Subdivision '
        f"Surface, or UVs do not slide: "
        "press Update Capture"
    )


def slow(ob, item):
    """What to say where Blender prepares a subdivision anew in most frames, and how that is avoided; an empty text
    where it does not."""
    kind, pairs, depth = host.kinds().get(item.kind), pairs_of(ob), 0
    if kind is None or not moves_apart(kind, properties.settings(item)):
        return ""
    for modifier in [m for m in ob.modifiers if m.show_viewport]:
        depth += (half_of(modifier) == APART) - (half_of(modifier) == ADDED)
        if modifier.type != "SUBSURF" or depth > 0:
            continue
        if pairs and not is_adaptive(ob, modifier):
            return f'"{modifier.name}" is slow in frames in which faces pass a UV seam: press Update Capture'
        return (
            f'"{modifier.name}" is slow in frames in which faces pass a UV seam, and nothing can stand behind it. '
            "Sliding (Advanced) > UVs at Seams > Held avoids that, if the texture goes on beyond its seams"
            if is_adaptive(ob, modifier)
            else f'"{modifier.name}" is slow in frames in which faces pass a UV seam, '
            "as the UV map at rest is of another object"
        )
    return ""
