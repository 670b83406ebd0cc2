"""Numbers as Blender holds them: in single precision."""

import math

import numpy as np

# Places that differ by less than this part of their size are the same: Blender holds seven digits.
SAME = 2e-6
# Directions and angles, in rad, likewise.
SAME_TURN = 2e-5


def numbers(text, count):
    """That many finite numbers that someone entered, or None."""
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        return None
    return values if len(values) == count and all(map(math.isfinite, values)) else None


def short(value):
    """The shortest text of a number in single precision."""
    value = np.float32(value)
    text = np.format_float_positional(value, unique=True, trim="-")
    return text if len(text) < 14 else np.format_float_scientific(value, unique=True, trim="-")


def decimal(value):
    """The shortest decimal number that Blender holds as this value."""
    return float(short(value))


def rounded(values):
    """Places, to the digits that single precision has and one more, so that rounding adds nothing."""
    return [float(f"{value:.9g}") + 0.0 for value in values]


def are_same(numbers, values):
    """Whether numbers are what Blender holds of them."""
    return len(numbers) == len(values) and all(np.float32(a) == np.float32(b) for a, b in zip(numbers, values))


def frame(at, turn=None):
    """A 4 x 4 matrix from a place and a 3 x 3 rotation."""
    made = np.eye(4)
    made[:3, 3] = at
    if turn is not None:
        made[:3, :3] = turn
    return made


def same_place(a, b, size=0.0):
    """Whether two places differ by no more than single precision does, among things of that size."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return bool(np.max(np.abs(a - b)) <= SAME * max(np.max(np.abs(a)), size, 1e-30))


def same_turn(a, b):
    """Whether two rotations differ by no more than single precision does."""
    return bool(np.max(np.abs(np.asarray(a)[:3, :3] - np.asarray(b)[:3, :3])) <= SAME_TURN)
