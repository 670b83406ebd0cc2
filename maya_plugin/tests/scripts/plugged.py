"""The plug-in's commands as the scripts expect them, with the flags of the table in plugin.py's docstring."""

import functools
import json
import pathlib
import re
from typing import Any

from world import Refused, World

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def table() -> dict[str, list[str]]:
    """The flags of each command, from the table."""
    text = (SCRIPTS / "sinew_maya" / "plugin.py").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (sinew\w+) +\|[^|]*\|([^|]*)\|", text, re.MULTILINE)
    assert len(rows) >= 9, rows
    plain = {name: re.sub(r"\([^)]*\)", "", flags) for name, flags in rows}
    return {name: [one.strip() for one in flags.split(",") if one.strip()] for name, flags in plain.items()}


class PlugIn:
    """Adds the commands to a world and remembers what they were asked."""

    def __init__(self, world: World, description: str):
        self.world = world
        self.asked: list[tuple[str, tuple[str, ...], dict[str, Any]]] = []
        self.fails = ""
        self.faults: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self.description = description
        for name, flags in table().items():
            world.commands[name] = functools.partial(self._called, name, flags)

    def _called(self, name: str, known: list[str], /, *objects: str, **flags: Any) -> Any:
        assert set(flags) <= {*known, "query"}, f"{name} has no flag {sorted(set(flags) - set(known))}"
        assert all(isinstance(one, str) for one in objects), objects
        if name == "sinewDescribe":
            return self.description
        self.asked.append((name, objects, flags))
        undoable = name not in ("sinewBake", "sinewCheck", "sinewExportJob", "sinewSolve") or "uvKeys" in flags
        assert "query" in flags or self.world.open_chunks == int(undoable), (
            f"{name}: {self.world.open_chunks} chunks are open"
        )
        if self.fails:
            raise Refused(self.fails)
        return getattr(self, name)(*objects, **flags)

    def sinewCreate(self, mesh: str, type: str) -> list[str]:
        name = f"{type}{1 + sum(kind == type for kind in self.world.nodes.values())}"
        self.world.add_node(name, type, mesh)
        return [name]

    def sinewSolve(self, *nodes: str, startFrame: float = 1, endFrame: float = 12) -> int:
        return int(endFrame - startFrame) + 1

    def sinewBake(self, *nodes: str, file: str = "", uvKeys: bool = False, **flags: float) -> list[str]:
        assert bool(file) != uvKeys
        return [f"{node}_keys" for node in nodes] if uvKeys else [file]

    def sinewExportJob(self, node: str, folder: str, startFrame: float = 1, endFrame: float = 12) -> str:
        return f"{folder}/job.xml"

    def sinewImportResults(self, target: str, folder: str, onto: bool = False) -> list[str]:
        return ["results1"]

    def sinewSwitch(self, target: str, toNode: str = "body_keys") -> str:
        return toNode

    def sinewMirrorMap(self, node: str, mapName: str) -> int:
        return 12

    def sinewCopy(self, node: str, toMesh: str) -> list[str]:
        return [f"{node}_copy"]

    def sinewRemove(self, *nodes: str) -> list[str]:
        return list(nodes)

    def sinewCheck(self, *nodes: str) -> str:
        return json.dumps(self.faults)

    def sinewShow(self, node: str, outputs: str = "", query: bool = False) -> list[str]:
        return ["out_load"] if query else [f"{node}_viewShape"]

    def sinewTendon(self, *objects: str, node: str = "strand1", **flags: Any) -> list[str]:
        return [node, "The scene was edited."]

    def sinewMuscles(self, *objects: str, node: str, **flags: Any) -> list[str]:
        return self.problems if "query" in flags else [node, "The muscles were edited.", "One is short."]
