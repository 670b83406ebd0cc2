"""What keeps a node from being computed, in words for the user."""


class Problem(Exception):
    """Something in the scene does not fit; the message names it and says what to do."""


class LeftOut(Problem):
    """Something is broken in this frame only; the next frame continues from the last good one before it."""


def counted(count, word):
    """How many there are of something, in words."""
    return f"{count} {word}" + "s" * (count != 1)
