"""For operators that take long: the library computes in a thread of its own, so that the window stays alive, with
progress, and Esc to stop."""

import inspect
import time

import bpy

from ..bridge import frames, later, runtime
from ..bridge.problem import Problem, sentence
from ..core.work import Work

DELETED = "The body was deleted while it was computed"
# How long the window waits for a computation before it draws again, in s.
SLICE = 0.05


def show_now(context):
    """Shows the scene's frame with what was just changed: the first update computes, the second shows what came out."""
    context.view_layer.update()
    context.view_layer.update()


class Computation:
    """What `compute(on_progress)` gives, without anything of Blender: computed in a thread once it is started, or else
    when the result is asked for."""

    def __init__(self, compute):
        self._compute, self._work = compute, None

    def start(self):
        self._work = Work(self._compute)
        return self._work

    def result(self):
        """What was computed; raises what went wrong."""
        return self._compute(None) if self._work is None else self._work.result()


def in_steps(found):
    """What a function returned, as a generator, which it may be itself."""
    return (yield from found) if inspect.isgenerator(found) else found


def at_once(steps):
    """What a generator of steps returns, without waiting for any thread."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


class Steps:
    """A generator that runs in Blender's own thread, and yields what is computed in another one before it goes on, as
    `start()` begins to; or None where the window may be drawn."""

    def __init__(self, generator):
        self._generator, self.work = generator, None

    def go_on(self):
        """Goes on for a short time, and tells whether something is left."""
        until = time.perf_counter() + SLICE
        while True:
            if self.work is not None:
                self.work.join(max(0.0, until - time.perf_counter()))
                if self.work.is_alive():
                    return True
            try:
                found = next(self._generator)
            except StopIteration:
                return False
            self.work = found.start() if found is not None else None
            if self.work is None and time.perf_counter() >= until:
                return True

    def stop(self):
        """Stops what is computed; whether nothing is computed any longer."""
        if self.work is not None and self.work.is_alive():
            self.work.stopped = True
            self.work.join(SLICE)
            return not self.work.is_alive()
        return True


def showing(found, scene, edited=frozenset()):
    """Steps that compute what was gathered when a frame was shown, and show it again, until nothing is left to compute.
    `edited`: how an edit concerns bodies, by these; without any, all bodies are shown."""
    while found:
        yield from found
        with runtime.busy(), later.gathering() as found:
            try:
                # As it was evaluated for this frame: what was written since does not count yet.
                frames.show_all(edited or runtime.users(scene), scene, bpy.context.view_layer.depsgraph, edited)
            except ReferenceError as error:
                raise Problem(DELETED if edited else "the scene was deleted") from error


class InSteps:
    """For operators that go on in a window while a timer runs, and do all at once in the background. Subclasses define
    `in_window(context)`, which begins by `go` or `go_modal`; `end(context)`, called when all is done, and
    `stop(context, level, message)`, called after Esc; and `said(context)`, what the status bar shows. ERRORS are what
    ends them with a message."""

    ERRORS = ()
    _timer = _shown = None
    _stopping = False

    def invoke(self, context, _event):
        return self.execute(context) if bpy.app.background else self.in_window(context)

    def go_modal(self, context):
        """Goes on while a timer runs, with what is in `_steps`."""
        self._stopping = False
        self._timer = context.window_manager.event_timer_add(0.001, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def go(self, context, steps):
        """The same, but what is done soon needs no timer, and shows no progress."""
        self._steps = steps
        try:
            left = steps.go_on()
        except self.ERRORS as problem:
            return self.stop(context, {"ERROR"}, sentence(problem))
        return self.go_modal(context) if left else self.end(context)

    def modal(self, context, event):
        if event.type == "ESC":
            self._stopping = True
        elif event.type != "TIMER":
            return {"PASS_THROUGH"} if event.type in ("MOUSEMOVE", "INBETWEEN_MOUSEMOVE") else {"RUNNING_MODAL"}
        if self._stopping:
            if self._steps.stop():
                return self.stop(context, {"WARNING"}, f"{self.bl_label} was stopped")
            context.workspace.status_text_set(f"{self.bl_label}: stopping")
            return {"RUNNING_MODAL"}
        try:
            left = self._steps.go_on()
        except self.ERRORS as problem:
            return self.stop(context, {"ERROR"}, sentence(problem))
        if not left:
            return self.end(context)
        self.progress(context, self._steps.work)
        return {"RUNNING_MODAL"}

    def progress(self, context, work):
        """Shows how far it is; only what is new, as Blender draws all of its window for that."""
        computing = f" ({work.task}, {work.done:.0%})" if work is not None and work.task else ""
        now = (
            int(100 * self.part_done(work.done if work is not None else 0.0)),
            f"{self.said(context)}{computing}. Esc stops",
        )
        if now != self._shown:
            context.window_manager.progress_update(now[0])
            context.workspace.status_text_set(now[1])
            self._shown = now

    def part_done(self, of_work):
        """How far it is, from 0 to 1, where the present computation is so far."""
        return of_work

    def said(self, _context):
        return self.bl_label

    def clean_up(self, context):
        """Gives the interface back."""
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            context.window_manager.progress_end()
            context.workspace.status_text_set(None)
            self._timer = None

    def cancel(self, _context):
        """Blender closes, or opens another file: what a thread uses goes away next."""
        while not self._steps.stop():
            pass


class ShowsFrame(InSteps):
    """For operators that change bodies and then show the scene's frame: at once from scripts and in the background; in
    a window, what that computes is computed in a thread.

    Subclasses define `change(context)`, which returns whether it changed something, and may be a generator as `Steps`
    takes it; they may define `settle(context)`, called when the frame is computed, and `take_back(context)`, called
    after Esc and after an error, which leaves the scene as it was. `edited` has the bodies that are changed, by how
    that concerns them, where frames of before may be shown in part."""

    ERRORS = (Problem,)
    edited = frozenset()
    _changed = False

    def execute(self, context):
        try:
            if not at_once(in_steps(self.change(context))):
                return {"CANCELLED"}
        except self.ERRORS as problem:
            return self.stop(context, {"ERROR"}, sentence(problem))
        self.settle(context)
        show_now(context)
        return {"FINISHED"}

    def in_window(self, context):
        return self.go(context, Steps(self.steps(context)))

    def steps(self, context):
        scene = context.scene
        try:
            self._changed = yield from in_steps(self.change(context))
            if not self._changed:
                return
            with runtime.busy(), later.gathering() as found:
                context.view_layer.update()
                frames.show_all(self.edited or runtime.users(scene), scene, context.view_layer.depsgraph, self.edited)
            yield from showing(found, scene, self.edited)
        except ReferenceError as error:
            raise Problem(DELETED) from error

    def end(self, context):
        self.clean_up(context)
        if not self._changed:
            return {"CANCELLED"}
        try:
            self.settle(context)
        except ReferenceError:
            self.report({"ERROR"}, DELETED)
            return {"CANCELLED"}
        show_now(context)
        return {"FINISHED"}

    def stop(self, context, level, message):
        self.clean_up(context)
        try:
            self.take_back(context)
        except ReferenceError:
            level, message = {"ERROR"}, DELETED
        show_now(context)
        self.report(level, message)
        return {"CANCELLED"}

    def settle(self, context):
        """Called when the frame is computed."""

    def take_back(self, context):
        """Called after Esc, and after an error."""


class InThread(InSteps):
    """For operators that compute once: at once from scripts and in the background; in a window, in a thread.

    Subclasses define `begin(context)`, which reads from Blender and returns what is to be computed, as `Work` takes it,
    or None after a refusal; and `finish(context, result)`, which writes, where `result()` gives what was computed or
    raises what went wrong. Both run in Blender's own thread; after Esc, `finish` is not called."""

    def execute(self, context):
        return self.finish(context, self._computation.result) if self.began(context) else {"CANCELLED"}

    def in_window(self, context):
        return self.go(context, Steps(iter([self._computation]))) if self.began(context) else {"CANCELLED"}

    def began(self, context):
        compute = self.begin(context)
        self._computation = Computation(compute)
        return compute is not None

    def end(self, context):
        self.clean_up(context)
        return self.finish(context, self._computation.result)

    def stop(self, context, level, message):
        self.clean_up(context)
        self.report(level, message)
        return {"CANCELLED"}
