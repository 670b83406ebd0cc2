"""Drawing tendons and making muscles: what is selected in Maya becomes parts of the document that a node holds.

The commands sinewTendon and sinewMuscles do the work, and say what they did as their second result.
"""

from typing import Any

from maya import cmds

from sinew_maya import dialogs, plugin, scene
from sinew_maya.problems import Problem, inform, tell

STRANDS, MUSCLES = "sinewStrand", "sinewMuscleSkin"


def _node(type_name: str) -> str:
    """The selected node of a type, else the one that there is; empty if there is none."""
    for found in (scene.nodes(), scene.all_nodes()):
        fitting = [name for name in found if cmds.nodeType(name) == type_name]
        if fitting:
            return dialogs.one_of("Which Node", [(name, name) for name in fitting])
    return ""


def _done(result: list[str]) -> list[str]:
    """Says what was done; the command has displayed its warnings itself."""
    if len(result) > 1:
        inform(result[1])
    return result


def _tendon(*objects: str, **flags: Any) -> list[str]:
    """On the node of strands; the command makes one where there is none."""
    return _done(plugin.tendon(*objects, node=_node(STRANDS) or None, **flags))


def bodies_from_joints(lead: str = "roots") -> list[str]:
    """`lead`: which joints lead their bodies, "roots", "all" or "none"; tendons move the others."""
    return _tendon(*scene.joints(), addBodies=lead)


def draw_tendons(radius: float | None = None) -> list[str]:
    """A tendon along each selected curve, whose CVs are carried by the nearest bodies."""
    return _tendon(*scene.curves(), draw=True, radius=radius)


def _existing(type_name: str, otherwise: str) -> str:
    node = _node(type_name)
    if not node:
        raise Problem(otherwise)
    return node


def _strands() -> str:
    return _existing(STRANDS, "There are no tendons in this scene yet: draw one on a curve first.")


def mirror_tendons(axis: str = "x") -> list[str]:
    return _done(plugin.tendon(node=_strands(), mirror=axis))


def save_tendons(file: str = "") -> list[str]:
    """The document goes into a file, which the node reads from then on."""
    node = _strands()
    return _done(plugin.tendon(node=node, file=file or dialogs.new_file("Save Tendons", "Scene (*.xml)")))


def tendon_curves() -> list[str]:
    """Curve shapes that follow the tendons, for what is drawn or scattered along them."""
    return _done(plugin.tendon(node=_strands(), showCurves=True))


def _muscle_skin() -> str:
    return _existing(MUSCLES, "There is no muscle skin in this scene yet: select the body and choose Add Muscle Skin.")


def add_muscle_skin() -> list[str]:
    """The deformer that muscles belong to, on each selected mesh."""
    made = [name for mesh in scene.meshes() for name in plugin.create(mesh, MUSCLES)]
    cmds.select(*made, replace=True)
    return made


def add_muscle(name: str = "", size: float | None = None) -> list[str]:
    """From the first selected joint to the second; between two locators, if those are selected, too."""
    objects = [*scene.joints(), *scene.locators()]
    return _done(plugin.muscles(*objects, node=_muscle_skin(), addMuscle=True, name=name or None, size=size))


def fit_muscles() -> list[str]:
    return _done(plugin.muscles(node=_muscle_skin(), fitHuman=True))


def mirror_muscles() -> list[str]:
    return _done(plugin.muscles(node=_muscle_skin(), mirror=True))


def test_range() -> list[str]:
    """Turns each joint through its range and says what goes wrong; nothing is changed."""
    problems = plugin.muscles(node=_muscle_skin(), query=True, testRange=True)
    for one in problems:
        tell(one)
    if not problems:
        inform("All muscles hold through the whole range of motion.")
    return problems
