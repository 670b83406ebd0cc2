"""Short numbers that tell whether arrays are still what they were, but for the round-off of other machines: the mean of
the rows, and their sums with fixed signs, which one row that changes changes, and which all rows together do not change
by chance."""

import functools

import numpy as np

SUMS = 4
# What counts as unchanged: of the spread of the values, and of the largest of them for the round-off of single
# precision.
OF_SPREAD, ROUND_OFF = 1e-4, 2e-7


@functools.lru_cache(maxsize=16)
def signs(rows):
    """For each sum a sign for each row, as many of one as of the other, so that a place far away does not drown what
    moves."""
    made = np.ones((SUMS, rows))
    made[:, rows // 2 :] = -1
    return np.random.default_rng(rows).permuted(made, axis=1)


def trace(values):
    """The trace of an array: [rows, spread, largest value, means..., sums...]."""
    flat = np.asarray(values, np.float64)
    if flat.size == 0:
        return [0, 0.0, 0.0]
    flat = flat.reshape(len(flat), -1)
    means = flat.mean(axis=0)
    spread, largest = float(np.sqrt(((flat - means) ** 2).mean())), float(np.abs(flat).max())
    return [len(flat), spread, largest, *means.tolist(), *(signs(len(flat)) @ (flat - means)).ravel().tolist()]


def agree(one, other):
    """Whether two traces may be of the same array."""
    if len(one) != len(other) or one[0] != other[0]:
        return False
    rows, spread, largest = one[0], max(one[1], other[1]), max(one[2], other[2])
    columns = (len(one) - 3) // (SUMS + 1)
    for k, (a, b) in enumerate(zip(one[3:], other[3:])):
        round_off = ROUND_OFF * largest * (1 if k < columns else rows**0.5)
        if abs(a - b) > max(OF_SPREAD * spread, round_off):
            return False
    return True


def all_agree(ones, others):
    """The same of traces by name."""
    return ones.keys() == others.keys() and all(agree(ones[name], others[name]) for name in ones)
