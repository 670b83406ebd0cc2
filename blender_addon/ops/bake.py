"""Plays frames with progress, and Esc to stop: to catch up with the scene's frame, or to bake."""

import pathlib
import re
import uuid
from contextlib import contextmanager

import bpy

from ..bridge import bakes, host, later, properties, runtime, scatter
from ..bridge.problem import Problem, counted, sentence
from ..bridge.roots import params_of
from ..core.bake import BakeError, BakeWriter
from ..sinew.loader import readable
from .in_thread import InSteps, Steps, showing
from .nodes import HasKnownNode, active_node


class Plays(InSteps):
    """Sets one frame after the other: modal in the interface, at once in the background.

    Subclasses define `begin(context)`, which returns the frames; `done_with(context, frame)`; `finish(context)`, which
    may return a message to report at the class's `level`; and `abandon()`."""

    ERRORS = (Problem, BakeError)

    def execute(self, context):
        if not self.set_up(context):
            return {"CANCELLED"}
        try:
            for frame in self._frames:
                with self.playing():
                    self._scene.frame_set(frame)
                self.done_with(context, frame)
        except self.ERRORS as problem:
            return self.stop(context, {"ERROR"}, str(problem))
        return self.end(context)

    def in_window(self, context):
        return self.go_modal(context) if self.set_up(context) else {"CANCELLED"}

    def steps(self, context):
        for frame in self._frames:
            self._frame = frame
            with self.playing(), later.gathering() as found:
                self._scene.frame_set(frame)
            yield from showing(found, self._scene)
            with self.playing():
                self.done_with(context, frame)
            self._done += 1
            yield None

    @contextmanager
    def playing(self):
        try:
            with runtime.busy():
                yield
        except ReferenceError as error:
            raise Problem("the scene was deleted") from error

    def part_done(self, of_work):
        return (self._done + of_work) / len(self._frames)

    def said(self, context):
        return f"{self.bl_label}: frame {self._frame}, {self._frames[-1] - self._frame} to go"

    def set_up(self, context):
        self._timer, self._scene, self._back, self._done = None, context.scene, context.scene.frame_current, 0
        try:
            self._frames = list(self.begin(context))
        except self.ERRORS as problem:
            self.report({"ERROR"}, sentence(problem))
            return False
        self._steps = Steps(self.steps(context))
        return True

    def end(self, context):
        try:
            message = self.finish(context)
        except BakeError as problem:
            return self.stop(context, {"ERROR"}, str(problem))
        self.clean_up(context)
        if message:
            self.report({self.level}, sentence(message))
        return {"FINISHED"}

    def stop(self, context, level, message):
        self.abandon()
        self.clean_up(context)
        self.report(level, sentence(message))
        return {"CANCELLED"}

    def clean_up(self, context):
        """Restores the scene's frame and the interface."""
        super().clean_up(context)
        try:
            if self._scene.frame_current != self._back:
                with runtime.busy():
                    self._scene.frame_set(self._back)
        except ReferenceError:
            # The scene was deleted.
            return

    def cancel(self, context):
        super().cancel(context)
        self.abandon()


class SINEW_OT_catch_up(Plays, bpy.types.Operator):
    """Computes all frames that the current one follows from, and shows it; Esc stops"""

    bl_idname, bl_label = "sinew.catch_up", "Catch Up"
    level = "WARNING"

    @classmethod
    def poll(cls, context):
        if not runtime.missing(context.scene):
            cls.poll_message_set("The frame is computed")
            return False
        return True

    def begin(self, context):
        self._left_out = []
        return runtime.frames_to_catch_up(context.scene, context.scene.frame_current)

    def done_with(self, context, frame):
        failed = runtime.messages(self._scene, runtime.FAILED)
        if failed:
            raise Problem(failed[0])
        self._left_out += runtime.messages(self._scene, runtime.LEFT_OUT)

    def finish(self, context):
        """Says what is broken on the way."""
        if not self._left_out:
            return ""
        more = f" (and {len(self._left_out) - 1} more)" if len(self._left_out) > 1 else ""
        return f"left out: {self._left_out[0]}{more}"

    def abandon(self):
        """Frames that are computed stay."""


def check_saved():
    """Refuses bakes beside a file that is not there yet."""
    if not bpy.data.filepath:
        raise Problem("save the file first: the bake goes beside it (or choose a file for the bake)")


def default_path(ob, item):
    """Beside the file, named after the object and the node."""
    check_saved()
    stem = pathlib.Path(bpy.data.filepath).stem
    name = re.sub(r'[\\/:*?"<>|\x00-\x1f]', "_", f"{stem} {ob.name} {item.name}")
    return f"//{name}{bakes.own_ending(item)}"


def set_quality(item, quality):
    """Sets how close frames come to the exact ones, of a node that has the choice."""
    settings = properties.settings(item)
    if hasattr(settings, "param_quality"):
        settings.param_quality = quality


def path_for(ob, item):
    """Where a node is baked: where it was before, unless that file belongs to another node, as after the object was
    copied, or is named after a .blend file that has since been renamed."""
    others = [(o, other) for o in bpy.data.objects for other in o.sinew.nodes if (o, other.uid) != (ob, item.uid)]
    if any(other.uid == item.uid for _, other in others):
        item.uid = uuid.uuid4().hex
        return default_path(ob, item)
    taken = {bpy.path.abspath(other.bake_path) for _, other in others if other.bake_path}
    path = item.bake_path
    if not path or path.endswith(bakes.own_ending(item)):
        return default_path(ob, item)
    if bpy.path.abspath(path) in taken:
        raise Problem(f"{path} is the bake of another node: choose another file")
    if path.startswith("//"):
        check_saved()
    return path


class SINEW_OT_bake(HasKnownNode, Plays, bpy.types.Operator):
    """Computes the frames from the start to the scene's end and writes them to a file, which then plays without
    computing; Esc stops"""

    bl_idname, bl_label, bl_options = "sinew.bake", "Bake", {"UNDO"}
    level = "INFO"

    def begin(self, context):
        self._ob, item, scene = context.object, active_node(context), context.scene
        runtime.check_writable(self._ob)
        if not scatter.wanted(host.kinds()[item.kind], properties.settings(item)):
            raise Problem(f'"{item.name}" has no output in use')
        frames = range(runtime.start_of(item, scene), scene.frame_end + 1)
        if not frames:
            raise Problem(
                f'"{item.name}" begins at frame {frames.start}, after the scene\'s end at {scene.frame_end}: nothing '
                f"to bake"
            )
        self._path = path_for(self._ob, item)
        self._item_uid = item.uid
        settings = properties.settings(item)
        self._before = (item.use_bake, item.live, getattr(settings, "param_quality", None))
        params = params_of(host.kinds()[item.kind], settings, scene)
        self._writer = BakeWriter(bpy.path.abspath(self._path), item.kind, scene.render.fps / scene.render.fps_base)
        self._writer.head["made_of"] = bakes.made_of(params, self._ob, frames.start)
        self._writer.head["unit"], self._writer.head["motion"] = scene.unit_settings.scale_length, {}
        item.use_bake, item.live = False, True
        set_quality(item, "exact")
        return frames

    def item(self):
        """The node that is baked; someone may have deleted it or its object since."""
        try:
            found = next((item for item in self._ob.sinew.nodes if item.uid == self._item_uid), None)
        except ReferenceError:
            found = None
        if found is None:
            raise Problem("the object or node being baked was deleted")
        return found

    def done_with(self, context, frame):
        item = self.item()
        known = runtime.known(self._ob, item, self._scene)
        if known is None or known.seen_in != frame:
            raise Problem(
                f'"{self._ob.name}" is hidden in viewports, or not in the view layer, in frame {frame}: show it, and '
                f"bake again"
            )
        if known.state != runtime.COMPUTED:
            raise Problem(known.message or f"frame {frame} could not be computed")
        self._writer.add(frame, known.last)
        self._writer.head["fixed"] = bakes.traces(known.fixed)
        self._writer.head["motion"][frame] = bakes.of_frame(*known.moving)
        self._writer.head["rest_world"] = known.rest_world.ravel().tolist()
        places = {
            port.id: known.places.known(one)
            for port, one in scatter.hair_of(self._ob, known.kind, properties.settings(item))
        }
        self._writer.head["places"] = {port: place.ravel().tolist() for port, place in places.items()}

    def finish(self, context):
        self._writer.finish()
        item = self.item()
        item.bake_path, item.use_bake = self._path, True
        set_quality(item, self._before[2])
        return readable(f"Baked {counted(len(self._frames), 'frame')} into {bpy.path.abspath(self._path)}")

    def abandon(self):
        self._writer.abandon()
        try:
            item = self.item()
        except Problem:
            return
        item.use_bake, item.live, quality = self._before
        set_quality(item, quality)


CLASSES = (SINEW_OT_catch_up, SINEW_OT_bake)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
