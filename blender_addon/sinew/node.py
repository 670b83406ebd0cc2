"""A node of the library: numpy arrays in and out, parameters, steps, states."""

from __future__ import annotations

import contextlib
import ctypes
import json
from collections.abc import Iterator, Mapping
from ctypes import POINTER, byref, c_char_p, c_int32, c_uint8, c_uint64
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import abi
from .arrays import Mesh, fitting, mesh_struct, view
from .describe import NodeKind
from .handle import Handle, OnLog, OnProgress
from .library import Library
from .loader import Error
from .values import error, unexpected

HISTORIES = {
    abi.SINEW_HISTORY_NONE: "none",
    abi.SINEW_HISTORY_STARTED: "started",
    abi.SINEW_HISTORY_CONTINUED: "continued",
    abi.SINEW_HISTORY_SKIPPED: "skipped",
    abi.SINEW_HISTORY_REPEATED: "repeated",
    abi.SINEW_HISTORY_RESTARTED: "restarted",
    abi.SINEW_HISTORY_CARRIED: "carried",
}


# The level of messages that are warnings; those of information have 2.
WARNING = 1


class Node(Handle):
    """A node of the library by its id, such as "skin_slider". `close` it, or use it in a `with` block.

    Arrays and meshes are in the unit and axes that are given here, or by `set_space`: metres with y up unless said
    otherwise. Parameters are in the unit that their description states. `threads` is 0 for one per core; results do not
    depend on it.

    `on_progress(done, task)` is called during steps, from any thread, and stops the step if it returns True;
    `on_log(level, message)` gets warnings and information."""

    _kind = "node"

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
        super().__init__(abi.SinewNode(), library, on_progress, on_log)
        if not isinstance(kind, NodeKind):
            if kind not in self.library.kinds:
                message = f'there is no node "{kind}": there are {", ".join(self.library.kinds)}'
                raise error(message, abi.SINEW_NOT_FOUND)
            kind = self.library.kinds[kind]
        self.kind = kind
        # What parameters are set to, as far as it is known.
        self._params: dict[str, bool | int | float | str] = {}
        with self._context(threads) as context:
            self.library.call("node_create", context, kind.id, byref(self.handle))
            self.set_space(metres_per_unit, up_axis)

    # What the host is like.

    def set_space(self, metres_per_unit: float, up_axis: int = abi.SINEW_UP_Y) -> None:
        """The unit of length and the up axis of everything that is set and read from now on."""
        self._call("set_space", metres_per_unit, up_axis)

    def set_start(self, seconds: float | None) -> None:
        """When the motion begins; None leaves it to the first step."""
        self._call("set_start", seconds is not None, 0.0 if seconds is None else seconds)

    def set_restart(self, allowed: bool) -> None:
        """Whether a step without a state to continue from restarts, or is refused (out_of_order)."""
        self._call("set_restart", bool(allowed))

    def set_lean(self, lean: bool) -> None:
        """Whether steps continue from lean states only, so that continuing from loaded ones gives the same bits."""
        self._call("set_lean", bool(lean))

    # Inputs and parameters.

    def set_input(self, port: str, value: ArrayLike | Mesh | None) -> None:
        """Sets an input port from an array of rows, a Mesh, or None, which empties it."""
        if value is None:
            self._call("clear_input", port, port=port)
        elif isinstance(value, Mesh):
            with self._at(port=port):
                made = mesh_struct(value)
            self._call("set_mesh", port, byref(made), port=port)
        else:
            self._call("set_array", port, byref(self._view(self.kind.input(port), value, abi.SinewArray)), port=port)

    def _view(self, port, values, kind):
        """The library's view of what is set to a port, or of what an output is read into."""
        with self._at(port=port.id):
            if port.kind == "mesh":
                raise unexpected(values, "a Mesh")
            return view(fitting(values, port.kind) if kind is abi.SinewArray else values, port.components, kind)

    @contextlib.contextmanager
    def _at(self, **place):
        """Says of an Error which port or parameter it is about."""
        try:
            yield
        except Error as problem:
            ((what, name),) = place.items()
            raise error(f"node {self.kind.id}, {what} {name}: {problem}", problem.code or 0, **place) from None

    def input_is_set(self, port: str) -> bool:
        """Whether an input port has something."""
        is_set = c_int32()
        self._call("input_is_set", port, byref(is_set), port=port)
        return bool(is_set.value)

    def set_param(self, name: str, value: bool | int | float | str | np.generic) -> None:
        """Sets a parameter: bool, int, float, or text (also the id of a choice)."""
        value = value.item() if isinstance(value, np.generic) else value
        # 2 and 2.0, and 1 and True, are equal, but not all of them are right.
        if name in self._params and type(value) is type(self._params[name]) and value == self._params[name]:
            return
        self._params.pop(name, None)
        setter = {bool: "set_bool", int: "set_int", float: "set_real", str: "set_text"}.get(type(value))
        if setter is None:
            with self._at(parameter=name):
                raise unexpected(value, "a bool, a number or text")
        self._call(setter, name, value, parameter=name)
        self._params[name] = value

    def param(self, name: str) -> bool | int | float | str:
        """A parameter as its kind's Python value."""
        kind = self.kind.param(name).kind
        if kind in ("choice", "text"):
            return self._text("get_text", name, parameter=name)
        value = ctypes.c_double()
        self._call("get_number", name, byref(value), parameter=name)
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

    def want_output(self, port: str, wanted: bool) -> None:
        """Whether an output will be read after the next steps: one that will not may stay empty, which saves its
        time."""
        self._call("want_output", port, int(wanted), port=port)

    def output_count(self, port: str) -> int:
        """The number of rows of an output."""
        count = c_uint64()
        self._call("output_count", port, byref(count), port=port)
        return count.value

    def expected_count(self, port: str) -> int:
        """The number of rows that an output will have after a step with the inputs and parameters as they are now."""
        count = c_uint64()
        self._call("expected_count", port, byref(count), port=port)
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
            message = f"node {self.kind.id} does not make the mesh {mesh}: the host has it"
            raise error(message, abi.SINEW_NOT_FOUND)
        return Mesh(
            self.read(made.points, dtype), self.read(made.face_sizes).ravel(), self.read(made.face_vertices).ravel()
        )

    def read_into(self, port: str, values: np.ndarray) -> None:
        """An output of the last good step into an array that is there."""
        array = self._view(self.kind.output(port), values, abi.SinewArrayMut)
        self._call("read_output", port, byref(array), port=port)

    def report(self) -> dict[str, Any]:
        """The report of the last good step as plain data; {} where there is none."""
        return json.loads(self._text("report"))

    # States.

    def reset(self) -> None:
        """Forgets the frames so far: the next step starts."""
        self._call("reset")

    def save_state(self) -> np.ndarray:
        """Parameters, outputs and all that the node carries from frame to frame, but not its inputs, as bytes."""
        return self._data("save_state")

    def save_lean_state(self) -> np.ndarray:
        """What the next frame needs of this one, as bytes."""
        return self._data("save_lean_state")

    def load_state(self, state: np.ndarray | bytes) -> None:
        """Goes back to a state: what `save_state` or `save_lean_state` gave, or its bytes."""
        try:
            buffer = np.frombuffer(state, np.uint8)
        except (TypeError, ValueError, BufferError) as problem:
            raise unexpected(state, "a state of a node") from problem
        self._params.clear()
        self._call("load_state", buffer.ctypes.data_as(POINTER(c_uint8)), len(buffer))


@contextlib.contextmanager
def listening(node: Node, on_progress: OnProgress | None) -> Iterator[Node]:
    """Sends the node's step progress to `on_progress` within a `with` block."""
    before, node.on_progress = node.on_progress, on_progress
    try:
        yield node
    finally:
        node.on_progress = before
