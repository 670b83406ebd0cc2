"""Computes in a thread of its own, so that the window stays alive: with progress, and Esc to stop."""

import threading

import bpy

# A computation that is done within so many seconds shows no progress.
AT_ONCE = 0.3


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


class InThread:
    """For operators that compute: at once from scripts and in the background; in a window, in a thread.

    Subclasses define `begin(context)`, which reads from Blender and returns what is to be computed, as `Work` takes it, or None after a
    refusal; and `end(context, result)`, which writes, where `result()` gives what was computed or raises what went wrong. Both run in
    Blender's own thread; after Esc, `end` is not called."""

    def execute(self, context):
        compute = self.begin(context)
        return {"CANCELLED"} if compute is None else self.end(context, lambda: compute(None))

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        compute = self.begin(context)
        if compute is None:
            return {"CANCELLED"}
        self._work = Work(compute)
        self._work.join(AT_ONCE)
        if not self._work.is_alive():
            return self.end(context, self._work.result)
        self._timer = context.window_manager.event_timer_add(0.05, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._work.stopped = True
            self.clean_up(context)
            self.report({"WARNING"}, f"{self.bl_label} was stopped")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"} if event.type in ("MOUSEMOVE", "INBETWEEN_MOUSEMOVE") else {"RUNNING_MODAL"}
        if not self._work.is_alive():
            self.clean_up(context)
            return self.end(context, self._work.result)
        context.window_manager.progress_update(int(100 * self._work.done))
        context.workspace.status_text_set(f"{self.bl_label}: {self._work.task}, {self._work.done:.0%}. Esc stops")
        return {"RUNNING_MODAL"}

    def clean_up(self, context):
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def cancel(self, _context):
        """Blender closes, or opens another file."""
        self._work.stopped = True
