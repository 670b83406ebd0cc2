"""Turns objects into a scene; everything that has not been changed keeps its original text."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...core import strand_files, strand_scene, strand_schema, strand_xml
from . import animation, armatures, collapsed, curves, motion, places, props, shapes, ties

# Elements that stand for objects, nodes or rules: they are removed when those are gone.
HELD = (*props.OBJECTS, *strand_schema.RULES)
# The cure for a problem that the checker's panel offers: points of their own for nodes of copied strands.
OWN_POINTS = "own_points"


@dataclass
class Stored:
    """A rig as a scene: its files by name, the scene's own first, and which object and node an element is of."""

    scene: strand_scene.Scene
    files: dict
    owners: dict = field(default_factory=dict)
    problems: list = field(default_factory=list)

    def owner(self, element):
        """The object and the number of the node that an element is of, or (None, -1)."""
        return self.owners.get(id(element), (None, -1))

    def at_line(self, line):
        """The same for a line of the scene's file."""
        found = (None, -1)
        for element in self._up_to(line):
            found = self.owners.get(id(element), found)
        return found

    def read_name(self, line):
        """The name that the element in a line had in the file from which the rig was made."""
        return self._up_to(line)[-1].was("name")

    def _up_to(self, line):
        """The elements of the scene up to a line of its file."""
        return [element for element, there in self._lines if there <= line]

    @cached_property
    def _lines(self):
        """The elements of the scene with their lines in its file."""
        written = strand_scene.read(self.scene.text())
        return [(element, there.line) for element, there in zip(self.scene.root.walk(), written.root.walk())]


def store(rig, scene, file="scene.xml"):
    """The rig as files, with the motion of the scene's frames, in whichever frame it is stored."""
    with animation.at_start(scene, props.parts(rig)):
        writer = Writer(rig, scene, file)
        writer.all()
    stored = Stored(writer.scene, {file: b"", **writer.files.found}, writer.owners, writer.problems)
    stored.files[file] = writer.scene.text().encode("utf-8")
    return stored


class Writer:
    """Lays the objects of a rig over the document that they were read from."""

    def __init__(self, rig, scene, file):
        self.rig, self.host = rig, scene
        self.scene = strand_scene.read(rig.sinew_tendons.document)
        self.scene.rest = armatures.rest_of(rig)
        self.base = list(self.scene.root.walk())
        self.space = self.scene.space(animation.metres(scene))
        self.files, self.owners, self.problems, self.claimed = strand_files.Files(file), {}, [], set()
        found = props.parts(rig)
        self.parts = sorted(found, key=lambda o: (*self.order(o), o.name != o.sinew_tendon.given))
        self.there = set(found)
        for part in self.parts:
            if part.mode == "EDIT":
                part.update_from_editmode()
        for strand in self.of("strand"):
            curves.sync(strand)
        self.point_owners = curves.owners(self.of("strand"))
        self.size = curves.size_of(found)
        curves.spread(self.of("strand"), self.point_owners, self.size)
        ties.follow_renames(rig)
        self.motion = motion.Motion(self)
        self.problems += [*self.still(), *collapsed.look(self.parts, self.size)]

    def still(self):
        """Which parts move, but not for Blender, because they are off where it looks."""
        for part in self.parts:
            moving = [part] if part in self.motion.sampled else animation.movers(part)
            for thing in (thing for thing in moving if not animation.is_computed(thing)):
                off = "is off in the view layer, or its collection is, so that Blender does not compute how it moves"
                yield True, f"{thing.name} {off}: turn it on (the outliner's check box and screen icon; H may hide it)", part, -1

    @staticmethod
    def order(part):
        """Parts in the order of the document; new ones last."""
        key = part.sinew_tendon.key
        return (key < 0, key)

    def of(self, *tags):
        """The parts of some kinds, in order."""
        return [part for part in self.parts if part.sinew_tendon.tag in tags]

    def all(self):
        """Writes everything."""
        if self.rig.sinew_tendons.use_settings:
            settings = self.top("settings", self.rig.sinew_tendons.settings, {})
            self.fill(settings, strand_schema.kind("settings"), self.rig.sinew_tendons.settings)
        self.armatures()
        for tag in strand_schema.ORDER:
            for part in self.of(tag):
                self.part(tag, part)
            if tag == "point":
                for name, (part, k) in self.point_owners.items():
                    self.node_point(name, part, k)
        self.problems += ((*problem, OWN_POINTS) for problem in ties.problems(self.rig))
        for element in self.base:
            if element.tag in HELD and element in self.scene.root.children and id(element) not in self.claimed:
                self.scene.root.remove(element)

    def armatures(self):
        """Adds the files of armatures."""
        kept = armatures.files_of(self.rig)
        for element in self.scene.elements("armature"):
            name = element.get("file")
            if name in kept:
                element.set("file", self.files.add([strand_files.inside(name)], kept[name]))
            else:
                text = f"the animation {name} was not saved with this rig: import its scene again"
                self.problems.append((True, text, None, -1))

    def top(self, tag, group, attributes):
        """The scene's element of a group: the one that it was read from, or a new one."""
        element = self.read_from(tag, group)
        return element if element is not None else self.scene.add(tag, attributes)

    def read_from(self, tag, group):
        """The element that a group was read from, unless another took it."""
        if not 0 <= group.key < len(self.base):
            return None
        element = self.base[group.key]
        if element.tag != tag or id(element) in self.claimed:
            return None
        self.claimed.add(id(element))
        return element

    # Names.

    def name(self, part):
        """The name of an object in the scene: that of the file it came from, unless it was renamed; "" for none."""
        if part is None or part not in self.there:
            return ""
        return props.name_in_scene(part)

    # Parts.

    def part(self, tag, part):
        """Writes an object."""
        known = part.sinew_tendon
        group = getattr(known, tag)
        group.key = known.key
        described = strand_schema.kind(tag)
        names = "name" in described.attributes
        element = self.top(tag, group, {"name": self.name(part)} if names else {})
        self.owners[id(element)] = (part, -1)
        if names and element.get("name", "") != self.name(part):
            element.set("name", self.name(part))
        getattr(self, "_place_" + tag, lambda *_: None)(element, part)
        self.fill(element, described, group, part)
        getattr(self, "_more_" + tag, lambda *_: None)(element, part)
        if tag == "point":
            self.rules(self.name(part), part, group, -1)

    def fill(self, element, described, group, part=None):
        """Writes the attributes and children that a group holds."""
        for attribute in described.attributes.values():
            if attribute.name == "activation" or not props.holds(described.name, attribute):
                continue
            if hasattr(group, props.identifier(attribute.name)):
                self.attribute(element, described.name, attribute, group)
        for tag, child in described.children.items():
            if tag not in strand_schema.KEYS and tag != "node":
                self.children(element, tag, child, group, part)

    def children(self, element, tag, described, group, part):
        """Writes the child elements of one kind."""
        if described.many:
            inner = list(getattr(group, tag))
        else:
            inner = [getattr(group, tag)] if getattr(group, "use_" + tag) else []
        kept = []
        for each in inner:
            child = self.read_from(tag, each)
            if child is None:
                depth = 1 if element in self.scene.root.children else 2
                child = element.add(strand_xml.Element(tag), depth)
            kept.append(child)
            self.owners[id(child)] = (part, -1)
            self.fill(child, described, each, part)
            if tag == "shape":
                child.set("file", self.shape(part, each))
        for child in element.elements(tag):
            if child not in kept:
                element.remove(child)

    def shape(self, part, group):
        """Adds the file of a body's mesh and gives its name."""
        names = [strand_files.inside(group.file) or strand_files.file_name(self.name(part)), strand_files.file_name(part.name)]
        if part.type == "MESH":
            self.problems += [(error, text, part, -1) for error, text in shapes.problems(part)]
        else:
            self.problems.append((True, "a body takes its shape from a mesh, but this object is not a mesh", part, -1))
        return self.files.add(names, shapes.text(part, self.space))

    def attribute(self, element, owner, attribute, group):
        """Writes an attribute where its value is not what its text says already."""
        if (owner, attribute.name) in props.TYPED_PLACES:
            self.typed_place(element, attribute, group)
            return
        before = element.get(attribute.name)
        stated = before if before is not None else attribute.default
        text = self.text(owner, attribute, group, stated)
        if text is None:
            element.set(attribute.name, None)
        elif text != stated:
            element.set(attribute.name, text)

    def typed_place(self, element, attribute, group):
        """Writes a position entered as numbers in a panel."""
        if props.is_optional(attribute) and not getattr(group, "use_" + attribute.name):
            element.set(attribute.name, None)
        else:
            self.point(element, getattr(group, attribute.name), attribute.name)

    def text(self, owner, attribute, group, stated):
        """The text of a value; `stated` where that says the same."""
        name = props.identifier(attribute.name)
        if props.is_optional(attribute) and not getattr(group, "use_" + name):
            return None
        value = getattr(group, name)
        if props.has_carrier(owner, attribute):
            return self.name(value) if group.carrier == "body" else group.carrier
        if attribute.kind == "number":
            return stated if _same_numbers(stated, [value]) else strand_scene.short(value)
        if attribute.kind == "vector":
            if (owner, attribute.name) in props.DIRECTIONS:
                # Without negative zeros.
                value = self.space.axes.T @ np.array(value) + 0.0
            return stated if _same_numbers(stated, value) else " ".join(map(strand_scene.short, value))
        if attribute.kind == "range" and value == "limits":
            limits = getattr(group, name + "_limits")
            return stated if _same_numbers(stated, limits) else " ".join(map(strand_scene.short, limits))
        if attribute.kind == "choice":
            return None if value == "automatic" else value
        if props.points_at_objects(attribute):
            return self.name(value) or attribute.default
        return str(value) if value != "" or attribute.required else None

    # Places.

    def frame(self, element, matrix, at="at", turn="turn"):
        """Writes axes of Blender's world where they are not what the element states. Tells whether they moved."""
        now = self.space.frame_in(matrix)
        if element.get("at") is not None or element.tag == "body":
            before = self.scene.frame_of(element, at, turn)
            still = strand_scene.same_place(before[:3, 3], now[:3, 3], self.size / self.space.scale)
            if still and strand_scene.same_turn(before, now):
                return False
        element.set("in", None)
        element.set(at, strand_scene.place_text(now[:3, 3]))
        turned = strand_scene.turn_text(now)
        element.set(turn, turned if turned != "0 0 0" or element.get(turn) else None)
        return True

    def point(self, element, place, name="at"):
        """Writes a place of Blender's world where it is not what the element states."""
        now = self.space.point_in(place)
        if element.get(name) is not None:
            before = self.scene.point_of(element, name)
            if strand_scene.same_place(before, now, self.size / self.space.scale):
                return
        element.set("in", None)
        element.set(name, strand_scene.place_text(now))

    def _place_body(self, element, part):
        self.frame(element, places.frame(part))

    def _place_joint(self, element, part):
        self.frame(element, places.frame(part))

    def _place_circle(self, element, part):
        self.frame(element, places.circle_frame(places.frame(part)))

    def _place_plane(self, element, part):
        there = element.get("at") is not None
        before = self.scene.frame_of(element) if there else np.eye(4)
        if not self.frame(element, places.frame(part)) or not there:
            return
        moved = self.scene.frame_of(element) @ np.linalg.inv(before)
        if element.get("and_at") is not None or element.get("and_turn") is not None:
            names = [name if element.get(name) is not None else name[4:] for name in ("and_at", "and_turn")]
            second = moved @ (before if names == ["at", "turn"] else self._second(element, before, names))
            element.set("and_at", strand_scene.place_text(second[:3, 3]))
            element.set("and_turn", strand_scene.turn_text(second))

    def _second(self, element, before, names):
        second = self.scene.frame_of(element, *names)
        for k, name in enumerate(names):
            if not name.startswith("and_"):
                second = strand_scene.frame(*((before[:3, 3], second[:3, :3]) if k == 0 else (second[:3, 3], before[:3, :3])))
        return second

    def _place_line(self, element, part):
        start, end = places.line_ends(part)
        before = [element.get(name) and self.scene.point_of(element, name) for name in ("from", "to")]
        now = [self.space.point_in(p) for p in (start, end)]
        size = self.size / self.space.scale
        if all(b is not None and strand_scene.same_place(b, n, size) for b, n in zip(before, now)):
            return
        element.set("in", None)
        for name, place in zip(("from", "to"), now):
            element.set(name, strand_scene.place_text(place))

    def _place_point(self, element, part):
        self.point(element, places.modelled(part).translation)

    # Keys over time, and child elements.

    def _more_body(self, element, part):
        self.motion.body(element, part)

    def _more_muscle(self, element, part):
        self.motion.activation(element, part)

    _more_reel = _more_hill = _more_muscle

    def _more_goal_motion(self, element, part):
        self.motion.goal_motion(element, part)

    def _more_goal_place(self, element, part):
        self.motion.goal_place(element, part)

    def _more_strand(self, element, part):
        nodes = list(part.sinew_tendon.strand.node)
        if not nodes:
            self.problems.append((True, f"{part.name} is not a curve, or has no points", part, -1))
        elif len(part.data.splines) > 1:
            self.problems.append((True, f"{part.name} has {len(part.data.splines)} splines, but a tendon is one: {curves.SEPARATE}", part, -1))
        read = [self.read_from("node", node) for node in nodes]
        if read != element.elements("node"):
            attributes = [dict(e.attributes) if e is not None else {} for e in read]
            for child in element.elements("node"):
                element.remove(child)
            read = [element.add(strand_xml.Element("node", a), 1) for a in attributes]
        for k, (child, node) in enumerate(zip(read, nodes)):
            self.owners[id(child)] = (part, k)
            if child.get("point") != node.point:
                child.set("point", node.point)
            for attribute in strand_schema.kind("strand", "node").attributes.values():
                if attribute.name != "point":
                    self.attribute(child, "node", attribute, node)
        self._shared(part, nodes)

    def _shared(self, part, nodes):
        """Says which nodes lie away from the points that they share with other strands."""
        away = {}
        for k, (node, place) in enumerate(zip(nodes, curves.world_points(part))):
            owner, number = self.point_owners[node.point]
            there = curves.world_points(owner)[number]
            if curves.is_apart(there, place, self.size):
                away.setdefault(owner, []).append((k, (there - place).length))
        for owner, found in away.items():
            (k, far), many = max(found, key=lambda one: one[1]), len(found) > 1
            what = f"{len(found)} nodes share points" if many else f'node {k} shares point "{nodes[k].point}"'
            text = f"{part.name}: {what} with {owner.name}, but {'lie up to' if many else 'lies'} {far:.4g} away from it"
            cure = "move them there, or press Own Points" if many else "move it there, or press Own Point"
            self.problems.append((True, f"{text}: {cure}", part, k, OWN_POINTS))

    def node_point(self, name, part, k):
        """Writes the point of a node and the rules that tie it."""
        here = part.sinew_tendon.strand.node[k].here
        element = self.top("point", here, {"name": name})
        self.owners[id(element)] = (part, k)
        if element.get("name") != name:
            element.set("name", name)
        self.point(element, curves.world_points(part)[k])
        self.attribute(element, "point", strand_schema.kind("point").attributes["on"], here)
        self.rules(name, part, here, k)

    def rules(self, name, part, here, k):
        """Writes what ties a point."""
        for tag in strand_schema.RULES:
            for rule in getattr(here, tag):
                own = "first" if tag == "link" else "point"
                element = self.top(tag, rule, {own: name})
                self.owners[id(element)] = (part, k)
                if element.get(own) != name:
                    element.set(own, name)
                self.fill(element, strand_schema.kind(tag), rule, part)


def _same_numbers(text, values):
    """Whether a text states what Blender holds of it in single precision."""
    stated = strand_scene.numbers(text, len(values))
    return stated is not None and all(np.float32(a) == np.float32(b) for a, b in zip(stated, values))
