"""A description as sinewDescribe returns it: three small nodes with all kinds of attributes that there are."""

import json
from typing import Any


def attribute(name: str, holds: str, **more: Any) -> dict[str, Any]:
    base = {
        "name": name,
        "title": name.replace("_", " ").title(),
        "doc": f'What {name} does: "more" is more,\nand less \\ is less.',
        "group": "",
        "of": "param",
        "holds": holds,
        "unit": "",
        "shown_with": "",
        "shown_choices": [],
        "advanced": False,
        "choices": [],
        "paintable": False,
        "is_file": False,
        "files": "",
    }
    return {**base, **more}


def a_map(name: str, group: str) -> dict[str, Any]:
    return attribute(name, "map", of="input", group=group, paintable=True)


def choice(name: str, *titles: str, **more: Any) -> dict[str, Any]:
    return attribute(name, "choice", choices=[{"title": one, "doc": f"{one}."} for one in titles], **more)


def node(name: str, title: str, shape: str, *attributes: dict[str, Any]) -> dict[str, Any]:
    return {"type_name": name, "title": title, "doc": f"{title}.", "shape": shape, "attributes": list(attributes)}


NODES = [
    node(
        "sinewSkinSlider",
        "Skin Slider",
        "mesh",
        a_map("fixed", "Holding"),
        a_map("hold", "Holding"),
        attribute("rows", "integers", of="input", group="Constraints"),
        choice("mode", "Quick", "Full"),
        choice("material", "Linear", "Fung", "Woven", group="Material"),
        attribute("thickness", "number", unit="m", group="Material"),
        attribute("fung_exponent", "number", group="Material", shown_with="material", shown_choices=[1]),
        attribute("fibre_ratio", "number", group="Material", shown_with="material", shown_choices=[1, 2]),
        attribute("tolerance", "number", group="Material", advanced=True),
        attribute("proxy_check", "switch", group="Proxy", advanced=True),
        attribute("out_load", "numbers", of="output", group="Load"),
    ),
    node(
        "sinewMuscleSkin",
        "Muscles",
        "deformer",
        attribute("muscles", "text", is_file=True, files="*.xml", group="Muscles"),
        a_map("muscle_map", "Muscles"),
        attribute("muscle_sizes", "each", of="input", group="Muscles"),
        attribute("joints", "matrices", of="input", group="Skinning"),
        attribute("muscles_mesh", "mesh", of="made_mesh", group="Muscles"),
    ),
    node(
        "sinewStrand",
        "Strand",
        "values",
        choice("source", "Finger", "File"),
        attribute("scene", "text", is_file=True, files="*.xml", shown_with="source", shown_choices=[1]),
        attribute("settings", "text", advanced=True),
        attribute("bands", "switch", shown_with="source", shown_choices=[0]),
        attribute("digit", "whole"),
        attribute("out_body_matrices", "matrices", of="output"),
    ),
]
TEXT = json.dumps({"nodes": NODES})
