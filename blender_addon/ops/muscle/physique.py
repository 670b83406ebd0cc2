"""Physiques: all muscles of many bodies made heavier, thinner, tenser or softer by factors of their nodes."""

import bpy
from bpy.props import EnumProperty, FloatProperty

from ...bridge import host, muscles, properties, runtime
from ...bridge.problem import Problem, sentence
from ...sinew.muscles import Physique, physiques
from ..in_thread import ShowsFrame
from .target import NOTHING, Before, body_of

AS_MADE = Physique("as_made", 1.0, 1.0, 1.0, 1.0)
FACTORS = ("size", "bulge", "stiffness", "damping", "weight")


def known(_self=None, _context=None):
    """The library's physiques, and the one that changes nothing."""
    found = [AS_MADE, *physiques(library=host.library())] if host.library() else [AS_MADE]
    known.kept = [
        (one.id, one.id.replace("_", " ").title(), ", ".join(f"{name} x {getattr(one, name):g}" for name in FACTORS))
        for one in found
    ]
    known.factors = {one.id: one for one in found}
    return known.kept


def factor(name, doc, least):
    return FloatProperty(name=name, description=doc, default=1, min=least, soft_max=3)


class SINEW_OT_muscles_physique(ShowsFrame, bpy.types.Operator):
    """Changes the muscles of all selected bodies by factors: those of a physique, times your own. The muscles
    themselves stay as they are; another physique takes the place of this one"""

    bl_idname, bl_label, bl_options = "sinew.muscles_physique", "Physique", {"REGISTER", "UNDO"}
    preset: EnumProperty(name="Physique", description="A set of factors", items=known)
    size: factor("Size", "Multiplies the width of all muscles", 0.01)
    bulge: factor("Bulge", "Multiplies how much muscles bulge", 0)
    stiffness: factor("Stiffness", "Multiplies the stiffness of all springs", 0.001)
    damping: factor("Damping", "Multiplies the damping of all springs", 0)
    weight: factor("Weight", "Multiplies the weights with which muscles carry the skin", 0.01)

    @classmethod
    def poll(cls, context):
        if not bodies(context):
            cls.poll_message_set(NOTHING)
            return False
        return True

    def change(self, context):
        known()
        chosen, self._before = known.factors[self.preset], []
        for ob in bodies(context):
            try:
                runtime.check_writable(ob)
            except Problem as problem:
                self.report({"ERROR"}, sentence(problem))
                continue
            self._before.append(Before(ob))
            settings = properties.settings(muscles.node_of(ob))
            with runtime.busy():
                for name in FACTORS:
                    setattr(settings, f"param_{name}_factor", getattr(chosen, name) * getattr(self, name))
            runtime.touched(ob)
        self.edited = {one.ob: runtime.EDITED for one in self._before}
        return bool(self._before)

    def take_back(self, context):
        for one in self._before:
            one.take_back()


def bodies(context):
    """The selected bodies with muscles, and the active one."""
    found = [ob for ob in context.selected_objects if muscles.node_of(ob)]
    active = body_of(context)
    return found if active is None or active in found else [*found, active]


CLASSES = (SINEW_OT_muscles_physique,)
