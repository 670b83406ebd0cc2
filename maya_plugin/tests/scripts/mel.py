"""The part of MEL that the scripts use: procedures of editorTemplate, python and calls, and a few commands of Maya's
interface. What it does not know fails."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

TOKEN = re.compile(r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<flag>-[A-Za-z]\w*)|(?P<name>[A-Za-z_]\w*)|"""
                   r"""(?P<variable>\$\w+)|(?P<number>\d+)|(?P<mark>[(){};,+=]))""")  # fmt: skip
#: How many arguments follow a flag of editorTemplate (Autodesk, command editorTemplate); None: all that follow.
ARGUMENTS = {
    "label": 1,
    "annotation": 1,
    "addControl": None,
    "callCustom": None,
    "beginLayout": 1,
    "collapse": 1,
    "endLayout": 0,
    "beginScrollLayout": 0,
    "endScrollLayout": 0,
    "suppress": 1,
    "addExtraControls": 0,
}


@dataclass
class Template:
    """What a template has laid out: (the titles of the frames around it, what it is, its arguments, its flags)."""

    entries: list[tuple[tuple[str, ...], str, list[str], dict[str, str]]] = field(default_factory=list)
    collapsed: dict[str, bool] = field(default_factory=dict)
    frames: list[str] = field(default_factory=list)


def tokens(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        assert match, f"not MEL: {text[at : at + 60]!r}"
        kind = match.lastgroup or ""
        found.append((kind, match.group(kind)))
        at = match.end()
    return found


def unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])


class Mel:
    def __init__(self, python: Callable[[str], None], flags: set[str]):
        self.python = python
        self.flags = flags
        self.globals = {"$gMainWindow": "MayaWindow", "$gShelfTopLevel": "MayaWindow|Shelves"}
        self.procedures: dict[str, tuple[list[str], list[list[tuple[str, str]]]]] = {}
        self.commands: list[tuple[str, list[str]]] = []
        self.template = Template()

    def eval(self, text: str) -> Any:
        result: Any = None
        for statement in self._statements(tokens(text)):
            result = self._run(statement, dict(self.globals))
        return result

    def call(self, name: str, *arguments: str) -> None:
        names, body = self.procedures[name]
        assert len(names) == len(arguments), (name, arguments)
        for statement in body:
            self._run(statement, {**self.globals, **dict(zip(names, arguments))})

    def _statements(self, found: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
        """Statements outside of procedures; procedures are defined."""
        outside: list[list[tuple[str, str]]] = []
        at = 0
        while at < len(found):
            if [text for _, text in found[at : at + 2]] == ["global", "proc"]:
                at = self._define(found, at + 2)
                continue
            end = next((i for i in range(at, len(found)) if found[i] == ("mark", ";")), len(found))
            outside.append(found[at:end])
            at = end + 1
        return outside

    def _define(self, found: list[tuple[str, str]], at: int) -> int:
        name = found[at][1]
        opened = found.index(("mark", "{"), at)
        end = found.index(("mark", "}"), opened)
        arguments = [text for kind, text in found[at:opened] if kind == "variable"]
        body: list[list[tuple[str, str]]] = [[]]
        for token in found[opened + 1 : end]:
            if token == ("mark", ";"):
                body.append([])
            else:
                body[-1].append(token)
        assert body[-1] == [], f"{name}: no semicolon at the end"
        self.procedures[name] = (arguments, body[:-1])
        return end + 1

    def _run(self, statement: list[tuple[str, str]], variables: dict[str, str]) -> Any:
        kind, first = statement[0]
        if kind == "variable":
            assert statement[1] == ("mark", "="), statement
            return variables[statement[2][1]]
        assert kind == "name", statement
        if first == "editorTemplate":
            return self._editor_template(statement[1:])
        values = _values(statement[1:], variables)
        if first == "python":
            return self.python(values[0])
        assert first in MAYAS, f"no MEL procedure {first}"
        self.commands.append((first, values))
        return None

    def _editor_template(self, found: list[tuple[str, str]]) -> None:
        flags: dict[str, list[str]] = {}
        at = 0
        while at < len(found):
            kind, text = found[at]
            name = text[1:]
            assert kind == "flag" and name in self.flags, f"editorTemplate has no flag {text}"
            count = ARGUMENTS[name]
            end = len(found) if count is None else at + 1 + count
            taken = found[at + 1 : end]
            assert count is None or len(taken) == count, (name, taken)
            assert all(kind in ("string", "number") for kind, _ in taken), (name, taken)
            flags[name] = [unquoted(text) if kind == "string" else text for kind, text in taken]
            at = end
        assert "label" not in flags or next(iter(flags)) == "label", "label must come first"
        self._lay_out(flags)

    def _lay_out(self, flags: dict[str, list[str]]) -> None:
        made = self.template
        if "beginLayout" in flags:
            made.frames.append(flags["beginLayout"][0])
            made.collapsed["/".join(made.frames)] = flags["collapse"] == ["1"]
        elif "beginScrollLayout" in flags:
            made.frames.append("")
        elif "endLayout" in flags or "endScrollLayout" in flags:
            ended = made.frames.pop()
            assert (ended == "") == ("endScrollLayout" in flags), ended
        else:
            kind = next(one for one in ("addControl", "callCustom", "suppress", "addExtraControls") if one in flags)
            texts = {one: flags[one][0] for one in ("label", "annotation") if one in flags}
            made.entries.append((tuple(one for one in made.frames if one), kind, flags[kind], texts))


#: Procedures and commands of Maya's own that are called by name.
MAYAS = ("AEdependNodeTemplate", "ArtPaintAttrTool", "artSetToolAndSelectAttr", "saveAllShelves", "source")


def _values(found: list[tuple[str, str]], variables: dict[str, str]) -> list[str]:
    """Arguments: as in a command, or in brackets with commas; texts that are joined by + are one."""
    if found and found[0] == ("mark", "("):
        assert found[-1] == ("mark", ")"), found
        found = found[1:-1]
    values: list[str] = []
    joined = False
    for kind, text in found:
        if kind == "mark":
            assert text in "+,", text
            joined = text == "+"
            continue
        value = unquoted(text) if kind == "string" else variables[text] if kind == "variable" else text
        if joined:
            values[-1] += value
            joined = False
        else:
            values.append(value)
    return values
