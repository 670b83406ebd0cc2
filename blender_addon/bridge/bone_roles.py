"""What the bones of an armature do: the library finds it, the user corrects it, in a custom property of the bone."""

from dataclasses import dataclass, field
from functools import lru_cache

import bpy
import numpy as np
from bpy.props import PointerProperty, StringProperty

from ..sinew import UP_Z
from ..sinew.loader import Error
from ..sinew.muscles import Rig
from . import host, properties
from .problem import Problem

# The custom property of a bone that says what it does, where that is not found
ROLE = "sinew_role"
# What panels can list of an armature at most
SLOTS = 160


@dataclass(frozen=True)
class Row:
    """A role: the bone that has it, how sure that is and why; no bone if none was found."""

    slot: int
    role: str
    title: str
    bone: str = ""
    certainty: str = ""
    why: str = ""


@dataclass(frozen=True)
class Found:
    """The roles by parts of the body, and what is wrong with all of them."""

    parts: list = field(default_factory=list)
    warnings: list = field(default_factory=list)

    def rows(self):
        return [row for _, rows in self.parts for row in rows]

    def row(self, role):
        return next((row for row in self.rows() if row.role == role), None)


def hierarchy(armature):
    """The names of the bones and the index of each one's parent."""
    names = [bone.name for bone in armature.bones]
    places = {name: k for k, name in enumerate(names)}
    return names, [places[bone.parent.name] if bone.parent else -1 for bone in armature.bones]


def chosen(armature):
    """The bones of roles that the user chose."""
    return {bone[ROLE]: bone.name for bone in armature.bones if isinstance(bone.get(ROLE), str) and bone[ROLE]}


def found(armature):
    """The roles of an armature's bones; kept until these change."""
    if host.library() is None:
        raise Problem(host.problem())
    names, parents = hierarchy(armature)
    places = np.empty(3 * len(names), np.float32)
    armature.bones.foreach_get("head_local", places)
    return _found(tuple(names), tuple(parents), tuple(sorted(chosen(armature).items())), places.tobytes())


@lru_cache(maxsize=8)
def _found(names, parents, chosen_roles, places):
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = np.frombuffer(places, np.float32).reshape(-1, 3)
    rig = Rig(list(names), rest.reshape(-1, 16), None, 1.0, UP_Z, parents, dict(chosen_roles))
    read = rig.roles(library=host.library())
    by_role = {each["role"]: each for each in read["roles"]}
    parts, slot = [], 0
    for part in read["parts"]:
        rows = []
        for each in part["roles"]:
            about = by_role.get(each["role"], {})
            why = about.get("why", "")
            if about.get("rivals"):
                why += f"; it may be {' or '.join(about['rivals'])}"
            rows.append(Row(slot, each["role"], each["title"], about.get("joint", ""), about.get("certainty", ""), why))
            slot += 1
        parts.append((part["title"], rows))
    return Found(parts, read["warnings"])


def is_editable(armature):
    """Whether roles can be chosen: not in a file that another one links."""
    return armature.library is None


def choose(armature, role, name):
    """Gives a role to the bone of that name; without one, it is found again."""
    if not is_editable(armature):
        raise Problem(f'"{armature.name}" comes from {armature.library.filepath}: choose the roles of bones there')
    for bone in armature.bones:
        if bone.get(ROLE) == role:
            del bone[ROLE]
    if name in armature.bones:
        armature.bones[name][ROLE] = role


def slot_property(slot):
    """The bone of the row at a place in the list, as a field of panels."""

    def row(group):
        try:
            rows = found(group.id_data).rows()
        except (Problem, Error):
            # The panel says what is wrong.
            return None
        return rows[slot] if slot < len(rows) else None

    def get(group):
        shown = row(group)
        return shown.bone if shown else ""

    def set_(group, name):
        try:
            shown = row(group)
            if shown is not None and name != shown.bone:
                choose(group.id_data, shown.role, name)
        except Problem as problem:
            print(f"Sinew: {problem}")

    return StringProperty(
        name="Bone",
        description="The bone that does this. Choose another one to correct it; empty the field to have it found again",
        options=set(),
        get=get,
        set=set_,
    )


def field_of(row):
    """The name of the property of a row."""
    return f"bone_{row.slot}"


_classes = []


def register():
    fields = {f"bone_{slot}": slot_property(slot) for slot in range(SLOTS)}
    _classes.append(properties.class_of("SINEW_PG_bone_roles", fields, "What the bones of an armature do"))
    bpy.utils.register_class(_classes[0])
    bpy.types.Armature.sinew_roles = PointerProperty(type=_classes[0])


def unregister():
    del bpy.types.Armature.sinew_roles
    bpy.utils.unregister_class(_classes.pop())
    _found.cache_clear()
