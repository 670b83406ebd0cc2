"""What keeps a node from being computed, in words for the user."""

from ..sinew.loader import readable


class Problem(Exception):
    """Something in the scene does not fit; the message names it and says what to do."""

    def __init__(self, message):
        super().__init__(readable(message))


class LeftOut(Problem):
    """Something is broken in this frame only; the next frame continues from the last good one before it."""


def sentence(text):
    """A message as it is shown on its own: it begins with a capital."""
    text = str(text)
    return text[:1].upper() + text[1:]


def counted(count, word):
    """How many there are of something, in words."""
    return f"{count} {word}" + "s" * (count != 1)
