"""Frames that are computed in a thread, so that windows stay alive: what was to be computed at once is gathered, and
computed later.

Within `gathering`, a node that has something to compute raises `Later`. What it holds is computed in a thread; when the
frame is shown again, the node takes the result as if it had just computed it."""

from contextlib import contextmanager

from ..core.work import Work

# What was gathered, or None where nodes compute at once.
_gathered = None


class Later(Exception):
    """No error: a node is to be computed in a thread, or is being computed there. `compute(on_progress)` does so, and
    touches nothing of Blender."""

    def __init__(self, runtime, key=None, compute=None):
        super().__init__("a frame is computed in a thread")
        self.runtime, self.key, self.compute = runtime, key, compute

    def start(self):
        """Begins to compute, for one who waits for the end and then shows the frame again."""
        self.runtime.work = Work(self.compute)
        self.runtime.done = (self.key, self.runtime.work)
        return self.runtime.work


@contextmanager
def gathering():
    """Within the block, nodes are not computed: yields the list of what is to be."""
    global _gathered
    before, _gathered = _gathered, []
    try:
        yield _gathered
    finally:
        _gathered = before


def is_gathering():
    return _gathered is not None


def gather(later):
    """Notes what is to be computed later."""
    if _gathered is not None and later.compute is not None:
        _gathered.append(later)


def is_working(runtime):
    """Whether a thread uses the node."""
    return runtime.work is not None and runtime.work.is_alive()


def end(runtime):
    """Stops the thread that uses the node, and waits for it."""
    if is_working(runtime):
        runtime.work.stopped = True
        runtime.work.join()
    runtime.work, runtime.done = None, None
