"""A number of one muscle for others, too."""

import fnmatch
import glob
import re

import bpy
from bpy.props import EnumProperty, StringProperty

from ...bridge import host, muscle_numbers, muscles
from ...bridge.problem import Problem
from .target import OnMuscles, body_of


def is_shared(number):
    """Whether a number makes sense for other muscles: places, bones and counts of vertices are each muscle's own."""
    return number.kind == "number"


def shared(_self=None, _context=None):
    """The numbers that can be given to others."""
    found = filter(is_shared, muscle_numbers.numbers()) if host.library() else ()
    # Blender keeps no reference to the texts.
    shared.kept = [(number.name, number.title, number.doc) for number in found]
    return shared.kept


def strips(name):
    """A pattern of names: the strips of the same muscle, which differ in the number at their end; all muscles for one
    without a number."""
    numbered = re.fullmatch(r"(.*)\.\d+", name, re.S)
    return glob.escape(numbered[1]) + ".*" if numbered else "*"


class SINEW_OT_muscle_number_share(OnMuscles, bpy.types.Operator):
    """Gives this number of the chosen muscle to others as well"""

    bl_idname, bl_label = "sinew.muscle_number_share", "Give to Other Muscles"
    number: EnumProperty(name="Number", description="Which number they get", items=shared)
    to: StringProperty(
        name="To",
        description="Their names, where * stands for any characters: *gluteus* for names with this word, "
        "* for all muscles. "
        "By default the strips of the chosen muscle, or all muscles if it has no strips",
    )

    def invoke(self, context, _event):
        self.to = strips(muscles.chosen_name(body_of(context)))
        return context.window_manager.invoke_props_dialog(self)

    def change_muscles(self, _context, ob, item):
        chosen = muscles.chosen_name(ob)
        if not chosen:
            raise Problem(f'"{ob.name}" has no muscles yet')
        pattern = self.to = self.to or strips(chosen)
        names = [name for name in muscles.names_of(item) if name != chosen and fnmatch.fnmatchcase(name, pattern)]
        if not names:
            raise Problem(f'no other muscle is called "{pattern}"')
        muscle_numbers.change(
            ob, names, self.number, muscle_numbers.text_of(ob.sinew_muscles.names[chosen], self.number)
        )
        return f"{len(names)} muscles got this number"


CLASSES = (SINEW_OT_muscle_number_share,)
