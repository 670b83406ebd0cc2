"""What Blender makes of the attributes of a scene's elements: properties with their names and titles, or places, turns
and names of objects."""

import keyword

from . import kinds

# Attributes that Blender holds as places, turns and names of objects.
PLACES = {"at", "turn", "from", "to", "and_at", "and_turn", "in"}
# Positions entered as numbers in a panel, in Blender's world.
TYPED_PLACES = {("goal_place", "at"), ("frame", "at")}


def identifier(name):
    """An attribute as the name of a property."""
    return name + "_" if keyword.iskeyword(name) else {"name": "label"}.get(name, name)


# What is called otherwise in Blender.
TITLES = {
    "strand": "Tendon",
    "rule": "Tie",
    "young": "Young's Modulus",
    "axis": "Motion",
    "may": "Range",
    "goal_motion": "Goal",
    "goal_place": "Goal",
}


def title(name):
    """An attribute or element as people read it."""
    return TITLES.get(name, name.replace("_", " ").title())


def holds(owner, attribute):
    """Whether an attribute of an element is a property; others are objects' places and names."""
    if attribute.name == "name" and attribute.kind != "choice":
        return owner in kinds.RULES
    if (owner, attribute.name) in TYPED_PLACES:
        return True
    number = attribute.kind == "number"
    return number or attribute.name not in PLACES


def is_optional(attribute):
    """Whether a flag beside the property says that the attribute is there."""
    return not attribute.required and attribute.default is None and attribute.kind in ("number", "vector")


def has_carrier(owner, attribute):
    """Whether a body, the world or nothing may be meant."""
    return (owner, attribute.name) == ("point", "on")


def points_at_objects(attribute):
    """Whether a reference is a pointer to an object; points, rules and strands of a node go by name."""
    apart = kinds.NO_OBJECTS
    return attribute.kind == "reference" and not any(tag in apart for tag in attribute.refers_to)
