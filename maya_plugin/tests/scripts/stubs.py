"""What maya-stubs declare of maya.cmds, as checks of calls at run time: an unknown command, an unknown flag (short
names among them), a value of another type, an argument too many each fail."""

import ast
from collections.abc import Callable
from typing import Any


class Stubs:
    def __init__(self, text: str):
        self.functions = {one.name: one.args for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)}

    def flags(self, command: str) -> set[str]:
        return {one.arg for one in self.functions[command].kwonlyargs}

    def check(self, command: str, arguments: tuple[Any, ...], flags: dict[str, Any]) -> None:
        declared = self.functions[command]
        if declared.kwarg is None:
            unknown = set(flags) - self.flags(command)
            assert not unknown, f"{command} has no flag {sorted(unknown)}"
        if declared.vararg is None:
            most = len(declared.posonlyargs) + len(declared.args)
            assert len(arguments) <= most, f"{command} takes at most {most} arguments, got {arguments}"
        elif declared.vararg.annotation is not None:
            for value in arguments:
                assert accepts(value, declared.vararg.annotation, False), f"{command}: argument {value!r}"
        for value, position in zip(arguments, declared.posonlyargs):
            if position.annotation is not None:
                assert accepts(value, position.annotation, False), f"{command}: argument {value!r}"
        query = bool(flags.get("query"))
        assert not (query and flags.get("edit")), f"{command}: query and edit"
        for flag in declared.kwonlyargs:
            if flag.arg in flags and flag.annotation is not None:
                value = flags[flag.arg]
                assert accepts(value, flag.annotation, query), (
                    f"{command}: {flag.arg}={value!r}, {ast.unparse(flag.annotation)}"
                )


def accepts(value: Any, declared: ast.expr, query: bool) -> bool:
    """Whether a value is of a declared type. While querying, a flag that can be queried is True or an argument."""
    if isinstance(declared, ast.Constant):
        return value is None
    if isinstance(declared, ast.Name):
        return _plain(value, declared.id)
    assert isinstance(declared, ast.Subscript) and isinstance(declared.value, ast.Name), ast.dump(declared)
    kind, inner = declared.value.id, declared.slice
    parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
    if kind == "Queryable":
        return (query and value is True) or accepts(value, inner, query)
    if kind == "Multiuse":
        each = isinstance(value, list | tuple) and all(accepts(one, inner, query) for one in value)
        return each or accepts(value, inner, query)
    if kind == "Union":
        return any(accepts(value, one, query) for one in parts)
    if kind == "Optional":
        return value is None or accepts(value, inner, query)
    if kind == "Callable":
        # A script is a callable or a text, of which the stubs name the first only.
        return callable(value) or isinstance(value, str)
    if kind == "Tuple":
        fits = isinstance(value, tuple | list) and len(value) == len(parts)
        return fits and all(accepts(one, part, query) for one, part in zip(value, parts))
    assert kind == "List", kind
    return isinstance(value, list | tuple) and all(accepts(one, inner, query) for one in value)


def _plain(value: Any, name: str) -> bool:
    checks: dict[str, Callable[[Any], bool]] = {
        "Any": lambda one: True,
        "Unknown": lambda one: True,
        "bool": lambda one: isinstance(one, bool),
        "int": lambda one: isinstance(one, int) and not isinstance(one, bool),
        "float": lambda one: isinstance(one, int | float) and not isinstance(one, bool),
        "str": lambda one: isinstance(one, str),
    }
    return checks[name](value)
