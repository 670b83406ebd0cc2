"""What keeps a node from being computed, in words for the user."""


class Problem(Exception):
    """Something in the scene does not fit; the message names it and says what to do."""


class LeftOut(Problem):
    """What is broken in this frame only; the next one goes on from the one before it."""
