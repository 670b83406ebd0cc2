"""Memory for many arrays that are kept."""

import math

import numpy as np

# Bytes of a block, and the place of an array in it.
BLOCK, ALIGNED = 32 * 2**20, 64


class Blocks:
    """Cuts arrays from large blocks. A system hands out fresh memory page by page, which takes longer than filling it, and has larger
    pages for large blocks. A block is freed with the last array in it."""

    def __init__(self):
        self._block, self._used = np.empty(0, np.uint8), 0

    def empty(self, shape, dtype):
        """Like numpy.empty."""
        size = math.prod(shape if isinstance(shape, tuple) else (shape,)) * np.dtype(dtype).itemsize
        if 4 * size > BLOCK:
            return np.empty(shape, dtype)
        if self._used + size > len(self._block):
            self._block, self._used = np.empty(BLOCK, np.uint8), 0
        found = self._block[self._used : self._used + size]
        self._used += -(-size // ALIGNED) * ALIGNED
        return found.view(dtype).reshape(shape)
