"""What edits of Blender's own, and of numbers in panels, do to rigs: tendon_edits.py ZIP SINEW [CASE...]"""

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tendon_support import ROOT, bpy, chosen, clean, live, main, part, preset, refused, rig_parts, rod, sinew, stored

from bl_ext.user_default.sinew.bridge.tendon import curves, shapes, ties
from bl_ext.user_default.sinew.ops.tendon import route
from mathutils import Matrix, Vector


def reach(unit=1.0):
    """The arm of cuboids, in a scene of that unit in metres: the rig and its bodies by name."""
    bpy.context.scene.unit_settings.scale_length = unit
    assert sinew.tendon_import(filepath=str(ROOT / "examples/strand/reach.xml")) == {"FINISHED"}
    rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    return rig, {part.name: part for part in rig_parts.parts(rig, "body")}


def lines(rig):
    """What the checker says."""
    chosen(rig_parts.parts(rig, "body")[0])
    assert sinew.tendon_check() == {"FINISHED"}
    return [problem.message for problem in rig.sinew_tendons.problems]


def corners(mesh):
    mesh.update()
    found = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def cuboids_are_drawn_as_they_are_simulated():
    """Whatever the unit and the place: a new Size draws the mesh anew; what a user modelled, and other bodies, stay."""
    for unit, how in ((0.01, "object"), (1.0, "shared"), (1.0, "edit"), (1.0, "object")):
        clean()
        rig, made = reach(unit)
        upper, fore = made["upper"], made["fore"]
        upper.matrix_world = place = Matrix.Translation((3, -2, 1000)) @ Matrix.Rotation(1, 4, (1, 2, 3))
        upper.data.materials.append(bpy.data.materials.new("Bone"))
        if how == "shared":
            fore.data = upper.data
        elif how == "edit":
            chosen(upper)
            bpy.ops.object.mode_set(mode="EDIT")
        before = corners(fore.data)
        upper.sinew_tendon.body.cuboid.size = np.array((0.5, 0.02, 0.07)) / unit
        if how == "edit":
            bpy.ops.object.mode_set(mode="OBJECT")
        assert np.allclose(np.ptp(corners(upper.data), axis=0) * unit, (0.5, 0.02, 0.07)), (unit, how)
        assert np.abs(corners(upper.data).mean(axis=0)).max() < 1e-6 and list(upper.data.materials) == [
            bpy.data.materials["Bone"]
        ]
        bpy.context.view_layer.update()
        assert np.allclose(upper.matrix_world, place, atol=1e-4), (upper.matrix_world, place)
        assert np.array_equal(corners(fore.data), before)
        # In the scene's file y is up, and so it is in the axes of its bodies.
        assert 'cuboid size="0.5 0.07 0.02"' in stored(rig)
        if how != "shared":
            assert not any("cuboid" in line for line in lines(rig)), lines(rig)
    # One number, then back.
    upper.sinew_tendon.body.cuboid.size[1] = 0.3
    assert np.isclose(np.ptp(corners(upper.data)[:, 1]), 0.3)
    # What Blender's own edits leave drawn otherwise is reported, and drawn anew with the next Size.
    for edit, words in (
        (
            Matrix.Diagonal((2, 1, 1, 1)),
            "its mesh is a cuboid of 1 0.3 0.07, but it is simulated with its Size, 0.5 0.3 0.07: set the Size",
        ),
        (Matrix.Translation((0, 0.1, 0)), "its cuboid is simulated around its origin, but drawn away from it"),
    ):
        upper.data.transform(edit)
        assert [words in line for line in lines(rig) if "cuboid" in line] == [True], lines(rig)
        upper.sinew_tendon.body.cuboid.size[0] = 0.4
        upper.sinew_tendon.body.cuboid.size[0] = 0.5
        assert not any("cuboid" in line for line in lines(rig)), lines(rig)
    # A mesh that a user modelled: with a corner moved, or made as Blender makes cubes.
    upper.data.vertices[0].co.x -= 0.01
    bpy.ops.mesh.primitive_cube_add(size=0.1)
    cube = bpy.context.object
    chosen(cube)
    bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection.children[rig.name]
    assert sinew.tendon_add_body(mode="held") == {"FINISHED"}
    cube.sinew_tendon.body.use_shape, cube.sinew_tendon.body.use_cuboid = False, True
    for other in (upper, cube):
        before = corners(other.data)
        other.sinew_tendon.body.cuboid.size = (1, 2, 3)
        assert np.array_equal(corners(other.data), before)
    assert not any("cuboid" in line for line in lines(rig)), lines(rig)


def collapsed(rig):
    """The parts of which the checker tells that they lost their places."""
    lines(rig)
    listed = [problem for problem in rig.sinew_tendons.problems if "its place was reset" in problem.message]
    assert all("undo that (Ctrl Z)" in problem.message and not problem.error for problem in listed)
    return {problem.about for problem in listed}


def apply(*parts, **which):
    chosen(*parts)
    assert bpy.ops.object.transform_apply(**which or {"location": True, "rotation": True, "scale": True}) == {
        "FINISHED"
    }


def settle():
    """What the timer of live rigs does while Blender is idle."""
    for _ in range(1000):
        bpy.context.view_layer.update()
        if live.tick() is None:
            return
    raise AssertionError("it never ends")


def places_that_apply_resets_are_reported():
    """Alone or all at once, in whichever unit and place, and only those that Blender really moved away."""
    scene = bpy.context.scene
    for unit, turn in ((1.0, 0.0), (0.01, 0.7)):
        for which in ("all", "some", "location", "live"):
            clean()
            scene.frame_end = 3
            rig, made = reach(unit)
            joint, line = part(rig, "joint", "elbow"), part(rig, "line", "front line")
            if turn:
                move(rig, Matrix.Translation((3 / unit, -2 / unit, 1 / unit)) @ Matrix.Rotation(turn, 4, (1, 2, 3)))
            assert not collapsed(rig), "nothing has happened yet"
            wanted, chose = {joint, line}, (joint, line)
            if which == "all":
                chose = rig_parts.parts(rig)
                wanted = {one for one in rig_parts.parts(rig, "body", "joint", "line") if any(one.location)}
                assert len(wanted) == (7 if not turn else 8)
            if which == "live":
                rig.sinew_tendons.live = True
                settle()
            apply(*chose, **({"location": True, "rotation": False, "scale": False} if which == "location" else {}))
            if which == "live":
                settle()
                listed = {
                    problem.about for problem in rig.sinew_tendons.problems if "its place was reset" in problem.message
                }
                assert listed == wanted and rig.sinew_tendons.problems, listed
                rig.sinew_tendons.live = False
            assert collapsed(rig) == wanted and collapsed(rig) == wanted, (which, unit, wanted)


def places_at_the_origin_are_no_mistakes():
    """A joint that lies there, a rig that is moved so that one comes to lie there, shapes that are applied, and what
    hangs on them."""
    rig, made = reach()
    body, line = made["fore"], part(rig, "line", "front line")
    at = line.location.copy()
    assert any(at) and not any(part(rig, "joint", "shoulder").location)
    assert not collapsed(rig)
    for one in rig_parts.parts(rig):
        if one.parent is None:
            one.location -= at
    bpy.context.view_layer.update()
    assert not any(line.location) and not collapsed(rig)
    # A body that takes along what it carries, which Apply does not.
    line.sinew_tendon.line.on = body
    assert line.parent == body and not collapsed(rig)
    body.location = (0, 0, 0)
    assert not collapsed(rig)
    # A rig that is made, not read: meshes that are shapes keep their places whatever is applied.
    clean()
    sinew.tendon_new_rig(label="Chain")
    rig, rods = bpy.data.collections["Chain"], [rod(f"Link {k}", (0.05 * k + 0.1, 0, 0), 0.045) for k in range(2)]
    for one in rods:
        chosen(one)
        assert sinew.tendon_add_body(mode="held") == {"FINISHED"}
    bpy.context.scene.cursor.location = rods[1].location
    chosen(rods[1], rods[0])
    assert sinew.tendon_add_joint(axis="turn_y") == {"FINISHED"} and not collapsed(rig)
    apply(*rods)
    assert not any(rods[1].location) and not collapsed(rig)
    joint = part(rig, "joint", "Link 1 Joint")
    apply(joint)
    # What was reported, and is simulated nevertheless, is meant so.
    bpy.context.scene.frame_end = 3
    rig.sinew_tendons.problems.clear()
    assert sinew.tendon_simulate() == {"FINISHED"} and collapsed(rig) == {joint}
    assert sinew.tendon_simulate() == {"FINISHED"} and not collapsed(rig)
    clean()
    rig = preset()
    assert not collapsed(rig)
    apply(*rig_parts.parts(rig, "strand"))
    assert not collapsed(rig)


def undo_brings_places_back():
    rig = preset()
    known = {one.name: one.matrix_world.copy() for one in rig_parts.parts(rig, "joint")}
    bpy.ops.ed.undo_push(message="before")
    apply(*rig_parts.parts(rig, "joint"))
    bpy.ops.ed.undo_push(message="applied")
    found = {one.name for one in collapsed(rig)}
    assert found and found <= set(known), found
    bpy.ops.ed.undo()
    rig = next(c for c in bpy.data.collections if c.sinew_tendons.is_rig)
    assert not collapsed(rig) and all(
        np.allclose(one.matrix_world, known[one.name]) for one in rig_parts.parts(rig, "joint")
    )


def events_follow_ties_that_were_never_checked():
    """What is tied to is renamed as soon as the event names the tie, also between two events; with a name of its own,
    in a rig without any Check before."""
    scene = bpy.context.scene
    for how in ("plane", "line", "label"):
        clean()
        scene.frame_end = 3
        sinew.tendon_new_rig(label="Rig")
        rig, bone = bpy.data.collections["Rig"], rod("Bone", (0, 0, 0), 0.1)
        chosen(bone)
        assert sinew.tendon_add_body(mode="held") == {"FINISHED"}
        assert sinew.tendon_draw(label="Cord", points="0.01 0 0.012; 0.05 0 0.012; 0.09 0 0.012") == {"FINISHED"}
        cord = bpy.data.objects["Cord"]
        chosen(bone)
        scene.cursor.location = (0.05, 0, 0.012)
        assert sinew.tendon_add_guide(kind="line" if how == "line" else "plane") == {"FINISHED"}
        guide = bpy.context.object
        cord.sinew_tendon.active_node = 1
        chosen(guide, cord)
        assert sinew.tendon_constrain() == {"FINISHED"}
        here = cord.sinew_tendon.strand.node[1].here
        tag = "on_curve" if how == "line" else "in_plane"
        tie = getattr(here, tag)[0]

        def rename(name):
            if how == "label":
                tie.label = name
            else:
                guide.name = name

        rename("First")
        for name in ("Second", "Third"):
            assert sinew.tendon_add_event(kind="release") == {"FINISHED"}
            event = next(
                one for one in rig_parts.parts(rig, "release") if not one.sinew_tendon.release.rule
            ).sinew_tendon.release
            event.rule, event.time = ties.names_of([(tag, tie, ties.here_name(cord, 1))])[0], 0.05
            rename(name)
        said = lines(rig)
        assert not any(problem.error for problem in rig.sinew_tendons.problems), (how, said)
        rules = {one.sinew_tendon.release.rule for one in rig_parts.parts(rig, "release")}
        assert len(rules) == 1 and "Third" in rules.pop()


def appended_parts_are_what_they_look_like():
    """Curves, meshes and empties of a rig that is not in the file become parts of another, like any others; those of a
    rig stay its own."""
    with tempfile.TemporaryDirectory() as folder:
        bpy.context.scene.frame_end = 3
        rig = preset()
        strand = part(rig, "strand", "FDP")
        count, radius = len(strand.sinew_tendon.strand.node), strand.sinew_tendon.strand.radius
        strand.sinew_tendon.strand.node[1].kind = "lagrangian"
        assert sinew.tendon_simulate() == {"FINISHED"} and strand.hide_viewport
        names = ["FDP", part(rig, "body", "Middle").name, part(rig, "joint", "PIP").name]
        bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/finger.blend", copy=True)
        clean()
        with bpy.data.libraries.load(f"{folder}/finger.blend") as (_, wanted):
            wanted.objects = names
        cord, body, empty = wanted.objects
        for one in (cord, body, empty):
            bpy.context.scene.collection.objects.link(one)
        assert cord.sinew_tendon.tag == "strand" and rig_parts.rig_of(cord) is None
        sinew.tendon_new_rig(label="New")
        rig = bpy.data.collections["New"]
        layer = bpy.context.view_layer
        layer.active_layer_collection = layer.layer_collection.children["New"]
        # What belongs to no rig is no part that others are made with.
        chosen(empty, body)
        refused(sinew.tendon_add_joint, "select the body that moves")
        chosen(cord)
        refused(sinew.tendon_add_muscle, "make it new with Tendons from Curves")
        for one in (body, empty):
            chosen(one)
            assert sinew.tendon_add_body(mode="held") == {"FINISHED"}, one
            assert rig_parts.rig_of(one) == rig and one.sinew_tendon.tag == "body"
        cord.hide_viewport = False
        chosen(cord)
        assert sinew.tendon_from_curve() == {"FINISHED"}
        known = cord.sinew_tendon.strand
        assert len(known.node) == count and np.isclose(known.radius, radius, rtol=1e-3) and not cord.hide_render
        assert [node.kind for node in known.node] == ["lagrangian", *["eulerian"] * (count - 2), "lagrangian"]
        assert all(
            node.here.on in (body, empty) and not node.here.in_plane and not node.here.on_curve for node in known.node
        )
        said = lines(rig)
        assert not any(problem.error for problem in rig.sinew_tendons.problems), said
        # What is a part of this rig already is not made anew.
        chosen(cord)
        refused(sinew.tendon_from_curve, "select curves that are not yet tendons")


def only_near_bodies_are_searched():
    """Whatever is drawn where: nodes are on the bodies that a search through all of them finds, and bodies out of reach
    cost nothing."""
    random, searched, surface = np.random.default_rng(5), [], shapes.surface
    for far, scale in ((0.0, 1.0), (1000.0, 1.0), (0.0, 0.001), (0.0, 1000.0)):
        clean()
        sinew.tendon_new_rig(label="Heap")
        rig, made = bpy.data.collections["Heap"], []
        for k in range(12):
            one = rod(f"Bone {k}", (0, 0, 0), 0.4 * scale, 0.05 * scale)
            turn = Matrix.Rotation(random.uniform(0, 6), 4, Vector(random.normal(size=3)))
            stretch = Matrix.Diagonal((*random.uniform(0.3, 2, 3), 1))
            one.matrix_world = (
                Matrix.Translation(Vector(scale * random.uniform(-1, 1, 3)) + Vector((far, 0, 0))) @ turn @ stretch
            )
            made.append(one)
        # Without faces, a body is where its origin is.
        bare = bpy.data.objects.new("Bare", bpy.data.meshes.new("Bare"))
        bare.data.from_pydata([(5 * scale, 0, 0)], [], [])
        bare.location = (far + 0.1 * scale, 0, 0)
        empty = bpy.data.objects.new("Empty", None)
        empty.location = (far, 0.3 * scale, 0)
        for one in (bare, empty):
            bpy.context.scene.collection.objects.link(one)
        bpy.context.view_layer.update()
        for one in (*made, bare, empty):
            chosen(one)
            assert sinew.tendon_add_body(mode="held") == {"FINISHED"}
        at = scale * random.uniform(-1, 1, (40, 3)) + (far, 0, 0)
        points = "; ".join(" ".join(map(str, place)) for place in at)
        assert sinew.tendon_draw(label="Cord", points=points) == {"FINISHED"}
        nodes = bpy.data.objects["Cord"].sinew_tendon.strand.node
        found = {body: shapes.surface(body) for body in rig_parts.parts(rig, "body")}
        for node, place in zip(nodes, curves.world_points(bpy.data.objects["Cord"])):
            distances = {body: route.distance(body, found[body], place) for body in found}
            assert distances[node.here.on] <= min(distances.values()) * (1 + 1e-6), (far, scale, node.here.on)
        assert len({node.here.on for node in nodes}) > 5
        shapes.surface = lambda body: searched.append(body) or surface(body)
        try:
            first = made[0].matrix_world @ Vector((0.2 * scale, 0, 0))
            assert sinew.tendon_draw(label="Near", points="; ".join(" ".join(map(str, first)) for _ in range(2))) == {
                "FINISHED"
            }
        finally:
            shapes.surface = surface
        assert made[0] in searched and len(searched) < 8 and len(set(searched)) == len(searched), searched
        searched.clear()


def move(rig, matrix):
    """Moves all of a rig, as someone does who selects it: what hangs on its parts goes along."""
    for one in rig_parts.parts(rig):
        if one.parent is None:
            one.matrix_world = matrix @ one.matrix_world
    bpy.context.view_layer.update()


if __name__ == "__main__":
    main(
        {
            case.__name__: case
            for case in (
                cuboids_are_drawn_as_they_are_simulated,
                places_that_apply_resets_are_reported,
                places_at_the_origin_are_no_mistakes,
                undo_brings_places_back,
                events_follow_ties_that_were_never_checked,
                appended_parts_are_what_they_look_like,
                only_near_bodies_are_searched,
            )
        }
    )
