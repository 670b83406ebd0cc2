"""The add-on's core in plain Python: core_test.py LIBRARY"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import numpy as np

ADDON = pathlib.Path(__file__).parents[2] / "blender_addon"
sys.path.insert(0, str(ADDON))
from core import timeline, trace  # noqa: E402
from package import own_name  # noqa: E402
from sinew import abi, describe, document, node  # noqa: E402
from sinew.library import Library  # noqa: E402
from sinew.loader import Error, LibraryError, file_name, find  # noqa: E402

LIBRARY = Library(sys.argv[1])
KINDS = LIBRARY.kinds
WIDE, HIGH = 12, 4


def strip():
    at = np.array([(x / WIDE, y / WIDE, 0) for y in range(HIGH + 1) for x in range(WIDE + 1)], np.float32)
    quads = [
        (v, v + 1, v + WIDE + 2, v + WIDE + 1)
        for y in range(HIGH)
        for v in range(y * (WIDE + 1), y * (WIDE + 1) + WIDE)
    ]
    corners = np.array(quads).ravel()
    return node.Mesh(at, np.full(len(quads), 4), corners, at[corners, :2].copy())


def bent(mesh, frame):
    moved = mesh.positions.copy()
    moved[:, 0] += 0.03 * frame * np.maximum(moved[:, 0] - 0.5, 0)
    return moved


def slider(mesh):
    made = node.Node(KINDS["skin_slider"], library=LIBRARY)
    made.set_input("rest", mesh)
    made.set_input("hold", np.where(mesh.positions[:, 0] == 0, 1, 0).astype(np.float32))
    made.set_lean(True)
    made.set_start(1 / 24)
    return made


def slide(made, mesh, frame):
    uvs = np.full((len(mesh.corner_vertices), 2), np.nan, np.float32)
    history = made.run(frame, frame / 24, {"points": bent(mesh, frame)}, {"uvs": uvs})
    return history, uvs


def muscles_are_a_mesh_beside_the_skin():
    """Two muscles from arrays: counts before the first step, and integers as integers."""
    kind = KINDS["muscle_skin"]
    assert [mesh.id for mesh in kind.meshes] == ["body", "muscles"]
    port = kind.output("muscle_points")
    assert (port.domain, port.mesh, port.element, port.group) == ("free", "muscles", "vertex", "Muscles")
    assert kind.affects("nearest", "points") and not kind.affects("nearest", "muscle_lengths")
    refused(Error, "nothing", kind.affects, "nothing", "points")
    joints, ones = np.tile(np.identity(4).ravel(), (2, 1)), np.ones(1, int)
    with node.Node(kind, library=LIBRARY) as made:
        for name, value in (
            ("rest_joints", joints),
            ("joints", joints),
            ("muscle_origin_joints", [0, 0]),
            ("muscle_insertion_joints", [1, 1]),
            ("muscle_origins", [(0, 0, 0), (0, 1, 0)]),
            ("muscle_insertions", [(1, 0, 0), (1, 1, 0)]),
            ("muscle_sizes", [0.1, 0.1]),
            ("muscle_rings", [2, 3]),
            ("muscle_divisions", [3, 4]),
        ):
            made.set_input(name, value)
        said = {
            name: made.expected_count(name)
            for name in ("muscle_points", "muscle_numbers", "muscle_face_sizes", "muscle_face_vertices")
        }
        assert said == {"muscle_points": 18, "muscle_numbers": 18, "muscle_face_sizes": 11, "muscle_face_vertices": 44}
        refused(Error, "item per vertex", made.expected_count, "points")
        for name, value in (
            ("points", [(0.5, 0.1, 0)]),
            ("influence_counts", ones),
            ("influence_joints", 0 * ones),
            ("influence_weights", ones),
        ):
            made.set_input(name, value)
        points, numbers = made.empty("muscle_points"), made.empty("muscle_numbers")
        assert (points.shape, points.dtype, numbers.dtype) == ((18, 3), np.float32, np.int32)
        made.run(1, 0.0, {}, {"muscle_points": points, "muscle_numbers": numbers})
        assert {name: made.output_count(name) for name in said} == said
        mesh = made.read_mesh("muscles")
        assert np.array_equal(mesh.positions, points) and np.array_equal(mesh.face_sizes, np.full(11, 4))
        assert mesh.corner_vertices[:16].tolist() == [0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5, 6, 7, 11, 10]
        assert np.array_equal(numbers.ravel(), [0] * 6 + [1] * 12) and np.array_equal(
            made.read("muscle_numbers", np.float64), numbers
        )
        assert np.array_equal(made.read("muscle_faces").ravel(), mesh.corner_vertices)
        refused(Error, "the host has it", made.read_mesh, "body")


def refused(kind, part, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert part in str(error), error
        return error
    raise AssertionError(f"accepted; expected {kind.__name__} with {part!r}")


def descriptions_are_plain_data():
    kind = KINDS["skin_slider"]
    assert kind.stateful and kind.input("rest").kind == "mesh" and kind.input("hold").paintable
    assert kind.input("hold").range == (0, 1) and kind.output("uvs").domain == "corner"
    assert kind.param("material").default in [choice.id for choice in kind.param("material").choices]
    assert [param.id for params in kind.groups().values() for param in params] == [param.id for param in kind.params]
    for one in KINDS.values():
        names = [part.host_name for part in (*one.ports, *one.params)]
        assert all(names) and len(set(names)) == len(names), names
    assert kind.param("young").quantity and not kind.param("material").quantity
    assert kind.param("young").animatable and not KINDS["strand"].param("scene").animatable
    points = KINDS["strand"].output("strand_points")
    assert (points.counted_by, points.radii) == ("strand_counts", "strand_radii")
    assert KINDS["strand"].output("tensions").between == "strand_points"
    assert KINDS["muscle_skin"].input("muscle_influences").index_of == "muscle"
    held = {one.id: [param.document for param in one.params if param.document] for one in KINDS.values()}
    assert held["strand"] == ["strand_scene"] and held["muscle_skin"] == ["muscle_set"] and not held["skinning"]
    fung = kind.param("fung_exponent")
    assert fung.shown_with == "material"
    assert describe.is_shown(kind, fung, lambda _: "fung") and not describe.is_shown(kind, fung, lambda _: "stvk")
    with node.Node(kind, library=LIBRARY) as made:
        for param in kind.params:
            assert made.param(param.id) == (
                param.default if isinstance(param.default, str) else type(made.param(param.id))(param.default)
            )


def states_give_what_playing_gives():
    mesh = strip()
    with slider(mesh) as made:
        played, states = {}, {}
        for frame in range(1, 7):
            history, played[frame] = slide(made, mesh, frame)
            states[frame] = made.save_lean_state()
            assert history == ("started" if frame == 1 else "continued")
        assert not np.array_equal(played[6], mesh.uvs), "nothing slid"
        for frame in (5, 2, 6, 3):
            made.load_state(states[frame - 1])
            assert np.array_equal(slide(made, mesh, frame)[1], played[frame]), frame
        assert np.array_equal(made.read("uvs"), played[3])
        assert made.read("slide_distance", np.float64).shape == (len(mesh.positions), 1)
        assert made.report()
        young, full = made.param("young"), made.save_state()
        for _ in range(2):
            made.set_param("young", 2 * young)
            assert made.param("young") == 2 * young
            made.load_state(full)
            assert made.param("young") == young
        made.set_restart(False)
        made.reset()
        assert refused(Error, "", slide, made, mesh, 4).code == abi.SINEW_OUT_OF_ORDER


def errors_name_code_port_parameter_and_place():
    mesh = strip()
    with slider(mesh) as made:
        points = bent(mesh, 1)
        points[7, 1] = np.nan
        error = refused(Error, "points", made.set_input, "points", points)
        assert (error.code, error.name, error.port, error.vertex) == (abi.SINEW_NOT_FINITE, "not_finite", "points", 7)
        error = refused(Error, "young", made.set_param, "young", -1.0)
        assert (error.code, error.parameter, error.port) == (abi.SINEW_OUT_OF_RANGE, "young", None)
        assert str(error).startswith("node ") and error.sentence.startswith("parameter young: -1 is not"), (
            error.sentence
        )
        refused(Error, "port hold: an array of complex128", made.set_input, "hold", np.zeros(4, complex))
        refused(Error, "rows of 3", made.set_input, "points", np.zeros((4, 2), np.float32))
        strided = np.zeros((len(points), 6), np.float32)[:, ::2]
        strided[:] = bent(mesh, 1)
        made.set_input("points", strided)
        assert made.input_is_set("points")
        made.set_input("points", None)
        assert not made.input_is_set("points")
        error = refused(Error, "points", made.step, 1, 0.0)
        assert (
            error.port == "points"
            and str(error).startswith("frame 1, node ")
            and error.sentence.startswith("port points: ")
        ), (str(error), error.sentence)


def a_step_is_cancelled_and_shows_progress():
    mesh = strip()
    with slider(mesh) as made:
        heard = []
        with node.listening(made, lambda done, task: heard.append((done, task))):
            slide(made, mesh, 1)
        assert heard and all(0 <= done <= 1 for done, _ in heard)
        with node.listening(made, lambda *_: True):
            assert refused(Error, "", slide, made, mesh, 2).code == abi.SINEW_CANCELLED
        assert slide(made, mesh, 2)[0] == "continued"
        made.cancel()
        assert slide(made, mesh, 3)[0] == "continued"


def two_nodes_step_at_the_same_time():
    mesh, found = strip(), {}

    def play(key):
        with slider(mesh) as made:
            for frame in range(1, 5):
                found[key] = slide(made, mesh, frame)[1]

    threads = [threading.Thread(target=play, args=(key,)) for key in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[0], found[key]) for key in (1, 2))


def the_timeline_is_bounded_and_shows_nothing_as_valid_that_is_not():
    line = timeline.Timeline(limit=1000)

    def entry(value=0):
        return timeline.Entry(b"m", {"uvs": np.full(50, value, np.float32)}, bytes(50))

    line.expect(b"a")
    for frame in range(1, 5):
        line.put(frame, b"m%d" % frame, entry(frame), follows=frame > 1)
    assert (line.frames(), line.used) == ([1, 2, 3, 4], 1000)
    assert line.get(1, b"m1") and line.nearest(3) == 2 and line.nearest(1) is None and line.state_before(2) == bytes(50)
    line.put(5, b"m5", entry(5))
    assert (line.frames(), line.used) == ([1, 3, 4, 5], 1000), "2 was used longest ago"
    # Another motion in a frame: it and those after it do not hold, and do again with the first motion.
    assert line.get(4, b"other") is None and line.frames() == [1, 3]
    assert line.get(5, b"m5") is None and line.get(4, b"m4") and line.get(5, b"m5") and line.frames() == [1, 3, 4, 5]
    line.put(4, b"other", entry(40))
    assert line.frames() == [1, 4] and line.get(5, b"m5") is None, "5 followed from another 4"
    assert line.outdated(5, b"m").outputs["uvs"][0] == 5 and line.outdated(5, b"moved") is None
    # Other settings: what was computed is shown meanwhile, goes on nowhere, and holds again with the first ones.
    assert not line.expect(b"a") and line.expect(b"b") and line.frames() == []
    assert line.get(4, b"other") is None and line.state_before(5) is None and line.nearest(9) is None
    assert (
        line.outdated(4, b"m").outputs["uvs"][0] == 40
        and line.outdated(4, b"m", b"other") is None
        and line.outdated_state(5) is not None
    )
    assert line.is_trusted_after(1), "an edit of the motion matters to them"
    line.expect(b"a")
    assert line.frames() == [1, 4] and line.get(4, b"other")
    line.expect(b"a", form=b"other faces")
    assert line.outdated(4, b"m") is None and line.outdated_state(5) is None
    line.clear()
    assert line.used == 0
    line.expect(b"b")
    for frame in range(1, 4):
        line.put(frame, b"m%d" % frame, entry(frame), follows=frame > 1)
    line.distrust()
    assert line.frames() == [] and line.get(2, b"m2") is None and line.state_before(2) is None, "frame 1 may be another"
    assert line.outdated(2, b"m", b"m2"), "it will hold if frame 1 does"
    assert line.get(1, b"m1", follows=False) and line.get(2, b"m2") and line.get(3, b"m3"), "they were not"
    # Previews are shown again, and nothing follows from them.
    line.put_preview(4, b"m4", entry(7))
    assert (
        line.get(4, b"m4") is None and line.outdated(4, b"m").outputs["uvs"][0] == 7 and line.outdated_state(5) is None
    )
    line.put_preview(3, b"m3", entry(8))
    assert (
        line.outdated(4, b"m") is None
        and line.outdated(3, b"m").outputs["uvs"][0] == 8
        and line.get(3, b"m3").outputs["uvs"][0] == 3
    )
    line.limit = 10
    assert line.frames() == [3], "the last one stays"
    # Many results of one frame, as where a slider is dragged in the first one, leave the others alone.
    line.limit = 10**6
    for k in range(20):
        line.expect(b"drag %d" % k)
        line.put(1, b"m1", entry(k), follows=False)
    line.expect(b"b")
    assert line.used == (timeline.MOST + 1) * 250 and line.get(3, b"m3")


def frames_that_were_kept_are_found_to_hold_or_not():
    """A timeline as another session has it: what was kept holds once all before it is as it was."""
    first, loads = timeline.Timeline(10**6), []
    first.expect(b"root", b"form")
    for frame in range(1, 5):
        first.put(
            frame,
            b"m%d" % frame,
            timeline.Entry(b"m%d" % frame, {"uvs": np.full(3, frame, np.float32)}, bytes(5)),
            follows=frame > 1,
        )

    def again(broken=()):
        line = timeline.Timeline(10**6)
        line.expect(b"root", b"form")
        for frame, link, entry in first.valid():

            def load(frame=frame, entry=entry):
                loads.append(frame)
                return None if frame in broken else (entry.outputs, entry.state)

            line.adopt(
                frame,
                link,
                timeline.Entry(
                    entry.motion, {}, None, root=entry.root, form=entry.form, mark=entry.mark, load=load, saved=True
                ),
            )
        return line

    line = again()
    assert (
        line.used == 0
        and line.frames() == []
        and line.get(3, b"m3") is None
        and line.state_before(3) is None
        and loads == []
    )
    shown = line.outdated(3, b"m3", b"m3")
    assert shown.saved and shown.outputs["uvs"][0] == 3 and loads == [3] and line.used == 17, "one frame is read"
    for frame in range(1, 5):
        assert line.get(frame, b"m%d" % frame, follows=frame > 1).outputs["uvs"][0] == frame
    assert line.frames() == [1, 2, 3, 4] and loads == [3, 1, 2, 4] and line.state_before(5) == bytes(5)
    # The motion of the second frame is another.
    line = again()
    assert line.get(1, b"m1", follows=False) and line.get(2, b"x") is None and line.get(3, b"m3") is None
    # The settings, or the library, are others.
    line = again()
    line.expect(b"other", b"form")
    assert line.get(1, b"m1", follows=False) is None and line.outdated(1, b"m1").outputs["uvs"][0] == 1
    # A frame of the file is broken.
    line = again({2})
    assert (
        line.get(1, b"m1", follows=False)
        and line.get(2, b"m2") is None
        and line.get(3, b"m3") is None
        and line.frames() == [1]
    )


def hashes_tell_arrays_numbers_and_texts_apart():
    arrays = (np.zeros(4, np.float32), np.zeros(4, np.int32), np.zeros((2, 2), np.float32), b"\0", "\0", 0, 0.0, None)
    for name in (timeline.fingerprint, timeline.mark):
        assert len({name(part) for part in arrays}) == len(arrays)
        assert name("a", "b") != name("ab", "") and name(arrays[2].copy()) == name(arrays[2])


def a_library_that_does_not_fit_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        refused(LibraryError, "missing", find, folder)
        (folder / "lib").mkdir()
        there = folder / "lib" / file_name()
        there.write_text("not a library")
        assert find(folder) == there
        own = folder / "lib" / own_name(b"not a library")
        there.rename(own)
        assert find(folder) == own != folder / "lib" / own_name(b"another one")
        there.write_text("another one")
        refused(LibraryError, "more than one library", find, folder)
        own.unlink()
        refused(LibraryError, "cannot be loaded", Library, there)
        for name, code, part in (
            ("other", "int unrelated(void) { return 1; }", "is not a Sinew library"),
            (
                "newer",
                "unsigned sinew_abi_version(void) { return 2 << 16; } const char *sinew_version_string(void) { return "
                '"9"; }',
                "has version 2.0",
            ),
            (
                "older",
                "unsigned sinew_abi_version(void) { return (1 << 16) + 1; } const char *sinew_version_string(void) { "
                'return "0"; }',
                "has version 1.1",
            ),
        ):
            source, made = folder / f"{name}.c", folder / f"{name}.so"
            source.write_text(code)
            subprocess.run([shutil.which("cc"), "-shared", "-fPIC", "-o", made, source], check=True)
            refused(LibraryError, part, Library, made)


def traces_tell_changes_from_round_off():
    """Of bodies of any size anywhere: one vertex that moves a thousandth of the body, all that turn or travel, rows in
    another order; but not another processor's last digit."""
    random = np.random.default_rng(1)
    shape = random.normal(size=(4001, 3))
    turn = np.array([[np.cos(0.01), np.sin(0.01), 0], [-np.sin(0.01), np.cos(0.01), 0], [0, 0, 1]])
    for scale in (0.01, 1, 100):
        for away in (0, 10, 1000):
            body = (scale * (shape + away)).astype(np.float32)
            known, one = trace.trace(body), body.copy()
            assert trace.agree(known, trace.trace(np.nextafter(body, np.float32(np.inf))))
            assert trace.agree(
                known, trace.trace(body * random.choice(np.float32([1 - 6e-8, 1, 1 + 6e-8]), body.shape))
            )
            one[1234, 1] += scale * (0.001 if away < 1000 else 0.02)
            lifted = body + np.float32([0, 0, 0.001 * scale])
            for other in (one, lifted, ((shape @ turn + away) * scale).astype(np.float32), body[::-1], body[:-1]):
                assert not trace.agree(known, trace.trace(other)), (scale, away)
    nothing = np.zeros((50, 1), np.float32)
    painted = nothing.copy()
    painted[7] = 0.01
    assert trace.agree(trace.trace(nothing), trace.trace(nothing.copy())) and not trace.agree(
        trace.trace(nothing), trace.trace(painted)
    )
    assert trace.agree(trace.trace(nothing[:0]), trace.trace(nothing[:0]))
    assert not trace.all_agree({"a": trace.trace(nothing)}, {"b": trace.trace(nothing)})


def documents_are_edited_without_loss():
    preset = ADDON / "presets/finger/finger.xml"
    with document.Document.load(preset, library=LIBRARY) as made:
        assert made.text() == preset.read_text(encoding="utf-8")
        points = made.children(made.root, "point")
        made.set_space(0.01, abi.SINEW_UP_Z)
        there = made.numbers(points[0], "at")
        made.set_space(1, abi.SINEW_UP_Y)
        x, y, z = made.numbers(points[0], "at")
        assert np.allclose(there, np.array([x, -z, y]) * 100, rtol=0, atol=1e-12), (there, x, y, z)
        assert made.rename(points[0], "somewhere else") > 0 and made.get(points[0], "name") == "somewhere else"
        assert all(fault.weight == "warning" for fault in made.faults()), made.faults()
        name = made.get(points[0], "name")
        made.set(points[0], "name", None)
        missing, *_ = (fault for fault in made.faults() if fault.is_error)
        assert (missing.element, missing.attribute, missing.path) == (points[0], "name", "strand_scene/point"), missing
        refused(Error, "three numbers", made.set, points[0], "at", "1 2")
        refused(Error, "no element", made.get, 99999, "at")
        made.set(points[0], "name", name)
        folder = pathlib.Path(tempfile.mkdtemp())
        made.mirror(0)
        made.save(folder / "other.xml")
        assert list(folder.glob("*_mirrored.obj")), "its meshes are beside it"
        shutil.rmtree(folder)


def new_parts_begin_with_numbers_of_the_library():
    assert document.starting_numbers("strand", 2.0, library=LIBRARY)["radius"] == [0.01]
    reel = document.starting_numbers("reel", 20.0, library=LIBRARY)
    assert reel == {"strength": [20.0], "damping": [10.0], "stiffness": [3.0]}
    rod = document.rod_inertia((0, 2, 0), 0.5, 1000.0, library=LIBRARY)
    assert rod["centre"] == [0.0, 1.0, 0.0] and rod["moments"][0] == rod["moments"][2] > rod["moments"][1] > 0
    assert np.isclose(rod["mass"][0], 1000.0 * np.pi * 0.125**2)


def a_finger_and_a_muscle_set_are_authored_through_documents_alone():
    """In the unit and axes of Blender, whatever those of the files are; checked, mirrored, saved and read again."""
    folder = pathlib.Path(tempfile.mkdtemp())
    with document.Document.new("strand_scene", 1.0, abi.SINEW_UP_Y, library=LIBRARY) as made:
        made.set_space(0.01, abi.SINEW_UP_Z)
        root, at = made.read(), lambda x, z: np.array([[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, z], [0, 0, 0, 1.0]])
        for name, x, mode in (("Metacarpal_L", 0, "held"), ("Proximal_L", 6, "free")):
            body = root.add("body", {"name": name, "mode": mode})
            body.set_place("at", at(x, 100))
            made.set_numbers(made.add(body.id, "cuboid"), "size", [4, 0.8, 0.6])
        joint = root.add("joint", {"name": "MCP_L", "parent": "Metacarpal_L", "child": "Proximal_L"})
        joint.set_place("at", at(4, 100))
        joint.add("axis", {"name": "turn_y"}).set_numbers("may", [-20, 90])
        strand = root.add("strand", {"name": "Flexor_L", "stiffness": "100"})
        for name, body, x in (("origin_L", "Metacarpal_L", 1), ("insertion_L", "Proximal_L", 7)):
            root.add("point", {"name": name, "on": body}).set_place("at", at(x, 99.5))
            strand.add("node", {"point": name})
        assert made.faults() == [] and made.read().find("point", "insertion_L").get("at") == "0.07 0.995 0"
        assert made.read().find("body", "Proximal_L").elements("cuboid")[0].get("size") == "0.04 0.006 0.008", (
            "z and y change places"
        )
        made.mirror(0)
        made.save(folder / "finger.xml")
    with document.Document.load(folder / "finger.xml", library=LIBRARY) as again:
        again.set_space(0.01, abi.SINEW_UP_Z)
        assert again.faults() == [] and np.allclose(again.read().find("point", "insertion_R").place(), (-7, 0, 99.5))
        again.mirror(2)
        place = again.read().find("point", "insertion_L").place()
        assert np.allclose(place, (-7, 0, -99.5)), "mirrored upside down, as whoever asks sees it"
    with document.Document.new("muscle_set", 1.0, abi.SINEW_UP_Z, library=LIBRARY) as made:
        fan = made.read().add(
            "muscle", {"name": "fan_L", "origin_joint": "arm_L", "insertion_joint": "hand_L", "count": "2"}
        )
        for name, values in (("origin", [0.2, 0, 1.4]), ("origin_to", [0.2, 0, 1.5]), ("insertion", [0.6, 0, 1.4])):
            fan.set_numbers(name, values)
        assert [(f.attribute, f.element) for f in made.faults()] == [("size", fan.id)]
        fan.set_numbers("size", [0.02])
        made.set_numbers(made.single("fan_L.2"), "size", [0.03])
        assert made.faults() == [] and made.mirror(0) == 2
        made.save(folder / "muscles.xml")
        sizes = {e.get("name"): e.number("size") for e in made.read().elements("muscle")}
    assert sizes == {"fan_L.1": 0.02, "fan_L.2": 0.03, "fan_R.1": 0.02, "fan_R.2": 0.03}, sizes
    assert (folder / "muscles.xml").is_file()
    shutil.rmtree(folder)


for case in (
    descriptions_are_plain_data,
    muscles_are_a_mesh_beside_the_skin,
    states_give_what_playing_gives,
    errors_name_code_port_parameter_and_place,
    a_step_is_cancelled_and_shows_progress,
    two_nodes_step_at_the_same_time,
    the_timeline_is_bounded_and_shows_nothing_as_valid_that_is_not,
    frames_that_were_kept_are_found_to_hold_or_not,
    hashes_tell_arrays_numbers_and_texts_apart,
    a_library_that_does_not_fit_is_refused,
    traces_tell_changes_from_round_off,
    documents_are_edited_without_loss,
    new_parts_begin_with_numbers_of_the_library,
    a_finger_and_a_muscle_set_are_authored_through_documents_alone,
):
    case()
    print(f"{case.__name__}: ok")
