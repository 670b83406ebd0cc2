"""Baked frames in one file: a zip with an array for each frame and output, written completely or not at all."""

import io
import json
import os
import pathlib
import zipfile

import numpy as np

from ..sinew.loader import readable

VERSION = 1
HEAD = "bake.json"
ENDING = ".sinewbake"


class BakeError(Exception):
    """A bake cannot be written or read; the message names the file."""

    def __init__(self, message):
        super().__init__(readable(message))


def may_replace(path):
    """Whether a bake may take the place of a file: of another bake, and of what is named as one, such as a damaged
    bake."""
    if not path.exists() or path.suffix == ENDING:
        return True
    try:
        with zipfile.ZipFile(path) as found:
            return HEAD in found.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


class BakeWriter:
    """Writes frames beside the final file and puts it in place when it is `finish`ed; `abandon` leaves nothing
    behind."""

    def __init__(self, path, node, fps):
        self.path = pathlib.Path(path)
        self._part = self.path.with_name(self.path.name + ".part")
        self._frames = []
        # More may be added until the end.
        self.head = {"version": VERSION, "node": node, "fps": fps}
        if self.path.is_dir():
            raise BakeError(f"the bake {self.path} cannot be written: this is a folder; add the name of a file")
        if not may_replace(self.path):
            raise BakeError(f"{self.path} is a file already, and not a bake: choose another name")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._zip = zipfile.ZipFile(self._part, "w", zipfile.ZIP_STORED)
        except OSError as error:
            raise BakeError(f"the bake {self.path} cannot be written: {error.strerror or error}") from error

    def add(self, frame, outputs):
        try:
            for port, values in outputs.items():
                buffer = io.BytesIO()
                np.save(buffer, values, allow_pickle=False)
                self._zip.writestr(f"{frame}/{port}.npy", buffer.getbuffer())
        except OSError as error:
            raise BakeError(
                f"frame {frame} of the bake {self.path} cannot be written: {error.strerror or error}"
            ) from error
        self._frames.append(frame)

    def finish(self):
        try:
            self._zip.writestr(HEAD, json.dumps({**self.head, "frames": self._frames}))
            self._zip.close()
            os.replace(self._part, self.path)
        except OSError as error:
            raise BakeError(f"the bake {self.path} cannot be finished: {error.strerror or error}") from error

    def abandon(self):
        try:
            self._zip.close()
        except (OSError, ValueError):
            # The disk is full: the partial file is deleted below anyway.
            self._zip.fp = None
        try:
            self._part.unlink(missing_ok=True)
        except OSError:
            return


class BakeReader:
    """Reads frames of a bake."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            self._zip = zipfile.ZipFile(self.path)
            self.head = json.loads(self._zip.read(HEAD))
        except FileNotFoundError as error:
            raise BakeError(f"the bake {self.path} is missing: bake again, or turn off Use Bake") from error
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise BakeError(f"{self.path} is not a bake, or is damaged ({error}): bake again") from error
        if self.head.get("version") != VERSION:
            raise BakeError(f"{self.path} is a bake of another version: bake again")
        self._ports = {}
        for name in self._zip.namelist():
            frame, _, port = name.removesuffix(".npy").partition("/")
            if port:
                self._ports.setdefault(int(frame), []).append(port)

    def range(self):
        """The first and the last frame, for messages."""
        return f"{min(self._ports)} to {max(self._ports)}" if self._ports else "none"

    def frames(self):
        return sorted(self._ports)

    def read(self, frame):
        """The outputs of a frame by port, or None where it was not baked."""
        if frame not in self._ports:
            return None
        try:
            return {
                port: np.load(io.BytesIO(self._zip.read(f"{frame}/{port}.npy")), allow_pickle=False)
                for port in self._ports[frame]
            }
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            raise BakeError(f"frame {frame} of the bake {self.path} is broken ({error}): bake again") from error

    def close(self):
        self._zip.close()
