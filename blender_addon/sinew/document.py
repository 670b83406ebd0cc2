"""Authored documents: strand scenes, muscle sets and plans, read, edited, checked and written by the library without
loss."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_double, c_int32, c_uint32, c_uint64
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import abi
from .arrays import Mesh, mesh_struct, reals
from .handle import Handle, OnLog, OnProgress
from .library import Library, default_library
from .muscles import Rig
from .values import error, path_text

# Bytes for most scenes as data, which are then made once.
ROOM = 1 << 20


@dataclass(frozen=True)
class Fault:
    """What is wrong at an element: `weight` is "unreadable", "error" if the document cannot be built, "unknown" where
    no table knows an element or attribute, or "warning"."""

    weight: str
    element: int | None
    path: str
    attribute: str | None
    line: int
    message: str

    @property
    def is_error(self) -> bool:
        """Whether it keeps the document from being built as it is."""
        return self.weight != "warning"


class Element:
    """An element of a document as it is now. It is read again, with all that it contains, once something in the
    document has been edited; when the document is closed, it stays as it was read last.

    Elements are equal if they are the same one of the same document."""

    def __init__(self, document: Document, data: dict[str, Any]):
        self.document, self.id, self.tag = document, data["id"], data["element"]
        self._keep(data)

    def _keep(self, data):
        self._edits, self._data = self.document.edits, data
        self._children = [Element(self.document, child) for child in data["children"]]

    def _now(self):
        if self._edits != self.document.edits:
            self._keep(self.document._read(self.id))
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and (self.document, self.id) == (other.document, other.id)

    def __hash__(self) -> int:
        return hash((self.document, self.id))

    def __repr__(self) -> str:
        return f"<Element {self.id}: {self.tag}>"

    @property
    def line(self) -> int:
        """Its line in the file that was read; 0 if it was added."""
        return self._data["line"]

    @property
    def attributes(self) -> dict[str, str]:
        """The texts of its attributes."""
        return dict(self._now()._data["attributes"])

    @property
    def numbers(self) -> dict[str, list[float]]:
        """The numbers of its attributes, or of their defaults."""
        return {name: list(numbers) for name, numbers in self._now()._data["numbers"].items()}

    @property
    def places(self) -> dict[str, np.ndarray]:
        """Where its attributes place it in the host's world (4 x 4)."""
        return {name: np.reshape(numbers, (4, 4)) for name, numbers in self._now()._data["places"].items()}

    @property
    def called(self) -> str:
        """The name by which reports and events know what ties a point."""
        return self._now()._data.get("called", "")

    @property
    def children(self) -> list[Element]:
        """What it contains."""
        return list(self._now()._children)

    def get(self, name: str, default: str | None = None) -> str | None:
        """An attribute's text."""
        return self._now()._data["attributes"].get(name, default)

    def number(self, name: str) -> float:
        """The only number of an attribute."""
        found = self.numbers.get(name, [])
        if len(found) != 1:
            code = abi.SINEW_COUNT_MISMATCH if found else abi.SINEW_NOT_FOUND
            raise error(f"{self._said(name)} has {len(found) or 'no'} numbers, not one", code)
        return found[0]

    def place(self, name: str = "at") -> np.ndarray:
        """The point where an attribute places it."""
        places = self.places
        if name not in places:
            raise error(f"{self._said(name)} is no place of it", abi.SINEW_NOT_FOUND)
        return places[name][:3, 3]

    def _said(self, name):
        """An attribute in messages."""
        own = self.get("name")
        return f"line {self.line}: " * bool(self.line) + self.tag + (f' "{own}"' if own else "") + f': "{name}"'

    def elements(self, *tags: str) -> list[Element]:
        """The elements in it, or those of some kinds."""
        return [e for e in self.children if not tags or e.tag in tags]

    def find(self, tag: str, name: str) -> Element | None:
        """The first element in it of a kind and name, or None."""
        return next((e for e in self.elements(tag) if e.get("name") == name), None)

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()

    def set(self, name: str, text: str | None) -> None:
        """Sets the text of an attribute; None leaves it out."""
        if text != self.document.get(self.id, name):
            self.document.set(self.id, name, text)

    def set_numbers(self, name: str, values: ArrayLike) -> None:
        """Sets the numbers of an attribute, or its only one."""
        self.document.set_numbers(self.id, name, values)

    def set_place(self, name: str, axes: ArrayLike) -> None:
        """Places it in the host's world (4 x 4, rigid)."""
        self.document.set_place(self.id, name, axes)

    def add(self, tag: str, attributes: Mapping[str, str | None] | Sequence[tuple[str, str | None]] = ()) -> Element:
        """A new element in it, where elements of its kind belong; none if an attribute is refused."""
        made = self.document.add(self.id, tag)
        try:
            for name, text in dict(attributes).items():
                if text is not None:
                    self.document.set(made, name, text)
        except BaseException:
            self.document.remove(made)
            raise
        return self.document.read(made)

    def remove(self) -> None:
        """Removes it from the document."""
        self.document.remove(self.id)


def other_side(name: str, *, library: Library | None = None) -> str:
    """A name with left and right swapped; the same where it has no side."""
    return (library or default_library()).text("mirrored_name", name)


def starting_numbers(element: str, measure: float, *, library: Library | None = None) -> dict[str, list[float]]:
    """The numbers with which hosts begin an element that users draw, by attribute: of a "strand" in a scene of a size,
    or of a "reel", "muscle" or "hill" of a strength in N; 0 stands for 100."""
    return json.loads((library or default_library()).text("starting_numbers", element, measure))


def rod_inertia(
    end: ArrayLike, metres_per_unit: float, density: float = 0.0, *, library: Library | None = None
) -> dict[str, list[float]]:
    """Those of the "inertia" of a bone without a shape: a rod from its origin to an end in its own axes. `density` is
    in kg/m^3; 0 stands for that of bone."""
    at = reals(end, 3)
    return json.loads((library or default_library()).text("rod_inertia", at, metres_per_unit, density))


class Document(Handle):
    """A document, whose numbers are in the host's unit and axes (`set_space`; before that, in its own); elements are
    numbers. `close` it, or use it in a `with` block.

    `threads`, `on_progress` and `on_log` are those of a Node: progress is heard, and may stop, what mirrors, copies,
    expands or checks it; so can `cancel`."""

    _kind = "document"
    # How often it may have been changed.
    edits = 0

    @classmethod
    def new(
        cls,
        kind: str,
        metres_per_unit: float = 1.0,
        up_axis: int = abi.SINEW_UP_Y,
        *,
        threads: int = 0,
        on_progress: OnProgress | None = None,
        on_log: OnLog | None = None,
        library: Library | None = None,
    ) -> Document:
        """An empty one of a type: strand_scene, muscle_set, muscle_plan."""
        made = cls(abi.SinewDocument(), library, on_progress, on_log)
        return made._made(threads, "create", kind, metres_per_unit, up_axis)

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        threads: int = 0,
        on_progress: OnProgress | None = None,
        on_log: OnLog | None = None,
        library: Library | None = None,
    ) -> Document:
        """From its text."""
        return cls(abi.SinewDocument(), library, on_progress, on_log)._made(threads, "parse", text)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        threads: int = 0,
        on_progress: OnProgress | None = None,
        on_log: OnLog | None = None,
        library: Library | None = None,
    ) -> Document:
        """From a file."""
        return cls(abi.SinewDocument(), library, on_progress, on_log)._made(threads, "load", path_text(path))

    def _made(self, threads, name, *arguments):
        with self._context(threads) as context:
            self.library.call("document_" + name, *arguments, byref(self.handle))
            self._call("set_context", context)
        return self

    def _edit(self, name, *arguments):
        self.edits += 1
        self._call(name, *arguments)

    def text(self) -> str:
        """The file."""
        return self._text("text")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, and beside it the meshes that mirroring made."""
        self._call("save", path_text(path))

    def set_space(self, metres_per_unit: float, up_axis: int = abi.SINEW_UP_Y) -> None:
        """The unit and axes of numbers from now on."""
        self._edit("set_space", metres_per_unit, up_axis)

    @property
    def root(self) -> int:
        """The root element."""
        return self._list(abi.SINEW_NO_ELEMENT, None)[0]

    def children(self, element: int, name: str | None = None) -> list[int]:
        """The elements in an element, or those of one name."""
        return self._list(element, name)

    def _list(self, element, name):
        count = c_uint64()
        self._call("list", element, name, None, 0, byref(count))
        found = (c_uint32 * max(count.value, 1))()
        self._call("list", element, name, found, count.value, byref(count))
        return list(found[: count.value])

    def read(self, element: int | None = None) -> Element:
        """An element with all that it contains, by default the root element."""
        return Element(self, self._read(self.root if element is None else element))

    def _read(self, element):
        return json.loads(self._text("read", element, room=ROOM))

    def describe(self, element: int) -> dict[str, Any]:
        """What an element is: {"element", "line", "attributes"}."""
        return json.loads(self._text("element", element))

    def get(self, element: int, attribute: str) -> str | None:
        """The text of an attribute; None if it is left out."""
        is_there = c_int32()
        text = self._text("get_text", element, attribute, after=(byref(is_there),))
        return text if is_there.value else None

    def set(self, element: int, attribute: str, value: str | None) -> None:
        """Sets the text of an attribute; None leaves it out."""
        self._edit("set_text", element, attribute, value)

    def numbers(self, element: int, attribute: str) -> list[float] | None:
        """The numbers of an attribute, or of its default; None if it has neither."""
        found, count = (c_double * 16)(), c_uint64()
        self._call("get_numbers", element, attribute, found, len(found), byref(count))
        return list(found[: count.value]) or None

    def set_numbers(self, element: int, attribute: str, values: ArrayLike) -> None:
        """Sets the numbers of an attribute, or its only one."""
        numbers = reals(values)
        self._edit("set_numbers", element, attribute, numbers, len(numbers))

    def place(self, element: int, attribute: str = "at") -> np.ndarray | None:
        """Where an attribute places an element now, in the host's world (4 x 4); None if it is left out."""
        axes, is_there = (c_double * 16)(), c_int32()
        self._call("get_place", element, attribute, axes, byref(is_there))
        return np.array(axes).reshape(4, 4) if is_there.value else None

    def set_place(self, element: int, attribute: str, axes: ArrayLike) -> None:
        """Places an element in the host's world (4 x 4, rigid)."""
        self._edit("set_place", element, attribute, reals(axes, 16))

    def mesh(self, element: int) -> Mesh:
        """The mesh that a shape names."""
        found = abi.SinewMesh()
        self._call("mesh", element, byref(found))
        positions = np.ctypeslib.as_array(
            (c_double * (3 * found.positions.count)).from_address(found.positions.data or 0)
        ).reshape(-1, 3)
        sizes, corners = (
            np.ctypeslib.as_array(array, (count,)).copy() if count else np.zeros(0, np.uint32)
            for array, count in ((found.face_sizes, found.face_count), (found.corner_vertices, found.corner_count))
        )
        return Mesh(positions.copy(), sizes, corners)

    def set_mesh(self, element: int, mesh: Mesh) -> bytes:
        """Gives a shape a mesh, which is written to its file when the document is saved; returns that file's bytes."""
        self._edit("set_mesh", element, byref(mesh_struct(mesh)))
        return self._data("mesh_file", element).tobytes()

    def joints(self) -> dict[str, np.ndarray]:
        """Where the joints of the animations that lead bodies are at rest, {name: 4 x 4}; reads their files."""
        # What they lead is placed once they are known.
        self.edits += 1
        return {name: np.array(axes).reshape(4, 4) for name, axes in json.loads(self._text("joints")).items()}

    def set_joint(self, name: str, axes: ArrayLike) -> None:
        """Where a joint of an animation is at rest, for a document whose files are elsewhere."""
        self._edit("set_joint", name, reals(axes, 16))

    def single(self, name: str) -> int:
        """The element of a muscle by its name; those that one element stood for become elements of their own."""
        found = c_uint32()
        self._edit("single", name, byref(found))
        return found.value

    def add(self, element: int, name: str, after: int | None = None) -> int:
        """Adds an element: behind `after`, or where elements of its kind belong."""
        added = c_uint32()
        self._edit("add", element, name, abi.SINEW_NO_ELEMENT if after is None else after, byref(added))
        return added.value

    def remove(self, element: int) -> None:
        """Removes an element and all that it contains."""
        self._edit("remove", element)

    def rename(self, element: int, name: str) -> int:
        """Renames an element, also where others name it; returns how many attributes followed."""
        followed = c_uint32()
        self._edit("rename", element, name, byref(followed))
        return followed.value

    def expand(self) -> int:
        """Makes an element of each muscle that stands for several; returns how many were added."""
        added = c_uint32()
        self._edit("expand", byref(added))
        return added.value

    def mirror(self, axis: int = 0, rig: Rig | None = None) -> int:
        """Mirrors at the plane perpendicular to an axis of the host's space, or a muscle set between the sides of a
        rig; returns how many parts were added."""
        added = c_uint32()
        self._edit("mirror", axis, byref(rig.struct()) if rig is not None else None, byref(added))
        return added.value

    def copy(self, source: Rig, target: Rig) -> None:
        """Copies a muscle set from one rig to another."""
        self._edit("copy", byref(source.struct()), byref(target.struct()))

    def faults(self) -> list[Fault]:
        """All that is wrong with it, in the order of its elements."""
        return [Fault(**fault) for fault in json.loads(self._text("check"))["faults"]]

    def warnings(self) -> list[str]:
        """What the last call that mirrored, copied or expanded it warned of."""
        return json.loads(self._text("check"))["warnings"]
