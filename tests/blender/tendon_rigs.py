"""Which parts belong to a tendon rig, and what it keeps when it is renamed or appended: tendon_rigs.py ZIP SINEW
[CASE...]"""

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_places import chain, shown, shown_as_simulated, wanted
from tendon_support import bpy, chosen, main, part, props, rig_parts, rod, show, sinew, stored

from bl_ext.user_default.sinew.ops.tendon import bodies, check
from bl_ext.user_default.sinew.ui import tendon as ui


def renamed_and_appended_rigs_play():
    scene = bpy.context.scene
    rig, made = chain()
    sinew.tendon_draw(label="Cord", points="0.01 0 0.012; 0.06 0 0.012; 0.13 0 0.012")
    scene.gravity = (0, 0, -9.81)
    assert sinew.tendon_simulate() == {"FINISHED"}
    free = {name: made[name] for name in ("Middle", "Tip")}
    hinge = part(rig, "joint", "Tip Joint")
    turns = show.angles(rig, 9)[hinge]
    assert max(map(abs, turns)) > 1

    def plays(rig, bodies):
        for frame in (9, 1, 5):
            scene.frame_set(frame)
            assert np.abs(shown(bodies) - wanted(rig, bodies, frame)).max() < 2e-6, frame
            points = np.array([vertex.co for vertex in rig.sinew_tendons.tubes.data.vertices])
            result = show.result_of(rig)
            assert (
                np.abs(points.mean(axis=0) - result.arrays["strand_points"][result.index(frame)].mean(axis=0)).max()
                < 0.02
            )

    # Two bodies swap their names, one gets another.
    made["Tip"].name, made["Middle"].name, hinge.name = "Other", "Tip", "Knuckle"
    made["Tip"].name = "Middle"
    plays(rig, free)
    assert show.angles(rig, 9)[hinge] == turns
    sinew.tendon_check()
    assert "the simulation is older than the rig: simulate again" in [p.message for p in rig.sinew_tendons.problems]
    with tempfile.TemporaryDirectory() as folder:
        bpy.data.libraries.write(f"{folder}/rig.blend", {rig})
        with bpy.data.libraries.load(f"{folder}/rig.blend", link=False) as (_, found):
            found.collections = ["Chain"]
        again = found.collections[0]
        scene.collection.children.link(again)
        tip, middle = (
            next(o for o in rig_parts.parts(again, "body") if o.name == f"{name}.001") for name in ("Middle", "Tip")
        )
        plays(again, {"Middle": middle, "Tip": tip})
        assert show.angles(again, 9)[next(iter(rig_parts.parts(again, "joint")))]
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/both.blend")
        bpy.ops.wm.open_mainfile(filepath=f"{folder}/both.blend")
        scene = bpy.context.scene
        for name, suffix in (("Chain", ""), (again_name(), ".001")):
            middle, tip = (bpy.data.objects[now + suffix] for now in ("Tip", "Middle"))
            plays(bpy.data.collections[name], {"Middle": middle, "Tip": tip})
    # Renamed before it is simulated again, everything is as if it had always been called so.
    rig = bpy.data.collections["Chain"]
    chosen(bpy.data.objects["Tip"])
    assert sinew.tendon_simulate() == {"FINISHED"}
    plays(rig, {"Middle": bpy.data.objects["Middle"], "Tip": bpy.data.objects["Tip"]})


def again_name():
    """The rig that was appended."""
    return next(c.name for c in bpy.data.collections if c.sinew_tendons.is_rig and c.name != "Chain")


def parts_in_collections_of_a_rig_belong_to_it():
    scene = bpy.context.scene
    rig, made = chain()
    sinew.tendon_draw(label="Cord", points="0.01 0 0.012; 0.06 0 0.012; 0.13 0 0.012")
    cord, text = part(rig, "strand", "Cord"), stored(rig)
    outer, inner = bpy.data.collections.new("Bones"), bpy.data.collections.new("Fingers")
    rig.children.link(outer)
    outer.children.link(inner)
    for one in [*made.values(), cord]:
        inner.objects.link(one)
        rig.objects.unlink(one)
    assert stored(rig) == text and len(rig_parts.parts(rig, "body")) == 3
    things = (rig, outer, inner, cord, made["Tip"], part(rig, "joint", "Tip Joint"))
    assert all(rig_parts.rig_of(thing) == rig for thing in things)
    assert rig_parts.rig_of(scene.collection) is None and made["Tip"].name not in rig.objects
    # Operators and panels know them, pickers offer them.
    chosen(cord)
    assert ui.SINEW_PT_tendon_node.poll(bpy.context)
    for operator in (sinew.tendon_step_node, sinew.tendon_nearest, sinew.tendon_check, sinew.tendon_simulate):
        assert operator() == {"FINISHED"}
    assert not [p.message for p in rig.sinew_tendons.problems]
    shown_as_simulated(rig, {name: made[name] for name in ("Middle", "Tip")})
    offered = props.poll(("body",))
    hinge = part(rig, "joint", "Tip Joint").sinew_tendon.joint
    assert offered(hinge, made["Tip"]) and not offered(hinge, cord)
    # The active collection in it means the rig.
    chosen(cord)
    bpy.context.view_layer.objects.active = None
    layer = bpy.context.view_layer.layer_collection.children[rig.name].children["Bones"]
    sinew.tendon_new_rig(label="Second")
    second = bpy.data.collections["Second"]
    assert check.active_rig(bpy.context) == second
    bpy.context.view_layer.active_layer_collection = layer
    assert check.active_rig(bpy.context) == rig
    # No other rig takes them, also one that lies in this rig's collection or around it.
    loose = rod("Loose", (1, 0, 0), 0.05)
    for home in (scene.collection, inner):
        for holder in (scene.collection, inner):
            if second.name in holder.children:
                holder.children.unlink(second)
        home.children.link(second)
        for one in (made["Tip"], cord):
            try:
                bodies.adopt(second, one, "body")
            except ValueError as error:
                assert f"{one.name} belongs to another rig" in str(error), error
            else:
                raise AssertionError(one)
        assert rig_parts.rig_of(second) == second and not rig_parts.parts(second, "strand")
    bodies.become_body(second, loose, "held")
    assert rig_parts.parts(second) == [loose] and loose not in rig_parts.parts(rig)
    assert stored(rig) == text
    bodies.become_body(rig, made["Tip"], "free")
    assert made["Tip"].name not in rig.objects and stored(rig) == text


if __name__ == "__main__":
    main({case.__name__: case for case in (renamed_and_appended_rigs_play, parts_in_collections_of_a_rig_belong_to_it)})
