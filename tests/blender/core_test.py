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
from core import abi, describe, node, timeline, trace  # noqa: E402
from core.library import Library, LibraryError, SinewError, file_name, find, own_name  # noqa: E402

LIBRARY = Library(sys.argv[1])
KINDS = describe.describe_all(LIBRARY)
WIDE, HIGH = 12, 4


def strip():
    at = np.array([(x / WIDE, y / WIDE, 0) for y in range(HIGH + 1) for x in range(WIDE + 1)], np.float32)
    quads = [(v, v + 1, v + WIDE + 2, v + WIDE + 1) for y in range(HIGH) for v in range(y * (WIDE + 1), y * (WIDE + 1) + WIDE)]
    corners = np.array(quads).ravel()
    return node.Mesh(at, np.full(len(quads), 4), corners, at[corners, :2].copy())


def bent(mesh, frame):
    moved = mesh.positions.copy()
    moved[:, 0] += 0.03 * frame * np.maximum(moved[:, 0] - 0.5, 0)
    return moved


def slider(mesh):
    made = node.Node(LIBRARY, KINDS["skin_slider"])
    made.set_input("rest", mesh)
    made.set_input("hold", np.where(mesh.positions[:, 0] == 0, 1, 0).astype(np.float32))
    made.set_lean(True)
    made.set_start(1 / 24)
    return made


def slide(made, mesh, frame):
    uvs = np.full((len(mesh.corner_vertices), 2), np.nan, np.float32)
    history = made.run(frame, frame / 24, {"points": bent(mesh, frame)}, {"uvs": uvs})
    return history, uvs


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
    fung = kind.param("fung_exponent")
    assert fung.shown_with == "material"
    assert describe.is_shown(kind, fung, lambda _: "fung") and not describe.is_shown(kind, fung, lambda _: "stvk")
    with node.Node(LIBRARY, kind) as made:
        for param in kind.params:
            assert made.param(param.id) == (param.default if isinstance(param.default, str) else type(made.param(param.id))(param.default))


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
        assert refused(SinewError, "", slide, made, mesh, 4).code == abi.SINEW_OUT_OF_ORDER


def errors_name_code_port_parameter_and_place():
    mesh = strip()
    with slider(mesh) as made:
        points = bent(mesh, 1)
        points[7, 1] = np.nan
        error = refused(SinewError, "points", made.set_input, "points", points)
        assert (error.code, error.name, error.port, error.vertex) == (abi.SINEW_NOT_FINITE, "not_finite", "points", 7)
        error = refused(SinewError, "young", made.set_param, "young", -1.0)
        assert (error.code, error.parameter, error.port) == (abi.SINEW_OUT_OF_RANGE, "young", None)
        assert str(error).startswith("node ") and error.sentence.startswith("parameter young: -1 is not"), error.sentence
        refused(TypeError, "float16", made.set_input, "hold", np.zeros(4, np.float16))
        refused(ValueError, "rows of 3", made.set_input, "points", np.zeros((4, 2), np.float32))
        strided = np.zeros((len(points), 6), np.float32)[:, ::2]
        strided[:] = bent(mesh, 1)
        made.set_input("points", strided)
        assert made.input_is_set("points")
        made.set_input("points", None)
        assert not made.input_is_set("points")
        error = refused(SinewError, "points", made.step, 1, 0.0)
        assert str(error).startswith("frame 1, node ") and error.sentence.startswith("port points: "), (str(error), error.sentence)


def a_step_is_cancelled_and_shows_progress():
    mesh = strip()
    with slider(mesh) as made:
        heard = []
        with node.listening(made, lambda done, task: heard.append((done, task))):
            slide(made, mesh, 1)
        assert heard and all(0 <= done <= 1 for done, _ in heard)
        with node.listening(made, lambda *_: True):
            assert refused(SinewError, "", slide, made, mesh, 2).code == abi.SINEW_CANCELLED
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


def the_timeline_is_bounded_and_drops_what_no_longer_holds():
    line = timeline.Timeline(limit=1000)

    def entry(motion):
        return timeline.Entry(motion, {"uvs": np.zeros(50, np.float32)}, bytes(50))

    line.expect(b"a")
    for frame in range(1, 5):
        line.put(frame, entry(b"m%d" % frame))
    assert (line.frames(), line.used) == ([1, 2, 3, 4], 1000)
    assert line.get(1, b"m1") and line.nearest(3) == 2 and line.nearest(1) is None and line.state_before(2) == bytes(50)
    line.put(5, entry(b"m5"))
    assert (line.frames(), line.used) == ([1, 3, 4, 5], 1000), "2 was used longest ago"
    assert line.get(4, b"other") is None and line.frames() == [1, 3] and line.used == 500
    assert not line.expect(b"a") and line.expect(b"b") and line.frames() == [] and line.used == 0
    for frame in range(1, 4):
        line.put(frame, entry(b"m%d" % frame))
    line.distrust()
    assert line.frames() == [] and line.get(2, b"m2") is None and line.state_before(2) is None, "frame 1 may be another"
    assert line.get(1, b"m1", follows=False) and line.get(2, b"m2") and line.get(3, b"m3"), "they were not"
    line.limit = 10
    assert line.frames() == [3], "the last one stays"
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
            ("newer", "unsigned sinew_abi_version(void) { return 2 << 16; } const char *sinew_version_string(void) { return \"9\"; }", "has version 2.0"),
            ("older", "unsigned sinew_abi_version(void) { return (1 << 16) + 1; } const char *sinew_version_string(void) { return \"0\"; }", "has version 1.1"),
        ):
            source, made = folder / f"{name}.c", folder / f"{name}.so"
            source.write_text(code)
            subprocess.run([shutil.which("cc"), "-shared", "-fPIC", "-o", made, source], check=True)
            refused(LibraryError, part, Library, made)


def traces_tell_changes_from_round_off():
    """Of bodies of any size anywhere: one vertex that moves a thousandth of the body, all that turn or travel, rows in another order; but
    not another processor's last digit."""
    random = np.random.default_rng(1)
    shape = random.normal(size=(4001, 3))
    turn = np.array([[np.cos(0.01), np.sin(0.01), 0], [-np.sin(0.01), np.cos(0.01), 0], [0, 0, 1]])
    for scale in (0.01, 1, 100):
        for away in (0, 10, 1000):
            body = (scale * (shape + away)).astype(np.float32)
            known, one = trace.trace(body), body.copy()
            assert trace.agree(known, trace.trace(np.nextafter(body, np.float32(np.inf))))
            assert trace.agree(known, trace.trace(body * random.choice(np.float32([1 - 6e-8, 1, 1 + 6e-8]), body.shape)))
            one[1234, 1] += scale * (0.001 if away < 1000 else 0.02)
            lifted = body + np.float32([0, 0, 0.001 * scale])
            for other in (one, lifted, ((shape @ turn + away) * scale).astype(np.float32), body[::-1], body[:-1]):
                assert not trace.agree(known, trace.trace(other)), (scale, away)
    nothing = np.zeros((50, 1), np.float32)
    painted = nothing.copy()
    painted[7] = 0.01
    assert trace.agree(trace.trace(nothing), trace.trace(nothing.copy())) and not trace.agree(trace.trace(nothing), trace.trace(painted))
    assert trace.agree(trace.trace(nothing[:0]), trace.trace(nothing[:0]))
    assert not trace.all_agree({"a": trace.trace(nothing)}, {"b": trace.trace(nothing)})


for case in (
    descriptions_are_plain_data,
    states_give_what_playing_gives,
    errors_name_code_port_parameter_and_place,
    a_step_is_cancelled_and_shows_progress,
    two_nodes_step_at_the_same_time,
    the_timeline_is_bounded_and_drops_what_no_longer_holds,
    a_library_that_does_not_fit_is_refused,
    traces_tell_changes_from_round_off,
):
    case()
    print(f"{case.__name__}: ok")
