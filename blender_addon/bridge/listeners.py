"""Lets functions hear of Blender's events: pairs of the name of a list in bpy.app.handlers and a function."""

import bpy


def add(handlers, first=False):
    """`first`: ahead of those that are there already."""
    for name, handler in handlers:
        known = getattr(bpy.app.handlers, name)
        known.insert(0 if first else len(known), handler)


def remove(handlers):
    for name, handler in handlers:
        known = getattr(bpy.app.handlers, name)
        if handler in known:
            known.remove(handler)
