"""Routes tendons: curves become strands, nodes get bodies, planes and curves to run over, ends get muscles."""

import bpy
import numpy as np

from ...bridge import host
from ...bridge.tendon import animation, curves, fields, kinds, places, rig_parts, shapes
from ...core import single
from ...sinew.document import starting_numbers
from . import bodies
from .check import OfRig, select

from mathutils import Matrix, Vector


def active_strand(context):
    """The active strand, its nodes in line with its curve."""
    part = context.object
    if part is None or part.sinew_tendon.tag != "strand":
        raise ValueError("make a tendon the active object")
    if rig_parts.rig_of(part) is None:
        raise ValueError(
            f"{part.name} is not in a rig: move it back into a rig's collection, or make it new with Tendons from "
            f"Curves"
        )
    curves.sync(part)
    if not part.sinew_tendon.strand.node:
        raise ValueError(f"{part.name} has no points")
    return part


def active_node(context):
    """The active node, with its strand."""
    part = active_strand(context)
    return part, part.sinew_tendon.strand.node[part.sinew_tendon.active_node]


def held_at(strand, k):
    """The group that holds a node's point: its own, or that of the strand with which it shares the point."""
    rig = rig_parts.rig_of(strand)
    name = strand.sinew_tendon.strand.node[k].point
    owner, number = curves.owners(rig_parts.ordered(rig, "strand"))[name]
    return owner.sinew_tendon.strand.node[number].here


def become_strand(context, rig, part):
    """Makes a curve a strand: its ends carry their material, material slides through the points between."""
    if part.type != "CURVE":
        raise ValueError(f"{part.name} is not a curve")
    if len(part.data.splines) > 1:
        raise ValueError(f"{part.name} has {len(part.data.splines)} splines, but a tendon is one: {curves.SEPARATE}")
    if len(curves.control_points(part)) < 2:
        raise ValueError(f"{part.name} needs at least two points")
    if rig_parts.role(part):
        raise ValueError(f"{part.name} is a {part.sinew_tendon.tag} of a rig already")
    bodies.forget_role(part)
    places.fold_deltas(part)
    bodies.adopt(rig, part, "strand")
    part.data.dimensions = "3D"
    strand = part.sinew_tendon.strand
    # A radius that is set is drawn at once.
    drawn = part.data.bevel_depth * places.thickness(part)
    begin(strand, "strand", bodies.extent(rig))
    strand.use_young, strand.radius = True, drawn or strand.radius
    curves.sync(part)
    for k, node in enumerate(strand.node):
        node.kind = "lagrangian" if k in (0, len(strand.node) - 1) else "eulerian"
    on_nearest(rig, part, range(len(strand.node)))


def begin(group, element, measure):
    """Gives a new element the numbers with which the library begins it."""
    for name, (number,) in starting_numbers(element, measure, library=host.library()).items():
        setattr(group, name, number)


def tell_frame(operator, scene, rig):
    """Warns that a tendon was laid along bodies that are elsewhere when the simulation begins."""
    away = [body.name for body in rig_parts.parts(rig, "body") if animation.is_away(scene, [body])]
    if away:
        where = f"frame {scene.frame_start}, where {away[0]} may be elsewhere"
        operator.report({"WARNING"}, f"Simulations begin in {where}: see there whether the tendon fits")


def on_nearest(rig, part, which):
    """Puts nodes on the bodies whose surfaces are nearest. Trees of surfaces take long to make: only of bodies whose
    boxes are near enough."""
    boxes, surfaces = {body: box(body) for body in rig_parts.parts(rig, "body")}, {}
    # What Blender rounds distances by, which it has in single precision.
    slack, at = 1e-5 * max((np.abs(ends).max() for ends in boxes.values()), default=0.0), curves.world_points(part)
    for k in which:
        bounds = {body: to_box(boxes[body], at[k]) for body in boxes}
        far = {}
        for body in sorted(boxes, key=bounds.get):
            if far and bounds[body] > min(far.values()) + slack:
                break
            if body not in surfaces:
                surfaces[body] = shapes.surface(body)
            far[body] = distance(body, surfaces[body], at[k])
        # Of several that are equally far, the first of the rig.
        nearest = min((body for body in boxes if body in far), key=far.get, default=None)
        here = part.sinew_tendon.strand.node[k].here
        here.carrier = "body" if nearest else "world"
        here.on = nearest


def box(body):
    """The least and the greatest coordinates of a body's surface as modelled; its origin, where it has none."""
    if body.type == "MESH" and body.data.polygons:
        return bodies.ends(body)
    origin = np.array(places.modelled(body).translation)
    return origin, origin


def to_box(ends, place):
    """How far a place is from a box along the axes: what lies in the box is no nearer."""
    (low, high), place = ends, np.array(place)
    return float(np.linalg.norm(np.maximum(0, np.maximum(low - place, place - high))))


def distance(body, surface, place):
    """How far a place is from a body's surface as modelled; of a body without one, from its origin."""
    far = surface.find_nearest(place)[3] if surface else None
    return far if far is not None else (places.modelled(body).translation - place).length


class SINEW_OT_tendon_from_curve(OfRig, bpy.types.Operator):
    """Make the selected curves tendons: each point becomes a node on the nearest body; the ends are fixed, the points
    between let the tendon slide"""

    bl_idname, bl_label = "sinew.tendon_from_curve", "Tendons from Curves"

    def on_rig(self, context, rig):
        chosen = [o for o in context.selected_objects if o.type == "CURVE" and not rig_parts.role(o)]
        if not chosen:
            raise ValueError("select curves that are not yet tendons")
        self.each(chosen, lambda part: become_strand(context, rig, part))
        tell_frame(self, context.scene, rig)


class SINEW_OT_tendon_draw(OfRig, bpy.types.Operator):
    """Draw a tendon: starts with two points at the 3D cursor, in edit mode, where E extrudes and Ctrl-click adds
    points"""

    bl_idname, bl_label = "sinew.tendon_draw", "Draw Tendon"

    label: bpy.props.StringProperty(name="Name", description="The tendon's name", default="Tendon")
    points: bpy.props.StringProperty(
        name="Points", description="Places separated by semicolons; empty: two at the 3D cursor", options={"SKIP_SAVE"}
    )

    def on_rig(self, context, rig):
        if self.points:
            at = [single.numbers(text, 3) for text in self.points.split(";") if text.strip()]
        else:
            step = 0.1 * bodies.extent(rig)
            at = [context.scene.cursor.location + Vector((k * step, 0, 0)) for k in (0, 1)]
        if None in at or len(at) < 2:
            raise ValueError("a tendon needs at least two points of three numbers each")
        part = curves.make(self.label, at, 0.0)
        rig.objects.link(part)
        become_strand(context, rig, part)
        tell_frame(self, context.scene, rig)

        select(context, part)
        if not bpy.app.background:
            bpy.ops.object.mode_set(mode="EDIT")


class SINEW_OT_tendon_nearest(OfRig, bpy.types.Operator):
    """Put the active node on the body that is nearest to it"""

    bl_idname, bl_label = "sinew.tendon_nearest", "On Nearest Body"

    def on_rig(self, context, rig):
        part = active_strand(context)
        on_nearest(rig, part, [part.sinew_tendon.active_node])


class SINEW_OT_tendon_step_node(OfRig, bpy.types.Operator):
    """Show the next or the previous node of the tendon"""

    bl_idname, bl_label = "sinew.tendon_step_node", "Next Node"

    by: bpy.props.IntProperty(name="By", description="How many nodes to move forward", default=1)

    def on_rig(self, context, rig):
        part = active_strand(context)
        part.sinew_tendon.active_node = (part.sinew_tendon.active_node + self.by) % len(part.sinew_tendon.strand.node)


class SINEW_OT_tendon_constrain(OfRig, bpy.types.Operator):
    """Tie the active node to the selected planes, lines and circles: select them, then the tendon"""

    bl_idname, bl_label = "sinew.tendon_constrain", "Tie to Selected"

    relation: bpy.props.EnumProperty(
        name="In Plane",
        description="Whether the node stays in the plane or may leave it along the normal",
        items=[
            ("equal", "In the Plane", "It stays in the plane"),
            ("above", "Above", "It stays on the side of the normal"),
        ],
    )
    off_bone: bpy.props.BoolProperty(
        name="Stay Out of Bone", description="Keep the node out of the bone that the plane cuts", default=False
    )

    def on_rig(self, context, rig):
        part = active_strand(context)
        here = held_at(part, part.sinew_tendon.active_node)
        chosen = [o for o in context.selected_objects if rig_parts.role(o) in ("plane", "line", "circle")]
        if not chosen:
            raise ValueError("select planes, lines or circles of the rig, then the tendon")
        here.carrier, here.on = "free", None
        for target in chosen:
            if target.sinew_tendon.tag != "plane":
                here.on_curve.add().curve = target
                continue
            rule = here.in_plane.add()
            rule.plane, rule.relation = target, self.relation
            if self.off_bone:
                here.off_bone.add().plane = target


class SINEW_OT_tendon_add_rule(OfRig, bpy.types.Operator):
    """Add a tie to the active node; pick what it is tied to in the list"""

    bl_idname, bl_label = "sinew.tendon_add_rule", "Add Tie"

    kind: bpy.props.EnumProperty(
        name="Kind",
        description="What holds the node",
        items=kinds.items(kinds.RULES, fields.title),
    )

    def on_rig(self, context, rig):
        part = active_strand(context)
        getattr(held_at(part, part.sinew_tendon.active_node), self.kind).add()


class SINEW_OT_tendon_remove_rule(OfRig, bpy.types.Operator):
    """Remove this tie of the active node"""

    bl_idname, bl_label = "sinew.tendon_remove_rule", "Remove Tie"

    kind: bpy.props.StringProperty(name="Kind", description="The kind of the tie")
    index: bpy.props.IntProperty(name="Number", description="Its index among the ties of its kind", min=0)

    def on_rig(self, context, rig):
        part = active_strand(context)
        rules = getattr(held_at(part, part.sinew_tendon.active_node), self.kind, ())
        if self.index >= len(rules):
            raise ValueError("there is no such tie")
        rules.remove(self.index)


class SINEW_OT_tendon_share(OfRig, bpy.types.Operator):
    """Let the active node share the point of the nearest node of another tendon, so that the two stay together"""

    bl_idname, bl_label = "sinew.tendon_share", "Share Nearest Point"

    def on_rig(self, context, rig):
        part, node = active_node(context)
        place = curves.world_points(part)[part.sinew_tendon.active_node]
        others = [
            (other, k, at)
            for other in rig_parts.ordered(rig, "strand")
            if other != part
            for k, at in enumerate(curves.world_points(other))
        ]
        if not others:
            raise ValueError("there is no other tendon")
        other, k, at = min(others, key=lambda found: (found[2] - place).length)
        curves.sync(other)
        node.point = other.sinew_tendon.strand.node[k].point
        curves.set_control_point(part, part.sinew_tendon.active_node, at)


class SINEW_OT_tendon_add_guide(OfRig, bpy.types.Operator):
    """Add a plane, line or circle at the 3D cursor, carried by the active body"""

    bl_idname, bl_label = "sinew.tendon_add_guide", "Add Guide"

    kind: bpy.props.EnumProperty(
        name="Kind",
        description="What nodes are tied to",
        items=kinds.items(("plane", "line", "circle"), fields.title),
    )

    def on_rig(self, context, rig):
        body = context.object if context.object is not None and rig_parts.role(context.object) == "body" else None
        if self.kind == "plane" and body is None:
            raise ValueError("make the body that carries the plane the active object")
        part = bodies.add(rig, fields.title(self.kind), self.kind, matrix=context.scene.cursor.matrix)
        group = getattr(part.sinew_tendon, self.kind)
        size = 0.1 * bodies.extent(rig)
        part.empty_display_size = size
        if self.kind == "circle":
            group.radius = size
        group.on = body

        select(context, part)


class SINEW_OT_tendon_add_muscle(OfRig, bpy.types.Operator):
    """Add a muscle to the active tendon"""

    bl_idname, bl_label = "sinew.tendon_add_muscle", "Add Muscle"

    kind: bpy.props.EnumProperty(
        name="Kind",
        description="How it pulls",
        items=kinds.items(kinds.MUSCLES, fields.title),
    )
    end: bpy.props.EnumProperty(
        name="End",
        description="The end at which it pulls",
        items=[("first", "First", "The tendon's first node"), ("last", "Last", "The tendon's last node")],
    )
    strength: bpy.props.FloatProperty(
        name="Strength", description="The force at an activation of 1, in N; 0: 100 N", default=0.0, min=0
    )
    travel: bpy.props.FloatProperty(
        name="Travel",
        description="How far the end can be pulled; 0: half of the tendon's length",
        default=0.0,
        min=0,
        unit="LENGTH",
    )

    def on_rig(self, context, rig):
        strand = active_strand(context)
        if len(strand.sinew_tendon.strand.node) < 2:
            raise ValueError(f"{strand.name} needs at least two points")
        part = bodies.add(rig, f"{strand.name} {fields.title(self.kind)}", self.kind)
        group = getattr(part.sinew_tendon, self.kind)
        begin(group, self.kind, self.strength)
        getattr(self, "_" + self.kind)(context, rig, strand, part, group)

    def _ends(self, strand):
        at = curves.world_points(strand)
        return (at[0], at[1], 0) if self.end == "first" else (at[-1], at[-2], len(at) - 1)

    def _muscle(self, context, rig, strand, part, group):
        """A line from the end onwards, on which the end is pulled."""
        end, before, k = self._ends(strand)
        length = sum((a - b).length for a, b in zip(curves.world_points(strand), curves.world_points(strand)[1:]))
        travel = self.travel or 0.5 * length
        along = (end - before).normalized()
        here = held_at(strand, k)
        carrier = here.on if here.carrier == "body" else None
        line = bodies.add(rig, f"{strand.name} Line", "line")
        places.set_line(line, end - along * travel, end + along * travel)
        line.sinew_tendon.line.on = carrier
        here.carrier, here.on = "free", None
        here.on_curve.add().curve = line
        node = strand.sinew_tendon.strand.node[k]
        node.kind = "lagrangian"
        part.location = end
        group.point, group.curve = node.point, line
        group.rest = travel

    def _reel(self, context, rig, strand, part, group):
        end, _, k = self._ends(strand)
        strand.sinew_tendon.strand.node[k].kind = "eulerian"
        part.location = end
        group.strand, group.end = strand, self.end

    def _hill(self, context, rig, strand, part, group):
        end, before, k = self._ends(strand)
        part.location = (end + before) / 2
        group.strand, group.segment = strand, 0 if k == 0 else k - 1
        group.optimal = 1.1 * (end - before).length
        for number in (group.segment, group.segment + 1):
            strand.sinew_tendon.strand.node[number].kind = "lagrangian"


class SINEW_OT_tendon_add_goal(OfRig, bpy.types.Operator):
    """Add a goal: activations are then computed so that muscles turn the active joint, or move the point of the active
    body at the 3D cursor to a target. Animate the target"""

    bl_idname, bl_label = "sinew.tendon_add_goal", "Add Goal"

    def on_rig(self, context, rig):
        part = context.object
        tag = rig_parts.role(part) if part is not None else ""
        if tag == "joint":
            goal = bodies.add(rig, f"{part.name} Goal", "goal_motion", matrix=Matrix(places.frame(part)))
            goal.sinew_tendon.goal_motion.joint = part
            axes = part.sinew_tendon.joint.axis
            goal.sinew_tendon.goal_motion.axis = axes[0].label if axes else "turn_x"
        elif tag == "body":
            goal = bodies.add(rig, f"{part.name} Goal", "goal_place")
            goal.location = goal.sinew_tendon.goal_place.at = context.scene.cursor.location
            goal.sinew_tendon.goal_place.body = part
        else:
            raise ValueError("the active object must be the joint or body that the goal moves")

        select(context, goal)


class SINEW_OT_tendon_add_event(OfRig, bpy.types.Operator):
    """Add a timed event: cut or lengthen a tendon, or release a tie; or let the two selected bodies touch"""

    bl_idname, bl_label = "sinew.tendon_add_event", "Add Event"

    kind: bpy.props.EnumProperty(
        name="Kind",
        description="What happens",
        items=kinds.items(("cut", "lengthen", "release", "contact"), fields.title),
    )

    def on_rig(self, context, rig):
        active = context.object
        part = bodies.add(rig, fields.title(self.kind), self.kind)
        group = getattr(part.sinew_tendon, self.kind)
        passed = context.scene.frame_current - context.scene.frame_start
        if hasattr(group, "time"):
            group.time = max(0.0, passed / animation.fps(context.scene))
        if self.kind == "contact":
            chosen = [o for o in context.selected_objects if rig_parts.role(o) == "body"]
            if len(chosen) != 2:
                bpy.data.objects.remove(part)
                raise ValueError("select two bodies")
            group.first, group.second = chosen
        elif self.kind != "release" and active is not None and rig_parts.role(active) == "strand":
            group.strand = active
            group.segment = min(active.sinew_tendon.active_node, max(len(active.sinew_tendon.strand.node) - 2, 0))
        elif self.kind == "release" and active is not None and rig_parts.role(active) in ("joint", "contact"):
            setattr(group, active.sinew_tendon.tag, active)


CLASSES = (
    SINEW_OT_tendon_from_curve,
    SINEW_OT_tendon_draw,
    SINEW_OT_tendon_nearest,
    SINEW_OT_tendon_step_node,
    SINEW_OT_tendon_constrain,
    SINEW_OT_tendon_add_rule,
    SINEW_OT_tendon_remove_rule,
    SINEW_OT_tendon_share,
    SINEW_OT_tendon_add_guide,
    SINEW_OT_tendon_add_muscle,
    SINEW_OT_tendon_add_goal,
    SINEW_OT_tendon_add_event,
)
