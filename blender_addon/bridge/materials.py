"""Which UV map the materials of an object use: what names it is switched to another one, in groups of nodes, too."""

import bpy

from . import relations

# The nodes that name a UV map: type -> the property that does, and whether it counts as the node is set.
NAMING = {
    "UVMAP": ("uv_map", lambda node: True),
    "ATTRIBUTE": ("attribute_name", lambda node: node.attribute_type == "GEOMETRY"),
    "NORMAL_MAP": ("uv_map", lambda node: True),
    "TANGENT": ("uv_map", lambda node: True),
}


def trees_of(owner):
    """The node tree of a material, world or light, with all groups in it."""
    found = set()
    relations.groups_in(owner.node_tree, found)
    return found


def naming(tree, name):
    """The nodes of a tree that name a UV map, with the property that does."""
    known = ((node, *NAMING[node.type]) for node in tree.nodes if node.type in NAMING)
    return [(node, prop) for node, prop, counts in known if counts(node) and getattr(node, prop) == name]


def materials_of(ob):
    return {slot.material for slot in ob.material_slots if slot.material}


def switch(ob, old, new):
    """Switches what names one UV map in the materials of an object to another one; gives a warning of what is left
    alone, because it is linked or used by others, too."""
    elsewhere = set().union(*(materials_of(other) for other in bpy.data.objects if other != ob))
    own = [material for material in materials_of(ob) if material not in elsewhere and material.library is None]
    others = [
        one
        for kept in (bpy.data.materials, bpy.data.worlds, bpy.data.lights)
        for one in kept
        if one.users and one not in own
    ]
    shared = {tree for one in others for tree in trees_of(one)}
    left = set()
    for material in materials_of(ob):
        for tree in trees_of(material):
            nodes = naming(tree, old)
            if nodes and (tree in shared or tree.library is not None or material not in own):
                left.add(material.name if tree.is_embedded_data else f'node group "{tree.name}"')
                continue
            for node, prop in nodes:
                setattr(node, prop, new)
    if not left:
        return []
    return [
        f'{", ".join(sorted(left))}: linked or used by others too, and still set to the UV map "{old}": make a copy '
        f'and choose "{new}" there'
    ]
