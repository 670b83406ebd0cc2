"""The loaded Sinew library; what it reports as wrong becomes an exception."""

from __future__ import annotations

import functools
import os
import pathlib
from ctypes import POINTER, byref, c_uint8, c_uint64
from typing import Any

import numpy as np

from . import abi
from .describe import NodeKind, describe_all, text
from .loader import Error, find, load
from .values import error, given

PLACES = ("frame", "vertex", "face", "joint", "line")


class Library:
    """A loaded library that fits. `call` checks the status of what it calls; `release` is the library's version as
    text."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = pathlib.Path(path)
        self.raw, self.abi_version, self.release = load(path, (abi.SINEW_ABI_MAJOR, abi.SINEW_ABI_MINOR))
        for name, (result, *arguments) in abi.FUNCTIONS.items():
            function = getattr(self.raw, name)
            function.restype, function.argtypes = result, arguments

    @functools.cached_property
    def kinds(self) -> dict[str, NodeKind]:
        """Every node that the library has, by id."""
        return describe_all(self)

    def check(self, status: int, port: str | None = None, parameter: str | None = None) -> None:
        """Raises Error unless the status is success."""
        if status == abi.SINEW_OK:
            return
        message = self.raw.sinew_last_error_message().decode("utf-8", "replace")
        place = abi.SinewPlace()
        self.raw.sinew_last_error_place(byref(place))
        port, parameter = port or text(place.port) or None, parameter or text(place.param) or None
        problem = error(message, status, port, parameter)
        for field in PLACES:
            value = getattr(place, field)
            setattr(problem, field, None if value < 0 else value)
        raise problem

    def call(self, name: str, *arguments: Any, port: str | None = None, parameter: str | None = None) -> None:
        """Calls `sinew_NAME`, which gives a status; texts and numbers are those of Python."""
        function = getattr(self.raw, "sinew_" + name)
        try:
            values = [given(value, kind) for value, kind in zip(arguments, function.argtypes, strict=True)]
        except Error as problem:
            places = {"port": port, "parameter": parameter}
            place = "".join(f", {what} {name}" for what, name in places.items() if name is not None)
            raise error(f"{name}{place}: {problem}", problem.code or 0, port, parameter) from None
        self.check(function(*values), port, parameter)

    def data(self, name: str, *arguments: Any, after: Any = (), room: int = 0, parameter: str | None = None) -> Any:
        """The bytes that a function gives, in an array: it is called for their number and again for them, or once if
        they fit into so much room. `after` is what it takes after them."""
        needed = c_uint64(room)

        def filled():
            buffer = np.empty(needed.value, np.uint8)
            at = buffer.ctypes.data_as(POINTER(c_uint8)) if buffer.size else None
            self.call(name, *arguments, at, needed.value, byref(needed), *after, parameter=parameter)
            return buffer[: needed.value]

        try:
            if room:
                return filled()
        except Error as problem:
            if problem.code != abi.SINEW_TOO_LARGE:
                raise
        self.call(name, *arguments, None, 0, byref(needed), *after, parameter=parameter)
        return filled()

    def text(self, name: str, *arguments: Any) -> str:
        """The text that a function gives."""
        return self.data(name, *arguments).tobytes().decode()


@functools.cache
def default_library() -> Library:
    """The library in the package, or the one that the environment variable SINEW_LIBRARY names; loaded once."""
    return Library(find())
