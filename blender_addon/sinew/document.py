"""Authored documents: strand scenes, muscle sets and plans, read, edited, checked and written by the library without
loss."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_double, c_int32, c_uint32, c_uint64
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import abi
from .library import Library, default_library
from .muscles import Rig
from .node import Mesh, given_bytes, mesh_struct

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


@dataclass(eq=False)
class Element:
    """An element as it was read: the texts of its attributes, their numbers, where they place it in the host's world (4
    x 4), and what it contains. `called` is the name by which reports and events know what ties a point. Changes go into
    the document."""

    document: Document
    id: int
    tag: str
    line: int
    attributes: dict[str, str]
    numbers: dict[str, list[float]]
    places: dict[str, np.ndarray]
    called: str = ""
    children: list[Element] = field(default_factory=list)

    def get(self, name: str, default: str | None = None) -> str | None:
        """An attribute's text."""
        return self.attributes.get(name, default)

    def number(self, name: str) -> float:
        """The only number of an attribute."""
        return self.numbers[name][0]

    def place(self, name: str = "at") -> np.ndarray:
        """The point where an attribute places it."""
        return self.places[name][:3, 3]

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
        if text != self.attributes.get(name):
            self.document.set(self.id, name, text)
            self.attributes.pop(name, None)
            if text is not None:
                self.attributes[name] = text

    def set_numbers(self, name: str, values: Sequence[float]) -> None:
        """Sets the numbers of an attribute."""
        self.document.set_numbers(self.id, name, values)
        self.attributes[name] = self.document.get(self.id, name) or ""

    def set_place(self, name: str, axes: ArrayLike) -> None:
        """Places it in the host's world (4 x 4, rigid)."""
        self.document.set_place(self.id, name, axes)
        self.attributes = self.document.describe(self.id)["attributes"]

    def add(self, tag: str, attributes: Mapping[str, str | None] | Sequence[tuple[str, str | None]] = ()) -> Element:
        """A new element in it, where elements of its kind belong."""
        made = self.document.add(self.id, tag)
        for name, text in dict(attributes).items():
            if text is not None:
                self.document.set(made, name, text)
        return self.document.read(made)

    def remove(self) -> None:
        """Removes it from the document."""
        self.document.remove(self.id)


def other_side(name: str, *, library: Library | None = None) -> str:
    """A name with left and right swapped; the same where it has no side."""
    return (
        given_bytes(lambda *buffer: (library or default_library()).call("mirrored_name", name.encode(), *buffer))
        .tobytes()
        .decode()
    )


class Document:
    """A document, whose numbers are in the host's unit and axes (`set_space`; before that, in its own); elements are
    numbers. `close` it, or use it in a `with` block."""

    def __init__(self, library: Library, handle: abi.SinewDocument):
        self.library, self.handle = library, handle

    @classmethod
    def new(
        cls, kind: str, metres_per_unit: float = 1.0, up_axis: int = abi.SINEW_UP_Y, *, library: Library | None = None
    ) -> Document:
        """An empty one of a type: strand_scene, muscle_set, muscle_plan."""
        return cls._made(library, "create", kind.encode(), metres_per_unit, up_axis)

    @classmethod
    def parse(cls, text: str, *, library: Library | None = None) -> Document:
        """From its text."""
        return cls._made(library, "parse", text.encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, library: Library | None = None) -> Document:
        """From a file."""
        return cls._made(library, "load", str(path).encode())

    @classmethod
    def _made(cls, library, name, *arguments):
        handle, library = abi.SinewDocument(), library or default_library()
        library.call("document_" + name, *arguments, byref(handle))
        return cls(library, handle)

    def close(self) -> None:
        """Destroys it; it may be called again."""
        self.library.raw.sinew_document_destroy(self.handle)
        self.handle = abi.SinewDocument()

    def __enter__(self) -> Document:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, name, *arguments):
        self.library.call("document_" + name, self.handle, *arguments)

    def _text(self, name, *arguments, more=(), room=0):
        return given_bytes(lambda *buffer: self._call(name, *arguments, *buffer, *more), room).tobytes().decode()

    def text(self) -> str:
        """The file."""
        return self._text("text")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, and beside it the meshes that mirroring made."""
        self._call("save", str(path).encode())

    def set_space(self, metres_per_unit: float, up_axis: int = abi.SINEW_UP_Y) -> None:
        """The unit and axes of numbers from now on."""
        self._call("set_space", metres_per_unit, up_axis)

    @property
    def root(self) -> int:
        """The root element."""
        return self._list(abi.SINEW_NO_ELEMENT, None)[0]

    def children(self, element: int, name: str | None = None) -> list[int]:
        """The elements in an element, or those of one name."""
        return self._list(element, name)

    def _list(self, element, name):
        name, count = name.encode() if name is not None else None, c_uint64()
        self._call("list", element, name, None, 0, byref(count))
        found = (c_uint32 * max(count.value, 1))()
        self._call("list", element, name, found, count.value, byref(count))
        return list(found[: count.value])

    def read(self, element: int | None = None) -> Element:
        """An element with all that it contains, by default the root element."""
        return self._element(json.loads(self._text("read", self.root if element is None else element, room=ROOM)))

    def _element(self, data):
        places = {name: np.reshape(numbers, (4, 4)) for name, numbers in data["places"].items()}
        return Element(
            self,
            data["id"],
            data["element"],
            data["line"],
            data["attributes"],
            data["numbers"],
            places,
            data.get("called", ""),
            [self._element(child) for child in data["children"]],
        )

    def describe(self, element: int) -> dict[str, Any]:
        """What an element is: {"element", "line", "attributes"}."""
        return json.loads(self._text("element", element))

    def get(self, element: int, attribute: str) -> str | None:
        """The text of an attribute; None if it is left out."""
        is_there = c_int32()
        text = self._text("get_text", element, attribute.encode(), more=(byref(is_there),))
        return text if is_there.value else None

    def set(self, element: int, attribute: str, value: str | None) -> None:
        """Sets the text of an attribute; None leaves it out."""
        self._call("set_text", element, attribute.encode(), value.encode() if value is not None else None)

    def numbers(self, element: int, attribute: str) -> list[float] | None:
        """The numbers of an attribute, or of its default; None if it has neither."""
        found, count = (c_double * 16)(), c_uint64()
        self._call("get_numbers", element, attribute.encode(), found, len(found), byref(count))
        return list(found[: count.value]) or None

    def set_numbers(self, element: int, attribute: str, values: Sequence[float]) -> None:
        """Sets the numbers of an attribute."""
        given = (c_double * len(values))(*values)
        self._call("set_numbers", element, attribute.encode(), given, len(values))

    def place(self, element: int, attribute: str = "at") -> np.ndarray | None:
        """Where an attribute places an element now, in the host's world (4 x 4); None if it is left out."""
        axes, is_there = (c_double * 16)(), c_int32()
        self._call("get_place", element, attribute.encode(), axes, byref(is_there))
        return np.array(axes).reshape(4, 4) if is_there.value else None

    def set_place(self, element: int, attribute: str, axes: ArrayLike) -> None:
        """Places an element in the host's world (4 x 4, rigid)."""
        self._call("set_place", element, attribute.encode(), (c_double * 16)(*np.ravel(axes)))

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
        self._call("set_mesh", element, byref(mesh_struct(mesh)))
        return given_bytes(lambda *buffer: self._call("mesh_file", element, *buffer)).tobytes()

    def joints(self) -> dict[str, np.ndarray]:
        """Where the joints of the animations that lead bodies are at rest, {name: 4 x 4}; reads their files."""
        return {name: np.array(axes).reshape(4, 4) for name, axes in json.loads(self._text("joints")).items()}

    def set_joint(self, name: str, axes: ArrayLike) -> None:
        """Where a joint of an animation is at rest, for a document whose files are elsewhere."""
        self._call("set_joint", name.encode(), (c_double * 16)(*np.ravel(axes)))

    def single(self, name: str) -> int:
        """The element of a muscle by its name; those that one element stood for become elements of their own."""
        found = c_uint32()
        self._call("single", name.encode(), byref(found))
        return found.value

    def add(self, element: int, name: str, after: int | None = None) -> int:
        """Adds an element: behind `after`, or where elements of its kind belong."""
        added = c_uint32()
        self._call("add", element, name.encode(), abi.SINEW_NO_ELEMENT if after is None else after, byref(added))
        return added.value

    def remove(self, element: int) -> None:
        """Removes an element and all that it contains."""
        self._call("remove", element)

    def rename(self, element: int, name: str) -> int:
        """Renames an element, also where others name it; returns how many attributes followed."""
        followed = c_uint32()
        self._call("rename", element, name.encode(), byref(followed))
        return followed.value

    def expand(self) -> int:
        """Makes an element of each muscle that stands for several; returns how many were added."""
        added = c_uint32()
        self._call("expand", byref(added))
        return added.value

    def mirror(self, axis: int = 0, rig: Rig | None = None) -> int:
        """Mirrors at the plane perpendicular to an axis of the host's space, or a muscle set between the sides of a rig; returns how many
        parts were added."""
        added = c_uint32()
        self._call("mirror", axis, byref(rig.struct()) if rig is not None else None, byref(added))
        return added.value

    def copy(self, source: Rig, target: Rig) -> None:
        """Copies a muscle set from one rig to another."""
        self._call("copy", byref(source.struct()), byref(target.struct()))

    def faults(self) -> list[Fault]:
        """All that is wrong with it, in the order of its elements."""
        return [Fault(**fault) for fault in json.loads(self._text("check"))["faults"]]

    def warnings(self) -> list[str]:
        """What the last call that mirrored, copied or expanded it warned of."""
        return json.loads(self._text("check"))["warnings"]
