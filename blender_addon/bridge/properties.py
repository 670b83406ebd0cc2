"""Blender's properties, made from the library's descriptions: a group of them for each kind of node."""

import functools
import math
import uuid

import bpy
import numpy as np
from bpy import props

from . import guard, host

# Of what is set on a library override, Blender keeps only properties that are said to be overridable.
OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}
BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty, StringProperty = (
    functools.partial(made, override=OVERRIDABLE)
    for made in (
        props.BoolProperty,
        props.EnumProperty,
        props.FloatProperty,
        props.FloatVectorProperty,
        props.IntProperty,
        props.PointerProperty,
        props.StringProperty,
    )
)

# How many vertices tell a node that stores where its body was at rest whether the mesh has been moved since.
REST_SAMPLES = 8

# Where an input can come from: id -> (name, tooltip, the fields of a binding that it uses).
SOURCES = {
    "NONE": ("Not Set", "The node's default", ()),
    "REST": ("Mesh", "The mesh of an object without its modifiers; by default that of this object", ("object", "name")),
    "BODY": ("Body", "The object as its modifiers leave it in every frame; by default this object", ("object",)),
    "GROUP": ("Vertex Group", "The weights of a vertex group", ("name",)),
    "ATTRIBUTE": ("Attribute", "A named attribute of the mesh", ("name",)),
    "CURVES": ("Curves", "The direction of the nearest curve of an object, within the reach", ("object", "reach")),
    "WEIGHTS": ("Bone Weights", "The vertex groups named after the bones of an armature", ("object",)),
    "POSE": ("Pose", "The bones of an armature, as posed in every frame", ("object",)),
    "BONES": ("Rest Pose", "The bones of an armature in its rest position", ("object",)),
    "OBJECTS": ("Collection", "The objects of a collection, in alphabetical order", ("collection",)),
    "POINTS": (
        "Object's Points",
        "The vertices of a mesh, the points of a curve, or the roots of hair curves",
        ("object",),
    ),
    "PROPERTY": (
        "Custom Property",
        "An array among the custom properties of an object; it may be animated",
        ("object", "name"),
    ),
    "TEXT": ("Text", "Numbers in a text of this file, a line for each item", ("text",)),
    "FILE": ("File", "Numbers in a text file, a line for each item", ("path",)),
    "MUSCLES": ("Muscle Weights", "The vertex groups named after the muscles", ()),
    "KEYS": ("Shape Keys", "This object's mesh as its shape keys mix it in every frame, without modifiers", ()),
}

# Where an output can go to.
TARGETS = {
    "NONE": ("Not Used", "The output is not written to anything in Blender", ()),
    "UV": ("UV Map", "A UV map of this object", ("name",)),
    "ATTRIBUTE": ("Attribute", "An attribute of this object's mesh", ("name",)),
    "SHAPE": ("Shape", "This object's own shape, by a modifier that moves its vertices", ("name",)),
    "POINTS": ("Points", "The vertices of a mesh object", ("object",)),
    "CURVES": (
        "Curves",
        "The points of a curve object, a curve for each item of the port that holds their counts",
        ("object",),
    ),
    "HAIR": ("Hair Curves", "Each curve of a hair object is carried by its own matrix", ("object",)),
    "OBJECTS": ("Collection", "The transforms of a collection's objects, in alphabetical order", ("collection",)),
    "PROPERTY": ("Custom Property", "An array among the custom properties of this object", ("name",)),
}


def sources_of(kind, port):
    """The sources that fit an input port; the first is the default."""
    if port.kind == "mesh":
        return ("REST",)
    if port.quantity == "transform":
        order = ("BONES", "POSE") if port.at_rest else ("POSE", "BONES")
        return (*order, "OBJECTS") if port.required else ("NONE", *order, "OBJECTS")
    if port.domain == "influence" or (port.domain == "vertex" and port.kind == "ints"):
        return ("WEIGHTS",)
    if port.domain == "vertex" and port.quantity == "position":
        return ("BODY", "REST", "ATTRIBUTE", "KEYS") if port.required else ("NONE", "KEYS", "ATTRIBUTE", "BODY", "REST")
    if port.domain in ("vertex", "face", "corner"):
        if port.components == 1 and port.domain == "vertex":
            return ("NONE", "GROUP", "ATTRIBUTE")
        return ("NONE", "ATTRIBUTE", "CURVES") if port.quantity == "direction" else ("NONE", "ATTRIBUTE")
    if port.quantity == "position":
        return ("NONE", "POINTS", "OBJECTS", "TEXT", "FILE")
    return ("NONE", "PROPERTY", "TEXT", "FILE", *(("MUSCLES",) if are_muscle_weights(kind, port) else ()))


def are_muscle_weights(kind, port):
    """Whether an input belongs to a list of muscles for each vertex: it counts them, or has an item for each."""
    counts = port.counted_by or port.id
    return any(p.index_of == "muscle" and p.counted_by == counts for p in kind.inputs)


def targets_of(port):
    """The targets that fit an output port; the first is the default."""
    if port.quantity == "uv" and port.domain == "corner":
        return ("UV", "NONE")
    if port.domain in ("vertex", "face", "corner"):
        whole_shape = port.domain == "vertex" and port.quantity == "position"
        attributes = ("NONE", "ATTRIBUTE") if port.components in (1, 2, 3, 16) else ("NONE",)
        return (*attributes, "SHAPE") if whole_shape else attributes
    if port.quantity == "transform":
        return ("NONE", "OBJECTS", "HAIR")
    if port.quantity == "position":
        return ("NONE", "CURVES") if port.counted_by else ("NONE", "POINTS")
    return ("NONE", "PROPERTY")


# Paths may begin with // for the folder of the file; from 4.5 on, Blender requires a flag for that.
RELATIVE = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()


# Called with the object when someone changes what a node computes; set by the handlers, which import this module.
on_change = None
# Called with the object when its frame is shown in another way.
on_show = None


@guard.setting
def changed(group, _context):
    """Someone changed what a node computes: it is computed anew."""
    on_change(group.id_data)


@guard.setting
def shown_otherwise(group, _context):
    """Someone chose another way to show what a node computes: live, or from a bake."""
    on_show(group.id_data)


def enum(table, ids, port):
    items = [(key, *table[key][:2], k) for k, key in enumerate(ids)]
    return EnumProperty(name=port.title, description=port.doc, items=items, default=ids[0], update=changed)


def binding(table, ids, port, arrow):
    """A property group for one port, with the fields that its sources or targets use."""
    fields = {field for key in ids for field in table[key][2]}
    made = {"choice": enum(table, ids, port)}
    default_name = f"Sinew {port.title}" if arrow == "out" else ""
    if "name" in fields:
        made["name"] = StringProperty(name="Name", description=port.doc, default=default_name, update=changed)
    if "UV" in ids:
        # Should the map be deleted, it comes back as it was.
        made["rendered"] = StringProperty(
            name="Rendered", description="The UV map, if it was the one that is active for rendering"
        )
        made["selected"] = StringProperty(name="Selected", description="The UV map, if it was the one that is selected")
    if "object" in fields:
        made["object"] = PointerProperty(type=bpy.types.Object, name="Object", description=port.doc, update=changed)
    if "collection" in fields:
        made["collection"] = PointerProperty(
            type=bpy.types.Collection, name="Collection", description=port.doc, update=changed
        )
    if "text" in fields:
        made["text"] = PointerProperty(type=bpy.types.Text, name="Text", description=port.doc, update=changed)
    if "path" in fields:
        made["path"] = StringProperty(
            name="File", description=port.doc, subtype="FILE_PATH", options={"ANIMATABLE"} | RELATIVE, update=changed
        )
    if "reach" in fields:
        made["reach"] = FloatProperty(
            name="Reach",
            description="The distance within which vertices follow a curve",
            default=0.05,
            min=0,
            unit="LENGTH",
            update=changed,
        )
    return made


# The precision of Blender's properties and of its scale of the scene, together.
SINGLE = 2e-7


# The library's units that Blender converts to those of the scene: the unit of a property, and the power of length in
# it.
UNITS = {"m": ("LENGTH", 1), "m/s": ("VELOCITY", 1), "m/s^2": ("ACCELERATION", 1), "s": ("TIME_ABSOLUTE", 0)}


def to_library(param, value, metres_per_unit):
    """A property's value in the unit of the parameter's description. Properties have single precision: one at the limit
    of its range is exactly there."""
    if param.kind != "real":
        return value
    found = float(value) * metres_per_unit ** UNITS.get(param.unit, ("", 0))[1]
    limits = (limit for limit in (param.minimum, param.maximum) if math.isclose(found, limit, rel_tol=SINGLE))
    return next(limits, found)


def is_hosts(param):
    """Whether the scene sets a parameter, not the user: the frame rate."""
    return param.id == "fps"


def prop_of(param, update=changed):
    """The Blender property of a parameter; `update` is called when someone changes it."""
    unit, power = UNITS.get(param.unit, ("NONE", 0))
    name = param.title if unit != "NONE" or not param.unit else f"{param.title} ({param.unit})"
    common = {"name": name, "description": param.doc, "update": update}
    if param.kind == "bool":
        return BoolProperty(default=bool(param.default), **common)
    if param.kind == "choice":
        items = [(c.id, c.title, c.doc, k) for k, c in enumerate(param.choices)]
        return EnumProperty(items=items, default=param.default, **common)
    if param.kind == "text":
        return StringProperty(
            default=param.default,
            subtype="FILE_PATH" if param.files else "NONE",
            options={"ANIMATABLE"} | (RELATIVE if param.files else set()),
            **common,
        )
    ranges = {
        "min": param.minimum,
        "max": param.maximum,
        "soft_min": param.soft_minimum,
        "soft_max": param.soft_maximum,
    }
    if param.kind == "int":
        limit = 2**31 - 1
        ranges = {key: int(max(-limit, min(limit, value))) for key, value in ranges.items()}
        return IntProperty(default=int(param.default), step=max(1, int(param.step)), **ranges, **common)
    # A minimum in metres cannot follow the scene's unit: lengths are limited only in sign; the library checks the rest.
    if power:
        ranges = {key: value for key, value in ranges.items() if value == 0}
    precision = 3 if abs(param.default) >= 0.01 or param.default == 0 else 6
    return FloatProperty(
        default=param.default,
        step=max(0.1, 100 * param.step) if param.step else 10,
        precision=precision,
        unit=unit,
        **ranges,
        **common,
    )


def class_of(name, annotations, doc):
    return type(name, (bpy.types.PropertyGroup,), {"__annotations__": annotations, "__doc__": doc})


def classes_of(kind):
    """The property groups of a kind of node: those of its ports, then its own."""
    made, fields = [], {}
    for arrow, ports in (("in", kind.inputs), ("out", kind.outputs)):
        for port in ports:
            table, ids = (SOURCES, sources_of(kind, port)) if arrow == "in" else (TARGETS, targets_of(port))
            one = class_of(f"SINEW_PG_{kind.id}_{arrow}_{port.id}", binding(table, ids, port, arrow), port.doc)
            made.append(one)
            fields[f"{arrow}_{port.id}"] = PointerProperty(type=one, name=port.title, description=port.doc)
    for param in kind.params:
        if not is_hosts(param):
            fields[f"param_{param.id}"] = prop_of(param)
    own = class_of(f"SINEW_PG_{kind.id}", fields, kind.doc)
    return [*made, own], own


def node_class(own):
    """A node on an object, whatever its kind."""
    fields = {
        "name": StringProperty(name="Name", description="What the node is called in the list"),
        "kind": StringProperty(name="Kind", description="The node's permanent id"),
        "uid": StringProperty(name="Key", description="Tells the nodes of an object apart"),
        "live": BoolProperty(
            name="Live", description="Compute while the timeline moves", default=True, update=shown_otherwise
        ),
        "use_start": BoolProperty(
            name="Own Start", description="Begin at a chosen frame instead of the scene's first one", update=changed
        ),
        "coloured": StringProperty(
            name="In Colours", description="The map or result that is shown as colours on the body"
        ),
        "bones": StringProperty(name="Bones", description="The bones of the armature, as the node's muscles name them"),
        "rest_samples": FloatVectorProperty(
            name="Rest Samples",
            description="Some vertices of that mesh, if the node stores where it was",
            size=3 * REST_SAMPLES,
        ),
        "own_rest": BoolProperty(name="Own Rest", description="Whether the node stores where its body was at rest"),
        "rest_world": FloatVectorProperty(
            name="Rest", description="The body's world matrix at rest, as this node uses it, row by row", size=16
        ),
        "start": IntProperty(
            name="Start", description="The frame in which the motion begins", default=1, update=changed
        ),
        "use_bake": BoolProperty(
            name="Use Bake", description="Show the baked frames instead of computing", update=shown_otherwise
        ),
        "bake_path": StringProperty(
            name="Bake",
            description="The file with the baked frames; beside this file by default",
            subtype="FILE_PATH",
            options={"ANIMATABLE"} | RELATIVE,
            update=shown_otherwise,
        ),
    }
    fields.update({f"of_{kind}": PointerProperty(type=one) for kind, one in own.items()})
    return class_of("SINEW_PG_node", fields, "A node of Sinew on an object")


_classes = []


def settings(item):
    """The properties of a node on an object, those of its kind; None when the library has no such kind."""
    return getattr(item, f"of_{item.kind}", None)


def source(settings, port):
    """Where an input of a node comes from: a key of SOURCES."""
    return getattr(settings, f"in_{port.id}").choice


def rest_world_of(item):
    """Where the body at rest is, if the node keeps that; otherwise it is where the motion begins."""
    return np.array(item.rest_world, np.float64).reshape(4, 4) if item.own_rest else None


def new_node(ob, kind):
    """Adds a node with its defaults to an object."""
    item = ob.sinew.nodes.add()
    item.name, item.kind, item.uid = kind.title, kind.id, uuid.uuid4().hex
    ob.sinew.active = len(ob.sinew.nodes) - 1
    lock_interface(bpy.context.scene)
    return item


def lock_interface(scene):
    """Renders change frames in a thread of their own: Blender can crash if windows meanwhile draw what handlers
    write."""
    scene.render.use_lock_interface = True


def register():
    own = {}
    for kind in host.kinds().values():
        classes, own[kind.id] = classes_of(kind)
        _classes.extend(classes)
    node = node_class(own)
    on_object = class_of(
        "SINEW_PG_object",
        {
            "nodes": props.CollectionProperty(type=node, override=OVERRIDABLE | {"USE_INSERTION"}),
            "active": IntProperty(name="Active Node", description="The node whose settings are shown"),
        },
        "The nodes of Sinew on an object",
    )
    _classes.extend((node, on_object))
    for one in _classes:
        bpy.utils.register_class(one)
    bpy.types.Object.sinew = PointerProperty(type=on_object)


def unregister():
    del bpy.types.Object.sinew
    for one in reversed(_classes):
        bpy.utils.unregister_class(one)
    _classes.clear()
