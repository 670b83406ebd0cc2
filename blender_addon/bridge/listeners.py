"""Lets functions hear of Blender's events: pairs of the name of a list in bpy.app.handlers and a function."""

import bpy

from . import guard

# When the functions in a list are called, as part of a sentence.
EVENTS = {
    "frame_change_pre": "before a change of frames",
    "frame_change_post": "after a change of frames",
    "depsgraph_update_post": "after an edit",
    "undo_pre": "before an undo",
    "undo_post": "after an undo",
    "redo_pre": "before a redo",
    "redo_post": "after a redo",
    "load_pre": "before a file was opened",
    "load_post": "after a file was opened",
    "save_post": "after a file was saved",
    "render_init": "before a render",
    "render_pre": "before a frame of a render",
}
# What Blender calls, by the name of the list and the function that it stands for.
_added = {}


def add(handlers, first=False):
    """`first`: ahead of those that are there already."""
    for name, handler in handlers:
        known = getattr(bpy.app.handlers, name)
        _added[name, handler] = guard.guarded(EVENTS[name])(handler)
        known.insert(0 if first else len(known), _added[name, handler])


def remove(handlers):
    for name, handler in handlers:
        known, added = getattr(bpy.app.handlers, name), _added.pop((name, handler), None)
        if added in known:
            known.remove(added)
