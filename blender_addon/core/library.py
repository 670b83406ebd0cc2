"""Finds and loads the Sinew library, refuses one that does not fit, and turns its errors into exceptions."""

import ctypes
import hashlib
import os
import pathlib
import re
import sys
from ctypes import byref

from . import abi

# Names a library to load instead of the one that the add-on brings, for those who build their own.
OVERRIDE = "SINEW_LIBRARY"

STATUS_NAMES = {value: name[len("SINEW_") :].lower() for name, value in vars(abi).items() if name in abi.STATUSES}


# What a message about a step begins with.
OF_STEP = re.compile(r"\A(?:frame -?\d+, node \w+(?:, |: )|node \w+, (?=parameter |port ))")


def readable(text):
    """Text that can be shown and printed: names of files may have bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class SinewError(Exception):
    """What the library says went wrong: `code` (a SINEW_ number), `name` ("not_finite"), the `port` or `parameter` that was
    being set or read, and the place: `frame`, `vertex`, `face`, `joint`, `line`, each None where it is not known."""

    def __init__(self, code, message, place=None, port=None, parameter=None):
        super().__init__(message)
        self.code, self.name = code, STATUS_NAMES.get(code, f"error {code}")
        self.port, self.parameter = port, parameter
        for field in ("frame", "vertex", "face", "joint", "line"):
            value = getattr(place, field, -1)
            setattr(self, field, None if value < 0 else value)

    @property
    def sentence(self):
        """The message without the frame and the node, which are where it is shown."""
        return OF_STEP.sub("", str(self))


class LibraryError(Exception):
    """The library is missing, cannot be loaded, or is of a version that the add-on cannot use."""

    def __init__(self, message):
        super().__init__(readable(message))


def file_name():
    """What the library is called on this platform."""
    return {"win32": "sinew.dll", "darwin": "libsinew.dylib"}.get(sys.platform, "libsinew.so")


def own_name(data):
    """What a library with these bytes is called in the add-on. Of two with the same path, a Blender that runs while the add-on is updated
    would go on with the first."""
    stem, dot, ending = file_name().partition(".")
    return f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}{dot}{ending}"


def find(folder):
    """The library's file: the one that the environment names, or the one in `lib` in the add-on's folder."""
    named = os.environ.get(OVERRIDE)
    if named:
        path, hint = pathlib.Path(named), f"the environment variable {OVERRIDE} names it"
    else:
        beside, (stem, dot, ending) = pathlib.Path(folder) / "lib", file_name().partition(".")
        found = list(beside.glob(f"{stem}*{dot}{ending}"))
        if len(found) > 1:
            raise LibraryError(f"{beside} has more than one library: uninstall the add-on, and install it again")
        path, hint = found[0] if found else beside / file_name(), "install the add-on from its zip file, which contains it"
    if not path.is_file():
        raise LibraryError(f"{path} is missing: {hint}")
    return path


def version_of(path):
    """The ABI version of a library file as (major, minor), and its release; the file stays loaded."""
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
    return raw, (version >> 16, version & 0xFFFF), release


class Library:
    """A loaded library that fits. `call` checks the status of what it calls; `release` is the library's version as text."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.raw, self.abi_version, self.release = version_of(path)
        major, minor = self.abi_version
        if major != abi.SINEW_ABI_MAJOR or minor < abi.SINEW_ABI_MINOR:
            raise LibraryError(
                f"{path} has version {major}.{minor} of the interface and this add-on needs {abi.SINEW_ABI_MAJOR}."
                f"{abi.SINEW_ABI_MINOR} or a later {abi.SINEW_ABI_MAJOR}.x: install an add-on and a library of the same release"
            )
        for name, (result, *arguments) in abi.FUNCTIONS.items():
            function = getattr(self.raw, name)
            function.restype, function.argtypes = result, arguments

    def check(self, status, port=None, parameter=None):
        """Raises SinewError unless the status is success."""
        if status != abi.SINEW_OK:
            place = abi.SinewPlace()
            self.raw.sinew_last_error_place(byref(place))
            message = self.raw.sinew_last_error_message().decode("utf-8", "replace")
            raise SinewError(status, message, place, port, parameter)

    def call(self, name, *arguments, port=None, parameter=None):
        """Calls `sinew_NAME`, which gives a status."""
        self.check(getattr(self.raw, "sinew_" + name)(*arguments), port, parameter)
