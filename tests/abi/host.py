"""Shared by the cases of hosts.py: a context with many nodes, sheets of skin, and short names for calls."""

import math
import os
from ctypes import byref, c_int32, c_uint8, c_uint64

import ctypes_client as sinew
from ctypes_client import SINEW_F64, Node, SinewArray, SinewArrayMut, array, check, indices, reals

OUT_OF_RANGE, COUNT_MISMATCH, UNSUPPORTED, CANCELLED, MISSING_INPUT, BUSY, OUT_OF_ORDER = 4, 5, 10, 13, 17, 18, 19
STARTED, CONTINUED, SKIPPED, REPEATED, RESTARTED, CARRIED = 1, 2, 3, 4, 5, 6
ON_CALLING_THREAD = 1
# Whether figures that depend on the machine are asserted as well.
STRICT = os.environ.get("SINEW_STRICT") == "1"


class Host:
    """One context, many nodes."""

    def __init__(self, library, threads=0, flags=0, log=None, progress=None):
        self.library, self.context, self.nodes = library, sinew.SinewContext(), []
        config = sinew.SinewContextConfig(threads=threads, flags=flags)
        self.callbacks = []
        if log:
            config.log = self.keep(sinew.LOG(log))
        if progress:
            config.progress = self.keep(sinew.PROGRESS(progress))
        check(library, library.sinew_context_create(byref(config), byref(self.context)))

    def keep(self, callback):
        self.callbacks.append(callback)
        return callback

    def node(self, kind):
        node = Node.__new__(Node)
        node.library, node.context, node.handle = self.library, sinew.SinewContext(), sinew.SinewNode()
        check(self.library, self.library.sinew_node_create(self.context, kind.encode(), byref(node.handle)))
        self.nodes.append(node)
        return node

    def close(self):
        for node in self.nodes:
            self.library.sinew_node_destroy(node.handle)
        self.library.sinew_context_destroy(self.context)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Sheet:
    """A square sheet of side**2 vertices with UVs, 1 m wide."""

    def __init__(self, side):
        self.side = side
        at = [(x / (side - 1), y / (side - 1)) for y in range(side) for x in range(side)]
        self.points = reals([c for x, y in at for c in (x, 0.02 * math.sin(9 * x) * math.cos(7 * y), y)])
        quads = [
            (y * side + x, y * side + x + side, y * side + x + side + 1, y * side + x + 1)
            for y in range(side - 1)
            for x in range(side - 1)
        ]
        self.sizes = indices([4] * len(quads))
        self.corners = indices([v for quad in quads for v in quad])
        self.uvs = reals([c for quad in quads for v in quad for c in at[v]])

    def mesh(self):
        corners = len(self.corners)
        return sinew.SinewMesh(
            positions=array(SINEW_F64, 3, self.points),
            face_sizes=self.sizes,
            face_count=len(self.sizes),
            corner_vertices=self.corners,
            corner_count=corners,
            uvs=array(SINEW_F64, 2, self.uvs),
        )

    def moved(self, frame):
        """The sheet, carried along x and bent."""
        out = reals(self.points)
        for k in range(0, len(out), 3):
            x, z = self.points[k], self.points[k + 2]
            out[k] += 0.01 * frame
            out[k + 1] += 0.01 * frame * math.sin(5 * x) * z
        return out


class Ring(Sheet):
    """A ring without borders, whose solver reuses its factors for many frames."""

    def __init__(self, side):
        self.side = side
        grid = [(x, y) for y in range(side) for x in range(side)]
        around = [(math.cos(2 * math.pi * k / side), math.sin(2 * math.pi * k / side)) for k in range(side)]
        wide = [0.5 + 0.15 * around[y][0] for _, y in grid]
        self.points = reals(
            [c for w, (x, y) in zip(wide, grid) for c in (w * around[x][0], 0.15 * around[y][1], w * around[x][1])]
        )
        at = lambda x, y: y % side * side + x % side
        quads = [(at(x, y), at(x, y + 1), at(x + 1, y + 1), at(x + 1, y)) for x, y in grid]
        self.sizes = indices([4] * len(quads))
        self.corners = indices([v for quad in quads for v in quad])
        self.uvs = reals([c / side for quad in quads for v in quad for c in (v % side, v // side)])


def slider(host, sheet, **params):
    node = host.node("skin_slider")
    mesh = sheet.mesh()
    node.call("set_mesh", b"rest", byref(mesh))
    for name, value in params.items():
        put(node, name, value)
    return node


def put(node, name, value):
    node.call("set_text", name.encode(), str(value).encode())


def history(node):
    value = c_int32()
    node.call("history", byref(value))
    return value.value


def uvs(node):
    return bytes(reals(sinew.read_reals(node, "uvs", 2)))


def play(node, sheet, frame, seconds=None):
    node.set_array("points", SINEW_F64, 3, sheet.moved(frame))
    node.call("step", frame, frame / 24 if seconds is None else seconds)
    return history(node)


def run(node, sheet, frame, room=None):
    """A frame in one call, with room for the given number of UVs."""
    points, out = sheet.moved(frame), reals([0.0] * (2 * (room or len(sheet.corners))))
    given, wanted = array(SINEW_F64, 3, points), array(SINEW_F64, 2, out, SinewArrayMut)
    inputs = sinew.SinewPortArray(port=b"points", array=sinew.POINTER(SinewArray)(given))
    outputs = sinew.SinewPortArrayMut(port=b"uvs", array=sinew.POINTER(SinewArrayMut)(wanted))
    how = c_int32()
    node.call("run", frame, frame / 24, byref(inputs), 1, byref(outputs), 1, byref(how))
    return bytes(out), how.value


def bytes_of(node, name):
    """A saved state."""
    needed = c_uint64()
    node.call(name, None, 0, byref(needed))
    buffer = (c_uint8 * needed.value)()
    node.call(name, buffer, needed.value, None)
    return buffer


def refused(status, part, call, *arguments):
    return sinew.refused(status, part, call, *arguments)
