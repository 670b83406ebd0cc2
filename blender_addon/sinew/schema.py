"""The elements and attributes that documents may have, as the library describes them: panels and properties are made
from it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from .library import Library, default_library


@dataclass(frozen=True)
class Attribute:
    """An attribute: `kind` is text, number, whole, vector, turn, range, choice, flag, or reference, where it names
    elements of the kinds `refers_to`. `heading`, `least` and `most` are for panels; `port` is the input of the node
    that overrides it."""

    name: str
    doc: str
    kind: str
    choices: tuple[str, ...]
    required: bool
    default: str | None
    refers_to: tuple[str, ...]
    quantity: str
    unit: str
    heading: str
    least: float | None
    most: float | None
    port: str

    @property
    def title(self) -> str:
        """The name as people read it."""
        return self.name.replace("_", " ").title()

    @property
    def is_length(self) -> bool:
        """Whether all its numbers are in the unit of length."""
        return self.unit == "L"


@dataclass
class ElementKind:
    """An element that may stand in another one; `many` says whether more than once."""

    name: str
    doc: str
    many: bool
    attributes: dict[str, Attribute] = field(default_factory=dict)
    children: dict[str, ElementKind] = field(default_factory=dict)

    def kind(self, *tags: str) -> ElementKind:
        """The description of an element below: kind("joint", "axis")."""
        return self.children[tags[0]].kind(*tags[1:]) if tags else self


def _attribute(data):
    panel, refers_to = data.get("panel", {}), tuple(data.get("refers_to", ()))
    return Attribute(
        data["name"],
        data["doc"],
        "reference" if refers_to else data["type"],
        tuple(data.get("choices", ())),
        data["required"],
        data.get("default"),
        refers_to,
        data["quantity"],
        data.get("unit", ""),
        panel.get("heading", ""),
        panel.get("least"),
        panel.get("most"),
        data.get("port", ""),
    )


def _element(data, many):
    made = ElementKind(data["name"], data["doc"], many)
    made.attributes = {a["name"]: _attribute(a) for a in data["attributes"]}
    made.children = {
        c["element"]["name"]: _element(c["element"], c["count"] == "any number of times") for c in data["children"]
    }
    return made


def describe(kind: str, *, library: Library | None = None) -> ElementKind:
    """The root element of a type of document: strand_scene, muscle_set, muscle_plan."""
    return _element(json.loads((library or default_library()).text("document_describe", kind)), False)
