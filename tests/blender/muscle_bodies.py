"""Muscles on bodies as characters have them: muscle_bodies.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s  # noqa: E402
from muscles import TURNED, arms, names, settings_of, shape, with_muscles  # noqa: E402

LAST = 12


def evaluated(ob):
    return s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)


def by_bones(**how):
    """A body with a muscle that carries nothing: its node moves it by bones alone."""
    ob, rig = arms(**how)
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    assert bpy.ops.sinew.muscle_create(label="none", origin="Oberarm.L", insertion="Hand.L") == {"FINISHED"}
    settings_of(ob).param_weight_factor = 0.0
    return ob, rig


def check_like_blender(ob, what):
    """The node must move the body as the Armature modifier does."""
    bpy.context.view_layer.update()
    found = shape(ob, LAST).copy()
    ob.sinew.nodes[0].live = False
    bpy.context.view_layer.update()
    expected = evaluated(ob).copy()
    ob.sinew.nodes[0].live = True
    bpy.context.scene.frame_set(1)
    assert np.abs(found - expected).max() < 1e-5, (what, np.abs(found - expected).max())
    return found


def what_the_armature_leaves_in_place_stays_on_the_body():
    """Vertices without weights, bones that do not deform, and a vertex group of the modifier, each changed after frames were computed; the
    body is turned, moved and scaled."""
    ob, rig = by_bones()
    bent = check_like_blender(ob, "at first")
    hand, modifier = rig.data.bones["Hand.L"], ob.modifiers["Armature"]
    hand.use_deform = False
    assert np.abs(check_like_blender(ob, "a bone that does not deform") - bent).max() > 0.5
    hand.use_deform = True
    group = ob.vertex_groups.new(name="part")
    group.add(list(range(350)), 0.25, "REPLACE")
    modifier.vertex_group = "part"
    partly = check_like_blender(ob, "a vertex group of the modifier")
    assert np.abs(partly - bent).max() > 0.5
    modifier.invert_vertex_group = True
    assert np.abs(check_like_blender(ob, "inverted") - partly).max() > 0.3
    modifier.vertex_group = ""
    for one in ob.vertex_groups:
        one.remove([3, 4, 400])
    loose = check_like_blender(ob, "vertices without weights")
    assert np.abs(loose - bent).max(axis=1)[[3, 4, 400]].max() > 0.5
    said = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).remarks
    assert any("vertices without weights of bones move with the object alone: 3, the first is vertex 3" in text for text in said), said


def bones_that_are_edited_at_rest_are_read_again():
    ob, rig = by_bones()
    bent = check_like_blender(ob, "at first")
    s.select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["Hand.L"].head.z += 0.3
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.abs(check_like_blender(ob, "another rest pose") - bent).max() > 0.1


def mirrored_bodies_keep_their_muscles():
    """A negative scale turns faces over, but Blender shows their normals outwards: muscles carry the skin as on the body that is mirrored."""
    ob, _rig = with_muscles()
    expected, (place, turn, _scale) = shape(ob, LAST), TURNED
    for scale in ((-1.5, 1.5, 1.5), (1.5, -1.5, 1.5)):
        s.empty()
        ob, _rig = with_muscles(place=(place, turn, scale))
        found = shape(ob, LAST)
        assert np.abs(found - expected).max() < 1e-4, (scale, np.abs(found - expected).max())
        said = s.part("bridge.runtime").known(ob, ob.sinew.nodes[0], bpy.context.scene).printed
        assert not [text for text in said if "carry no skin" in text or "carries no skin" in text], said


if __name__ == "__main__":
    OTHERS = ("evaluated", "by_bones", "check_like_blender")
    s.main({name: case for name, case in s.cases(globals()).items() if name not in OTHERS})
