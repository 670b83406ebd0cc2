"""Simulates a rig over the frames of the scene, in the interface with progress and Esc."""

import pathlib

import bpy
import numpy as np

from ...bridge import host
from ...bridge.properties import lock_interface
from ...bridge.tendon import animation, collapsed, motion, places, rig_parts, show
from ...core import strand_run
from ...core.work import Work
from ...sinew.loader import Error
from ..in_thread import InSteps, Steps
from . import check

from mathutils import Vector


class Simulation:
    """A run over the scene's frames; `step` computes one, and tells whether more are to come. In a thread, `start`
    begins to compute one, and `take` sees what came of it."""

    def __init__(self, rig, scene, stored):
        if host.library() is None:
            raise ValueError(host.problem())
        self.rig, self.stored = rig, stored
        self.first, self.last = motion.simulated_frames(scene)
        self.digest = check.digest(stored, scene)
        folder = pathlib.Path(bpy.app.tempdir) / "sinew_tendons" / self.digest
        strand_run.write_files(folder, stored.files)
        path = folder / "scene.xml"
        self.run = strand_run.Run(host.library(), path, animation.metres(scene), self.first, animation.fps(scene))

    def step(self):
        """A frame."""
        return self.take(self.run.step)

    def start(self):
        self.work = Work(self.run.step)
        return self.work

    def take(self, result):
        """What came of a frame; whether more are to come."""
        try:
            result()
        except Error as error:
            part, node = self.stored.at_line(error.line or 0)
            text = check.said(error, self.stored)
            check.fill(self.rig, [(True, f"frame {self.run.next}: {text}", part, node)])
            raise ValueError(f"frame {self.run.next}: {text}") from error
        return self.run.next <= self.last

    def part_done(self, of_frame=0.0):
        """From 0 to 1, where a part of the present frame is computed."""
        return (self.run.next - self.first + of_frame) / (self.last - self.first + 1)

    def end(self, context):
        """Keeps and shows what was computed; gives the warnings."""
        if self.run.next > self.first:
            show.keep(self.rig, self.run.result(), self.digest)
            show.remember(self.rig, self.stored)
            self.rig.sinew_tendons.shown = "simulated"
            show.refresh(self.rig, context.scene)
        self.run.close()
        return self.run.warnings


class SINEW_OT_tendon_simulate(check.OfRig, InSteps, bpy.types.Operator):
    """Simulate the rig over the scene's frames: muscles pull, bones follow, tendons slide. Esc stops and keeps the
    frames so far"""

    bl_idname, bl_label = "sinew.tendon_simulate", "Simulate"
    ERRORS = (ValueError, ReferenceError)

    def on_rig(self, context, rig):
        self.begin(context, rig)
        try:
            while self.simulation.step():
                pass
        finally:
            warnings = self.simulation.end(context)
        self.report_end(rig, warnings)

    def begin(self, context, rig):
        """Checks the rig and makes the run."""
        if bpy.context.mode.startswith("EDIT"):
            bpy.ops.object.mode_set(mode="OBJECT")
        rig.sinew_tendons.shown = "modelled"
        self.meant = collapsed.listed(rig)
        problems, stored = check.find(rig, context.scene)
        check.fill(rig, problems)
        wrong = [message for error, message, *_ in problems if error]
        if wrong:
            raise ValueError(f"{wrong[0]}" + (f" (and {len(wrong) - 1} more, see Check)" if len(wrong) > 1 else ""))
        self.simulation = Simulation(rig, context.scene, stored)
        lock_interface(context.scene)

    def report_end(self, rig, warnings):
        """Reports how it went. Who simulates what the list named before means it so."""
        collapsed.accept(self.meant)
        count = len(self.simulation.run.rows["tensions"])
        if warnings:
            self.report({"WARNING"}, f"{count} frames; {warnings[0]}")
        else:
            self.report({"INFO"}, f"{rig.name}: {count} frames")

    def in_window(self, context):
        return self.trying(lambda: self.start(context))

    def start(self, context):
        """Begins in the interface, where a timer goes on."""
        self.rig = check.own_rig(context)
        self.begin(context, self.rig)
        self._steps = Steps(self.steps())
        return self.go_modal(context)

    def steps(self):
        more = True
        while more:
            yield self.simulation
            more = self.simulation.take(self.simulation.work.result)

    def part_done(self, of_work):
        return self.simulation.part_done(of_work)

    def said(self, _context):
        return f"Simulating tendons: {self.simulation.part_done():.0%}"

    def end(self, context):
        return self.ended(context, {"FINISHED"})

    def stop(self, context, level, message):
        if "ERROR" in level:
            self.report(level, message)
        return self.ended(context, {"CANCELLED"})

    def ended(self, context, how):
        """Ends the run in the interface."""
        self.clean_up(context)
        try:
            warnings = self.simulation.end(context)
        except ReferenceError:
            self.simulation.run.close()
            self.report({"ERROR"}, "The rig was deleted while it was simulated")
            return {"CANCELLED"}
        if how == {"FINISHED"}:
            self.report_end(self.rig, warnings)
        return how


class SINEW_OT_tendon_clear(check.OfRig, bpy.types.Operator):
    """Forget the simulation and show everything as modelled"""

    bl_idname, bl_label = "sinew.tendon_clear", "Clear Simulation"

    def on_rig(self, context, rig):
        show.forget(rig)
        rig.sinew_tendons.shown = "modelled"
        show.refresh(rig, context.scene)


# What a bone's rotation is keyed as, by its mode; all others are Euler angles.
ROTATIONS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


class SINEW_OT_tendon_keys(check.OfRig, bpy.types.Operator):
    """Write the simulated motion as keyframes of the bones that follow the rig's bodies"""

    bl_idname, bl_label = "sinew.tendon_keys", "Motion to Keys"

    def on_rig(self, context, rig):
        result = show.result_of(rig)
        if result is None:
            raise ValueError(
                check.DAMAGED if show.is_damaged(rig) else "nothing is simulated yet: press Simulate first"
            )
        bones = rig_parts.moved_bones(rig)
        if not bones:
            raise ValueError("no bone follows a body of this rig: use Bodies from Armature with Roots Lead")
        hidden = sorted({bone.id_data.name for bone in bones if not bone.id_data.visible_get()})
        if hidden:
            # It does not compute their poses.
            raise ValueError(f"{', '.join(hidden)}: hidden, so that Blender does not pose its bones: show it first")
        rig.sinew_tendons.shown = "simulated"
        with animation.Frames(context.scene) as frames:
            posed = []
            for number in range(result.first, result.first + len(result)):
                frames.go(number)
                posed.append((number, {bone: bone.matrix.copy() for bone in bones}))
            rig_parts.leave_bones(rig, bones)
            ordered = sorted(bones, key=lambda bone: len(bone.parent_recursive))
            for number, matrices in posed:
                frames.go(number)
                for bone in ordered:
                    bone.matrix = matrices[bone]
                    context.view_layer.update()
                    for path in ("location", ROTATIONS.get(bone.rotation_mode, "rotation_euler")):
                        bone.keyframe_insert(path, frame=number * animation.pace(context.scene))
            off = largest_miss(frames, posed)
        self.report({"INFO"}, f"{len(bones)} bones, {len(posed)} frames")
        if off > MISS:
            reasons = filter(None, (places.distorted(bone.id_data) for bone in bones))
            why = next((f": {reason}" for reason in reasons), "")
            self.report({"WARNING"}, f"Bones miss the simulated motion by up to {100 * off:.2g} % of their length{why}")


# Keys that miss by more than this fraction of a bone's length are reported.
MISS = 1e-3


def largest_miss(frames, posed):
    """The largest distance of keyed bones' heads and tails from the simulated ones, as a fraction of each bone's
    length."""
    off = 0.0
    for number, matrices in posed:
        frames.go(number)
        for bone, wanted in matrices.items():
            ends = [
                (bone.matrix @ end - wanted @ end).length for end in (Vector((0, 0, 0)), Vector((0, bone.length, 0)))
            ]
            off = max(off, *ends / np.float64(max(bone.length, 1e-9)))
    return off


CLASSES = (SINEW_OT_tendon_simulate, SINEW_OT_tendon_clear, SINEW_OT_tendon_keys)
