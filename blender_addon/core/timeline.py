"""Results and states by frame: bounded memory, the least recently used go first, what no longer holds is dropped."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np


def fingerprint(*parts):
    """A short name for arrays, numbers and texts: equal parts give equal names, other parts other ones."""
    made = hashlib.blake2b(digest_size=16)
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


@dataclass
class Entry:
    """What is kept of a frame: the fingerprint of what moved in it, outputs by port, and the state from which the next
    frame goes on (None where the node has none)."""

    motion: bytes
    outputs: dict
    state: bytes | None
    history: str = "none"
    report: dict = field(default_factory=dict)

    def size(self):
        arrays = sum(values.nbytes for values in self.outputs.values())
        return arrays + len(self.state or b"")


class Timeline:
    """The entries of one node. `limit` is in bytes; the entry that was put last always stays."""

    def __init__(self, limit):
        self._entries, self._limit, self._used, self._inputs = OrderedDict(), limit, 0, None

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
        """The frames that are there, in order."""
        return sorted(self._entries)

    def expect(self, inputs):
        """Says the fingerprint of everything that does not move; entries of another one are dropped. Tells whether any were."""
        if inputs == self._inputs:
            return False
        dropped = bool(self._entries)
        self.clear()
        self._inputs = inputs
        return dropped

    def clear(self):
        self._entries.clear()
        self._used = 0

    def drop_from(self, frame):
        """Drops a frame and all later ones, which follow from it."""
        for later in [number for number in self._entries if number >= frame]:
            self._used -= self._entries.pop(later).size()

    def put(self, frame, entry):
        """Keeps what came out of a frame."""
        if frame in self._entries:
            self._used -= self._entries.pop(frame).size()
        self._entries[frame] = entry
        self._used += entry.size()
        self._shrink()

    def get(self, frame, motion=None):
        """The entry of a frame, or None. With `motion`, the fingerprint of what moves in it now: an entry of another motion
        does not hold, and nothing later does."""
        entry = self._entries.get(frame)
        if entry is None:
            return None
        if motion is not None and entry.motion != motion:
            self.drop_from(frame)
            return None
        self._entries.move_to_end(frame)
        return entry

    def nearest_state(self, frame):
        """The last frame before `frame` from whose state one can go on, or None."""
        before = [number for number, entry in self._entries.items() if number < frame and entry.state is not None]
        return max(before, default=None)

    def _shrink(self):
        while self._used > self._limit and len(self._entries) > 1:
            _, entry = self._entries.popitem(last=False)
            self._used -= entry.size()
