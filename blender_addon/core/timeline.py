"""Results and states by frame, in bounded memory: the least recently used entries go first, and invalid ones are dropped."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np


def fingerprint(*parts):
    """A hash of arrays, numbers and texts: equal parts give equal hashes, different parts different ones."""
    made = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            made.update(f"{part.dtype}{part.shape}".encode())
            made.update(np.ascontiguousarray(part).data)
        elif isinstance(part, (bytes, bytearray)):
            made.update(f"bytes {len(part)}".encode())
            made.update(part)
        else:
            made.update(repr(part).encode())
        made.update(b"\0")
    return made.digest()


def mark(*parts):
    """Like `fingerprint` and several times as fast, but the hash is valid only in this process."""
    arrays = ((part.dtype.str, part.shape, part.tobytes()) if isinstance(part, np.ndarray) else (type(part), part) for part in parts)
    return hash(tuple(arrays))


@dataclass
class Entry:
    """What is kept of a frame: the mark of what moved in it, outputs by port, and the state from which the next
    frame goes on (None where the node has none)."""

    motion: int
    outputs: dict
    state: np.ndarray | bytes | None
    history: str = "none"
    # Why the frame has no outputs: what moves was broken in it, and the next one goes on from the state before it.
    failure: str = ""
    # What the node warned of.
    warnings: tuple = ()
    # Whether it was computed for a render.
    rendered: bool = False

    def size(self):
        arrays = sum(values.nbytes for values in self.outputs.values())
        return arrays + (0 if self.state is None else len(self.state))


class Timeline:
    """The entries of one node. `limit` is in bytes; the entry that was put last always stays.

    An entry depends on all frames before it. After an edit of the motion (`distrust`), it is valid again only if the
    one before it is valid and its own motion is unchanged."""

    def __init__(self, limit):
        self._entries, self._limit, self._used, self._inputs = OrderedDict(), limit, 0, None
        self._trusted = set()

    @property
    def used(self):
        """Bytes in use."""
        return self._used

    @property
    def limit(self):
        return self._limit

    @limit.setter
    def limit(self, limit):
        self._limit = limit
        self._shrink()

    def frames(self):
        """The valid frames, in order."""
        return sorted(self._trusted)

    def is_trusted_after(self, frame):
        """Whether a frame after this one is valid."""
        return any(number > frame for number in self._trusted)

    def expect(self, inputs):
        """Sets the fingerprint of the static inputs; if it differs from the last one, all entries are dropped. Returns whether
        it differed."""
        if inputs == self._inputs:
            return False
        self.clear()
        self._inputs = inputs
        return True

    def clear(self):
        self._entries.clear()
        self._trusted.clear()
        self._used = 0

    def distrust(self):
        """The motion was edited somewhere."""
        self._trusted.clear()

    def put(self, frame, entry):
        """Keeps what came out of a frame."""
        if frame in self._entries:
            self._drop(frame)
        self._entries[frame] = entry
        self._trusted.add(frame)
        self._used += entry.size()
        self._shrink()

    def get(self, frame, motion, follows=True):
        """The entry of a frame if it is valid, or None; `motion` is the hash of its present motion. `follows` is False
        in the frame in which the motion begins, and where no frame follows from another."""
        entry = self._entries.get(frame)
        if entry is None:
            return None
        if entry.motion != motion:
            for later in [number for number in self._entries if number >= frame]:
                self._drop(later)
            return None
        if follows and frame not in self._trusted and frame - 1 not in self._trusted:
            return None
        self._trusted.add(frame)
        self._entries.move_to_end(frame)
        return entry

    def state_before(self, frame):
        """The state from which a frame continues, or None if no valid one exists."""
        entry = self._entries.get(frame - 1) if frame - 1 in self._trusted else None
        return entry.state if entry else None

    def rendered(self, frame):
        """Whether a frame was computed for a render; None where there is none."""
        return self._entries[frame].rendered if frame in self._entries else None

    def nearest(self, frame):
        """The last valid frame before `frame`, or None."""
        return max((number for number in self._trusted if number < frame), default=None)

    def warnings(self, frame, most=4):
        """What to say of a frame: its own warnings, or those of other frames, each with the first frame that has it."""
        own = self._entries[frame].warnings if frame in self._entries else ()
        if own:
            lines = list(own)
        else:
            first = {}
            for number in sorted(self._entries):
                for text in self._entries[number].warnings:
                    first.setdefault(text, number)
            lines = [f"Frame {number}: {text}" for text, number in first.items()]
        return lines if len(lines) <= most else [*lines[: most - 1], f"and {len(lines) - most + 1} more warnings"]

    def _drop(self, frame):
        self._used -= self._entries.pop(frame).size()
        self._trusted.discard(frame)

    def _shrink(self):
        while self._used > self._limit and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))
