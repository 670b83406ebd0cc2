"""The names of ties, by which events release them: copies of ties get names of their own, and copies of events
follow."""

from ...sinew import UP_Z
from ...sinew.document import Document
from .. import host
from . import curves, kinds, places, rig_parts


def holders(rig):
    """What holds the ties of a rig's points, [(part, number of the node or -1, group)], originals before copies."""
    owners = curves.owners(rig_parts.ordered(rig, "strand"))
    found = [(part, k, part.sinew_tendon.strand.node[k].here) for part, k in owners.values()]
    return found + [(part, -1, part.sinew_tendon.point) for part in rig_parts.ordered(rig, "point")]


def named_alike(rig):
    """The ties whose name several have, by that name: [(part, number of the node or -1, tie)], the original first."""
    found = {}
    for part, k, here in holders(rig):
        for tie in (tie for tag in kinds.RULES for tie in getattr(here, tag) if tie.label):
            found.setdefault(tie.label, []).append((part, k, tie))
    return {name: ties for name, ties in found.items() if len(ties) > 1}


def problems(rig):
    """Which ties have names that others have, [(error, message, object, node)]."""
    for name, ((first, *_), *copies) in named_alike(rig).items():
        for part, k, _ in copies:
            yield (
                True,
                f'{part.name}: a tie of {first.name} has the name "{name}", too: rename it, or press Own Points',
                part,
                k,
            )


def give_own_names(rig):
    """Gives copies of ties names of their own, and lets the copies of the events that release them follow."""
    alike = named_alike(rig)
    for name, ((first, k, _), *copies) in alike.items():
        ties = [(name, place(first, k))]
        for part, number, tie in copies:
            tie.label = free_name(rig, name)
            ties.append((tie.label, place(part, number)))
        follow(rig, name, ties)
    if alike:
        # Other strands that share the points.
        strands = rig_parts.ordered(rig, "strand")
        curves.spread(strands, curves.owners(strands), curves.size_of(rig_parts.parts(rig)))


def names(rig):
    """The names of a rig's ties."""
    found = {tie.label for _, _, here in holders(rig) for tag in kinds.RULES for tie in getattr(here, tag)}
    return found - {""}


def free_name(rig, stem):
    """A name that no tie of the rig has."""
    taken, number = names(rig), 1
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"


def names_of(found):
    """The names by which events know ties, [(tag, tie, name of its point)]."""
    with Document.new("strand_scene", up_axis=UP_Z, library=host.library()) as document:
        called = []
        for tag, tie, point in found:
            own, other = kinds.ends_of(tag)
            tied = getattr(tie, other)
            if not isinstance(tied, str):
                tied = rig_parts.name_in_scene(tied) if tied else ""
            said = {"name": tie.label or None, "relation": getattr(tie, "relation", None), own: point, other: tied}
            called.append(document.add(document.root, tag))
            for name, text in said.items():
                if text is not None:
                    document.set(called[-1], name, text)
        names = {element.id: element.called for element in document.read().children}
        return [names[one] for one in called]


def follow_renames(rig):
    """Lets events go on releasing ties that have been renamed, or whose points, planes, curves and bodies have."""
    if rig.library:
        return
    found = [
        (tag, tie, here_name(part, k))
        for part, k, here in holders(rig)
        for tag in kinds.RULES
        for tie in getattr(here, tag)
        if tie.label or getattr(tie, kinds.ends_of(tag)[1])
    ]
    if not found:
        return
    found = [(tie, name) for (_, tie, _), name in zip(found, names_of(found))]
    now = {name for _, name in found}
    renamed = {tie.known_as: name for tie, name in found if tie.known_as and tie.known_as not in now}
    for tie, name in found:
        if tie.known_as != name:
            tie.known_as = name
    for part in rig_parts.parts(rig, "release"):
        event = part.sinew_tendon.release
        if event.rule in renamed:
            event.rule = renamed[event.rule]


def here_name(part, k):
    """The name of a point of a strand, or of one that is a part of its own."""
    return part.sinew_tendon.strand.node[k].point if k >= 0 else rig_parts.name_in_scene(part)


def follow_points(rig, owners, moved):
    """Lets events follow ties without names of their own, which go by those of their points; `owners` are the nodes
    that held the points, `moved` the new names of each point with their nodes, {name: [(name, [(strand, number,
    place)])]}."""
    for name, found in moved.items():
        strand, number = owners[name]
        for tag in kinds.RULES:
            for k, tie in enumerate(getattr(strand.sinew_tendon.strand.node[number].here, tag)):
                ties = [(tag, tie, name, place(strand, number))]
                for other, ((part, n, at), *_) in found:
                    copies = getattr(part.sinew_tendon.strand.node[n].here, tag)
                    if k < len(copies) and not tie.label and not copies[k].label:
                        ties.append((tag, copies[k], other, at))
                if len(ties) > 1:
                    names = names_of([tie[:3] for tie in ties])
                    follow(rig, names[0], [(name, tie[3]) for name, tie in zip(names, ties)])


def place(part, k):
    """Where a point is."""
    return curves.world_points(part)[k] if k >= 0 else places.modelled(part).translation


def follow(rig, name, ties):
    """Lets events that release a tie by a name each release its own of several ties, [(name, place)], the original
    first. The first event is the original's; each copy was moved with its tie, or lies where it was made: then copies
    follow in order. Where there are as many events as ties, each tie gets one."""
    first, *copies = [part for part in rig_parts.ordered(rig, "release") if part.sinew_tendon.release.rule == name] or [
        None
    ]
    left = ties[1:] if len(copies) + 1 == len(ties) else ties
    for event in copies:
        before, now = (places.modelled(part).inverted_safe() for part in (first, event))
        miss = [(now @ at - before @ ties[0][1]).length if now != before else 0.0 for _, at in left]
        chosen = left[miss.index(min(miss))]
        event.sinew_tendon.release.rule = chosen[0]
        if left is not ties:
            left.remove(chosen)
