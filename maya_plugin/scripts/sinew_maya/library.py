"""Why Sinew's library does not load. Maya shows what the system's loader says, which few can read; this looks for the
reason after a plug-in has failed to load, and never before: a library that was loaded stays so until Maya ends."""

import ctypes
import os
import pathlib

from maya import cmds

#: By platform, as .mod files name it: where a module has the library.
PLACES = {"win64": "bin/sinew.dll", "linux": "lib/libsinew.so*", "mac": "lib/libsinew*.dylib"}
#: The oldest C library of Linux that it runs with.
GLIBC = (2, 28)


def here() -> tuple[pathlib.Path, str]:
    """The part of this module that is for this Maya, and the module's version; empty where the scripts are in none."""
    module = pathlib.Path(__file__).resolve().parents[2]
    platform = "win64" if cmds.about(windows=True) else "mac" if cmds.about(macOS=True) else "linux"
    try:
        words = (module.parent / "sinew.mod").read_text(encoding="utf-8").split()
    except OSError:
        return module, ""
    return module / f"{cmds.about(majorVersion=True)}-{platform}", words[words.index("sinew") + 1]


def fault() -> str:
    """A sentence that says what is wrong with the library of this module; empty where nothing is, or nobody knows."""
    folder, version = here()
    if not version:
        return ""
    place = PLACES[folder.name.partition("-")[2]]
    files = sorted(folder.glob(place))
    if not files:
        return f"Sinew's library is missing, {folder / place}: unpack the archive again."
    if system := _old_glibc():
        needed = ".".join(map(str, GLIBC))
        return f"Sinew needs Linux with glibc {needed} or newer, and this one has {system}: install a newer system."
    try:
        library = ctypes.CDLL(str(files[0]))
        library.sinew_version_string.restype = ctypes.c_char_p
        found = str(library.sinew_version_string().decode()).split()[0]
    except (OSError, AttributeError) as error:
        return f"The system does not load Sinew's library ({error}): install Sinew again from one archive."
    if found != version:
        return (
            f"{files[0]} is of Sinew {found}, and the plug-in beside it of {version}: install both from one archive, "
            "and start Maya again."
        )
    return ""


def _old_glibc() -> str:
    """The version of this system's C library if it is too old."""
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
        numbers = tuple(int(part) for part in version.split(".")[:2])
    except (AttributeError, ValueError, OSError):
        # Another system than Linux, or another C library.
        return ""
    return version if name == "glibc" and numbers < GLIBC else ""
