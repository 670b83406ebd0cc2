"""Finds the errors in a scene, each with its element: those that a rigger can see and fix before anything moves."""

import difflib
from collections import Counter
from dataclasses import dataclass

import numpy as np

from . import strand_schema
from .strand_scene import describe, numbers, rule_name, turn_matrix


# How far a point may be from its plane, as part of the scene's size: more than rounding and drawing by hand, less than is seen.
OFF_PLANE = 1e-3


@dataclass
class Problem:
    """A sentence about an element; with `error` the scene cannot run, otherwise it may not do what was meant; `unknown`
    means only that the reference has no such element or attribute."""

    error: bool
    message: str
    element: object
    unknown: bool = False

    def text(self):
        """The message with the element's name, for those who see no lines."""
        return f"{describe(self.element, lines=False)}: {self.message}"


def check(scene, read=None):
    """All problems of a scene, in the order of its elements; `read`: the scene from which it was made, whose idle planes are meant so."""
    found = _Checks(scene, _idle_planes(read) if read is not None else set())
    found.all()
    order = {id(e): k for k, e in enumerate(scene.root.walk())}
    return sorted(found.problems, key=lambda p: (order[id(p.element)], not p.error))


def unreadable(scene):
    """What keeps a scene from being loaded: values that do not parse, names that are missing, duplicate or undefined."""
    found = _Checks(scene)
    found.schema(scene.root, strand_schema.SCENE)
    found.names()
    return [problem for problem in found.problems if not problem.unknown]


class _Checks:
    def __init__(self, scene, idle=frozenset()):
        self.scene, self.problems, self.idle = scene, [], idle
        self.points = {e.get("name"): e for e in scene.elements("point")}
        self.rules = {}
        for rule in scene.elements(*strand_schema.RULES):
            for name in (rule.get("point"), rule.get("first"), rule.get("second")):
                self.rules.setdefault(name, []).append(rule)

    def wrong(self, element, message, unknown=False):
        self.problems.append(Problem(True, message, element, unknown))

    def doubt(self, element, message):
        self.problems.append(Problem(False, message, element))

    def all(self):
        self.schema(self.scene.root, strand_schema.SCENE)
        self.names()
        if any(problem.error for problem in self.problems):
            return
        for element in self.scene.elements():
            look = getattr(self, element.tag, None)
            if look:
                look(element)
        self.pulls()

    # What the reference says.

    def schema(self, element, described):
        """Unknown elements and attributes, what is missing, what does not parse, names that refer to nothing."""
        for name, text in element.attributes.items():
            attribute = described.attributes.get(name)
            if attribute is None:
                self.wrong(element, f'there is no attribute "{name}"{_meant(name, described.attributes)}', True)
            else:
                self.value(element, attribute, text)
        for attribute in described.attributes.values():
            if attribute.required and element.get(attribute.name) is None:
                lost = ", or what it named was deleted; choose another" if attribute.kind == "reference" else ""
                self.wrong(element, f"{attribute.name} is missing{lost}: {attribute.doc}")
        for child in element.elements():
            inner = described.children.get(child.tag)
            if inner is None:
                self.wrong(child, f'there is no element "{child.tag}" here{_meant(child.tag, described.children)}', True)
            else:
                self.schema(child, inner)
        for tag, count in Counter(child.tag for child in element.elements()).items():
            if count > 1 and tag in described.children and not described.children[tag].many:
                self.wrong(element.elements(tag)[1], f"there may be only one {tag}")
        self.times(element)

    def value(self, element, attribute, text):
        if attribute.kind == "reference":
            self.reference(element, attribute, text)
        elif not _parses(attribute, text):
            self.wrong(element, f'{attribute.name} is "{text}", but must be {attribute.expected}')

    def reference(self, element, attribute, text):
        if attribute.refers_to == strand_schema.BODY:
            # The joints of an armature's file are bodies, too.
            if text in strand_schema.NO_BODY or self.scene.elements("armature"):
                return
        if attribute.refers_to == ("rule",):
            known = {rule_name(e) for e in self.scene.elements(*strand_schema.RULES)}
        else:
            known = {e.get("name") for e in self.scene.elements(*attribute.refers_to)}
        if text not in known:
            kinds = " or ".join(attribute.refers_to)
            if text == "":
                others = f", {' or '.join(strand_schema.NO_BODY)}" if (element.tag, attribute.name) == ("point", "on") else ""
                self.wrong(element, f"{attribute.name}: what it named was deleted, or never chosen: choose a {kinds}{others}")
                return
            self.wrong(element, f'{attribute.name}: there is no {kinds} "{text}"{_meant(text, known - {None})}')

    def times(self, element):
        for tag in strand_schema.KEYS:
            keys = [k for k in element.elements(tag) if numbers(k.get("time"), 1)]
            for before, key in zip(keys, keys[1:]):
                if float(key.get("time")) <= float(before.get("time")):
                    self.wrong(key, f"its time, {key.get('time')} s, is not later than that of the key before")

    def names(self):
        families = [("body",), ("point",), ("line", "circle"), ("plane",), ("joint",), ("strand",), ("contact",)]
        for family in (*families, strand_schema.MUSCLES):
            seen = {}
            for element in self.scene.elements(*family):
                name = element.get("name")
                if name in seen:
                    self.wrong(element, f"the name is taken by {describe(seen[name])}")
                seen.setdefault(name, element)
        for body in self.scene.elements("body"):
            if body.get("name") in strand_schema.NO_BODY:
                self.wrong(body, "world and free are reserved names")

    # What each kind needs.

    def body(self, body):
        massive = [tag for tag in ("cuboid", "shape", "inertia") if body.elements(tag)]
        if body.get("mode", "free") != "free":
            return
        if not massive:
            self.wrong(body, "a free body needs a mass: a mesh, a cuboid or an inertia")
        name = body.get("name")
        if not any(name in (j.get("child"), j.get("parent")) for j in self.scene.elements("joint")):
            tied = any(p.get("on") == name for p in self.scene.elements("point"))
            if not tied and not any(name in (c.get("first"), c.get("second")) for c in self.scene.elements("contact")):
                self.doubt(body, "no joint, strand or contact holds it: it falls")

    def joint(self, joint):
        if joint.get("parent") == joint.get("child"):
            self.wrong(joint, "it ties a body to itself")
        for axis in joint.elements("axis"):
            limits = numbers(axis.get("may"), 2)
            if limits and limits[0] > limits[1]:
                self.wrong(axis, f"the limits {axis.get('may')} are the wrong way round")
        if not joint.elements("axis"):
            self.doubt(joint, "no degree of freedom is free: its two bodies move as one")

    def plane(self, plane):
        if plane.get("name") in _idle_planes(self.scene) and plane.was("name") not in self.idle:
            self.doubt(plane, "no node uses it")

    def in_plane(self, rule):
        """Whether its point is modelled where the rule wants it: a simulation would pull it there in its first step."""
        plane = self.scene.find(("plane",), rule.get("plane"))
        axes, point = self.scene.plane_of(plane), self.points[rule.get("point")]
        off = float((self.scene.point_of(point) - axes[:3, 3]) @ axes[:3, 2])
        off = max(-off, 0.0) if rule.get("relation", "equal") == "above" else abs(off)
        if off > OFF_PLANE * self.extent():
            where = "below" if rule.get("relation", "equal") == "above" else "off"
            shown = f"{1000 * off * self.scene.space().metres_per_unit:.2g} mm"
            self.doubt(rule, f'its point is {shown} {where} plane "{plane.get("name")}": move one to the other, or the simulation begins with a jerk or not at all')

    def extent(self):
        """The size of the scene: the diagonal of a box around its points."""
        places = np.array([self.scene.point_of(point) for point in self.points.values()])
        return float(np.linalg.norm(places.max(axis=0) - places.min(axis=0)))

    def off_bone(self, rule):
        plane = self.scene.find(("plane",), rule.get("plane"))
        if plane.get("bone") is None:
            self.wrong(rule, f'plane "{plane.get("name")}" names no bone to stay out of')
            return
        bone = self.scene.find(("body",), plane.get("bone"))
        if not bone.elements("shape") and not bone.elements("cuboid"):
            self.wrong(rule, f'bone "{bone.get("name")}" has no shape to stay out of')
        if not any(r.get("plane") == rule.get("plane") for r in self.rules[rule.get("point")] if r.tag == "in_plane"):
            self.doubt(rule, "its point is not tied to that plane by in_plane, so it may leave it")

    def strand(self, strand):
        nodes = strand.elements("node")
        if len(nodes) < 2:
            self.wrong(strand, f"a strand needs at least two nodes; this one has {len(nodes)}")
            return
        if (strand.get("young") is None) == (strand.get("stiffness") is None):
            self.wrong(strand, "give exactly one of stiffness and young")
        for before, node in zip(nodes, nodes[1:]):
            a, b = (self.scene.point_of(self.points[n.get("point")]) for n in (before, node))
            if np.linalg.norm(a - b) <= 1e-9 * max(1.0, float(np.max(np.abs(a)))):
                self.wrong(node, "it coincides with the node before it")
        for node in nodes:
            point = self.points[node.get("point")]
            if node.get("kind") == "eulerian" and self._loose(point):
                what = "material may slide through it, but nothing holds its point"
                self.wrong(node, f"{what}: put it on a body, a plane or a curve")
        for place, node in (("first", nodes[0]), ("last", nodes[-1])):
            if node.get("kind") == "eulerian" and not self._reeled(strand, place):
                self.doubt(node, f"the {place} node lets material through and no reel holds it: the strand runs off")

    def _loose(self, point):
        return point.get("on", "free") == "free" and not self.rules.get(point.get("name"))

    def _reeled(self, strand, end):
        reels = self.scene.elements("reel")
        return any(r.get("strand") == strand.get("name") and r.get("end", "first") == end for r in reels)

    def point(self, point):
        name = point.get("name")
        used = any(n.get("point") == name for s in self.scene.elements("strand") for n in s.elements("node"))
        if not used:
            self.doubt(point, "no strand runs through it")

    def muscle(self, muscle):
        rules = self.rules.get(muscle.get("point"), [])
        if not any(r.tag == "on_curve" and r.get("curve") == muscle.get("curve") for r in rules):
            self.doubt(muscle, f'its point "{muscle.get("point")}" is not kept on its curve by on_curve')
        self.level(muscle)

    def reel(self, reel):
        self.level(reel)
        if float(reel.get("damping")) <= 0:
            self.wrong(reel, "its damping must be above 0, or the strand runs off while nothing pulls")

    def hill(self, hill):
        self.level(hill)
        self.segment(hill)

    def goal_motion(self, goal):
        joint = self.scene.find(("joint",), goal.get("joint"))
        axis = next((a for a in joint.elements("axis") if a.get("name") == goal.get("axis")), None)
        limits = numbers(axis.get("may"), 2) if axis is not None else None
        targets = [float(key.get("value")) for key in goal.elements("to")]
        if limits and targets and not limits[0] <= min(targets) <= max(targets) <= limits[1]:
            far = max(targets, key=lambda value: max(value - limits[1], limits[0] - value))
            allowed = " to ".join(axis.get("may").split())
            self.doubt(goal, f'its target {far:g} is beyond what joint "{joint.get("name")}" allows, {allowed}')

    def cut(self, cut):
        self.segment(cut)

    def lengthen(self, event):
        self.segment(event)

    def segment(self, element):
        count = len(self.scene.find(("strand",), element.get("strand")).elements("node")) - 1
        if int(element.get("segment")) >= count:
            self.wrong(element, f"there is no segment {element.get('segment')}: the strand has {count}, counted from 0")

    def level(self, muscle):
        levels = [muscle.get("activation", "0")] + [k.get("value") for k in muscle.elements("activation")]
        if any(not 0 <= float(level) <= 1 for level in levels):
            self.wrong(muscle, "activations lie between 0 and 1")

    def pulls(self):
        """Either goals choose activations, or they are given."""
        goals = self.scene.elements("goal_motion", "goal_place")
        muscles = self.scene.elements(*strand_schema.MUSCLES)
        if goals and not muscles:
            self.wrong(goals[0], "goals need muscles, and there are none")
        for muscle in muscles if goals else []:
            if muscle.get("activation") is not None and float(muscle.get("activation")) or muscle.elements("activation"):
                self.wrong(muscle, f"its activation is given, but {describe(goals[0])} chooses activations")


def _idle_planes(scene):
    """The names of the planes of a scene that no node uses."""
    used = {rule.get("plane") for rule in scene.elements("in_plane", "off_bone")}
    return {plane.get("name") for plane in scene.elements("plane")} - used


def _meant(word, known):
    near = difflib.get_close_matches(word, [k for k in known if k], 1)
    return f'; did you mean "{near[0]}"?' if near else ""


def _parses(attribute, text):
    if attribute.kind == "number":
        return numbers(text, 1) is not None
    if attribute.kind == "vector":
        return numbers(text, 3) is not None
    if attribute.kind == "whole":
        return text.isdigit()
    if attribute.kind == "turn":
        return turn_matrix(text) is not None
    if attribute.kind == "choice":
        return text in attribute.choices
    if attribute.kind == "range":
        return text in attribute.choices or numbers(text, 2) is not None
    return True
