"""Nodes go by the names of UV maps, vertex groups and attributes: where someone renames one, they follow. In edit mode
attributes come and go unseen, so those that were renamed there are not followed."""

# What has names, and the sources and targets that go by them.
NAMED = {"uv_maps": ("REST", "UV"), "groups": ("GROUP",), "attributes": ("ATTRIBUTE", "SHAPE")}


def names(ob):
    """All names of an object that nodes can go by and that follow, in order; and the mesh whose they are."""
    uv_maps = [layer.name for layer in ob.data.uv_layers]
    seen = ob.data.attributes if ob.mode != "EDIT" else ()
    attributes = [one.name for one in seen if one.name not in uv_maps and not one.name.startswith(".")]
    groups = [group.name for group in ob.vertex_groups]
    return {"uv_maps": uv_maps, "groups": groups, "attributes": attributes, "mesh": ob.data.session_uid}


def renamed(before, now):
    """The old and the new name if the counts agree and exactly one name differs, or None."""
    pairs = [pair for pair in zip(before, now) if pair[0] != pair[1]] if len(before) == len(now) else []
    return pairs[0] if len(pairs) == 1 else None


def follow(kind, settings, before, now, written):
    """Points the bindings of a node at the new names. The maps of a mesh that the object has got instead are others, as
    are those that outputs go by already, which have these names: `written`."""
    if before["mesh"] != now["mesh"]:
        return
    bindings = [getattr(settings, f"in_{port.id}") for port in kind.inputs] + [
        getattr(settings, f"out_{port.id}") for port in kind.outputs
    ]
    for what, choices in NAMED.items():
        old, new = renamed(before[what], now[what]) or (None, None)
        for bound in bindings if new not in written else ():
            if bound.choice in choices and bound.name == old:
                bound.name = new
