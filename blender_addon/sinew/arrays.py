"""Numpy arrays and meshes as the library sees them."""

from __future__ import annotations

from ctypes import POINTER, c_double, c_uint32
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import abi
from .values import error

ELEMENTS = {
    np.dtype(np.float32): abi.SINEW_F32,
    np.dtype(np.float64): abi.SINEW_F64,
    np.dtype(np.int32): abi.SINEW_I32,
    np.dtype(np.uint32): abi.SINEW_U32,
}


def array(values: ArrayLike) -> np.ndarray:
    """Values as an array."""
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as problem:
        raise error(f"no array of numbers: {problem}") from problem


def fitting(values: ArrayLike, kind: str = "reals") -> np.ndarray:
    """Numbers of a kind, "reals" or "ints", as an array that the library reads: as it is, or in the type that holds
    them."""
    found = array(values)
    if found.dtype in ELEMENTS:
        return found
    if kind == "ints":
        return whole(found, np.int32)
    if found.dtype.kind in "biuf":
        return found.astype(np.float64)
    raise error(f"an array of {found.dtype} where numbers are needed")


def whole(values: ArrayLike, dtype: Any) -> np.ndarray:
    """Whole numbers as an array of a type, into which they must fit."""
    found, limits = array(values), np.iinfo(dtype)
    if found.size and not np.can_cast(found.dtype, dtype):
        what = f"an array of {found.dtype}"
        if found.dtype.kind in "iu":
            least, most = found.min(), found.max()
            what = "" if limits.min <= least and most <= limits.max else f"numbers from {least} to {most}"
        if what:
            raise error(f"{what} where whole numbers from {limits.min} to {limits.max} are needed")
    return found.astype(dtype, copy=False)


def packed(values: ArrayLike, dtype: Any) -> np.ndarray:
    """The same, one behind the other."""
    return np.ascontiguousarray(whole(values, dtype)).ravel()


def reals(values: ArrayLike, count: int | None = None) -> Any:
    """Numbers as doubles of C; `count` is how many there must be."""
    flat = fitting(values).astype(np.float64).ravel()
    if count is not None and flat.size != count:
        raise error(f"{flat.size} numbers where {count} are needed", abi.SINEW_COUNT_MISMATCH)
    return (c_double * flat.size)(*flat)


def view(values: np.ndarray, components: int, kind: Any = abi.SinewArray) -> Any:
    """The library's view of an array of rows, to read or, with SinewArrayMut, to write. To be read, rows that overlap,
    go backwards, or whose numbers lie apart are copied; nothing else is."""
    writes = kind is abi.SinewArrayMut
    if not isinstance(values, np.ndarray) or values.dtype not in ELEMENTS:
        what = f"an array of {values.dtype}" if isinstance(values, np.ndarray) else f"a {type(values).__name__}"
        raise error(f"{what} where an array of float32, float64, int32 or uint32 is needed")
    one_row = values.ndim == 1 and components and values.size % components == 0
    rows = values.reshape(-1, components) if one_row else values
    if rows.ndim != 2 or rows.shape[1] != components:
        raise error(f"an array of shape {values.shape} where rows of {components} are needed")
    count, packed = len(rows), components * rows.itemsize
    apart = components > 1 and rows.strides[1] != rows.itemsize or count > 1 and rows.strides[0] < packed
    if writes and count:
        if not values.flags.writeable:
            raise error("a read-only array where one that can be written to is needed")
        if apart:
            raise error("an array whose rows overlap, or whose numbers lie apart, where an output is to be written")
    elif count and apart:
        rows = np.ascontiguousarray(rows)
    made = kind(element=ELEMENTS[rows.dtype], components=components, data=rows.ctypes.data if count else None)
    made.count, made.stride = count, rows.strides[0] if count > 1 else 0
    made.keep = rows
    return made


class Mesh:
    """A polygon mesh: `positions` n x 3, the size of each face, the vertex of each corner, and `uvs` per corner or
    None."""

    def __init__(
        self, positions: ArrayLike, face_sizes: ArrayLike, corner_vertices: ArrayLike, uvs: ArrayLike | None = None
    ):
        self.positions = fitting(positions)
        self.face_sizes = packed(face_sizes, np.uint32)
        self.corner_vertices = packed(corner_vertices, np.uint32)
        self.uvs = None if uvs is None else fitting(uvs)


def mesh_struct(mesh: Mesh) -> abi.SinewMesh:
    """The library's view of a Mesh."""
    sizes, corners = packed(mesh.face_sizes, np.uint32), packed(mesh.corner_vertices, np.uint32)
    positions = view(fitting(mesh.positions), 3)
    uvs = view(np.empty((0, 2), np.float32) if mesh.uvs is None else fitting(mesh.uvs), 2)
    made = abi.SinewMesh(
        positions=positions,
        face_sizes=sizes.ctypes.data_as(POINTER(c_uint32)),
        face_count=len(sizes),
        corner_vertices=corners.ctypes.data_as(POINTER(c_uint32)),
        corner_count=len(corners),
        uvs=uvs,
    )
    # What the fields hold are copies of the structs, which keep no array alive.
    made.keep = (positions, sizes, corners, uvs)
    return made
