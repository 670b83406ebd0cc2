"""The target of muscle operators: the active body, or the body whose armature is in pose mode."""

import contextlib

import bpy

from ...bridge import host, muscles, properties, runtime, skeleton
from ...bridge.problem import Problem, sentence
from ...sinew import abi
from ...sinew.loader import Error
from ...sinew.muscles import MuscleSet
from .. import nodes
from ..in_thread import Computation, ShowsFrame, in_steps

NOTHING = "Select a body with muscles, or press Add Muscle Skin first"


def armature_of(ob, item):
    """The armature that carries the muscles of a body, or None."""
    return skeleton.chosen_armature(ob, properties.settings(item).in_rest_joints)


@contextlib.contextmanager
def of_a_human(otherwise):
    """For what the library knows only of humans: a problem that says so."""
    try:
        yield
    except Error as error:
        if error.code != abi.SINEW_NOT_FOUND:
            raise
        raise Problem(f"{otherwise} of a human: {error}") from error


def bodies_of(context, armature):
    """The bodies whose muscles an armature carries; if there are several, the selected ones."""
    users = [ob for ob in runtime.users(context.scene) if muscles.node_of(ob)]
    found = [ob for ob in users if armature_of(ob, muscles.node_of(ob)) == armature]
    return [ob for ob in found if ob.select_get()] or found


def body_of(context):
    """The body with muscles that the active object is, shows or moves; None where there is none, or more than one."""
    ob = context.object
    if ob is None:
        return None
    if muscles.node_of(ob):
        return ob
    if ob.sinew_muscles.body is not None:
        return ob.sinew_muscles.body if muscles.node_of(ob.sinew_muscles.body) else None
    found = bodies_of(context, ob) if ob.type == "ARMATURE" else []
    return found[0] if len(found) == 1 else None


class ChangesMuscles(ShowsFrame):
    """For operators that change the muscles of a body: nothing is left half done. Subclasses define `body_in(context)`,
    and `change_muscles(context, ob, item)`, which may return a message, and may be a generator as `Steps` takes it."""

    ERRORS = (Problem, Error)
    bl_options = {"REGISTER", "UNDO"}
    # What takes back what was changed, the last first.
    _before = ()

    def change(self, context):
        ob = self.body_in(context)
        runtime.check_writable(ob)
        self._before, self._warnings = [Before(ob)], ()
        # What is read on the way evaluates the scene: the frame is shown once, when all is changed.
        self._message = yield from unseen(in_steps(self.change_muscles(context, ob, muscles.node_of(ob))))
        nodes_known = runtime.in_all_scenes(ob)
        if any(known.dirty for known in nodes_known):
            self.edited = {ob: runtime.EDITED}
        if self.edited or not nodes_known:
            ob.update_tag()
        return True

    def settle(self, context):
        """Says what the library left out, the first in words, the others by their number; and what was done."""
        for warning in self._warnings:
            print(f"Sinew: {warning}")
        if self._warnings:
            more = f" (and {len(self._warnings) - 1} more, in the console)" if len(self._warnings) > 1 else ""
            self.report({"WARNING"}, sentence(self._warnings[0] + more))
        if self._message:
            self.report({"INFO"}, sentence(self._message))

    def take_back(self, context):
        for one in reversed(self._before):
            one.take_back()


def unseen(steps):
    """The steps of a generator, with handlers that leave alone what each of them does."""
    while True:
        with runtime.busy():
            try:
                found = next(steps)
            except StopIteration as end:
                return end.value
        yield found


class OnMuscles(ChangesMuscles):
    """For operators on a body with muscles."""

    @classmethod
    def poll(cls, context):
        if not host.kinds():
            cls.poll_message_set(host.problem())
            return False
        if body_of(context) is None:
            cls.poll_message_set(NOTHING)
            return False
        return True

    def body_in(self, context):
        return body_of(context)


class Before:
    """A body with its muscles as it was, to leave it so again."""

    def __init__(self, ob):
        self.ob, self._nodes, self._chosen = ob, nodes.Before(ob), ob.sinew_muscles.active
        self._active_group = ob.vertex_groups.active_index
        item = muscles.node_of(ob)
        self._settings = {} if item is None else values_of(properties.settings(item))

    def take_back(self):
        ob = self.ob
        self._nodes.take_back()
        item = muscles.node_of(ob)
        if item is not None:
            with runtime.busy():
                put_values(properties.settings(item), self._settings)
            runtime.touched(ob)
        muscles.sync(ob)
        ob.sinew_muscles.active, ob.vertex_groups.active_index = self._chosen, self._active_group


def values_of(group):
    """What a group of properties, and those in it, are set to."""
    found = {
        about.identifier: getattr(group, about.identifier)
        for about in group.bl_rna.properties
        if about.identifier != "rna_type"
    }
    return {
        name: values_of(value) if isinstance(value, bpy.types.PropertyGroup) else value for name, value in found.items()
    }


def put_values(group, values):
    """Sets what is set otherwise."""
    for name, value in values.items():
        if isinstance(value, dict):
            put_values(getattr(group, name), value)
        elif getattr(group, name) != value:
            setattr(group, name, value)


def on_set(item, use):
    """What `use(set)` gives of the set of a node, to be computed without anything of Blender."""
    library, text = host.library(), muscles.text_of(properties.settings(item))

    def compute(on_progress):
        with MuscleSet(text, on_progress, library=library) as found:
            return use(found)

    return Computation(compute)


def rig_of(ob, item, context):
    """The character of a body."""
    return muscles.rig_of(muscles.here_of(ob, item, context))
