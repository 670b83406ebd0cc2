"""Muscles of bodies: made, mirrored, copied, changed by physiques, shown, sculpted and painted."""

import bpy

from . import make, paint, physique, shapes

CLASSES = (*make.CLASSES, *physique.CLASSES, *shapes.CLASSES, *paint.CLASSES)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
