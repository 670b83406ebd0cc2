"""The elements and attributes of strand scenes, from the library's own reference (strand_schema.json)."""

import json
import pathlib
import re
from dataclasses import dataclass, field

BODY = ("body",)
# The elements that tie a point; `release` calls them rules.
RULES = ("on_curve", "in_plane", "off_bone", "frame", "link")
# The elements that pull; their names are unique among all three.
MUSCLES = ("muscle", "reel", "hill")
# Children that hold a value at a time.
KEYS = ("key", "activation", "to")
# Words that stand in place of a body.
NO_BODY = ("world", "free")


@dataclass
class Attribute:
    """An attribute: `kind` is number, whole, vector, turn, choice, range, reference or text."""

    name: str
    doc: str
    expected: str
    required: bool
    default: str | None
    kind: str
    choices: tuple = ()
    refers_to: tuple = ()


@dataclass
class ElementKind:
    """An element that may stand in a scene; `many` says whether more than once."""

    name: str
    doc: str
    many: bool
    attributes: dict = field(default_factory=dict)
    children: dict = field(default_factory=dict)


def _kind_of(data):
    expected, refers_to = data["expected"], tuple(data.get("refers_to", ()))
    # One word stands for all that tie a point.
    refers_to = ("rule",) if set(refers_to) == set(RULES) else refers_to
    if expected == "text":
        return ("reference" if refers_to else "text"), (), refers_to
    simple = {"a number": "number", "three numbers": "vector", "a whole number from 0": "whole"}
    if expected in simple:
        return simple[expected], (), ()
    if expected.startswith("a rotation vector"):
        return "turn", (), ()
    if expected.endswith("two numbers"):
        return "range", ("free", "held"), ()
    return "choice", tuple(re.findall(r"[a-z_]+", expected.replace(" or ", ", "))), ()


def _attribute(data):
    name, need, expected = data["name"], data["need"], data["expected"]
    default = need[len("default ") :] if need.startswith("default ") else None
    if name == "version":
        return Attribute(name, data["doc"], expected, False, default, "choice", (default,))
    kind, choices, refers_to = _kind_of(data)
    return Attribute(name, data["doc"], expected, need == "required", default, kind, choices, refers_to)


def _element(data, many):
    made = ElementKind(data["name"], data["doc"], many)
    made.attributes = {a["name"]: _attribute(a) for a in data["attributes"]}
    made.children = {
        c["element"]["name"]: _element(c["element"], c["count"] == "any number of times") for c in data["children"]
    }
    return made


SCENE = _element(json.loads((pathlib.Path(__file__).parent / "strand_schema.json").read_text("utf-8")), False)
# The order in which elements are written.
ORDER = list(SCENE.children)


def kind(*tags):
    """The description of an element below the scene: kind("joint", "axis")."""
    found = SCENE
    for tag in tags:
        found = found.children[tag]
    return found
