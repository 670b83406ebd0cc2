"""What the inputs of a Geometry Nodes modifier are set to, in every version of Blender.

Up to 5.1 they are custom properties of the modifier. Since 5.2 modifiers have none: the inputs are in
`modifier.properties`, a group of settings for each."""

import bpy

# Of those groups, what sets nothing.
DESCRIBES = {"rna_type", "name"}
# What follows the identifier of an input in the names of its custom properties.
ENDINGS = ("", "_use_attribute", "_attribute_name")


def read(modifier):
    """The settings of all inputs, also of those that come from an attribute: (path within the modifier, as keys name
    it, value) pairs."""
    if modifier.node_group is None:
        return []
    sockets = [
        item
        for item in modifier.node_group.interface.items_tree
        if item.item_type == "SOCKET" and item.in_out == "INPUT"
    ]
    names = [socket.identifier for socket in sockets]
    if not hasattr(modifier, "properties"):
        keys = [name + ending for name in names for ending in ENDINGS]
        return [(f'["{key}"]', plain(modifier[key])) for key in keys if key in modifier]
    groups = [(name, getattr(modifier.properties.inputs, name, None)) for name in names]
    return [
        (f".properties.inputs.{name}.{prop.identifier}", plain(getattr(group, prop.identifier)))
        for name, group in groups
        for prop in (group.bl_rna.properties if group is not None else ())
        if prop.identifier not in DESCRIBES
    ]


def texts_of(modifier):
    """The identifiers of the inputs that are texts, by their names."""
    sockets = [
        item
        for item in modifier.node_group.interface.items_tree
        if item.item_type == "SOCKET" and item.in_out == "INPUT"
    ]
    return {socket.name: socket.identifier for socket in sockets if socket.socket_type == "NodeSocketString"}


def by_name(modifier):
    """What the inputs that are texts are set to, by their names."""
    if modifier.node_group is None:
        return {}
    if not hasattr(modifier, "properties"):
        return {name: modifier.get(key, "") for name, key in texts_of(modifier).items()}
    return {name: getattr(modifier.properties.inputs, key).value for name, key in texts_of(modifier).items()}


def put(modifier, texts):
    """Sets inputs that are texts, by their names."""
    for name, key in texts_of(modifier).items():
        if not hasattr(modifier, "properties"):
            modifier[key] = texts[name]
        else:
            getattr(modifier.properties.inputs, key).value = texts[name]


def plain(value):
    """A value that can be compared and printed: arrays as tuples."""
    return value if isinstance(value, (str, bpy.types.ID)) or not hasattr(value, "__len__") else tuple(value)


def named(modifier):
    """The data-blocks that the inputs name."""
    return [value for _, value in read(modifier) if isinstance(value, bpy.types.ID)]
