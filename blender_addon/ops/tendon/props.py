"""Properties of parts of tendon rigs, made from the reference of scenes: one group for each element, one property for
each attribute, with the reference's own words as tooltips."""

import keyword

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

from ...bridge import guard
from . import kinds

# A body that a file names and Blender does not hold: the joint of an armature's own file.
OUTSIDE = "outside"
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


def poll(tags):
    """Whether a field offers an object: a part of one of these kinds, of the same rig."""

    def offers(group, found):
        tag = found.sinew_tendon.tag
        return (tag in tags or (tag == OUTSIDE and "body" in tags)) and rig_of(found) == rig_of(group.id_data)

    return offers


def rig_of(thing):
    """The rig, a collection, that an object or collection is in, however deep; or None."""
    homes = {thing} if isinstance(thing, bpy.types.Collection) else set(thing.users_collection)
    rigs = (c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    return next((rig for rig in rigs if not homes.isdisjoint(collections_of(rig))), None) if homes else None


def role(part):
    """Which kind of part of a rig an object is; "" for others, such as those that were appended without their rig."""
    return part.sinew_tendon.tag if rig_of(part) is not None else ""


def collections_of(rig):
    """A rig with the collections in it, but for those that are rigs themselves."""
    found = [rig]
    for child in rig.children:
        if not child.sinew_tendons.is_rig:
            found += collections_of(child)
    return found


def name_in_scene(part):
    """What a part is called in its scene: the name that it was read with, unless someone renamed the object. Joints of
    an animation's file are called as they are there."""
    known = part.sinew_tendon
    return known.name_in_file if known.given == part.name or known.tag == OUTSIDE else part.name


def parts(rig, *tags):
    """The objects of a rig that are parts, or those of some kinds."""
    found = dict.fromkeys(o for collection in collections_of(rig) for o in collection.objects)
    return [o for o in found if o.sinew_tendon.tag and (not tags or o.sinew_tendon.tag in tags)]


def ordered(rig, *tags):
    """The parts of some kinds in the order in which they are written; originals before their copies."""
    return sorted(parts(rig, *tags), key=lambda part: (part.sinew_tendon.key < 0, part.sinew_tendon.key))


def moved_bones(rig):
    """The pose bones that copy the places of a rig's bodies."""
    bodies = set(parts(rig, "body"))
    armatures = [o for o in bpy.data.objects if o.type == "ARMATURE" and o.pose]
    return [
        b for a in armatures for b in a.pose.bones if any(getattr(c, "target", None) in bodies for c in b.constraints)
    ]


def leave_bones(rig, bones):
    """Takes the constraints from bones by which they follow parts of a rig."""
    for bone in bones:
        for constraint in list(bone.constraints):
            target = getattr(constraint, "target", None)
            if target is not None and rig_of(target) == rig:
                bone.constraints.remove(constraint)


def armatures(rig):
    """The armatures that lead bodies of a rig, or whose bones follow them."""
    targets = {getattr(c, "target", None) for body in parts(rig, "body") for c in body.constraints}
    return {t for t in targets if t is not None and t.type == "ARMATURE"} | {bone.id_data for bone in moved_bones(rig)}


@guard.setting
def _live(group, context):
    from . import live

    live.changed(group, context)


@guard.setting
def _reparent(group, _context):
    from . import places

    places.follow(group.id_data)


@guard.setting
def _resize(group, _context):
    from . import places, shapes

    part = group.id_data
    if rig_of(part) is not None:
        draw = shapes.redraw if part.sinew_tendon.tag == "body" else places.resize
        draw(part)


@guard.setting
def _know_ties(group, _context):
    from . import ties

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


def copy(source, target):
    """Makes a group like another, and leaves alone what is alike already."""
    for about in source.bl_rna.properties:
        name = about.identifier
        if name in ("rna_type", "name", "known_as"):
            continue
        value, there = getattr(source, name), getattr(target, name)
        if about.type == "COLLECTION":
            while len(there) > len(value):
                there.remove(len(there) - 1)
            for k, item in enumerate(value):
                copy(item, there[k] if k < len(there) else there.add())
        elif isinstance(value, bpy.types.PropertyGroup):
            copy(value, there)
        elif (tuple(value) != tuple(there)) if getattr(about, "is_array", False) else (value != there):
            setattr(target, name, value)


def _point_names(group, _context, text):
    rig = rig_of(group.id_data)
    nodes = [n.point for o in parts(rig, "strand") for n in o.sinew_tendon.strand.node] if rig else []
    loose = [o.name for o in parts(rig, "point")] if rig else []
    return sorted({name for name in nodes + loose if text.lower() in name.lower()})


def _tie_names(group, _context, text):
    from . import ties

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
    from . import show

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
