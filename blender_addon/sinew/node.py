"""A node of the library: numpy arrays in and out, parameters, steps, states."""

from __future__ import annotations

import contextlib
import ctypes
import json
from collections.abc import Callable, Iterator, Mapping
from ctypes import POINTER, byref, c_char_p, c_int32, c_uint8, c_uint32, c_uint64
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import abi
from .describe import NodeKind
from .library import Library, default_library
from .loader import Error

# Gets the part that is done, from 0 to 1, and the task; stops the computation if it returns True.
OnProgress = Callable[[float, str], object]
# Gets the level and the text of a message.
OnLog = Callable[[int, str], object]

ELEMENTS = {
    np.dtype(np.float32): abi.SINEW_F32,
    np.dtype(np.float64): abi.SINEW_F64,
    np.dtype(np.int32): abi.SINEW_I32,
    np.dtype(np.uint32): abi.SINEW_U32,
}

HISTORIES = {
    abi.SINEW_HISTORY_NONE: "none",
    abi.SINEW_HISTORY_STARTED: "started",
    abi.SINEW_HISTORY_CONTINUED: "continued",
    abi.SINEW_HISTORY_SKIPPED: "skipped",
    abi.SINEW_HISTORY_REPEATED: "repeated",
    abi.SINEW_HISTORY_RESTARTED: "restarted",
    abi.SINEW_HISTORY_CARRIED: "carried",
}


def fitting(values: ArrayLike, kind: str = "reals") -> np.ndarray:
    """Numbers for a port of a kind as an array that the library reads: as it is, or in the type that holds them."""
    found = np.asarray(values)
    if found.dtype in ELEMENTS:
        return found
    if kind == "reals" and found.dtype.kind in "biuf":
        return found.astype(np.float64)
    if found.dtype.kind in "iu" and (found.size == 0 or -(2**31) <= found.min() and found.max() < 2**31):
        return found.astype(np.int32)
    raise TypeError(
        f"an array of {found.dtype} where {'numbers' if kind == 'reals' else 'whole numbers of 32 bits'} are needed"
    )


class Mesh:
    """A polygon mesh: `positions` n x 3, the size of each face, the vertex of each corner, and `uvs` per corner or
    None."""

    def __init__(
        self, positions: ArrayLike, face_sizes: ArrayLike, corner_vertices: ArrayLike, uvs: ArrayLike | None = None
    ):
        self.positions = fitting(positions)
        self.face_sizes = np.ascontiguousarray(face_sizes, np.uint32)
        self.corner_vertices = np.ascontiguousarray(corner_vertices, np.uint32)
        self.uvs = None if uvs is None else fitting(uvs)


def view(values: np.ndarray, components: int, kind: Any = abi.SinewArray) -> Any:
    """The library's view of a numpy array of rows; nothing is copied if the numbers within a row are contiguous."""
    element = ELEMENTS.get(values.dtype)
    if element is None:
        raise TypeError(f"an array of {values.dtype} where float32, float64, int32 or uint32 is needed")
    rows = values.reshape(-1, components) if values.ndim == 1 else values
    if rows.ndim != 2 or rows.shape[1] != components:
        raise ValueError(f"an array of shape {values.shape} where rows of {components} are needed")
    count = len(rows)
    if count and components > 1 and rows.strides[1] != rows.itemsize:
        if kind is abi.SinewArrayMut:
            raise ValueError("the rows of an output array must be contiguous")
        rows = np.ascontiguousarray(rows)
    made = kind(element=element, components=components, data=rows.ctypes.data if count else None, count=count)
    made.stride = rows.strides[0] if count > 1 else 0
    made.keep = rows
    return made


def given_bytes(call: Callable[..., object], room: int = 0) -> np.ndarray:
    """Calls a byte-returning function twice: first for the size, then for the bytes, into an array that is not copied.
    What fits into so much room needs one call."""
    needed = c_uint64(room)
    if room:
        buffer = np.empty(room, np.uint8)
        try:
            call(buffer.ctypes.data_as(POINTER(c_uint8)), needed, byref(needed))
            return buffer[: needed.value]
        except Error as error:
            if error.code != abi.SINEW_TOO_LARGE:
                raise
    call(None, 0, byref(needed))
    buffer = np.empty(needed.value, np.uint8)
    call(buffer.ctypes.data_as(POINTER(c_uint8)), needed, byref(needed))
    return buffer[: needed.value]


def mesh_struct(mesh: Mesh) -> abi.SinewMesh:
    """The library's view of a Mesh."""
    made = abi.SinewMesh(
        positions=view(mesh.positions, 3),
        face_sizes=mesh.face_sizes.ctypes.data_as(POINTER(c_uint32)),
        face_count=len(mesh.face_sizes),
        corner_vertices=mesh.corner_vertices.ctypes.data_as(POINTER(c_uint32)),
        corner_count=len(mesh.corner_vertices),
        uvs=abi.SinewArray(element=abi.SINEW_F32, components=2) if mesh.uvs is None else view(mesh.uvs, 2),
    )
    made.keep = mesh
    return made


# The level of messages that are warnings; those of information have 2.
WARNING = 1


class Node:
    """A node of the library by its id, such as "skin_slider". `close` it, or use it in a `with` block.

    Arrays and meshes are in the unit and axes that are given here, or by `set_space`: metres with y up unless said
    otherwise. Parameters are in the unit that their description states. `threads` is 0 for one per core; results do not
    depend on it.

    `on_progress(done, task)` is called during steps, from any thread, and stops the step if it returns True;
    `on_log(level, message)` gets warnings and information."""

    def __init__(
        self,
        kind: str | NodeKind,
        metres_per_unit: float = 1.0,
        up_axis: int = abi.SINEW_UP_Y,
        threads: int = 0,
        on_progress: OnProgress | None = None,
        on_log: OnLog | None = None,
        *,
        library: Library | None = None,
    ):
        self.library = library = library or default_library()
        if isinstance(kind, str):
            if kind not in library.kinds:
                raise Error(f'there is no node "{kind}": there are {", ".join(library.kinds)}')
            kind = library.kinds[kind]
        self.kind = kind
        self.on_progress, self.on_log = on_progress, on_log
        self.context, self.handle = abi.SinewContext(), abi.SinewNode()
        self._callbacks = abi.SinewNodeCallbacks(
            id=0, log=abi.NODE_LOG(self._log), progress=abi.NODE_PROGRESS(self._progress)
        )
        # What parameters are set to, as far as it is known.
        self._params: dict[str, bool | int | float | str] = {}
        config = abi.SinewContextConfig(threads=threads)
        library.call("context_create", byref(config), byref(self.context))
        try:
            library.call("node_create", self.context, kind.id.encode(), byref(self.handle))
            self._call("set_callbacks", byref(self._callbacks))
            self.set_space(metres_per_unit, up_axis)
        except BaseException:
            self.close()
            raise

    def _log(self, _user, _id, level, message):
        if self.on_log:
            self.on_log(level, message.decode("utf-8", "replace"))

    def _progress(self, _user, _id, done, task):
        return 1 if self.on_progress and self.on_progress(done, task.decode("utf-8", "replace")) else 0

    def close(self) -> None:
        """Destroys the node; it may be called again."""
        self.library.raw.sinew_node_destroy(self.handle)
        self.library.raw.sinew_context_destroy(self.context)
        self.context, self.handle = abi.SinewContext(), abi.SinewNode()

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, name, *arguments, port=None, parameter=None):
        self.library.call("node_" + name, self.handle, *arguments, port=port, parameter=parameter)

    def _bytes(self, name, *arguments, parameter=None):
        return given_bytes(lambda *buffer: self._call(name, *arguments, *buffer, parameter=parameter))

    # What the host is like.

    def set_space(self, metres_per_unit: float, up_axis: int = abi.SINEW_UP_Y) -> None:
        """The unit of length and the up axis of everything that is set and read from now on."""
        self._call("set_space", metres_per_unit, up_axis)

    def set_start(self, seconds: float | None) -> None:
        """When the motion begins; None leaves it to the first step."""
        self._call("set_start", 0 if seconds is None else 1, seconds or 0.0)

    def set_restart(self, allowed: bool) -> None:
        """Whether a step without a state to continue from restarts, or is refused (out_of_order)."""
        self._call("set_restart", int(allowed))

    def set_lean(self, lean: bool) -> None:
        """Whether steps continue from lean states only, so that continuing from loaded ones gives the same bits."""
        self._call("set_lean", int(lean))

    # Inputs and parameters.

    def set_input(self, port: str, value: ArrayLike | Mesh | None) -> None:
        """Sets an input port from an array of rows, a Mesh, or None, which empties it."""
        name = port.encode()
        if value is None:
            self._call("clear_input", name, port=port)
        elif isinstance(value, Mesh):
            self._call("set_mesh", name, byref(mesh_struct(value)), port=port)
        else:
            self._call("set_array", name, byref(self._view(self.kind.input(port), value, abi.SinewArray)), port=port)

    def _view(self, port, values, kind):
        """The library's view of what is set to a port, or of what an output is read into."""
        try:
            return view(fitting(values, port.kind) if kind is abi.SinewArray else values, port.components, kind)
        except (TypeError, ValueError) as problem:
            message = f"node {self.kind.id}, port {port.id}: {problem}"
            raise Error(message, abi.SINEW_WRONG_TYPE, "wrong_type", port=port.id) from problem

    def input_is_set(self, port: str) -> bool:
        """Whether an input port has something."""
        is_set = c_int32()
        self._call("input_is_set", port.encode(), byref(is_set), port=port)
        return bool(is_set.value)

    def set_param(self, name: str, value: bool | int | float | str | np.generic) -> None:
        """Sets a parameter: bool, int, float, or text (also the id of a choice)."""
        value = value.item() if isinstance(value, np.generic) else value
        if name in self._params and self._params[name] == value:
            return
        self._params.pop(name, None)
        found = {bool: "set_bool", int: "set_int", float: "set_real", str: "set_text"}.get(type(value))
        if found is None:
            message = (
                f"node {self.kind.id}, parameter {name}: a {type(value).__name__} where a bool, a number or text is "
                f"needed"
            )
            raise Error(message, abi.SINEW_WRONG_TYPE, "wrong_type", parameter=name)
        self._call(found, name.encode(), value.encode() if isinstance(value, str) else value, parameter=name)
        self._params[name] = value

    def param(self, name: str) -> bool | int | float | str:
        """A parameter as its kind's Python value."""
        kind = self.kind.param(name).kind
        if kind in ("choice", "text"):
            return self._bytes("get_text", name.encode(), parameter=name).tobytes().decode()
        value = ctypes.c_double()
        self._call("get_number", name.encode(), byref(value), parameter=name)
        return {"bool": bool, "int": int, "real": float}[kind](value.value)

    # Steps and what they give.

    def step(self, frame: int, seconds: float) -> str:
        """Computes a frame and returns how it continued the one before (a value of HISTORIES)."""
        self._call("step", frame, seconds)
        return self.history()

    def run(
        self, frame: int, seconds: float, inputs: Mapping[str, ArrayLike], outputs: Mapping[str, np.ndarray]
    ) -> str:
        """A frame in one call: `inputs` and `outputs` are dicts of arrays by port; those of the outputs are filled. On
        an error inputs and outputs stay as they were. Gives the same as `step`."""
        given = self._ports(inputs, self.kind.input, abi.SinewArray, abi.SinewPortArray)
        wanted = self._ports(outputs, self.kind.output, abi.SinewArrayMut, abi.SinewPortArrayMut)
        history = c_int32()
        self._call("run", frame, seconds, given, len(given), wanted, len(wanted), byref(history))
        return HISTORIES[history.value]

    def _ports(self, arrays, port_of, array_kind, pair_kind):
        made = (pair_kind * len(arrays))()
        made.keep = []
        for place, (port, values) in zip(made, arrays.items()):
            array, name = self._view(port_of(port), values, array_kind), c_char_p(port.encode())
            made.keep.append((array, name))
            place.struct_size, place.port, place.array = ctypes.sizeof(pair_kind), name, ctypes.pointer(array)
        return made

    def history(self) -> str:
        """How the last good step continued the one before: a value of HISTORIES."""
        history = c_int32()
        self._call("history", byref(history))
        return HISTORIES[history.value]

    def output_count(self, port: str) -> int:
        """The number of rows of an output."""
        count = c_uint64()
        self._call("output_count", port.encode(), byref(count), port=port)
        return count.value

    def expected_count(self, port: str) -> int:
        """The number of rows that an output will have after a step with the inputs and parameters as they are now."""
        count = c_uint64()
        self._call("expected_count", port.encode(), byref(count), port=port)
        return count.value

    def empty(self, port: str, dtype: DTypeLike | None = None) -> np.ndarray:
        """An array for an output of the next step, to be filled by `run`; as for `read`."""
        return self._rows(port, self.expected_count(port), dtype)

    def _rows(self, port, count, dtype):
        known = self.kind.output(port)
        return np.empty((count, known.components), dtype or (np.int32 if known.kind == "ints" else np.float32))

    def read(self, port: str, dtype: DTypeLike | None = None) -> np.ndarray:
        """An output of the last good step: an array of rows, of int32 if the port holds ints, otherwise of float32,
        unless said otherwise."""
        values = self._rows(port, self.output_count(port), dtype)
        self.read_into(port, values)
        return values

    def read_mesh(self, mesh: str, dtype: DTypeLike = np.float32) -> Mesh:
        """A mesh that the node makes, such as the muscles of muscle_skin, as it was after the last good step."""
        made = self.kind.mesh(mesh)
        if not made.points:
            raise Error(
                f"node {self.kind.id} does not make the mesh {mesh}: the host has it", abi.SINEW_NOT_FOUND, "not_found"
            )
        return Mesh(
            self.read(made.points, dtype), self.read(made.face_sizes).ravel(), self.read(made.face_vertices).ravel()
        )

    def read_into(self, port: str, values: np.ndarray) -> None:
        """An output of the last good step into an array that is there."""
        array = self._view(self.kind.output(port), values, abi.SinewArrayMut)
        self._call("read_output", port.encode(), byref(array), port=port)

    def report(self) -> dict[str, Any]:
        """The report of the last good step as plain data; {} where there is none."""
        return json.loads(self._bytes("report").tobytes())

    def cancel(self) -> None:
        """Stops the step that runs in another thread."""
        self._call("cancel")

    # States.

    def reset(self) -> None:
        """Forgets the frames so far: the next step starts."""
        self._call("reset")

    def save_state(self) -> np.ndarray:
        """Parameters, outputs and all that the node carries from frame to frame, but not its inputs, as bytes."""
        return self._bytes("save_state")

    def save_lean_state(self) -> np.ndarray:
        """What the next frame needs of this one, as bytes."""
        return self._bytes("save_lean_state")

    def load_state(self, state: np.ndarray | bytes) -> None:
        """Goes back to a state: what `save_state` or `save_lean_state` gave, or its bytes."""
        self._params.clear()
        buffer = np.frombuffer(state, np.uint8)
        self._call("load_state", buffer.ctypes.data_as(POINTER(c_uint8)), len(buffer))


@contextlib.contextmanager
def listening(node: Node, on_progress: OnProgress | None) -> Iterator[Node]:
    """Sends the node's step progress to `on_progress` within a `with` block."""
    before, node.on_progress = node.on_progress, on_progress
    try:
        yield node
    finally:
        node.on_progress = before
