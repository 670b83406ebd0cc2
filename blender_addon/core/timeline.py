"""Results and states by frame, in bounded memory: the least recently used entries go first.

Each result has a link, the hash of everything that it follows from: the inputs that do not move and the settings
(`root`), and the motion of its own frame and of all frames before it. So a result that holds again, after an undo or
when a file is opened, is found again, and one that follows from something else is never taken for it."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
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
    arrays = (
        (part.dtype.str, part.shape, part.tobytes()) if isinstance(part, np.ndarray) else (type(part), part)
        for part in parts
    )
    return hash(tuple(arrays))


@dataclass
class Entry:
    """What is kept of a frame: the hash of what moved in it, outputs by port, and the state from which the next
    frame goes on (None where the node has none)."""

    motion: bytes
    outputs: dict
    state: np.ndarray | bytes | None
    history: str = "none"
    # Why the frame has no outputs: what moves was broken in it, and the next one goes on from the state before it.
    failure: str = ""
    # What the node warned of.
    warnings: tuple = ()
    # Whether it was computed for a render.
    rendered: bool = False
    # The timeline's root and form, and the frame's mark, when it was put there.
    root: bytes = b""
    form: bytes = b""
    mark: bytes = b""
    # Reads outputs and state from a file when they are first needed: a function that gives both, or None if the file is
    # broken.
    load: Callable | None = None
    # Whether it came from a file; whether it was shown while someone edited, so that nothing follows from it.
    saved: bool = False
    preview: bool = False

    def size(self):
        arrays = sum(values.nbytes for values in self.outputs.values())
        return arrays + (0 if self.state is None else len(self.state))


# How many results of one frame are kept, with other settings or another motion.
MOST = 4
# In place of the link of a preview.
PREVIEW = b""


class Timeline:
    """The entries of one node. `limit` is in bytes; the entry that was put last always stays.

    A frame is valid if its link is known. After an edit of the motion (`distrust`) links are found anew, frame by
    frame: that of a frame follows from the one before it and its own `mark`, the hash of all that is its own: its
    motion and its parameters."""

    def __init__(self, limit):
        self._entries, self._limit, self._used = OrderedDict(), limit, 0
        self._root, self._form = b"", b""
        # By root: the links of the frames that are known to be valid.
        self._valid = {}

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

    @property
    def _links(self):
        return self._valid.setdefault(self._root, {})

    def frames(self):
        """The valid frames, in order."""
        return sorted(self._links)

    def is_trusted_after(self, frame):
        """Whether a frame after this one is valid, or was so with other settings and will be again with these."""
        return any(number > frame for links in self._valid.values() for number in links)

    def expect(self, root, form=b""):
        """Sets what results must follow from now: the fingerprint of all that does not move. Those that follow from
        something else stay, until it is so again. `form`: what their outputs must fit to be shown meanwhile. Returns
        whether the root differed."""
        differs = root != self._root
        if differs:
            self._valid = {known: links for known, links in self._valid.items() if links}
        self._root, self._form = root, form
        return differs

    def clear(self):
        self._entries.clear()
        self._valid.clear()
        self._used = 0

    def distrust(self):
        """The motion was edited somewhere."""
        self._valid.clear()

    def put(self, frame, mark, entry, follows=True):
        """Keeps what came out of a frame; `mark` and `follows` as in `get`."""
        link = self._link(frame, mark, follows)
        self._put((frame, link), mark, entry)
        if self._links.get(frame, link) != link:
            self._forget(frame)
        self._links[frame] = link
        self._shrink()

    def put_preview(self, frame, mark, entry):
        """Keeps what was shown of a frame while someone edited, in place of the last preview."""
        for key in [key for key in self._entries if key[1] == PREVIEW]:
            self._drop(key)
        entry.preview = True
        self._put((frame, PREVIEW), mark, entry)
        self._shrink()

    def adopt(self, frame, link, entry):
        """Takes over an entry from a file: it becomes valid once it is found to follow from what is there now."""
        self._entries.setdefault((frame, link), entry)

    def valid(self):
        """The valid entries: (frame, link, entry), in order of the frames."""
        return [(frame, link, self._entries[frame, link]) for frame, link in sorted(self._links.items())]

    def last_of_each(self):
        """The valid entries, and of other frames those that were used last, in the same form."""
        found = {frame: (frame, link, entry) for (frame, link), entry in self._entries.items() if link != PREVIEW}
        found.update((entry[0], entry) for entry in self.valid())
        return [found[frame] for frame in sorted(found)]

    def get(self, frame, mark, follows=True, find=True):
        """The entry of a frame if it is valid, or None; `mark` is the hash of its present motion and parameters.
        `follows` is False in the frame in which the motion begins, and where no frame follows from another. Without
        `find`, an entry counts only if it is known to be valid: what is there now may be gone when the frame
        changes."""
        link = self._links.get(frame)
        if link is not None and self._entries[frame, link].mark != mark:
            self._forget(frame)
            link = None
        if link is None and find and (not follows or frame - 1 in self._links):
            link = self._link(frame, mark, follows)
        entry = self._ready((frame, link))
        if entry is not None:
            self._links[frame] = link
        return entry

    def outdated(self, frame, motion, mark=None):
        """The entry to show of a frame that is not valid, or None: the last one with this motion. With a `mark` it must
        have that and the present settings, too, so that it will be valid if the frames before it turn out to be."""
        for key in reversed([key for key in self._entries if key[0] == frame]):
            entry = self._entries[key]
            fits = entry.form == self._form and entry.motion == motion and not entry.failure
            if (
                fits
                and (mark is None or (entry.root, entry.mark) == (self._root, mark))
                and self._ready(key) is not None
            ):
                return entry
        return None

    def state_before(self, frame):
        """The state from which a frame continues, or None if no valid one exists."""
        entry = self._ready((frame - 1, self._links.get(frame - 1)))
        return entry.state if entry else None

    def outdated_state(self, frame):
        """A state from which a frame can be previewed: the last one of the frame before, whatever it follows from; or
        None."""
        for key in reversed([key for key in self._entries if key[0] == frame - 1 and key[1] != PREVIEW]):
            entry = self._ready(key) if self._entries[key].form == self._form else None
            if entry is not None and entry.state is not None:
                return entry.state
        return None

    def rendered(self, frame):
        """Whether a frame was computed for a render; None where there is none."""
        return self._entries[frame, self._links[frame]].rendered if frame in self._links else None

    def nearest(self, frame):
        """The last valid frame before `frame`, or None."""
        return max((number for number in self._links if number < frame), default=None)

    def warnings(self, frame, most=4):
        """What to say of a frame: its own warnings, or those of other frames, each with the first frame that has it."""
        valid = {number: entry for number, _, entry in self.valid()}
        own = valid[frame].warnings if frame in valid else ()
        if own:
            lines = list(own)
        else:
            first = {}
            for number, entry in valid.items():
                for text in entry.warnings:
                    first.setdefault(text, number)
            lines = [f"Frame {number}: {text}" for text, number in first.items()]
        return lines if len(lines) <= most else [*lines[: most - 1], f"and {len(lines) - most + 1} more warnings"]

    def _link(self, frame, mark, follows):
        before = self._links[frame - 1] if follows else self._root
        return hashlib.sha256(before + mark).digest()

    def _forget(self, frame):
        """From a frame on, nothing is known to be valid."""
        for later in [number for number in self._links if number >= frame]:
            del self._links[later]

    def _put(self, key, mark, entry):
        entry.root, entry.form, entry.mark = self._root, self._form, mark
        if key in self._entries:
            self._drop(key)
        for old in [old for old in self._entries if old[0] == key[0]][: 1 - MOST]:
            self._drop(old)
        self._entries[key] = entry
        self._used += entry.size()

    def _ready(self, key):
        """An entry with its outputs, which is now the one that was used last; None where there is none, or its file is
        broken."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        if entry.load is not None:
            load, entry.load = entry.load, None
            found = load()
            if found is None:
                self._drop(key)
                return None
            entry.outputs, entry.state = found
            self._used += entry.size()
            self._shrink()
        return entry

    def _drop(self, key):
        frame, link = key
        self._used -= self._entries.pop(key).size()
        for links in self._valid.values():
            if link != PREVIEW and links.get(frame) == link:
                del links[frame]

    def _shrink(self):
        if self._used > self._limit:
            # What is only in a file takes no memory.
            loaded = [key for key, entry in self._entries.items() if entry.load is None]
            while self._used > self._limit and len(loaded) > 1:
                self._drop(loaded.pop(0))
