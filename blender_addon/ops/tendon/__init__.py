"""What people do with tendon rigs: bodies, joints, tendons, muscles and goals as objects of a collection, simulated by
the library.

What a rig is stands in `bridge.tendon`. Here are the operators: `bodies`, `route` and `points` make and change parts,
`files` reads and writes scenes, `simulate` simulates, and `live` does so after every edit. `check` lists what is wrong,
and `sides` lets bodies and bones of mirrored rigs follow each other."""

import bpy

from ...bridge import host
from ...bridge.tendon import following, props, show
from . import bodies, check, files, live, points, route, simulate

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
