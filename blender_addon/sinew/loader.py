"""The library's file: what it is called, where it lies, how it is loaded, and which versions fit.

Neither numpy nor the rest of the package is needed here, so that any Python can make the zip and the wheel."""

from __future__ import annotations

import ctypes
import os
import pathlib
import re
import sys

# Names a library to load instead of the one in the package, for those who build their own.
OVERRIDE = "SINEW_LIBRARY"
# What a message about a step begins with.
OF_STEP = re.compile(r"\A(?:frame -?\d+, node \w+(?:, |: )|node \w+, (?=parameter |port ))")
HERE = pathlib.Path(__file__).parent
# By the first word of a platform's name in archives.
FILE_NAMES = {"linux": "libsinew.so", "macos": "libsinew.dylib", "windows": "sinew.dll"}


def readable(text: str) -> str:
    """Text that can be shown and printed: names of files may have bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class Error(Exception):
    """What went wrong, in a sentence. Where the library says it: `code` (a SINEW_ number), `name` ("not_finite"), the
    `port` or `parameter` that was being set or read, and the place: `frame`, `vertex`, `face`, `joint`, `line`, each
    None where it is not known."""

    frame: int | None = None
    vertex: int | None = None
    face: int | None = None
    joint: int | None = None
    line: int | None = None

    def __init__(
        self,
        message: str,
        code: int | None = None,
        name: str = "",
        port: str | None = None,
        parameter: str | None = None,
    ):
        super().__init__(readable(message))
        self.code, self.name, self.port, self.parameter = code, name, port, parameter

    @property
    def sentence(self) -> str:
        """The message without the frame and the node, which are where it is shown."""
        return OF_STEP.sub("", str(self))


class LibraryError(Error):
    """The library is missing, cannot be loaded, or is of a version that does not fit."""


def file_name(system: str = "") -> str:
    """What the library is called on a system ("linux", "macos", "windows"), by default on this one."""
    return FILE_NAMES[system or {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")]


def find(folder: str | os.PathLike[str] = HERE) -> pathlib.Path:
    """The library's file: the one that the environment variable SINEW_LIBRARY names, or the one in the folder `lib` of
    the package."""
    named = os.environ.get(OVERRIDE)
    if named:
        path, hint = pathlib.Path(named), f"the environment variable {OVERRIDE} names it"
    else:
        beside, (stem, dot, ending) = pathlib.Path(folder) / "lib", file_name().partition(".")
        found = list(beside.glob(f"{stem}*{dot}{ending}"))
        if len(found) > 1:
            raise LibraryError(f"{beside} has more than one library: uninstall Sinew, and install it again")
        path = found[0] if found else beside / file_name()
        hint = f"install Sinew's wheel or add-on, which contain it, or let the environment variable {OVERRIDE} name one"
    if not path.is_file():
        raise LibraryError(f"{path} is missing: {hint}")
    return path


def load(path: str | os.PathLike[str], needed: tuple[int, int]) -> tuple[ctypes.CDLL, tuple[int, int], str]:
    """Loads a library file, which must have the version `needed` of the interface or a later one that fits; returns it
    with its version and its release."""
    try:
        raw = ctypes.CDLL(str(path))
    except OSError as error:
        raise LibraryError(f"{path} cannot be loaded: {error}") from error
    try:
        raw.sinew_abi_version.restype, raw.sinew_version_string.restype = ctypes.c_uint32, ctypes.c_char_p
        version = raw.sinew_abi_version()
        release = raw.sinew_version_string().decode("utf-8", "replace")
    except AttributeError as error:
        raise LibraryError(f"{path} is not a Sinew library") from error
    major, minor = version >> 16, version & 0xFFFF
    if major != needed[0] or minor < needed[1]:
        raise LibraryError(
            f"{path} has version {major}.{minor} of the interface and {needed[0]}.{needed[1]} or a later {needed[0]}.x "
            f"is needed: install a "
            "library and a package or add-on of the same release"
        )
    return raw, (major, minor), release
