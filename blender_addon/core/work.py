"""A computation in a thread of its own, with progress, that can be stopped."""

import threading


class Work(threading.Thread):
    """Calls `compute(on_progress)`, which must not touch anything of Blender. Blender waits for it before it ends."""

    def __init__(self, compute):
        super().__init__(name="Sinew")
        self._compute, self._result, self._error = compute, None, None
        self.done, self.task, self.stopped = 0.0, "", False
        self.start()

    def run(self):
        try:
            self._result = self._compute(self.hear)
        except BaseException as error:
            self._error = error

    def hear(self, done, task):
        """Called by the library, which stops where this is true."""
        self.done, self.task = done, task
        return self.stopped

    def result(self):
        """What was computed; raises what went wrong."""
        if self._error is not None:
            raise self._error
        return self._result
