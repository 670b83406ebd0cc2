"""The files beside a scene: where they may lie, and what they are called."""

import posixpath
import re
import unicodedata

# The longest name of an object that becomes a file's, in bytes: file systems allow 255 with the ending.
LONGEST = 200


def file_name(name):
    """An object's name as that of a mesh file."""
    safe = re.sub(r'[\\/:*?"<>|\x00-\x1f]', "_", name)
    return safe.encode("utf-8")[:LONGEST].decode("utf-8", "ignore") + ".obj"


def inside(name):
    """A file's name below the scene's folder: as it is where it lies there, otherwise its last part, "" if it has
    none."""
    parts = name.replace("\\", "/").split("/")
    if parts[-1] in ("", ".", ".."):
        return ""
    is_above = parts[0] == "" or ".." in parts or re.match("[A-Za-z]:", name)
    return re.sub("^[A-Za-z]:", "", parts[-1]) if is_above else name


class Files:
    """The files beside a scene, {name: bytes} in `found`: no two share a name, not even where case does not count."""

    def __init__(self, scene_file):
        self.found = {}
        self._taken = {_key(scene_file): None}

    def add(self, names, data):
        """Adds a file under the first of some names that is free or has this file already; gives the name."""
        stem, ending = posixpath.splitext(names[-1])
        numbered = (f"{stem}_{k}{ending}" for k in range(2, len(self._taken) + 3))
        name = next(n for n in (*names, *numbered) if self._taken.setdefault(_key(n), data) == data)
        self.found[name] = data
        return name


def _key(name):
    """What names of the same file have in common, on any system."""
    return unicodedata.normalize("NFC", posixpath.normpath(name.replace("\\", "/"))).casefold()
