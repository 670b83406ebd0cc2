"""What callers give, as the library takes it: what ctypes would cut off, wrap around, or refuse in words of its own, is
an Error here."""

from __future__ import annotations

import operator
import os
import reprlib
from ctypes import c_char_p, c_double, c_int32, c_int64, c_uint32, c_uint64
from numbers import Real
from typing import Any

from . import abi
from .loader import Error

STATUS_NAMES = {value: name[len("SINEW_") :].lower() for name, value in vars(abi).items() if name in abi.STATUSES}
WHOLE = {
    c_int32: (-(2**31), 2**31 - 1),
    c_uint32: (0, 2**32 - 1),
    c_int64: (-(2**63), 2**63 - 1),
    c_uint64: (0, 2**64 - 1),
}


def error(
    message: str, code: int = abi.SINEW_WRONG_TYPE, port: str | None = None, parameter: str | None = None
) -> Error:
    """An Error as the library reports it."""
    return Error(message, code, STATUS_NAMES.get(code, f"error {code}"), port, parameter)


def given(value: Any, kind: Any) -> Any:
    """A value for an argument or field of a type of the interface; what is neither text nor a number stays as it is."""
    if kind in WHOLE:
        least, most = WHOLE[kind]
        expected = f"a whole number from {least} to {most}"
        try:
            found = operator.index(value)
        except TypeError:
            raise unexpected(value, expected) from None
        if not least <= found <= most:
            raise unexpected(value, expected, abi.SINEW_OUT_OF_RANGE)
        return found
    if kind is c_double:
        try:
            if isinstance(value, Real):
                return float(value)
        except OverflowError:
            pass
        raise unexpected(value, "a number")
    if kind is c_char_p and value is not None:
        if not isinstance(value, str):
            raise unexpected(value, "text")
        try:
            if "\0" not in value:
                return value.encode()
        except UnicodeEncodeError:
            pass
        raise unexpected(value, "text in Unicode and without NUL", abi.SINEW_INVALID_ARGUMENT)
    return value


def path_text(path: Any) -> Any:
    """The name of a file as text; what is no path stays as it is."""
    return os.fspath(path) if isinstance(path, os.PathLike) else path


def unexpected(value: Any, expected: str, code: int = abi.SINEW_WRONG_TYPE) -> Error:
    """The Error for a value in place of what is expected."""
    return error(f"{reprlib.repr(value)} where {expected} is needed", code)


def struct(kind: type[abi.Struct], **fields: Any) -> Any:
    """A struct of the interface with checked fields."""
    kinds = {field[0]: field[1] for field in kind._fields_}
    for name, value in fields.items():
        try:
            fields[name] = given(value, kinds[name])
        except Error as problem:
            raise error(f"{name}: {problem}", problem.code or 0) from None
    return kind(**fields)
