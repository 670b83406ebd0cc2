"""Points that tendons share, and points of their own for tendons that were copied."""

import bpy

from ...bridge.tendon import curves, kinds, rig_parts, ties
from . import check, route

WHICH = [
    ("node", "Node", "The active node"),
    ("tendon", "Tendon", "Every node of the active tendon"),
    ("selected", "Selected Tendons", "Every node of the selected tendons, which go on sharing points with each other"),
    ("rig", "Whole Rig", "Every node of the rig that lies away from the point that it shares, as those of copies do"),
]


def given_own(rig, strands):
    """Gives nodes of strands points of their own where they lie away from what they share, or share it with other
    strands; those that lie together go on sharing. Tells how many nodes have another point now."""
    owners, size, groups = curves.owners(rig_parts.ordered(rig, "strand")), curves.size_of(rig_parts.parts(rig)), {}
    for part in strands:
        for k, (node, place) in enumerate(zip(part.sinew_tendon.strand.node, curves.world_points(part))):
            known = groups.setdefault(node.point, [])
            near = next((group for group in known if not curves.is_apart(group[0][2], place, size)), None)
            if near is None:
                known.append([(part, k, place)])
            else:
                near.append((part, k, place))
    moved = {}
    for name, known in groups.items():
        for group in known:
            if owners[name] not in [(part, k) for part, k, _ in group]:
                moved.setdefault(name, []).append((free_point(rig, group, owners[name], size), group))
    follow(rig, owners, moved)
    return sum(len(group) for found in moved.values() for _, group in found)


def free_point(rig, group, owner, size):
    """Gives nodes that lie together, [(strand, number, place)], a point; gives its name."""
    strand, number = owner
    name = curves.free_name(rig, group[0][0].name)
    for part, k, place in group:
        node = part.sinew_tendon.strand.node[k]
        if owner != (part, k) and not curves.is_apart(at(*owner), place, size):
            rig_parts.copy(strand.sinew_tendon.strand.node[number].here, node.here)
        node.point, node.here.key = name, -1
    return name


def follow(rig, owners, moved):
    """Lets what names points by their names follow copies: muscles that were copied with them, and links between them.
    `moved` has the new names of each point with their nodes, {name: [(name, [(strand, number, place)])]}."""
    for part in rig_parts.parts(rig, *kinds.MUSCLES):
        group = getattr(part.sinew_tendon, part.sinew_tendon.tag)
        if getattr(group, "point", "") in moved:
            group.point = point_of_muscle(rig, part, group, owners[group.point], moved[group.point])
    for name, found in moved.items():
        for _, nodes in found:
            for part, k, place in nodes:
                for link in part.sinew_tendon.strand.node[k].here.link:
                    if link.second in moved:
                        length = (at(*owners[name]) - at(*owners[link.second])).length
                        link.second = linked(part, place, length, moved[link.second])
    ties.follow_points(rig, owners, moved)


def linked(part, place, length, found):
    """The name of the point to which the copy of a link leads: one of its own strand, or the one that is as far away as
    before."""

    def miss(choice):
        _, nodes = choice
        return part not in [strand for strand, *_ in nodes], abs((nodes[0][2] - place).length - length)

    return min(found, key=miss)[0]


def at(strand, number):
    """Where a node is."""
    return curves.world_points(strand)[number]


def point_of_muscle(rig, muscle, group, owner, found):
    """The name of the point that a muscle pulls: that which is tied to its curve. Copies that share the curve, too,
    have theirs where they are; a muscle without copies stays with the point that it had."""
    strand, number = owner
    choices = [(group.point, strand, number), *((name, nodes[0][0], nodes[0][1]) for name, nodes in found)]

    def tied(strand, number):
        return any(rule.curve == group.curve for rule in strand.sinew_tendon.strand.node[number].here.on_curve)

    there = [choice for choice in choices if tied(*choice[1:])] or choices
    if len(there) > 1 and len(pulled_alike(rig, group)) == 1:
        return group.point
    end = muscle.matrix_world.translation
    return min(there, key=lambda choice: (at(*choice[1:]) - end).length)[0]


def pulled_alike(rig, group):
    """The muscles that pull the point of a muscle along the same curve."""
    muscles = [part.sinew_tendon.muscle for part in rig_parts.parts(rig, "muscle")]
    return [muscle for muscle in muscles if (muscle.point, muscle.curve) == (group.point, group.curve)]


class SINEW_OT_tendon_unshare(check.OfRig, bpy.types.Operator):
    """Give nodes points of their own, as tendons that were copied need them"""

    bl_idname, bl_label = "sinew.tendon_unshare", "Own Point"

    which: bpy.props.EnumProperty(name="Of", description="Which nodes get points of their own", items=WHICH)

    def on_rig(self, context, rig):
        for strand in rig_parts.parts(rig, "strand"):
            curves.sync(strand)
        if self.which == "node":
            part, _ = route.active_node(context)
            k, size = part.sinew_tendon.active_node, curves.size_of(rig_parts.parts(rig))
            name, here = part.sinew_tendon.strand.node[k].point, [(part, k, at(part, k))]
            owners = curves.owners(rig_parts.ordered(rig, "strand"))
            made = free_point(rig, here, owners[name], size)
            ties.follow_points(rig, owners, {name: [(made, here)]})
            ties.give_own_names(rig)
            return
        count = given_own(rig, self.strands(context, rig))
        ties.give_own_names(rig)
        if self.which == "rig":
            check.look(rig, context.scene)
        self.report({"INFO"}, f"{count} nodes have points of their own now")

    def strands(self, context, rig):
        """The tendons that were chosen."""
        if self.which == "tendon":
            return [route.active_strand(context)]
        found = [part for part in rig_parts.ordered(rig, "strand") if self.which == "rig" or part.select_get()]
        if not found:
            raise ValueError("select tendons of the rig")
        return found


CLASSES = (SINEW_OT_tendon_unshare,)
