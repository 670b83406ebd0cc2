"""Tendons routed along bones of all kinds, shown and hidden: tendon_routes.py ZIP SINEW [CASE...]"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import armature, bpy, chosen, clean, main, part, props, refused, rod, show, sinew  # noqa: E402
from bl_ext.user_default.sinew.ops.tendon import bodies  # noqa: E402, there once bpy is


def chain(unit=1.0):
    """A held rod and two free ones along x, 14.5 cm long, in a scene of that unit in metres."""
    bpy.context.scene.unit_settings.scale_length = unit
    sinew.tendon_new_rig(label="Chain")
    made = [rod(f"Link {k}", (0.05 * k / unit, 0, 0), 0.045 / unit, 0.006 / unit) for k in range(3)]
    for k, one in enumerate(made):
        chosen(one)
        assert sinew.tendon_add_body(mode="free" if k else "held", density=1900) == {"FINISHED"}
    return bpy.data.collections["Chain"], made


def draw(unit=1.0, label="Cord"):
    """A tendon above the chain."""
    places = ((0.01, 0.012), (0.06, 0.012), (0.12, 0.012))
    assert sinew.tendon_draw(label=label, points="; ".join(f"{x / unit} 0 {z / unit}" for x, z in places)) == {"FINISHED"}
    return bpy.data.objects[label]


def new_tendons_are_as_thick_as_the_rig_is_large():
    """Also before Blender has evaluated the new curve, in any unit; and joints of new bodies are drawn in proportion."""
    for unit in (1.0, 0.1, 0.01):
        clean()
        rig, _ = chain(unit)
        radii = [draw(unit, name).sinew_tendon.strand.radius * unit for name in ("Cord", "Second")]
        assert np.allclose(radii, 0.005 * 0.145, rtol=1e-5), (unit, radii)
    for size in (1.0, 0.02):
        clean()
        made = armature(3, 0.05 * size)
        sinew.tendon_new_rig(label="Arm")
        chosen(made)
        assert sinew.tendon_from_armature() == {"FINISHED"}
        rig = bpy.data.collections["Arm"]
        assert np.isclose(bodies.extent(rig), 0.15 * size, rtol=1e-5), bodies.extent(rig)
        drawn = [joint.empty_display_size for joint in props.parts(rig, "joint")]
        assert len(drawn) == 2 and max(drawn) < 0.01 * size, drawn
    # A first body without a size: there is none yet.
    clean()
    sinew.tendon_new_rig(label="Point")
    bpy.ops.object.empty_add()
    assert sinew.tendon_add_body(mode="held") == {"FINISHED"} and sinew.tendon_draw() == {"FINISHED"}
    first, last = (point.co.to_3d() for point in bpy.context.object.data.splines[0].points)
    assert (first - last).length > 0.05, (first, last)


if __name__ == "__main__":
    main({case.__name__: case for case in (
        new_tendons_are_as_thick_as_the_rig_is_large,
    )})
