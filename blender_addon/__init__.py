"""Sinew in Blender: skin that slides over an animated body, muscles, tendons, and every other node that the library
has.

`sinew` is the library as a Python package, which `wheel.py` also packs as a wheel; `core` works without Blender, too;
`bridge` carries data between Blender and these; `ops` and `ui` are what people see. A module that has something to
register is a line in MODULES.
"""

import importlib

# In the order of registration.
MODULES = (
    "bridge.host",
    "bridge.properties",
    "bridge.muscle_list",
    "bridge.bone_roles",
    "bridge.handlers",
    "bridge.muscle_bones",
    "bridge.muscle_rest",
    "ops.nodes",
    "ops.skin",
    "ops.paint",
    "ops.bake",
    "ops.muscle",
    "ops.tendon",
    "ops.charts",
    "ui.preferences",
    "ui.panels",
    "ui.muscles",
    "ui.tendon",
    "ui.tendon_overlay",
    "ui.tendon_gizmos",
    "ui.charts",
)


def modules():
    return [importlib.import_module("." + name, __package__) for name in MODULES]


def register():
    for module in modules():
        module.register()


def unregister():
    for module in reversed(modules()):
        module.unregister()
