"""How the package takes what Python gives it, in plain Python: binding_core.py LIBRARY

What the library writes into, reads from, and refuses; elements of documents after edits; progress and cancelling."""

import tempfile
from ctypes import c_double

import numpy as np
from binding_support import ADDON, LIBRARY, Meanwhile, refused
from sinew import abi, arrays
from sinew.document import Document
from sinew.loader import Error
from sinew.muscles import MuscleSet, Physique, Rig
from sinew.node import Mesh, Node

SQUARE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)
STILL = np.eye(4).reshape(1, 16)
SCENE = """<strand_scene>
  <body name="bone" mode="held"/>
  <point name="tip" at="0.1 0.2 0.3" on="bone"/>
</strand_scene>
"""


def skinning(points=SQUARE, rest=STILL, joints=STILL, weights=None):
    """A node that moves points with one joint, after a step."""
    made, ones = Node("skinning", library=LIBRARY), np.ones(len(points), int)
    for port, value in (
        ("points", points),
        ("influence_counts", ones),
        ("influence_joints", 0 * ones),
        ("influence_weights", ones if weights is None else weights),
        ("rest_joints", rest),
        ("joints", joints),
    ):
        made.set_input(port, value)
    made.step(1, 0.0)
    return made


def what_cannot_be_written_is_left_alone():
    """Memory that is read-only, shared by rows or laid out otherwise is refused before anything is written."""
    with tempfile.TemporaryDirectory() as folder, skinning() as made:
        np.zeros((4, 3)).tofile(f"{folder}/zeros")
        constant, frozen, kept = bytes(96), np.zeros((4, 3)), np.zeros(12)
        frozen.flags.writeable = False
        overlapping = np.lib.stride_tricks.as_strided(kept, (4, 3), (16, 8), writeable=True)
        for target, why in (
            (np.frombuffer(constant).reshape(4, 3), "read-only"),
            (np.memmap(f"{folder}/zeros", np.float64, "r", shape=(4, 3)), "read-only"),
            (frozen, "read-only"),
            (np.broadcast_to(np.zeros(3), (4, 3)), "read-only"),
            (overlapping, "overlap"),
            (kept.reshape(4, 3)[::-1], "overlap"),
            (kept.reshape(3, 4).T, "apart"),
            (np.zeros(24)[::2], "apart"),
            (np.zeros((4, 3), np.int64), "an array of int64"),
            (np.zeros((3, 4)), "rows of 3"),
            (np.zeros(11), "rows of 3"),
            (bytearray(96), "a bytearray where an array"),
            ([[0.0] * 3] * 4, "a list where an array"),
        ):
            refused(why, made.read_into, "points", target)
            refused(why, made.run, 2, 1.0, {}, {"points": target})
        assert constant == bytes(96) and not frozen.any() and not kept.any()
        # Laid out like this, arrays are written to where they are.
        wide = np.full((8, 4), 7.0, np.float32)
        for target in (wide[::2, 1:], np.zeros((4, 3)), np.zeros(12), np.zeros(12, ">f4").astype(np.float32)):
            made.read_into("points", target)
            assert np.array_equal(target.reshape(4, 3), SQUARE), target
        wide[::2, 1:] = 7
        assert np.all(wide == 7), "what lies between the rows stays"


def variants(values):
    """The same numbers in other layouts and types."""
    last = np.zeros((len(values), 2 * values.shape[1]), values.dtype)
    last[:, ::2] = values
    return [values[::-1].copy()[::-1], np.asfortranarray(values), last[:, ::2], values.astype(">f8"), values.tolist()]


def strides_of_all_kinds_are_read_rightly():
    """Rows that overlap, go backwards or lie apart, wherever arrays are taken; all are read as their packed copies."""
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(6.0), 3)
    for points in (np.broadcast_to([1.0, 2.0, 3.0], (4, 3)), windows, *variants(SQUARE)):
        with skinning(points) as made:
            assert np.array_equal(made.read("points"), np.array(points, float)), points
    moved = np.eye(4)
    moved[0, 3] = 2
    with skinning(joints=np.broadcast_to(moved.ravel(), (1, 16)), weights=np.broadcast_to(1.0, 4)) as made:
        assert np.array_equal(made.read("points"), SQUARE + (2, 0, 0))
    corners, sizes, uvs = np.array([0, 1, 2, 0, 2, 3]), np.array([3, 3]), np.linspace(0, 1, 12).reshape(6, 2)
    with Document.new("strand_scene", library=LIBRARY) as made:
        shape = made.add(made.add(made.root, "body"), "shape")
        made.set(shape, "file", "square.obj")
        known = made.set_mesh(shape, Mesh(SQUARE, sizes, corners, uvs))
        assert known.count(b"\nf ") == 2 and known.count(b"\nv ") >= 3
        other = Mesh(SQUARE, sizes, corners, uvs)
        other.face_sizes, other.corner_vertices = np.repeat(sizes, 2)[::2], corners[::-1].copy()[::-1]
        for mesh in (
            *(Mesh(points, sizes, corners, uv) for points, uv in zip(variants(SQUARE), variants(uvs))),
            Mesh(SQUARE, np.broadcast_to(np.uint32(3), 2), corners[::-1].astype(np.uint32)[::-1], uvs),
            Mesh(SQUARE, [3, 3], corners.reshape(2, 3), uvs),
            other,
        ):
            assert made.set_mesh(shape, mesh) == known
        flat = made.set_mesh(shape, Mesh(np.broadcast_to([0.5, 0.25, 1.0], (4, 3)), sizes, corners))
        assert flat == made.set_mesh(shape, Mesh(np.tile([0.5, 0.25, 1.0], (4, 1)), sizes, corners))
        for wrong, part in (([3, 3.5], "of float64"), ([3, -1], "from -1 to 3"), ([3, 2**32 + 3], "3 to 4294967299")):
            refused(f"{part} where whole numbers from 0 to 4294967295", Mesh, SQUARE, wrong, corners)
    rest = np.tile(np.eye(4).ravel(), (2, 1))
    rest[1, 3] = 1
    texts = []
    for matrices in (rest, *variants(rest), rest.astype(np.float32)):
        with MuscleSet(library=LIBRARY) as made:
            made.add(Rig(["a", "b"], matrices), "m", ("a", "b"), size=0.1)
            texts.append(made.text())
    assert len(set(texts)) == 1 and 'name="m"' in texts[0]


def nothing_is_copied_that_need_not_be():
    wide = np.zeros((8, 5), np.float32)
    for rows, at, stride in (
        (wide[::2, 1:4], 4, 40),
        (wide[:, :3], 0, 20),
        (wide[3:4, ::-1][:, :0:-1][:, :3], None, 0),
    ):
        seen = arrays.view(rows, 3)
        assert seen.stride == stride and seen.count == len(rows)
        assert at is None or seen.data == wide.ctypes.data + at, "a view of the array itself"
    for values in (np.zeros(12), np.zeros((4, 3))):
        assert arrays.view(arrays.fitting(values), 3).data == values.ctypes.data
    for copied in (wide[::-1, :3], np.broadcast_to(wide[0, :3], (4, 3)), wide[:, ::2]):
        seen = arrays.view(copied, 3)
        assert seen.stride == 12 and not wide.ctypes.data <= seen.data < wide.ctypes.data + wide.nbytes
    # Copies live as long as the structs that point at them, whatever else is made meanwhile.
    rest = np.tile(np.eye(4), (2, 1, 1)).reshape(2, 16)
    for values, struct, name in (
        (SQUARE, arrays.mesh_struct(Mesh(SQUARE[::-1].copy()[::-1], [4], range(4))), "positions"),
        (rest, Rig(["a", "b"], np.asfortranarray(rest)).struct(), "rest_joints"),
    ):
        others = [np.full(values.shape, 7.0) for _ in range(100)]
        found = (c_double * values.size).from_address(getattr(struct, name).data)
        assert np.array_equal(np.array(found), values.ravel()) and len(others) == 100
    sizes = np.array([3], np.uint32)
    assert Mesh(SQUARE, sizes, [0, 1, 2]).face_sizes.ctypes.data == sizes.ctypes.data


def elements_are_as_the_document_is():
    with Document.parse(SCENE, library=LIBRARY) as made:
        root = made.read()
        tip, (bone,) = root.find("point", "tip"), root.elements("body")

        def is_at(*numbers):
            assert tip.numbers["at"] == list(numbers) and np.array_equal(tip.place(), numbers)
            assert [float(text) for text in tip.get("at").split()] == list(numbers) == made.numbers(tip.id, "at")
            assert np.array_equal(tip.places["at"], made.place(tip.id, "at"))

        is_at(0.1, 0.2, 0.3)
        tip.set_numbers("at", [9, 8, 7])
        is_at(9, 8, 7)
        tip.place()[:], tip.numbers["at"][:], tip.attributes["at"] = 0, [0] * 3, "0 0 0"
        is_at(9, 8, 7)
        tip.set("at", "1 2 3")
        is_at(1, 2, 3)
        axes = np.eye(4)
        axes[:3, 3] = (4, 5, 6)
        tip.set_place("at", axes)
        is_at(4, 5, 6)
        made.set(tip.id, "at", "0 1 0")
        is_at(0, 1, 0)
        made.rename(bone.id, "femur")
        assert (bone.get("name"), tip.get("on")) == ("femur", "femur"), "what names it has followed"
        axis = root.add("joint", {"name": "hip", "child": "femur"}).add("axis", {"name": "turn_x"})
        axis.set_numbers("start", 5)
        assert (axis.number("start"), axis.numbers["start"]) == (5.0, [5.0])
        assert root.find("joint", "hip").elements("axis") == [axis] and axis != tip, "elements are known again"
        made.set_space(0.01)
        assert np.array_equal(tip.place(), (0, 100, 0)) and tip.numbers["at"] == [0, 100, 0]
        made.set_space(1.0)
        text, beside = made.text(), root.children
        refused('unknown attribute "att"', root.add, "point", {"name": "bad", "att": "1"})
        refused("5 where text is needed", root.add, "point", {"name": "bad", "at": 5})
        assert made.text() == text and root.children == beside, "nothing half made is left"
        root.find("joint", "hip").remove()
        assert root.find("joint", "hip") is None and root.children == [bone, tip]
        refused("no element", lambda: axis.numbers)
        refused('line 3: point "tip": "at" has 3 numbers', tip.number, "at", code=abi.SINEW_COUNT_MISMATCH)
        refused('point "tip": "size" has no numbers', tip.number, "size", code=abi.SINEW_NOT_FOUND)
        refused('"to" is no place', tip.place, "to", code=abi.SINEW_NOT_FOUND)
        seen = made.read().walk()
        assert {e.tag for e in seen} == {"strand_scene", "body", "point"} and tip.get("name") == "tip"
    assert tip.get("name") == "tip", "what was read stays when the document is closed"
    refused("NULL", tip.set, "name", "other")


def values_that_do_not_fit_are_refused():
    """Nothing wraps around, is cut off, filled up or ignored; everything else is as it was."""
    with Document.parse(SCENE, library=LIBRARY) as made:
        body, point = made.children(made.root)
        element, text, sixteen = "a whole number from 0 to 4294967295 is needed", "where text is needed", "where 16 are"
        for part, call, *arguments in (
            (element, made.set, 2**32 + body, "name", "x"),
            (element, made.read, 2**32),
            (element, made.read, "a"),
            (element, made.read, 1.0),
            (element, made.children, -1),
            (element, made.add, body, "shape", -1),
            (element, made.mirror, -1),
            ("without NUL", made.set, body, "name", "a\0b"),
            ("in Unicode", made.set, body, "name", "a\udc80b"),
            (text, made.set, body, "name", 0.1),
            (text, made.set, body, b"name", "x"),
            (text, made.children, made.root, 5),
            (text, made.rename, body, 5),
            (text, made.save, 5),
            ("3 numbers where 16", made.set_place, point, "at", [1, 2, 3]),
            (f"20 numbers {sixteen}", made.set_place, point, "at", range(20)),
            (f"4 numbers {sixteen}", made.set_joint, "hip", np.eye(2)),
            ("numbers are needed", made.set_place, point, "at", "at"),
            ("numbers are needed", made.set_numbers, point, "at", [1, 2, None]),
            ("no array of numbers", made.set_numbers, point, "at", [1, [2, 3]]),
            ("numbers are needed", made.set_numbers, point, "at", np.ones(3) * 1j),
            ("metres", made.set_space, "metres"),
            ("a number", made.set_space, 10**400),
            ("2147483647", made.set_space, 1.0, 2**32),
        ):
            refused(part, call, *arguments)
            assert made.text() == SCENE, part
    for part, call, *arguments in (
        (text, lambda: Document.parse(5, library=LIBRARY)),
        (text, lambda: Document.load(5, library=LIBRARY)),
        (text, lambda: Document.new(5, library=LIBRARY)),
        ("threads: -1", lambda: Document.parse(SCENE, threads=-1, library=LIBRARY)),
        ("threads: 4294967297", lambda: MuscleSet(threads=2**32 + 1, library=LIBRARY)),
        ("threads: 'two'", lambda: Node("skinning", threads="two", library=LIBRARY)),
        ("at most 1024", lambda: Node("skinning", threads=2000, library=LIBRARY)),
        ("there is no node", lambda: Node(5, library=LIBRARY)),
        ("no array of numbers", Mesh, [[1, 2, 3], [4]], [], []),
    ):
        refused(part, call, *arguments)
    with MuscleSet(library=LIBRARY) as made:
        pair = Rig(["a", "b"], np.eye(16)[:2])
        refused("2 numbers where 3", made.add, pair, "m", ("a", "b"), ([0, 0], None))
        refused("from one joint to another", made.add, pair, "m", ("a",))
        refused("bulge: 'much' where a number is needed", made.physique, Physique("", "much", 1, 1, 1))
        refused("a whole number", made.mirror, -1)
        refused("up_axis: 4294967296", made.mirror_on, Rig(["a"], STILL, up_axis=2**32))
        refused("metres_per_unit: '1'", made.mirror_on, Rig(["a"], STILL, metres_per_unit="1"))


def rigs_with_other_joints_are_refused():
    rest, names = np.tile(STILL, (3, 1)), ["a", "b", "c"]
    for part, wrong in (
        ("1 parents for 3 joints", {"parents": [-1]}),
        ("4 parents for 3 joints", {"parents": [-1, 0, 1, 2]}),
        ("where whole numbers", {"parents": [-1, 0, 0.5]}),
        ("4294967296 where whole numbers", {"parents": [-1, 0, 2**32]}),
        ('"none" is chosen for the role "forearm.L"', {"chosen": {"forearm.L": "none"}}),
        ('"b" is chosen for two roles', {"chosen": {"forearm.L": "b", "hand.L": "b"}}),
        ('"elbow" is no role', {"chosen": {"elbow": "b"}}),
        ("5 where text", {"chosen": {5: "b"}}),
    ):
        refused(part, Rig(names, rest, **wrong).roles, library=LIBRARY)
    refused("5 where text", Rig(["a", "b", 5], rest).roles, library=LIBRARY)
    assert Rig(names, rest, parents=np.array([-1, 0, 1]), chosen={}).roles(library=LIBRARY)["roles"] == []


def parameters_and_ports_take_what_they_are_for():
    """Whatever was set before."""
    with Node("skin_slider", library=LIBRARY) as made:
        for first, second in ((2.0, 2), (2, 2.0), (True, 2)):
            made.set_param("substeps", 3)
            for value in (first, second, first):
                if type(value) is int:
                    made.set_param("substeps", value)
                else:
                    refused("of type int", made.set_param, "substeps", value)
        for value in (1, True, 1):
            if value is True:
                made.set_param("proxy_check", value)
            else:
                refused("of type bool", made.set_param, "proxy_check", value)
        refused("parameter substeps: 18446744073709551619", made.set_param, "substeps", 2**64 + 3)
        for value in (None, [1], 1j, object):
            refused("a bool, a number or text is needed", made.set_param, "zeta", value)
        assert (made.param("substeps"), made.param("proxy_check")) == (2, True)
        refused("port rest: array([[0., 0", made.set_input, "rest", SQUARE)
        refused("where a Mesh is needed", made.run, 1, 0.0, {"rest": SQUARE}, {})
        refused("reals, not a mesh", made.set_input, "points", Mesh(SQUARE, [4], [0, 1, 2, 3]))
        wrong = Mesh(SQUARE, [4], [0, 1, 2, 3])
        wrong.positions = SQUARE[:, :2]
        refused("node skin_slider, port rest: an array of shape (4, 2)", made.set_input, "rest", wrong)
        refused('no input port "5"', made.set_input, 5, SQUARE)
        refused("a number is needed", made.step, 1, "now")
        refused("a whole number", made.step, 0.5, 0.0)
        refused("a state of a node is needed", made.load_state, "state")
        refused("a state of a node is needed", made.load_state, None)


def documents_and_sets_are_followed_and_cancelled():
    hand = ADDON / "presets/hand/hand.xml"
    joints = np.tile(STILL, (2, 1))
    joints[1, 3] = 1
    pair = Rig(["arm_L", "hand_L"], joints)
    with MuscleSet(library=LIBRARY) as made:
        made.add(pair, "biceps_L", ("arm_L", "hand_L"), size=0.1)
        of_set = made.text()

    def results(threads, on_progress=None, on_log=None):
        """What two documents and a set are after they have been mirrored; each is closed."""
        how = {"threads": threads, "on_progress": on_progress, "on_log": on_log, "library": LIBRARY}
        for make, work in (
            (lambda: Document.load(hand, **how), lambda made: made.mirror(0)),
            (lambda: Document.load(hand, **how), lambda made: made.faults()),
            (lambda: Document.parse(of_set, **how), lambda made: made.mirror(0)),
            (
                lambda: MuscleSet(of_set, on_progress, threads=threads, on_log=on_log, library=LIBRARY),
                lambda made: made.mirror(0),
            ),
        ):
            with make() as made:
                yield made, work

    for on_progress, kind, part in (
        (lambda *_: True, Error, "stopped on request"),
        (lambda *_: [][0], IndexError, "out of range"),
    ):
        for made, work in results(1, on_progress):
            before = made.text()
            refused(part, work, made, kind=kind)
            assert made.text() == before, "it is as it was"
            made.on_progress = Meanwhile(made.cancel)
            refused("stopped on request", work, made, code=abi.SINEW_CANCELLED)
            made.on_progress.thread.join()
            assert made.text() == before
            heard = []
            made.on_progress = lambda done, task, heard=heard: heard.append((done, task))
            made.cancel()
            work(made)
            assert heard and all(0 <= done <= 1 for done, _ in heard), "a cancel of nothing is of no effect"
    texts = [[work(made) and made.text() for made, work in results(threads)] for threads in (1, 2, 0)]
    assert texts[0] == texts[1] == texts[2]
    with Document.new("muscle_set", library=LIBRARY) as made:
        attributes = {"origin": "0 0 0", "insertion": "1 0 0", "size": "0.1", "insertion_joint": "spine"}
        made.read().add("muscle", {"name": "lat_L", "origin_joint": "pelvis", **attributes})
        said = []
        made.on_log = lambda level, message: said.append(message)
        made.mirror(0)
        assert said and said == made.warnings()


for case in (
    what_cannot_be_written_is_left_alone,
    strides_of_all_kinds_are_read_rightly,
    nothing_is_copied_that_need_not_be,
    elements_are_as_the_document_is,
    values_that_do_not_fit_are_refused,
    rigs_with_other_joints_are_refused,
    parameters_and_ports_take_what_they_are_for,
    documents_and_sets_are_followed_and_cancelled,
):
    case()
    print(f"{case.__name__}: ok")
