"""The plug-in and its commands, as the scripts call them.

The one place that knows their names and flags:

| command            | objects          | flags                                                    | returns           |
|--------------------|------------------|----------------------------------------------------------|-------------------|
| sinewDescribe      |                  |                                                          | JSON              |
| sinewCreate        | meshes           | type, rest, force                                        | made nodes        |
| sinewSolve         | nodes            | startFrame, endFrame                                     | computed frames   |
| sinewBake          | nodes            | file, uvKeys, mostKeys, startFrame, endFrame             | files, made nodes |
| sinewExportJob     | a node           | folder, startFrame, endFrame                             | the job's path    |
| sinewImportResults | a mesh, a node   | folder, onto                                             | made nodes        |
| sinewSwitch        | a mesh, a node   | toNode                                                   | what is shown     |
| sinewMirrorMap     | a node           | mapName                                                  | changed vertices  |
| sinewCopy          | a node           | toMesh                                                   | made nodes        |
| sinewRemove        | nodes            |                                                          | removed nodes     |
| sinewCheck         | nodes            |                                                          | JSON              |
| sinewShow          | a node           | outputs                                                  | made views        |
| sinewTendon        | curves, joints   | node, draw, radius, addBodies, mirror, file, showCurves  | node, sentence... |
| sinewMuscles       | joints, locators | node, addMuscle, name, size, fitHuman, mirror, testRange | node, sentence... |

Flags have their long names here, which are of four letters or more (Autodesk, "Command plug-ins: Flags"). Frames that
are not given: from where the motion of the nodes or the time slider begins, to the end of the time slider. Nodes that
are not given: all, for sinewSolve and sinewCheck.

sinewDescribe: see description.py. sinewCheck: [{"node": name, "text": a sentence, "components": what to select, such as
["body.vtx[12]"]}, ...], which it has said and selected. `sinewShow -query`: the outputs that can be shown.
`sinewMuscles -query -testRange`: a sentence for each problem. sinewTendon and sinewMuscles return warnings after the
sentence, which they have displayed.

sinewDescribe, sinewSolve, sinewBake without uvKeys, sinewExportJob and sinewCheck change nothing in the scene; the
others are undoable. A command that fails displays one sentence, which is also the text of the RuntimeError that Maya
raises.
"""

import json
from functools import lru_cache
from typing import Any

from maya import cmds

from sinew_maya import description, library
from sinew_maya.problems import Problem

NAME = "sinew"


def loaded() -> bool:
    return bool(cmds.pluginInfo(NAME, query=True, loaded=True))


def require() -> None:
    """Loads the plug-in if it is not."""
    if loaded():
        return
    try:
        cmds.loadPlugin(NAME, quiet=True)
    except RuntimeError as error:
        raise Problem(
            f"The plug-in {NAME} could not be loaded. "
            + (library.fault() or "The Script Editor says why; where it does not help, install Sinew again.")
        ) from error


def has(command: str) -> bool:
    return hasattr(cmds, command)


def call(command: str, *objects: str, **flags: object) -> Any:
    """Calls a command of the plug-in. maya-stubs cannot know them, so they are looked up by name."""
    if not has(command):
        raise Problem(f"This plug-in has no {command}: install the scripts and the plug-in from the same archive.")
    return getattr(cmds, command)(*objects, **{name: value for name, value in flags.items() if value is not None})


@lru_cache(maxsize=1)
def types() -> tuple[description.NodeType, ...]:
    """The described types of nodes. They are fixed from load to unload: forget() is called with both."""
    return description.parse(call("sinewDescribe"))


def forget() -> None:
    types.cache_clear()


def type_of(node: str) -> description.NodeType | None:
    """The described type of a node; None if it is not one of ours."""
    found = cmds.nodeType(node)
    return next((one for one in types() if one.type_name == found), None)


def create(mesh: str, type_name: str) -> list[str]:
    return list(call("sinewCreate", mesh, type=type_name))


def solve(nodes: list[str], first: float | None, last: float | None) -> int:
    return int(call("sinewSolve", *nodes, startFrame=first, endFrame=last))


def bake(nodes: list[str], file: str, first: float | None, last: float | None) -> list[str]:
    return list(call("sinewBake", *nodes, file=file, startFrame=first, endFrame=last))


def bake_keys(nodes: list[str], first: float | None, last: float | None, most: int | None) -> list[str]:
    return list(call("sinewBake", *nodes, uvKeys=True, mostKeys=most, startFrame=first, endFrame=last))


def switch(target: str, to: str | None) -> str:
    return str(call("sinewSwitch", target, toNode=to))


def export_job(node: str, folder: str, first: float | None, last: float | None) -> str:
    return str(call("sinewExportJob", node, folder=folder, startFrame=first, endFrame=last))


def import_results(target: str, folder: str, onto: bool) -> list[str]:
    return list(call("sinewImportResults", target, folder=folder, onto=onto or None))


def mirror_map(node: str, attribute: str) -> int:
    return int(call("sinewMirrorMap", node, mapName=attribute))


def copy(node: str, mesh: str) -> list[str]:
    return list(call("sinewCopy", node, toMesh=mesh))


def remove(nodes: list[str]) -> list[str]:
    return list(call("sinewRemove", *nodes))


def check(nodes: list[str]) -> list[dict[str, Any]]:
    return list(json.loads(call("sinewCheck", *nodes)))


def can_show(node: str) -> list[str]:
    return list(call("sinewShow", node, query=True) or [])


def show(node: str, outputs: str) -> list[str]:
    return list(call("sinewShow", node, outputs=outputs))


def tendon(*objects: str, **flags: Any) -> list[str]:
    return list(call("sinewTendon", *objects, **flags))


def muscles(*objects: str, **flags: Any) -> list[str]:
    return list(call("sinewMuscles", *objects, **flags) or [])
