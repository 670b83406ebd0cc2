"""The other side of a scene: every place and turn mirrored at a plane through the origin, left and right swapped in names."""

import copy
import re

import numpy as np

from . import strand_obj, strand_schema
from .strand_scene import Scene, numbers, same_place, turn_matrix, turn_text, word

AXES = ("x", "y", "z")
SIDES = {}
for _left, _right in (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"), ("L", "R"), ("l", "r")):
    SIDES[_left], SIDES[_right] = _right, _left
WORD = re.compile("|".join(sorted(SIDES, key=len, reverse=True)))


def other_side(name):
    """A name with left and right swapped, in the notations that the library knows."""

    def swapped(found):
        word = found.group()
        return SIDES[word] if is_side(name[: found.start()][-1:], word, name[found.end() :]) else word

    return WORD.sub(swapped, name)


def is_side(before, word, after):
    """Whether a word says a side between the letter before it and what comes after: L does in LThumb, not in Lower or FDPL."""
    ends = not after[:1].isalnum()
    if word in "lr":
        return not before.isalnum() and (ends or after[0].isupper())
    if word in "LR":
        return not before.isupper() and (ends or after[0].isupper() and after[1:2].islower())
    if word.islower():
        return not before.isalpha()
    # A capital before small letters begins a word.
    return word.istitle() or not before.isupper()


def mirrored_file(name):
    """The name of a mirrored mesh; mirroring it twice restores the original."""
    stem, _, ending = name.rpartition(".")
    return f"{stem.removesuffix('_mirrored')}.{ending}" if stem.endswith("_mirrored") else f"{stem}_mirrored.{ending}"


def flip(axis):
    """The mirror at the plane perpendicular to an axis."""
    return np.diag([-1.0 if letter == axis else 1.0 for letter in AXES])


def mirror_mesh(text, file, axis):
    """A mesh on the other side, its faces turned so that they look outwards again."""
    points, faces = strand_obj.read(text, file)
    return strand_obj.write(points @ flip(axis), [face[::-1] for face in faces])


def mirrored(scene, axis):
    """The scene on the other side of the plane perpendicular to `axis` ("x", "y" or "z"); gravity stays."""
    source = Scene(copy.deepcopy(scene.document))
    made = Scene(copy.deepcopy(scene.document))
    mirror = _Mirror(axis)
    for before, element in zip(source.elements(), made.elements()):
        mirror.element(source, before, element)
    for element in made.root.walk():
        mirror.names(element)
    return made


class _Mirror:
    def __init__(self, axis):
        self.axis, self.flip = axis, flip(axis)

    def names(self, element):
        """Swaps left and right in everything that names something."""
        if element.tag == "axis":
            return
        for name in element.attributes:
            refers = name == "name" or name in strand_schema.REFERENCES
            if refers or (name in ("first", "second") and element.tag in strand_schema.ENDS):
                element.set(name, other_side(element.get(name)))
        if element.tag == "shape":
            element.set("file", mirrored_file(element.get("file", "")))

    def element(self, source, before, element):
        """Mirrors an element of the scene with all below it."""
        described = strand_schema.SCENE.children.get(element.tag)
        if described is None or element.tag in ("settings", "space"):
            return
        # A plane's own axes are mirrored along x and a circle's along z, so that both stay right-handed and face alike.
        own = {"plane": "x", "circle": "z"}.get(element.tag, self.axis)
        for name, attribute in described.attributes.items():
            text = element.get(name)
            if attribute.kind == "turn" and (text is not None or name == "turn"):
                self._turn(source, before, element, name, own)
            elif attribute.kind == "vector" and text is not None:
                self._vector(source, before, element, name)
        element.set("in", None)
        for child in element.elements():
            self._child(child)
        if element.tag == "goal_motion":
            self._motion(element, element.get("axis"), "to")

    def _turn(self, source, before, element, name, own):
        matrix = source.frame_of(before, name.replace("turn", "at"), name)[:3, :3]
        turned = self.flip @ matrix @ flip(own)
        if before.get(name) is not None or not same_place(turned, np.eye(3)):
            element.set(name, turn_text(turned))

    def _vector(self, source, before, element, name):
        if name == "angular_velocity":
            values = numbers(element.get(name), 3)
            element.set(name, self._words(-(self.flip @ values)))
        elif name == "velocity":
            self._flip(element, name)
        else:
            element.set(name, self._words(self.flip @ source.point_of(before, name)))

    def _flip(self, element, name):
        if element.get(name) is not None:
            element.set(name, self._words(self.flip @ numbers(element.get(name), 3)))

    @staticmethod
    def _words(values):
        return " ".join(word(value + 0.0) for value in values)

    def _child(self, child):
        if child.tag == "inertia":
            self._flip(child, "centre")
        elif child.tag in ("key", "to"):
            self._flip(child, "at")
            if child.get("turn") is not None:
                child.set("turn", turn_text(self.flip @ turn_matrix(child.get("turn")) @ self.flip))
        elif child.tag == "axis":
            self._axis(child)

    def _sign(self, motion):
        about, axis = (motion or "").partition("_")[::2]
        return 1.0 if (about == "turn") == (axis == self.axis) else -1.0

    def _axis(self, axis):
        if self._sign(axis.get("name")) > 0:
            return
        for name in ("start", "rest"):
            if axis.get(name) is not None:
                axis.set(name, word(-float(axis.get(name)) + 0.0))
        limits = numbers(axis.get("may"), 2)
        if limits is not None:
            axis.set("may", self._words([-limits[1], -limits[0]]))
        for ligaments in axis.elements("ligaments"):
            ends = [float(ligaments.get(name)) for name in ("to", "from")]
            for name, end in zip(("from", "to"), ends):
                ligaments.set(name, word(-end + 0.0))

    def _motion(self, element, motion, tag):
        if self._sign(motion) < 0:
            for key in element.elements(tag):
                key.set("value", word(-float(key.get("value")) + 0.0))
