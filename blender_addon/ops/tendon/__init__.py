"""Tendon rigs: bodies, joints, tendons, muscles and goals as objects of a collection, simulated by the library.

A rig is a collection. What each object in it is, `props` says; `load` makes objects of a scene and `store` a scene of objects,
so that what nobody changed keeps its text; `places` keeps what was modelled apart from what is simulated; `show` moves bodies
and draws tubes; `live` simulates after every edit."""

import bpy

from . import bodies, check, files, live, props, route, show, simulate

CLASSES = (*bodies.CLASSES, *route.CLASSES, *check.CLASSES, *simulate.CLASSES, *files.CLASSES)


register_operators, unregister_operators = bpy.utils.register_classes_factory(CLASSES)


def register():
    props.register()
    register_operators()
    show.register()
    live.register()


def unregister():
    live.unregister()
    show.unregister()
    unregister_operators()
    props.unregister()
