"""Authored documents: strand scenes, muscle sets and plans, read, edited, checked and written by the library without loss."""

import json
from ctypes import byref, c_double, c_int32, c_uint32, c_uint64
from dataclasses import dataclass

from . import abi
from .node import given_bytes


@dataclass(frozen=True)
class Fault:
    """What is wrong at an element: `weight` is "unreadable", "error" if the document cannot be built, "unknown" where no table knows an
    element or attribute, or "warning"."""

    weight: str
    element: int | None
    path: str
    attribute: str | None
    line: int
    message: str

    @property
    def is_error(self):
        """Whether it keeps the document from being built as it is."""
        return self.weight != "warning"


def other_side(library, name):
    """A name with left and right swapped; the same where it has no side."""
    return given_bytes(lambda *buffer: library.call("mirrored_name", name.encode(), *buffer)).tobytes().decode()


class Document:
    """A document, whose numbers are in the host's unit and axes; elements are numbers. Use it in a `with` block."""

    def __init__(self, library, handle):
        self.library, self.handle = library, handle

    @classmethod
    def new(cls, library, kind, metres_per_unit=1.0, up_axis=abi.SINEW_UP_Z):
        """An empty one of a type: strand_scene, muscle_set, muscle_plan."""
        return cls._made(library, "create", kind.encode(), metres_per_unit, up_axis)

    @classmethod
    def parse(cls, library, text):
        """From its text."""
        return cls._made(library, "parse", text.encode())

    @classmethod
    def load(cls, library, path):
        """From a file."""
        return cls._made(library, "load", str(path).encode())

    @classmethod
    def _made(cls, library, name, *arguments):
        handle = abi.SinewDocument()
        library.call("document_" + name, *arguments, byref(handle))
        return cls(library, handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.raw.sinew_document_destroy(self.handle)
        self.handle = abi.SinewDocument()

    def _call(self, name, *arguments):
        self.library.call("document_" + name, self.handle, *arguments)

    def _text(self, name, *arguments, more=()):
        return given_bytes(lambda *buffer: self._call(name, *arguments, *buffer, *more)).tobytes().decode()

    def text(self):
        """The file."""
        return self._text("text")

    def save(self, path):
        """Writes the file, and beside it the meshes that mirroring made."""
        self._call("save", str(path).encode())

    def set_space(self, metres_per_unit, up_axis=abi.SINEW_UP_Z):
        """The unit and axes of numbers from now on."""
        self._call("set_space", metres_per_unit, up_axis)

    @property
    def root(self):
        """The root element."""
        return self._list(abi.SINEW_NO_ELEMENT, None)[0]

    def children(self, element, name=None):
        """The elements in an element, or those of one name."""
        return self._list(element, name)

    def _list(self, element, name):
        name, count = name.encode() if name is not None else None, c_uint64()
        self._call("list", element, name, None, 0, byref(count))
        found = (c_uint32 * max(count.value, 1))()
        self._call("list", element, name, found, count.value, byref(count))
        return list(found[: count.value])

    def describe(self, element):
        """What an element is: {"element", "line", "attributes"}."""
        return json.loads(self._text("element", element))

    def get(self, element, attribute):
        """The text of an attribute; None if it is left out."""
        is_there = c_int32()
        text = self._text("get_text", element, attribute.encode(), more=(byref(is_there),))
        return text if is_there.value else None

    def set(self, element, attribute, value):
        """Sets the text of an attribute; None leaves it out."""
        self._call("set_text", element, attribute.encode(), value.encode() if value is not None else None)

    def numbers(self, element, attribute):
        """The numbers of an attribute, or of its default; None if it has neither."""
        found, count = (c_double * 16)(), c_uint64()
        self._call("get_numbers", element, attribute.encode(), found, len(found), byref(count))
        return list(found[: count.value]) or None

    def set_numbers(self, element, attribute, values):
        """Sets the numbers of an attribute."""
        given = (c_double * len(values))(*values)
        self._call("set_numbers", element, attribute.encode(), given, len(values))

    def add(self, element, name, after=None):
        """Adds an element: behind `after`, or where elements of its kind belong."""
        added = c_uint32()
        self._call("add", element, name.encode(), abi.SINEW_NO_ELEMENT if after is None else after, byref(added))
        return added.value

    def remove(self, element):
        """Removes an element and all that it contains."""
        self._call("remove", element)

    def rename(self, element, name):
        """Renames an element, also where others name it; returns how many attributes followed."""
        followed = c_uint32()
        self._call("rename", element, name.encode(), byref(followed))
        return followed.value

    def expand(self):
        """Makes an element of each muscle that stands for several; returns how many were added."""
        added = c_uint32()
        self._call("expand", byref(added))
        return added.value

    def mirror(self, axis=0, rig=None):
        """Mirrors at the plane perpendicular to an axis, or a muscle set between the sides of a rig; returns how many parts were added."""
        added = c_uint32()
        self._call("mirror", axis, byref(rig.struct()) if rig is not None else None, byref(added))
        return added.value

    def copy(self, source, target):
        """Copies a muscle set from one rig to another."""
        self._call("copy", byref(source.struct()), byref(target.struct()))

    def faults(self):
        """All that is wrong with it, in the order of its elements."""
        return [Fault(**fault) for fault in json.loads(self._text("check"))["faults"]]

    def warnings(self):
        """What the last call that mirrored, copied or expanded it warned of."""
        return json.loads(self._text("check"))["warnings"]
