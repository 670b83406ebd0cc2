"""Muscle sets by the library's interface, in plain Python: muscle_core.py LIBRARY

The character is in centimetres with y up, stands beside the origin and a little turned; its joints have odd names."""

import pathlib
import sys

import numpy as np

ADDON = pathlib.Path(__file__).parents[2] / "blender_addon"
sys.path[:0] = [str(ADDON), str(pathlib.Path(__file__).parent)]
from human_joints import joints_of_human  # noqa: E402
from sinew import abi, document, node, schema  # noqa: E402
from sinew.library import Library  # noqa: E402
from sinew.loader import Error  # noqa: E402
from sinew.muscles import MuscleSet, Physique, Rig, joined, physiques  # noqa: E402

LIBRARY = Library(sys.argv[1])
KINDS = LIBRARY.kinds
NAMES = ["wurzel, mitte", "L.Oberarm ä", "L.Hand", "R.Oberarm ä", "R.Hand"]
# In centimetres, y up: two arms to the sides.
PLACES = np.array([(0, 120, 0), (20, 140, 0), (60, 140, 2), (-20, 140, 0), (-60, 140, 2)], float)


def tube(start, end, radius, around=16, along=12):
    """A closed tube around a line."""
    axis = np.array(end, float) - start
    u = np.cross(axis, (0, 0, 1))
    u /= np.linalg.norm(u)
    v = np.cross(axis, u) / np.linalg.norm(axis)
    turns = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = radius * (np.cos(turns)[:, None] * u + np.sin(turns)[:, None] * v)
    points = np.concatenate([start + axis * t + ring for t in np.linspace(-0.1, 1.1, along + 1)])
    quads = [
        (r * around + a, r * around + (a + 1) % around, (r + 1) * around + (a + 1) % around, (r + 1) * around + a)
        for r in range(along)
        for a in range(around)
    ]
    caps = [tuple(range(around))[::-1], tuple(along * around + a for a in range(around))]
    return points, [*quads, *caps]


def body():
    """Both arms: points and faces."""
    points, faces = [], []
    for shoulder, hand in ((1, 2), (3, 4)):
        made, quads = tube(PLACES[shoulder], PLACES[hand], 5)
        faces += [tuple(v + sum(map(len, points)) for v in quad) for quad in quads]
        points.append(made)
    return np.concatenate(points), faces


def place(points, scale=1.0, turn=0.0, move=(0, 0, 0)):
    """Points turned about y, scaled and moved."""
    c, s = np.cos(turn), np.sin(turn)
    return scale * points @ np.array([(c, 0, -s), (0, 1, 0), (s, 0, c)]) + move


def rig(names=NAMES, metres=0.01, up=abi.SINEW_UP_Y, skin=True, **how):
    """The character, as some host has it."""
    (points, faces), places = body(), place(PLACES, **how)
    points = place(points, **how)
    if up == abi.SINEW_UP_Z:
        points, places = (np.stack([p[:, 0], -p[:, 2], p[:, 1]], axis=1) for p in (points, places))
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[:, :3, 3] = places * (0.01 / metres)
    mesh = node.Mesh(points * (0.01 / metres), [len(f) for f in faces], [v for f in faces for v in f]) if skin else None
    return Rig(list(names), rest.reshape(-1, 16), mesh, metres, up)


def refused(part, call, *arguments, code=None, **named):
    try:
        call(*arguments, **named)
    except Error as error:
        assert part in str(error), error
        assert code is None or error.code == code, error
        return
    raise AssertionError(f"accepted; expected a refusal with {part!r}")


def muscles_of(made):
    return {muscle["name"]: muscle for muscle in made.report()["muscles"]}


def played(text, character, frames="stable"):
    """The node at rest: the points of the muscles, and what they carry of each vertex of the skin."""
    count = len(character.skin.positions)
    ones = np.ones((count, 1), np.uint32)
    with node.Node(KINDS["muscle_skin"], library=LIBRARY) as made:
        made.set_space(character.metres_per_unit, character.up_axis)
        for param, value in (("muscles", text), ("joint_names", joined(character.names)), ("frames", frames)):
            made.set_param(param, value)
        for port, value in (
            ("points", character.skin.positions),
            ("mesh", character.skin),
            ("rest_joints", character.rest),
            ("joints", character.rest),
            ("influence_counts", ones),
            ("influence_joints", 0 * ones),
            ("influence_weights", ones.astype(float)),
        ):
            made.set_input(port, value)
        made.step(1, 0.0)
        return made.read("muscle_points", np.float64), made.read("carried", np.float64).ravel()


def a_muscle_is_made_in_the_hosts_unit_and_mirrored():
    for metres, up, how in (
        (0.01, abi.SINEW_UP_Y, {}),
        (1.0, abi.SINEW_UP_Z, {"turn": 0.4, "move": (300.0, -20, 70)}),
        (0.0254, abi.SINEW_UP_Z, {"scale": 0.05}),
    ):
        character = rig(metres=metres, up=up, **how)
        with MuscleSet(library=LIBRARY) as made:
            made.add(character, "L.bizeps", ("L.Oberarm ä", "L.Hand"))
            text = made.text()
            points, carried = played(text, character)
            # The straight muscle fills the tube of 5 cm to nine tenths where it is thickest.
            thick = np.linalg.norm(points - points.mean(axis=0), axis=1)
            middle = points.reshape(9, 8, 3)[4]
            radius = np.linalg.norm(middle - middle.mean(axis=0), axis=1)
            scale = how.get("scale", 1.0) * 0.01 / metres
            assert np.all((radius > 4.0 * scale) & (radius < 4.6 * scale)), (radius, scale)
            assert thick.max() > 15 * scale and carried.max() > 0.5
            refused("already", made.add, character, "L.bizeps", ("L.Hand", "L.Oberarm ä"))
            refused('no joint "L.Fuß"', made.add, character, "x", ("L.Hand", "L.Fuß"), code=abi.SINEW_NOT_FOUND)
            refused("coincide", made.add, character, "x", ("L.Hand", "L.Hand"))
            refused("positive size", made.add, character, "x", ("L.Hand", "L.Oberarm ä"), size=float("nan"))
            assert made.text() == text, "what is refused changes nothing"
            made.add(character, "tense", ("L.Oberarm ä", "L.Hand"), size=2 * scale)
            made.remove("tense")
            assert made.text() == text
            refused('no muscle "tense"', made.remove, "tense")
            with MuscleSet(text, library=LIBRARY) as on_rig:
                assert on_rig.mirror_on(character) == 1 and on_rig.mirror_on(character) == 0
                check_image(character, played(on_rig.text(), character)[0])
                refused(
                    "on the left with a counterpart",
                    on_rig.mirror_on,
                    rig(names=list("abcde")),
                    code=abi.SINEW_NOT_FOUND,
                )
            if not how:
                assert made.mirror(0) == 1 and made.mirror(0) == 0
                other = muscles_of(made)["R.bizeps"]
                assert (other["origin_joint"], other["insertion_joint"]) == ("R.Oberarm ä", "R.Hand")
                points, _ = played(made.text(), character)
                left, right = points.reshape(2, 9, 8, 3).mean(axis=2)
                assert np.abs(left * (-1, 1, 1) - right).max() < 1e-9
                refused("axis 3", made.mirror, 3)


def check_image(character, points):
    """Of the points of two muscles, the second are the mirror images of the first across the middle of the arms,
    wherever these are."""
    places = character.rest.reshape(-1, 4, 4)[:, :3, 3]
    middle, across = (places[1] + places[3]) / 2, places[1] - places[3]
    across /= np.linalg.norm(across)
    left, right = points.reshape(2, 9, 8, 3).mean(axis=2)
    images = left - 2 * np.outer((left - middle) @ across, across)
    assert np.abs(images - right).max() < 1e-9 * np.abs(places).max(), np.abs(images - right).max()


def a_set_goes_to_another_character():
    source, target = rig(), rig(metres=1.0, up=abi.SINEW_UP_Z, scale=1.3, turn=-0.7, move=(200.0, 15, -40))
    with MuscleSet(library=LIBRARY) as made:
        made.add(source, "L.bizeps", ("L.Oberarm ä", "L.Hand"))
        made.add(source, "R.bizeps", ("R.Oberarm ä", "R.Hand"))
        before, _ = played(made.text(), source)
        made.copy(source, target)
        assert made.warnings == []
        after, carried = played(made.text(), target)
        size = np.ptp(before, axis=0)
        assert (
            abs(np.linalg.norm(np.ptp(after[:72], axis=0)) / np.linalg.norm(np.ptp(before[:72], axis=0)) / 0.013 - 1)
            < 0.2
        ), size
        inside = np.linalg.norm(
            after.reshape(2, 9, 8, 3).mean(axis=2)[:, 0] - target.rest.reshape(-1, 4, 4)[[1, 3], :3, 3], axis=1
        )
        assert inside.max() < 1e-6, inside
        assert carried.max() > 0.5
        lame = rig(names=NAMES[:2] + ["L.Klaue"] + NAMES[3:])
        made.copy(target, lame)
        assert len(made.warnings) == 1 and "L.Hand" in made.warnings[0], made.warnings
        assert list(muscles_of(made)) == ["R.bizeps"]
        refused("1 joint names in common", made.copy, lame, rig(names=["R.Hand", "b", "c", "d", "e"]))


def sculpted_vertices_stay_where_they_were_put():
    character = rig(metres=1.0, up=abi.SINEW_UP_Z, turn=1.1, move=(-50.0, 0, 20))
    sheet = """<muscle_set><space metres_per_unit="0.01" up="y"/>
    <muscle name="fan" origin_joint="L.Oberarm ä" origin="20 140 0" origin_to="20 142 0" count="3" insertion_joint="L.Hand"
     insertion="60 140 2" size="2" rings="5" divisions="4"><head name="short" origin_joint="L.Oberarm ä" origin="30 140 0"/></muscle>
    <muscle name="gone" origin_joint="nowhere" origin="0 0 0" insertion_joint="L.Hand" insertion="60 140 2" size="2"/>
    <muscle name="belly" origin_joint="R.Oberarm ä" origin="-20 140 0" insertion_joint="R.Hand" insertion="-60 140 2" size="3"
     taper="0.5" up="0 0 1"/></muscle_set>"""
    for frames in ("stable", "up_vector"):
        with MuscleSet(sheet, library=LIBRARY) as made:
            rest, _ = played(sheet, character, frames)
            assert len(rest) == 4 * 20 + 72
            assert made.sculpt(character, rest.astype(np.float32), frames) == 0, (
                "rounding to single precision must not count as sculpting"
            )
            assert (
                set(muscles_of(made)) == {"fan.1", "fan.2", "fan.3", "short", "gone", "belly"}
                and "fan.1" not in made.text()
            )
            moved = rest.copy()
            moved[80 + 30] += (0.01, -0.004, 0.02)
            assert made.sculpt(character, moved, frames) == 1 and "fan.1" not in made.text(), "the sheet is untouched"
            found, _ = played(made.text(), character, frames)
            assert np.abs(found - moved).max() < 1e-12
            moved[20 + 9] += (0, 0.003, 0)
            assert made.sculpt(character, moved, frames) == 2
            assert 'name="fan.2"' in made.text() and list(muscles_of(made)) == [
                "fan.1",
                "fan.2",
                "fan.3",
                "short",
                "gone",
                "belly",
            ]
            found, _ = played(made.text(), character, frames)
            assert np.abs(found - moved).max() < 1e-12, "one of a sheet is sculpted alone"
            text = made.text()
            refused(
                "151 points for the 152 vertices",
                made.sculpt,
                character,
                moved[1:],
                frames,
                code=abi.SINEW_COUNT_MISMATCH,
            )
            refused("component 0 is NaN", made.sculpt, character, moved * np.nan, frames)
            refused("unknown ring axes", made.sculpt, character, moved, "sideways")
            assert made.text() == text
            assert made.sculpt(character, rest, frames) == 0 and "<offset" not in made.text(), (
                "and can be smoothed away"
            )


def weights_are_those_of_the_node():
    character = rig(metres=1.0, up=abi.SINEW_UP_Z, turn=0.3, move=(10.0, 0, 0))
    with MuscleSet(library=LIBRARY) as made:
        made.add(character, "L.bizeps", ("L.Oberarm ä", "L.Hand"))
        made.add(character, "lost", ("L.Oberarm ä", "L.Hand"))
        made.add(character, "R.bizeps", ("R.Oberarm ä", "R.Hand"))
        lost = MuscleSet(
            made.text().replace('name="lost" origin_joint="L.Oberarm ä"', 'name="lost" origin_joint="?"'),
            library=LIBRARY,
        )
        with lost as made:
            weights = made.weights(character, 8, 3.0, 12)
            _, carried = played(made.text(), character)
            assert np.abs(weights.sum(axis=1) - carried).max() < 1e-6 and carried.max() > 0.5
            half = len(weights) // 2
            assert weights[:half, 0].max() > 0.5 and weights[half:, 2].max() > 0.5
            assert not weights[:, 1].any() and not weights[:half, 2].any() and not weights[half:, 0].any()
            assert made.weights(character, 8, 0.3, 6).sum() < weights.sum(), "a shorter reach carries less"


def a_human_is_fitted_only_to_its_own_names():
    refused("no joint", MuscleSet.fit, rig(), library=LIBRARY, code=abi.SINEW_NOT_FOUND)
    plan = """<muscle_plan across="R.Hand L.Hand" upwards="wurzel,_mitte L.Oberarm"><muscle name="arm.L" side="one"
     origin_bone="L.Oberarm L.Hand" origin="0.1 0 0.2" insertion_bone="L.Oberarm L.Hand" insertion="0.9 0 0.2" size="0.5"/></muscle_plan>"""
    names = [name.replace(" ä", "").replace(", ", ",_") for name in NAMES]
    with MuscleSet.fit(rig(names=names, metres=0.1, move=(5.0, 0, 0)), plan, library=LIBRARY) as made:
        assert list(muscles_of(made)) == ["arm.L"] and 'metres_per_unit="0.1"' in made.text()
    refused("no skin", MuscleSet.fit, rig(names=names, skin=False), plan, library=LIBRARY, code=abi.SINEW_MISSING_INPUT)


PLAN = """<muscle_plan across="R.Arm L.Arm" upwards="Root L.Arm"><joint name="Root"/>
<joint name="L.Arm" parent="Root" child="L.Hand" flex="-90 90"/><joint name="L.Hand" parent="L.Arm"/></muscle_plan>"""


def the_range_of_motion_is_tested():
    names = ["Root", "L.Arm", "L.Hand", "R.Arm", "R.Hand"]
    here = rig(names=names)
    with MuscleSet(library=LIBRARY) as made:
        # Its ends meet when the arm is turned to the front.
        made.add(here, "short", ("Root", "L.Arm"), ends=((20, 140, 20), (40, 140, 0)), size=2)
        made.add(here, "fine", ("L.Arm", "L.Hand"), size=2)
        text = made.text()
        problems = made.range(here, plan=PLAN)
        assert any("short shortens" in line and line.startswith("L.Arm, flex by") for line in problems), problems
        assert not any("fine" in line for line in problems) and made.warnings[: len(problems)] == problems
        assert made.text() == text and made.range(here, degrees=20, plan=PLAN) == []
        refused("no joint", made.range, here)
        refused("the push must be", made.range, here, push=2.0, plan=PLAN)
        refused("the degrees must be", made.range, here, degrees=-1.0, plan=PLAN)


def progress_is_heard_and_calls_can_be_stopped():
    """Of what takes long; a set that was stopped is as before."""
    names, heard = ["Root", "L.Arm", "L.Hand", "R.Arm", "R.Hand"], []
    here = rig(names=names)
    with MuscleSet.fit(here, PLAN, lambda done, task: heard.append((done, task)), library=LIBRARY) as made:
        text = made.text()
        assert heard and all(0 <= done <= 1 and task for done, task in heard), heard
        with MuscleSet.fit(here, PLAN, library=LIBRARY) as alike:
            assert alike.text() == text
        made.add(here, "fine.L", ("L.Arm", "L.Hand"), size=2)
        for call in (
            lambda: made.weights(here, 8, 1.5, 6),
            lambda: made.range(here, plan=PLAN),
            lambda: made.copy(here, here),
            lambda: made.mirror(0),
        ):
            heard.clear()
            call()
            assert heard, "it is heard"
            text, made.on_progress = made.text(), lambda *_: True
            refused("stopped on request", call, code=abi.SINEW_CANCELLED)
            made.on_progress = lambda done, task: heard.append((done, task))
            assert made.text() == text
    refused("stopped on request", MuscleSet.fit, here, PLAN, lambda *_: True, library=LIBRARY, code=abi.SINEW_CANCELLED)


def physiques_are_known_and_applied():
    known = {one.id: one for one in physiques(library=LIBRARY)}
    assert set(known) == {"heavy", "gaunt", "jelly", "athletic", "old", "average"}
    assert known["heavy"].size > 1 > known["gaunt"].size
    with MuscleSet(library=LIBRARY) as made:
        made.add(rig(), "m", ("L.Oberarm ä", "L.Hand"), size=2.0)
        made.physique(Physique("", 2.0, 1.0, 1.0, 1.5))
        assert 'girth="1.5"' in made.text() and 'bulge="1"' in made.text(), made.text()
        refused("must be positive", made.physique, Physique("", 1, 1, 1, -1.0))


def numbers_of_single_muscles_are_read_and_written():
    character = rig(metres=1.0, up=abi.SINEW_UP_Z)
    sheet = """<muscle_set><space metres_per_unit="0.01" up="y"/><!-- a comment -->
    <muscle name="fan" origin_joint="L.Oberarm ä" origin="20 140 0" origin_to="20 142.1 0" count="3" insertion_joint="L.Hand"
     insertion="60 140 2" size="2"><head name="head 0" origin_joint="L.Oberarm ä" origin="30 140 0" size="1"/>
     <offset ring="3" vertex="2" by="0 0.1 0"/></muscle>
    <muscle name="&quot;a&quot; &lt; ä" origin_joint="R.Oberarm ä" origin="-20 140 0" insertion_joint="R.Hand"
     insertion="-60 140 2" size="3"/>
    </muscle_set>"""
    names = ["fan.1", "fan.2", "fan.3", "head 0", '"a" < ä']
    found = expanded(sheet)
    assert list(found) == names and [found[name].get("size") for name in names] == ["2", "2", "2", "1", "3"]
    assert found["fan.2"].get("origin") == "20 141.05 0" and np.allclose(
        found["fan.2"].numbers["origin"], (0.2, 0, 1.4105)
    )
    assert found["fan.1"].elements("offset") and not found["head 0"].elements("offset")
    before, _ = played(sheet, character)
    with document.Document.parse(sheet, library=LIBRARY) as made:
        assert made.expand() == 3
        alone = made.text()
    assert (
        np.array_equal(played(alone, character)[0], before)
        and "origin_to" not in alone
        and "<head" not in alone
        and "a comment" in alone
    )
    one = changed(sheet, ['"a" < ä'], "taper", [2])
    assert one == sheet.replace('size="3"', 'size="3" taper="2"'), "the sheet stays one, and nothing else changes"
    two = changed(sheet, ["fan.2", "head 0"], "size", [0.015])
    after, _ = played(two, character)
    same = [np.array_equal(a, b) for a, b in zip(before.reshape(5, 72, 3), after.reshape(5, 72, 3))]
    assert same == [True, False, True, False, True], same
    back = changed(changed(two, ["fan.2"], "size", [0.02]), ["head 0"], "size", [0.01])
    assert np.array_equal(played(back, character)[0], before)
    up = changed(one, ["fan.1"], "up", [0, 0, 1])
    assert up.count('up="0 1 0"') == 1 and 'up="0' not in changed(up, ["fan.1"], "up", None)
    refused("expected a number", changed, sheet, ["fan.1"], "size", "wide")
    refused("no muscle", changed, sheet, ["fan.4"], "size", [1])
    usual = schema.describe("muscle_set", library=LIBRARY).kind("muscle").attributes
    assert (
        usual["bulge"].default == "0.5"
        and usual["middle"].default == "0 0 0"
        and usual["size"].required
        and usual["up"].default is None
    )
    assert {a.port for a in usual.values() if a.heading} == {
        port.id for port in KINDS["muscle_skin"].inputs if port.items == "muscle" and port.id != "activations"
    }, "every array of muscles is a number of each"


def expanded(text):
    """Each muscle of a set by its name, in metres with z up."""
    with document.Document.parse(text, library=LIBRARY) as made:
        made.set_space(1.0, abi.SINEW_UP_Z)
        made.expand()
        return {element.get("name"): element for element in made.read().elements("muscle")}


def changed(text, names, attribute, value):
    """A set with an attribute of some muscles set, numbers in metres with z up."""
    with document.Document.parse(text, library=LIBRARY) as made:
        made.set_space(1.0, abi.SINEW_UP_Z)
        for name in names:
            (made.set_numbers if isinstance(value, list) else made.set)(made.single(name), attribute, value)
        return made.text()


def what_is_wrong_with_one_muscle_loses_it_alone():
    """A sheet whose count is impossible, with a head, between two muscles: the others keep their names and numbers, and
    the set keeps the sheet; what cannot even be read is not written."""
    character = rig()
    with MuscleSet(library=LIBRARY) as made:
        for name, size in (("first", 2), ("last", 3)):
            made.add(character, name, ("L.Oberarm ä", "L.Hand"), size=size)
        sound = made.text()
    ends = 'origin_joint="L.Oberarm ä" origin="20 141 0" insertion_joint="L.Hand" insertion="60 141 2"'
    lost = (
        f'<muscle name="lost" {ends} size="1" count="0"><head name="short" origin_joint="L.Oberarm ä" origin="30 141 '
        f'0"/>'
        '<offset ring="3" vertex="77" by="0 1 0"/></muscle>'
    )
    broken = sound.replace('<muscle name="last"', lost + '<muscle name="last"')
    names = ["first", "lost", "short", "last"]
    (points, _), (others, _) = played(broken, character), played(sound, character)
    assert len(points) == 3 * 72 and np.array_equal(points.reshape(3, 72, 3)[[0, 2]], others.reshape(2, 72, 3))
    for text in (broken, broken.replace('count="0"', 'count="few"')):
        with MuscleSet(text, library=LIBRARY) as made:
            assert [muscle["name"] for muscle in made.report()["muscles"]] == names
            weights = made.weights(character, 8, 1.5, 0)
            assert weights.shape[1] == 4 and not weights[:, 1].any() and weights[:, 3].any()
            assert any("lost" in warning and "count is" in warning for warning in made.warnings), made.warnings
            if text == broken:
                assert made.text().count('count="0"') == 1 and 'vertex="77"' in made.text()
            else:
                for call in (made.text, lambda: made.mirror(0), lambda: made.remove("last")):
                    refused('count is "few"', call, code=abi.SINEW_PARSE)
    found = expanded(broken)
    assert list(found) == names and [found[name].get("size", "1") for name in names] == ["2", "1", "1", "3"]
    one = changed(broken, ["last"], "taper", [3])
    assert one == broken.replace('size="3"', 'size="3" taper="3"') or expanded(one)["last"].number("taper") == 3
    found = expanded(one)
    assert [found[name].number("taper") for name in names] == [1, 1, 1, 3] and found["lost"].get("count") == "0"


def wrong_rigs_are_refused():
    refused("line 1", MuscleSet, "<muscle_set>\n", library=LIBRARY, code=abi.SINEW_PARSE)
    refused("strand_scene", MuscleSet, "<strand_scene/>", library=LIBRARY)
    with MuscleSet(library=LIBRARY) as made:
        for part, change in (
            ("4 matrices for 5 joints", {"rest": rig().rest[1:]}),
            ("NaN", {"rest": rig().rest * np.nan}),
            ("0 0 0 1", {"rest": rig().rest.reshape(-1, 4, 4).transpose(0, 2, 1).reshape(-1, 16)}),
            ("not an up axis", {"up_axis": 7}),
            ("metres per unit", {"metres_per_unit": 0.0}),
            (
                "of 384",
                {"skin": node.Mesh(rig().skin.positions[:384], rig().skin.face_sizes, rig().skin.corner_vertices)},
            ),
        ):
            character = rig()
            for field, value in change.items():
                setattr(character, field, value)
            refused(part, made.add, character, "m", ("L.Oberarm ä", "L.Hand"))
        assert made.report()["muscles"] == [] and "space" not in made.text(), "an error leaves the set empty"


def what_joints_do_is_found_and_chosen():
    """A human whose names say nothing, in plain T-pose, with its parents."""
    joints = joints_of_human()
    rest = np.tile(np.eye(4), (len(joints), 1, 1))
    rest[:, :3, 3] = [place for _, _, place in joints]
    names = [f"joint{k}" for k in range(len(joints))]
    human = Rig(names, rest.reshape(-1, 16), None, 0.01, parents=[parent for _, parent, _ in joints])
    found = {each["role"]: each["joint"] for each in human.roles(library=LIBRARY)["roles"]}
    assert found == {role: names[k] for k, (role, _, _) in enumerate(joints)}, found
    human.chosen = {"forearm.L": "joint5"}
    (forearm,) = (each for each in human.roles(library=LIBRARY)["roles"] if each["role"] == "forearm.L")
    assert (forearm["joint"], forearm["certainty"]) == ("joint5", "chosen"), forearm
    for change, part in (
        ({"chosen": {"elbow": "joint5"}}, '"elbow" is no role'),
        ({"parents": [0] * len(names)}, "above it"),
        ({"parents": [99] * len(names)}, "the parent 99 of 21 joints"),
    ):
        wrong = Rig(names, human.rest, None, 0.01, **change)
        refused(part, wrong.roles, library=LIBRARY)
    assert rig(skin=False).roles(library=LIBRARY)["roles"] == []


for case in (
    a_muscle_is_made_in_the_hosts_unit_and_mirrored,
    a_set_goes_to_another_character,
    sculpted_vertices_stay_where_they_were_put,
    weights_are_those_of_the_node,
    a_human_is_fitted_only_to_its_own_names,
    physiques_are_known_and_applied,
    numbers_of_single_muscles_are_read_and_written,
    the_range_of_motion_is_tested,
    progress_is_heard_and_calls_can_be_stopped,
    what_is_wrong_with_one_muscle_loses_it_alone,
    wrong_rigs_are_refused,
    what_joints_do_is_found_and_chosen,
):
    case()
    print(f"{case.__name__}: ok")
