"""Muscles of bodies: made, mirrored, copied, changed by physiques, shown, sculpted and painted."""

import bpy

from . import make, motion_range, numbers, paint, physique, roles, shapes

CLASSES = (
    *make.CLASSES,
    *numbers.CLASSES,
    *physique.CLASSES,
    *motion_range.CLASSES,
    *roles.CLASSES,
    *shapes.CLASSES,
    *paint.CLASSES,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
