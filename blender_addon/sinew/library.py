"""The loaded Sinew library; what it reports as wrong becomes an exception."""

from __future__ import annotations

import functools
import os
import pathlib
from ctypes import byref
from typing import Any

from . import abi
from .describe import NodeKind, describe_all, text
from .loader import Error, find, load

STATUS_NAMES = {value: name[len("SINEW_") :].lower() for name, value in vars(abi).items() if name in abi.STATUSES}
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
        error = Error(message, status, STATUS_NAMES.get(status, f"error {status}"), port, parameter)
        for field in PLACES:
            value = getattr(place, field)
            setattr(error, field, None if value < 0 else value)
        raise error

    def call(self, name: str, *arguments: Any, port: str | None = None, parameter: str | None = None) -> None:
        """Calls `sinew_NAME`, which gives a status."""
        self.check(getattr(self.raw, "sinew_" + name)(*arguments), port, parameter)


@functools.cache
def default_library() -> Library:
    """The library in the package, or the one that the environment variable SINEW_LIBRARY names; loaded once."""
    return Library(find())
