"""Properties of parts of tendon rigs, made from the reference of scenes: one group for each element, one property for
each attribute, with the reference's own words as tooltips."""

import bpy
from bpy.props import (
    BoolProperty,
    BoolVectorProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from .. import guard
from . import kinds, places, shapes, show, ties
from .fields import has_carrier, holds, identifier, is_optional, points_at_objects, title
from .rig_parts import OUTSIDE, parts, rig_of

# Called with the properties of a rig and the context when someone makes the rig live, or not; set by the operators.
live_changed = None


def poll(tags):
    """Whether a field offers an object: a part of one of these kinds, of the same rig."""

    def offers(group, found):
        tag = found.sinew_tendon.tag
        return (tag in tags or (tag == OUTSIDE and "body" in tags)) and rig_of(found) == rig_of(group.id_data)

    return offers


@guard.setting
def _live(group, context):
    if live_changed is not None:
        live_changed(group, context)


@guard.setting
def _reparent(group, _context):
    places.follow(group.id_data)


@guard.setting
def _resize(group, _context):
    part = group.id_data
    if rig_of(part) is not None:
        draw = shapes.redraw if part.sinew_tendon.tag == "body" else places.resize
        draw(part)


@guard.setting
def _know_ties(group, _context):
    # Events go by the names that ties have now, whatever they are renamed to later.
    if rig := rig_of(group.id_data):
        ties.follow_renames(rig)


def _number(owner, attribute, words):
    default = float(attribute.default or 0)
    if attribute.quantity == "fraction":
        return FloatProperty(**words, default=default, min=0, max=1, subtype="FACTOR", precision=3)
    update = {"update": _resize} if attribute.name == "radius" else {}
    precision = 5 if attribute.name in ("radius", "material", "rest", "prestrain", "by", "optimal") else 4
    unit = "LENGTH" if attribute.is_length else "NONE"
    return FloatProperty(**words, default=default, precision=precision, unit=unit, **update)


def _property(owner, attribute):
    """The property of an attribute."""
    words = {"name": title(attribute.name), "description": attribute.doc}
    if attribute.kind == "number":
        return _number(owner, attribute, words)
    if attribute.kind == "whole":
        return IntProperty(**words, default=int(attribute.default or 0), min=0)
    if attribute.kind == "vector":
        default = [float(word) for word in (attribute.default or "0 0 0").split()]
        update = {"update": _resize} if owner == "cuboid" else {}
        unit = "LENGTH" if attribute.is_length else "NONE"
        return FloatVectorProperty(**words, size=3, default=default, precision=4, unit=unit, **update)
    if attribute.kind in ("choice", "range"):
        items = [(c, title(c), attribute.doc) for c in attribute.choices]
        if attribute.kind == "range":
            items.append(("limits", "Limits", "Limited to the range given by the two numbers beside it"))
        if attribute.default is None and not attribute.required:
            items.insert(0, ("automatic", "Automatic", "Let the library choose: " + attribute.doc))
        return EnumProperty(**words, items=items, default=attribute.default or items[0][0])
    if points_at_objects(attribute):
        update = {"update": _reparent} if attribute.name in ("on", "parent") else {}
        return PointerProperty(**words, type=bpy.types.Object, poll=poll(attribute.refers_to), **update)
    if attribute.kind == "reference" and attribute.refers_to == ("point",):
        return StringProperty(**words, search=_point_names)
    if kinds.names_rules(attribute):
        return StringProperty(**words, search=_tie_names, update=_know_ties)
    return StringProperty(**words)


def _point_names(group, _context, text):
    rig = rig_of(group.id_data)
    nodes = [n.point for o in parts(rig, "strand") for n in o.sinew_tendon.strand.node] if rig else []
    loose = [o.name for o in parts(rig, "point")] if rig else []
    return sorted({name for name in nodes + loose if text.lower() in name.lower()})


def _tie_names(group, _context, text):
    rig = rig_of(group.id_data)
    return sorted(name for name in ties.names(rig) if text.lower() in name.lower()) if rig else []


def _group(path, described, made):
    """Makes the group of an element and those of its children; `made` collects the classes in order of registration."""
    owner, annotations = described.name, {}
    for attribute in described.attributes.values():
        if owner == "node" and attribute.name == "point":
            annotations["point"] = StringProperty(name="Point", description=attribute.doc, search=_point_names)
        elif holds(owner, attribute) and not (owner in kinds.RULES and attribute.name in ("point", "first")):
            _annotate(owner, attribute, annotations)
    for tag, child in described.children.items():
        if tag in kinds.KEYS:
            continue
        inner = _group([*path, tag], child, made)
        if child.many:
            annotations[tag] = CollectionProperty(type=inner)
        else:
            annotations["use_" + tag] = BoolProperty(name=title(tag), description=child.doc)
            annotations[tag] = PointerProperty(type=inner)
    annotations["key"] = IntProperty(default=-1, options={"HIDDEN"})
    annotations.update(_more(path, owner, made))
    name = "SinewTendon" + "".join(part.title().replace("_", "") for part in path)
    group = type(name, (bpy.types.PropertyGroup,), {"__annotations__": annotations, "__doc__": described.doc})
    made[tuple(path)] = group
    return group


def _annotate(owner, attribute, annotations):
    name = identifier(attribute.name)
    annotations[name] = _property(owner, attribute)
    if is_optional(attribute):
        text = f"Whether this attribute is set. {attribute.doc}"
        annotations["use_" + name] = BoolProperty(name=title(attribute.name), description=text)
    if attribute.kind == "range":
        annotations[name + "_limits"] = FloatVectorProperty(
            name="Limits", description="The smallest and the largest value", size=2, precision=2
        )
    if has_carrier(owner, attribute):
        items = [
            ("free", "Free", "Nothing carries the point: planes and curves may hold it"),
            ("world", "World", "The point stays where it is"),
            ("body", "Body", "A body carries the point"),
        ]
        annotations["carrier"] = EnumProperty(name="Carried By", description=attribute.doc, items=items)


def _more(path, owner, made):
    """What an element has besides its attributes."""
    if owner == "point":
        rules = {tag: _group([tag], kinds.kind(tag), made) for tag in kinds.RULES}
        return {tag: CollectionProperty(type=rule) for tag, rule in rules.items()}
    if owner in kinds.RULES:
        # By what name events knew it when it was looked at last.
        return {"known_as": StringProperty(options={"HIDDEN"})}
    if owner == "node":
        return {
            "here": PointerProperty(type=made[("point",)]),
            "co": FloatVectorProperty(size=3, options={"HIDDEN"}),
        }
    if owner == "goal_motion":
        text = "The motion to reach: degrees for rotations, the scene's unit for translations. Animate it"
        return {"target": FloatProperty(name="Target", description=text)}
    return {}


class SinewTendonProblem(bpy.types.PropertyGroup):
    """A line of the checker."""

    message: StringProperty()
    error: BoolProperty()
    about: PointerProperty(type=bpy.types.Object)
    node: IntProperty(default=-1)
    cure: StringProperty()


class SinewTendonSimulated(bpy.types.PropertyGroup):
    """An object that was simulated; `name` is what its simulation calls it, whatever it is renamed to later."""

    part: PointerProperty(type=bpy.types.Object)


def _part(groups):
    """The group of objects: which element one is, and the properties of every kind."""
    annotations = {
        "tag": StringProperty(name="Kind", description="What the object is in its tendon rig"),
        "key": IntProperty(default=-1, options={"HIDDEN"}),
        "given": StringProperty(options={"HIDDEN"}),
        "name_in_file": StringProperty(options={"HIDDEN"}),
        # What showing a simulation hid of it: in viewports, in renders.
        "hid": BoolVectorProperty(size=2, options={"HIDDEN"}, override={"LIBRARY_OVERRIDABLE"}),
        # Where it was seen last: in the world as modelled, and in its own transform.
        "seen_matrix": FloatVectorProperty(size=16, options={"HIDDEN"}),
        "seen_location": FloatVectorProperty(size=3, options={"HIDDEN"}),
        # Why what led it does so no longer.
        "lost": StringProperty(options={"HIDDEN"}),
        "active_node": IntProperty(name="Node", description="The node whose properties are shown", min=0),
    }
    for tag in kinds.objects():
        annotations[tag] = PointerProperty(type=groups[(tag,)])
    return type("SinewTendonPart", (bpy.types.PropertyGroup,), {"__annotations__": annotations})


@guard.setting
def _show(group, context):
    show.refresh(group.id_data, context.scene)


def _rig(groups):
    """The group of collections that are rigs."""
    shown = [
        ("modelled", "Modelled", "Everything where it was modelled, for editing"),
        ("simulated", "Simulated", "Bodies and tendons where the simulation has them in this frame"),
    ]
    annotations = {
        "is_rig": BoolProperty(options={"HIDDEN"}),
        "document": StringProperty(options={"HIDDEN"}),
        "settings": PointerProperty(type=groups[("settings",)]),
        "use_settings": BoolProperty(name="Settings", description=kinds.kind("settings").doc),
        "problems": CollectionProperty(type=SinewTendonProblem),
        "active_problem": IntProperty(options={"HIDDEN"}),
        "checked": StringProperty(options={"HIDDEN"}),
        "digest": StringProperty(options={"HIDDEN"}),
        "simulated": CollectionProperty(type=SinewTendonSimulated),
        "shown": EnumProperty(name="Show", description="What the view shows of the rig", items=shown, update=_show),
        "live": BoolProperty(
            name="Live",
            description="The rig is simulated again automatically after every edit, while you keep working",
            update=_live,
        ),
        "tension_limit": FloatProperty(
            name="Red At",
            description="The tension in N that is shown in red; 0 for the largest of the simulation",
            min=0,
            update=_show,
        ),
        "thickness": FloatProperty(
            name="Thickness",
            description="The factor by which the radius of tendons is multiplied in the view",
            default=1.0,
            min=0.01,
            soft_max=5,
            update=_show,
        ),
        "tubes": PointerProperty(type=bpy.types.Object),
    }
    return type("SinewTendonRig", (bpy.types.PropertyGroup,), {"__annotations__": annotations})


def _classes():
    made = {}
    _group(["point"], kinds.kind("point"), made)
    for tag in ("settings", *kinds.objects()[:-1]):
        _group([tag], kinds.kind(tag), made)
    return made


# The group of each kind of element, by its path; and all that is registered.
GROUPS, _registered = {}, []


def register():
    """Makes the groups, as the library describes what they hold."""
    GROUPS.update(_classes())
    part, rig = _part(GROUPS), _rig(GROUPS)
    _registered.extend((*GROUPS.values(), SinewTendonProblem, SinewTendonSimulated, part, rig))
    for one in _registered:
        bpy.utils.register_class(one)
    bpy.types.Object.sinew_tendon = PointerProperty(type=part)
    bpy.types.Collection.sinew_tendons = PointerProperty(type=rig)


def is_registered():
    """Whether objects can be parts of rigs."""
    return bool(_registered)


def unregister():
    del bpy.types.Collection.sinew_tendons
    del bpy.types.Object.sinew_tendon
    for one in reversed(_registered):
        bpy.utils.unregister_class(one)
    _registered.clear()
    GROUPS.clear()
