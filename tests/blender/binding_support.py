"""What the tests of the package share; the library is the script's argument."""

import pathlib
import sys
import threading

ADDON = pathlib.Path(__file__).parents[2] / "blender_addon"
sys.path.insert(0, str(ADDON))
from sinew.library import Library  # noqa: E402
from sinew.loader import Error  # noqa: E402

LIBRARY = Library(sys.argv[1])


def refused(part, call, *arguments, kind=Error, code=None, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert part in str(error), error
        assert code is None or error.code == code, (error, error.code)
        return
    raise AssertionError(f"accepted; expected {kind.__name__} with {part!r}")


class Meanwhile:
    """Progress that waits, when it is first heard, until another thread has done something."""

    def __init__(self, act):
        self.heard, self.over = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.run, args=(act,))
        self.thread.start()

    def run(self, act):
        assert self.heard.wait(60)
        act()
        self.over.set()

    def __call__(self, done, task):
        assert 0 <= done <= 1 and task
        self.heard.set()
        assert self.over.wait(60)
