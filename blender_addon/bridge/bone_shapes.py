"""Shapes of bodies that nodes put in the place of the Armature modifier's: other nodes, and modifiers behind them, go
on from these."""

from . import host, properties


def reads_bones(kind, settings):
    """Whether a node skins its object with the weights of bones, in place of the Armature modifier. The object is then
    a joint after the bones. It carries what that modifier leaves in place: vertices without weights would otherwise
    stay where the mesh is at rest, which need not be where the object is."""
    return any(properties.source(settings, port) == "WEIGHTS" for port in kind.inputs)


def names(item):
    """The attributes with the shapes that a node skins."""
    kind, settings = host.kinds().get(item.kind), properties.settings(item)
    if kind is None or not reads_bones(kind, settings):
        return set()
    bounds = [getattr(settings, f"out_{port.id}") for port in kind.outputs]
    return {bound.name for bound in bounds if bound.choice == "SHAPE"}


def reads_body(ob, kind, settings):
    """Whether a node reads the body of its object as it is deformed."""
    bounds = [getattr(settings, f"in_{port.id}") for port in kind.inputs]
    return any(bound.choice == "BODY" and bound.object in (None, ob) for bound in bounds)


def all_names(ob):
    return {name for item in ob.sinew.nodes for name in names(item)}
