"""Muscle sets: created, fitted, mirrored, copied, sculpted. The text of a set goes to the parameter `muscles` of the
node."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable, Mapping, Sequence
from ctypes import byref, c_char_p, c_uint32
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import abi
from .library import Library, default_library
from .node import Mesh, OnProgress, given_bytes, mesh_struct, view


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
        names = (c_char_p * len(self.names))(*(name.encode() for name in self.names))
        skin = mesh_struct(self.skin) if self.skin else None
        made = abi.SinewRig(
            up_axis=self.up_axis,
            metres_per_unit=self.metres_per_unit,
            joint_count=len(self.names),
            joint_names=names,
            rest_joints=view(np.ascontiguousarray(self.rest, np.float64), 16),
        )
        if skin is not None:
            made.skin = ctypes.pointer(skin)
        parents = roles = None
        if self.parents is not None:
            made.joint_parents = parents = (ctypes.c_int32 * len(self.names))(*self.parents)
        if self.chosen:
            of = {joint: role.encode() for role, joint in self.chosen.items()}
            made.joint_roles = roles = (c_char_p * len(self.names))(*(of.get(name) for name in self.names))
        made.keep = (names, skin, made.rest_joints, parents, roles)
        return made

    def roles(self, *, library: Library | None = None) -> dict[str, Any]:
        """What the joints do: "roles" with their joints and how sure they are, "helpers", "parts" of the body with all
        roles that panels list, and "warnings"."""
        library, struct = library or default_library(), self.struct()
        return json.loads(given_bytes(lambda *buffer: library.call("rig_roles", byref(struct), *buffer)).tobytes())


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


class MuscleSet:
    """A set, from its XML; use it in a `with` block. Operations that leave something out say so in `warnings`.

    `on_progress(done, task)` is called while they run, from any thread, and stops them if it returns True."""

    def __init__(self, xml: str = "", on_progress: OnProgress | None = None, *, library: Library | None = None):
        self.library = library = library or default_library()
        self.handle, self.on_progress = abi.SinewMuscles(), on_progress
        # Kept, as the library calls it.
        self._callback = abi.PROGRESS(self._progress)
        library.call("muscles_create", xml.encode(), byref(self.handle))
        context = abi.SinewContext()
        try:
            library.call("context_create", byref(abi.SinewContextConfig(progress=self._callback)), byref(context))
            self._call("set_context", context)
        except BaseException:
            self.close()
            raise
        finally:
            library.raw.sinew_context_destroy(context)

    def _progress(self, _user, done, task):
        return 1 if self.on_progress and self.on_progress(done, task.decode("utf-8", "replace")) else 0

    @classmethod
    def fit(
        cls, rig: Rig, plan: str | None = None, on_progress: OnProgress | None = None, *, library: Library | None = None
    ) -> MuscleSet:
        """Fits the muscles of a plan (by default that of a human) to a rig, under its skin."""
        made = cls(on_progress=on_progress, library=library)
        try:
            made._call("place", plan.encode() if plan is not None else None, byref(rig.struct()))
        except BaseException:
            made.close()
            raise
        return made

    def close(self) -> None:
        """Destroys the set; it may be called again."""
        self.library.raw.sinew_muscles_destroy(self.handle)
        self.handle = abi.SinewMuscles()

    def __enter__(self) -> MuscleSet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, name, *arguments):
        self.library.call("muscles_" + name, self.handle, *arguments)

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
        points = [(ctypes.c_double * 3)(*np.ravel(end)) if end is not None else None for end in ends]
        self._call("add", byref(rig.struct()), name.encode(), *(joint.encode() for joint in joints), *points, size)

    def remove(self, name: str) -> None:
        """Takes a muscle out."""
        self._call("remove", name.encode())

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
        self._call(
            "physique",
            byref(
                abi.SinewPhysique(
                    bulge=factors.bulge,
                    stiffness=factors.stiffness,
                    damping=factors.damping,
                    size=factors.size,
                    weight=factors.weight,
                )
            ),
        )

    def sculpt(self, rig: Rig, points: ArrayLike, frames: str | None = None) -> int:
        """Sculpts all muscles so that their vertices at rest lie at these points; returns how many differ from the
        unsculpted shape."""
        moved = c_uint32()
        array = view(np.ascontiguousarray(points), 3)
        self._call("sculpt", byref(rig.struct()), frames and frames.encode(), byref(array), byref(moved))
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
        self._call("range", byref(rig.struct()), plan and plan.encode(), push, degrees, byref(problems))
        return self.warnings[: problems.value]

    def text(self) -> str:
        """Its XML."""
        return given_bytes(lambda *buffer: self._call("text", *buffer)).tobytes().decode()

    def report(self) -> dict[str, Any]:
        """What it holds: `muscles` with their names and shapes, `pads`, `bones`, and the last call's `warnings`."""
        return json.loads(given_bytes(lambda *buffer: self._call("report", *buffer)).tobytes())

    @property
    def warnings(self) -> list[str]:
        """What the last operation left out, or could not do."""
        return self.report()["warnings"]
