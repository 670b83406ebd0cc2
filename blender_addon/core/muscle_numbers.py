"""The numbers of single muscles: read from the XML of a set, and written into it."""

from dataclasses import dataclass

from .muscles import MuscleSet
from .strand_xml import Element, parse

# Quantities of ports that are measured in the unit of length.
LENGTHS = ("length", "position", "displacement")


@dataclass(frozen=True)
class Number:
    """A number of a muscle: the attribute of its element; the port whose array overrides it and whose description it has; the
    heading above it; the smallest value that makes sense, and where a slider ends."""

    attribute: str
    port: str
    heading: str
    least: float = 0.0
    most: float = 1.0

    @property
    def title(self):
        return self.attribute.replace("_", " ").title()


SHAPE, SPRING, CURVE = "Shape", "Spring", "Curve"
NUMBERS = (
    Number("size", "muscle_sizes", SHAPE, 1e-5, 0.2),
    Number("taper", "muscle_tapers", SHAPE, 0.01, 3),
    Number("girth", "muscle_girths", SHAPE, 0.01, 3),
    Number("weight", "muscle_weight_factors", SHAPE, 0, 2),
    Number("bulge", "muscle_bulges", SHAPE, 0, 2),
    Number("stretch_ratio", "muscle_stretch_ratios", SHAPE, 0.01, 5),
    Number("swell", "muscle_swells", SHAPE, 0, 1),
    Number("mass", "muscle_masses", SPRING, 0.001, 2),
    Number("stiffness", "muscle_stiffnesses", SPRING, 0.001, 2000),
    Number("damping", "muscle_dampings", SPRING, 0, 1),
    Number("origin_joint", "muscle_origin_joints", CURVE),
    Number("origin", "muscle_origins", CURVE),
    Number("insertion_joint", "muscle_insertion_joints", CURVE),
    Number("insertion", "muscle_insertions", CURVE),
    Number("middle", "muscle_middles", CURVE),
    Number("up", "muscle_ups", CURVE),
    Number("rings", "muscle_rings", CURVE, 2, 30),
    Number("divisions", "muscle_divisions", CURVE, 3, 24),
)


@dataclass(frozen=True)
class Space:
    """The unit of length and the up axis of a set."""

    metres_per_unit: float
    z_up: bool

    def out(self, port, values, metres_per_unit):
        """Values of a port as a host with z up has them, in its unit of length."""
        factor = self.metres_per_unit / metres_per_unit if port.quantity in LENGTHS else 1.0
        if port.components == 3 and not self.z_up:
            values = (values[0], -values[2], values[1])
        # Adding zero makes -0 a plain zero.
        return [factor * value + 0.0 for value in values]

    def into(self, port, values, metres_per_unit):
        """The inverse of `out`."""
        factor = metres_per_unit / self.metres_per_unit if port.quantity in LENGTHS else 1.0
        if port.components == 3 and not self.z_up:
            values = (values[0], values[2], -values[1])
        return [factor * value + 0.0 for value in values]


def _elements(library, text):
    """A set's document, in which the library has written out all attributes, and the element of each muscle with the names of those
    that it stands for."""
    with MuscleSet(library, text) as found:
        names, document = [muscle["name"] for muscle in found.report()["muscles"]], parse(found.text())
    pairs, start = [], 0
    for element in document.root.elements("muscle"):
        # The muscles of a sheet have numbers. One whose count is impossible is one muscle, which is left out.
        sheet = 1 if names[start] == element.get("name") else int(element.get("count"))
        end = start + sheet + len(element.elements("head"))
        pairs.append((element, names[start:end]))
        start = end
    return document, pairs


def split(library, text, chosen=None):
    """The XML of a set in which each muscle, or each of the chosen ones, is an element of its own."""
    document, pairs = _elements(library, text)
    known, spares = {name for _, names in pairs for name in names}, []
    for element, names in pairs:
        if len(names) > 1 and (chosen is None or chosen & set(names)):
            # Taking a head out makes single muscles of the others, so it gets one that is taken out.
            spare = next(name for name in (f"head {k}" for k in range(len(known) + 1)) if name not in known)
            known.add(spare)
            spares.append(spare)
            element.add(Element("head", {"name": spare, **{key: element.get(key) for key in ("origin_joint", "origin")}}), 1)
    with MuscleSet(library, document.text()) as found:
        for spare in spares:
            found.remove(spare)
        return found.text()


def read(library, text):
    """The space of a set, and an element for each muscle by its name, with all attributes."""
    document, pairs = _elements(library, split(library, text))
    space = next(iter(document.root.elements("space")), Element("space"))
    return Space(float(space.get("metres_per_unit", "1")), space.get("up") == "z"), {names[0]: element for element, names in pairs}


def changed(library, text, chosen, attribute, value):
    """The XML of a set with an attribute of the chosen muscles set, which become elements of their own; None takes it out."""
    document, pairs = _elements(library, split(library, text, set(chosen)))
    for element, names in pairs:
        if len(names) == 1 and names[0] in chosen:
            element.set(attribute, value)
    with MuscleSet(library, document.text()) as found:
        return found.text()


def usual(library):
    """The attributes of a muscle for which nothing was chosen: those that have a default."""
    given = {"name": "m", "origin_joint": "a", "origin": "0 0 0", "insertion_joint": "b", "insertion": "1 0 0", "size": "1"}
    _, found = read(library, f'<muscle_set>{Element("muscle", given).text()}</muscle_set>')
    return {name: value for name, value in found["m"].attributes.items() if name not in given}
