"""Muscle sets: created, fitted, mirrored, copied, sculpted. The text of a set goes to the parameter `muscles` of the
node."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable, Mapping, Sequence
from ctypes import POINTER, byref, c_char_p, c_int32, c_uint32
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import abi
from .arrays import Mesh, fitting, mesh_struct, packed, reals, view
from .handle import Handle, OnLog, OnProgress
from .library import Library, default_library
from .values import error, given, struct


def joined(names: Iterable[str]) -> str:
    """Names in the form of the parameter `joint_names`: those with a comma, a quote or surrounding spaces are
    quoted."""
    special = lambda name: "," in name or '"' in name or name.strip() != name
    return ",".join('"' + name.replace('"', '""') + '"' if special(name) else name for name in names)


@dataclass
class Rig:
    """A character at rest, in the world: the names of its joints, their matrices (n x 16, row by row, the place in
    elements 3, 7 and 11), and its skin or None.

    `parents` holds the index of each joint's parent, -1 for a root; `chosen` the joints of roles that are not to be
    found, such as {"forearm.L": "joint7"}."""

    names: list[str]
    rest: np.ndarray
    skin: Mesh | None = None
    metres_per_unit: float = 1.0
    up_axis: int = abi.SINEW_UP_Y
    parents: Sequence[int] | None = None
    chosen: Mapping[str, str] | None = None

    def struct(self) -> abi.SinewRig:
        """The library's view of it."""
        count = len(self.names)
        names = (c_char_p * count)(*(given(name, c_char_p) for name in self.names))
        rest, skin = view(fitting(self.rest), 16), mesh_struct(self.skin) if self.skin else None
        parents, roles = self._parents(count), self._chosen()
        made = struct(
            abi.SinewRig,
            up_axis=self.up_axis,
            metres_per_unit=self.metres_per_unit,
            joint_count=count,
            joint_names=names,
            rest_joints=rest,
            skin=ctypes.pointer(skin) if skin else None,
            joint_parents=parents.ctypes.data_as(POINTER(c_int32)) if parents is not None else None,
            joint_roles=roles,
        )
        made.keep = (names, rest, skin, parents, roles)
        return made

    def _parents(self, count):
        if self.parents is None:
            return None
        found = packed(self.parents, np.int32)
        if len(found) != count:
            message = f"{len(found)} parents for {count} joints: each joint needs one, or -1"
            raise error(message, abi.SINEW_COUNT_MISMATCH)
        return found

    def _chosen(self):
        """The chosen role of each joint."""
        if not self.chosen:
            return None
        roles = dict.fromkeys(self.names)
        for role, joint in self.chosen.items():
            if joint not in roles:
                message = f'"{joint}" is chosen for the role "{role}", but the rig has no such joint'
                raise error(message, abi.SINEW_NOT_FOUND)
            if roles[joint] is not None:
                message = f'"{joint}" is chosen for two roles, "{roles[joint]}" and "{role}"'
                raise error(message, abi.SINEW_INVALID_ARGUMENT)
            roles[joint] = role
        return (c_char_p * len(self.names))(*(given(roles[name], c_char_p) for name in self.names))

    def roles(self, *, library: Library | None = None) -> dict[str, Any]:
        """What the joints do: "roles" with their joints and how sure they are, "helpers", "parts" of the body with all
        roles that panels list, and "warnings"."""
        return json.loads((library or default_library()).text("rig_roles", byref(self.struct())))


@dataclass(frozen=True)
class Physique:
    """Factors of all muscles; `id` names a known one."""

    id: str
    bulge: float
    stiffness: float
    damping: float
    size: float
    weight: float = 1.0


def physiques(*, library: Library | None = None) -> list[Physique]:
    """Those that the library knows."""
    found: list[Physique] = []
    library = library or default_library()
    while True:
        info = abi.SinewPhysique()
        status = library.raw.sinew_physique_info(len(found), byref(info))
        if status == abi.SINEW_NOT_FOUND:
            return found
        library.check(status)
        found.append(Physique(info.id.decode(), info.bulge, info.stiffness, info.damping, info.size, info.weight))


class MuscleSet(Handle):
    """A set, from its XML; use it in a `with` block. Operations that leave something out say so in `warnings`.

    `threads`, `on_progress` and `on_log` are those of a Node: progress is heard, and may stop, what makes, changes,
    weighs or tests the set; so can `cancel`."""

    _kind = "muscles"

    def __init__(
        self,
        xml: str = "",
        on_progress: OnProgress | None = None,
        *,
        threads: int = 0,
        on_log: OnLog | None = None,
        library: Library | None = None,
    ):
        super().__init__(abi.SinewMuscles(), library, on_progress, on_log)
        with self._context(threads) as context:
            self.library.call("muscles_create", xml, byref(self.handle))
            self._call("set_context", context)

    @classmethod
    def fit(
        cls,
        rig: Rig,
        plan: str | None = None,
        on_progress: OnProgress | None = None,
        *,
        threads: int = 0,
        on_log: OnLog | None = None,
        library: Library | None = None,
    ) -> MuscleSet:
        """Fits the muscles of a plan (by default that of a human) to a rig, under its skin."""
        made = cls("", on_progress, threads=threads, on_log=on_log, library=library)
        try:
            made._call("place", plan, byref(rig.struct()))
        except BaseException:
            made.close()
            raise
        return made

    def add(
        self,
        rig: Rig,
        name: str,
        joints: tuple[str, str],
        ends: Sequence[ArrayLike | None] = (None, None),
        size: float = 0.0,
    ) -> None:
        """A straight muscle from one joint to another, or between points that they carry; with size 0 it is fitted to
        the skin."""
        points = [reals(end, 3) if end is not None else None for end in ends]
        if len(joints) != 2 or len(points) != 2:
            raise error("a muscle goes from one joint to another, and has two ends", abi.SINEW_COUNT_MISMATCH)
        self._call("add", byref(rig.struct()), name, *joints, *points, size)

    def remove(self, name: str) -> None:
        """Takes a muscle out."""
        self._call("remove", name)

    def mirror(self, axis: int) -> int:
        """Adds what is missing on the other side of the plane through the set's origin perpendicular to an axis, 0 to
        2; returns the number of parts added."""
        added = c_uint32()
        self._call("mirror", axis, byref(added))
        return added.value

    def mirror_on(self, rig: Rig) -> int:
        """Adds what is missing on the other side of a rig, wherever it stands; returns the number of parts added."""
        added = c_uint32()
        self._call("mirror_on", byref(rig.struct()), byref(added))
        return added.value

    def copy(self, source: Rig, target: Rig) -> None:
        """Transfers the set from one rig to another."""
        self._call("copy", byref(source.struct()), byref(target.struct()))

    def physique(self, factors: Physique) -> None:
        """Multiplies the numbers of all muscles by those of a Physique."""
        numbers = {name: getattr(factors, name) for name in ("bulge", "stiffness", "damping", "size", "weight")}
        self._call("physique", byref(struct(abi.SinewPhysique, **numbers)))

    def sculpt(self, rig: Rig, points: ArrayLike, frames: str | None = None) -> int:
        """Sculpts all muscles so that their vertices at rest lie at these points; returns how many differ from the
        unsculpted shape."""
        moved = c_uint32()
        array = view(fitting(points), 3)
        self._call("sculpt", byref(rig.struct()), frames, byref(array), byref(moved))
        return moved.value

    def weights(self, rig: Rig, nearest: int, reach: float, smooth: int) -> np.ndarray:
        """The default weights of muscles: a row for each vertex of the skin, a column for each muscle."""
        vertices = len(rig.skin.positions) if rig.skin else 0
        found = np.zeros((vertices, len(self.report()["muscles"])), np.float32)
        if found.size or rig.skin is None:
            self._call(
                "weights",
                byref(rig.struct()),
                nearest,
                reach,
                smooth,
                byref(view(found, found.shape[1], abi.SinewArrayMut)),
            )
        return found

    def range(self, rig: Rig, push: float = 1.0, degrees: float = 0.0, plan: str | None = None) -> list[str]:
        """Turns every joint through its range of motion; returns a sentence for each problem. `warnings` has those,
        too, and what could not be tested."""
        problems = c_uint32()
        self._call("range", byref(rig.struct()), plan, push, degrees, byref(problems))
        return self.warnings[: problems.value]

    def text(self) -> str:
        """Its XML."""
        return self._text("text")

    def report(self) -> dict[str, Any]:
        """What it holds: `muscles` with their names and shapes, `pads`, `bones`, and the last call's `warnings`."""
        return json.loads(self._text("report"))

    @property
    def warnings(self) -> list[str]:
        """What the last operation left out, or could not do."""
        return self.report()["warnings"]
