"""Lists what is wrong with a rig, in Blender's terms and the library's, and selects it."""

import pathlib
import re
import tempfile

import bpy

from ...bridge import host
from ...bridge.problem import counted
from ...bridge.tendon import animation, overlooked, props, rig_parts, show, store
from ...core import strand_run
from ...core.timeline import fingerprint
from ...sinew.document import Document
from ...sinew.loader import Error

DAMAGED = "the saved simulation is damaged: simulate again"


def find(rig, scene):
    """All problems, [(error, message, object, node)], some with the cure that the panel offers, and the stored rig."""
    stored = store.store(rig, scene)
    found = [*stored.problems, *overlooked.find(rig, scene)]
    if host.library() is not None:
        found += faults(stored, rig)
    if not any(error for error, *_ in found) and host.library() is not None:
        found += verdict(stored, scene)
    return sorted(found, key=lambda p: not p[0]), stored


# What the library says of planes that were idle in the file from which the rig was made: they are meant so.
IDLE = "no node uses it"


def faults(stored, rig):
    """What the library says of each part of the scene."""
    with Document.parse(rig.sinew_tendons.document, library=host.library()) as read:
        idle = {read.get(fault.element, "name") for fault in read.faults() if fault.message == IDLE}
    with Document.parse(stored.text, library=host.library()) as document:
        found = []
        for fault in document.faults():
            # The numbers of elements that were just read are their places in the file.
            element, owner = stored.at_place(fault.element)
            if fault.message == IDLE and stored.read_names.get(element.id) in idle:
                continue
            name = element.get("name") or element.get("point")
            text = f'{element.tag} "{name}": {fault.message}' if name else f"{element.tag}: {fault.message}"
            found.append((fault.is_error, text, *owner))
        return found


def verdict(stored, scene):
    """What the library itself says when it builds the scene, takes a first look, and moves it for a frame."""
    with tempfile.TemporaryDirectory() as folder:
        strand_run.write_files(folder, stored.files)
        path = pathlib.Path(folder) / "scene.xml"
        try:
            run = strand_run.Run(host.library(), path, animation.metres(scene), 0, animation.fps(scene))
            try:
                for _ in range(2):
                    run.step()
            finally:
                run.close()
        except Error as error:
            return [(True, said(error, stored), *stored.at_line(error.line or 0))]
    return []


def digest(stored, scene):
    """The hash of everything that a simulation would be made from."""
    span = (scene.frame_start, scene.frame_end, animation.fps(scene))
    return fingerprint(*stored.files.items(), *span).hex()


def said(error, stored):
    """A message of the library, with the part that it concerns instead of the position in a temporary file."""
    part, _ = stored.at_line(error.line or 0)
    message = re.sub(r"^.*?\bnode strand(?:, parameter \w+)?: ", "", str(error))
    is_named = part is None or f'"{rig_parts.name_in_scene(part)}"' in message
    return message if is_named else f"{part.name}: {message}"


def fill(rig, found):
    """Puts problems into the rig's list."""
    known = rig.sinew_tendons
    known.problems.clear()
    for error, message, about, node, *cure in found:
        line = known.problems.add()
        line.error, line.message, line.about, line.node = error, message, about, node
        line.cure = "".join(cure)
    known.active_problem = 0
    count = sum(1 for error, *_ in found if error)
    if found:
        known.checked = f"{counted(count, 'error')}, {counted(len(found) - count, 'warning')}"
    else:
        known.checked = (
            "Nothing is wrong"
            if rig_parts.parts(rig, "body", "strand")
            else "The rig is empty: add bodies and a tendon under Build"
        )


def look(rig, scene):
    """Fills a rig's list with all that is wrong now."""
    found, stored = find(rig, scene)
    if show.is_damaged(rig):
        found.append((False, DAMAGED, None, -1))
    elif text := show.outdated(rig, scene):
        found.append((False, text, None, -1))
    elif rig.sinew_tendons.digest not in ("", digest(stored, scene)):
        found.append((False, "the simulation is older than the rig: simulate again", None, -1))
    fill(rig, found)


def active_rig(context):
    """The rig of the active object, otherwise that of the active collection, otherwise the only one of the scene."""
    if not props.is_registered():
        return None
    layer = context.view_layer.active_layer_collection
    for thing in (context.object, layer and layer.collection):
        if thing is not None and (rig := rig_parts.rig_of(thing)):
            return rig
    inside = [c for c in context.scene.collection.children_recursive if c.sinew_tendons.is_rig]
    return inside[0] if len(inside) == 1 else None


def own_rig(context):
    """The active rig, which must be this file's own."""
    rig = active_rig(context)
    if rig.library or rig.override_library:
        raise ValueError(f"{rig.name} is linked from another file: edit it there, or make it local")
    return rig


def in_words(error):
    """What to tell of an error: of files, without the system's number."""
    words = getattr(error, "strerror", None)
    return f"{error.filename}: {words}" if words else str(error)


class OfRig:
    """An operator on the active rig, which undo takes back."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if active_rig(context) is None:
            cls.poll_message_set("Select a part of a tendon rig, or make one with New Rig")
            return False
        return True

    def execute(self, context):
        return self.trying(lambda: self.on_rig(context, own_rig(context)) or {"FINISHED"})

    def trying(self, what):
        """Does something; where it cannot, the report says why."""
        try:
            return what()
        except (ValueError, OSError, Error) as error:
            self.report({"ERROR"}, in_words(error))
            return {"CANCELLED"}

    def each(self, things, do):
        """Does something with each of several objects, and warns of those that refuse; where all do, nothing was
        done."""
        refused = []
        for thing in things:
            try:
                do(thing)
            except ValueError as error:
                refused.append(str(error))
        if len(refused) == len(things):
            raise ValueError("; ".join(refused))
        if refused:
            self.report({"WARNING"}, "; ".join(refused))


class SINEW_OT_tendon_check(OfRig, bpy.types.Operator):
    """List what is wrong with the rig: a click on a line selects the part"""

    bl_idname, bl_label = "sinew.tendon_check", "Check Rig"

    def on_rig(self, context, rig):
        look(rig, context.scene)
        self.report({"WARNING" if rig.sinew_tendons.problems else "INFO"}, rig.sinew_tendons.checked)


class SINEW_OT_tendon_select_problem(OfRig, bpy.types.Operator):
    """Select what this line is about"""

    bl_idname, bl_label = "sinew.tendon_select_problem", "Select"

    index: bpy.props.IntProperty(name="Line", description="The line of the checker's list", min=0)

    def on_rig(self, context, rig):
        problems = rig.sinew_tendons.problems
        if self.index >= len(problems):
            raise ValueError("there is no such line: check the rig again")
        line = problems[self.index]
        rig.sinew_tendons.active_problem = self.index
        if line.about is None or line.about.name not in context.view_layer.objects:
            raise ValueError("this line is about the whole rig, or its part is not in the view layer")
        select(context, line.about)
        if line.node >= 0:
            line.about.sinew_tendon.active_node = line.node
            select_point(line.about, line.node)


def select(context, part):
    """Makes a part the only selected object."""
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for other in context.selected_objects:
        other.select_set(False)
    part.hide_viewport = False
    part.hide_set(False)
    part.select_set(True)
    context.view_layer.objects.active = part


def select_point(part, k):
    """Selects a control point of a curve, for its edit mode."""
    for spline in part.data.splines[:1]:
        points = spline.bezier_points if spline.type == "BEZIER" else spline.points
        for number, point in enumerate(points):
            chosen = number == k
            if spline.type == "BEZIER":
                point.select_control_point = chosen
            else:
                point.select = chosen


CLASSES = (SINEW_OT_tendon_check, SINEW_OT_tendon_select_problem)
