"""Runs a scene of strands through the library, frame by frame, and keeps what came out."""

import io
import pathlib
from dataclasses import dataclass

import numpy as np

from ..sinew import UP_Z, node

OUTPUTS = ("body_matrices", "joint_turns", "joint_moves", "strand_points", "tensions", "strand_cuts", "activations")
ONCE = ("strand_counts", "strand_radii")


@dataclass(frozen=True)
class Moment:
    """A moment of a run: two rows of its result, and how far it is from the first to the second, from 0 to 1."""

    before: int
    after: int
    part: float = 0.0

    def of(self, rows):
        """What an array of frames has at this moment, between its rows linear."""
        if self.part == 0:
            return rows[self.before]
        return rows[self.before] * (1 - self.part) + rows[self.after] * self.part


class Result:
    """What a run gave: names of things, and for each output an array of frames, in the host's unit and axes."""

    def __init__(self, first, fps, names, arrays, warnings):
        self.first, self.fps, self.names, self.arrays, self.warnings = first, fps, names, arrays, warnings

    def __len__(self):
        return len(self.arrays["body_matrices"])

    def index(self, frame):
        """Where a frame stands in the arrays, or None where it was not computed."""
        return frame - self.first if 0 <= frame - self.first < len(self) else None

    def moment(self, frame, subframe=0.0):
        """The moment of a frame, or of the part of a frame that follows it; None where it was not computed. Motion blur
        looks up to a frame before the first and after the last: these hold there."""
        before, after = self.index(frame), self.index(frame + 1) if subframe else None
        if before is None and after is None:
            return None
        if before is None or after is None:
            row = after if before is None else before
            return Moment(row, row)
        return Moment(before, after, subframe)

    def bytes(self):
        """The result as one piece."""
        out = io.BytesIO()
        lists = {f"names_{key}": np.array(names, dtype=np.str_) for key, names in self.names.items()}
        lists["warnings"] = np.array(self.warnings, dtype=np.str_)
        np.savez_compressed(out, first=self.first, fps=self.fps, **lists, **self.arrays)
        return out.getvalue()

    @classmethod
    def of_bytes(cls, data):
        """The result that `bytes` gave."""
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            names = {key[6:]: [str(n) for n in stored[key]] for key in stored if key.startswith("names_")}
            arrays = {key: stored[key] for key in (*OUTPUTS, *ONCE)}
            warnings = [str(text) for text in stored["warnings"]]
            return cls(int(stored["first"]), float(stored["fps"]), names, arrays, warnings)


def write_files(folder, files):
    """Writes a scene and its meshes, {name: bytes}, into a folder; names may lead into folders below it."""
    for name, data in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Run:
    """A run of the scene in a file: `step` computes one frame after another; frame `first` shows the start. `metres`
    are in one unit of the host, whose z is up."""

    def __init__(self, library, path, metres, first, fps):
        self.first, self.fps, self.next = first, fps, first
        self.rows, self.warnings = {name: [] for name in OUTPUTS}, []
        self.node = node.Node("strand", metres, UP_Z, on_log=self._log, library=library)
        try:
            for name, value in (("source", "scene"), ("scene", str(path)), ("first_frame", "start")):
                self.node.set_param(name, value)
            self.node.set_param("fps", float(fps))
        except BaseException:
            self.close()
            raise

    def _log(self, level, message):
        if level == node.WARNING and message not in self.warnings:
            self.warnings.append(message)

    def step(self, on_progress=None):
        """Computes the next frame; `on_progress` as for a node."""
        passed = self.next - self.first
        with node.listening(self.node, on_progress):
            self.node.step(passed, passed / self.fps)
        for name in OUTPUTS:
            self.rows[name].append(self.node.read(name, np.float64))
        self.next += 1

    def result(self):
        """What there is so far."""
        arrays = {name: np.array(rows) for name, rows in self.rows.items()}
        arrays.update({name: self.node.read(name, np.float64) for name in ONCE})
        names = {key: list(found) for key, found in dict(self.node.report()["names"]).items()}
        return Result(self.first, self.fps, names, arrays, self.warnings)

    def close(self):
        """Destroys the node."""
        self.node.close()
