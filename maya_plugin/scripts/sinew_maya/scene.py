"""What is selected, and which of our nodes belong to it."""

from collections.abc import Callable
from dataclasses import dataclass

from maya import cmds

from sinew_maya import plugin


def meshes() -> list[str]:
    """The transforms of the selected meshes, in the order of selection; a selected component counts as its mesh."""
    found: list[str] = []
    for name in cmds.ls(selection=True, objectsOnly=True, long=True):
        kind = cmds.nodeType(name)
        if kind == "mesh":
            owner = (cmds.listRelatives(name, parent=True, fullPath=True) or [""])[0]
        elif kind == "transform" and shape(name):
            owner = name
        else:
            continue
        if owner and owner not in found:
            found.append(owner)
    return found


def shape(transform: str) -> str | None:
    """The mesh that is shown under a transform: deformers keep the undeformed one there, as an intermediate object."""
    shapes = cmds.listRelatives(transform, shapes=True, noIntermediate=True, fullPath=True, type="mesh") or []
    return str(shapes[0]) if shapes else None


def skin_cluster(transform: str) -> str | None:
    """The skinCluster of a mesh."""
    under = shape(transform)
    history = cmds.listHistory(under, pruneDagObjects=True) if under else []
    found = cmds.ls(*_names(history), type="skinCluster") if history else []
    return found[0] if found else None


def nodes() -> list[str]:
    """The selected nodes of ours, then those in the history of what is selected, each once."""
    ours = {one.type_name for one in plugin.types()}
    found = [name for name in cmds.ls(selection=True, objectsOnly=True) if cmds.nodeType(name) in ours]
    for mesh in meshes():
        under = shape(mesh)
        history = _names(cmds.listHistory(under, pruneDagObjects=True)) if under else []
        found += [name for name in history if cmds.nodeType(name) in ours]
    return list(dict.fromkeys(found))


def joints() -> list[str]:
    return list(cmds.ls(selection=True, type="joint", long=True))


def curves() -> list[str]:
    """The selected NURBS curves."""
    return list(cmds.ls(selection=True, dagObjects=True, noIntermediate=True, type="nurbsCurve", long=True))


def locators() -> list[str]:
    """The transforms of the selected locators."""
    shapes = cmds.ls(selection=True, dagObjects=True, type="locator", long=True)
    return [name for shape in shapes for name in cmds.listRelatives(shape, parent=True, fullPath=True) or []]


def all_nodes() -> list[str]:
    return [name for one in plugin.types() for name in cmds.ls(type=one.type_name)]


def body_of(node: str) -> str | None:
    """The mesh that a node works on: the first mesh in its future."""
    future = cmds.listHistory(node, future=True, pruneDagObjects=False)
    shown = cmds.ls(*_names(future), type="mesh", noIntermediate=True, long=True)
    if not shown:
        return None
    return str((cmds.listRelatives(shown[0], parent=True, fullPath=True) or [shown[0]])[0])


def _names(found: object) -> list[str]:
    """listHistory returns nothing at all, or a list."""
    return [str(name) for name in found] if isinstance(found, list) else []


@dataclass(frozen=True)
class Needs:
    """When an action applies, and what to do where it does not."""

    met: Callable[[], bool]
    otherwise: str


ALWAYS = Needs(lambda: True, "")
MESH = Needs(lambda: bool(meshes()), "Select a mesh first.")
NODE = Needs(lambda: bool(nodes()), "Select a mesh that has a node of Sinew, or the node itself.")
MESH_OR_NODE = Needs(lambda: bool(meshes()) or bool(nodes()), "Select a mesh, or a node of Sinew.")
PAINTABLE = Needs(
    lambda: any(kind.maps() for kind in map(plugin.type_of, nodes()) if kind),
    "Select a mesh that has a node of Sinew with maps, for example after adding sliding skin.",
)
TWO_MESHES = Needs(
    lambda: len(meshes()) >= 2 and bool(nodes()),
    "Select the character that has the node of Sinew, then the one to copy it to.",
)
JOINTS = Needs(lambda: bool(joints()), "Select the joints of the bones first.")
TWO_JOINTS = Needs(lambda: len(joints()) == 2, "Select two joints, that of the muscle's origin first.")
CURVES = Needs(lambda: bool(curves()), "Select the NURBS curves along which tendons run.")
