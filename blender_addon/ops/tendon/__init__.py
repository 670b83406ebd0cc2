"""Tendon rigs: bodies, joints, tendons, muscles and goals as objects of a collection, simulated by the library.

A rig is a collection. `props` defines what each object in it is; `load` turns a scene into objects and `store` turns
objects into a scene, keeping the text of everything that has not been changed; `places` keeps what was modelled apart
from what is simulated; `show` moves bodies and draws tubes; `live` simulates after every edit. `check` lists what is
wrong, with what is `overlooked` by the simulation and what `collapsed` to the origin. `following` lets bodies and bones
follow each other, and `sides` those of mirrored rigs; `points` and `ties` give copies names of their own."""

import bpy

from ...bridge import host
from . import bodies, check, files, following, live, points, props, route, show, simulate

CLASSES = (*bodies.CLASSES, *route.CLASSES, *points.CLASSES, *check.CLASSES, *simulate.CLASSES, *files.CLASSES)


register_operators, unregister_operators = bpy.utils.register_classes_factory(CLASSES)


def register():
    # What rigs hold is described by the library; without it the panel says why there is nothing.
    if host.library() is None:
        return
    props.register()
    register_operators()
    show.register()
    live.register()
    following.register()


def unregister():
    if not props.is_registered():
        return
    following.unregister()
    live.unregister()
    show.unregister()
    unregister_operators()
    props.unregister()
