"""The list of a body's muscles."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty, StringProperty

from ..sinew.loader import Error
from . import guard, muscle_numbers, muscles, properties, runtime
from .problem import Problem
from .properties import OVERRIDABLE


@guard.setting
def _chosen(group, _context):
    muscles.highlight(group.id_data)


@guard.setting
def _renamed(muscle, _context):
    """Someone renamed a muscle in the list: the set, its vertex group and the mesh that is sculpted follow."""
    if runtime.is_busy():
        return
    ob = muscle.id_data
    old = muscle.name
    try:
        before, now = muscles.names_of(muscles.node_of(ob)), [one.name for one in ob.sinew_muscles.names]
        old = next((old for old, new in zip(before, now) if old != new), old)
        runtime.check_writable(ob)
        rename(ob, muscle, old)
    except (Problem, Error) as problem:
        print(f"Sinew: {ob.name}, {old}: {problem}")
        with runtime.busy():
            muscle.name = old


def rename(ob, muscle, old):
    """Gives a muscle the name that it has in the list; one that another muscle or vertex group has gets a number, as
    Blender does."""
    others = {one.name for one in ob.sinew_muscles.names if one != muscle} | set(ob.vertex_groups.keys()) - {old}
    wanted, ends = muscle.name or old, ("", *(f".{k:03}" for k in range(1, len(others) + 2)))
    name = next(made for made in (muscles.cut(wanted, end) for end in ends) if made not in others)
    with runtime.busy():
        muscle.name = name
    if name == old:
        return
    muscle_numbers.change(ob, [old], "name", name)
    if old in ob.vertex_groups:
        ob.vertex_groups[old].name = name
    sculpted = muscles.shown(ob, "sculpt")
    if sculpted is not None:
        names = sculpted.data.get("sinew_muscles", "").split("\n")
        sculpted.data["sinew_muscles"] = "\n".join(name if one == old else one for one in names)


def muscle_class():
    """A muscle in the list, with its numbers."""
    fields = {
        "name": StringProperty(
            name="Name", description="What the muscle is called in the set", update=_renamed, override=OVERRIDABLE
        ),
        **muscle_numbers.annotations(),
    }
    return properties.class_of("SINEW_PG_muscle", fields, "A muscle in the list")


def muscles_class(muscle):
    """The muscles of a body."""
    fields = {
        "names": CollectionProperty(type=muscle, override=OVERRIDABLE | {"USE_INSERTION"}),
        "active": IntProperty(
            name="Chosen Muscle",
            description="It is shown in another colour, sculpted and painted",
            update=_chosen,
            override=OVERRIDABLE,
        ),
        "live": PointerProperty(
            type=bpy.types.Object, name="Muscles", description="The mesh of the muscles as they move"
        ),
        "sculpt": PointerProperty(
            type=bpy.types.Object,
            name="Sculpted Muscles",
            description="The mesh of the muscles at rest, to be sculpted",
        ),
        "body": PointerProperty(type=bpy.types.Object, name="Body", description="Whose muscles this mesh shows"),
    }
    return properties.class_of("SINEW_PG_muscles", fields, "The muscles of a body")


_classes = []


def register():
    muscle = muscle_class()
    _classes.extend((muscle, muscles_class(muscle)))
    for one in _classes:
        bpy.utils.register_class(one)
    bpy.types.Object.sinew_muscles = PointerProperty(type=_classes[-1], override=OVERRIDABLE)


def unregister():
    del bpy.types.Object.sinew_muscles
    for one in reversed(_classes):
        bpy.utils.unregister_class(one)
    _classes.clear()
    muscles.forget()
    muscle_numbers.forget()
