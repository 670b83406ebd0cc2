"""The plug-in's description of its nodes, from which the scripts make everything that depends on a node.

The plug-in's command `sinewDescribe` returns a JSON text, an object with one member:

    {"nodes": [NODE, ...]}

    NODE: {"type_name": "sinewSkinSlider", "title": "Skin Slider", "doc": "...",
           "shape": "deformer" | "mesh" | "values", "attributes": [ATTRIBUTE, ...]}

    ATTRIBUTE:
        "name"           its name in Maya, long and short
        "title", "doc"   what users see, and its tooltip
        "group"          the title of its frame in the attribute editor; "" for the node's own settings
        "of"             "input" | "output" | "param" | "made_mesh" | "made_curves"
        "holds"          "switch" | "whole" | "number" | "choice" | "text" | "mesh" | "map" | "each" | "matrices" |
                         "numbers" | "integers"
        "unit"           "" if it has none
        "shown_with"     the name of the choice with which it is shown, or ""
        "shown_choices"  for which choices (their indices) it is shown
        "advanced"       whether it is for experts
        "choices"        for "choice": [{"title", "doc"}, ...]
        "paintable"      whether Artisan paints it: a number for each vertex
        "is_file", "files"   whether it is the path of a file, and a filter such as "*.xml"

Nodes and attributes have the order in which they are shown. Members that are not named here are ignored, so that a
newer plug-in can say more.
"""

import json
from dataclasses import dataclass
from typing import Any

from sinew_maya.problems import Problem


@dataclass(frozen=True)
class Attribute:
    name: str
    title: str
    doc: str
    group: str
    of: str
    holds: str
    unit: str
    shown_with: str
    shown_choices: tuple[int, ...]
    advanced: bool
    choices: tuple[str, ...]
    paintable: bool
    is_file: bool
    files: str


@dataclass(frozen=True)
class NodeType:
    type_name: str
    title: str
    doc: str
    shape: str
    attributes: tuple[Attribute, ...]

    def maps(self) -> tuple[Attribute, ...]:
        return tuple(one for one in self.attributes if one.paintable)

    def find(self, name: str) -> Attribute | None:
        return next((one for one in self.attributes if one.name == name), None)


def parse(text: str) -> tuple[NodeType, ...]:
    """Reads what sinewDescribe returns."""
    try:
        return tuple(_node(node) for node in json.loads(text)["nodes"])
    except (KeyError, TypeError, ValueError) as error:
        raise Problem(
            "The scripts of Sinew and its plug-in are of different versions: install both from the same archive "
            f"({type(error).__name__}: {error})."
        ) from error


def _node(node: Any) -> NodeType:
    attributes = tuple(_attribute(one) for one in node["attributes"])
    return NodeType(
        _text(node, "type_name"), _text(node, "title"), _text(node, "doc"), _text(node, "shape"), attributes
    )


def _attribute(one: Any) -> Attribute:
    return Attribute(
        name=_text(one, "name"),
        title=_text(one, "title"),
        doc=_text(one, "doc"),
        group=_text(one, "group"),
        of=_text(one, "of"),
        holds=_text(one, "holds"),
        unit=_text(one, "unit"),
        shown_with=_text(one, "shown_with"),
        shown_choices=tuple(int(index) for index in one["shown_choices"]),
        advanced=bool(one["advanced"]),
        choices=tuple(_text(choice, "title") for choice in one["choices"]),
        paintable=bool(one["paintable"]),
        is_file=bool(one["is_file"]),
        files=_text(one, "files"),
    )


def _text(values: Any, key: str) -> str:
    value = values[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} is not a text")
    return value
