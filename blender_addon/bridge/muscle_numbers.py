"""The numbers of single muscles as properties: what Blender shows is read from the set of the body, and what someone
enters is written into it."""

from functools import lru_cache

import bpy
import numpy as np
from bpy.props import FloatProperty, FloatVectorProperty, IntProperty, StringProperty

from ..core import single
from ..sinew import UP_Z
from ..sinew.document import Document
from ..sinew.loader import Error
from . import host, muscles, properties, runtime
from .problem import Problem
from .properties import OVERRIDABLE


def numbers():
    """What panels show of a muscle: the attributes of its element that have a heading."""
    kind = host.document_kind("muscle_set").kind("muscle")
    return [attribute for attribute in kind.attributes.values() if attribute.heading]


def number(name):
    """One of them by its name."""
    return host.document_kind("muscle_set").kind("muscle").attributes[name]


def is_joint(number):
    """Whether it names a bone."""
    return number.kind == "text"


@lru_cache(maxsize=8)
def _read(text, metres):
    """The element of each muscle by its name, as Blender measures it."""
    with Document.parse(text, library=host.library()) as document:
        document.set_space(metres, UP_Z)
        document.expand()
        return {element.get("name"): element for element in document.read().elements("muscle")}


def port_of(number):
    """The port whose array overrides a number."""
    return host.kinds()[muscles.KIND].input(number.port)


def metres():
    """Metres in a unit of Blender."""
    return bpy.context.scene.unit_settings.scale_length


def found(muscle):
    """The element of a muscle in the list; None if the set cannot be read or lacks it."""
    item = muscles.node_of(muscle.id_data)
    try:
        text = muscles.text_of(properties.settings(item)) if item else ""
        return _read(text, metres()).get(muscle.name) if text.strip() else None
    except (Problem, Error):
        return None


def text_of(muscle, name):
    """A number of a muscle as it stands in the set."""
    element = found(muscle)
    if element is None:
        raise Problem(f'the set has no muscle "{muscle.name}"')
    return element.get(name, number(name).default)


def is_fixed(muscle, number):
    """Whether a number cannot be changed, because vertices of the muscle are sculpted and there must be as many of
    them."""
    element = found(muscle)
    return number.kind == "whole" and element is not None and bool(element.elements("offset"))


def is_overridden(ob, number):
    """Whether an array that the node gets takes the place of a number."""
    return getattr(properties.settings(muscles.node_of(ob)), f"in_{number.port}").choice != "NONE"


def shown(number, element):
    """The values of a number as Blender shows it."""
    return element.numbers.get(number.name, [0.0] * (3 if number.kind == "vector" else 1))


def entered(number, element, values):
    """The numbers that someone entered; None if nothing changed. Numbers that stay keep their bits."""
    before = shown(number, element)
    after = [old if np.float32(old) == np.float32(new) else single.decimal(new) for old, new in zip(before, values)]
    if number.least is not None:
        after = [max(value, number.least) for value in after]
    return after if after != before else None


def change(ob, names, attribute, value):
    """Sets an attribute of muscles in the set of a body: a text, numbers, or None to leave it out. Muscles that share
    an element with others get their own."""
    item = muscles.node_of(ob)
    with Document.parse(muscles.text_of(properties.settings(item)), library=host.library()) as document:
        document.set_space(metres(), UP_Z)
        for name in names:
            element = document.single(name)
            if isinstance(value, list):
                document.set_numbers(element, attribute, value)
            else:
                document.set(element, attribute, value)
        made = document.text()
    muscles.store(ob, item, made)


def write(muscle, number, value_from):
    """Writes a number of a muscle into its set; `value_from(element)` gives what `change` takes, or what the set
    has."""
    ob, name = muscle.id_data, muscle.name
    try:
        runtime.check_writable(ob)
        element = found(muscle)
        if element is None:
            raise Problem("the set has no such muscle")
        if is_fixed(muscle, number):
            raise Problem(f"its {number.name} stay as they are, because it is sculpted")
        value = value_from(element)
        if value != element.get(number.name):
            change(ob, [name], number.name, value)
    except (Problem, Error) as problem:
        # Blender has no other way to tell of what cannot be entered; the panel does so beforehand.
        print(f"Sinew: {ob.name}, {name}: {problem}")


def joint_property(number, common):
    """The name of a bone."""

    def get(muscle):
        element = found(muscle)
        return element.get(number.name) if element else ""

    def set_(muscle, name):
        write(muscle, number, lambda element: name or element.get(number.name))

    return StringProperty(get=get, set=set_, **common)


def count_property(number, common):
    """How many rings or vertices there are."""

    def get(muscle):
        element = found(muscle)
        return int(element.get(number.name, number.default)) if element else 0

    def set_(muscle, count):
        write(muscle, number, lambda element: str(count) if count != get(muscle) else element.get(number.name))

    default = int(number.default)
    return IntProperty(get=get, set=set_, default=default, min=int(number.least), soft_max=int(number.most), **common)


def real_property(number, common):
    """A number or a vector. One that every muscle must have has no default to go back to."""
    is_vector = number.kind == "vector"

    def get(muscle):
        element = found(muscle)
        values = shown(number, element) if element else [0.0] * (3 if is_vector else 1)
        return values if is_vector else values[0]

    def set_(muscle, value):
        def value_from(element):
            values = entered(number, element, value if is_vector else (value,))
            if values is None:
                return element.get(number.name)
            # An attribute that may be left out is, where it says nothing.
            return None if is_vector and not number.required and number.default is None and not any(values) else values

        write(muscle, number, value_from)

    common = {**common, "get": get, "set": set_, "precision": 4, "unit": "LENGTH" if number.is_length else "NONE"}
    if number.default is not None:
        values = [float(word) for word in number.default.split()]
        common["default"] = values if is_vector else values[0]
    if is_vector:
        return FloatVectorProperty(size=3, subtype="TRANSLATION" if number.is_length else "XYZ", **common)
    return FloatProperty(min=number.least, soft_max=number.most, **common)


def property_of(number):
    """The property of a number."""
    name = f"{number.title} ({number.unit})" if number.unit and not number.is_length else number.title
    # Values that are not kept in the property cannot be animated: the array of the port can.
    common = {"name": name, "description": number.doc, "options": set(), "override": OVERRIDABLE}
    if is_joint(number):
        return joint_property(number, common)
    return count_property(number, common) if number.kind == "whole" else real_property(number, common)


def annotations():
    """The properties of all numbers that the library's muscles have, by their attributes."""
    return {number.name: property_of(number) for number in numbers()} if host.library() else {}


def forget():
    """Forgets what was read."""
    _read.cache_clear()
