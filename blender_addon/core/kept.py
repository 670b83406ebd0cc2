"""Computed frames beside a file, for the next session: a zip with the outputs and the state of each, written completely
or not at all.

A frame goes by its link in the timeline, the hash of everything that it follows from."""

import io
import json
import os
import pathlib
import zipfile
from dataclasses import dataclass, field

import numpy as np

VERSION = 1
HEAD = "frames.json"
ENDING = ".sinewframes"
STATE = "state"


@dataclass
class NodeFrames:
    """What is kept of one node: what it goes by, what else must be known of it, and its frames: (frame, link,
    described) with a description that JSON can hold."""

    key: list
    about: dict
    frames: list = field(default_factory=list)

    def plain(self):
        return {
            "key": self.key,
            "about": self.about,
            "frames": [[frame, link.hex(), described] for frame, link, described in self.frames],
        }


class Broken(Exception):
    """The file is not what was written; the message says so."""


class KeptFrames:
    """The frames in a file."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            self._zip = zipfile.ZipFile(self.path)
            head = json.loads(self._zip.read(HEAD))
            if head.get("version") != VERSION:
                raise ValueError("of another version")
            self.nodes = [
                NodeFrames(
                    node["key"],
                    node["about"],
                    [(int(frame), bytes.fromhex(link), described) for frame, link, described in node["frames"]],
                )
                for node in head["nodes"]
            ]
        except (OSError, KeyError, ValueError, TypeError, AttributeError, zipfile.BadZipFile) as error:
            raise Broken(f"{self.path} holds no frames that can be read ({error}): they are computed again") from error
        self._members = {}
        for name in self._zip.namelist():
            link, _, port = name.removesuffix(".npy").partition("/")
            self._members.setdefault(link, []).append(port)

    def read(self, link):
        """The outputs of a frame and its state, or None where they are missing or broken."""
        found = {}
        try:
            for port in self._members[link.hex()]:
                found[port] = np.load(io.BytesIO(self._zip.read(f"{link.hex()}/{port}.npy")), allow_pickle=False)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile):
            return None
        state = found.pop(STATE, None)
        return found, state

    def close(self):
        self._zip.close()


def is_ours(path):
    """Whether a file was written here, so that it may be replaced or deleted."""
    try:
        with zipfile.ZipFile(path) as found:
            return HEAD in found.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def write(path, nodes, read, release):
    """Writes the frames of some nodes; `read(link)` gives outputs and state of a frame, or None where these are lost.
    `release()` is called before the file that is there is replaced, which may be open."""
    path = pathlib.Path(path)
    if path.exists() and not is_ours(path):
        raise Broken(
            f"{path} is a file already, and not one with frames: computed frames are not kept beside this file"
        )
    part, done = path.with_name(path.name + ".part"), set()
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as made:
            for node in nodes:
                node.frames = [
                    entry for entry in node.frames if entry[1] in done or _put(made, entry[1], read(entry[1]))
                ]
                done.update(link for _, link, _ in node.frames)
            made.writestr(HEAD, json.dumps({"version": VERSION, "nodes": [node.plain() for node in nodes]}))
        release()
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Broken(f"computed frames cannot be kept in {path}: {error.strerror or error}") from error


def _put(made, link, found):
    if found is None:
        return False
    outputs, state = found
    arrays = dict(outputs) if state is None else {**outputs, STATE: np.frombuffer(state, np.uint8)}
    for port, values in arrays.items():
        buffer = io.BytesIO()
        np.save(buffer, values, allow_pickle=False)
        made.writestr(f"{link.hex()}/{port}.npy", buffer.getbuffer())
    return True
