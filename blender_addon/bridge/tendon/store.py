"""Turns objects into a scene; everything that has not been changed keeps its original text."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...core import single, strand_files
from ...sinew import UP_Z
from ...sinew.document import Document
from ...sinew.loader import Error
from .. import host
from . import animation, armatures, collapsed, curves, fields, kinds, motion, places, rig_parts, shapes, ties

# The cure for a problem that the checker's panel offers: points of their own for nodes of copied strands.
OWN_POINTS = "own_points"


@dataclass
class Stored:
    """A rig as a scene: its files by name, the scene's own first; its elements, in the order of the file; of each, by
    its number, the object and the node that it is of, and the name that it had in the file from which the rig was
    made."""

    text: str
    files: dict
    root: object
    owners: dict
    read_names: dict
    problems: list = field(default_factory=list)

    def owner(self, element):
        """The object and the number of the node that an element is of, or (None, -1)."""
        return self.owners.get(element.id, (None, -1))

    def at_line(self, line):
        """The same for a line of the scene's file, where what contains the element counts, too."""
        found = (None, -1)
        for element, there in zip(self.root.walk(), self._lines):
            if there > line:
                break
            found = self.owners.get(element.id, found)
        return found

    def at_place(self, k):
        """The element at a place in the order of the file, and whom it is of."""
        found = (None, -1)
        for _, element in zip(range(k + 1), self.root.walk()):
            found = self.owners.get(element.id, found)
        return element, found

    @cached_property
    def _lines(self):
        """The lines of the elements in the scene's file."""
        with Document.parse(self.text, library=host.library()) as written:
            return [element.line for element in written.read().walk()]


def store(rig, scene, file="scene.xml"):
    """The rig as files, with the motion of the scene's frames, in whichever frame it is stored."""
    if host.library() is None:
        raise ValueError(host.problem())
    with (
        animation.at_start(scene, rig_parts.parts(rig)),
        Document.parse(rig.sinew_tendons.document, library=host.library()) as document,
    ):
        writer = Writer(rig, scene, file, document)
        writer.all()
        text = document.text()
        files = {file: text.encode("utf-8"), **writer.files.found}
        return Stored(text, files, document.read(), writer.owners, writer.read_names, writer.problems)


class Writer:
    """Lays the objects of a rig over the document that they were read from."""

    def __init__(self, rig, scene, file, document):
        self.rig, self.host = rig, scene
        document.set_space(animation.metres(scene), UP_Z)
        for name, axes in armatures.rest_of(rig).items():
            document.set_joint(name, axes)
        self.scene = document.read()
        self.base = list(self.scene.walk())
        self.read_names = {element.id: element.get("name") for element in self.base}
        # Elements that stand for objects, nodes or rules: they are removed when those are gone.
        self.held = self.scene.elements(*kinds.objects(), *kinds.RULES)
        self.files, self.owners, self.problems, self.claimed = strand_files.Files(file), {}, [], set()
        found = rig_parts.parts(rig)
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
                yield (
                    True,
                    f"{thing.name} {off}: turn it on (the outliner's check box and screen icon; H may hide it)",
                    part,
                    -1,
                )

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
            self.fill(settings, kinds.kind("settings"), self.rig.sinew_tendons.settings)
        self.armatures()
        for tag in kinds.scene().children:
            for part in self.of(tag):
                self.part(tag, part)
            if tag == "point":
                for name, (part, k) in self.point_owners.items():
                    self.node_point(name, part, k)
        self.problems += ((*problem, OWN_POINTS) for problem in ties.problems(self.rig))
        for element in self.held:
            if element.id not in self.claimed:
                element.remove()

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
        if element.tag != tag or element.id in self.claimed:
            return None
        self.claimed.add(element.id)
        return element

    # Names.

    def name(self, part):
        """The name of an object in the scene: that of the file it came from, unless it was renamed; "" for none."""
        if part is None or part not in self.there:
            return ""
        return rig_parts.name_in_scene(part)

    # Parts.

    def part(self, tag, part):
        """Writes an object."""
        known = part.sinew_tendon
        group = getattr(known, tag)
        group.key = known.key
        described = kinds.kind(tag)
        names = "name" in described.attributes
        element = self.top(tag, group, {"name": self.name(part)} if names else {})
        self.owners[element.id] = (part, -1)
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
            # Activations are keys; the files of meshes get names of their own.
            apart = attribute.name == "activation" or (described.name, attribute.name) == ("shape", "file")
            if apart or not fields.holds(described.name, attribute):
                continue
            if hasattr(group, fields.identifier(attribute.name)):
                self.attribute(element, described.name, attribute, group, part)
        for tag, child in described.children.items():
            if tag not in kinds.KEYS and tag != "node":
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
                child = element.add(tag)
            kept.append(child)
            self.owners[child.id] = (part, -1)
            self.fill(child, described, each, part)
            if tag == "shape":
                self.shape(child, part, each)
        for child in element.elements(tag):
            if child not in kept:
                child.remove()

    def shape(self, child, part, group):
        """Adds the file of a body's mesh."""
        names = [
            strand_files.inside(group.file) or strand_files.file_name(self.name(part)),
            strand_files.file_name(part.name),
        ]
        if part.type == "MESH":
            self.problems += [(error, text, part, -1) for error, text in shapes.problems(part)]
        else:
            self.problems.append((True, "a body takes its shape from a mesh, but this object is not a mesh", part, -1))
        child.set("file", names[-1] if child.get("file") is None else child.get("file"))
        child.set("file", self.files.add(names, shapes.text(part, child)))

    def attribute(self, element, owner, attribute, group, part=None):
        """Writes an attribute where its value is not what its text says already."""
        try:
            if (owner, attribute.name) in fields.TYPED_PLACES:
                self.typed_place(element, attribute, group)
            elif (values := self.values(attribute, group)) is not None:
                if not single.are_same(element.numbers.get(attribute.name, []), values):
                    element.set_numbers(attribute.name, [single.decimal(value) for value in values])
            else:
                text = self.text(owner, attribute, group)
                if text is None or text != element.get(attribute.name, attribute.default):
                    element.set(attribute.name, text)
        except Error as error:
            self.problems.append((True, f"{element.tag}: {error.sentence}", part or group.id_data, -1))

    def values(self, attribute, group):
        """The numbers of an attribute; None where it has none, or is left out."""
        name = fields.identifier(attribute.name)
        if fields.is_optional(attribute) and not getattr(group, "use_" + name):
            return None
        value = getattr(group, name)
        if attribute.kind == "range":
            return tuple(getattr(group, name + "_limits")) if value == "limits" else None
        return {"number": lambda: (value,), "vector": lambda: tuple(value)}.get(attribute.kind, lambda: None)()

    def typed_place(self, element, attribute, group):
        """Writes a position entered as numbers in a panel."""
        if fields.is_optional(attribute) and not getattr(group, "use_" + attribute.name):
            element.set(attribute.name, None)
        else:
            self.point(element, getattr(group, attribute.name), attribute.name)

    def text(self, owner, attribute, group):
        """The text of a value that is no number; None where it is left out."""
        name = fields.identifier(attribute.name)
        if fields.is_optional(attribute) and not getattr(group, "use_" + name):
            return None
        value = getattr(group, name)
        if fields.has_carrier(owner, attribute):
            return self.name(value) if group.carrier == "body" else group.carrier
        if attribute.kind == "choice":
            return None if value == "automatic" else value
        if fields.points_at_objects(attribute):
            return self.name(value) or attribute.default
        return str(value) if value != "" or attribute.required else None

    # Places.

    def frame(self, element, matrix, at="at"):
        """Writes axes of Blender's world where they are not what the element states. Tells whether they moved."""
        before = element.places.get(at)
        if before is not None and (element.get(at) is not None or element.tag == "body"):
            if single.same_place(before[:3, 3], matrix[:3, 3], self.size) and single.same_turn(before, matrix):
                return False
        self.put(element, at, matrix[:3, 3], matrix[:3, :3])
        return True

    def point(self, element, place, name="at"):
        """Writes a place of Blender's world where it is not what the element states."""
        before = element.places.get(name)
        if before is not None and element.get(name) is not None and single.same_place(before[:3, 3], place, self.size):
            return
        self.put(element, name, place)

    def put(self, element, name, place, turn=None):
        """Writes a place of Blender's world."""
        if np.isfinite(place).all():
            element.set_place(name, single.frame(single.rounded(place), turn))
            return
        part, k = self.owners.get(element.id, (None, -1))
        what = f"node {k}" if k >= 0 else f"its {name}"
        self.problems.append(
            (True, f"{part.name if part else element.tag}: {what} is nowhere: delete it, or give it a place", part, k)
        )
        # So that nothing else is found missing.
        element.set(name, element.get(name, "0 0 0"))

    def _place_body(self, element, part):
        self.frame(element, places.frame(part))

    def _place_joint(self, element, part):
        self.frame(element, places.frame(part))

    def _place_circle(self, element, part):
        self.frame(element, places.circle_frame(places.frame(part)))

    def _place_plane(self, element, part):
        before, second = element.places.get("at"), element.places.get("and_at")
        if self.frame(element, places.frame(part)) and before is not None and second is not None:
            moved = places.frame(part) @ np.linalg.inv(before) @ second
            self.put(element, "and_at", moved[:3, 3], moved[:3, :3])

    def _place_line(self, element, part):
        now = dict(zip(("from", "to"), places.line_ends(part)))
        if not all(
            name in element.places and single.same_place(element.place(name), now[name], self.size) for name in now
        ):
            for name, place in now.items():
                self.put(element, name, place)

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
            self.problems.append(
                (
                    True,
                    f"{part.name} has {len(part.data.splines)} splines, but a tendon is one: {curves.SEPARATE}",
                    part,
                    -1,
                )
            )
        read = [self.read_from("node", node) for node in nodes]
        if read != element.elements("node"):
            attributes = [e.attributes if e is not None else {} for e in read]
            for child in element.elements("node"):
                child.remove()
            read = [element.add("node", a) for a in attributes]
        for k, (child, node) in enumerate(zip(read, nodes)):
            self.owners[child.id] = (part, k)
            if child.get("point") != node.point:
                child.set("point", node.point)
            for attribute in kinds.kind("strand", "node").attributes.values():
                if attribute.name != "point":
                    self.attribute(child, "node", attribute, node, part)
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
            text = (
                f"{part.name}: {what} with {owner.name}, but {'lie up to' if many else 'lies'} {far:.4g} away from it"
            )
            cure = "move them there, or press Own Points" if many else "move it there, or press Own Point"
            self.problems.append((True, f"{text}: {cure}", part, k, OWN_POINTS))

    def node_point(self, name, part, k):
        """Writes the point of a node and the rules that tie it."""
        here = part.sinew_tendon.strand.node[k].here
        element = self.top("point", here, {"name": name})
        self.owners[element.id] = (part, k)
        if element.get("name") != name:
            element.set("name", name)
        self.point(element, curves.world_points(part)[k])
        self.attribute(element, "point", kinds.kind("point").attributes["on"], here, part)
        self.rules(name, part, here, k)

    def rules(self, name, part, here, k):
        """Writes what ties a point."""
        for tag in kinds.RULES:
            for rule in getattr(here, tag):
                own, _ = kinds.ends_of(tag)
                element = self.top(tag, rule, {own: name})
                self.owners[element.id] = (part, k)
                if element.get(own) != name:
                    element.set(own, name)
                self.fill(element, kinds.kind(tag), rule, part)
