"""Sinew from Python with nothing but ctypes, as an add-on for Blender would load it.

    python3 ctypes_client.py LIBRARY        runs the client
    python3 ctypes_client.py --assertions   prints a C file that compiles only if the definitions here match the header

tests/abi.rs does both.
"""

import ctypes
import json
import math
import pathlib
import sys
from ctypes import byref, c_char_p, c_double, c_int32, c_int64, c_uint8, c_uint32, c_uint64

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "blender_addon" / "sinew"))
from abi import *


def load(path):
    library = ctypes.CDLL(path)
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    # First: is this library of our major version, and not older than the version we were written for?
    check(library, library.sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR))
    return library


class SinewError(Exception):
    def __init__(self, status, message, place):
        super().__init__(message)
        self.status, self.place = status, place


def check(library, status):
    if status != SINEW_OK:
        place = SinewPlace()
        library.sinew_last_error_place(byref(place))
        raise SinewError(status, library.sinew_last_error_message().decode(), place)


class Node:
    """A node with a context of its own; a `with` block destroys both."""

    def __init__(self, library, kind, threads=0):
        self.library, self.context, self.handle = library, SinewContext(), SinewNode()
        config = SinewContextConfig(threads=threads)
        check(library, library.sinew_context_create(byref(config), byref(self.context)))
        status = library.sinew_node_create(self.context, kind.encode(), byref(self.handle))
        try:
            check(library, status)
        except SinewError:
            self.close()
            raise

    def close(self):
        self.library.sinew_node_destroy(self.handle)
        self.library.sinew_context_destroy(self.context)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, name, *arguments):
        check(self.library, getattr(self.library, "sinew_node_" + name)(self.handle, *arguments))

    def set_array(self, port, element, components, values):
        self.call("set_array", port.encode(), byref(array(element, components, values)))


def array(element, components, values, kind=SinewArray, stride=0):
    """A view of a ctypes array."""
    count = ctypes.sizeof(values) // stride if stride else len(values) // components
    return kind(element=element, components=components, data=ctypes.addressof(values), count=count, stride=stride)


def reals(values):
    return (c_double * len(values))(*values)


def indices(values):
    return (c_uint32 * len(values))(*values)


# What the client does, and the expected results.


def enumerate_nodes(library):
    """Everything that an add-on needs to build its panel; node id -> (ports, params)."""
    nodes = {}
    for index in range(library.sinew_node_count()):
        node = SinewNodeInfo()
        check(library, library.sinew_node_info(index, byref(node)))
        ports, params = [], {}
        for k in range(node.port_count):
            port = SinewPortInfo()
            check(library, library.sinew_port_info(node.id, k, byref(port)))
            assert port.id and port.title and port.doc and port.domain, (node.id, k)
            ports.append((port.direction, port.id.decode(), port))
        for k in range(node.param_count):
            param, choices = SinewParamInfo(), []
            check(library, library.sinew_param_info(node.id, k, byref(param)))
            for c in range(param.choice_count):
                choice = SinewChoiceInfo()
                check(library, library.sinew_choice_info(node.id, k, c, byref(choice)))
                choices.append(choice.id.decode())
            params[param.id.decode()] = (param, choices)
        nodes[node.id.decode()] = (ports, params)
    return nodes


def look_at_the_skinning_node(library):
    ports, params = enumerate_nodes(library)["skinning"]
    inputs = {name: port for direction, name, port in ports if direction == SINEW_INPUT}
    outputs = [name for direction, name, _ in ports if direction == SINEW_OUTPUT]
    assert outputs == ["points"], outputs
    assert inputs["points"].components == 3 and inputs["points"].required == 1
    assert inputs["joints"].components == 16 and inputs["joints"].domain == b"joint"
    envelope = inputs["envelope_map"]
    assert (envelope.paintable, envelope.required, envelope.has_default, envelope.default_value) == (1, 0, 1, 1.0)
    assert (envelope.has_range, envelope.minimum, envelope.maximum) == (1, 0.0, 1.0)
    method, choices = params["method"]
    assert method.kind == SINEW_PARAM_CHOICE and choices[:2] == ["linear", "dual_quaternion"], choices
    assert params["normalize"][0].kind == SINEW_PARAM_BOOL
    envelope = params["envelope"][0]
    assert (envelope.kind, envelope.minimum, envelope.maximum) == (SINEW_PARAM_REAL, 0.0, 1.0)


ANGLE = 0.9
WEIGHTS = [0.0, 0.25, 0.5, 0.8, 1.0]
POINTS = [(1.2 + 0.3 * k, 0.1 * k, -0.2 * k) for k in range(len(WEIGHTS))]


def turned(point, angle):
    """The point rotated about the line through (1, 0, 0) along z."""
    x, y, z = point
    c, s = math.cos(angle), math.sin(angle)
    return (1 + c * (x - 1) - s * y, s * (x - 1) + c * y, z)


def expected(method, point, weight):
    if method == "linear":
        return tuple((1 - weight) * p + weight * q for p, q in zip(point, turned(point, ANGLE)))
    # The weighted sum of two rotations about one line, normalized, is the rotation about that line by this angle.
    half = math.atan2(weight * math.sin(ANGLE / 2), 1 - weight + weight * math.cos(ANGLE / 2))
    return turned(point, 2 * half)


def bind(node):
    """Joint 0 stays at the origin, joint 1 sits at x = 1 and turns about z; both move every vertex."""
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    origin = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    rest = [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    now = [c, -s, 0, 1, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    node.set_array("rest_joints", SINEW_F64, 16, reals(origin + rest))
    node.set_array("joints", SINEW_F64, 16, reals(origin + now))
    node.set_array("influence_counts", SINEW_U32, 1, indices([2] * len(WEIGHTS)))
    node.set_array("influence_joints", SINEW_U32, 1, indices([0, 1] * len(WEIGHTS)))
    node.set_array("influence_weights", SINEW_F64, 1, reals([v for w in WEIGHTS for v in (1 - w, w)]))


def skin(library):
    for method in ("linear", "dual_quaternion"):
        with Node(library, "skinning", threads=2) as node:
            node.call("set_space", 1.0, SINEW_UP_Z)
            node.call("set_text", b"method", method.encode())
            bind(node)

            # Double precision, in place.
            points = reals([v for p in POINTS for v in p])
            before, after = array(SINEW_F64, 3, points), array(SINEW_F64, 3, points, SinewArrayMut)
            node.call("deform", 1, 1 / 24, byref(before), byref(after))
            for k, (point, weight) in enumerate(zip(POINTS, WEIGHTS)):
                want = expected(method, point, weight)
                assert math.dist(points[3 * k : 3 * k + 3], want) < 1e-12, (method, k)

            # Single precision, every point followed by a number that must not be touched.
            mixed = (ctypes.c_float * (4 * len(POINTS)))(*[v for p in POINTS for v in (*p, 77.0)])
            before = array(SINEW_F32, 3, mixed, stride=16)
            after = array(SINEW_F32, 3, mixed, SinewArrayMut, stride=16)
            node.call("deform", 2, 2 / 24, byref(before), byref(after))
            for k, (point, weight) in enumerate(zip(POINTS, WEIGHTS)):
                want = expected(method, point, weight)
                assert math.dist(mixed[4 * k : 4 * k + 3], want) < 1e-6, (method, k)
                assert mixed[4 * k + 3] == 77.0

            # The output can be read again, and the report is text.
            count = c_uint64()
            node.call("output_count", b"points", byref(count))
            assert count.value == len(POINTS)
            needed = c_uint64()
            node.call("report", None, 0, byref(needed))
            report = (c_uint8 * needed.value)()
            node.call("report", report, needed.value, None)
            assert bytes(report).decode().startswith("{"), bytes(report)


def refused(status, part, call, *arguments):
    """The call must fail with this status and a message that contains the text; returns the error."""
    try:
        call(*arguments)
    except SinewError as error:
        assert error.status == status and part in str(error), (error.status, str(error))
        return error
    raise AssertionError(f"accepted; expected status {status}")


def read_reals(node, port, components):
    count = c_uint64()
    node.call("output_count", port.encode(), byref(count))
    values = reals([0.0] * (components * count.value))
    node.call("read_output", port.encode(), byref(array(SINEW_F64, components, values, SinewArrayMut)))
    return list(values)


def read_text(node, name, *arguments):
    """The bytes with which a call fills its buffer."""
    needed = c_uint64()
    node.call(name, *arguments, None, 0, byref(needed))
    buffer = (c_uint8 * needed.value)()
    node.call(name, *arguments, buffer, needed, None)
    return bytes(buffer).decode()


def bend_a_finger(library):
    """The node strand without a scene is a finger; the report says which muscle is which."""
    with Node(library, "strand") as node:
        node.call("set_real", b"gravity", 0.0)
        node.call("step", 1, 1 / 24)
        names = dict(json.loads(read_text(node, "report"))["names"])
        pull = [0.03 if muscle == "FDP" else 0.0 for muscle in names["muscles"]]
        node.set_array("activations", SINEW_F64, 1, reals(pull))
        for frame in range(2, 9):
            node.call("step", frame, frame / 24)
        turns = read_reals(node, "joint_turns", 3)
        assert len(turns) == 3 * len(names["joints"]) and min(turns[2::3]) > 10, turns
        assert len(read_reals(node, "body_matrices", 16)) == 16 * len(names["bodies"])
        points, counts = read_reals(node, "strand_points", 3), read_reals(node, "strand_counts", 1)
        assert len(points) == 3 * sum(counts) and len(counts) == len(names["strands"])


PENDULUM = """<strand_scene version="1">
  <body name="carrier" mode="led"/>
  <body name="rod" at="0 -0.15 0"><cuboid size="0.03 0.3 0.03"/></body>
  <joint name="hinge" parent="carrier" child="rod" at="0 0 0"><axis name="turn_z"/></joint>
</strand_scene>"""


def lead_a_pendulum(library):
    _, params = enumerate_nodes(library)["strand"]
    assert params["scene"][0].kind == SINEW_PARAM_TEXT
    with Node(library, "strand") as node:
        node.call("set_text", b"source", b"scene")
        node.call("set_text", b"scene", PENDULUM.encode())
        assert read_text(node, "get_text", b"scene") == PENDULUM
        assert read_text(node, "get_text", b"source") == "scene"
        for frame in range(1, 6):
            x = 0.02 * frame
            node.set_array("led_matrices", SINEW_F64, 16, reals([1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
            node.call("step", frame, frame / 24)
        carrier, rod = [read_reals(node, "body_matrices", 16)[k : k + 16] for k in (0, 16)]
        assert abs(carrier[3] - 0.1) < 1e-12, carrier
        # The rod hangs from the carrier and lags behind.
        assert read_reals(node, "joint_turns", 3)[2] < -1 and rod[3] < carrier[3], rod
        node.set_array("led_matrices", SINEW_F64, 16, reals([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]))
        for status, word, prepare in (
            (SINEW_DEGENERATE, "carrier", lambda: None),
            (SINEW_MISSING_FILE, "none.xml", lambda: node.call("set_text", b"scene", b"none.xml")),
        ):
            prepare()
            try:
                node.call("step", 6, 6 / 24)
                raise AssertionError("it was taken")
            except SinewError as error:
                assert error.status == status and word in str(error), error


def errors_have_a_code_a_message_and_a_place(library):
    refused(SINEW_NOT_FOUND, "no_such_node", Node, library, "no_such_node")
    newer = library.sinew_check_version(SINEW_ABI_MAJOR, 0xFFFF)
    refused(SINEW_WRONG_VERSION, "", check, library, newer)
    with Node(library, "skinning") as node:
        refused(SINEW_OUT_OF_RANGE, "envelope", node.call, "set_real", b"envelope", 2.0)
        refused(SINEW_MISSING_INPUT, "points", node.call, "step", 1, 0.0)
        error = refused(
            SINEW_NOT_FINITE, "points", node.set_array, "points", SINEW_F64, 3, reals([0, 0, 0, 0, math.nan, 0])
        )
        assert (error.place.vertex, error.place.joint) == (1, -1)


C_NAMES = {
    None: "void",
    c_char_p: "const char *",
    c_double: "double",
    c_int32: "int32_t",
    c_int64: "int64_t",
    c_uint8: "uint8_t",
    c_uint32: "uint32_t",
    c_uint64: "uint64_t",
    SinewContext: "SinewContext *",
    SinewNode: "SinewNode *",
    SinewMuscles: "SinewMuscles *",
    SinewDocument: "SinewDocument *",
    SinewJob: "SinewJob *",
}


def c_name(kind):
    if kind in C_NAMES:
        return C_NAMES[kind]
    # Otherwise it is a struct, or a pointer to something.
    return kind.__name__ if issubclass(kind, Struct) else c_name(kind._type_) + " *"


def print_assertions():
    def same(what, value):
        print(f'_Static_assert({what} == {value}, "{what}");')

    print("#include <sinew/sinew.h>")
    for name, value in globals().items():
        if name.startswith("SINEW_"):
            same(name, value)
    for kind in Struct.__subclasses__():
        name = kind.__name__
        same(f"sizeof({name})", ctypes.sizeof(kind))
        for field, _ in kind._fields_:
            there = getattr(kind, field)
            same(f"offsetof({name}, {field})", there.offset)
            same(f"sizeof((({name} *)0)->{field})", there.size)
    # A call with another number of arguments, with other pointers, or that loses bits, does not compile.
    for name, (result, *arguments) in FUNCTIONS.items():
        declared = ", ".join(f"{c_name(kind)} a{k}" for k, kind in enumerate(arguments))
        passed = ", ".join(f"a{k}" for k in range(len(arguments)))
        returns = "return " if result else ""
        print(f"{c_name(result)} call_{name}({declared or 'void'}) {{ {returns}{name}({passed}); }}")


def main(path):
    library = load(path)
    assert library.sinew_abi_version() >> 16 == SINEW_ABI_MAJOR
    look_at_the_skinning_node(library)
    skin(library)
    bend_a_finger(library)
    lead_a_pendulum(library)
    errors_have_a_code_a_message_and_a_place(library)
    print("ctypes client: ok")


if __name__ == "__main__":
    if sys.argv[1:] == ["--assertions"]:
        print_assertions()
    else:
        main(*sys.argv[1:])
