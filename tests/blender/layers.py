"""Joints, muscles and sliding skin on one body: layers.py ZIP CASE..."""

import pathlib
import sys

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support as s

MUSCLE = (
    '<muscle_set><space up="z"/><muscle name="bulge" origin_joint="lower" origin="0 0.2 1.2" insertion_joint="upper" '
    'insertion="0 0.2 2.8" size="0.3" bulge="3"/></muscle_set>'
)


def with_muscles(ob):
    s.select(ob)
    assert bpy.ops.sinew.muscles_skin() == {"FINISHED"}
    item = ob.sinew.nodes[-1]
    item.of_muscle_skin.param_muscles = MUSCLE
    bpy.context.view_layer.update()
    return item


def shown(ob):
    """The vertices that a renderer sees."""
    return s.points(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)[: len(ob.data.vertices)].copy()


def skin_slides_over_muscles_whatever_was_added_first():
    """The same frames as those of a body whose vertices muscles have moved, with skin alone."""
    played = {}
    for order in ("muscles first", "skin first"):
        s.empty()
        ob = s.tube()
        s.armature(ob)
        if order == "skin first":
            s.slide(ob)
        with_muscles(ob)
        if order == "muscles first":
            s.slide(ob)
        found, places = {}, {}
        for frame in range(1, 13):
            s.go_to(frame)
            assert [s.state(ob, k)[0] for k in (0, 1)] == ["computed"] * 2, (
                order,
                frame,
                s.state(ob, 0),
                s.state(ob, 1),
            )
            found[frame], places[frame] = s.evaluated_uvs(ob), shown(ob)
        played[order] = (found, places)
        muscles = next(item for item in ob.sinew.nodes if item.kind == "muscle_skin")
        muscles.live = False
        for frame in range(1, 13):
            s.go_to(frame)
        assert np.abs(shown(ob) - places[12]).max() > 0.003, "muscles move the body"
        assert not np.array_equal(s.evaluated_uvs(ob), found[12]), "and the skin slides on what they make of it"
    (first, at_first), (second, at_second) = played.values()
    assert all(
        np.array_equal(first[frame], second[frame]) and np.array_equal(at_first[frame], at_second[frame])
        for frame in first
    )


def skin_that_moves_vertices_goes_on_from_muscles_whatever_was_added_first():
    """The skin puts the vertices where it has slid: on the body that muscles have moved, not on that of the bones
    alone."""
    played = {}
    for order in ("muscles first", "skin first"):
        s.empty()
        ob = s.tube()
        s.armature(ob)
        for what in sorted(("muscles", "skin"), key=lambda what: not order.startswith(what)):
            (with_muscles if what == "muscles" else s.slide)(ob)
        slider = next(item for item in ob.sinew.nodes if item.kind == "skin_slider")
        slider.of_skin_slider.out_slid_points.choice = "SHAPE"
        bpy.context.view_layer.update()
        s.go_to(1)
        played[order] = {frame: (s.play(ob, [frame])[frame].copy(), shown(ob)) for frame in range(1, 13)}
        next(item for item in ob.sinew.nodes if item.kind == "muscle_skin").live = False
        for frame in range(1, 13):
            s.go_to(frame)
        assert np.abs(shown(ob) - played[order][12][1]).max() > 0.003, (order, "the muscles are under the skin")
    first, second = played.values()
    assert all(np.array_equal(first[frame][k], second[frame][k]) for frame in first for k in (0, 1))


def bodies_are_without_a_node_that_is_removed_as_if_it_had_never_been_there():
    """Muscles, and skin that puts vertices where it slides, each removed from a body with both and a modifier that
    smooths it; undone, the node moves the body again."""

    def body(*kinds):
        s.empty()
        ob = s.tube()
        s.armature(ob)
        ob.modifiers.new("Smooth", "CORRECTIVE_SMOOTH")
        for kind in kinds:
            (with_muscles if kind == "muscle_skin" else s.slide)(ob)
        for item in ob.sinew.nodes:
            if item.kind == "skin_slider":
                item.of_skin_slider.out_slid_points.choice = "SHAPE"
        bpy.context.view_layer.update()
        s.go_to(1)
        return ob

    def frames(ob):
        found = {}
        for frame in range(1, 13):
            s.go_to(frame)
            assert [s.state(ob, k)[0] for k in range(len(ob.sinew.nodes))] == ["computed"] * len(ob.sinew.nodes), frame
            found[frame] = shown(ob)
        return found

    both = ("muscle_skin", "skin_slider")
    for gone in (both[:1], both[1:], both):
        left = [kind for kind in both if kind not in gone]
        expected = frames(body(*left))
        ob = body(*both)
        with_both = frames(ob)
        s.select(ob)
        assert np.abs(with_both[12] - expected[12]).max() > 0.01, gone
        bpy.ops.ed.undo_push(message="before")
        for kind in gone:
            ob.sinew.active = [item.kind for item in ob.sinew.nodes].index(kind)
            assert bpy.ops.sinew.node_remove() == {"FINISHED"}
            bpy.ops.ed.undo_push(message="removed")
        s.go_to(1)
        found = frames(ob)
        assert all(np.array_equal(found[frame], expected[frame]) for frame in expected), (
            gone,
            [m.name for m in ob.modifiers],
        )
        assert left or [m.name for m in ob.modifiers] == ["Armature", "Smooth"], [m.name for m in ob.modifiers]
        for _ in gone:
            bpy.ops.ed.undo()
        ob = bpy.data.objects["Body"]
        found = frames(ob)
        assert all(np.array_equal(found[frame], with_both[frame]) for frame in found), gone


def what_nodes_take_away_is_not_renamed(folder):
    """Where a frame is not computed, the attribute with its shape is taken away; one that someone makes then is
    theirs."""
    ob = s.tube()
    s.armature(ob)
    settings = with_muscles(ob).of_muscle_skin
    for frame in (1, 2):
        s.go_to(frame)
    points = settings.out_points.name
    bpy.context.scene.frame_set(9)
    assert s.state(ob)[0] == "missing" and points not in ob.data.attributes.keys()
    ob.data.attributes.new("Own", "FLOAT_VECTOR", "POINT")
    ob.data.update()
    bpy.context.view_layer.update()
    s.go_to(9)
    assert s.state(ob)[0] == "computed" and settings.out_points.name == points, settings.out_points.name
    assert not np.any([one.vector for one in ob.data.attributes["Own"].data])
    # One that someone renames is followed, also by the modifier that shows it.
    before = shown(ob)
    ob.data.attributes[points].name = "Places"
    bpy.context.view_layer.update()
    for frame in (1, 9):
        s.go_to(frame)
    assert (
        s.state(ob)[0] == "computed"
        and settings.out_points.name == "Places"
        and points not in ob.data.attributes.keys()
    )
    assert np.array_equal(shown(ob), before), [m.name for m in ob.modifiers]
    # Of two nodes, one is baked, and the other computed in some frames.
    skin = s.slide(ob)
    skin.of_skin_slider.out_slid_points.choice = "SHAPE"
    bpy.context.view_layer.update()
    slid = skin.of_skin_slider.out_slid_points.name
    bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/shot.blend")
    ob.sinew.active = 1
    assert bpy.ops.sinew.bake() == {"FINISHED"} and skin.use_bake
    for frame in (1, 3, 15, 12, 4, 15, 1, 15, 5):
        bpy.context.scene.frame_set(frame)
        settings.param_weight_factor = 0.9 + frame / 200
        bpy.context.view_layer.update()
        assert (settings.out_points.name, skin.of_skin_slider.out_slid_points.name) == ("Places", slid), frame


def skin_says_what_it_does_not_see_behind_the_muscles():
    """What goes on from the muscles is evaluated after the frame is computed: the skin slides as if it were off, and
    says so."""
    ob = s.tube()
    s.armature(ob)
    smooth = ob.modifiers.new("Smooth", "CORRECTIVE_SMOOTH")
    smooth.factor, smooth.iterations = 0.9, 20
    s.slide(ob)
    known = s.part("bridge.runtime").known
    s.go_to(2)
    assert not known(ob, ob.sinew.nodes[0], bpy.context.scene).in_vain, "behind bones alone it is seen"
    with_muscles(ob)
    played = []
    for on in (True, False):
        smooth.show_viewport = on
        s.go_to(1)
        frames = {}
        for frame in range(1, 13):
            s.go_to(frame)
            frames[frame] = (s.uvs(ob).copy(), shown(ob))
        said = [known(ob, item, bpy.context.scene).in_vain for item in ob.sinew.nodes]
        assert said == [
            ['the body is read as if these modifiers, which go on from its muscles, were off: "Smooth"'] if on else [],
            [],
        ], said
        played.append(frames)
    with_it, without = played
    assert all(np.array_equal(with_it[frame][0], without[frame][0]) for frame in without)
    assert np.abs(with_it[12][1] - without[12][1]).max() > 1e-3, "it is seen on the body"


if __name__ == "__main__":
    s.main(s.cases(globals()))
