"""A skin slider in Python with nothing but ctypes: the smallest host.

    python3 examples/python/slide.py target/release/libsinew.so

It slides the skin of a strip that bends.
"""

import ctypes
import math
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_uint32, c_uint64, c_void_p

F64, OK, RESTARTED = 2, 0, 5


class Array(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("element", c_int32),
        ("components", c_uint32),
        ("reserved", c_uint32),
        ("data", c_void_p),
        ("count", c_uint64),
        ("stride", c_uint64),
    ]


class Mesh(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("positions", Array),
        ("face_sizes", POINTER(c_uint32)),
        ("face_count", c_uint64),
        ("corner_vertices", POINTER(c_uint32)),
        ("corner_count", c_uint64),
        ("uvs", Array),
        ("corner_uvs", POINTER(c_uint32)),
    ]


class PortArray(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("port", c_char_p), ("array", POINTER(Array))]


def array(numbers, components):
    return Array(ctypes.sizeof(Array), F64, components, 0, ctypes.addressof(numbers), len(numbers) // components, 0)


def port(name, view):
    return PortArray(ctypes.sizeof(PortArray), 0, name, ctypes.pointer(view))


sinew = ctypes.CDLL(sys.argv[1])
sinew.sinew_last_error_message.restype = c_char_p


def call(name, *arguments):
    if getattr(sinew, "sinew_" + name)(*arguments) != OK:
        raise RuntimeError(sinew.sinew_last_error_message().decode())


call("check_version", 1, 2)
context, node = c_void_p(), c_void_p()
call("context_create", None, byref(context))
call("node_create", context, b"skin_slider", byref(node))

# A strip of 20 by 4 squares; the UVs are the positions at rest.
WIDE, HIGH = 20, 4
at = [(x / WIDE, y / WIDE) for y in range(HIGH + 1) for x in range(WIDE + 1)]
rest = (c_double * (3 * len(at)))(*[c for x, y in at for c in (x, y, 0.0)])
quads = [
    (v, v + 1, v + WIDE + 2, v + WIDE + 1) for y in range(HIGH) for v in range(y * (WIDE + 1), y * (WIDE + 1) + WIDE)
]
sizes = (c_uint32 * len(quads))(*[4] * len(quads))
corners = (c_uint32 * (4 * len(quads)))(*[v for quad in quads for v in quad])
uvs = (c_double * (8 * len(quads)))(*[c for quad in quads for v in quad for c in at[v]])
mesh = Mesh(ctypes.sizeof(Mesh), 0, array(rest, 3), sizes, len(sizes), corners, len(corners), array(uvs, 2), None)
call("node_set_mesh", node, b"rest", byref(mesh))
fixed = (c_double * len(at))(*[1.0 if x in (0, 1) else 0.0 for x, _ in at])
call("node_set_array", node, b"fixed", byref(array(fixed, 1)))
call("node_set_real", node, b"tie_reach", c_double(0.0))

for frame in range(1, 11):
    # The right half is stretched; the skin, held at both ends, spreads the stretch over both halves.
    stretch = 0.03 * frame
    points = (c_double * len(rest))(*[c for x, y in at for c in (x + stretch * max(x - 0.5, 0.0), y, 0.0)])
    slid, history = (c_double * len(uvs))(), c_int32()
    inputs, outputs = port(b"points", array(points, 3)), port(b"uvs", array(slid, 2))
    call(
        "node_run",
        node,
        c_int64(frame),
        c_double(frame / 24),
        byref(inputs),
        c_uint32(1),
        byref(outputs),
        c_uint32(1),
        byref(history),
    )
    assert history.value != RESTARTED
    moved = max(math.dist(slid[k : k + 2], uvs[k : k + 2]) for k in range(0, len(uvs), 2))
    print(f"frame {frame}: the texture slides by up to {moved:.4f}")

sinew.sinew_node_destroy(node)
sinew.sinew_context_destroy(context)
