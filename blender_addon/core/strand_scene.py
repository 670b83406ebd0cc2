"""Scenes of strands as plain data: a lossless document, with lookups of names, positions and units."""

import math
from dataclasses import dataclass

import numpy as np

from . import strand_schema, strand_xml

# Places that differ by less than this part of their size are the same: Blender holds seven digits.
SAME = 2e-6
# Directions and angles, in rad, likewise.
SAME_TURN = 2e-5


class SceneError(ValueError):
    """What is wrong with a scene, with the element and its line where they are known."""

    def __init__(self, message, element=None):
        where = "" if element is None else f"{describe(element)}: "
        super().__init__(where + message)
        self.element, self.line = element, element.line if element is not None else None


def describe(element, lines=True):
    """An element in a message: `joint "MCP" (line 74)`, or without the line."""
    name = element.get("name") or element.get("point")
    line = f" (line {element.line})" if lines and element.line else ""
    return f'{element.tag} "{name}"{line}' if name else f"{element.tag}{line}"


# What the library calls rules without a name: an attribute, words, another attribute.
RULE_WORDS = {
    "frame": ("point", "in", "body"), "link": ("first", "at", "second"), "on_curve": ("point", "on", "curve"), "in_plane": ("point", "in", "plane"),
    "off_bone": ("point", "off the bone in", "plane"),
}


def rule_name(rule):
    """The name by which reports and events know a rule."""
    one, words, other = RULE_WORDS[rule.tag]
    if rule.get("relation") == "above":
        words = "above"
    return rule.get("name") or f"{rule.get(one)} {words} {rule.get(other)}"


def numbers(text, count):
    """That many finite numbers, or None."""
    try:
        values = [float(word) for word in (text or "").split()]
    except ValueError:
        return None
    return values if len(values) == count and all(map(math.isfinite, values)) else None


def word(value):
    """The shortest text of a number that keeps its value."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def short(value):
    """The shortest text of a number that Blender holds in single precision."""
    value = np.float32(value)
    text = np.format_float_positional(value, unique=True, trim="-")
    return text if len(text) < 14 else np.format_float_scientific(value, unique=True, trim="-")


def place_text(values):
    """A place, to the digits that single precision has and one more, so that rounding adds nothing."""
    return " ".join(word(float(f"{value:.9g}") + 0.0) for value in values)


def turn_matrix(text):
    """The rotation in any of the ways in which scenes state it, or None."""
    vector = numbers(text, 3)
    if vector is not None:
        return _about(np.array(vector))
    words = text.split()
    if len(words) == 4 and sorted(words[0]) == ["x", "y", "z"]:
        angles, turned = numbers(" ".join(words[1:]), 3), np.eye(3)
        if angles is None:
            return None
        for letter in words[0]:
            turned = _about(np.eye(3)["xyz".index(letter)] * angles["xyz".index(letter)]) @ turned
        return turned
    return _of_axes(words) if len(words) == 8 else None


def _about(degrees):
    angle = math.radians(1) * np.linalg.norm(degrees)
    if angle == 0:
        return np.eye(3)
    x, y, z = degrees / np.linalg.norm(degrees)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def _rotation_vector(matrix):
    """The rotation vector of a rotation matrix, in degrees."""
    twice = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    sine, cosine = np.linalg.norm(twice) / 2, (np.trace(matrix) - 1) / 2
    if sine < 1e-9 and cosine < 0:
        # Half a turn, about the column of (R + 1) / 2 = a a^T that is longest.
        square = (matrix + np.eye(3)) / 2
        axis = square[:, np.argmax(np.diag(square))]
        return 180 * axis / np.linalg.norm(axis)
    return np.zeros(3) if sine == 0 else math.degrees(math.atan2(sine, cosine)) * twice / (2 * sine)


def _of_axes(words):
    first, second = words[0], words[4]
    along, other = numbers(" ".join(words[1:4]), 3), numbers(" ".join(words[5:]), 3)
    if not {first, second} <= set("xyz") or first == second or along is None or other is None:
        return None
    along, other = np.array(along), np.array(other)
    other = other - along * (along @ other) / max(along @ along, 1e-300)
    if not np.linalg.norm(along) or not np.linalg.norm(other):
        return None
    first, second = "xyz".index(first), "xyz".index(second)
    axes = np.zeros((3, 3))
    axes[:, first], axes[:, second] = along / np.linalg.norm(along), other / np.linalg.norm(other)
    sign = 1 if (first + 1) % 3 == second else -1
    axes[:, 3 - first - second] = sign * np.cross(axes[:, first], axes[:, second])
    return axes


def turn_text(matrix):
    """A rotation as a rotation vector in degrees."""
    m = np.asarray(matrix, float)[:3, :3]
    axis = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    sine, cosine = np.linalg.norm(axis) / 2, (np.trace(m) - 1) / 2
    angle = math.degrees(math.atan2(sine, cosine))
    if sine > 1e-6:
        vector = axis / (2 * sine) * angle
    elif cosine > 0:
        vector = np.zeros(3)
    else:
        # Half a turn: the symmetric part is twice the axis times itself, less one.
        column = np.argmax(np.diag(m))
        vector = (m + np.eye(3))[:, column]
        vector = vector / np.linalg.norm(vector) * 180
    return " ".join(word(float(f"{value:.12g}")) for value in np.where(np.abs(vector) < 1e-9, 0.0, vector))


def frame(at, turn=None):
    """A 4 x 4 matrix from a place and a 3 x 3 rotation."""
    made = np.eye(4)
    made[:3, 3] = at
    if turn is not None:
        made[:3, :3] = turn
    return made


def same_place(a, b, size=0.0):
    """Whether two places differ by no more than single precision does, among things of that size."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return bool(np.max(np.abs(a - b)) <= SAME * max(np.max(np.abs(a)), size, 1e-30))


def same_turn(a, b):
    """Whether two rotations differ by no more than single precision does."""
    return bool(np.max(np.abs(np.asarray(a)[:3, :3] - np.asarray(b)[:3, :3])) <= SAME_TURN)


@dataclass
class Space:
    """A scene's unit and up axis against a host with z up and its own unit."""

    metres_per_unit: float = 1.0
    up: str = "y"
    host_metres: float = 1.0

    @property
    def scale(self):
        """The host's units in one unit of the scene."""
        return self.metres_per_unit / self.host_metres

    @property
    def axes(self):
        """The rotation from the scene's world to the host's."""
        return np.eye(3) if self.up == "z" else np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])

    def point_out(self, at):
        """A place in the host's world."""
        return self.axes @ np.asarray(at, float) * self.scale

    def point_in(self, at):
        """A place of the host in the scene's world."""
        return self.axes.T @ np.asarray(at, float) / self.scale

    def frame_out(self, matrix):
        """Axes in the host's world."""
        return frame(self.point_out(matrix[:3, 3]), self.axes @ matrix[:3, :3])

    def frame_in(self, matrix):
        """Axes of the host in the scene's world."""
        return frame(self.point_in(matrix[:3, 3]), self.axes.T @ matrix[:3, :3])


class Scene:
    """A document of strands. `rest` tells where the joints of its armatures' files are at rest, {name: 4 x 4}."""

    def __init__(self, document):
        self.document, self.root, self.rest = document, document.root, {}
        if self.root.tag != "strand_scene":
            raise SceneError(f"a strand_scene is expected, this is {self.root.tag}", self.root)

    def text(self):
        """The file."""
        return self.document.text()

    def elements(self, *tags):
        """The elements of the scene with one of the tags."""
        return [e for e in self.root.elements() if not tags or e.tag in tags]

    def find(self, tags, name):
        """The first element of one of the kinds with a name, or None."""
        return next((e for e in self.elements(*tags) if e.get("name") == name), None)

    def space(self, host_metres=1.0):
        """The scene's space against a host's unit."""
        for element in self.elements("space"):
            metres = numbers(element.get("metres_per_unit", "1"), 1)
            if metres is None or metres[0] <= 0 or element.get("up", "y") not in ("y", "z"):
                raise SceneError("metres_per_unit is a number above 0, up is y or z", element)
            return Space(metres[0], element.get("up", "y"), host_metres)
        return Space(host_metres=host_metres)

    def add(self, tag, attributes):
        """A new element after the last one of its kind, or where its kind belongs."""
        element = strand_xml.Element(tag, attributes)
        before = strand_schema.ORDER[: strand_schema.ORDER.index(tag) + 1]
        earlier = [e for e in self.elements() if e.tag in before]
        if earlier:
            return self.root.add(element, 0, max(earlier, key=lambda e: (before.index(e.tag), self._place(e))))
        self.root.children[:0] = ["\n" + strand_xml.INDENT, element]
        if len(self.root.children) == 2:
            self.root.children.append("\n")
        return element

    def _place(self, element):
        return next(k for k, child in enumerate(self.root.children) if child is element)

    def point_of(self, element, attribute="at"):
        """The place that an attribute states, in the scene's world as modelled; None where it is left out."""
        if element.get(attribute) is None and attribute != "at":
            return None
        at = numbers(element.get(attribute, "0 0 0"), 3)
        if at is None:
            raise SceneError(f"{attribute} is three numbers, not {element.get(attribute)!r}", element)
        return (self._inside(element) @ np.array([*at, 1.0]))[:3]

    def frame_of(self, element, at="at", turn="turn"):
        """The axes that an element states, in the scene's world as modelled."""
        place = numbers(element.get(at, "0 0 0"), 3)
        rotation = turn_matrix(element.get(turn, "0 0 0"))
        if place is None or rotation is None:
            raise SceneError(f"{at} is three numbers and {turn} a rotation", element)
        return self._inside(element) @ frame(place, rotation)

    def plane_of(self, plane):
        """The axes of a plane as modelled: one between two bodies lies between its two places, by its weight."""
        second = (new if plane.get(new) is not None else old for old, new in (("at", "and_at"), ("turn", "and_turn")))
        axes, other, weight = self.frame_of(plane), self.frame_of(plane, *second), numbers(plane.get("weight", "0.5"), 1)
        if plane.get("and_on") is None or weight is None:
            return axes
        turned = axes[:3, :3] @ _about(weight[0] * _rotation_vector(axes[:3, :3].T @ other[:3, :3]))
        return frame((1 - weight[0]) * axes[:3, 3] + weight[0] * other[:3, 3], turned)

    def _inside(self, element, seen=()):
        name = element.get("in")
        if name is None or name == "world":
            return np.eye(4)
        body = self.find(("body",), name)
        if body is None and name in self.rest:
            return self.rest[name]
        if body is None:
            raise SceneError(f'there is no body "{name}"', element)
        if name in seen:
            raise SceneError("the `in` attributes of bodies form a cycle", element)
        rotation, at = turn_matrix(body.get("turn", "0 0 0")), numbers(body.get("at", "0 0 0"), 3)
        if rotation is None or at is None:
            raise SceneError("at is three numbers and turn a rotation", body)
        return self._inside(body, (*seen, name)) @ frame(at, rotation)


def read(text):
    """The scene in a text."""
    return Scene(strand_xml.parse(text))


def new(metres_per_unit, up="z"):
    """An empty scene."""
    root = strand_xml.Element("strand_scene", {"version": "1"})
    made = Scene(strand_xml.Document(root))
    made.add("space", {"metres_per_unit": word(metres_per_unit), "up": up})
    return made
