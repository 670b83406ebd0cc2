"""The target of muscle operators: the active body, or the body whose armature is in pose mode."""

from ...bridge import host, muscles, properties, runtime, skeleton
from ...bridge.problem import Problem, sentence
from ...core.library import SinewError
from ..in_thread import show_now

NOTHING = "Select a body with muscles, or press Add Muscle Skin first"


def armature_of(ob, item):
    """The armature that carries the muscles of a body, or None."""
    return skeleton.chosen_armature(ob, properties.settings(item).in_rest_joints)


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


class OnMuscles:
    """For operators on a body with muscles: subclasses define `change(context, ob, item)`, which may return a message."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if not host.kinds():
            cls.poll_message_set(host.problem())
            return False
        if body_of(context) is None:
            cls.poll_message_set(NOTHING)
            return False
        return True

    def execute(self, context):
        ob = body_of(context)
        return attempt(self, context, ob, lambda: self.change(context, ob, muscles.node_of(ob)))


def attempt(operator, context, ob, change):
    """Runs what changes a body; problems and errors become reports, and nothing is left half done."""
    try:
        runtime.check_writable(ob)
        message = change()
    except (Problem, SinewError) as problem:
        operator.report({"ERROR"}, sentence(problem))
        return {"CANCELLED"}
    if message:
        operator.report({"INFO"}, sentence(message))
    show_now(context)
    return {"FINISHED"}


def rig_of(ob, item, context):
    """The character of a body."""
    return muscles.rig_of(muscles.here_of(ob, item, context))


def warned(operator, warnings):
    """Says what the library left out: the first in words, the others by their number."""
    for warning in warnings:
        print(f"Sinew: {warning}")
    if warnings:
        more = f" (and {len(warnings) - 1} more, in the console)" if len(warnings) > 1 else ""
        operator.report({"WARNING"}, sentence(warnings[0] + more))
