"""Maps and results as colours on the body, kept up to date as frames and maps change."""

import numpy as np

from . import gather, properties, scatter

LAYER = "Sinew Colours"
# Blue, cyan, green, yellow, red: from the smallest to the largest value.
RAMP = np.array([(0.05, 0.1, 0.6), (0.0, 0.55, 0.7), (0.1, 0.6, 0.15), (0.95, 0.8, 0.1), (0.8, 0.08, 0.05)], np.float32)


def paintable(kind):
    """The maps that can be painted."""
    return [port for port in kind.inputs if port.paintable and "GROUP" in properties.sources_of(kind, port)]


def choices(kind, settings):
    """What can be shown: [(key, port)], with keys such as "in hold" and "out stretch"."""
    found = [(f"in {port.id}", port) for port in paintable(kind)]
    results = scatter.wanted(kind, settings)
    return found + [
        (f"out {port.id}", port) for port, bound in results if bound.choice == "ATTRIBUTE" and port.domain == "vertex"
    ]


def values_of(here, port, key, outputs):
    """A value for each vertex, and the limits of the colour ramp (None: the smallest and largest value)."""
    count = len(here.ob.data.vertices)
    if key.startswith("out "):
        shown = outputs.get(port.id)
        return (np.zeros(count, np.float32) if shown is None else shown[:, 0]), None
    bound = getattr(here.settings, f"in_{port.id}")
    if bound.choice == "NONE":
        return np.full(count, port.default or 0, np.float32), port.range
    return gather.READERS[bound.choice](here, bound, port)[:, 0], port.range


def of_values(values, limits):
    """Colours of values; without limits from the smallest to the largest."""
    low, high = limits if limits and limits[1] <= 1 else (float(values.min()), float(values.max()))
    place = np.clip((values - low) / (high - low), 0, 1) * (len(RAMP) - 1) if high > low else np.zeros_like(values)
    steps = np.arange(len(RAMP))
    rgb = np.stack([np.interp(place, steps, RAMP[:, k]) for k in range(3)], axis=1)
    return np.hstack([rgb, np.ones((len(values), 1))]).astype(np.float32)


def show(here, key, outputs):
    """Writes the colours of a map or a result."""
    colours = of_values(*values_of(here, dict(choices(here.kind, here.settings))[key], key, outputs))
    layer(here.ob).data.foreach_set("color", colours.ravel())
    here.ob.data.update_tag()


def layer(ob):
    """The colour attribute, made where it is missing."""
    layers = ob.data.color_attributes
    return layers.get(LAYER) or layers.new(LAYER, "FLOAT_COLOR", "POINT")


def is_shown(here, key):
    """Whether the colours of a map or a result are to be on the body: not if someone has deleted the attribute, or
    turned off the result."""
    return bool(key) and LAYER in here.ob.data.color_attributes and key in dict(choices(here.kind, here.settings))


def hide(ob):
    if LAYER in ob.data.color_attributes:
        ob.data.color_attributes.remove(ob.data.color_attributes[LAYER])
