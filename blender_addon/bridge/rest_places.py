"""Where the other objects that a node names lie on its body at rest: on the body as it is where the motion begins.

Later both may have moved, and apart. So the place is kept from there on, and what is moved in a later frame is moved as
far from the place that is kept."""

import numpy as np

from .arrays import inverse


def nearly(one, other):
    """Whether two transforms are the same but for rounding."""
    return np.allclose(one, other, rtol=1e-5, atol=1e-6 * max(1.0, np.abs(other).max()))


class RestPlaces:
    """What is known of the places of objects, from their space to that of the body."""

    def __init__(self):
        # By the object's key: its place; and in what frame it was seen last, and the world matrices of the two there.
        self._places, self._seen = {}, {}

    def place(self, other, world, body):
        """The place of an object: if it is not known yet, as it is now."""
        if other.session_uid not in self._places:
            self._places[other.session_uid] = inverse(body) @ world
        return self._places[other.session_uid]

    def put(self, other, place):
        """Makes a place known that was kept elsewhere, as in a bake."""
        self._places[other.session_uid] = place

    def known(self, other):
        return self._places.get(other.session_uid)

    def look(self, here, frame, first):
        """Notes where the objects that a node names are in a frame; gives whether one of the places that are known has
        changed. `first`: whether the motion begins here."""
        changed, body = False, here.world(here.ob)
        for other in here.others():
            key, before = other.session_uid, self.known(other)
            if before is None:
                continue
            world = here.world(other)
            now = inverse(body) @ world if first else self._after_edit(key, before, world, body, frame)
            self._seen[key] = (frame, world, body)
            if not np.array_equal(now, before):
                self._places[key], changed = now, True
        return changed

    def _after_edit(self, key, before, world, body, frame):
        """The place of an object in a frame in which it may have been moved since it was seen there."""
        seen_in, seen, body_then = self._seen.get(key, (None, world, body))
        moved = seen_in == frame and not np.array_equal(seen, world)
        if not moved or nearly(inverse(body) @ world, inverse(body_then) @ seen):
            return before
        return before @ inverse(seen) @ world
