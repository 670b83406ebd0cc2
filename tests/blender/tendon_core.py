"""Scenes of strands without Blender: `tendon_core.py CLI LIBRARY` with plain Python and numpy."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from blender_addon.core import strand_run  # noqa: E402
from blender_addon.sinew import UP_Z, schema  # noqa: E402
from blender_addon.sinew.document import Document, other_side  # noqa: E402
from blender_addon.sinew.library import Library  # noqa: E402
from blender_addon.sinew.loader import Error  # noqa: E402

CLI, LIBRARY = sys.argv[1:]
LIB = Library(LIBRARY)
EVERY = ROOT / "tests/blender/data/every_element.xml"
PRESETS = ROOT / "blender_addon" / "presets"


def run(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def scenes():
    """Every scene of strands in examples, tests and presets."""
    found = [path for folder in ("examples", "tests", "blender_addon") for path in (ROOT / folder).rglob("*.xml")]
    found = [path for path in found if "<strand_scene" in path.read_text("utf-8")]
    assert len(found) >= 9, found
    return found


def what_nobody_changes_keeps_its_bytes():
    for path in scenes():
        with Document.load(path, library=LIB) as document:
            assert document.text() == path.read_text("utf-8"), path
            document.read()
            assert document.text() == path.read_text("utf-8"), path


def elements_come_and_go():
    path = ROOT / "examples/strand/pulley.xml"
    with Document.load(path, library=LIB) as document:
        document.set_space(0.01, UP_Z)
        root = document.read()
        added = root.add("plane", {"name": "p", "on": root.elements("body")[0].get("name")})
        added.set_place("at", np.array([[0, -1, 0, 20], [1, 0, 0, 0], [0, 0, 1, 50], [0, 0, 0, 1.0]]))
        tags = [e.tag for e in document.read().elements()]
        assert tags.index("plane") > max(k for k, t in enumerate(tags) if t == "point")
        # A quarter turn about Blender's z is one about the scene's y; the plane's own axes stay.
        assert added.get("at") == "0.2 0.5 0" and np.allclose(document.read(added.id).place(), (20, 0, 50))
        turned = document.read(added.id).places["at"]
        assert np.allclose(turned[:3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-9), turned
        added.remove()
        assert document.text() == path.read_text("utf-8")
    for wrong, part in (
        ("<a>", "line 1"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "line 1"),
        ("<a/>", "no document of the type"),
    ):
        try:
            Document.parse(wrong, library=LIB)
        except Error as error:
            assert part in str(error), error
        else:
            raise AssertionError(f"{wrong} was read")


def the_reference_is_that_of_the_library():
    """Every attribute has a form for which Blender has a property, and what a panel shows is what the command line
    prints."""
    scene = schema.describe("strand_scene", library=LIB)
    kinds = {a.kind for e in scene.children.values() for a in e.attributes.values()}
    assert kinds == {"number", "whole", "vector", "turn", "choice", "reference", "text"}, kinds
    may = scene.kind("joint", "axis").attributes["may"]
    assert (may.kind, may.choices, may.default) == ("range", ("free", "held"), "free")
    printed = next(e for e in json.loads(run("--json", "scene")) if e["name"] == "strand_scene")
    assert [c["element"]["name"] for c in printed["children"]] == list(scene.children)
    muscle = schema.describe("muscle_set", library=LIB).kind("muscle").attributes
    assert (muscle["mass"].unit, muscle["mass"].heading, muscle["mass"].port) == (
        "kg",
        "Spring",
        "muscle_masses",
    ) and muscle["size"].is_length


def presets_are_those_of_the_library():
    for name, kind in (("finger", "finger"), ("hand", "four")):
        with tempfile.TemporaryDirectory() as folder:
            run("strand", "--hand", kind, "--write", f"{folder}/{name}.xml")
            made = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        stored = {path.name: path.read_bytes() for path in (PRESETS / name).iterdir()}
        assert stored == made, f"sh tests/presets.sh writes presets/{name} anew"


def mirrored_twice_a_scene_is_itself():
    for path in (PRESETS / "finger/finger.xml", PRESETS / "hand/hand.xml", *(ROOT / "examples/strand").glob("*.xml")):
        for axis, letter in enumerate("xyz"):
            with tempfile.TemporaryDirectory() as folder, Document.load(path, library=LIB) as made:
                made.mirror(axis)
                made.save(pathlib.Path(folder, "m.xml"))
                run("strand", path, "--mirror", letter, "--force", "--write", f"{folder}/theirs.xml")
                with Document.load(f"{folder}/theirs.xml", library=LIB) as theirs:
                    assert_alike(made.read(), theirs.read(), path)
                made.mirror(axis)
                # Mirrored scenes state all places in the world, as this one does.
                with Document.load(path, library=LIB) as before:
                    assert_alike(made.read(), before.read(), (path, axis, "twice"))
    for name, other in (
        ("arm_L", "arm_R"),
        ("L.arm.001", "R.arm.001"),
        ("armLeft", "armRight"),
        ("UPPER_RIGHT", "UPPER_LEFT"),
        ("left of left", "right of right"),
        ("bright", "bright"),
        ("FDPL", "FDPL"),
        ("cleft", "cleft"),
        ("UPRIGHT", "UPRIGHT"),
        ("LThumb", "RThumb"),
        ("lArm", "rArm"),
        ("arm01L", "arm01R"),
        ("leftarm", "rightarm"),
        ("IKLeftHand", "IKRightHand"),
        ("LÉpaule", "RÉpaule"),
        ("L5", "L5"),
        ("Lower", "Lower"),
        ("", ""),
    ):
        assert other_side(name, library=LIB) == other, (name, other_side(name, library=LIB))


def assert_alike(ours, theirs, where):
    """Every number and place that both state is the same; what one leaves out has its default in the other."""
    order = list(schema.describe("strand_scene", library=LIB).children)
    by_tag = lambda root: sorted(root.elements(), key=lambda e: order.index(e.tag))
    a, b = ([c for e in by_tag(root) for c in e.walk() if e.tag != "space"] for root in (ours, theirs))
    assert [e.tag for e in a] == [e.tag for e in b], where
    for x, y in zip(a, b):
        assert x.places.keys() == y.places.keys(), (where, x, y)
        assert all(np.allclose(x.places[name], y.places[name], atol=1e-7) for name in x.places), (where, x, y)
        for name in {*x.attributes, *y.attributes} - {"in", "turn", "and_turn", *x.places}:
            if name in x.numbers or name in y.numbers:
                assert np.allclose(x.numbers[name], y.numbers[name], atol=1e-9), (where, x, y, name)
            else:
                assert None in (x.get(name), y.get(name)) or x.get(name) == y.get(name), (where, x, y, name)


def faults(text):
    """The faults of a scene, each with the kind of its element."""
    with Document.parse(text, library=LIB) as document:
        return [(document.describe(fault.element)["element"], fault) for fault in document.faults()]


def the_checker_names_what_is_wrong():
    for path in scenes():
        found = [fault for _, fault in faults(path.read_text("utf-8")) if fault.is_error]
        if path == EVERY:
            # It has everything, also what excludes each other.
            assert ["its activation is given" in fault.message for fault in found] == [True, True], found
            continue
        assert not found, (path, found)
    text = (PRESETS / "finger/finger.xml").read_text("utf-8")
    for old, new, tag, part in (
        ('kind="eulerian" material="0.035"', 'kind="slippery" material="0.035"', "node", "eulerian, lagrangian"),
        ('strength="110"', 'strenght="110"', "muscle", 'did you mean "strength"'),
        ('on="Wrist"/>', 'on="Wirst"/>', "point", 'did you mean "Wrist"'),
        ('may="-20 20"', 'may="20 -20"', "axis", "wrong way round"),
        ('<point name="DI 2" at="-0.00887561425077', '<point name="DI 1" at="-0.00887561425077', "point", "taken by"),
        ('activation="0"/>', 'activation="2"/>', "muscle", "between 0 and 1"),
        ('bone="Metacarpal"/>', "/>", "off_bone", "names no bone"),
        ('<on_curve point="DI 1" curve="II DI line"/>', "", "muscle", "is not kept on its curve"),
        ('<shape file="Distal.obj" density="24348.240680647115"/>', "", "body", "needs a mass"),
        ('<ligaments from="-20"', '<wobble/><ligaments from="-20"', "wobble", "unknown element"),
    ):
        assert old in text, old
        found = faults(text.replace(old, new, 1))
        assert any(kind == tag and part in fault.message for kind, fault in found), (new, found)


def nodes_off_planes_between_two_places_are_reported():
    """Such a plane lies between the places at which it is modelled on its two bodies, by its weight."""
    text = (PRESETS / "finger/finger.xml").read_text("utf-8")
    old = (
        'at="0.05172564935156 0 0" turn="0 90 0" and_on="Middle" and_at="0.05172564935156 0 0" and_turn="0 90 0" '
        'weight="0.5"'
    )
    assert old in text
    for new, off in (
        (
            'at="0.05172564935156 0 0" turn="0 90 0" and_on="Middle" and_at="0.05172564935156 0 0" and_turn="0 90 0" '
            'weight="0.3"',
            0.0,
        ),
        (
            'at="0.04972564935156 0 0" turn="0 90 0" and_on="Middle" and_at="0.05372564935156 0 0" and_turn="0 90 0" '
            'weight="0.5"',
            0.0,
        ),
        (
            'at="0.05172564935156 0 0" turn="0 80 0" and_on="Middle" and_at="0.05172564935156 0 0" and_turn="0 110 0" '
            'weight="0.333333333333333"',
            0.0,
        ),
        (
            'at="0.05172564935156 0 0" turn="0 90 0" and_on="Middle" and_at="0.05972564935156 0 0" and_turn="0 90 0" '
            'weight="0.25"',
            2.0,
        ),
        (
            'at="0.05172564935156 0 0" turn="0 90 0" and_on="Middle" and_at="0.05172564935156 0 0" and_turn="0 -90 0" '
            'weight="0"',
            0.0,
        ),
    ):
        scene = text.replace(old, new, 1)
        found = [fault.message for _, fault in faults(scene) if " off plane " in fault.message]
        assert (not found) if off == 0 else found and all(f"{off:.2g} mm off" in t for t in found), (new, found)


def events_name_rules_as_the_library_does():
    """Also those that have no name of their own."""
    text = (PRESETS / "finger/finger.xml").read_text("utf-8")
    more = (
        '<frame point="DI 2" body="Metacarpal"/>',
        '<link first="DI 1" second="DI 2"/>',
        '<frame name="own" point="DI 2" body="Proximal"/>',
        '<in_plane point="DI 1" plane="II Metacarpal plane1" relation="above"/>',
    )
    text = text.replace("</strand_scene>", "\n".join([*more, "</strand_scene>"]))
    with Document.parse(text, library=LIB) as document:
        rules = [element for element in document.read().elements() if element.called]
    names = {(rule.tag, rule.get("relation"), rule.get("name")): rule.called for rule in rules}
    assert {tag for tag, *_ in names} == {"on_curve", "in_plane", "off_bone", "frame", "link"} and len(names) >= 7, (
        names
    )
    for name, known in [
        *((name, True) for name in names.values()),
        ("nothing", False),
        ("DI 1 above II Metacarpal plane", False),
    ]:
        scene = text.replace("</strand_scene>", f'<release time="9" rule="{name}"/></strand_scene>')
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(PRESETS / "finger", folder, dirs_exist_ok=True)
            path = pathlib.Path(folder, "released.xml")
            path.write_text(scene, "utf-8")
            run = [CLI, "strand", path, "--seconds", "0.05", "--fps", "24", "--out", f"{folder}/out"]
            said = subprocess.run(run, capture_output=True, text=True).stderr
        ours = [fault.message for _, fault in faults(scene) if "there is no rule" in fault.message]
        assert ("there is no rule" not in said) == (not ours) == known, (name, said, ours)


def runs_give_the_bits_of_the_command_line():
    for path, seconds in ((PRESETS / "finger/finger.xml", 0.25), (ROOT / "examples/strand/reach.xml", 0.5)):
        with tempfile.TemporaryDirectory() as folder:
            run("--json", "strand", path, "--seconds", seconds, "--fps", 24, "--out", folder)
            theirs = json.loads(pathlib.Path(folder, "joints.json").read_text())
        ours = strand_run.Run(LIB, path, 1.0, 1, 24.0)
        for _ in theirs:
            ours.step()
        result = strand_run.Result.of_bytes(ours.result().bytes())
        ours.close()
        moved = 0.0
        for k, row in enumerate(theirs):
            for j, name in enumerate(result.names["joints"]):
                values = [*result.arrays["joint_turns"][k][j], *result.arrays["joint_moves"][k][j]]
                assert values == row["joints"][name], (path, k, name)
                moved = max(moved, *map(abs, values))
        assert moved > 1, moved
        assert result.index(len(theirs)) == len(theirs) - 1 and result.index(0) is None


if __name__ == "__main__":
    what_nobody_changes_keeps_its_bytes()
    elements_come_and_go()
    the_reference_is_that_of_the_library()
    presets_are_those_of_the_library()
    mirrored_twice_a_scene_is_itself()
    the_checker_names_what_is_wrong()
    nodes_off_planes_between_two_places_are_reported()
    events_name_rules_as_the_library_does()
    runs_give_the_bits_of_the_command_line()
    print("tendon core: ok")
