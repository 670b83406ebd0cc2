"""The numbers of single muscles as properties: what Blender shows is read from the set of the body, and what someone enters is
written into it."""

from functools import lru_cache

import bpy
import numpy as np
from bpy.props import FloatProperty, FloatVectorProperty, IntProperty, StringProperty

from ..core import muscle_numbers
from ..core.library import SinewError
from ..core.muscle_numbers import LENGTHS, NUMBERS
from . import host, muscles, properties, runtime
from .problem import Problem
from .properties import OVERRIDABLE


@lru_cache(maxsize=8)
def _read(text):
    return muscle_numbers.read(host.library(), text)


def port_of(number):
    """The port whose description a number has."""
    return host.kinds()[muscles.KIND].input(number.port)


def metres():
    """Metres in a unit of Blender."""
    return bpy.context.scene.unit_settings.scale_length


def decimal(value):
    """What someone entered: the shortest decimal number that Blender holds as this value."""
    return float(str(np.float32(value)))


def found(muscle):
    """The space of the set of a muscle in the list, and its element there; None for each if the set cannot be read or lacks it."""
    item = muscles.node_of(muscle.id_data)
    try:
        space, elements = _read(muscles.text_of(properties.settings(item))) if item else (None, {})
    except (Problem, SinewError):
        return None, None
    element = elements.get(muscle.name)
    return (space, element) if element else (None, None)


def text_of(muscle, attribute):
    """A number of a muscle as it stands in the set."""
    _, element = found(muscle)
    if element is None:
        raise Problem(f'the set has no muscle "{muscle.name}"')
    return element.get(attribute)


def is_fixed(muscle, number):
    """Whether a number cannot be changed, because vertices of the muscle are sculpted and there must be as many of them."""
    port, (_, element) = port_of(number), found(muscle)
    return port.kind == "ints" and port.quantity != "index" and element is not None and bool(element.elements("offset"))


def is_overridden(ob, number):
    """Whether an array that the node gets takes the place of a number."""
    return getattr(properties.settings(muscles.node_of(ob)), f"in_{number.port}").choice != "NONE"


def shown(number, space, element):
    """The values of a number as Blender shows it."""
    port = port_of(number)
    words = (element.get(number.attribute) or "0 0 0").split()
    return space.out(port, [float(word) for word in words], metres())


def entered(number, space, element, values):
    """The text in the set for values that someone entered, or the text that is there; numbers that stay keep their bits."""
    port, before = port_of(number), shown(number, space, element)
    after = [old if np.float32(old) == np.float32(new) else decimal(new) for old, new in zip(before, values)]
    if port.components == 1:
        after = [max(value, number.least) for value in after]
    if after == before:
        return element.get(number.attribute)
    if number.attribute == "up" and not any(after):
        return None
    kept = [float(word) for word in (element.get(number.attribute) or "0 0 0").split()]
    stays = [a == b for a, b in zip(space.into(port, before, metres()), space.into(port, after, metres()))]
    return " ".join(repr(old if stay else new) for old, new, stay in zip(kept, space.into(port, after, metres()), stays))


def change(ob, names, attribute, text):
    """Sets an attribute of muscles in the set of a body."""
    item = muscles.node_of(ob)
    made = muscle_numbers.changed(host.library(), muscles.text_of(properties.settings(item)), names, attribute, text)
    muscles.store(ob, item, made)


def write(muscle, number, text_from):
    """Writes a number of a muscle into its set; `text_from(space, element)` gives its text."""
    ob, name = muscle.id_data, muscle.name
    try:
        runtime.check_writable(ob)
        space, element = found(muscle)
        if element is None:
            raise Problem("the set has no such muscle")
        if is_fixed(muscle, number):
            raise Problem(f"its {number.attribute} stay as they are, because it is sculpted")
        text = text_from(space, element)
        if text != element.get(number.attribute):
            change(ob, [name], number.attribute, text)
    except (Problem, SinewError) as problem:
        # Blender has no other way to tell of what cannot be entered; the panel does so beforehand.
        print(f"Sinew: {ob.name}, {name}: {problem}")


def joint_property(number, common):
    """The name of a bone."""

    def get(muscle):
        _, element = found(muscle)
        return element.get(number.attribute) if element else ""

    def set_(muscle, name):
        write(muscle, number, lambda _, element: name or element.get(number.attribute))

    return StringProperty(get=get, set=set_, **common)


def count_property(number, default, common):
    """How many rings or vertices there are."""

    def get(muscle):
        _, element = found(muscle)
        return int(element.get(number.attribute)) if element else 0

    def set_(muscle, count):
        write(muscle, number, lambda *_: str(count))

    return IntProperty(get=get, set=set_, default=int(default), min=int(number.least), soft_max=int(number.most), **common)


def real_property(number, port, default, common):
    """A number or a vector. One that every muscle must have has no default to go back to."""
    is_vector = port.components == 3

    def get(muscle):
        space, element = found(muscle)
        values = shown(number, space, element) if element else (0.0,) * port.components
        return values if is_vector else values[0]

    def set_(muscle, value):
        values = value if is_vector else (value,)
        write(muscle, number, lambda space, element: entered(number, space, element, values))

    common = {**common, "get": get, "set": set_, "precision": 4, "unit": "LENGTH" if port.quantity in LENGTHS else "NONE"}
    if default is not None:
        values = [float(word) for word in default.split()]
        common["default"] = values if is_vector else values[0]
    if is_vector:
        return FloatVectorProperty(size=3, subtype="TRANSLATION" if port.quantity in LENGTHS else "XYZ", **common)
    return FloatProperty(min=number.least, soft_max=number.most, **common)


def property_of(number, default):
    """The property of a number: its description is that of its port."""
    port = port_of(number)
    name = f"{number.title} ({port.unit})" if port.unit else number.title
    # Values that are not kept in the property cannot be animated: the array of the port can.
    common = {"name": name, "description": port.doc, "options": set(), "override": OVERRIDABLE}
    if port.quantity == "index":
        return joint_property(number, common)
    return count_property(number, default, common) if port.kind == "ints" else real_property(number, port, default, common)


def annotations():
    """The properties of all numbers that the library's muscles have, by their attributes."""
    if muscles.KIND not in host.kinds():
        return {}
    usual = muscle_numbers.usual(host.library())
    return {number.attribute: property_of(number, usual.get(number.attribute)) for number in NUMBERS}


def forget():
    """Forgets what was read."""
    _read.cache_clear()
