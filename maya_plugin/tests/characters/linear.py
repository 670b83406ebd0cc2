"""Rotations as rows of 3 × 3 numbers that are applied to columns, and Maya's angles."""

import math

IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def less(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def plus(a, b):
    return [x + y for x, y in zip(a, b, strict=True)]


def scaled(a, by):
    return [x * by for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return scaled(a, 1 / math.sqrt(dot(a, a)))


def transposed(a):
    return [list(column) for column in zip(*a, strict=True)]


def times(a, b):
    return [[dot(row, column) for column in transposed(b)] for row in a]


def applied(a, point):
    return [dot(row, point) for row in a]


def about(axis, angle):
    """Rodrigues' formula."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis = unit(axis)
    outer = [[a * b * (1 - c) for b in axis] for a in axis]
    skew = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return [[outer[i][j] + s * skew[i][j] + c * IDENTITY[i][j] for j in range(3)] for i in range(3)]


def of_quaternion(w, x, y, z):
    angle = 2 * math.atan2(math.sqrt(x * x + y * y + z * z), w)
    return IDENTITY if angle == 0 else about([x, y, z], angle)


def angles(rotation):
    """About x, then y, then z, as the rotation order xyz of a transform."""
    (a, _, _), (b, _, _), (c, d, e) = rotation
    return [math.atan2(d, e), math.asin(max(-1.0, min(1.0, -c))), math.atan2(b, a)]
